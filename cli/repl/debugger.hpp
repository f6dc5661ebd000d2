// What `step` and `rma step` share: a session whose commands move a stepper, a run that goes forward and back. The
// derived class has the machine's own commands and the table of all commands.
//
//   class Repl final : public Debugger<Repl, Stepper> { ... };
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/repl/aside.hpp"
#include "cli/repl/session.hpp"

namespace matchpoint::cli {

/// `Derived` makes this class its friend, and has
///   struct Command, with `name`, `repeats` and `run`, and static Command const& find(std::string const& word);
///   static constexpr std::string_view ends_of_names, the characters that end the name of a command;
///   static constexpr std::size_t most_undo, how many moves `undo` remembers;
///   static constexpr std::string_view saved_run, what `save` calls a run, and void save_run(std::string const& file);
///   bool has_plan() and bool has_choices(), whether a step is planned, and whether something can come next;
///   std::string state_text(), where the run is, for the prompt;
///   void perform(Command const&, std::string const& arguments), which runs a command;
///   void say_where() and void shown_displays(), which print where the run is, and what `display` shows there;
///   displays_, a vector of what `display` shows;
///   std::size_t program_version(), which changes when `reload` reads another program;
///   Refused misused(std::string_view command).
template <typename Derived, typename Stepper>
class Debugger : public Session {
public:
    void execute(std::string const& given) final {
        std::string line(trimmed(given));
        if (line.empty()) {
            line = standard();
            if (line.empty()) return;
        }
        if (line[0] == '#') return;
        std::size_t const end = line.find_first_of(Derived::ends_of_names);
        auto const& command = Derived::find(line.substr(0, end));
        last_ = command.repeats ? line : "";
        clear_interrupt();
        Bookmark const before = stepper_.bookmark();
        std::size_t const version = self().program_version();
        bool const travels_in_time = command.run == &Derived::undo || command.run == &Derived::redo;
        auto const moved = [&] {
            if (version != self().program_version()) return; // bookmarks of the old program are void
            if (travels_in_time || stepper_.bookmark() == before) return;
            if (undo_.size() == Derived::most_undo) undo_.erase(undo_.begin());
            undo_.push_back(before);
            redo_.clear();
        };
        try {
            self().perform(command, end == std::string::npos ? std::string() : std::string(trimmed(line.substr(end))));
        } catch (...) {
            moved();
            throw;
        }
        bool const shows = !(stepper_.bookmark() == before);
        moved();
        if (shows) self().shown_displays();
        if (command.run != &Derived::save) typed_.push_back(line);
    }

    /// "3/14 [step] > ", "7 deadlock > "
    std::string prompt() final {
        std::string const command = standard();
        return self().state_text() + (command.empty() ? "" : " [" + command + "]") + " > ";
    }

    /// For a session that moves by other means, too, and asks where it is (cli/dap/).
    Stepper& stepper() { return stepper_; }

protected:
    using Bookmark = typename Stepper::Bookmark;

    template <typename... Arguments>
    explicit Debugger(Terminal& terminal, Arguments&&... of_the_stepper)
        : Session(terminal), stepper_(std::forward<Arguments>(of_the_stepper)...) {}

    void undo(std::string const& arguments) {
        none(arguments, "undo");
        if (undo_.empty())
            throw Refused(self().program_version() > 0 ? "there is nothing to undo since `reload`"
                                                       : "there is nothing to undo");
        travel_in_time(undo_, redo_);
    }
    void redo(std::string const& arguments) {
        none(arguments, "redo");
        if (redo_.empty()) throw Refused("there is nothing to redo");
        travel_in_time(redo_, undo_);
    }
    void save(std::string const& arguments) {
        std::size_t const space = arguments.find_first_of(" \t");
        std::string const what = arguments.substr(0, space);
        std::string const file(space == std::string::npos ? "" : trimmed(arguments.substr(space)));
        if ((what != Derived::saved_run && what != "session") || file.empty()) throw Derived::misused("save");
        if (what == Derived::saved_run) return self().save_run(file);
        std::string text;
        for (std::string const& line : typed_) text += line + '\n';
        write_new(file, text);
    }
    void source_command(std::string const& arguments) {
        if (arguments.empty()) throw Derived::misused("source");
        source(arguments);
    }
    void quit_command(std::string const& arguments) {
        none(arguments, "quit");
        quit_ = true;
    }

    /// Ends the displays of these numbers, which are those before the command; without numbers, all of them.
    void undisplay(std::string const& arguments) {
        auto& displays = self().displays_;
        Words const given = words(arguments);
        if (given.empty()) displays.clear();
        std::set<std::size_t, std::greater<>> numbers; // the last one first
        for (std::string const& word : given) {
            std::size_t const n = number(word, "display");
            if (n == 0 || n > displays.size()) throw Refused(fmt::format("there is no display {}", n));
            numbers.insert(n - 1);
        }
        for (std::size_t const i : numbers) displays.erase(displays.begin() + static_cast<std::ptrdiff_t>(i));
    }

    /// Forgets all moves. False if there were none.
    bool forget_moves() {
        bool const had = !undo_.empty() || !redo_.empty();
        undo_.clear();
        redo_.clear();
        return had;
    }

    Stepper stepper_;
    std::string last_; // the command that Enter repeats; empty for the default

private:
    Derived& self() { return static_cast<Derived&>(*this); }

    /// What Enter does.
    std::string standard() {
        if (screen_.was_paged()) return ""; // a user who types `q` and Enter in the pager means it
        if (!last_.empty()) return last_;
        if (self().has_plan()) return "step";
        return self().has_choices() ? "choose 1" : "";
    }

    /// Goes to the last of the bookmarks `from`, and remembers this place in `to`.
    void travel_in_time(std::vector<Bookmark>& from, std::vector<Bookmark>& to) {
        to.push_back(stepper_.bookmark());
        stepper_.restore(from.back());
        from.pop_back();
        self().say_where();
    }

    std::vector<std::string> typed_;
    std::vector<Bookmark> undo_;
    std::vector<Bookmark> redo_;
};

} // namespace matchpoint::cli
