#include "grammar/discipline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/overloaded.hpp"
#include "grammar/boolean_data.hpp"
#include "grammar/messages/hints.hpp"
#include "grammar/messages/positions.hpp"
#include "grammar/messages/spelling.hpp"
#include "grammar/operators.hpp"
#include "grammar/requests.hpp"
#include "grammar/selectors.hpp"
#include "grammar/sorts.hpp"
#include "grammar/synchronisation.hpp"

namespace matchpoint::grammar {

namespace {

constexpr std::uint32_t none = Sorts::Reason::none;

class Discipline {
public:
    Discipline(Program const& program, Source const* source, Severity severity, std::size_t limit)
        : p_(program), names_(program.symbols), source_(source), severity_(severity), limit_(limit),
          endpoints_(names_.endpoints.size()), variables_(names_.variables.size()), requests_(program),
          place_(names_.actions.size(), none), is_completed_(names_.actions.size()), sorts_(names_.endpoints.size()) {
        for (SharedVariable const& s : program.ctp.shared)
            variables_[s.x.index].shared_as = s.v.is_boolean() ? Sorts::boolean : Sorts::integer;
    }

    Diagnostics check() {
        for (thread_ = 0; thread_ < p_.ctp.threads.size(); ++thread_) check_thread();
        std::stable_sort(faults_.begin(), faults_.end(),
                         [](Diagnostic const& a, Diagnostic const& b) { return a.offset < b.offset; });
        return std::move(faults_);
    }

    /// After check().
    bool is_boolean(Endpoint beta) { return sorts_.find(Sorts::of(beta)) == Sorts::boolean; }

private:
    struct EndpointInfo {
        std::uint32_t owner = none;          // D1: the thread that uses it first
        std::uint32_t reported = none;       // the last other thread that was reported
        std::uint32_t thread = none;         // whose receives these are
        std::vector<std::uint32_t> receives; // indices of the rcvi commands, in order
        // Place of a receive -> itself as long as no wait has completed it (Definition 6, errata E24), or a later place
        // with no open one between them.
        std::vector<std::uint32_t> next_open;

        /// The first open one from a place on; their number if there is none.
        std::uint32_t open_from(std::uint32_t place) {
            std::uint32_t open = place;
            while (open < next_open.size() && next_open[open] != open) open = next_open[open];
            while (place < open) place = std::exchange(next_open[place], open);
            return open;
        }
    };
    struct VariableInfo {
        std::uint32_t owner = none;    // D4
        std::uint32_t reported = none; // as above
        std::uint32_t defined_in = none;
        Sorts::Class sort = 0;                                // of its last definition, in thread defined_in
        std::uint32_t receive = none;                         // the command of that definition, if it is a receive
        std::optional<Sorts::Class> shared_as = std::nullopt; // a shared variable, of this sort
    };

    LocatedCommand const& command() const { return p_.ctp.commands[at_]; }

    std::string name(auto id) const { return printable(names_(id)); }

    Diagnostic& fault(std::string_view rule, std::string message, std::uint32_t command, std::size_t atom) {
        Diagnostic d{severity_, rule, std::move(message), no_offset, 1, {}};
        if (source_ != nullptr) place(d, atom_at(*source_, p_.ctp.commands[command].offset, atom));
        return keep(std::move(d));
    }
    Diagnostic& fault_in_expression(std::string_view rule, std::string message, std::size_t node) {
        Diagnostic d{severity_, rule, std::move(message), no_offset, 1, {}};
        if (source_ != nullptr) place(d, atom_of(node));
        return keep(std::move(d));
    }
    /// An atom of the expression that is checked.
    Token atom_of(std::size_t node) {
        if (atoms_of_ != std::pair(at_, expression_)) {
            atoms_ = expression_atoms(*source_, command(), expression_);
            atoms_of_ = {at_, expression_};
        }
        return atoms_[node];
    }
    static void place(Diagnostic& d, Token t) {
        d.offset = t.offset;
        d.length = static_cast<std::uint32_t>(t.text.size());
    }
    Diagnostic& keep(Diagnostic d) {
        if (faults_.size() >= limit_) return dropped_ = std::move(d);
        return faults_.emplace_back(std::move(d));
    }
    void note(Diagnostic& d, std::string message, std::uint32_t command, std::size_t atom) const {
        if (source_ == nullptr) return;
        Token const t = atom_at(*source_, p_.ctp.commands[command].offset, atom);
        d.notes.push_back({std::move(message), t.offset, static_cast<std::uint32_t>(t.text.size())});
    }

