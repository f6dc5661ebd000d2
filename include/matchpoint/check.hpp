// The verdict: could any execution of a program have failed?
//
//   Result<Checked> const result = check(program, {.time = std::chrono::seconds(10)});
//   if (result && result->verdict == Verdict::violated) std::cout << result->witness->trace() << '\n';
//
// A program's executions are all the orders in which its messages could have come and its threads could have run, as
// long as they stay on the recorded path: up to an assumption that is false. A failing execution need not be complete.
//
// `violated`, a deadlock, a fault and a data race come with an execution that the reference machine has replayed.
// `safe` speaks about this path only, and about what is asserted: see `leaves_path` and `assertions`. What no engine
// could settle within the limits is `unknown`, and `trouble` says why. docs/checker.md describes the engines.
#pragma once

#include <chrono>

#include <matchpoint/execution.hpp>

namespace matchpoint::api {

enum class Verdict : std::uint8_t {
    violated, // some execution fails
    safe,     // none does, and some complete run succeeds
    vacuous,  // none does, but none stays on the path to its end
    unknown,
};
std::string_view to_string(Verdict v);

enum class Answer : std::uint8_t { no, yes, unknown };
std::string_view to_string(Answer a);

enum class Engine : std::uint8_t {
    automatic, // what is cheap first
    explore,   // the reference machine, on all executions that can differ in their verdict
    sat,       // a SAT solver in this process
    smt,       // an SMT solver, on the exact encoding
};

struct CheckOptions {
    Buffering buffering = Buffering::infinite;
    /// The paper's reading: only complete runs count, judged at their end.
    bool complete_runs = false;
    Engine engine = Engine::automatic;
    /// z3, cvc5, cvc4, or a command that reads SMT-LIB from standard input.
    std::string solver = "z3";
    std::optional<std::chrono::milliseconds> time = {};
    /// Bytes that this process may use: an engine that is sure to need more does not start.
    std::size_t memory = SIZE_MAX;
    /// Polled every few milliseconds; true ends the check.
    std::function<bool()> cancelled = {};
};

/// Whether something can be reached, and how.
struct Reached {
    Answer answer = Answer::unknown;
    std::optional<Execution> how; // yes
};

/// A data race: two threads can be at commands that conflict on a shared variable (docs/shared_memory.md).
struct Race {
    Answer answer = Answer::unknown;
    std::optional<Execution> how; // yes: how to get there
    // yes
    std::optional<std::pair<Command, Command>> commands;
    std::string variable;
};

struct Checked {
    Verdict verdict = Verdict::unknown;
    /// The verdict as users should see it: `safe` is "no assertion" if there is none, "unknown" if some were only
    /// evaluated in a recorded run, and "safe on this path" if an execution leaves the path. "safe, but a deadlock is
    /// possible" if one is, and "deadlock" instead of "vacuous"; the same with "fault".
    std::string shown;
    std::size_t assertions = 0;   // the program has so many
    std::string engine;           // that decided: "samples", "explore", "sat", "smt (z3)", "counting" ...
    bool rests_on_solver = false; // that engine took the word of the SMT solver
    /// violated: it fails; safe: it succeeds; vacuous: it leaves the path, if one was found.
    std::optional<Execution> witness;
    /// violated: it succeeds, with as few other matches as were found.
    std::optional<Execution> nearest_safe;
    Reached deadlock;
    Reached fault;                    // a division by zero
    Reached leaves_path;              // an assumption that is false
    std::optional<Race> race;         // of a program with shared variables
    std::vector<std::string> trouble; // why there is no answer: a solver is missing, a recording ends too early
};

/// Errors: `input` (breaches of the discipline), `usage` (an empty solver command), `solver` (the reference machine
/// contradicts it).
Result<Checked> check(Program const& program, CheckOptions const& options = {});

} // namespace matchpoint::api
