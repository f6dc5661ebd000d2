// A program of somebody else's, run beside us: a solver with which there is a conversation, or an encoder that is asked
// once. No shell is involved.
//
// It has a process group and an address space of its own, and dies with the thread that started it, its group with the
// ChildProcess. SIGPIPE, SIGCHLD and other people's children are left alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::solve {

/// One question at a time. Its output, its end and its messages are waited for as long as it lives, but are only noticed
/// within `ask`, `finish` and `is_idle`.
class ChildProcess {
public:
    using Clock = std::chrono::steady_clock;

    ChildProcess();
    ChildProcess(ChildProcess const&) = delete;
    ChildProcess& operator=(ChildProcess const&) = delete;
    ~ChildProcess(); // the process is gone afterwards

    /// The binary first; without `/` it is looked for in PATH. `memory` bytes of address space (0: no limit), and `output`
    /// bytes of one reply and of what goes with it to standard error. To be called once. What went wrong, or else nothing.
    std::string start(std::vector<std::string> const& arguments, std::size_t memory, std::size_t output);

    struct Reply {
        enum class End {
            answered, // the mark was printed
            ended,    // the process ended, or closed what it should speak or listen to
            too_long,
            late,
        };
        End end;
        std::string text;
    };

    /// If this program, too, stood still when the time was over, the process gets as much once more.
    ///
    /// Sends the text; what is printed until the mark, which the text has to make it print on a line of its own, perhaps in
    /// quotes. What comes after that stands before the next reply.
    Reply ask(std::string text, std::string_view mark, Clock::time_point deadline);

    /// Sends the text and the end of its input; what is printed until it ends: `ended`, unless that is late or too long.
    Reply finish(std::string text, Clock::time_point deadline);

    /// It waits for a question and has said nothing since its last answer.
    bool is_idle();

    /// What it wrote to standard error since the last question, up to a limit.
    std::string const& messages() const;

    /// How it ended: "killed by signal 11 (SIGSEGV)", "exited with code 1", ...
    std::string status() const;
    /// Of one that exited.
    std::optional<int> exit_code() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::solve
