#include "cli/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "base/signals.hpp"
#include "base/source.hpp"

namespace matchpoint::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto before_the_first = 500ms;
constexpr auto between_two = 200ms;
constexpr auto between_lines = 10s;
constexpr std::string_view erase = "\r\x1b[K";

// All of this may run in a signal handler, or where memory is short.

void write_all(std::string_view text) {
    while (!text.empty()) {
        ssize_t const n = ::write(STDERR_FILENO, text.data(), text.size());
        if (n <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

void clear_and_end(int signal) {
    write_all(erase);
    std::raise(signal); // SA_RESETHAND: it ends the process
}

void handle_interrupts(void (*handler)(int)) {
    handle(SIGINT, {.handler = handler, .flags = SA_RESETHAND | SA_NODEFER});
}

/// Whether Ctrl-C is handled that way. A command that handles it itself is left alone.
bool is_handled_by(void (*handler)(int)) {
    struct sigaction now {};
    return ::sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == handler;
}

std::size_t columns() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

} // namespace

std::string time_left(std::uint64_t done, std::uint64_t left, double seconds, std::optional<double> limit) {
    if (done < 5 || left == 0) return {};
    double rest = seconds / static_cast<double>(done) * static_cast<double>(left);
    if (limit) rest = std::min(rest, std::max(0.0, *limit - seconds));
    if (rest < 99) return fmt::format(", about {:.0f} s left", rest);
    if (rest < 99 * 60) return fmt::format(", about {:.0f} min left", rest / 60);
    return fmt::format(", about {:.0f} h left", rest / 3600);
}

ProgressLine::ProgressLine(Elsewhere elsewhere)
    : is_terminal_(::isatty(STDERR_FILENO) == 1), prints_lines_(!is_terminal_ && elsewhere == Elsewhere::lines),
      begin_(Clock::now()), next_(prints_lines_ ? begin_ + between_lines : begin_ + before_the_first) {}

bool ProgressLine::is_due() const { return (is_terminal_ || prints_lines_) && Clock::now() >= next_; }

double ProgressLine::seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

void ProgressLine::show(std::string_view text) {
    if (prints_lines_ && is_due()) {
        next_ = Clock::now() + between_lines;
        write_all(fmt::format("matchpoint: {}\n", text));
    }
    if (!is_terminal_) return;
    next_ = Clock::now() + between_two;
    if (!is_shown_ && is_handled_by(SIG_DFL)) handle_interrupts(clear_and_end);
    is_shown_ = true;
    std::size_t const width = columns() - 1; // a full line would wrap
    std::size_t end = 0;
    for (std::size_t points = 0; end < text.size() && points < width; ++points)
        end += std::max<std::size_t>(utf8_sequence_length(text.substr(end)), 1);
    char line[1024];
    std::size_t const size = std::min(end, sizeof line - erase.size());
    std::memcpy(line, erase.data(), erase.size());
    std::memcpy(line + erase.size(), text.data(), size);
    write_all({line, erase.size() + size});
}

void ProgressLine::clear() {
    if (!is_shown_) return;
    is_shown_ = false;
    write_all(erase);
    if (is_handled_by(clear_and_end)) handle_interrupts(SIG_DFL);
}

ProgressThread::ProgressThread(Text text) : text_(std::move(text)) {
    if (!line_.is_terminal()) return;
    try {
        thread_ = std::thread([this] { run(); });
    } catch (std::system_error const&) { // the stack of a thread counts as memory, which may be limited
    } catch (std::bad_alloc const&) {
    }
}

ProgressThread::~ProgressThread() {
    if (!thread_.joinable()) return;
    {
        std::lock_guard const lock(mutex_);
        is_ended_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

void ProgressThread::run() {
    char buffer[512];
    std::unique_lock lock(mutex_);
    for (auto pause = before_the_first; !ended_.wait_for(lock, pause, [this] { return is_ended_; });
         pause = between_two)
        line_.show({buffer, text_(buffer, sizeof buffer, line_.seconds())});
}

} // namespace matchpoint::cli
