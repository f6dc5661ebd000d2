#include <fmt/format.h>

#include "cli/describe/completion.hpp"

namespace matchpoint::cli {

namespace {

/// In single quotes.
std::string zsh_quoted(std::string_view text) {
    std::string result = "'";
    for (char const c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// Text in a specification of _arguments: colons and brackets would end it.
std::string zsh_escaped(std::string_view text) {
    std::string result;
    for (char const c : text) {
        if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

/// "gen scaling" -> "_matchpoint_gen_scaling"
std::string function_of(std::string_view path) {
    std::string result = "_";
    for (char const c : path) result += c == ' ' ? '_' : c;
    return result;
}

std::string zsh_action(OptionDescription const& option) {
    switch (option.words) {
    case Words::none: return "()"; // a message in its place would keep options from being inserted
    case Words::choices: break;
    case Words::program: return "_files -g \"*.ctp(-.)\"";
    case Words::formula: return "_files -g \"*.cnf(-.)\"";
    case Words::file: return "_files";
    case Words::folder: return "_files -/";
    case Words::solver: return "_matchpoint_solver";
    case Words::command: return "_normal";
    }
    std::string words;
    for (std::string const& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
    return "(" + words + ")";
}

/// The specifications of an option's names: each excludes the others, unless it may be repeated.
std::string option_specification(OptionDescription const& option) {
    std::string others;
    for (std::string const& name : option.names) others += (others.empty() ? "" : " ") + name;
    if (option.names.back() == "--help" || option.names.back() == "--version") others = "- *";
    std::string text;
    for (std::string const& name : option.names) {
        std::string specification = option.is_repeated ? "*" : "(" + others + ")";
        specification += name;
        if (!option.type.empty()) specification += name.starts_with("--") ? "=" : "+";
        specification += fmt::format("[{}]", zsh_escaped(in_brief(option.meaning)));
        if (!option.type.empty())
            specification +=
                fmt::format(":{}:{}", option.choices.empty() ? zsh_escaped(option.type) : "word", zsh_action(option));
        text += fmt::format("    {} \\\n", zsh_quoted(specification));
    }
    return text;
}

std::string argument_specification(OptionDescription const& option, std::size_t number) {
    std::string const name = zsh_escaped(option.names.front());
    if (option.words == Words::command) return fmt::format("    {} \\\n", zsh_quoted("*::" + name + ":_normal"));
    std::string const place = option.is_repeated ? "*:" : fmt::format("{}{}", number, option.is_required ? ":" : "::");
    return fmt::format("    {} \\\n", zsh_quoted(place + name + ":" + zsh_action(option)));
}

std::string specifications(std::vector<OptionDescription> const& options) {
    std::string text;
    std::size_t arguments = 0;
    for (OptionDescription const& option : options)
        text += option.is_argument ? argument_specification(option, ++arguments) : option_specification(option);
    return text;
}

/// A command without commands.
std::string leaf(std::string_view path, std::vector<OptionDescription> const& options) {
    std::string arguments = specifications(options);
    arguments.erase(arguments.size() - 3); // the last " \\\n"
    return fmt::format("\n{}() {{\n  _arguments -s -S \\\n{}\n}}\n", function_of(path), arguments);
}

/// A command with commands: the first argument names one, and its function completes the rest.
std::string branch(std::string_view path, CommandDescription const& command,
                   std::vector<OptionDescription> const& options, bool is_top) {
    std::string list;
    std::string cases;
    for (CommandDescription const& inner : command.commands) {
        list += fmt::format("    {}\n", zsh_quoted(inner.name + ":" + in_brief(inner.summary)));
        cases += fmt::format("    {}) {} && ret=0 ;;\n", inner.name, function_of(std::string(path) + " " + inner.name));
    }
    if (is_top) {
        list += "    'help:Describe a command'\n";
        cases += "    help) _describe -t commands command subcommands && ret=0 ;;\n";
    }
    return fmt::format("\n{0}() {{\n"
                       "  local curcontext=$curcontext state line ret=1\n"
                       "  typeset -A opt_args\n"
                       "  local -a subcommands\n"
                       "  subcommands=(\n{1}  )\n"
                       "  _arguments -C -s \\\n{2}"
                       "    '(-): :->command' \\\n"
                       "    '(-)*:: :->arguments' && ret=0\n"
                       "  case $state in\n"
                       "  command) _describe -t commands command subcommands && ret=0 ;;\n"
                       "  arguments)\n"
                       "    curcontext=${{curcontext%:*:*}}:matchpoint-$line[1]:\n"
                       "    case $line[1] in\n{3}    esac ;;\n"
                       "  esac\n"
                       "  return ret\n"
                       "}}\n",
                       function_of(path), list, specifications(options), cases);
}

} // namespace

std::string zsh_completion(CommandDescription const& top) {
    std::string text = "#compdef matchpoint\n"
                       "# Completion of matchpoint for zsh. Made by `matchpoint --completion zsh`.\n"
                       "\n_matchpoint_solver() {\n"
                       "  _alternative 'solvers:solver:(z3 cvc5 cvc4)' 'commands:command:_command_names -e'\n"
                       "}\n";
    for_each_command(top, [&](std::string const& path, CommandDescription const& command,
                              std::vector<OptionDescription> const& options) {
        text += command.commands.empty() ? leaf(path, options) : branch(path, command, options, &command == &top);
    });
    // As a file of $fpath it is the function's own body; otherwise it is sourced.
    return text + "\nif [[ $funcstack[1] == _matchpoint ]]; then\n"
                  "  _matchpoint \"$@\"\n"
                  "else\n"
                  "  compdef _matchpoint matchpoint\n"
                  "fi\n";
}

} // namespace matchpoint::cli
