#include "cli/describe/description.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace matchpoint::cli {

namespace {

std::vector<std::string> split(std::string const& text, char at) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
        end = text.find(at, begin);
        parts.push_back(text.substr(begin, end - begin));
    }
    return parts;
}

/// By the names that words have in every `--help`. A file that a command of a command reads is not a program.
Words words_of(OptionDescription const& option, bool of_inner_command) {
    if (!option.choices.empty()) return Words::choices;
    std::string const& word = option.is_argument ? option.names.front() : option.type;
    if (word == "FILE" && option.is_argument) return of_inner_command ? Words::formula : Words::program;
    if (word == "FILE" || word == "OUT" || word == "PATH" || word == "SCRIPT" || word == "INPUT") return Words::file;
    if (word == "DIR") return Words::folder;
    if (option.names.back() == "--solver") return Words::solver;
    if (word == "ENCODER") return Words::command;
    return Words::none;
}

OptionDescription describe(CLI::Option const& option, bool of_inner_command) {
    OptionDescription result;
    result.is_argument = option.get_positional();
    if (result.is_argument) result.names.push_back(option.get_single_name());
    for (std::string const& name : option.get_snames()) result.names.push_back("-" + name);
    for (std::string const& name : option.get_lnames()) result.names.push_back("--" + name);
    bool const takes_word = option.get_items_expected_max() > 0;
    if (takes_word && !result.is_argument) result.type = option.get_type_name();
    result.meaning = option.get_description();
    if (result.type.find('|') != std::string::npos) result.choices = split(result.type, '|');
    std::erase(result.choices, "FILE"); // what else it takes
    if (option.get_group() != "Options") result.group = option.get_group();
    if (takes_word) result.words = words_of(result, of_inner_command);
    result.is_required = option.get_required();
    result.is_repeated =
        option.get_items_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    return result;
}

} // namespace

CommandDescription describe(CLI::App const& app) {
    CommandDescription result;
    result.name = app.get_name();
    result.summary = app.get_description();
    result.footer = app.get_footer();
    bool const is_inner = app.get_parent() != nullptr && app.get_parent()->get_parent() != nullptr;
    for (CLI::Option const* const option : app.get_options()) result.options.push_back(describe(*option, is_inner));
    for (CLI::App const* const command : app.get_subcommands([](CLI::App const*) { return true; }))
        result.commands.push_back(describe(*command));
    return result;
}

std::vector<OptionDescription> with_options_of(CommandDescription const& above, CommandDescription const& command) {
    std::vector<OptionDescription> result = command.options;
    for (OptionDescription const& option : above.options) {
        bool const is_there = std::any_of(result.begin(), result.end(),
                                          [&](OptionDescription const& own) { return own.names == option.names; });
        if (!option.is_argument && !is_there) result.push_back(option);
    }
    return result;
}

std::string in_brief(std::string_view meaning, std::size_t most) {
    std::string_view brief = meaning.substr(0, std::min(meaning.find(". "), meaning.find('\n')));
    if (brief.ends_with('.')) brief.remove_suffix(1);
    if (brief.size() <= most) return std::string(brief);
    brief = brief.substr(0, brief.rfind(' ', most - 4));
    return std::string(brief.substr(0, brief.find_last_not_of(",;: ") + 1)) + " ...";
}

} // namespace matchpoint::cli
