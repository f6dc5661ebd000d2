// A program such as `less` that shows a long text screen by screen.
//
//   Pager pager("less");
//   pager.write(text);
//   pager.finish(); // waits until the user quits it
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace matchpoint::cli {

/// The shell command of the pager: $PAGER, or else `less -FRX` if it is installed. Empty if there is none, if $PAGER is
/// empty or `cat`, or if the terminal is too simple for one.
std::string pager_command();

class Pager {
public:
    /// Starts a shell command whose standard input is what is written. For `less`, $LESS is `FRX` unless it is set.
    explicit Pager(std::string const& command);
    /// Closes its input and waits until it ends.
    ~Pager();
    Pager(Pager const&) = delete;
    Pager& operator=(Pager const&) = delete;

    /// Drops what the user no longer wants to see. Waits until the pager reads.
    void write(std::string_view text);
    /// Closes its input and waits until it ends. False: the command could not be run, and nobody has seen any of
    /// `text()`.
    bool finish();
    /// All that was written, as long as that can be in the pipe unread.
    std::string const& text() const { return text_; }

private:
    pid_t pid_ = -1; // -1: it has ended, or could not be started
    int pipe_ = -1;  // -1: closed
    bool is_read_ = false;
    bool could_run_ = true;
    std::string text_;
};

} // namespace matchpoint::cli
