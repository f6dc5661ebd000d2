// An external program as a child process: a solver that answers questions, or an encoder that is asked once. No shell
// is involved.
//
// It has its own process group, and a limit on its address space. It dies with the thread that started it, and its
// process group dies with the ChildProcess. SIGPIPE, SIGCHLD and other children of this program are left alone.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::base {

/// Once this is set, every question to any child process ends within a tenth of a second, as if its deadline had
/// passed; and so does every later one. A signal handler may set it.
std::atomic<bool>& interruption();

/// Takes one question at a time. Its output, standard error and end are only noticed in `ask`, `finish` and `is_idle`.
class ChildProcess {
public:
    using Clock = std::chrono::steady_clock;

    ChildProcess();
    ChildProcess(ChildProcess const&) = delete;
    ChildProcess& operator=(ChildProcess const&) = delete;
    ~ChildProcess(); // the process is gone afterwards

    /// Starts the process; to be called once. The first argument is the binary; without `/` it is searched in PATH.
    /// `memory` limits its address space in bytes (0: no limit), `output` the bytes of one reply, and of standard error
    /// with it. Returns an error message, or an empty string.
    std::string start(std::vector<std::string> const& arguments, std::size_t memory, std::size_t output);

    struct Reply {
        enum class End {
            answered, // it printed the mark
            ended,    // it ended, or closed its standard input or output
            too_long, // it printed more than the limit
            late,     // it missed the deadline
        };
        End end;
        std::string text;
    };

    /// For this process the same as interruption(), from another thread.
    void stop_on(std::atomic<bool> const& stop);

    /// Sends the text, and returns what the process prints before the mark. The text must make it print the mark on its
    /// own line, perhaps in quotes. Later output is the beginning of the next reply.
    ///
    /// If this program itself was suspended when the deadline passed, the process gets the same time once more.
    Reply ask(std::string text, std::string_view mark, Clock::time_point deadline);

    /// Sends the text, closes the process's input, and returns what it prints until it ends: `ended`, unless that is
    /// late or too long.
    Reply finish(std::string text, Clock::time_point deadline);

    /// Whether it waits for a question and has printed nothing since its last answer.
    bool is_idle();

    /// Its standard error since the last question, up to a limit.
    std::string const& messages() const;

    /// How it ended: "killed by signal 11 (SIGSEGV)", "exited with code 1", ...
    std::string status() const;
    /// None if it did not exit.
    std::optional<int> exit_code() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::base
