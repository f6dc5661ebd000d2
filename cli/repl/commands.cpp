// The table of the commands.

#include "cli/repl/repl.hpp"

namespace matchpoint::cli {

/// The groups of `help`.
struct Repl::Groups {
    using enum Completion;
    static std::vector<Command> const moving;
    static std::vector<Command> const choosing;
    static std::vector<Command> const stopping;
    static std::vector<Command> const looking;
    static std::vector<Command> const for_files;
    static std::vector<Command> const for_help;
};

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
     "BETA ALPHA",
     "Choosing",
     "Deliver the oldest message from ALPHA to BETA",
     {endpoints, endpoints},
     false,
     &Repl::deliver},
    {"thread", "I", "Choosing", "Take the next command of thread I", threads, true, &Repl::thread},
    {"follow", "\"N;N;...\"", "Choosing", "Take these choices in turn", nothing, false, &Repl::follow},
    {"auto", "", "Choosing", "Take the first choice until none is left, or to a breakpoint", nothing, false,
     &Repl::automatic},
    {"random", "[SEED]", "Choosing", "Choose at random until no choice is left, or to a breakpoint", nothing, false,
     &Repl::random},
    {"search", "failure|success|deadlock|orphan|fault|R=S [LIMIT]", "Choosing",
     "Find a way from here, by the engines of `check`, and plan it. With LIMIT, and for R=S, it is one with the "
     "fewest deliveries, among so many states",
     goals, false, &Repl::search},
    {"set", "[timeout SECONDS | memory MIB | pager on|off | variable X = EXPR]", "Choosing",
     "Set or show limits of `search` and `whynot`, and the pager; or give X another value from here on, in a run "
     "that is no longer one of the program",
     literals, false, &Repl::set},
};

std::vector<Repl::Command> const Repl::Groups::stopping{
    {"break", "LOC | thread I | receive A | status S | EXPR [if EXPR]", "Stopping",
     "Stop before LOC, before a step of thread I, when a wait completes A, when the status becomes S, when EXPR "
     "becomes true; with `if`, only when that is true as well",
     breakpoints, false, &Repl::break_at},
    {"tbreak", "...", "Stopping", "The same, for one stop", breakpoints, false, &Repl::tbreak},
    {"watch", "X | Q_s(BETA) | Pnd_r(BETA) | Pnd_s(BETA,ALPHA) [if EXPR]", "Stopping",
     "Stop at a step that changes a value or a queue", values, false, &Repl::watch},
    {"condition",
     "N [EXPR]",
     "Stopping",
     "Let breakpoint N stop only if EXPR is true, or always",
     {nothing, values},
     false,
     &Repl::condition},
    {"ignore", "N COUNT", "Stopping", "Let the next COUNT stops at breakpoint N pass", nothing, false, &Repl::ignore},
    {"enable", "[N ...]", "Stopping", "Let breakpoints stop again, by default all", nothing, false, &Repl::enable},
    {"disable", "[N ...]", "Stopping", "Let breakpoints not stop, by default all", nothing, false, &Repl::disable},
    {"delete", "[N ...]", "Stopping", "Delete breakpoints and watchpoints, by default all", nothing, false,
     &Repl::delete_breakpoints},
};

std::vector<Repl::Command> const Repl::Groups::looking{
    {"print", "[/x|/d|/o|/b] EXPR | Q_s(BETA) | Pnd_r(BETA) | Pnd_s(BETA,ALPHA)", "Looking",
     "Print the value of an expression over the program's variables, or a queue; /x: hexadecimal, /d: decimal, "
     "/o: octal, /b: binary",
     values, false, &Repl::print},
    {"display", "[...]", "Looking", "Print it after every move", values, false, &Repl::display},
    {"undisplay", "[N ...]", "Looking", "End displays, by default all", nothing, false, &Repl::undisplay},
    {"last", "X | Q_s(BETA) | Pnd_r(BETA) | Pnd_s(BETA,ALPHA)", "Looking",
     "Say which step last changed a value or a queue", values, false, &Repl::last},
    {"info",
     "state [thread I ...] | threads | queues | requests | matches | trace | status | breakpoints | checkpoints | "
     "variables [PATTERN] | sends [PATTERN] | receives [PATTERN] | line [LOC] | display | watchpoints",
     "Looking", "Show a part of the state, of the program or of the session", literals, false, &Repl::info},
    {"list", "[LOC | thread I | FROM,TO | -]", "Looking",
     "List the program: around the next commands, around LOC, a thread, a range; again or Enter: what follows; "
     "-: what is before",
     locations, true, &Repl::list},
    {"backtrace", "[N]", "Looking", "Show the rules of the last N steps (default: 3)", nothing, false,
     &Repl::backtrace},
    {"diff", "", "Looking", "Show what the last step changed", nothing, false, &Repl::diff},
    {"why", "", "Looking", "Explain the status, and why nothing can come next", nothing, false, &Repl::why},
    {"whynot",
     "R S",
     "Looking",
     "Explain why receive R cannot get send S, here or in any run",
     {receives, sends},
     false,
     &Repl::whynot},
    {"msc", "[N..M] [thread I ...]", "Looking", "Draw the space-time diagram of the run, or a part of it", literals,
     false, &Repl::msc},
    {"verbose", "on|off", "Looking", "Show the rules of expressions too when moving", literals, false, &Repl::verbose},
};

std::vector<Repl::Command> const Repl::Groups::for_files{
    {"save",
     "trace|session FILE",
     "Files",
     "Write the program with the run so far as its trace, or the commands so far",
     {literals, files},
     false,
     &Repl::save},
    {"source", "FILE", "Files", "Run the commands in a file", files, false, &Repl::source_command},
    {"reload", "", "Files", "Read the edited program again; keep breakpoints and the run", nothing, false,
     &Repl::reload},
};

std::vector<Repl::Command> const Repl::Groups::for_help{
    {"help", "[COMMAND]", "Help", "List all commands, or describe one", commands, false, &Repl::help},
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

} // namespace matchpoint::cli
