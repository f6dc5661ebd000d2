#include "rma/language/parse_reduced.hpp"

#include <algorithm>

#include "rma/language/reduced_reader.hpp"

namespace matchpoint::rma {

namespace reduced {
namespace {

class Reader : FormReader {
public:
    explicit Reader(Forms const& forms) : FormReader(forms) {}

    Program run() {
        if (f_.size() == 0 || f_.head(0) != "reduced" || f_.end(0) != f_.size())
            fail(0, "syntax", "a program `(reduced ...)` is wanted");
        for (FormIndex i = part(0, 1); i < f_.end(0); i = f_.end(i)) declarations(i);
        for (FormIndex i = part(0, 1); i < f_.end(0); i = f_.end(i))
            if (f_.head(i) == "process") thread(i, Thread::Kind::process, behind_declarations(i));
        for (FormIndex i = part(0, 1); i < f_.end(0); i = f_.end(i)) rest(i);
        resolve();
        for (FormIndex const i : properties_) property(i);
        return std::move(p_);
    }

private:
    // ---- declarations

    static bool is_declaration(std::string_view head) { return head == "shared" || head == "local" || head == "sets"; }

    FormIndex behind_declarations(FormIndex process) const {
        FormIndex i = part(process, 2);
        while (i < f_.end(process) && is_declaration(f_.head(i)) && !is_assignment(i)) i = f_.end(i);
        return i;
    }
    bool is_assignment(FormIndex i) const { return f_.parts(i) == 3 && f_.is(part(i, 1), ":="); }

    void declarations(FormIndex i) {
        if (f_.head(i) != "process") return;
        if (f_.parts(i) < 2 || f_.is_list(part(i, 1)) || !endpoint_name(f_.text(part(i, 1))))
            fail_syntax(i, "a process `(process pid ...)`");
        if (!pids_.try_emplace(std::string(*endpoint_name(f_.text(part(i, 1)))), pids_.size()).second)
            fail(part(i, 1), "RS1", "the numbers of processes are unique");
        for (FormIndex d = part(i, 2); d < behind_declarations(i); d = f_.end(d))
            for (FormIndex k = part(d, 1); k < f_.end(d); k = f_.end(k)) {
                if (f_.head(d) == "sets")
                    declare_set(k);
                else
                    declare(k);
            }
    }
    void declare_set(FormIndex k) {
        if (f_.is_list(k)) fail_syntax(k, "the name of a set");
        if (p_.sets.find(f_.text(k))) fail(k, "RS1", "the names of sets are unique");
        p_.sets.intern(f_.text(k));
    }
    void declare(FormIndex k) {
        if (!f_.is_list(k) || f_.parts(k) != 2 || f_.is_list(part(k, 0)) || !is_variable_name(f_.text(part(k, 0))))
            fail_syntax(k, "a declaration `(x v)`");
        std::string_view const x = f_.text(part(k, 0));
        if (p_.variables.find(x)) fail(part(k, 0), "RS1", "the names of variables are unique");
        p_.variables.intern(x);
        p_.initial.push_back(value(part(k, 1)));
    }

    // ---- threads and procedures

    void rest(FormIndex i) {
        std::string_view const head = f_.head(i);
        if (head == "process") return;
        if (head == "define" || head == "define-steps") return procedure(i, head == "define");
        if (head == "finally") return thread(i, Thread::Kind::finally, part(i, 1));
        if (head == "always") return thread(i, Thread::Kind::always, part(i, 1));
        if (head == "assert" || head == "invariant") return properties_.push_back(i);
        fail_syntax(i, "`process`, `define`, `define-steps`, `finally`, `always`, `assert final` or `invariant`");
    }

    Index here() const { return static_cast<Index>(p_.code.size()); }

    void thread(FormIndex i, Thread::Kind kind, FormIndex first) {
        Index const begin = here();
        p_.threads.push_back({kind, begin});
        FormIndex last = f_.end(i);
        for (FormIndex k = first; k < f_.end(i); k = f_.end(k))
            if (!f_.is_list(k) && is_bot(f_.text(k)) && f_.end(k) == f_.end(i)) last = k;
        statements(first, last, Frame::Then::nothing);
        bool const repeats = kind == Thread::Kind::always && here() != begin;
        emit(repeats ? Action(Jump{begin}) : Action(End{}));
    }

