// Where `step` writes. On a terminal, lines are wrapped between words, and what a typed command prints beyond one
// screen goes to a pager. Into a pipe or a file, text goes as it is.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/pager.hpp"
#include "cli/terminal.hpp"

namespace matchpoint::cli {

class Screen {
public:
    class Turn;
    explicit Screen(Terminal& terminal);

    Terminal& terminal() { return terminal_; }
    Paint const& paint() const { return terminal_.paint(); }
    /// The terminal's, at this moment; 80 if standard output is none.
    unsigned columns() const;

    /// Writes whole lines. Throws OutputFailed.
    void out(std::string_view text);
    /// Shows what is held back, for a command that takes its time. Throws OutputFailed.
    void flush();

    /// A typed command begins: what it prints is held back until it is a screen full, which starts the pager.
    void begin();
    /// The command has ended. Shows what was held back, or waits for the user to quit the pager. Throws OutputFailed.
    void end();

    /// `set pager on|off`
    void set_pager(bool on) { wanted_ = on; }
    bool pager() const { return wanted_; }
    /// Whether the last command was shown by a pager. Then Enter may be meant for the pager.
    bool was_paged() const { return was_paged_; }

private:
    void start_pager();
    void print_unpaged(std::string const& text);

    Terminal& terminal_;
    std::string command_; // of the pager; empty if there is none
    bool wanted_ = true;
    bool holds_ = false;
    bool is_turn_ = false;   // between begin() and end()
    bool was_paged_ = false; // in the last turn
    bool is_paged_ = false;  // in this turn
    unsigned rows_ = 0;
    std::string held_;
    std::size_t lines_ = 0; // since begin()
    std::unique_ptr<Pager> pager_;
};

/// A typed command from begin() on. Whatever ends it, nothing is held back then and no pager is left running.
class Screen::Turn {
public:
    explicit Turn(Screen& screen) : screen_(screen) { screen_.begin(); }
    Turn(Turn const&) = delete;
    Turn& operator=(Turn const&) = delete;
    ~Turn();

private:
    Screen& screen_;
};

} // namespace matchpoint::cli
