// The verdict: could any execution of a program have failed?
//
//   MessageIndex const messages(code);
//   CheckResult const result = check(messages, {.engine = EngineChoice::automatic});
//   if (result.verdict == Verdict::violated) show(result.run->schedule);
//   for (Trouble const& trouble : result.trouble) std::cerr << trouble.what << '\n';
//
// Every answer can be justified. `violated`, a deadlock and a fault come with a schedule that the reference machine has
// run to that end. What no engine could settle is `unknown`, with the reason. docs/checker.md describes the engines.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/activity.hpp"
#include "executions/runs.hpp"
#include "executions/search.hpp"
#include "executions/shared/causal_model.hpp"
#include "matching/inferences.hpp"
#include "matching/match_pairs.hpp"
#include "solve/solver.hpp"

namespace matchpoint::check {

enum class Verdict : std::uint8_t { violated, safe, vacuous, unknown };
std::string_view to_string(Verdict v);

enum class EngineChoice : std::uint8_t {
    automatic, // what is cheap first (plan.hpp)
    explore,   // the reference machine, on all executions that can differ in their verdict
    sat,       // a SAT solver in this process (sat_search.hpp)
    smt,       // an SMT solver, on the exact encoding
};

/// Whether calls may refuse to return: a wait for a standard send while its message is unmatched, a collective while
/// some member has not called.
enum class Refusals : std::uint8_t {
    none, // they return as the buffering says
    any,  // under infinite buffering: each one may refuse, or not, as the library likes. A question of deadlocks
};

struct CheckOptions {
    Buffering buffering = Buffering::infinite;
    Refusals refusals = Refusals::none;
    /// Which runs count. `complete`: deadlocks and faults are those of all executions, on the path or not.
    Runs runs = Runs::executions;
    EngineChoice engine = EngineChoice::automatic;
    /// smt: leave out the order constraints, and add a blocking clause for each cycle in an answer until there is none.
    bool refine = false;
    SolverCommand solver;
    SolverLimits limits;                           // for each problem; its time is cut to the time left
    std::optional<std::chrono::milliseconds> time; // for the whole check
    std::function<bool()> cancelled;               // polled; if it returns true, time is up. May be empty
    bool switches =
        false; // of a violated program with shared variables: search for the fewest switches as long as it takes
    bool stops = true;       // look for deadlocks and faults, too
    bool leaves_path = true; // ask whether an execution leaves the path, too. Not under a model
    /// Only executions of this model count, by exploration; `safe` says that none of them fails. With Runs::executions
    /// and without `stops`. Null if all executions count.
    executions::CausalModel const* model = nullptr;
    /// Only complete runs count whose matches are all among these pairs, each of a receive and a send to its endpoint
    /// (Theorem 5). The SMT solver is asked. The program is plain; with Runs::complete, and without `stops` and
    /// `leaves_path`. Null if all runs count.
    MatchPairs const* pairs = nullptr;
    /// The SMT solver is asked for failing executions with at most 0, 1, ..., so many context switches, until one is
    /// found or a proof does not need the bound, which is then lifted (Section 5.3 of Symbolic Predictive Analysis).
    /// The program has shared variables, and no selectors, modes and barriers. By default there is no bound.
    std::optional<std::uint32_t> bound = {};
    /// How many events a window has, if the program shares variables, its run is longer, and nothing else decides
    /// (docs/shared_memory.md, "By windows"). 0: no windows are looked at. By default 100, in programs of at least
    /// 1,000 commands: shorter ones are left to the other engines.
    std::optional<std::uint32_t> window = {};
    /// What a window may take for each of its events, if the others take as long.
    std::chrono::microseconds window_time{40};
    std::vector<std::string> without; // for experiments: steps that are left out, of step_names()
    std::uint64_t samples = 20;
    std::size_t direct_from = 2'000;  // match pairs: see SatOptions
    std::uint64_t steps = UINT64_MAX; // machine steps of an exploration
    /// Bytes that this process may use, if the caller has limited them. An engine that is sure to need more does not
    /// start; one that runs out of memory (std::bad_alloc) is in trouble of kind `limit`.
    std::size_t memory = SIZE_MAX;
    Activity* activity = nullptr; // to be kept up to date, for a thread that shows it
};

/// What decides about deadlocks with Refusals::any where the engines of infinite buffering do.
inline constexpr std::string_view infinite_engines = "infinite buffering";

/// Whether a deadlock, a fault or an assumption that is false can be reached, and how.
struct Reached {
    enum class Answer : std::uint8_t { no, yes, unknown };
    Answer answer = Answer::unknown;
    Schedule schedule;             // yes: how to get there; to a fault or an assumption, with that command
    std::optional<RunError> fault; // yes, of a fault
    std::string why_unknown = {};  // unknown, as a recording ends too early (record/cut_short.hpp): why; else empty
    // A deadlock, with Refusals::any:
    /// yes: the sends and collectives that refuse in it, in the order of the threads; empty unless it depends on the
    /// library.
    std::vector<Action> refusing = {};
    bool depends_on_library() const { return !refusing.empty(); }
    /// A limit was reached before it was known whether a part of them is enough. Otherwise none is.
    bool is_fewer_possible = false;
    /// no or yes: what decided: infinite_engines, "counting", "explore" or "sat".
    std::string engine = {};
};

/// "no", "yes", "unknown"
std::string_view to_string(Reached::Answer answer);

/// For a program with shared variables: whether an execution on the path reaches a state in which two threads can
/// execute commands that conflict on a shared variable which is not for synchronisation
/// (executions/shared/raced_variables.hpp).
struct Race {
    Reached::Answer answer = Reached::Answer::unknown;
    Location first; // yes: the two commands
    Location second;
    Variable x;
    Schedule schedule; // yes: how to get there
};

/// Why an engine gave no answer.
struct Trouble {
    enum class Kind : std::uint8_t {
        limit,        // time, steps or memory ran out, or a solver said `unknown`
        solver,       // a solver is missing, crashed, or gave an answer that cannot be understood
        wrong_answer, // the reference machine contradicts a solver
    };
    Kind kind;
    std::string what;
    bool operator==(Trouble const&) const = default;
};

/// What a check did.
struct Work {
    std::uint64_t samples = 0;
    std::uint64_t executions = 0;
    std::uint64_t steps = 0;
    std::uint64_t solver_calls = 0;
    std::uint64_t refinements = 0;
    std::size_t match_pairs = 0; // the most that a problem had
    InferenceCounts inferences;
};

/// The engine that decides where no choice makes a difference.
inline constexpr std::string_view one_execution = "one execution of the trace program: all others end as it does";

struct CheckResult {
    Verdict verdict = Verdict::unknown;
    std::string engine;           // which engine decided: "samples", "explore", "sat", "smt (z3)", "counting" ...
    bool rests_on_solver = false; // that engine took the word of the SMT solver
    /// violated: one that fails; safe: one that succeeds; vacuous: an infeasible one, if one was found. Under
    /// Runs::executions the first and the last need not complete.
    std::optional<Run> run;
    std::optional<Race> race; // of a program with shared variables
    /// Decided by invariants (invariants.hpp): conditions over shared variables that are true whenever a block begins,
    /// in the trace language; and the variables that the blocks are about.
    struct Inductive {
        std::vector<std::string> conditions;
        std::vector<Variable> variables;
    };
    std::optional<Inductive> inductive;
    /// violated, of a program with shared variables: no failing execution has fewer context switches than `least`, and
    /// `run` has no more than `most`.
    struct Switches {
        std::uint32_t least = 0;
        std::uint32_t most = 0;
    };
    std::optional<Switches> switches;
    /// unknown, of a program with shared variables: which windows of a run were looked at. None if there are none.
    struct Windows {
        std::uint32_t events = 0;    // of one
        std::uint64_t all = 0;       // how many windows the run has
        std::uint64_t looked_at = 0; // how many of them were looked at
        std::uint64_t whole = 0;     // in how many of these no execution fails, whatever its context switches
        /// Nor does one with at most so many context switches fail in any of the others; none if there are no others.
        std::optional<std::uint32_t> switches = {};
    };
    std::optional<Windows> windows;
    /// Safe or vacuous, with CheckOptions::bound: the bound whose proof does not need it. None if there is none.
    std::optional<std::uint32_t> lifted_at;
    std::optional<Run> safe; // violated: a run that succeeds, with as few other matches as were found
    Reached deadlock;
    Reached fault;
    /// Whether an execution reaches an assumption that is false. What happens after it is another path of the recorded
    /// program, and no verdict is about it.
    Reached leaves_path;
    std::vector<Trouble> trouble;
    Work work;
};

CheckResult check(MessageIndex const& messages, CheckOptions const& options);

/// "infinite", "zero", "any"
std::string_view shown_buffering(CheckOptions const& options);

/// The steps of a check (plan.hpp), each name once.
std::vector<std::string_view> step_names();

/// How many messages to an endpoint every complete run leaves without a receive.
std::uint32_t orphans_at(MessageIndex const& messages, Endpoint beta);

} // namespace matchpoint::check