    void procedure(FormIndex i, bool is_one_step) {
        constexpr std::string_view form = "`(define (execute s) c ...)`";
        if (f_.parts(i) < 3) fail_syntax(i, form);
        FormIndex const title = part(i, 1);
        if (f_.head(title) != "execute" || f_.parts(title) != 2 || f_.is_list(part(title, 1))) fail_syntax(title, form);
        std::string const name(f_.text(part(title, 1)));
        if (!procedures_.try_emplace(name, static_cast<Procedure>(p_.procedures.size())).second)
            fail(title, "RS1", "the names of procedures are unique");
        Index const first = here();
        in_step_ = true;
        statements(part(i, 2), f_.end(i), Frame::Then::nothing);
        in_step_ = false;
        p_.procedures.push_back({name, first, here(), is_one_step});
        emit(End{});
    }

    void property(FormIndex i) {
        bool const is_final = f_.head(i) == "assert";
        has_parts(i, is_final ? 3 : 2, "`(assert final e)` or `(invariant e)`");
        if (is_final && !f_.is(part(i, 1), "final")) fail_syntax(part(i, 1), "`final`");
        p_.properties.push_back({is_final, condition(part(i, is_final ? 2 : 1), true), std::string(f_.text(i))});
    }

    // ---- statements

    /// A list of statements that is being read, and what to do after it.
    struct Frame {
        enum class Then : std::uint8_t { nothing, otherwise, patch, loop, group, atomic };
        FormIndex at;
        FormIndex end;
        Then then;
        Index i = 0;             // the instruction that is completed then
        FormIndex otherwise = 0; // the second list of an `if`; 0: there is none
    };

    Index emit(Action const& action) {
        p_.code.push_back({action, inside_});
        return here() - 1;
    }

    void statements(FormIndex first, FormIndex last, Frame::Then then) {
        frames_.push_back({first, last, then});
        std::size_t const bottom = frames_.size();
        while (frames_.size() >= bottom) {
            Frame& frame = frames_.back();
            if (frame.at >= frame.end) {
                Frame const done = frame;
                frames_.pop_back();
                finish(done);
                continue;
            }
            FormIndex const i = frame.at;
            frame.at = f_.end(i);
            statement(i);
        }
    }

    void finish(Frame const& done) {
        switch (done.then) {
        case Frame::Then::nothing: return;
        case Frame::Then::otherwise: return finish_then(done);
        case Frame::Then::patch: std::get<Jump>(p_.code[done.i].action).target = here(); return;
        case Frame::Then::loop:
            emit(Jump{done.i});
            std::get<Branch>(p_.code[done.i].action).otherwise = here();
            return;
        case Frame::Then::group:
            std::get<Group>(p_.code[done.i].action).end = here();
            in_step_ = false;
            return;
        case Frame::Then::atomic:
            if (here() == done.i + 1) emit(Skip{}); // with nothing in it, it is a step nevertheless
            inside_ = false;
            return;
        }
    }

    void finish_then(Frame const& done) {
        Index jump = 0;
        if (done.otherwise != 0) jump = emit(Jump{});
        std::get<Branch>(p_.code[done.i].action).otherwise = here();
        if (done.otherwise == 0) return;
        frames_.push_back({Forms::first(done.otherwise), f_.end(done.otherwise), Frame::Then::patch, jump});
    }

    /// stmt ::= c | [rho c]
    void statement(FormIndex i) {
        if (f_.is_list(i) && f_.text(i)[0] == '[') {
            if (f_.parts(i) != 2 || f_.is_list(part(i, 0))) fail_syntax(i, "`[rho c]`");
            if (in_step_) fail(i, "syntax", "a step cannot contain a location");
            auto const thread = p_.threads.size() - 1;
            if (!locations_.try_emplace({thread, std::string(f_.text(part(i, 0)))}, here()).second)
                fail(part(i, 0), "RS1", "the locations of a process are unique");
            i = part(i, 1);
        }
        if (f_.is(i, "skip")) {
            emit(Skip{});
            return;
        }
        if (!f_.is_list(i) || f_.is_empty(i)) fail_syntax(i, "a statement");
        if (is_assignment(i))
            assign(part(i, 0), part(i, 2));
        else if (!simple(i) && !compound(i) && !executing(i))
            fail(i, "syntax", fmt::format("`{}` begins no statement", shown(part(i, 0))));
    }

