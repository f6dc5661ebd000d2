// The table of the commands.

#include <fmt/format.h>

#include "cli/repl/repl.hpp"

namespace matchpoint::cli {

namespace {

/// "state [thread I ...] | threads": the usage of a command that has subcommands.
std::string usages(std::span<Repl::Subcommand const> all) {
    std::string result;
    for (Repl::Subcommand const& s : all)
        result += fmt::format("{}{}{}{}", result.empty() ? "" : " | ", s.name, s.usage.empty() ? "" : " ", s.usage);
    return result;
}

} // namespace

/// The groups of `help`.
struct Repl::Groups {
    using enum Completion;
    // Before the groups, which are made of them.
    static std::vector<Subcommand> const of_info;
    static std::vector<Subcommand> const of_set;
    static std::string const usage_of_info;
    static std::string const usage_of_set;
    static std::vector<Command> const moving;
    static std::vector<Command> const choosing;
    static std::vector<Command> const stopping;
    static std::vector<Command> const looking;
    static std::vector<Command> const for_files;
    static std::vector<Command> const for_help;
};

// A word stands for the first one that it begins.
std::vector<Repl::Subcommand> const Repl::Groups::of_info{
    {"state", "[thread I ...]", "The whole state, or what the commands of some threads name", &Repl::info_state},
    {"threads", "", "Where each thread is, and for what it waits", &Repl::info_threads},
    {"queues", "", "The queues that are not empty", &Repl::info_queues},
    {"requests", "", "The requests that are open: A", &Repl::info_requests},
    {"matches", "", "Which receive got which send", &Repl::info_matches},
    {"trace", "", "The plan, with the entry that comes next", &Repl::info_trace},
    {"status", "", "The status, and why nothing can come next", &Repl::info_status},
    {"breakpoints", "[N ...]", "Breakpoints and watchpoints, and how often they were met", &Repl::info_breakpoints},
    {"checkpoints", "", "The places to which `restart` goes", &Repl::info_checkpoints},
    {"variables", "[PATTERN]", "The variables, their values, and which steps they are from", &Repl::info_variables,
     "info variables sum*"},
    {"sends", "[PATTERN]", "The sends, and what has become of each", &Repl::info_sends, "info sends S4"},
    {"receives", "[PATTERN]", "The receives, and what each has got", &Repl::info_receives, "info receives R*"},
    {"line", "[LOC]", "Where LOC, or the command that comes next, is in the file", &Repl::info_line, "info line 09"},
    {"display", "", "What is printed after every move", &Repl::info_display},
    {"watchpoints", "", "The watchpoints alone", &Repl::info_watchpoints},
};

std::vector<Repl::Subcommand> const Repl::Groups::of_set{
    {"timeout", "SECONDS", "How long `search` and `whynot` may take", &Repl::set_timeout, "set timeout 300"},
    {"memory", "MIB", "How much memory `search` and `whynot` may take", &Repl::set_memory, "set memory 8192"},
    {"pager", "on|off", "Whether what is longer than the screen goes to the pager", &Repl::set_pager},
    {"variable", "X = EXPR",
     "Give X another value from here on, in a run that is no longer one of the program; `set X = EXPR` does the same",
     &Repl::set_variable, "set variable a = (+ b 1)"},
};

std::string const Repl::Groups::usage_of_info = usages(of_info);
std::string const Repl::Groups::usage_of_set = "[" + usages(of_set) + "]";

std::vector<Repl::Command> const Repl::Groups::moving{
    {"step", "[N]", "Moving", "Run the next N entries of the trace", nothing, true, &Repl::step},
    {"stepi", "[N]", "Moving", "Apply the next N rules of Figures 6 to 8", nothing, true, &Repl::stepi},
    {"next", "", "Moving", "Go on until the thread that moves next has moved again", nothing, true, &Repl::next},
    {"continue", "", "Moving", "Go on to the next breakpoint, or to the end", nothing, true, &Repl::go_on},
    {"until", "[LOC]", "Moving", "Go on until LOC comes next; without LOC, as `next`", locations, false, &Repl::until},
    {"jump", "N", "Moving", "Go to step N, forward or back, past breakpoints", nothing, false, &Repl::jump},
    {"run", "[TRACE]", "Moving", "Run a trace from its beginning to a breakpoint, or to the end", traces, false,
     &Repl::run},
    {"end", "", "Moving", "Go to the end of the trace, past breakpoints", nothing, false, &Repl::end},
    {"trace", "[TRACE]", "Moving", "Follow a trace of the file, from its beginning", traces, false, &Repl::trace},
    {"reverse-step", "[N]", "Moving", "Take the last N steps back", nothing, true, &Repl::reverse_step},
    {"reverse-stepi", "[N]", "Moving", "Take the last N rules back", nothing, true, &Repl::reverse_stepi},
    {"reverse-next", "", "Moving", "Go back to before the last step of the thread that moves next", nothing, true,
     &Repl::reverse_next},
    {"reverse-continue", "", "Moving", "Go back to the previous breakpoint, or to the beginning", nothing, true,
     &Repl::reverse_continue},
    {"undo", "", "Moving", "Go back to before the last command that moved", nothing, true, &Repl::undo},
    {"redo", "", "Moving", "Revert the last undo", nothing, true, &Repl::redo},
    {"checkpoint", "", "Moving", "Remember this place as a numbered checkpoint", nothing, false, &Repl::checkpoint},
    {"restart", "N", "Moving", "Go to checkpoint N", nothing, false, &Repl::restart},
};

std::vector<Repl::Command> const Repl::Groups::choosing{
    {"choices", "[-a]", "Choosing", "List what can come next; -a: also what cannot, and why", literals, false,
     &Repl::choices},
    {"choose", "N", "Choosing", "Take choice N of `choices`", nothing, false, &Repl::choose},
    {"deliver",
     "BETA ALPHA [TAG]",
     "Choosing",
     "Deliver to BETA the next message from ALPHA",
     {endpoints, endpoints},
     false,
     &Repl::deliver,
     "deliver 0 2"},
    {"thread", "I", "Choosing", "Take the next command of thread I", threads, true, &Repl::thread},
    {"follow", "\"N;N;...\"", "Choosing", "Take these choices in turn", nothing, false, &Repl::follow},
    {"auto", "", "Choosing", "Take the first choice until none is left, or to a breakpoint", nothing, false,
     &Repl::automatic},
    {"random", "[SEED]", "Choosing",
     "Choose at random by SEED (default: 1) until no choice is left, or to a breakpoint", nothing, false,
     &Repl::random},
    {"search", "failure|success|deadlock|orphan|fault|R=S [LIMIT]", "Choosing",
     "Find a way from here, by the engines of `check`, and plan it. With LIMIT, and for R=S, it is one with the "
     "fewest deliveries, among so many states",
     goals, false, &Repl::search, "search R2=S5"},
    {"set", usage_of_set, "Choosing",
     "Set or show limits of `search` and `whynot`, and the pager; or give X another value from here on, in a run "
     "that is no longer one of the program",
     literals, false, &Repl::set},
};

std::vector<Repl::Command> const Repl::Groups::stopping{
    {"break", "LOC | LINE | FILE:LINE | thread I | receive A | status S | EXPR [if EXPR]", "Stopping",
     "Stop before LOC, before the first command of a line, before a step of thread I, when a wait completes A, when "
     "the status becomes S, when EXPR "
     "becomes true; with `if`, only when that is true as well",
     breakpoints, false, &Repl::break_at, "break 09 if (> a 1)"},
    {"tbreak", "...", "Stopping", "As `break`, for one stop", breakpoints, false, &Repl::tbreak, "tbreak receive R2"},
    {"watch", "X | Q_s(BETA) | Pnd_r(BETA) | Pnd_s(BETA,ALPHA) [if EXPR]", "Stopping",
     "Stop at a step that changes a value or a queue. What is before a step and after it is compared; with `stepi`, "
     "what is before a rule and after it. To write the value that a variable has changes nothing: `last X` finds that",
     values, false, &Repl::watch, "watch Q_s(0)"},
    {"condition",
     "N [EXPR]",
     "Stopping",
     "Let breakpoint N stop only if EXPR is true, or always",
     {nothing, values},
     false,
     &Repl::condition,
     "condition 1 (and (> a 1) (= b 0))"},
    {"ignore", "N COUNT", "Stopping", "Let the next COUNT stops at breakpoint N pass", nothing, false, &Repl::ignore},
    {"enable", "[N ...]", "Stopping", "Let breakpoints stop again, by default all", nothing, false, &Repl::enable},
    {"disable", "[N ...]", "Stopping", "Let breakpoints not stop, by default all", nothing, false, &Repl::disable},
    {"delete", "[N ...]", "Stopping", "Delete breakpoints and watchpoints, by default all", nothing, false,
     &Repl::delete_breakpoints},
};

std::vector<Repl::Command> const Repl::Groups::looking{
    {"print", "[/x|/d|/o|/b] EXPR | Q_s(BETA) | Pnd_r(BETA) | Pnd_s(BETA,ALPHA) | A(ACTION)", "Looking",
     "Print the value of an expression over the program's variables, a queue, or the endpoint of an open request; "
     "/x: hexadecimal, /d: decimal, /o: octal, /b: binary",
     values, false, &Repl::print, "print/x (* a 16)"},
    {"display", "[...]", "Looking", "Print it after every move", values, false, &Repl::display},
    {"undisplay", "[N ...]", "Looking", "End displays, by default all", nothing, false, &Repl::undisplay},
    {"last", "X | Q_s(BETA) | Pnd_r(BETA) | Pnd_s(BETA,ALPHA)", "Looking",
     "Say which step last wrote a variable, also with the value that it had, or last changed another value or a queue",
     values, false, &Repl::last, "last a"},
    {"info", usage_of_info, "Looking", "Show a part of the state, of the program or of the session", literals, false,
     &Repl::info},
    {"list", "[LOC | thread I | FROM,TO | - | .]", "Looking",
     "List the program: around the next commands, around LOC, a thread, a range; again or Enter: what follows; "
     "-: what is before; .: the next commands again",
     locations, true, &Repl::list},
    {"backtrace", "[N]", "Looking", "Show the rules of the last N steps (default: 3)", nothing, false,
     &Repl::backtrace},
    {"diff", "", "Looking", "Show what the last step changed", nothing, false, &Repl::diff},
    {"why", "", "Looking", "Explain the status, and why nothing can come next", nothing, false, &Repl::why},
    {"whynot",
     "R S | LOC",
     "Looking",
     "Explain why receive R cannot get send S, here or in any run, or why LOC cannot run now",
     {receives, sends},
     false,
     &Repl::whynot,
     "whynot R2 S5"},
    {"msc", "[N..M] [thread I ...]", "Looking", "Draw the space-time diagram of the run, or a part of it", literals,
     false, &Repl::msc, "msc 30..60 thread 0 2"},
    {"verbose", "on|off", "Looking", "Show the rules of expressions too when moving", literals, false, &Repl::verbose},
};

std::vector<Repl::Command> const Repl::Groups::for_files{
    {"save",
     "trace|session FILE",
     "Files",
     "Add the run so far to the program as a trace, or write the commands so far. The trace goes into the program's "
     "own "
     "file, or into a copy of it",
     {literals, files},
     false,
     &Repl::save},
    {"source", "FILE", "Files", "Run the commands in a file", files, false, &Repl::source_command},
    {"reload", "", "Files",
     "Read the edited program again; keep breakpoints and the run. Checkpoints, undo and redo start anew", nothing,
     false, &Repl::reload},
};

std::vector<Repl::Command> const Repl::Groups::for_help{
    {"help", "[COMMAND]", "Help", "List all commands, or describe one", commands, false, &Repl::help,
     "help set variable"},
    {"apropos", "WORD", "Help", "List the commands related to a word", nothing, false, &Repl::apropos},
    {"quit", "", "Help", "Quit", nothing, false, &Repl::quit_command},
};

std::vector<Repl::Command> const& Repl::commands() {
    static std::vector<Command> const all = [] {
        std::vector<Command> result;
        for (auto const* const group : {&Groups::moving, &Groups::choosing, &Groups::stopping, &Groups::looking,
                                        &Groups::for_files, &Groups::for_help})
            result.insert(result.end(), group->begin(), group->end());
        return result;
    }();
    return all;
}

std::span<Repl::Subcommand const> Repl::subcommands(std::string_view command) {
    if (command == "info") return Groups::of_info;
    if (command == "set") return Groups::of_set;
    return {};
}

} // namespace matchpoint::cli