    /// Whether a rule about requests is broken here.
    bool breaks(std::string_view rule, std::optional<Requests::Fault> found) {
        if (!found) return false;
        Diagnostic& d = fault(rule, std::move(found->message), at_, 2);
        if (found->other != none) note(d, std::string(found->what), found->other, 2);
        return true;
    }

    void check_thread() {
        Thread const& t = p_.ctp.threads[thread_];
        for (at_ = t.first; at_ < t.last; ++at_)
            std::visit(overloaded{
                           [&](Assume const& c) { assumed("assumed", c.e); },
                           [&](Assert const& c) { assumed("asserted", c.e); },
                           [&](Assign const& c) { assign(c); },
                           [&](Sndi const& c) { sndi(c); },
                           [&](Rcvi const& c) { rcvi(c); },
                           [&](Probe const& c) { probe(c); },
                           [&](Start const& c) { start(c); },
                           [&](Wait const& c) { wait(c); },
                           [](Meet const&) {},
                           [](Collective const&) {},
                           [&](Guarded const& c) { guarded(c); },
                       },
                       command().c);
        // D3, now that the thread's waits are known.
        for (at_ = t.first; at_ < t.last; ++at_) {
            auto const* const probe = as_probe(command().c);
            if (probe != nullptr && !is_completed_[probe->a.index]) breaks("D3", requests_.received(*probe));
            auto const* const c = as_rcvi(command().c);
            if (c == nullptr || is_completed_[c->a.index]) continue;
            bool const selects = restricts(selectors_of(p_.ctp, *c));
            fault(
                "D3",
                fmt::format("receive `{}` has no nearest-enclosing wait: no later wait in its thread is for it or for "
                            "a later receive at endpoint {}{}",
                            name(c->a), name(c->beta), selects ? " that admits no more than it" : ""),
                at_, 2);
        }
    }

    // D1
    void uses_endpoint(Endpoint e, std::string_view how, std::size_t atom) {
        if (!p_.ctp.shared.empty()) return;
        EndpointInfo& info = endpoints_[e.index];
        if (info.owner == none) info.owner = thread_;
        if (info.owner == thread_ || info.reported == thread_) return;
        info.reported = thread_;
        fault("D1",
              fmt::format("endpoint {} belongs to thread {}, but thread {} {} it", name(e), info.owner, thread_, how),
              at_, atom);
    }

    // D4
    void uses_variable(Variable x, std::size_t atom) {
        uses_variable_at(x, [&] { return atom_at(*source_, command().offset, atom); });
    }

    /// `position` is asked for the place in the source, if there is one.
    template <typename Position>
    void uses_variable_at(Variable x, Position position) {
        VariableInfo& info = variables_[x.index];
        if (info.owner == none) info.owner = thread_;
        if (info.owner == thread_ || info.reported == thread_ || info.shared_as) return;
        info.reported = thread_;
        Diagnostic d{severity_, "D4", of_two_threads(x, info.owner), no_offset, 0, {}};
        if (source_ != nullptr) place(d, position());
        keep(std::move(d));
    }

    std::string of_two_threads(Variable x, std::uint32_t owner) const {
        return fmt::format(
            "variable `{0}` belongs to thread {1}, but thread {2} uses it (`(shared [{0} {3}])` in front of the "
            "program declares it shared)",
            name(x), owner, thread_,
            is_taken_as_count(p_.ctp, x) ? 1 : 0); // a lock that is 0 at the beginning is free for nobody
    }

    void define(Variable x, Sorts::Class sort, std::uint32_t receive = none) {
        variables_[x.index].defined_in = thread_;
        variables_[x.index].sort = sort;
        variables_[x.index].receive = receive;
    }

    /// The command that is checked, at a node of its expression.
    Sorts::Reason here(Expression e, std::size_t node) const {
        Node const& n = p_.ctp.nodes[e.first + node];
        bool const is_variable = n.kind == Node::Kind::variable;
        return {at_, expression_, static_cast<std::uint32_t>(node), is_variable ? variables_[n.payload].receive : none};
    }

