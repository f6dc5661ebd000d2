#include "record/threads/leaving.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "check/bound.hpp"
#include "grammar/operators.hpp"
#include "machine/machine.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::record::threads {

namespace {

using draft::Expression;
using DraftGuarded = grammar::GuardedOf<draft::Text>;
using DraftAssume = grammar::AssumeOf<draft::Text>;
using DraftAssert = grammar::AssertOf<draft::Text>;

Expression negation(Expression e) { return draft::operation(Op::not_, std::move(e)); }
Expression or_else(Expression a, Expression b) { return draft::operation(Op::or_, std::move(a), std::move(b)); }
Expression and_also(Expression a, Expression b) { return draft::operation(Op::and_, std::move(a), std::move(b)); }

bool is_number(Expression const& e, std::int64_t v) {
    if (e.nodes.size() != 1) return false;
    auto const* const value = std::get_if<Value>(&e.nodes[0]);
    return value != nullptr && *value == Value::integer(v);
}
bool always_holds(Expression const& e) {
    auto const* const value = e.nodes.size() == 1 ? std::get_if<Value>(&e.nodes[0]) : nullptr;
    return value != nullptr && value->is_true();
}
bool never_holds(Expression const& e) {
    return e.nodes.size() == 1 && std::holds_alternative<Value>(e.nodes[0]) && !always_holds(e);
}

/// A comparison of a term with a constant, by = or !=.
struct Compared {
    Expression term;
    Expression with;
};
/// All of them in an expression.
std::vector<Compared> compared(Expression const& e) {
    std::vector<std::uint32_t> first;
    draft::find_first_nodes(e, first);
    std::vector<Compared> all;
    for (std::uint32_t root = 0; root < e.nodes.size(); ++root) {
        auto const* const op = std::get_if<Op>(&e.nodes[root]);
        if (op == nullptr || (*op != Op::equal && *op != Op::not_equal)) continue;
        draft::Subterm const right{first[root - 1], root - 1};
        draft::Subterm const left{first[root], right.first - 1};
        auto const is_value = [&](draft::Subterm s) {
            return s.size() == 1 && std::holds_alternative<Value>(e.nodes[s.root]);
        };
        if (is_value(right) == is_value(left)) continue;
        all.push_back({draft::part(e, is_value(right) ? left : right), draft::part(e, is_value(right) ? right : left)});
    }
    return all;
}
bool is_comparison_of_value(Expression const& e) {
    auto const* const op = std::get_if<Op>(&e.nodes.back());
    return op != nullptr && *op == Op::equal && compared(e).size() == 1;
}

/// Whether one is (= t v), and the other one (!= t v).
bool say_the_opposite(Expression const& a, Expression const& b) {
    auto const* const x = std::get_if<Op>(&a.nodes.back());
    auto const* const y = std::get_if<Op>(&b.nodes.back());
    bool const differ = x != nullptr && y != nullptr &&
                        ((*x == Op::equal && *y == Op::not_equal) || (*x == Op::not_equal && *y == Op::equal));
    return differ && std::equal(a.nodes.begin(), a.nodes.end() - 1, b.nodes.begin(), b.nodes.end() - 1);
}

Expression equals(Expression term, Expression v) { return draft::operation(Op::equal, std::move(term), std::move(v)); }

/// Whether a signal is there that a wait may take whose time passed. None if it is another command. Such a wait gives
/// its ticket back, which other threads see, and moves signals.
std::optional<Expression> is_signalled(DraftGuarded const& c) {
    if (c.blocks || !always_holds(c.e)) return std::nullopt;
    draft::Variable const* ticket = nullptr;
    for (draft::Assignment const& a : c.assigned)
        if (is_number(a.e, -1)) ticket = &a.x;
    if (ticket == nullptr) return std::nullopt;
    Expression some = draft::truth(false);
    for (draft::Assignment const& a : c.assigned)
        if (std::holds_alternative<Op>(a.e.nodes.back()) && std::get<Op>(a.e.nodes.back()) == Op::ite)
            some = or_else(std::move(some), draft::operation(Op::less, draft::variable(*ticket), draft::variable(a.x)));
    return some;
}

/// (when (= o 2)): another thread has done what `pthread_once` calls. The variable.
std::optional<draft::Variable> passes_once(DraftGuarded const& c) {
    bool const is = c.blocks && c.assigned.empty() && c.e.nodes.size() == 3 &&
                    std::holds_alternative<draft::Variable>(c.e.nodes[0]) &&
                    std::holds_alternative<Value>(c.e.nodes[1]) && std::get<Value>(c.e.nodes[1]) == Value::integer(2) &&
                    std::get<Op>(c.e.nodes[2]) == Op::equal;
    return is ? std::optional(std::get<draft::Variable>(c.e.nodes[0])) : std::nullopt;
}

/// The assertion is about an object of synchronisation. The program goes on if it fails.
bool is_about_an_object(Expression const& e, std::set<std::string> const& shared) {
    bool is = false;
    draft::for_each_variable(e, [&](draft::Variable const& x) { is = is || shared.contains(x.text); });
    return is;
}

} // namespace