    void assign(FormIndex x, FormIndex e) {
        Variable const to = variable(x);
        bool is_bool = false;
        Expression const from = expression(e, false, is_bool);
        if (is_bool != is_boolean(to)) fail(e, "RS6", fmt::format("`{}` has another sort", shown(x)));
        emit(Assign{to, from});
    }

    bool simple(FormIndex i) {
        std::string_view const head = f_.head(i);
        if (head == "load" || head == "store")
            has_parts(i, 3, "`(load u X)` or `(store X e)`"), assign(part(i, 1), part(i, 2));
        else if (head == "choose")
            choose(i);
        else if (head == "draw")
            has_parts(i, 3, "`(draw X set)`"), emit(Draw{variable(part(i, 1)), of_sort(part(i, 2), part(i, 1))});
        else if (head == "reset")
            has_parts(i, 3, "`(reset set X)`"), emit(Reset{of_sort(part(i, 1), part(i, 2)), variable(part(i, 2))});
        else if (head == "join")
            has_parts(i, 3, "`(join set X)`"), emit(Join{of_sort(part(i, 1), part(i, 2)), variable(part(i, 2))});
        else if (head == "assume")
            has_parts(i, 2, "`(assume e)`"), emit(Assume{condition(part(i, 1), false)});
        else if (head == "assert")
            has_parts(i, 2, "`(assert e)`"), emit(Assert{condition(part(i, 1), false)});
        else if (head == "goto")
            go(i);
        else
            return false;
        return true;
    }

    /// A set has the sort of the first variable that is used with it.
    SetIndex of_sort(FormIndex set_form, FormIndex variable_form) {
        SetIndex const s = set(set_form);
        bool const is_bool = is_boolean(variable(variable_form));
        if (sort_of_set_.try_emplace(s, is_bool).first->second != is_bool)
            fail(variable_form, "RS6", fmt::format("the set `{}` has another sort", shown(set_form)));
        return s;
    }

    void choose(FormIndex i) {
        if (f_.parts(i) < 3) fail_syntax(i, "`(choose x v ...)`");
        Choose c{variable(part(i, 1)), static_cast<std::uint32_t>(p_.choices.size()), 0};
        for (FormIndex k = part(i, 2); k < f_.end(i); k = f_.end(k)) {
            p_.choices.push_back(value(k));
            if (p_.choices.back().is_boolean() != is_boolean(c.x))
                fail(k, "RS6", fmt::format("`{}` has another sort", shown(part(i, 1))));
        }
        c.last = static_cast<std::uint32_t>(p_.choices.size());
        emit(c);
    }

    void go(FormIndex i) {
        has_parts(i, 2, "`(goto rho)`");
        if (in_step_) fail(i, "syntax", "a step cannot contain a `goto`");
        emit(Skip{}); // it takes a step, and a jump does not
        gotos_.push_back({emit(Jump{}), p_.threads.size() - 1, part(i, 1)});
    }

    bool compound(FormIndex i) {
        std::string_view const head = f_.head(i);
        if (head == "if")
            if_statement(i);
        else if (head == "while")
            while_statement(i);
        else if (head == "step")
            step(i);
        else if (head == "atomic")
            atomic(i);
        else
            return false;
        return true;
    }

    void if_statement(FormIndex i) {
        std::size_t const n = f_.parts(i);
        constexpr std::string_view form = "`(if e (stmt ...) (stmt ...))`";
        if (n != 3 && n != 4) fail_syntax(i, form);
        FormIndex const then = part(i, 2);
        FormIndex const otherwise = n == 4 ? part(i, 3) : 0;
        for (FormIndex const list : {then, otherwise})
            if (list != 0 && !f_.is_list(list)) fail_syntax(list, form);
        Index const branch = emit(Branch{condition(part(i, 1), false)});
        frames_.push_back({Forms::first(then), f_.end(then), Frame::Then::otherwise, branch, otherwise});
    }

    void while_statement(FormIndex i) {
        if (f_.parts(i) < 2) fail_syntax(i, "`(while e stmt ...)`");
        Index const branch = emit(Branch{condition(part(i, 1), false)});
        frames_.push_back({part(i, 2), f_.end(i), Frame::Then::loop, branch});
    }

    void step(FormIndex i) {
        if (in_step_) fail(i, "syntax", "a step cannot contain another one");
        Index const group = emit(Group{});
        in_step_ = true;
        frames_.push_back({part(i, 1), f_.end(i), Frame::Then::group, group});
    }

