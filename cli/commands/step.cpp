#include <unistd.h>

#include <iostream>

#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/repl/line_editor.hpp"
#include "cli/repl/repl.hpp"
#include "grammar/discipline.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

namespace {

/// What a line does, and what is wrong with it if it cannot be done. False: it could not.
bool execute(Repl& repl, std::string const& line, Terminal& terminal, std::string const& where) {
    try {
        repl.execute(line);
    } catch (Refused const& e) {
        terminal.err(fmt::format("{}{}\n", where, e.what()));
        return false;
    } catch (LimitReached const& e) {
        terminal.err(fmt::format("{}limit reached: {}\n", where, e.what()));
        return false;
    }
    terminal.flush();
    return true;
}

ExitCode by_hand(Repl& repl, Terminal& terminal) {
    LineEditor editor([&] { return repl.prompt(); }, [&](std::string const& line) { return repl.completions(line); });
    while (!repl.quit()) {
        bool was_interrupted = false;
        auto const line = editor.read(was_interrupted);
        if (!line) {
            terminal.out("\n");
            break;
        }
        if (was_interrupted) {
            terminal.out("\n");
            terminal.flush();
            continue;
        }
        repl.set_columns(editor.columns());
        execute(repl, *line, terminal, "");
    }
    return holds;
}

ExitCode from_input(Repl& repl, Terminal& terminal, bool echo) {
    ExitCode code = holds;
    std::size_t number = 0;
    for (std::string line; !repl.quit() && std::getline(std::cin, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (echo) terminal.out(fmt::format("> {}\n", printable(line, 4096)));
        if (!execute(repl, line, terminal, fmt::format("<stdin>:{}: error: ", number))) code = bad_input;
    }
    return code;
}

} // namespace

ExitCode step_command(StepOptions const& options, Terminal& terminal) {
    if (options.file == "-" && options.script.empty()) {
        complain(terminal, "standard input has the commands: the program has to be a file, or the commands (-x)");
        return bad_input;
    }
    if (options.choose && options.trace) {
        complain(terminal, "--choose follows no trace: it goes without --trace");
        return bad_input;
    }
    auto const source = read_source(options.file);
    if (!source) {
        complain(terminal, source.error());
        return bad_input;
    }
    auto const program = parse(*source);
    if (!program) {
        show(terminal, program.error(), *source);
        return refused(program.error());
    }
    Diagnostics const faults = check_discipline(*program, &*source);
    show(terminal, faults, *source);
    std::size_t const count = program->traces.size();
    if (options.trace && *options.trace > count) {
        complain(terminal,
                 fmt::format("{} has no trace {}: it has {}", printable(source->name(), 4096), *options.trace, count));
        return bad_input;
    }
    IndexedProgram const code(*program);
    std::optional<MessageIndex> messages;
    if (faults.empty()) messages.emplace(code);
    Repl repl(*source, code, messages ? &*messages : nullptr, options.buffering, terminal);
    if (options.trace || (count > 0 && !options.choose)) repl.begin(options.trace.value_or(1) - 1);

    catch_interrupts();
    if (!options.script.empty()) {
        try {
            repl.source(options.script);
        } catch (Refused const& e) {
            complain(terminal, e.what());
            return bad_input;
        }
        terminal.flush();
    }
    if (repl.quit() || options.file == "-") return holds;
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return from_input(repl, terminal, options.echo);
    terminal.out(fmt::format("{}: {}, {}; {} buffering\n", printable(source->name(), 4096),
                             plural(code.ctp().threads.size(), "thread"), plural(count, "trace"),
                             to_string(options.buffering)));
    terminal.out(repl.following() ? "Following a trace; `choices` shows what else can come. `help` lists commands.\n"
                                  : "Nothing is planned: `choices` shows what can come. `help` lists commands.\n");
    terminal.flush();
    return by_hand(repl, terminal);
}

} // namespace matchpoint::cli