draft::Draft with_assertions_assumed(draft::Draft program) {
    std::set<std::string> shared;
    for (draft::SharedVariable const& s : program.shared) shared.insert(s.x.text);
    for (draft::Thread& thread : program.threads)
        for (std::size_t i = 0; i < thread.size(); ++i)
            if (auto* const a = std::get_if<DraftAssert>(&thread[i].c); a != nullptr) {
                bool const goes_on = is_about_an_object(a->e, shared) || (never_holds(a->e) && i + 1 < thread.size());
                thread[i].c = goes_on ? draft::assume(draft::truth(true)) : draft::assume(std::move(a->e));
            }
    return program;
}

draft::Draft with_its_exit(draft::Draft program, std::uint32_t thread) {
    std::string const over = "over~";
    program.shared.push_back({over, Value::integer(0), true});
    std::size_t numbers = 0;
    for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
        draft::Thread written;
        for (draft::LocatedCommand& c : program.threads[t]) {
            auto* const guarded = std::get_if<DraftGuarded>(&c.c);
            bool const waits = t != thread && guarded != nullptr && guarded->blocks;
            if (waits) guarded->e = or_else(std::move(guarded->e), equals(draft::variable(over), draft::number(1)));
            written.push_back(std::move(c));
            if (waits)
                written.emplace_back(draft::assume(equals(draft::variable(over), draft::number(0))),
                                     fmt::format("over.{}", ++numbers));
        }
        if (t == thread) written.emplace_back(draft::assign(over, draft::number(1)), fmt::format("over.{}", ++numbers));
        program.threads[t] = std::move(written);
    }
    return program;
}

std::optional<Expression> stays_there(RecordedPath const& path, Leaving const& at) {
    draft::Thread const& thread = path.program().threads[at.thread];
    if (at.command == thread.size()) {
        // One that waits for the end of another goes on after that: the other one leaves the path first.
        auto const& joining = path.recording().joining;
        bool const stays = path.threads()[at.thread].has_ended ||
                           std::find(joining.begin(), joining.end(), at.thread) != joining.end();
        return stays ? std::nullopt : std::optional(draft::truth(false));
    }
    if (!path.mark_of(at.thread, at.command)) return std::nullopt;
    draft::Command const& c = thread[at.command].c;
    if (auto const* const assume = std::get_if<DraftAssume>(&c)) return assume->e;
    auto const* const guarded = std::get_if<DraftGuarded>(&c);
    if (guarded == nullptr) return std::nullopt;
    if (auto const some = is_signalled(*guarded)) return negation(*some);
    if (auto const once = passes_once(*guarded)) return negation(equals(draft::variable(*once), draft::number(0)));
    if (guarded->blocks || always_holds(guarded->e)) return std::nullopt;
    return guarded->e;
}

