// The SMT solver, on the encoding of programs that are neither plain nor lowered.
#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "check/confirmed.hpp"
#include "check/engines/engines.hpp"
#include "encode/selecting.hpp"

namespace matchpoint::check {

namespace {

/// The problem has a part for each receive and each two of the messages that it admits.
constexpr std::uint64_t most_parts = 3'000'000;

std::uint64_t parts(MessageIndex const& m) {
    std::uint64_t count = 0;
    for (std::uint32_t beta = 0; beta < m.code().endpoints().size(); ++beta) {
        std::uint64_t const sends = m.sends_to({beta});
        count += m.receives_at({beta}).size() * sends * sends;
    }
    return count;
}

Runs runs_of(Context const& c, SelectingGoal goal) {
    return goal == SelectingGoal::success ? Runs::complete : c.options().runs;
}

/// The execution of a model, as far as the reference machine follows it.
struct Followed {
    Schedule schedule;
    Outcome outcome;
    Machine machine;
};

/// Null if there is no such execution, or if none is known; then `is_answered` is false.
std::unique_ptr<Followed> follow(Context& c, SelectingGoal goal, bool& is_answered) {
    std::string problem;
    EncoderOptions options;
    options.check_sat = false;
    encode_selecting(c.messages(), {c.options().buffering, runs_of(c, goal), goal}, options,
                     [&](std::string_view part) { problem += part; });
    is_answered = false;
    bool const is_limited = c.known.has_verdict() && !c.options().time;
    ModelAnswer answer = ask_solver(c, problem, is_limited ? std::optional(beside_time) : std::nullopt);
    std::unique_ptr<Followed> result;
    std::visit(
        overloaded{
            [&](SolverModel const& model) {
                auto schedule = schedule_of_model(c.messages(), c.options().buffering, model.text);
                if (!schedule) return c.known.report(wrong_model(c, schedule.error()));
                result.reset(new Followed{std::move(*schedule), {}, {c.messages().code(), c.options().buffering}});
                result->outcome = run(result->machine, result->schedule, Extent::prefix);
                is_answered = true;
            },
            [&](NoModel) { is_answered = true; },
            [&](Unanswered& none) {
                if (none.trouble) c.known.report(std::move(*none.trouble));
            },
        },
        answer);
    return result;
}

RunAnswer ask(Context& c, Asked asked) {
    SelectingGoal const goal = asked == Asked::failure   ? SelectingGoal::failure
                               : asked == Asked::success ? SelectingGoal::success
                                                         : SelectingGoal::any;
    bool is_answered = false;
    auto const found = follow(c, goal, is_answered);
    if (!is_answered) return Unanswered{};
    if (!found) return NoRun{};
    State const& end = found->machine.state();
    Run run{Matching(c.messages()), found->schedule, found->outcome.s,
            end.finished() ? Extent::complete : Extent::prefix};
    delivered(c.messages(), end, run.matching);
    if (!is_asked(asked, run.s))
        return Unanswered{wrong_model(c, fmt::format("the execution of its model ends as {}", to_string(run.s)))};
    return FoundRun{std::move(run)};
}

/// The command that no rule applies to, of a thread that waits for nothing.
std::optional<RunError> fault_of(Machine& machine) {
    State const& state = machine.state();
    for (std::uint32_t t = 0; t < state.ctp.size(); ++t) {
        Execute const next{Location{state.ctp[t]}};
        bool const is_finished = state.ctp[t] == machine.code().ctp().threads[t].last;
        if (is_finished || !is_enabled(machine.code(), state, machine.buffering(), next)) continue;
        if (auto stuck = machine.why_not(next)) return RunError{state.trace, next.rho, std::move(*stuck)};
    }
    return std::nullopt;
}

void ask_for(Context& c, Stop stop) {
    if (!c.known.is_open(stop)) return;
    bool is_answered = false;
    auto const found = follow(c, stop == Stop::fault ? SelectingGoal::fault : SelectingGoal::deadlock, is_answered);
    if (!is_answered) return;
    if (!found) return c.known.add(fact::NeverStuck{stop}, c.by_smt());
    std::optional<RunError> const fault = stop == Stop::fault ? fault_of(found->machine) : std::nullopt;
    if (fault) found->schedule.step(*fault->rho);
    Machine again(c.messages().code(),
                  c.options().buffering); // `found` leaves out what is delivered after the last command
    bool const is_there = stop == Stop::fault ? !found->outcome.error && fault.has_value()
                                              : ends_in_deadlock(again, found->schedule, c.options().runs);
    if (!is_there) return c.known.report(wrong_model(c, "the execution of its model does not stop there"));
    c.known.add(fact::Stuck{stop, std::move(found->schedule)});
}

} // namespace

void decide_by_selecting(Context& c) {
    if (parts(c.messages()) > most_parts) {
        if (c.options().engine == EngineChoice::smt)
            c.known.report(
                {Trouble::Kind::limit, "smt: too many messages for each receive: the problem would be too large"});
        return;
    }
    if (!c.known.has_verdict()) decide_by_runs(c, c.by_smt(), [&](Asked asked) { return ask(c, asked); });
    if (!c.options().stops) return;
    ask_for(c, Stop::deadlock);
    ask_for(c, Stop::fault);
}

} // namespace matchpoint::check