    /// Two places that disagree about a sort can both be far from the one that decided it.
    void explain(Diagnostic& d, Sorts::Class c) {
        auto const reason = sorts_.reason(c);
        if (source_ == nullptr || !reason || faults_.size() > shown_diagnostics) return;
        LocatedCommand const& at = p_.ctp.commands[reason->command];
        bool const is_receive = as_rcvi(at.c) != nullptr || as_start(at.c) != nullptr;
        Token const t = is_receive ? received_variable(reason->command)
                                   : expression_atoms(*source_, at, reason->expression)[reason->node];
        std::string_view const sort = sorts_.name(c);
        std::string why;
        if (is_receive) {
            why = fmt::format("{} because they are received into shared variable `{}` here", sort, printable(t.text));
        } else if (reason->receive != none) {
            auto const [line, column] = source_->line_column(received_variable(reason->receive).offset);
            why = fmt::format("{} because `{}`, received at {}:{}, is used as {} here", sort, printable(t.text), line,
                              column, a_sort(sort));
        } else if (as_sndi(at.c) != nullptr && reason->node + 1 == as_sndi(at.c)->e.size) {
            why = fmt::format("{} because this message is", sort);
        } else {
            why = fmt::format("{} because `{}` is used as {} here", sort, printable(t.text), a_sort(sort));
        }
        d.notes.push_back({std::move(why), t.offset, static_cast<std::uint32_t>(t.text.size())});
    }
    /// The variable of a receive or a start, in the source.
    Token received_variable(std::uint32_t command) const {
        LocatedCommand const& at = p_.ctp.commands[command];
        return atom_at(*source_, at.offset, variable_atom(at.c));
    }
    static std::size_t variable_atom(Command const& c) { return as_start(c) != nullptr ? 3 : 4; }
    static std::string a_sort(std::string_view sort) { return fmt::format("{} {}", sort == "Int" ? "an" : "a", sort); }

    struct Operand {
        Sorts::Class sort;
        std::uint32_t node; // in the expression
    };

    /// Checks D4, D5 and D6 inside an expression, and returns its sort.
    Sorts::Class expression(Expression e) {
        stack_.clear();
        for (std::uint32_t i = 0; i < e.size; ++i) {
            Node const node = p_.ctp.nodes[e.first + i];
            switch (node.kind) {
            case Node::Kind::value:
                stack_.push_back({p_.ctp.values[node.payload].is_boolean() ? Sorts::boolean : Sorts::integer, i});
                break;
            case Node::Kind::variable: stack_.push_back({use({node.payload}, i), i}); break;
            case Node::Kind::operation: operation(node.op, e, i); break;
            }
        }
        return stack_.back().sort;
    }

    Sorts::Class use(Variable x, std::size_t node) {
        uses_variable_at(x, [&] { return atom_of(node); });
        VariableInfo const& info = variables_[x.index];
        if (info.shared_as) return *info.shared_as;
        if (info.defined_in == thread_) return info.sort;
        Diagnostic& d = fault_in_expression(
            "D5",
            fmt::format("variable `{}` is used before an assignment to it, or a wait that completes a receive into it, "
                        "in thread {}",
                        name(x), thread_),
            node);
        if (auto hint = hint_for(x)) d.hints.push_back(std::move(*hint));
        Sorts::Class const unknown = sorts_.fresh();
        define(x, unknown); // one message for each such variable is enough
        return unknown;
    }

    /// What a variable without a value may be meant to be.
    std::optional<std::string> hint_for(Variable x) const {
        if (auto hint = hint_for_variable(names_(x))) return hint;
        if (source_ == nullptr || faults_.size() > shown_diagnostics) return std::nullopt;
        std::vector<bool> has_value;
        for (VariableInfo const& info : variables_)
            has_value.push_back(info.shared_as.has_value() || info.defined_in == thread_);
        return hint_for_unwritten(p_, x, has_value);
    }

    void operation(Op op, Expression e, std::uint32_t node) {
        std::size_t const first = stack_.size() - arity(op);
        std::optional<Operand> common;
        for (std::size_t k = 0; k < arity(op); ++k) {
            Operand const o = stack_[first + k];
            switch (operand_sort(op, k)) {
            case OperandSort::integer: operand_is(op, e, o, Sorts::integer); break;
            case OperandSort::boolean: operand_is(op, e, o, Sorts::boolean); break;
            case OperandSort::common:
                if (common) are_equal(op, e, *common, o, node);
                common = o;
                break;
            }
        }
        stack_.resize(first);
        Sorts::Class const of_common = common ? common->sort : Sorts::integer;
        stack_.push_back({result_sort<Sorts::Class>(op, Sorts::integer, Sorts::boolean, of_common), node});
    }

    void are_equal(Op op, Expression e, Operand const& a, Operand const& b, std::uint32_t node) {
        // The one that is not known yet is used as the other.
        std::uint32_t const learns = sorts_.find(a.sort) <= Sorts::boolean ? b.node : a.node;
        if (sorts_.unite(a.sort, b.sort, here(e, learns))) return;
        Diagnostic& d = fault_in_expression(
            "D6",
            as_relation(op) != nullptr
                ? fmt::format("`{}` compares {} with {}", to_string(op), sorts_.name(a.sort), sorts_.name(b.sort))
                : fmt::format("`{}` takes operands of one sort, here {} and {}", to_string(op), sorts_.name(a.sort),
                              sorts_.name(b.sort)),
            node);
        explain(d, a.sort);
        explain(d, b.sort);
    }

