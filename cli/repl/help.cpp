// The commands that list and describe commands.

#include <algorithm>

#include <fmt/format.h>

#include "cli/repl/repl.hpp"
#include "cli/trimmed.hpp"
#include "report/columns.hpp"

namespace matchpoint::cli {

Refused Repl::misused(std::string_view command) {
    std::size_t const space = std::min(command.find(' '), command.size());
    std::string_view const first = command.substr(0, space);
    std::string_view usage = find(std::string(first)).usage;
    if (space < command.size()) usage = find_subcommand(first, command.substr(space + 1))->usage;
    return Refused(fmt::format("usage: {} {}", command, usage));
}

std::string Repl::example_line(std::string_view example) {
    return example.empty() ? std::string() : fmt::format("  For example: {}\n", example);
}

/// "set variable": `arguments` are behind the command.
void Repl::help_subcommand(Command const& c, std::string const& arguments) {
    Subcommand const* const s = find_subcommand(c.name, arguments);
    if (s == nullptr) {
        if (subcommands(c.name).empty())
            throw Refused(fmt::format("`{}` has no further help: help {}", c.name, c.name));
        throw Refused(fmt::format("there is no `{} {}`; usage: {} {}", c.name, printable(arguments), c.name, c.usage));
    }
    out(fmt::format("{}{}{}\n  {}.\n{}", paint()(Style::note, fmt::format("{} {}", c.name, s->name)),
                    s->usage.empty() ? "" : " ", s->usage, s->summary, example_line(s->example)));
}

void Repl::help(std::string const& arguments) {
    if (!arguments.empty()) {
        std::size_t const end = std::min(arguments.find_first_of(" \t"), arguments.size());
        Command const& c = find(arguments.substr(0, end));
        if (end < arguments.size()) return help_subcommand(c, trimmed(arguments.substr(end)));
        out(fmt::format("{}{}{}\n  {}.{}\n{}", paint()(Style::note, c.name), c.usage.empty() ? "" : " ", c.usage,
                        c.summary, c.repeats ? " Enter does it again." : "", example_line(c.example)));
        if (std::string const others = aliases_of(c.name); !others.empty()) out(fmt::format("  Also: {}\n", others));
        for (Subcommand const& s : subcommands(c.name))
            out(fmt::format("  {} {}\n", paint()(Style::note, fmt::format("{} {:<12}", c.name, s.name)), s.summary));
        return;
    }
    std::size_t const columns = std::min(80U, screen_.columns());
    constexpr std::size_t name_columns = 20;
    std::size_t const most = std::max<std::size_t>(columns, 40) - name_columns - 1;
    std::string_view group;
    for (Command const& c : commands()) {
        if (c.group != group) out(fmt::format("{}{}\n", group.empty() ? "" : "\n", paint()(Style::heading, c.group)));
        group = c.group;
        std::string const summary(c.summary.substr(0, c.summary.find(". ")));
        // One line for each command; `help COMMAND` shows the rest.
        out(fmt::format("  {} {}\n", paint()(Style::note, fmt::format("{:<17}", c.name)),
                        summary.size() > most ? summary.substr(0, summary.rfind(' ', most - 4)) + " ..." : summary));
    }
    out("\n" +
        folded("Names may be abbreviated as long as they are unique. Enter repeats the last command, or runs the one "
               "in brackets. A line that begins with # is a comment.",
               columns, 0));
}

void Repl::apropos(std::string const& arguments) {
    if (arguments.empty()) throw misused("apropos");
    auto const lower = [](std::string_view text) {
        std::string result(text);
        std::transform(result.begin(), result.end(), result.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return result;
    };
    bool some = false;
    for (Command const& c : commands()) {
        if (lower(std::string(c.name) + ' ' + std::string(c.usage) + ' ' + std::string(c.summary))
                .find(lower(arguments)) == std::string::npos)
            continue;
        out(fmt::format("{}: {}\n", paint()(Style::note, c.name), c.summary));
        some = true;
    }
    if (!some) throw Refused(fmt::format("no command has to do with `{}`", printable(arguments)));
}

} // namespace matchpoint::cli
