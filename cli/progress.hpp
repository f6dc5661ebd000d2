// What a command that takes long is doing: a line on standard error that is rewritten, and removed in the end, also by
// Ctrl-C. There is none for what ends soon. If standard error is no terminal, there is none, or one every ten seconds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "rooms.hpp"

namespace matchpoint::cli {

/// ", about 3 min left", if the rest takes as long as what is done; at most what is left of a limit. Empty if too
/// little is done to say.
std::string time_left(std::uint64_t done, std::uint64_t left, double seconds, std::optional<double> limit = {});

class ProgressLine {
public:
    enum class Elsewhere { nothing, lines };

    /// `elsewhere`: what is shown if standard error is no terminal.
    explicit ProgressLine(Elsewhere elsewhere = Elsewhere::nothing);
    ProgressLine(ProgressLine const&) = delete;
    ProgressLine& operator=(ProgressLine const&) = delete;
    ~ProgressLine() { clear(); }

    /// Whether it is time to show something. Quick enough to be asked often.
    bool is_due() const;
    /// Cuts the text to the width of the terminal. Elsewhere, prints it if a line is due.
    void show(std::string_view text);
    /// Removes the line.
    void clear();
    bool is_terminal() const { return is_terminal_; }
    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;

    bool is_terminal_;
    bool prints_lines_;
    bool is_shown_ = false;
    Clock::time_point begin_;
    Clock::time_point next_;
};

/// Shows a line from a thread of its own, so that nothing has to be asked meanwhile; no line if there can be no such
/// thread. Nothing else may write to standard error while it lives.
class ProgressThread {
public:
    /// Writes the text into a buffer of some size, and returns its length; seconds since the beginning. It must not
    /// allocate: the memory that the other thread may use is limited.
    using Text = std::function<std::size_t(char* buffer, std::size_t size, double seconds)>;

    explicit ProgressThread(Text text);
    ProgressThread(ProgressThread const&) = delete;
    ProgressThread& operator=(ProgressThread const&) = delete;
    ~ProgressThread();

private:
    void run();

    Text text_;
    ProgressLine line_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool is_ended_ = false;
    std::thread thread_;
};

} // namespace matchpoint::cli
