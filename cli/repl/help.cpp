// The commands that list and describe commands.

#include <algorithm>

#include <fmt/format.h>

#include "cli/repl/repl.hpp"
#include "report/columns.hpp"

namespace matchpoint::cli {

void Repl::help(std::string const& arguments) {
    if (!arguments.empty()) {
        Command const& c = find(arguments);
        out(fmt::format("{}{}{}\n  {}.{}\n", paint()(Style::note, c.name), c.usage.empty() ? "" : " ", c.usage,
                        c.summary, c.repeats ? " Enter does it again." : ""));
        if (std::string const others = aliases_of(c.name); !others.empty()) out(fmt::format("  Also: {}\n", others));
        return;
    }
    std::size_t const columns = std::min(80U, screen_.columns());
    constexpr std::size_t name_columns = 20;
    std::size_t const most = std::max<std::size_t>(columns, 40) - name_columns - 1;
    std::string_view group;
    for (Command const& c : commands()) {
        if (c.group != group) out(fmt::format("{}{}\n", group.empty() ? "" : "\n", paint()(Style::heading, c.group)));
        group = c.group;
        std::string const summary(c.summary);
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
    if (arguments.empty()) throw Refused("usage: apropos WORD");
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
