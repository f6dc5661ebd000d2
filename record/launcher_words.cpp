#include "record/launcher_words.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/numbers.hpp"
#include "importers/scanner.hpp"

namespace matchpoint::record {

namespace {

bool can_be_run(std::filesystem::path const& file) {
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

/// Finds a file, or a name in PATH. Empty if it is neither.
std::filesystem::path program_named(std::string const& word) {
    if (can_be_run(word)) return word;
    char const* const all = std::getenv("PATH");
    if (all == nullptr || word.find('/') != std::string::npos) return {};
    for (std::string_view rest = all; !rest.empty();) {
        std::size_t const end = std::min(rest.find(':'), rest.size());
        if (std::filesystem::path file = std::filesystem::path(rest.substr(0, end)) / word; can_be_run(file))
            return file;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

bool says_ranks(std::string_view option) {
    return option == "-n" || option == "-np" || option == "--n" || option == "--np" || option == "-c";
}

} // namespace

LauncherWords launcher_words(std::vector<std::string> const& command) {
    LauncherWords result;
    for (std::size_t i = 1; i < command.size(); ++i) {
        std::string const& word = command[i];
        if (says_ranks(word) && i + 1 < command.size()) {
            result.ranks = natural(command[++i]);
            continue;
        }
        // What can be run is the program: another word is an option, or the value of one.
        if (!word.empty() && word.front() != '-') result.program = program_named(word);
        if (!result.program.empty()) break;
    }
    if (std::find(command.begin(), command.end(), ":") != command.end()) result.ranks.reset();
    return result;
}

} // namespace matchpoint::record