    void operand_is(Op op, Expression e, Operand const& o, Sorts::Class sort) {
        if (sorts_.unite(o.sort, sort, here(e, o.node))) return;
        explain(fault_in_expression("D6",
                                    fmt::format("`{}` takes {} of sort {}, this one is {}", to_string(op),
                                                is_choice(op) ? "a condition" : "operands", sorts_.name(sort),
                                                sorts_.name(o.sort)),
                                    o.node),
                o.sort);
    }

    void assumed(std::string_view what, Expression e) {
        Sorts::Class const sort = expression(e);
        if (!sorts_.unite(sort, Sorts::boolean, here(e, e.size - 1)))
            explain(fault_in_expression("D6", fmt::format("what is {} has to be Bool, this is Int", what), e.size - 1),
                    sort);
    }

    void assign(Assign const& c) {
        Sorts::Class const sort = expression(c.e);
        uses_variable(c.x, 1);
        assigned(c.x, sort, c.e);
    }

    void assigned(Variable x, Sorts::Class sort, Expression e) {
        auto const shared_as = variables_[x.index].shared_as;
        if (!shared_as) return define(x, sort);
        if (sorts_.unite(sort, *shared_as, here(e, e.size - 1))) return;
        explain(fault_in_expression("D6",
                                    fmt::format("shared variable `{}` is {}, what is assigned is {}", name(x),
                                                sorts_.name(*shared_as), sorts_.name(sort)),
                                    e.size - 1),
                sort);
    }

    /// Its locals are defined for the commands after it.
    void guarded(Guarded const& c) {
        assumed(c.blocks ? "waited for" : "assumed", c.e);
        auto const assignments = p_.ctp.assigned(c);
        std::vector<Sorts::Class> sorts;
        for (auto const& [x, e] : assignments) {
            ++expression_;
            sorts.push_back(expression(e));
        }
        expression_ = 0;
        for (std::size_t i = 0; i < assignments.size(); ++i) {
            expression_ = static_cast<std::uint32_t>(i) + 1;
            auto const& [x, e] = assignments[i];
            uses_variable_at(x, [&] { return assigned_variable(*source_, command(), expression_); });
            assigned(x, sorts[i], e);
        }
        expression_ = 0;
    }

    void sndi(Sndi const& c) {
        uses_endpoint(c.alpha, "sends from", 3);
        Sorts::Class const sort = expression(c.e);
        if (sorts_.unite(sort, Sorts::of(c.beta), here(c.e, c.e.size - 1))) return;
        Diagnostic& d = fault_in_expression("D6",
                                            fmt::format("messages to endpoint {} are {}, this one is {}", name(c.beta),
                                                        sorts_.name(Sorts::of(c.beta)), sorts_.name(sort)),
                                            c.e.size - 1);
        explain(d, Sorts::of(c.beta));
        explain(d, sort);
    }

    void rcvi(Rcvi const& c) {
        uses_endpoint(c.beta, "receives at", 3);
        uses_variable(c.x, 4);
        receives_into(c.x, c.beta);
        EndpointInfo& info = endpoints_[c.beta.index];
        if (info.thread != thread_) {
            info.thread = thread_;
            info.receives.clear();
            info.next_open.clear();
        }
        place_[c.a.index] = static_cast<std::uint32_t>(info.receives.size());
        info.receives.push_back(at_);
        info.next_open.push_back(place_[c.a.index]);
        selects(selectors_of(p_.ctp, c));
        // Its wait breaks D2. One message is enough: that it completes nothing would break D3 and D5, too.
        if (requests_.is_wait_misplaced(c.a)) complete(c);
    }

    void probe(Probe const& c) {
        uses_endpoint(c.beta, "probes at", 3);
        Selectors const* const sel = selectors_of(p_.ctp, c);
        selects(sel);
        if (sel != nullptr && sel->source) define(*sel->source, Sorts::integer);
        if (sel != nullptr && sel->tagged) define(*sel->tagged, Sorts::integer);
    }

    void start(Start const& c) {
        uses_variable(c.x, 3);
        Probe const* const mprobe = as_probe(p_.ctp.commands[p_.ctp.issued_by[c.a.index]].c);
        if (mprobe != nullptr) receives_into(c.x, mprobe->beta);
        if (breaks("D2", requests_.start(c, at_))) return;
        // As above; or its wait came before.
        if (requests_.is_wait_misplaced(c.a) || is_completed_[c.a.index]) define(c.x, Sorts::of(mprobe->beta), at_);
    }