LeavingQuestion::LeavingQuestion(std::vector<RecordedPath const*> known, std::size_t of,
                                 std::set<Leaving> const& left_out, std::optional<Leaving> only)
    : known_(std::move(known)), path_(*known_[of]), of_(of) {
    find_flags();
    for (std::uint32_t t = 0; t < path_.threads().size(); ++t)
        for (std::size_t c = 0; c <= path_.program().threads[t].size(); ++c) {
            Leaving const at{t, c};
            bool const is_asked = (!only || *only == at) && !left_out.contains(at);
            if (is_asked && stays_there(path_, at)) places_.push_back(at);
        }
    write();
}

void LeavingQuestion::find_flags() {
    passed_.resize(known_.size());
    for (std::size_t k = 0; k < known_.size(); ++k) {
        if (k == of_) continue;
        for (std::uint32_t t = 0; t < path_.threads().size(); ++t) {
            ThreadPath const& own = path_.threads()[t];
            static ThreadPath const nothing;
            ThreadPath const& other = t < known_[k]->threads().size() ? known_[k]->threads()[t] : nothing;
            std::size_t const common = common_marks(own, other);
            std::uint64_t event = 0;
            std::optional<std::size_t> at; // the first command that the other path does not have
            if (common < own.marks.size() && common < other.marks.size()) {
                event = std::min(own.marks[common].event, other.marks[common].event);
                if (own.marks[common].event == event && own.marks[common].command != PathMark::none)
                    at = own.marks[common].command;
            } else if (other.events < own.events) {
                event = other.events + 1;
            } else {
                continue;
            }
            draft::Thread const& commands = path_.program().threads[t];
            for (std::size_t c = 0; !at && c < commands.size(); ++c)
                if (path_.event(t, c) >= event) at = c;
            if (!at && commands.empty()) continue;
            std::size_t const after = at.value_or(commands.size() - 1);
            auto const [flag, is_new] = flags_.try_emplace({t, after});
            if (is_new) flag->second = fmt::format("passed~{}", flags_.size());
            passed_[k][t] = flag->second;
        }
    }
}

Expression LeavingQuestion::in_reach(std::size_t other, std::uint32_t thread) const {
    Expression all = draft::truth(true);
    for (auto const& [t, flag] : passed_[other])
        if (t != thread) {
            Expression one = draft::operation(Op::equal, draft::variable(flag), draft::number(0));
            all = always_holds(all) ? std::move(one) : and_also(std::move(all), std::move(one));
        }
    return all;
}

std::optional<Expression> LeavingQuestion::way_of(RecordedPath const& other, Leaving const& at) const {
    if (at.thread >= other.threads().size()) return std::nullopt;
    ThreadPath const& own = path_.threads()[at.thread];
    ThreadPath const& its = other.threads()[at.thread];
    std::size_t const common = common_marks(own, its);
    if (at.command == path_.program().threads[at.thread].size())
        return common == own.marks.size() && other.knows_more(path_, at.thread) ? std::optional(draft::truth(true))
                                                                                : std::nullopt;
    auto const m = path_.mark_of(at.thread, at.command);
    if (!m || common != *m || *m >= its.marks.size()) return std::nullopt;
    PathMark const& here = own.marks[*m];
    PathMark const& there = its.marks[*m];
    if (here.event != there.event) return std::nullopt;
    Expression const own_way = *stays_there(path_, at);
    if (here.kind != PathMark::Kind::value && here.kind != PathMark::Kind::choice) return negation(own_way);
    if (here.kind != there.kind) return std::nullopt;
    // The value that the other path has, as its own program compares it.
    if (there.command == PathMark::none) return std::nullopt;
    auto const its_way = stays_there(other, {at.thread, there.command});
    if (!its_way) return std::nullopt;
    bool const is_one = is_comparison_of_value(own_way);
    bool const is_its_one = is_comparison_of_value(*its_way);
    if (here.kind == PathMark::Kind::value) {
        bool const is_truth = (!is_one && !is_its_one) || say_the_opposite(own_way, *its_way);
        if (is_truth) return negation(own_way);
        if (!is_one || !is_its_one) return std::nullopt;
        return equals(compared(own_way)[0].term, compared(*its_way)[0].with);
    }
    auto const values = compared(own_way);
    if (values.empty()) return std::nullopt;
    if (is_its_one && there.cases.empty()) return equals(values[0].term, compared(*its_way)[0].with);
    if (there.cases.empty()) return std::nullopt;
    Expression none_of = draft::truth(true);
    for (Compared const& c : compared(*its_way))
        none_of = and_also(std::move(none_of), negation(equals(values[0].term, c.with)));
    return none_of;
}

