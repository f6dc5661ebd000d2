// The commands of `matchpoint rma step`. Names and habits are those of `step` (cli/repl/). There is no semantics here:
// the stepper (rma/machine/stepper.hpp) moves, and rma/machine/words.hpp says what happened.
//
// The commands are members of RmaRepl: move.cpp, choose.cpp, stop.cpp and look.cpp. commands.cpp has their table.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/repl/command_table.hpp"
#include "cli/repl/debugger.hpp"
#include "cli/rma_repl/expression.hpp"
#include "rma/machine/stepper.hpp"

namespace matchpoint::cli {

class RmaRepl final : public Debugger<RmaRepl, rma::Stepper> {
public:
    /// The arguments have to outlive it.
    RmaRepl(Source const& source, rma::Machine const& machine, Terminal& terminal);

    /// Plans a run, from the beginning on.
    void plan(std::vector<rma::Transition> run) { stepper_.follow(std::move(run)); }

    LineCompletion completions(std::string const& line) const override;

    struct Command {
        std::string_view name;
        std::string_view usage;
        std::string_view group; // of `help`
        std::string_view summary;
        bool repeats; // Enter runs it again
        void (RmaRepl::*run)(std::string const& arguments);
        std::string_view example = {};
    };
    static std::vector<Command> const& commands();

private:
    friend class Debugger<RmaRepl, rma::Stepper>;
    static constexpr std::string_view ends_of_names = " \t";
    static constexpr std::size_t most_undo = 1'000;
    static constexpr std::string_view saved_run = "schedule";
    bool has_plan() const { return stepper_.planned() != nullptr; }
    bool has_choices() const { return !stepper_.choices().empty(); }
    std::string state_text() const;
    void perform(Command const& command, std::string const& arguments);
    std::size_t program_version() const { return 0; }
    void save_run(std::string const& file);

    struct Groups;

    /// Where a run stops.
    struct Breakpoint {
        std::uint32_t number = 0;
        std::string text;
        std::vector<rma::StatementIndex> before = {}; // when a process arrives before one of them
        std::optional<RmaExpression> becomes = {};    // when it becomes true
        std::optional<RmaExpression> changes = {};    // when its value changes
        std::string seen = {};                        // what it looked at before the step
        std::uint64_t hits = 0;
    };

    // Moving
    void step(std::string const& arguments);
    void next(std::string const& arguments);
    void go_on(std::string const& arguments);
    void until(std::string const& arguments);
    void jump(std::string const& arguments);
    void run(std::string const& arguments);
    void end(std::string const& arguments);
    void back(std::string const& arguments);
    void reverse_next(std::string const& arguments);
    void reverse_continue(std::string const& arguments);
    // Choosing
    void choices(std::string const& arguments);
    void choose(std::string const& arguments);
    void take(std::string const& arguments);
    void process(std::string const& arguments);
    void automatic(std::string const& arguments);
    void random(std::string const& arguments);
    void search(std::string const& arguments);
    // Stopping
    void break_at(std::string const& arguments);
    void watch(std::string const& arguments);
    void breakpoints(std::string const& arguments);
    void delete_breakpoints(std::string const& arguments);
    // Looking
    void print(std::string const& arguments);
    void display(std::string const& arguments);
    void show_state(std::string const& arguments);
    void pending(std::string const& arguments);
    void history(std::string const& arguments);
    void whynot(std::string const& arguments);
    void list(std::string const& arguments);
    void draw(std::string const& arguments);
    // The rest
    void help(std::string const& arguments);
    void apropos(std::string const& arguments);

    static Command const& find(std::string const& word);
    static std::span<CommandAlias const> aliases();
    static Refused misused(std::string_view command);

    // Arguments. These throw Refused.
    rma::ProcessIndex process_number(std::string const& word) const;
    RmaExpression expression(std::string const& text) const;
    /// "2.rho", or a line of the file that statements begin at; none if it is neither.
    std::optional<std::vector<rma::StatementIndex>> place(std::string const& word) const;

    // Moving
    void need_plan() const;
    void need_choices() const;
    /// One step along the plan, or the one that is given, which is told. False: a breakpoint stopped it, or the run
    /// ended.
    bool told_step(rma::Transition const* t = nullptr);
    /// Moves along the plan until `enough`, or to a breakpoint; nothing is told but where it ends.
    void travel(std::function<bool()> const& enough);
    void keep_choosing(std::function<std::size_t(std::size_t)> const& pick);
    void say_where();
    void say_properties();
    void shown_displays();
    std::string_view ending() const;

    // Breakpoints
    void add(Breakpoint b);
    void look_again();
    /// Why the step before this state stops here; empty if it does not.
    std::string stops(rma::State const& before);
    bool stands_before(rma::State const& state, std::vector<rma::StatementIndex> const& places) const;

    // Looking
    rma::Program const& program() const { return machine_.program(); }
    rma::State const& state() const { return stepper_.state(); }
    std::string memory_of(std::optional<rma::ProcessIndex> p) const;
    std::vector<std::string> pending_lines(std::optional<std::vector<rma::RemoteIndex>> const& only) const;
    std::string where_text(rma::StatementIndex i) const;
    void whynot_process(rma::ProcessIndex p);
    std::size_t line_of(rma::ProcessIndex p) const;
    void list_lines(std::size_t first, std::size_t last);

    Source const& source_;
    rma::Machine const& machine_;
    std::vector<Breakpoint> breakpoints_;
    std::uint32_t breakpoint_number_ = 0;
    std::vector<RmaExpression> displays_;
    std::size_t listed_ = 0; // the line that `list` goes on with; 0: none
};

} // namespace matchpoint::cli
