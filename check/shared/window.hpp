// A window of a run as a program of its own: so many consecutive events of it, in any order that the threads allow,
// from the state on that the run had before them (docs/shared_memory.md, "By windows"). Tools that predict from
// recordings look at them window by window: Huang, Meredith, Rosu, Maximal Sound Predictive Race Detection with Control
// Flow Abstraction (RV-Predict); Huang, Luo, Rosu, GPredict.
//
//   WindowTables tables(messages);
//   Window const window(tables, machine.state(), {3, 5});            // 3 commands of thread 0, and 5 of thread 1
//   CheckResult const r = check(window.messages(), options);
//   if (r.verdict == Verdict::violated) window.append_raised(r.run->schedule, schedule); // after the run so far
//
// The program of a window has the same commands. What a variable has when the window begins, and no command of the
// window assigns before it is read, is a constant there. An execution of the window is what an execution of the whole
// program can do after the run so far, up to where it needs a command after the window.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "machine/schedule.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::check {

/// Whether a program has windows: it shares variables, and its threads do nothing else with each other.
bool has_windows(MessageIndex const& messages);

/// The first events of the windows of a run, which have `size` events each, as numbers from 0 on. Every window overlaps
/// the one before it by half or more. It begins where few locks are held, if it can: then the window still shows that
/// they are locks, and what its threads do under them is one step. O(n log n) in the size of the program.
std::vector<std::size_t> window_starts(MessageIndex const& messages, std::span<Location const> run, std::size_t size);

/// What all windows of a program need. As these tables are made once, a window costs no more than its commands.
class WindowTables {
public:
    /// The messages have to outlive it, and have windows. O(n log n) in the size of the program.
    explicit WindowTables(MessageIndex const& messages);

private:
    friend class Window;
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    MessageIndex const& messages_;
    std::vector<bool> is_shared_;       // by variable
    std::vector<bool> is_raced_;        // by variable: data races are about it, in the whole program
    std::vector<std::uint32_t> number_; // variable -> its number in the window that is being made; none
};

class Window {
public:
    /// `commands`: by thread, how many of those that come next in the state; fewer if it has not as many left.
    Window(WindowTables& tables, State const& at, std::span<std::uint32_t const> commands);
    Window(Window const&) = delete;
    Window& operator=(Window const&) = delete;

    MessageIndex const& messages() const { return *messages_; }
    Program const& program() const { return program_; }
    /// Appends an execution of the window, as the commands of the whole program.
    void append_raised(Schedule const& schedule, Schedule& to) const;
    Location original(Location rho) const { return original_[rho.index]; }
    Variable original(Variable x) const { return variables_[x.index]; }

private:
    void declare(WindowTables& tables, State const& at, Variable x);
    Variable number(WindowTables& tables, Variable x);
    void add(WindowTables& tables, State const& at, Command const& c);
    Expression copied(WindowTables& tables, State const& at, Expression e);

    Program program_;
    std::vector<Location> original_;  // command -> of the whole program
    std::vector<Variable> variables_; // the same of variables
    std::optional<IndexedProgram> code_;
    std::optional<MessageIndex> messages_;
};

} // namespace matchpoint::check
