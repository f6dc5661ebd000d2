#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/numbers.hpp"

namespace matchpoint::cli {

namespace {

bool takes_color(Color color, int fd) {
    if (color != Color::automatic) return color == Color::always;
    char const* const no_color = std::getenv("NO_COLOR");
    char const* const term = std::getenv("TERM");
    if (no_color != nullptr && *no_color != '\0') return false;
    if (term == nullptr || std::strcmp(term, "dumb") == 0) return false;
    return ::isatty(fd) == 1;
}

[[noreturn]] void failed() {
    throw OutputFailed(fmt::format("cannot write standard output: {}", std::strerror(errno)));
}

} // namespace

Terminal::Terminal(Color color)
    : paint_(takes_color(color, STDOUT_FILENO)), err_color_(takes_color(color, STDERR_FILENO)) {}

void Terminal::out(std::string_view text) {
    if (sink_) return sink_(text);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) failed();
}

void Terminal::err(std::string_view text) {
    if (sink_) return sink_(text);
    std::fflush(stdout); // a failure shows again at flush()
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void Terminal::flush() {
    if (sink_) return;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) failed();
}

void Terminal::print(std::string_view lines) {
    auto const terminal = size();
    out(terminal ? wrapped(lines, terminal->columns) : std::string(lines));
}

void Terminal::tell(std::string_view lines) {
    auto const terminal = sink_ ? std::nullopt : size_of(STDERR_FILENO);
    err(terminal ? wrapped(lines, terminal->columns) : std::string(lines));
}

std::optional<unsigned> Terminal::columns() const {
    if (sink_) return std::nullopt;
    if (auto const terminal = size()) return terminal->columns;
    char const* const said = std::getenv("COLUMNS");
    auto const columns = to_number<unsigned>(said == nullptr ? "" : said);
    return columns && *columns > 0 ? columns : std::nullopt;
}

std::optional<Terminal::Size> Terminal::size() const { return sink_ ? std::nullopt : size_of(STDOUT_FILENO); }

std::optional<Terminal::Size> Terminal::size_of(int fd) {
    if (::isatty(fd) != 1) return std::nullopt;
    winsize size{};
    if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return Size{80, 0};
    return Size{size.ws_col, size.ws_row};
}

} // namespace matchpoint::cli
