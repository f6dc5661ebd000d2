// The table of the commands.

#include "cli/rma_repl/repl.hpp"

namespace matchpoint::cli {

namespace {

constexpr CommandAlias rma_short_names[] = {
    {"s", "step"},   {"n", "next"},    {"c", "continue"},        {"u", "until"},         {"b", "break"},
    {"p", "print"},  {"rs", "back"},   {"reverse-step", "back"}, {"rn", "reverse-next"}, {"rc", "reverse-continue"},
    {"l", "list"},   {"q", "quit"},    {"exit", "quit"},         {"h", "help"},          {"?", "help"},
    {"j", "jump"},   {"r", "run"},     {"d", "delete"},          {"w", "watch"},         {"t", "take"},
    {"msc", "draw"}, {"goto", "jump"},
};

/// Commands of gdb and of `step` that there are not, and what is nearest to them.
constexpr CommandAlias rma_elsewhere[] = {
    {"backtrace", "`history` says what has happened, `draw` shows it"},
    {"bt", "`history` says what has happened, `draw` shows it"},
    {"deliver", "`choices` lists what cards can do, `take rw:2#1` does it"},
    {"info", "`state`, `pending`, `history` and `breakpoints` show what there is"},
    {"nexti", "`step` applies one rule"},
    {"stepi", "`step` applies one rule"},
    {"thread", "`process P` takes the next step of process P"},
    {"where", "`state` shows where the processes are"},
    {"why", "`whynot` says why something does not happen"},
};

} // namespace

/// The groups of `help`.
struct RmaRepl::Groups {
    static std::vector<Command> const moving;
    static std::vector<Command> const choosing;
    static std::vector<Command> const stopping;
    static std::vector<Command> const looking;
    static std::vector<Command> const others;
};

std::vector<RmaRepl::Command> const RmaRepl::Groups::moving{
    {"step", "[N]", "Moving", "Take the next N steps of the plan", true, &RmaRepl::step},
    {"next", "", "Moving", "Go on along the plan until the process that steps next has stepped, past what cards do",
     true, &RmaRepl::next},
    {"continue", "", "Moving", "Go on to the next breakpoint, or to the end of the plan", true, &RmaRepl::go_on},
    {"until", "P.RHO | LINE | EXPR", "Moving", "Go on along the plan until a process is there, or until EXPR is true",
     false, &RmaRepl::until, "until (= X 3)"},
    {"jump", "N", "Moving", "Go to step N, forward or back, past breakpoints", false, &RmaRepl::jump},
    {"run", "", "Moving", "Run from the beginning to a breakpoint, or to the end of the plan", false, &RmaRepl::run},
    {"end", "", "Moving", "Go to the end of the plan, past breakpoints", false, &RmaRepl::end},
    {"back", "[N]", "Moving", "Take the last N steps back", true, &RmaRepl::back},
    {"reverse-next", "", "Moving", "Go back to before the last step of a process", true, &RmaRepl::reverse_next},
    {"reverse-continue", "", "Moving", "Go back to the previous breakpoint, or to the beginning", true,
     &RmaRepl::reverse_continue},
    {"undo", "", "Moving", "Go back to before the last command that moved", true, &RmaRepl::undo},
    {"redo", "", "Moving", "Revert the last undo", true, &RmaRepl::redo},
};

std::vector<RmaRepl::Command> const RmaRepl::Groups::choosing{
    {"choices", "[-a]", "Choosing",
     "List what can come next: steps of processes, and what their network cards can do; -a: also what cannot, and why. "
     "A flush that waits is not a choice",
     false, &RmaRepl::choices},
    {"choose", "N", "Choosing", "Take choice N of `choices`", false, &RmaRepl::choose},
    {"take", "WORDS", "Choosing", "Do what the words of a schedule say", false, &RmaRepl::take, "take 2 2 rw:2#1"},
    {"process", "P", "Choosing", "Take the next step of process P", true, &RmaRepl::process},
    {"auto", "", "Choosing", "Take the first choice until none is left, or to a breakpoint", false,
     &RmaRepl::automatic},
    {"random", "[SEED]", "Choosing", "Choose at random until no choice is left, or to a breakpoint", false,
     &RmaRepl::random},
    {"search", "", "Choosing",
     "Find a shortest run that goes wrong, and plan it. It begins at the beginning, and so does the session then",
     false, &RmaRepl::search},
};

std::vector<RmaRepl::Command> const RmaRepl::Groups::stopping{
    {"break", "P.RHO | LINE | EXPR", "Stopping", "Stop when a process gets there, or when EXPR becomes true", false,
     &RmaRepl::break_at, "break (> Y 2)"},
    {"watch", "EXPR", "Stopping", "Stop at a step that changes a value", false, &RmaRepl::watch, "watch Y"},
    {"breakpoints", "", "Stopping", "List breakpoints and watchpoints, and how often they were met", false,
     &RmaRepl::breakpoints},
    {"delete", "[N ...]", "Stopping", "Delete breakpoints and watchpoints, by default all", false,
     &RmaRepl::delete_breakpoints},
};

std::vector<RmaRepl::Command> const RmaRepl::Groups::looking{
    {"print", "EXPR", "Looking",
     "Print the value of an expression over all variables; `(at P RHO)` is true where process P is about to execute "
     "RHO",
     false, &RmaRepl::print, "print (+ X 1)"},
    {"display", "[EXPR]", "Looking", "Print it after every move", false, &RmaRepl::display},
    {"undisplay", "[N ...]", "Looking", "End displays, by default all", false, &RmaRepl::undisplay},
    {"state", "", "Looking", "Show where the processes are, memory, and what is pending", false, &RmaRepl::show_state},
    {"pending", "", "Looking", "List the pending operations. A flush waits for those that name its process", false,
     &RmaRepl::pending},
    {"history", "", "Looking", "Show what has happened as words that `rma run --schedule` takes", false,
     &RmaRepl::history},
    {"whynot", "[P | WORD]", "Looking",
     "Explain why a process does not step, or why a word of schedules does not apply; by default, of all processes. It "
     "says what a flush waits for, which assumption is false, and who is inside of an `atomic`",
     false, &RmaRepl::whynot, "whynot rw:2#1"},
    {"list", "[LINE | FROM,TO | process P]", "Looking",
     "List the program: around where processes are, around a line or a process, a range; again or Enter: what "
     "follows",
     true, &RmaRepl::list},
    {"draw", "", "Looking", "Draw what has happened: each put and get until it has landed, each flush while it waits",
     false, &RmaRepl::draw},
};

std::vector<RmaRepl::Command> const RmaRepl::Groups::others{
    {"save", "schedule|session FILE", "Files", "Write what has happened as a schedule, or the commands so far", false,
     &RmaRepl::save},
    {"source", "FILE", "Files", "Run the commands in a file", false, &RmaRepl::source_command},
    {"help", "[COMMAND]", "Help", "List all commands, or describe one", false, &RmaRepl::help},
    {"apropos", "WORD", "Help", "List the commands related to a word", false, &RmaRepl::apropos},
    {"quit", "", "Help", "Quit", false, &RmaRepl::quit_command},
};

std::vector<RmaRepl::Command> const& RmaRepl::commands() {
    static std::vector<Command> const all = [] {
        std::vector<Command> result;
        for (auto const* const group :
             {&Groups::moving, &Groups::choosing, &Groups::stopping, &Groups::looking, &Groups::others})
            result.insert(result.end(), group->begin(), group->end());
        return result;
    }();
    return all;
}

std::span<CommandAlias const> RmaRepl::aliases() { return rma_short_names; }

RmaRepl::Command const& RmaRepl::find(std::string const& word) {
    return find_command(commands(), word, rma_short_names, rma_elsewhere);
}

Refused RmaRepl::misused(std::string_view command) {
    Command const& c = find(std::string(command));
    return Refused(fmt::format("usage: {} {}{}", c.name, c.usage,
                               c.example.empty() ? "" : fmt::format("; for example: {}", c.example)));
}

void RmaRepl::help(std::string const& arguments) {
    if (arguments.empty()) return out(help_list(commands(), aliases(), std::min(80U, screen_.columns()), paint()));
    out(help_of(find(arguments), aliases(), paint()));
}

void RmaRepl::apropos(std::string const& arguments) {
    if (arguments.empty()) throw misused("apropos");
    out(apropos_list(commands(), arguments, paint()));
}

} // namespace matchpoint::cli