    /// D6: what comes to beta has the sort of the shared variable that it is received into.
    void receives_into(Variable x, Endpoint beta) {
        auto const shared_as = variables_[x.index].shared_as;
        if (!shared_as || sorts_.unite(Sorts::of(beta), *shared_as, {at_, 0, 0, at_})) return;
        explain(fault("D6",
                      fmt::format("shared variable `{}` is {}, messages to endpoint {} are {}", name(x),
                                  sorts_.name(*shared_as), name(beta), sorts_.name(Sorts::of(beta))),
                      at_, variable_atom(command().c)),
                Sorts::of(beta));
    }
    void selects(Selectors const* sel) {
        if (sel != nullptr && sel->source) selects_into(*sel->source, "source");
        if (sel != nullptr && sel->tagged) selects_into(*sel->tagged, "tagged");
    }
    void selects_into(Variable y, std::string_view kind) {
        uses_variable_at(y, [&] { return selected_variable(*source_, command().offset, kind); });
        if (variables_[y.index].shared_as != Sorts::boolean) return;
        fault("D6", fmt::format("shared variable `{}` is Bool, numbers of endpoints and tags are Int", name(y)), at_,
              2);
    }

    /// Defines the variables of the receives that a wait completes.
    void complete(Rcvi const& receive) {
        EndpointInfo& info = endpoints_[receive.beta.index];
        std::vector<std::uint32_t> const& receives = info.receives;
        Selectors const* const sel = selectors_of(p_.ctp, receive);
        for (std::uint32_t i = info.open_from(0); i <= place_[receive.a.index]; i = info.open_from(i + 1)) {
            Rcvi const& earlier = *as_rcvi(p_.ctp.commands[receives[i]].c);
            Selectors const* const other = selectors_of(p_.ctp, earlier);
            if (!admits_all_of(other, sel)) continue;
            is_completed_[earlier.a.index] = true;
            info.next_open[i] = i + 1;
            define(earlier.x, Sorts::of(receive.beta), receives[i]);
            if (other != nullptr && other->source) define(*other->source, Sorts::integer);
            if (other != nullptr && other->tagged) define(*other->tagged, Sorts::integer);
        }
    }

    // D2; and defines the variables of the receives that the wait completes.
    void wait(Wait const& c) {
        Command const& issuer = p_.ctp.commands[p_.ctp.issued_by[c.a.index]].c;
        if (as_probe(issuer) != nullptr) is_completed_[c.a.index] = true; // one message about it is enough
        if (breaks("D2", requests_.wait(c, at_))) return;
        if (auto const* const receive = as_rcvi(issuer)) complete(*receive);
        if (auto const* const probe = as_probe(issuer)) {
            std::uint32_t const start = requests_.started_at(c.a);
            define(as_start(p_.ctp.commands[start].c)->x, Sorts::of(probe->beta), start);
        }
    }

    Program const& p_;
    Symbols const& names_;
    Source const* source_;
    Severity severity_;
    std::size_t limit_;
    std::vector<EndpointInfo> endpoints_;
    std::vector<VariableInfo> variables_;
    Requests requests_;
    std::vector<std::uint32_t> place_; // receive -> its place among its thread's receives at its endpoint
    std::vector<bool> is_completed_;   // receive -> some wait completes it
    Sorts sorts_;
    std::vector<Operand> stack_;
    std::vector<Token> atoms_;                                  // of command atoms_of_'s expression
    std::pair<std::uint32_t, std::uint32_t> atoms_of_{none, 0}; // and its expression
    std::uint32_t expression_ = 0;                              // of the command that is checked (expression_atoms())
    std::uint32_t thread_ = 0;
    std::uint32_t at_ = 0; // the command that is checked
    Diagnostics faults_;
    Diagnostic dropped_; // beyond the limit
};

} // namespace

Diagnostics check_discipline(Program const& program, Source const* source, Severity severity, std::size_t limit) {
    return Discipline(program, source, severity, limit).check();
}

std::vector<bool> endpoints_of_booleans(Program const& program) {
    if (!has_boolean_data(program.ctp)) return std::vector<bool>(program.symbols.endpoints.size());
    Discipline discipline(program, nullptr, Severity::warning, 1);
    discipline.check();
    std::vector<bool> result;
    for (std::uint32_t beta = 0; beta < program.symbols.endpoints.size(); ++beta)
        result.push_back(discipline.is_boolean({beta}));
    return result;
}

} // namespace matchpoint::grammar
