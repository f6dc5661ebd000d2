// The engines of check(). Each of them looks for complete runs, deadlocks and faults in its own way, adds what it finds
// to what is known, and concludes a verdict there if it can. plan.cpp has their order.
#pragma once

#include <chrono>
#include <functional>
#include <variant>

#include "check/context.hpp"
#include "encode/partial_runs.hpp"
#include "executions/asked.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::check {

/// check(), but whether an execution leaves the path may stay open.
CheckResult check_itself(MessageIndex const& messages, CheckOptions const& options);

// ---- The reference machine ----

/// Runs some executions with every choice made at random, the same ones for every check of a program. May find out that
/// no run completes, or that all executions end alike; a failure that it finds is left to conclude_from_samples().
void sample(Context& c);
/// For a plain program: runs some executions that aim at a match with which an assertion may fail, and concludes
/// `violated` if one does.
void sample_suspects(Context& c);
/// Runs some executions on the path in which one channel is slow, and concludes `violated` if one fails. A solver would
/// follow the values of messages that overtake others one solution at a time.
void sample_slow_channels(Context& c);
/// For a program with shared variables: runs some executions whose threads take turns at random, and concludes
/// `violated` if one fails.
void sample_interleavings(Context& c);
/// Concludes `violated` if a sample failed.
void conclude_from_samples(Context& c);

struct Effort {
    std::uint64_t steps;
    std::optional<std::chrono::milliseconds> time = std::nullopt;
    bool is_last = true;       // report it if the effort was not enough
    bool only_verdict = false; // not deadlocks and faults
};
/// Explores all executions that can differ in what is not known yet, until that is settled.
void explore(Context& c, Effort const& effort);

/// For a program with shared variables: proves what it can without exploration, and concludes `safe` if no assertion
/// can fail and an execution completes.
void decide_by_counting(Context& c);
// What counting knows. It is found out when it is asked for first, in at most this time; null if it is not known.
/// What can be one step if data races are not looked for.
executions::Movers const* movers_without_races(Context& c, std::chrono::milliseconds time);
/// What comes before an assertion can fail.
executions::AssertionNeeds const* assertion_needs(Context& c, std::chrono::milliseconds time);
/// Where it is known that no assertion fails: concludes `safe` if one execution, thread by thread, completes.
void conclude_from_one_execution(Context& c);
/// For a program with shared variables and without selectors, modes and barriers: proves by inductive invariants
/// (invariants.hpp) that no assertion can fail, and concludes `safe` if an execution completes.
void decide_by_invariants(Context& c);
/// For a program with shared variables: runs some executions whose threads are held where counting suspects a deadlock,
/// and some others.
void sample_deadlocks(Context& c);
/// For each deadlock that counting suspects: decides whether threads can be there, as a problem of its own.
void decide_deadlocks(Context& c);
/// Explores the executions of a program with shared variables, until everything is settled or the time of this step is
/// over. Another of these goes on from there.
void explore_sharing_for_a_moment(Context& c);
/// Beside a verdict, before samples aim at deadlocks.
void explore_sharing_soon(Context& c);
/// Beside a verdict, before deadlocks are problems of their own.
void explore_sharing_before_deadlocks(Context& c);
/// All of them: the verdict as long as it takes, and deadlocks and faults for a while.
void explore_sharing(Context& c);
/// Whether that exploration met a data race. Goes on for a while if everything else is settled.
void decide_races(Context& c);
/// For a program with shared variables: looks through the executions with no context switch, with one, and so on up to
/// three, for a while; or with more, for a while.
void explore_three_switches(Context& c);
void explore_few_switches(Context& c);
/// The same for all of the time that is left.
void explore_more_switches(Context& c);
/// For a long run of a program with shared variables: looks at one window of it after the other. Concludes `violated`
/// if an execution fails that reorders the events of one.
void look_through_windows(Context& c);
/// In a window, each in two thirds of the time that is left: explores its executions; looks through those with no
/// context switch, with one, and so on.
void explore_window(Context& c);
void explore_switches_of_window(Context& c);
/// The same in a quarter of it: whether there is a data race.
void decide_races_of_window(Context& c);
/// For a violated program with shared variables: makes its run one with as few context switches as can be found.
void find_few_switches(Context& c);

// ---- Solvers: is there a complete run of some kind? ----

struct FoundRun {
    Run run; // the reference machine has run it
};
struct NoRun {};
struct Unanswered {
    std::optional<Trouble> trouble; // none if it gave up so that another engine can try
};
using RunAnswer = std::variant<FoundRun, NoRun, Unanswered>;

/// With a memory limit, a solver is not asked about more pairs than the limit divided by this: it would surely run out.
constexpr std::size_t bytes_per_pair = 500;

/// About the executions of the context, all or those that go on from a state. A run that is found starts at the initial
/// state.
RunAnswer ask_sat(Context& c, Asked asked, std::uint64_t most_calls);
RunAnswer ask_smt(Context& c, Asked asked);
/// Decides by asking for a run that fails and, if there is none and no other run is known, for one that succeeds.
/// Without an answer to the second question it is still known that none fails.
void decide_by_runs(Context& c, Engine const& engine, std::function<RunAnswer(Asked)> const& ask);
/// Solver calls of SAT where another engine can be tried next. Each call adds what the last solution had wrong.
constexpr std::uint64_t some_calls = 2000;
/// By SAT, in at most so many calls of the solver for each question.
void decide_by_sat(Context& c, std::uint64_t most_calls);
/// The same of a program with shared variables and without selectors, modes and barriers.
void decide_by_sat_of_sharing(Context& c, std::uint64_t most_calls);
/// By the SMT solver.
void decide_by_smt(Context& c);
/// By the SMT solver, of a program that is neither plain nor lowered: the verdict, deadlocks and faults.
void decide_by_selecting(Context& c);
/// By the SMT solver, of a program with shared variables and without selectors, modes and barriers. With
/// CheckOptions::bound, for one bound after the other.
void decide_by_smt_of_sharing(Context& c);

// ---- Deadlocks and faults ----

// What they may take beside a verdict.
constexpr std::uint64_t beside_steps = 20'000'000; // some seconds, if states are small
constexpr std::chrono::milliseconds beside_time{5000};

/// Looks for deadlocks and faults as far as they are not known yet: with the SMT solver, and by exploration.
void look_for_stops(Context& c);

/// Asks the SMT solver for one. With infinite buffering, for a deadlock only on the path.
void ask_for_stop(Context& c, Stop stop);

/// What the SMT solver says of a problem.
struct SolverModel {
    std::string text;
};
struct NoModel {
    std::vector<std::string> core = {}; // if asked for: names of assertions that have no model together
};
using ModelAnswer = std::variant<SolverModel, NoModel, Unanswered>;
/// `time` is cut to what is left. `core`: the problem sets :produce-unsat-cores.
ModelAnswer ask_solver(Context& c, std::string const& problem, std::optional<std::chrono::milliseconds> time,
                       bool core = false);
/// A model of the solver's is wrong.
Trouble wrong_model(Context const& c, std::string_view what);

// ---- Beside a verdict ----

/// Finds a run that succeeds and differs from the failing one in few matches: one receive gets another send, or two
/// receives exchange theirs.
void find_nearest_safe_run(Context& c);

} // namespace matchpoint::check
