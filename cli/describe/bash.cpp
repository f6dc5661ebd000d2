#include <fmt/format.h>

#include "cli/describe/completion.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto bash_functions = R"BASH(
# Offers what stands on the lines of a text.
_matchpoint_offer() {
    COMPREPLY=()
    [[ -z $1 ]] || mapfile -t COMPREPLY <<<"$1"
}
# A file that matches a pattern, or a folder on the way to one; any file if there is no pattern.
_matchpoint_files() {
    compopt -o filenames 2>/dev/null
    if declare -F _filedir >/dev/null; then
        _filedir $1
    else
        _matchpoint_offer "$(compgen -d -- "$cur"; compgen -f -X "${1:+!*.$1}" -- "$cur")"
    fi
}
_matchpoint_folders() {
    compopt -o filenames 2>/dev/null
    _matchpoint_offer "$(compgen -d -- "$cur")"
}
_matchpoint_choices() {
    _matchpoint_offer "$(compgen -W "$*" -- "$cur")"
}
_matchpoint_solvers() {
    _matchpoint_choices z3 cvc5 cvc4
    [[ ${#COMPREPLY[@]} -gt 0 ]] || _matchpoint_files
}

_matchpoint() {
    local cur=${COMP_WORDS[COMP_CWORD]} at=matchpoint option= behind= word
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ -n $behind ]]; then
            behind+=.
        elif [[ -n $option ]]; then # its word; bash splits `--option=word` at the `=`
            [[ $word == = ]] || option=
        elif [[ $word == -- ]]; then
            behind=.
        elif [[ $word == -* ]]; then
            ! _matchpoint_takes_word "$at $word" || option=$word
        elif [[ $word != help && " $(_matchpoint_commands "$at") " == *" $word "* ]]; then
            at+=" $word"
        fi
    done
    [[ $cur != = ]] || cur=
    if [[ $behind == . ]]; then # a command, as `validate` takes one
        _matchpoint_offer "$(compgen -c -- "$cur")"
    elif [[ -n $behind ]]; then
        _matchpoint_files
    elif [[ -n $option ]]; then
        _matchpoint_word_of "$at $option"
    elif [[ $cur == -* ]]; then
        _matchpoint_choices $(_matchpoint_options "$at")
    elif [[ -n $(_matchpoint_commands "$at") ]]; then
        _matchpoint_choices $(_matchpoint_commands "$at")
    else
        _matchpoint_word_of "$at"
    fi
}

complete -F _matchpoint matchpoint
)BASH";

std::string bash_words(std::vector<std::string> const& words) {
    std::string text;
    for (std::string const& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// The function that completes such a word; empty if none does.
std::string bash_action(OptionDescription const& option) {
    switch (option.words) {
    case Words::none: return {};
    case Words::choices: return "_matchpoint_choices " + bash_words(option.choices);
    case Words::program: return "_matchpoint_files ctp";
    case Words::formula: return "_matchpoint_files cnf";
    case Words::file: return "_matchpoint_files";
    case Words::folder: return "_matchpoint_folders";
    case Words::solver: return "_matchpoint_solvers";
    case Words::command: return "_matchpoint_choices --";
    }
    return {};
}

std::string bash_function(std::string_view comment, std::string_view name, std::string_view cases,
                          std::string_view otherwise) {
    return fmt::format("\n# {}\n{}() {{\n    case $1 in\n{}    *) {} ;;\n    esac\n}}\n", comment, name, cases,
                       otherwise);
}

} // namespace

std::string bash_completion(CommandDescription const& top) {
    std::string commands;
    std::string options;
    std::string words;
    std::string take_word;
    for_each_command(top, [&](std::string const& path, CommandDescription const& command,
                              std::vector<OptionDescription> const& all) {
        std::string inner = &command == &top ? "help" : "";
        for (CommandDescription const& c : command.commands) inner += (inner.empty() ? "" : " ") + c.name;
        if (!inner.empty()) commands += fmt::format("    '{}') echo '{}' ;;\n", path, inner);
        std::string names;
        for (OptionDescription const& option : all) {
            if (option.is_argument) {
                if (std::string const action = bash_action(option); !action.empty())
                    words += fmt::format("    '{}') {} ;;\n", path, action);
                continue;
            }
            std::string patterns;
            for (std::string const& name : option.names) {
                names += (names.empty() ? "" : " ") + name;
                patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : " | ", path, name);
            }
            if (!option.type.empty()) take_word += fmt::format("    {}) return 0 ;;\n", patterns);
            if (std::string const action = bash_action(option); !action.empty())
                words += fmt::format("    {}) {} ;;\n", patterns, action);
        }
        options += fmt::format("    '{}') echo '{}' ;;\n", path, names);
    });
    return "# Completion of matchpoint for bash. Made by `matchpoint --completion bash`.\n" +
           bash_function("The commands of a command: \"matchpoint\", \"matchpoint gen\".", "_matchpoint_commands",
                         commands, "") +
           bash_function("The options of a command.", "_matchpoint_options", options, "") +
           bash_function("Whether an option takes a word: \"matchpoint check --format\".", "_matchpoint_takes_word",
                         take_word, "return 1") +
           bash_function("Completes the word of an option, or an argument of a command.", "_matchpoint_word_of", words,
                         "") +
           bash_functions;
}

} // namespace matchpoint::cli
