#include "check/determinism.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "check/rebuilt_program.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::check {

namespace {

/// What a thread has assigned at its end.
std::vector<Variable> assigned_by(Ctp const& ctp, Thread const& thread) {
    std::set<Action> waited;
    for (std::uint32_t c = thread.first; c < thread.last; ++c)
        if (auto const* const wait = std::get_if<Wait>(&ctp.commands[c].c)) waited.insert(wait->a);
    std::vector<Variable> result;
    auto const selected = [&](SelectorsId id) {
        if (id.is_none()) return;
        Selectors const& sel = ctp.selectors[id.index];
        if (sel.source) result.push_back(*sel.source);
        if (sel.tagged) result.push_back(*sel.tagged);
    };
    auto const receive = [&](Rcvi const& c) {
        if (!waited.contains(c.a)) return;
        result.push_back(c.x);
        selected(c.sel);
    };
    for (std::uint32_t c = thread.first; c < thread.last; ++c) {
        spend();
        std::visit(overloaded{
                       [&](Assign const& a) { result.push_back(a.x); },
                       receive,
                       [&](Start const& c) {
                           if (waited.contains(c.a)) result.push_back(c.x);
                       },
                       [&](Probe const& c) { selected(c.sel); },
                       [&](Guarded const& g) {
                           for (Assignment const& a : ctp.assigned(g)) result.push_back(a.x);
                       },
                       [](Assume const&) {},
                       [](Assert const&) {},
                       [](Sndi const&) {},
                       [](Wait const&) {},
                       [](Meet const&) {},
                       [](Collective const&) {},
                   },
                   ctp.commands[c].c);
    }
    return result;
}

/// Who asserts the value of a variable: a thread that assigns it, of a shared one the first thread.
std::vector<std::vector<Variable>> variables_by_thread(Ctp const& ctp) {
    std::vector<std::vector<Variable>> result(ctp.threads.size());
    std::set<Variable> seen;
    for (SharedVariable const& s : ctp.shared)
        if (!result.empty() && seen.insert(s.x).second) result.front().push_back(s.x);
    for (std::size_t t = 0; t < result.size(); ++t)
        for (Variable const x : assigned_by(ctp, ctp.threads[t]))
            if (seen.insert(x).second) result[t].push_back(x);
    return result;
}

/// The program with assertions that are true, and others after a barrier at the end.
class WithEnd : public RebuiltProgram {
public:
    /// `values`: what is asserted; `false` is, if there are none.
    WithEnd(IndexedProgram const& code, std::vector<Variable> const& variables, std::vector<Value> const& values)
        : RebuiltProgram(code.program()), of_(code) {
        Barrier const end{program_.symbols.barriers.intern("{end}")};
        auto const of_threads = variables_by_thread(code.ctp());
        for (std::size_t t = 0; t < of_threads.size(); ++t) {
            Thread const& thread = code.ctp().threads[t];
            for (std::uint32_t c = thread.first; c < thread.last; ++c) {
                spend(8);
                keep({c});
            }
            add(Meet{end});
            if (values.empty()) add(Assert{added_value(program_.ctp, Value::boolean(false))});
            for (std::size_t i = 0; i < values.size(); ++i)
                if (std::find(of_threads[t].begin(), of_threads[t].end(), variables[i]) != of_threads[t].end())
                    add(Assert{added_operation(program_.ctp, Op::equal, variables[i], values[i])});
            end_thread();
        }
        finish();
    }

