#include "cli/repl/screen.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/source.hpp"
#include "cli/cli.hpp"

namespace matchpoint::cli {

Screen::Screen(Terminal& terminal) : terminal_(terminal), command_(pager_command()) {}

unsigned Screen::columns() const {
    auto const size = terminal_.size();
    return size ? size->columns : 80;
}

void Screen::out(std::string_view text) {
    auto const size = terminal_.size();
    if (!size) return terminal_.out(text);
    std::string const lines = wrapped(text, size->columns);
    if (pager_) return pager_->write(lines);
    if (!holds_) return terminal_.out(lines);
    held_ += lines;
    lines_ += static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
    // The prompt needs the last row.
    if (lines_ >= rows_) start_pager();
}

void Screen::flush() {
    terminal_.out(held_);
    held_.clear();
    terminal_.flush();
}

void Screen::begin() {
    auto const size = terminal_.size();
    holds_ = wanted_ && !command_.empty() && size && size->rows > 0;
    if (holds_) rows_ = size->rows;
    lines_ = 0;
    is_turn_ = true;
    is_paged_ = false;
}

void Screen::end() {
    holds_ = false;
    if (std::exchange(is_turn_, false)) was_paged_ = is_paged_;
    if (!pager_) return flush();
    bool const could_run = pager_->finish();
    was_paged_ = could_run;
    std::string const text = could_run ? "" : pager_->text();
    pager_.reset();
    if (!could_run) print_unpaged(text);
}

Screen::Turn::~Turn() {
    try {
        screen_.end(); // a command that ended normally has done this
    } catch (std::exception const&) {
        // The exception that ends the command is told. Nobody can be told where this could have been written.
    }
}

void Screen::start_pager() {
    terminal_.flush();
    pager_ = std::make_unique<Pager>(command_);
    is_paged_ = true;
    pager_->write(held_);
    held_.clear();
}

/// The user hears once that the pager cannot be run, and is not asked to wait for it again.
void Screen::print_unpaged(std::string const& text) {
    warn(terminal_, fmt::format("cannot run the pager `{}` (PAGER); from now on there is none", printable(command_)),
         ErrorKind::file);
    command_.clear();
    terminal_.out(text);
    terminal_.flush();
}

} // namespace matchpoint::cli
