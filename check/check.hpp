// Could any execution of a program have failed? (semantics.md, "Outcomes of a program")
//
//   MessageIndex const messages(code);
//   CheckResult const result = check(messages, {.engine = EngineChoice::automatic});
//
// Every answer can be stood behind: `violated` comes with a schedule that the reference machine has run to failure,
// deadlock and fault with one that leads there, and what an engine could not settle is `unknown`, with the reason.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "executions/explorer.hpp"
#include "matching/match_pairs.hpp"
#include "report/findings.hpp"
#include "solve/solver.hpp"

namespace matchpoint::check {

enum class Verdict : std::uint8_t { violated, safe, vacuous, unknown };
std::string_view to_string(Verdict v);

enum class EngineChoice : std::uint8_t {
    automatic, // samples, then a small exploration, then SAT, then the solver if it can be had, else exploration
    explore,   // the reference machine, all executions that can differ in their verdict
    sat,       // matches as booleans, solved in this process (sat_engine.hpp)
    smt,       // a solver, on the exact encoding
};

struct CheckOptions {
    Buffering buffering = Buffering::infinite;
    EngineChoice engine = EngineChoice::automatic;
    /// smt: solve without order constraints, and add each cycle that an answer has as a clause, until none has.
    bool refine = false;
    SolverCommand solver;
    SolverLimits limits;                           // of each problem; its time is cut to what is left
    std::optional<std::chrono::milliseconds> time; // for all of it
    std::uint64_t samples = 20;
    std::uint64_t steps = UINT64_MAX; // machine steps that explorations may take together
    /// Bytes that this process can have, if somebody has seen to that: an engine that is sure to need more does not begin,
    /// and one for which there is no room (std::bad_alloc) is in trouble of kind `limit`.
    std::size_t memory = SIZE_MAX;
};

/// A complete run.
struct CompleteRun {
    Schedule schedule;
    Matching matching;
    Status s = Status::success;
};

/// Whether something can be reached, and how.
struct Reached {
    enum class Answer : std::uint8_t { no, yes, unknown };
    Answer answer = Answer::unknown;
    Schedule schedule;             // yes: the way there
    std::optional<RunError> fault; // of a fault
};

/// An engine did not do its part: no verdict comes from it.
struct Trouble {
    enum class Kind : std::uint8_t {
        limit,        // time, steps, memory, a solver's `unknown`
        solver,       // a solver is missing, crashed, or answered what cannot be understood
        wrong_answer, // a solver's answer is wrong: the machine says otherwise
    };
    Kind kind;
    std::string what;
};

struct CheckResult {
    Verdict verdict = Verdict::unknown;
    std::string engine; // that decided: "samples", "explore", "sat", "smt (z3)", "control flow"
    std::optional<CompleteRun>
        run; // violated: it fails; safe: it succeeds; vacuous: an infeasible one, if there is one
    std::optional<CompleteRun> safe; // violated: a run that succeeds, as like the other one as was found
    Reached deadlock;
    Reached fault;
    std::vector<Trouble> trouble;
    // What was done.
    std::uint64_t samples = 0;
    std::uint64_t executions = 0;
    std::uint64_t steps = 0;
    std::uint64_t solver_calls = 0;
    std::uint64_t refinements = 0;
    std::size_t match_pairs = 0; // that the encoding had
};

CheckResult check(MessageIndex const& messages, CheckOptions const& options);

/// How many messages to an endpoint every complete run leaves without a receive.
std::uint32_t orphans_at(MessageIndex const& messages, Endpoint beta);

} // namespace matchpoint::check