std::optional<Expression> LeavingQuestion::known_otherwise(Leaving const& at) const {
    std::optional<Expression> all;
    for (std::size_t k = 0; k < known_.size(); ++k) {
        if (k == of_) continue;
        auto way = way_of(*known_[k], at);
        if (!way) continue;
        Expression one = and_also(std::move(*way), in_reach(k, at.thread));
        all = all ? or_else(std::move(*all), std::move(one)) : std::move(one);
    }
    return all;
}

void LeavingQuestion::write() {
    program_ = with_assertions_assumed(path_.program());
    program_.traces.clear();
    program_.comment.clear();
    for (auto const& [where, flag] : flags_) program_.shared.push_back({flag, Value::integer(0), true});
    std::set<Leaving> const asked(places_.begin(), places_.end());
    std::size_t numbers = 0;
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
        draft::Thread written;
        draft::Thread& thread = program_.threads[t];
        for (std::size_t c = 0; c <= thread.size(); ++c) {
            Leaving const at{t, c};
            if (asked.contains(at)) {
                Expression e = *stays_there(path_, at);
                if (auto otherwise = known_otherwise(at))
                    e = never_holds(e) ? std::move(*otherwise) : or_else(std::move(e), std::move(*otherwise));
                std::string const name = fmt::format("ask.{}", ++numbers);
                asserted_.emplace(name, at);
                written.emplace_back(draft::assert_(std::move(e)), name);
            }
            if (c == thread.size()) break;
            written.push_back(std::move(thread[c]));
            if (auto const flag = flags_.find({t, c}); flag != flags_.end())
                written.emplace_back(draft::assign(flag->second, draft::number(1)), fmt::format("set.{}", ++numbers));
        }
        thread = std::move(written);
    }
    draft::drop_unused_shared_variables(program_);
}

LeavingAnswer LeavingQuestion::ask(check::CheckOptions options) const {
    LeavingAnswer result;
    result.answer = check::Reached::Answer::no;
    if (places_.empty()) return result;
    options.runs = Runs::executions;
    options.stops = options.leaves_path = options.switches = false;
    result.answer = check::Reached::Answer::unknown;
    matching::Prepared const prepared(Source("", ""), draft::valid_program_of(program_));
    if (!prepared.code.shares()) options.bound.reset();
    check::CheckResult const found = check::check(prepared.messages, options);
    result.is_bounded = check::none_fails_within_bound(found, options);
    if (found.verdict == check::Verdict::safe || found.verdict == check::Verdict::vacuous)
        result.answer = check::Reached::Answer::no;
    if (found.verdict == check::Verdict::unknown) result.trouble = found.trouble;
    if (found.verdict != check::Verdict::violated) return result;
    Machine machine(prepared.code, Buffering::infinite);
    for (std::size_t i = 0; i < found.run->schedule.size(); ++i) {
        auto const entry = found.run->schedule.entry(i);
        std::string const name(prepared.code.names()(entry.rho));
        bool const goes_on = !machine.step(entry).is_stuck() && machine.state().s == Status::success;
        auto const asked = asserted_.find(name);
        if (!goes_on && asked != asserted_.end()) {
            result.answer = check::Reached::Answer::yes;
            result.where = asked->second;
        }
        if (!goes_on) break;
        if (asked == asserted_.end() && !name.starts_with("set.")) result.trace.push_back(name);
    }
    return result;
}

} // namespace matchpoint::record::threads