    /// The complete run of the program itself, from one that passes the barrier.
    Determinism::End end_of(Schedule const& run, std::vector<Variable> const& variables, Buffering buffering) const {
        Determinism::End end;
        for (std::size_t i = 0; i < run.size(); ++i) {
            Entry const entry = run.entry(i);
            for (Channel const c : entry.m) end.schedule.move(*of_.find_channel((*code_)[c]));
            Channel const peek = entry.peek.is_none() ? Channel{} : *of_.find_channel((*code_)[entry.peek]);
            if (auto const rho = original_[entry.rho.index]) end.schedule.step(*rho, peek);
        }
        Machine machine(of_, buffering);
        Outcome const outcome = machine::run(machine, end.schedule);
        if (outcome.error || (outcome.s != Status::success && outcome.s != Status::failure))
            throw std::logic_error("determinism: the run does not complete");
        for (Variable const x : variables) end.values.push_back(machine.state().h[x.index]);
        return end;
    }

private:
    /// An assertion may still divide by zero.
    void keep(Location rho) {
        auto const* const assertion = std::get_if<Assert>(&of_.command_at(rho));
        RebuiltProgram::add(assertion != nullptr ? Assert{or_true(assertion->e)} : of_.command_at(rho),
                            of_.names()(rho));
        original_.emplace_back(rho);
    }
    void add(Command const& c) {
        RebuiltProgram::add(c, fmt::format("{{end {}}}", size()));
        original_.emplace_back();
    }

    IndexedProgram const& of_;
    std::vector<std::optional<Location>> original_; // by location; none for what is added
};

class Asking {
public:
    Asking(MessageIndex const& messages, CheckOptions options, std::vector<Variable> const& variables)
        : messages_(messages), options_(std::move(options)), variables_(variables) {
        options_.runs = Runs::executions;
        options_.stops = options_.leaves_path = options_.switches = false;
    }

    Determinism run() {
        auto const [verdict, one] = ask({});
        if (verdict == Verdict::safe || verdict == Verdict::vacuous) result_.answer = Determinism::Answer::no_run;
        if (!one) return std::move(result_);
        result_.one = *one;
        if (variables_.empty()) {
            result_.answer = Determinism::Answer::same;
            return std::move(result_);
        }
        auto const [again, other] = ask(one->values);
        if (again == Verdict::safe) result_.answer = Determinism::Answer::same;
        if (again == Verdict::vacuous) throw std::logic_error("determinism: there is no run where there was one");
        if (!other) return std::move(result_);
        if (other->values == one->values) throw std::logic_error("determinism: the values are the same");
        result_.answer = Determinism::Answer::differs;
        result_.other = *other;
        return std::move(result_);
    }

private:
    std::pair<Verdict, std::optional<Determinism::End>> ask(std::vector<Value> const& values) {
        WithEnd const program(messages_.code(), variables_, values);
        CheckResult const found = check(program.messages(), options_);
        result_.engine = found.engine;
        for (Trouble const& t : found.trouble)
            if (t.kind == Trouble::Kind::wrong_answer || found.verdict == Verdict::unknown)
                result_.trouble.push_back(t);
        std::optional<Determinism::End> end;
        if (found.verdict == Verdict::violated)
            end = program.end_of(found.run->schedule, variables_, options_.buffering);
        return {found.verdict, std::move(end)};
    }

    MessageIndex const& messages_;
    CheckOptions options_;
    std::vector<Variable> const& variables_;
    Determinism result_;
};

} // namespace

std::string_view to_string(Determinism::Answer answer) {
    switch (answer) {
    case Determinism::Answer::same: return "same";
    case Determinism::Answer::differs: return "differs";
    case Determinism::Answer::no_run: return "no run";
    case Determinism::Answer::unknown: break;
    }
    return "unknown";
}

std::vector<Variable> outcome_variables(IndexedProgram const& code) {
    std::vector<Variable> result;
    for (auto const& of_thread : variables_by_thread(code.ctp()))
        result.insert(result.end(), of_thread.begin(), of_thread.end());
    std::sort(result.begin(), result.end());
    return result;
}

Determinism determinism(MessageIndex const& messages, CheckOptions const& options,
                        std::vector<Variable> const& variables) {
    return Asking(messages, options, variables).run();
}

} // namespace matchpoint::check
