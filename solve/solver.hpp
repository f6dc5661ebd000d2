// Solvers are external binaries that speak SMT-LIB on their standard input and output.
//
// One process is started when it is first needed and kept: between two problems it is reset. Every answer is followed
// by an echo of ours, so it is known where it ends. A process that crashed, was killed for its time, or answered what
// cannot be understood is given up, and the next problem starts another one. What a kept process cannot answer is asked
// once more of a new one, so that no problem is blamed for those before it.
//
// The process dies with the thread that started it, and its process group with the Solver. SIGPIPE, SIGCHLD and other
// people's children are left alone. A Solver is used by one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grammar/expected.hpp"

namespace matchpoint::solve {

/// Which binary, and with which arguments. No shell is involved.
struct SolverCommand {
    /// How a process gets rid of a problem.
    enum class Between {
        reset,    // (reset)
        push_pop, // (pop 1) of small linear problems, else (reset)
        scopes,   // (pop 1) of all problems that have the logic of the one before, else (reset)
        restart,  // not at all: every problem gets a process of its own
    };

    std::string name;                   // for messages: "z3"
    std::vector<std::string> arguments; // argv, the binary first; without `/` it is looked for in PATH
    Between between = Between::reset;
};

/// A command of words separated by blanks, in which quotes ('...' and "...") keep words together and there are no escapes.
/// The error says what is wrong with it (no words, a quote that is open). One word whose file name is z3, cvc5 or cvc4
/// is that solver, and gets the arguments that it needs. Any other command is run as it is: it has to read SMT-LIB from
/// its standard input, and to answer each command at once.
Expected<SolverCommand, std::string> solver_command(std::string_view name_or_command);

struct SolverLimits {
    std::optional<std::chrono::milliseconds> time; // for one problem
    std::size_t memory = std::size_t{4} << 30U;    // bytes of address space of the process; 0: none
    std::size_t output = std::size_t{64} << 20U;   // bytes of one answer and of what goes with it to standard error
};

namespace answer {

struct Sat {
    std::string model; // the answer to (get-model) as printed, one s-expression, if it was wanted
};
struct Unsat {
    std::vector<std::string> core; // names of assertions, without the bars of quoted symbols, if they were wanted
};
struct Unknown {
    std::string reason; // the answer to (get-info :reason-unknown), without the keyword and quotes
};
struct Timeout {
    std::chrono::milliseconds limit;
};
/// It ended, or did not answer `sat`, `unsat` or `unknown`, or not only: `how` quotes it. An answer that comes with an
/// `(error ...)` is no answer.
struct Crashed {
    std::string how;
};
/// The binary cannot be started.
struct Missing {
    std::string what; // "z3: No such file or directory"
};

} // namespace answer

using Answer =
    std::variant<answer::Sat, answer::Unsat, answer::Unknown, answer::Timeout, answer::Crashed, answer::Missing>;

/// "sat", "unsat", "unknown (incomplete)", "timeout after 1000 ms", "z3 failed: killed by signal 11 (SIGSEGV)",
/// "cannot start z3: No such file or directory", ...
std::string to_string(Answer const& answer, SolverCommand const& solver);

struct Wanted {
    bool model = false;
    bool core = false; // the problem has to set :produce-unsat-cores itself, before its set-logic (ProblemText)
};

class Solver {
public:
    explicit Solver(SolverCommand command, SolverLimits limits = {});
    Solver(Solver const&) = delete;
    Solver& operator=(Solver const&) = delete;
    ~Solver(); // the process is gone afterwards

    SolverCommand const& command() const { return command_; }

    /// For the problems from now on; none: as much as they take.
    void limit_time(std::optional<std::chrono::milliseconds> time) { limits_.time = time; }

    /// The answer to a problem: complete SMT-LIB commands without (check-sat), beginning with set-info, set-option and
    /// set-logic, none of which prints anything.
    Answer check(std::string_view problem, Wanted wanted = {});

private:
    class Process;

    Answer attempt(std::string_view problem, Wanted wanted, std::chrono::steady_clock::time_point deadline);
    Answer converse(std::string text, Wanted wanted, std::chrono::steady_clock::time_point deadline);

    SolverCommand command_;
    SolverLimits limits_;
    std::unique_ptr<Process> process_;
};

} // namespace matchpoint::solve
