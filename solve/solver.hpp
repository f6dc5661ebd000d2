// SMT solvers as child processes that read SMT-LIB from standard input and print their answers.
//
//   Solver z3(*solver_command("z3"), {.time = std::chrono::seconds(10)});
//   Answer const answer = z3.check("(set-logic QF_LIA)(declare-const x Int)(assert (> x 4))", {.model = true});
//   if (auto const* sat = std::get_if<answer::Sat>(&answer)) use(sat->model);
//
// A Solver starts its process when it is first needed and keeps it: between two problems the process is reset. After
// every question we echo a mark, so we know where the answer ends. A process that crashed, was killed for its time, or
// printed something that we cannot read is given up, and the next problem starts a new one. A problem that fails in a
// reused process is asked once more in a new one, so that no problem is blamed for earlier ones.
//
// The process dies with the thread that started it, and its process group dies with the Solver. SIGPIPE, SIGCHLD and
// other children of this program are left alone. A Solver is used by one thread at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.hpp"

namespace matchpoint::solve {

/// A binary and its arguments. No shell is involved.
struct SolverCommand {
    /// How a process forgets a problem.
    enum class Between {
        reset,    // (reset)
        push_pop, // (pop 1) between small linear problems, else (reset)
        scopes,   // (pop 1) between problems of one logic, else (reset)
        restart,  // it does not: every problem gets its own process
    };

    std::string name;                   // for messages: "z3"
    std::vector<std::string> arguments; // argv, the binary first; without `/` it is searched in PATH
    Between between = Between::reset;
};

/// Parses a command: words separated by blanks; quotes ('...' and "...") keep words together, and there are no escapes.
/// The error says what is wrong (no words, an open quote). A single word whose file name is z3, cvc5 or cvc4 is that
/// solver, and gets the arguments that it needs. Any other command is run as it is: it must read SMT-LIB from standard
/// input and answer each command at once.
Expected<SolverCommand, std::string> solver_command(std::string_view name_or_command);

/// The names that solver_command() knows: z3, cvc5, cvc4.
std::span<std::string_view const> known_solvers();

struct SolverLimits {
    std::optional<std::chrono::milliseconds> time; // for one problem
    std::size_t memory = std::size_t{4} << 30U;    // bytes of address space; 0: no limit
    std::size_t output = std::size_t{64} << 20U;   // bytes of one answer, and of standard error with it
    /// Once it is set, by another thread, every question ends within a tenth of a second, as if its time were up.
    std::atomic<bool> const* stop = nullptr;
};

namespace answer {

struct Timeout {
    std::chrono::milliseconds limit; // if there is none, and the program was interrupted: the time until then
};
/// The process ended, or its answer was not just `sat`, `unsat` or `unknown`; `how` quotes it. An answer that comes
/// with an `(error ...)` does not count.
struct Crashed {
    std::string how;
};
/// Why a solver that gave a verdict did not give the model or core that it was asked for. The verdict is valid: it was
/// complete before the model or core was asked for.
using Lack = std::variant<std::monostate, Timeout, Crashed>;

struct Sat {
    std::string model; // if asked for: the answer to (get-model) as printed, one s-expression
    Lack no_model = {};
};
struct Unsat {
    std::vector<std::string> core; // if asked for: names of assertions, without bars
    Lack no_core = {};
};
struct Unknown {
    std::string reason; // the answer to (get-info :reason-unknown), without keyword and quotes
};
/// The binary cannot be started.
struct Missing {
    std::string what; // "z3: No such file or directory"
};

} // namespace answer

using Answer =
    std::variant<answer::Sat, answer::Unsat, answer::Unknown, answer::Timeout, answer::Crashed, answer::Missing>;

/// "sat", "unsat", "unknown (incomplete)", "timeout after 1000 ms", "z3 failed: killed by signal 11 (SIGSEGV)",
/// "cannot start z3: No such file or directory", "sat, without a model: timeout after 1000 ms", ...
std::string to_string(Answer const& answer, SolverCommand const& solver);

/// The answer for those who can do nothing with `sat` without a model: what kept the solver from giving it.
Answer needing_model(Answer answer);

/// The verdict, if the solver gave one.
std::optional<bool> is_sat(Answer const& answer);

/// What to ask for beside the verdict.
struct Produce {
    bool model = false;
    bool core = false; // the problem itself must set :produce-unsat-cores, before its set-logic (ProblemText)
};

class Solver {
public:
    explicit Solver(SolverCommand command, SolverLimits limits = {});
    Solver(Solver const&) = delete;
    Solver& operator=(Solver const&) = delete;
    ~Solver(); // the process is gone afterwards

    SolverCommand const& command() const { return command_; }

    /// Limits each of the problems from now on; none removes the limit.
    void limit_time(std::optional<std::chrono::milliseconds> time) { limits_.time = time; }

    /// Solves a problem: complete SMT-LIB commands without (check-sat), set-info, set-option and set-logic first. None
    /// of them may print anything. The solver does not get to see the problem's (set-info :status ...): z3, cvc5 and
    /// cvc4 give an error instead of an answer that contradicts it, and the answer is what we want to know.
    Answer check(std::string_view problem, Produce produce = {});

private:
    class Process;

    Answer attempt(std::string_view problem, Produce produce, std::chrono::steady_clock::time_point deadline);

    SolverCommand command_;
    SolverLimits limits_;
    std::unique_ptr<Process> process_;
};

} // namespace matchpoint::solve
