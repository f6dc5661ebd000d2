#include <fmt/format.h>

#include "cli/describe/completion.hpp"

namespace matchpoint::cli {

namespace {

/// In single quotes.
std::string fish_quoted(std::string_view text) {
    std::string result = "'";
    for (char const c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + "'";
}

std::string fish_words(std::vector<std::string> const& words) {
    std::string text;
    for (std::string const& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// Options of `complete` that say how a word is completed; without one it is not.
std::string fish_action(OptionDescription const& option) {
    switch (option.words) {
    case Words::none: break;
    case Words::choices: return "-x -a " + fish_quoted(fish_words(option.choices));
    case Words::program: return "-x -a '(__matchpoint_files ctp)'";
    case Words::formula: return "-x -a '(__matchpoint_files cnf)'";
    case Words::file: return "-r -F";
    case Words::folder: return "-x -a '(__fish_complete_directories)'";
    case Words::solver: return "-x -a 'z3 cvc5 cvc4 (__fish_complete_command)'";
    case Words::command: return "-x -a '(__fish_complete_command)'";
    }
    return "-x";
}

std::string fish_option(std::string const& condition, OptionDescription const& option) {
    std::string text = fmt::format("complete -c matchpoint -n {}", fish_quoted(condition));
    for (std::string const& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.type.empty()) text += " " + fish_action(option);
    return text + fmt::format(" -d {}\n", fish_quoted(in_brief(option.meaning)));
}

/// A function that knows which command the words before the cursor name.
std::string fish_functions(CommandDescription const& top) {
    std::string cases;
    for (CommandDescription const& command : top.commands) {
        std::string names;
        for (CommandDescription const& inner : command.commands) names += " " + inner.name;
        if (!names.empty())
            cases += fmt::format("            case {0}\n"
                                 "                contains -- $word{1}; and set at {0} $word\n",
                                 command.name, names);
    }
    return fmt::format(
        "\n# Whether the words before the cursor name this command: __matchpoint_at gen scaling\n"
        "function __matchpoint_at\n"
        "    set -l at\n"
        "    for word in (commandline -opc)[2..]\n"
        "        switch \"$at\"\n"
        "            case ''\n"
        "                string match -q -- '-*' $word; or set at $word\n"
        "{}"
        "        end\n"
        "    end\n"
        "    test \"$at\" = \"$argv\"\n"
        "end\n\n"
        "# Files with this suffix, and folders on the way to them.\n"
        "function __matchpoint_files\n"
        "    __fish_complete_path (commandline -ct) | string match -r '^[^\\t]*(?:/|\\.'$argv')(?:\\t.*)?$'\n"
        "end\n\n",
        cases);
}

} // namespace

std::string fish_completion(CommandDescription const& top) {
    std::string text = "# Completion of matchpoint for fish. Made by `matchpoint --completion fish`.\n" +
                       fish_functions(top) + "complete -c matchpoint -f\n";
    for_each_command(top, [&](std::string const& path, CommandDescription const& command,
                              std::vector<OptionDescription> const& options) {
        std::string const here = "__matchpoint_at" + path.substr(top.name.size());
        for (CommandDescription const& inner : command.commands) {
            std::string const name_and_meaning =
                fmt::format("{} -d {}", inner.name, fish_quoted(in_brief(inner.summary)));
            text += fmt::format("complete -c matchpoint -n '{}' -a {}\n", here, name_and_meaning);
            if (&command == &top)
                text += fmt::format("complete -c matchpoint -n '__matchpoint_at help' -a {}\n", name_and_meaning);
        }
        for (OptionDescription const& option : options) {
            if (!option.is_argument)
                text += fish_option(here, option);
            else if (option.words == Words::command)
                text += fmt::format("complete -c matchpoint -n '{}; and contains -- -- (commandline -opc)' {}\n", here,
                                    fish_action(option));
            else if (option.words != Words::none)
                text += fmt::format("complete -c matchpoint -n '{}' {}\n", here, fish_action(option));
        }
    });
    return text + "complete -c matchpoint -n '__matchpoint_at' -a help -d 'Describe a command'\n";
}

} // namespace matchpoint::cli
