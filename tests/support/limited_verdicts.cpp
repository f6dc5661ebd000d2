#include "tests/support/limited_verdicts.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "check/continuation.hpp"
#include "counting/proofs.hpp"
#include "executions/shared/sharing.hpp"
#include "programs/dice.hpp"
#include "programs/smaller.hpp"
#include "tests/support/examined_oracle.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/shared_programs.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/state_graph.hpp"

namespace matchpoint::naive {

namespace {

using programs::Dice;
using Answer = Reached::Answer;

Buffering buffering_if(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

// ---------------------------------------------------------------------------------------------------------------------
// Limits

struct Limits {
    CheckOptions options;
    std::optional<std::size_t> polls; // then it is cancelled
};

std::string_view name(EngineChoice engine) {
    switch (engine) {
    case EngineChoice::automatic: return "auto";
    case EngineChoice::explore: return "explore";
    case EngineChoice::sat: return "sat";
    case EngineChoice::smt: return "smt";
    }
    return "";
}

std::string to_text(Limits const& limits) {
    CheckOptions const& o = limits.options;
    std::string text = fmt::format("{} buffering, {}, engine {}, {} steps, {} samples", machine::to_string(o.buffering),
                                   to_string(o.runs), name(o.engine), o.steps, o.samples);
    if (o.time) text += fmt::format(", {} ms", o.time->count());
    if (limits.polls) text += fmt::format(", cancelled after {} polls", *limits.polls);
    if (!o.stops) text += ", no stops";
    if (o.direct_from == 0) text += ", directed";
    if (o.memory != SIZE_MAX) text += fmt::format(", {} bytes", o.memory);
    if (!o.solver.arguments.empty()) text += ", with " + o.solver.name;
    return text + "\n";
}

/// The solver is a process for each check that needs it, and so asked in some cases only. Elsewhere it is missing.
Limits some_limits(Dice& dice, unsigned solver_percent) {
    static constexpr std::array engines{EngineChoice::automatic, EngineChoice::automatic, EngineChoice::automatic,
                                        EngineChoice::sat, EngineChoice::explore};
    static constexpr std::array<std::uint64_t, 6> steps{0, 1, 1, 1, 10, 100};
    static constexpr std::array<std::uint64_t, 4> samples{0, 1, 1, 20};
    Limits limits;
    CheckOptions& o = limits.options;
    o.engine = dice.one_of(engines);
    o.runs = dice.percent(60) ? Runs::executions : Runs::complete;
    o.steps = dice.one_of(steps);
    o.samples = dice.one_of(samples);
    o.stops = dice.percent(90);
    if (dice.percent(30)) o.direct_from = 0;
    if (dice.percent(5)) o.memory = dice.percent(50) ? 2'000 : 20'000;
    if (dice.percent(8)) o.time = std::chrono::milliseconds(dice.below(2));
    if (dice.percent(15)) {
        limits.polls = dice.below(std::size_t{1} << dice.below(8U));
        o.cancelled = [most = *limits.polls, polls = std::make_shared<std::size_t>(0)] { return ++*polls > most; };
    }
    if (dice.percent(solver_percent)) {
        o.solver = *solver_command(dice.percent(92) ? "cvc5" : "z3"); // cvc5 starts in half the time
        o.limits.time = std::chrono::seconds(2);
        o.engine = dice.percent(25) ? EngineChoice::smt : EngineChoice::automatic; // those that ask it
    }
    return limits;
}

// ---------------------------------------------------------------------------------------------------------------------
// One check

struct TrueAnswers {
    Verdict verdict;
    bool deadlock;
    bool fault;
    bool leaves;
    bool race = false;
    std::optional<std::size_t> switches = std::nullopt; // the least of a program that shares, and is violated
};

class LimitedCheck {
public:
    LimitedCheck(Program const& program, Subject const& subject, Limits const& limits, TrueAnswers const& expected)
        : program_(program), s_(subject), limits_(limits), expected_(expected) {}

    Wrong is_right(Tally& tally) const {
        try {
            CheckResult const result = check::check(s_.messages, limits_.options);
            Wrong wrong = verdict(result);
            if (!wrong) wrong = stops(result);
            if (!wrong && shares()) wrong = sharing(result);
            if (!wrong) count(result, tally);
            return wrong;
        } catch (std::exception const& e) {
            return fmt::format("throws: {}", e.what());
        }
    }

private:
    bool shares() const { return s_.loaded.code->ctp().shared.size() > 0; }
    bool is_zero() const { return limits_.options.buffering == Buffering::zero; }

    Wrong verdict(CheckResult const& result) const {
        for (check::Trouble const& trouble : result.trouble)
            if (trouble.kind == check::Trouble::Kind::wrong_answer) return "trouble: " + trouble.what;
        if (result.verdict == check::Verdict::unknown) {
            if (result.trouble.empty()) return "the verdict is unknown without a reason";
            return result.run || result.safe ? Wrong("a run is shown, and the verdict is unknown") : std::nullopt;
        }
        if (to_string(result.verdict) != naive::to_text(expected_.verdict))
            return fmt::format("{} by {}, and not {}", to_string(result.verdict), result.engine,
                               naive::to_text(expected_.verdict));
        if (result.engine.empty()) return "nobody decided";
        if (!result.run && result.verdict != check::Verdict::vacuous) return "no run is shown";
        if (result.run && !replays(*result.run, result.verdict)) return "the run that is shown does not replay";
        if (result.safe && !replays(*result.safe, check::Verdict::safe)) return "the safe run does not replay";
        return std::nullopt;
    }

    /// The run ends as a verdict needs it.
    bool replays(Run const& shown, check::Verdict verdict) const {
        using matchpoint::Status;
        Status const wanted = verdict == check::Verdict::violated ? Status::failure
                              : verdict == check::Verdict::safe   ? Status::success
                                                                  : Status::infeasible;
        Machine machine(*s_.loaded.code, limits_.options.buffering);
        bool const is_there = run(machine, shown.schedule, shown.extent).s == shown.s && shown.s == wanted;
        return is_there && (verdict != check::Verdict::safe || machine.state().finished());
    }

    Wrong stops(CheckResult const& result) const {
        auto const contradicts = [](Reached const& r, bool truth) {
            return r.answer != Answer::unknown && r.answer != (truth ? Answer::yes : Answer::no);
        };
        for (auto const& [reached, truth, what] : {std::tuple(&result.deadlock, expected_.deadlock, "deadlock"),
                                                   {&result.fault, expected_.fault, "fault"},
                                                   {&result.leaves_path, expected_.leaves, "leaves the path"}}) {
            if (contradicts(*reached, truth)) return fmt::format("{}: {}", what, to_string(reached->answer));
            if (reached->answer == Answer::unknown && limits_.options.stops && result.trouble.empty())
                return fmt::format("{}: unknown without a reason", what);
        }
        if (result.deadlock.answer == Answer::yes && !is_deadlock(result.deadlock.schedule))
            return "the way to the deadlock does not lead there";
        if (result.leaves_path.answer == Answer::yes)
            if (Wrong w = leaving_is_right(s_, is_zero(), result.leaves_path, true)) return w;
        if (result.fault.answer == Answer::yes && !is_fault(result.fault))
            return "the way to the fault does not lead there";
        return std::nullopt;
    }

    /// By the naive rules, whatever is delivered.
    bool is_deadlock(Schedule const& schedule) const {
        Machine machine(*s_.loaded.code, limits_.options.buffering);
        Outcome const outcome = run(machine, schedule, Extent::prefix);
        if (outcome.error || !is_on_path(outcome.s)) return false;
        for (Channel const c : schedule.trailing())
            if (machine.apply(Deliver{c}).is_stuck()) return false;
        return naive::is_deadlock(program_, snapshot(*s_.loaded.code, machine.state()), is_zero());
    }

    bool is_fault(Reached const& fault) const {
        Machine machine(*s_.loaded.code, limits_.options.buffering);
        Schedule before = fault.schedule;
        before.cut(before.size() - 1);
        Outcome const outcome = run(machine, before, Extent::prefix);
        if (outcome.error || !is_on_path(outcome.s)) return false;
        Machine again(*s_.loaded.code, limits_.options.buffering);
        Outcome const end = run(again, fault.schedule, Extent::prefix);
        return end.error && fault.fault && end.error->rho == fault.fault->rho;
    }

    bool is_on_path(matchpoint::Status s) const {
        return limits_.options.runs == Runs::complete || s < matchpoint::Status::infeasible;
    }

    /// Data races and context switches.
    Wrong sharing(CheckResult const& result) const {
        if (result.race && result.race->answer != Answer::unknown &&
            (result.race->answer == Answer::yes) != expected_.race)
            return fmt::format("data race: {}", to_string(result.race->answer));
        if (result.race && result.race->answer == Answer::yes && !is_race(*result.race))
            return "the data race does not replay";
        if (result.verdict != check::Verdict::violated) return std::nullopt;
        if (!result.switches) return "no context switches";
        if (result.switches->least > *expected_.switches || result.switches->most < *expected_.switches)
            return fmt::format("switches {} to {}, and the least is {}", result.switches->least, result.switches->most,
                               *expected_.switches);
        std::uint32_t const shown = executions::context_switches(*s_.loaded.code, result.run->schedule);
        return shown <= result.switches->most ? std::nullopt : Wrong("the run has more switches than it says");
    }

    /// Both threads are about to execute their commands.
    bool is_race(Race const& race) const {
        Machine machine(*s_.loaded.code, limits_.options.buffering);
        Outcome const outcome = run(machine, race.schedule, Extent::prefix);
        auto const stands_at = [&](matchpoint::Location rho) {
            return machine.state().ctp[s_.loaded.code->thread_of(rho)] == rho.index;
        };
        return !outcome.error && outcome.s < matchpoint::Status::infeasible && stands_at(race.first) &&
               stands_at(race.second) && race.first != race.second;
    }

    // ---- Who decided ----

    void count(CheckResult const& result, Tally& tally) const {
        CheckOptions const& o = limits_.options;
        // Random samples come first; those with an aim, or a slow channel, are counted on top of them.
        bool const is_slow = result.engine == "samples" && !shares() && result.work.samples > o.samples;
        std::string const who = is_slow ? "suspects and slow channels" : result.engine;
        ++tally[result.verdict == check::Verdict::unknown ? "verdict unknown" : "verdict by " + who];
        if (result.inductive) ++tally["with inductive conditions"];
        if (!o.stops) return;
        count("deadlock", result.deadlock.answer, by_whom(result), tally);
        count("fault", result.fault.answer, "", tally);
        if (!result.race) return;
        bool const is_no = result.race->answer == Answer::no;
        count("data race", result.race->answer, is_no ? who_proves(&counting::Proofs::no_data_race) : "", tally);
    }

    static void count(std::string const& what, Answer answer, std::string const& who, Tally& tally) {
        ++tally[fmt::format("{}: {}{}", what, to_string(answer), who)];
    }

    std::string who_proves(bool (counting::Proofs::*proves)() const) const {
        counting::Proofs const proofs(s_.messages);
        return (proofs.*proves)() ? " by counting" : " by exploration";
    }

    /// What answered the question about deadlocks. An exploration of one step decides no program that has as many
    /// commands as those with locks. Then a deadlock is a problem of its own (check/engines/meeting.hpp).
    std::string by_whom(CheckResult const& result) const {
        CheckOptions const& o = limits_.options;
        if (result.deadlock.answer == Answer::unknown || !shares()) return "";
        if (result.deadlock.answer == Answer::no && who_proves(&counting::Proofs::no_deadlock) == " by counting")
            return " by counting";
        bool const is_explored = o.steps > 1 || o.engine != EngineChoice::automatic || !s_.messages.sends().empty();
        if (is_explored) return "";
        return result.deadlock.answer == Answer::no || o.samples == 0 ? " by a meeting" : " by samples";
    }

    Program const& program_;
    Subject const& s_;
    Limits const& limits_;
    TrueAnswers const& expected_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Cases

/// A program with a trace, if it needs one, and what is asked of it. The same questions are asked of every program.
struct LimitedCase {
    Family family;
    std::function<Wrong(Family const&, Tally&)> judge;
};

Wrong described(Wrong const& wrong, Family const& family, std::string const& how, std::string const& truth) {
    if (!wrong) return wrong;
    return to_text(family.program, family.traces) + how + truth + "\n" + *wrong + "\n";
}

/// A few checks of a program. A stream of choices is the same for every program.
Wrong checks_are_right(Family const& family, bool zero, std::uint64_t stream, unsigned solver_percent,
                       std::string const& truth, std::function<TrueAnswers(Runs)> const& expected, Tally& tally) {
    Subject const subject(family.program);
    Dice dice(stream, zero ? 1 : 0);
    for (std::size_t n = 0; n < 4; ++n) {
        Limits limits = some_limits(dice, solver_percent);
        limits.options.buffering = buffering_if(zero);
        TrueAnswers const e = expected(limits.options.runs);
        Wrong const wrong = LimitedCheck(family.program, subject, limits, e).is_right(tally);
        if (wrong) return described(wrong, family, to_text(limits), truth);
    }
    return std::nullopt;
}

constexpr std::size_t most_states = 20'000;

Wrong plain_is_right(Family const& family, std::uint64_t stream, Tally& tally) {
    for (bool const zero : {false, true}) {
        auto const truth = explore_quickly(family.program, zero, most_states);
        auto const path = explore_path_quickly(family.program, zero, most_states);
        if (!truth || !path) {
            ++tally["too large for the naive exploration"];
            continue;
        }
        auto const expected = [&](Runs runs) {
            return runs == Runs::complete ? TrueAnswers{truth->verdict, truth->deadlock, truth->fault, path->leaves}
                                          : TrueAnswers{path->verdict(), path->deadlock, path->fault, path->leaves};
        };
        std::string const text = naive::to_text(*truth) + naive::to_text(*path);
        if (Wrong w = checks_are_right(family, zero, stream, 1, text, expected, tally)) return w;
    }
    return std::nullopt;
}

Wrong mpi_is_right(Family const& family, std::uint64_t stream, Tally& tally) {
    for (bool const zero : {false, true}) {
        auto const truth = explore_eagerly(family.program, zero, most_states);
        if (!truth) {
            ++tally["too large for the naive exploration"];
            continue;
        }
        auto const expected = [&](Runs runs) {
            return runs == Runs::complete
                       ? TrueAnswers{truth->verdict, truth->deadlock, truth->fault, truth->on_path.leaves}
                       : TrueAnswers{truth->on_path.verdict(), truth->on_path.deadlock, truth->on_path.fault,
                                     truth->on_path.leaves};
        };
        std::string const text = naive::to_text(*truth) + naive::to_text(truth->on_path);
        if (Wrong w = checks_are_right(family, zero, stream, 1, text, expected, tally)) return w;
    }
    return std::nullopt;
}

Wrong shared_is_right(Family const& family, bool zero, std::uint64_t stream, unsigned solver_percent, Tally& tally) {
    auto const truth = explore_shared(family.program, zero, most_states);
    if (!truth) {
        ++tally["too large for the naive exploration"];
        return std::nullopt;
    }
    auto const expected = [&](Runs runs) {
        bool const complete = runs == Runs::complete;
        return TrueAnswers{complete ? truth->verdict_complete() : truth->verdict(),
                           truth->deadlock,
                           truth->fault,
                           truth->leaves,
                           truth->race,
                           complete ? truth->switches_complete : truth->switches};
    };
    return checks_are_right(family, zero, stream, solver_percent, naive::to_text(*truth), expected, tally);
}

// ---- Continuations ----

/// `unknown` with a reason.
Wrong is_unknown_with_reason(check::Continuation const& c) {
    return c.answer == Answer::unknown && c.trouble.empty() ? Wrong("unknown without a reason") : std::nullopt;
}

/// From some states of a program without shared variables.
Wrong continuations_are_right(Family const& family, std::uint64_t stream, Tally& tally) {
    Subject const subject(family.program);
    for (bool const zero : {false, true}) {
        test::StateGraph const graph(*subject.loaded.code, buffering_if(zero), 1'000);
        if (!graph.is_whole()) {
            ++tally["too large for the graph of its states"];
            continue;
        }
        Dice dice(stream, zero ? 1 : 0);
        for (std::size_t n = 0; n < 3; ++n) {
            std::size_t const from = dice.below(graph.nodes().size());
            for (std::size_t k = 0; k < test::goals.size(); ++k) {
                Limits limits = some_limits(dice, 1);
                limits.options.buffering = buffering_if(zero);
                auto const& node = graph.nodes()[from];
                Wrong wrong;
                try {
                    auto const c = check::continuation(subject.messages, node.state, test::goals[k], limits.options);
                    wrong = is_unknown_with_reason(c);
                    if (!wrong && c.answer != Answer::unknown && (c.answer == Answer::yes) != node.has[k])
                        wrong = fmt::format("{} by {}{}", to_string(c.answer), c.engine, c.why);
                    if (!wrong && c.answer == Answer::yes) wrong = graph.why_not(from, k, c.schedule);
                    std::string const who = c.answer == Answer::unknown ? "nobody"
                                            : c.engine.empty()          ? "a look"
                                                                        : c.engine;
                    ++tally["continuation by " + who];
                } catch (std::exception const& e) {
                    wrong = fmt::format("throws: {}", e.what());
                }
                if (wrong)
                    return described(
                        wrong, family, to_text(limits),
                        fmt::format("{} from state {} of {}", test::goal_names[k], from, graph.nodes().size()));
            }
        }
    }
    return std::nullopt;
}

/// From where a trace of a program with shared variables ends.
Wrong shared_continuations_are_right(Family const& family, bool zero, std::uint64_t stream, Tally& tally) {
    using Kind = executions::Goal::Kind;
    Case const c{family.program, family.traces.empty() ? Trace() : family.traces.front(), zero};
    Loaded const loaded = load(c);
    MessageIndex const messages(*loaded.code);
    Machine machine(*loaded.code, buffering_if(zero));
    State state = initial_state(c.program);
    Dice dice(stream, 0);
    std::size_t const most = on_path(c).size();
    std::size_t const steps = most == 0 ? 0 : dice.below(most + 1);
    for (std::size_t i = 0; i < steps; ++i) {
        state = std::get<State>(step(c.program, state, c.trace[i], zero));
        static_cast<void>(machine.step(loaded.entry(i)));
    }
    auto const truth = explore_shared_from(c.program, zero, state, most_states);
    if (!truth) {
        ++tally["too large for the naive exploration"];
        return std::nullopt;
    }
    for (auto const& [kind, is_so] : {std::pair(Kind::failure, truth->fails),
                                      {Kind::success, truth->completes},
                                      {Kind::deadlock, truth->deadlock},
                                      {Kind::fault, truth->fault}}) {
        Limits limits = some_limits(dice, 0);
        limits.options.buffering = buffering_if(zero);
        Wrong wrong;
        try {
            auto const found = check::continuation(messages, machine.state(), kind, limits.options);
            wrong = is_unknown_with_reason(found);
            if (!wrong && found.answer != Answer::unknown && (found.answer == Answer::yes) != is_so)
                wrong = fmt::format("goal {}: {}", static_cast<int>(kind), to_string(found.answer));
            ++tally[fmt::format("continuation with shared variables: {}", to_string(found.answer))];
        } catch (std::exception const& e) {
            wrong = fmt::format("throws: {}", e.what());
        }
        if (wrong) return described(wrong, family, to_text(limits), fmt::format("behind {} steps", steps));
    }
    return std::nullopt;
}

// ---- The oracle ----

Wrong oracle_is_right(Family const& family, std::uint64_t stream, Tally& tally) {
    static constexpr std::array<std::uint64_t, 6> limits{0, 1, 2, 5, 10, 100};
    for (bool const zero : {false, true}) {
        Subject const subject(family.program);
        if (Oracle::refuses(subject.messages, buffering_if(zero))) continue;
        auto truth = is_plain(family.program) ? explore_quickly(family.program, zero, 3'000)
                                              : explore_eagerly(family.program, zero, 3'000);
        if (!truth) continue;
        Examined examined(family.program, zero, std::move(*truth));
        Dice dice(stream, zero ? 1 : 0);
        std::uint64_t const limit = dice.one_of(limits);
        examined.limit_steps(limit);
        OracleAnswers answers;
        auto const number = [&] { return static_cast<std::size_t>(dice.below(1'000)); };
        auto const pairs = [&](std::size_t count) { return some_pairs(examined.messages(), count, number); };
        std::string wrong;
        for (std::size_t const size : {0U, 1U, 2U, 3U})
            if (wrong.empty()) wrong = examined.set(pairs(size), answers);
        if (wrong.empty()) wrong = examined.exact();
        if (wrong.empty()) wrong = examined.assumptions({pairs(number() % 3), pairs(number() % 2)}, {});
        tally["oracle: a run"] += answers.runs;
        tally["oracle: unknown"] += answers.unknown;
        for (auto const& [why, count] : answers.refusals) tally["oracle: refused"] += count;
        if (!wrong.empty()) return fmt::format("oracle, {} steps: {}", limit, wrong);
    }
    return std::nullopt;
}

// ---- Of all kinds ----

Family only(Program program) { return {std::move(program), {}}; }

/// So many of a hundred cases are of each kind.
LimitedCase limited_case(std::uint64_t seed, std::uint64_t i) {
    Dice dice(seed + 1'000, i);
    std::uint32_t const kind = dice.below(100);
    std::uint64_t const stream = dice.below(std::size_t{1} << 31U);
    if (kind < 36)
        return {only(verdict_program(seed, i)),
                [=](Family const& f, Tally& t) { return plain_is_right(f, stream, t); }};
    if (kind < 46)
        return {only(mpi_program_to_explore(seed, i)),
                [=](Family const& f, Tally& t) { return mpi_is_right(f, stream, t); }};
    if (kind < 56)
        return {only(shared_program(seed, i)),
                [=](Family const& f, Tally& t) { return shared_is_right(f, i % 2 == 1, stream, 2, t); }};
    if (kind < 66)
        return {only(counting_program(seed, i)),
                [=](Family const& f, Tally& t) { return shared_is_right(f, false, stream, 2, t); }};
    if (kind < 80)
        return {only(locks_program(seed, i)),
                [=](Family const& f, Tally& t) { return shared_is_right(f, false, stream, 1, t); }};
    if (kind < 90)
        return {only(regions_program(seed, i)),
                [=](Family const& f, Tally& t) { return shared_is_right(f, false, stream, 15, t); }};
    if (kind < 94) {
        Program p = kind % 2 == 0 ? program_to_explore(seed, i, 4, 5) : mpi_program_to_explore(seed, i, 3, 4);
        return {only(std::move(p)), [=](Family const& f, Tally& t) { return continuations_are_right(f, stream, t); }};
    }
    if (kind < 97) {
        Case c = shared_case(seed, i);
        bool const zero = c.zero;
        return {{std::move(c.program), {std::move(c.trace)}},
                [=](Family const& f, Tally& t) { return shared_continuations_are_right(f, zero, stream, t); }};
    }
    Program p = kind == 97 ? mpi_program_to_explore(seed, i, 3, 4) : program_to_explore(seed, i, 4, 5);
    return {only(std::move(p)), [=](Family const& f, Tally& t) { return oracle_is_right(f, stream, t); }};
}

/// What is wrong with the smallest program.
Wrong of_smallest(LimitedCase const& c, Wrong wrong) {
    constexpr std::size_t most_tries = 3'000;
    Tally none;
    Loaded const loaded = load(to_text(c.family.program, c.family.traces));
    draft::shrink(
        draft::draft_of(*loaded.program),
        [&](draft::Draft const& d) {
            if (d.traces.size() != c.family.traces.size()) return false;
            Wrong const still = c.judge(naive::plain(d), none);
            if (still) wrong = still;
            return still.has_value();
        },
        most_tries);
    return wrong;
}

} // namespace

Wrong limits_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    LimitedCase const c = limited_case(seed, i);
    Wrong const wrong = c.judge(c.family, tally);
    return wrong ? of_smallest(c, wrong) : wrong;
}

std::vector<std::string> engines_that_decided_few(Tally const& tally, std::uint64_t cases) {
    std::vector<std::string> few;
    for (char const* const prefix :
         {"verdict by samples", "verdict by suspects and slow channels", "verdict by sat", "verdict by counting",
          "verdict by invariants (cvc5)", "verdict by smt", "deadlock: no by a meeting", "deadlock: yes by a meeting",
          "deadlock: no by counting", "data race: no by counting"}) {
        std::size_t decided = 0;
        for (auto const& [what, count] : tally)
            if (what.starts_with(prefix)) decided += count;
        if (decided < cases / 1'000) few.push_back(fmt::format("{}: {}", prefix, decided));
    }
    return few;
}

} // namespace matchpoint::naive
