// A session's commands as a table: how a word finds one, and how `help` shows them. A table's entries have a name, the
// usage of their arguments, a group of `help`, a summary, whether Enter does them again, and an example.
//
//   constexpr CommandAlias aliases[] = {{"s", "step"}};
//   Command const& c = find_command(commands(), "s", aliases, {});
#pragma once

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/nearest_name.hpp"
#include "base/paint.hpp"
#include "base/source.hpp"
#include "base/text.hpp"
#include "cli/refused.hpp"

namespace matchpoint::cli {

/// Another name of a command; or a command of gdb that there is not, and what is nearest to it.
struct CommandAlias {
    std::string_view name;
    std::string_view of;
};

/// The command of a name, an alias or a unique beginning of a name. Throws Refused.
template <typename Command>
Command const& find_command(std::vector<Command> const& all, std::string const& word,
                            std::span<CommandAlias const> aliases, std::span<CommandAlias const> of_gdb) {
    auto const alias = std::find_if(aliases.begin(), aliases.end(), [&](auto const& a) { return a.name == word; });
    std::string_view const given = alias == aliases.end() ? std::string_view(word) : alias->of;
    std::vector<Command const*> fitting;
    for (Command const& c : all) {
        if (c.name == given) return c;
        if (c.name.starts_with(given)) fitting.push_back(&c);
    }
    if (fitting.empty()) {
        for (auto const& [theirs, ours] : of_gdb)
            if (theirs == word) throw Refused(fmt::format("there is no command `{}`: {}", theirs, ours));
        std::vector<std::string_view> names;
        names.reserve(std::size(all));
        for (Command const& c : all) names.push_back(c.name);
        std::string const meant = did_you_mean(word, names);
        throw Refused(
            fmt::format("there is no command `{}`{}", printable(word), meant.empty() ? "; `help` lists them" : meant));
    }
    if (fitting.size() > 1) {
        std::string names;
        for (Command const* const c : fitting) append_item(names, c->name);
        throw Refused(fmt::format("`{}` can be {}", printable(word), names));
    }
    return *fitting.front();
}

/// "s, st": the other names of a command.
inline std::string aliases_of(std::span<CommandAlias const> aliases, std::string_view name) {
    std::string result;
    for (auto const& [alias, of] : aliases)
        if (of == name) append_item(result, alias);
    return result;
}

/// All commands by their groups, a line for each, and their other names.
template <typename Command>
std::string help_list(std::vector<Command> const& all, std::span<CommandAlias const> aliases, std::size_t columns,
                      Paint const& paint) {
    constexpr std::size_t name_columns = 20;
    std::size_t const most = std::max<std::size_t>(columns, 40) - name_columns - 1;
    std::string text;
    std::string others;
    std::string_view group;
    for (Command const& c : all) {
        if (std::string const names = aliases_of(aliases, c.name); !names.empty())
            others += fmt::format("{}{}: {}", others.empty() ? "Other names: " : "; ", c.name, names);
        if (c.group != group) text += fmt::format("{}{}\n", group.empty() ? "" : "\n", paint(Style::heading, c.group));
        group = c.group;
        std::string const summary(c.summary.substr(0, c.summary.find(". ")));
        text += fmt::format("  {} {}\n", paint(Style::note, fmt::format("{:<17}", c.name)),
                            summary.size() > most ? summary.substr(0, summary.rfind(' ', most - 4)) + " ..." : summary);
    }
    return text + "\n" + folded(others + ".", columns, 0) +
           folded(
               "Names may be abbreviated as long as they are unique. Enter repeats the last command, or runs the one "
               "in brackets. A line that begins with # is a comment.",
               columns, 0);
}

/// One command, with its other names.
template <typename Command>
std::string help_of(Command const& c, std::span<CommandAlias const> aliases, Paint const& paint) {
    std::string text = fmt::format("{}{}{}\n  {}.{}\n", paint(Style::note, c.name), c.usage.empty() ? "" : " ", c.usage,
                                   c.summary, c.repeats ? " Enter does it again." : "");
    if (!c.example.empty()) text += fmt::format("  For example: {}\n", c.example);
    if (std::string const others = aliases_of(aliases, c.name); !others.empty())
        text += fmt::format("  Also: {}\n", others);
    return text;
}

/// The commands that have to do with a word. Throws Refused: there are none.
template <typename Command>
std::string apropos_list(std::vector<Command> const& all, std::string const& word, Paint const& paint) {
    auto const lower = [](std::string_view text) {
        std::string result(text);
        std::transform(result.begin(), result.end(), result.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return result;
    };
    std::string text;
    for (Command const& c : all) {
        std::string const about = std::string(c.name) + ' ' + std::string(c.usage) + ' ' + std::string(c.summary);
        if (lower(about).find(lower(word)) != std::string::npos)
            text += fmt::format("{}: {}\n", paint(Style::note, c.name), c.summary);
    }
    if (text.empty()) throw Refused(fmt::format("no command has to do with `{}`", printable(word)));
    return text;
}

} // namespace matchpoint::cli