    void atomic(FormIndex i) {
        if (in_step_ || inside_) fail(i, "RS5", "an `atomic` is inside of a step or of another `atomic`");
        Index const enter = emit(Enter{});
        inside_ = true;
        frames_.push_back({part(i, 1), f_.end(i), Frame::Then::atomic, enter});
    }

    /// Those that call procedures.
    bool executing(FormIndex i) {
        std::string_view const head = f_.head(i);
        if (head != "remote-ops" && head != "execute-one" && head != "execute-until") return false;
        if (in_step_) fail(i, "syntax", fmt::format("a step cannot contain a `{}`", head));
        FormIndex last = f_.end(i);
        if (head == "remote-ops") {
            if (f_.parts(i) < 2) fail_syntax(i, "`(remote-ops s ... c)`");
            last = part(i, f_.parts(i) - 1);
            emit(RemoteOps{calls(part(i, 1), last)});
            then(last);
        } else if (head == "execute-one") {
            emit(ExecuteOne{calls(part(i, 1), last)});
        } else {
            if (f_.parts(i) < 2) fail_syntax(i, "`(execute-until e s ...)`");
            Expression const e = condition(part(i, 1), false);
            emit(ExecuteUntil{e, calls(part(i, 2), last)});
        }
        return true;
    }

    /// The statement in a `remote-ops`: one step.
    void then(FormIndex c) {
        if (f_.is(c, "skip"))
            emit(Skip{});
        else if (f_.head(c) == "step")
            step(c);
        else if (f_.is_list(c) && is_assignment(c))
            assign(part(c, 0), part(c, 2));
        else if (f_.head(c) == "goto" || !simple(c))
            fail_syntax(c, "a simple statement or a `step`");
    }

    Calls calls(FormIndex first, FormIndex last) {
        Calls result{static_cast<std::uint32_t>(p_.calls.size()), 0};
        for (FormIndex k = first; k < last; k = f_.end(k)) {
            if (f_.is_list(k)) fail_syntax(k, "the name of a procedure");
            called_.push_back(k);
            p_.calls.push_back(0);
        }
        result.last = static_cast<std::uint32_t>(p_.calls.size());
        return result;
    }

    // ---- what names stand for

    void resolve() {
        for (std::size_t n = 0; n < called_.size(); ++n) {
            auto const found = procedures_.find(std::string(f_.text(called_[n])));
            if (found == procedures_.end())
                fail(called_[n], "RS2", fmt::format("no `(execute {})` is defined", shown(called_[n])));
            p_.calls[n] = found->second;
        }
        for (auto const& [jump, thread, rho] : gotos_) {
            Index const target = location(thread, rho);
            std::get<Jump>(p_.code[jump].action).target = target;
            if (p_.code[jump].is_inside != p_.code[target].is_inside ||
                (p_.code[jump].is_inside && crosses(jump, target)))
                fail(rho, "RS5", "`goto` crosses the border of an `atomic`");
        }
    }
    /// Whether both are inside of an `atomic`, but not of the same one.
    bool crosses(Index a, Index b) const {
        for (Index i = std::min(a, b); i < std::max(a, b); ++i)
            if (!p_.code[i].is_inside) return true;
        return false;
    }

    struct Goto {
        Index jump;
        std::size_t thread;
        FormIndex rho;
    };

    std::map<std::string, Procedure> procedures_;
    std::map<SetIndex, bool> sort_of_set_; // is it of Bools?
    std::vector<Goto> gotos_;
    std::vector<FormIndex> called_;
    std::vector<FormIndex> properties_;
    std::vector<Frame> frames_;
    bool in_step_ = false;
    bool inside_ = false; // of an `atomic`
};

Expected<Program, Diagnostics> read(Forms const& forms) {
    try {
        return Reader(forms).run();
    } catch (Wrong& wrong) {
        return Unexpected{Diagnostics{std::move(wrong.diagnostic)}};
    } catch (LimitReached const& limit) {
        Diagnostic d;
        d.rule = "limit";
        d.message = limit.what();
        return Unexpected{Diagnostics{std::move(d)}};
    }
}

} // namespace
} // namespace reduced

Expected<reduced::Program, Diagnostics> parse_reduced(Source const& source) {
    auto const forms = read_forms(source);
    if (!forms) return Unexpected{forms.error()};
    return reduced::read(*forms);
}

} // namespace matchpoint::rma
