#pragma once

/// What the first comment of a program in traces/rma/ promises:
///
///     ; check rma: violated                               its outcome under RMA
///     ; check sc: safe, discarded, fault, no final state  and under SC, with what is to be said beside it
///     ; finals rma: r = 0, 1, 2, 3                        the values of a variable in the final states
///     ; flushes: 4 of 7                                   the fewest flushes, of one after every remote statement
///     ; flushes: none                                     as many as there are do not help
///
/// and the programs, with their names.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace matchpoint::naive_rma {

struct Promises {
    std::map<std::string, std::string> check = {};                                    ///< by model: "rma" or "sc"
    std::map<std::pair<std::string, std::string>, std::set<std::string>> finals = {}; ///< by model and variable
    std::optional<std::string> flushes = std::nullopt;
};

inline Promises promises_of(std::string const& text) {
    Promises result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && line.rfind(";", 0) == 0;) {
        auto const behind = [&](std::string const& begin) -> std::optional<std::string> {
            if (line.rfind(begin, 0) != 0) return std::nullopt;
            return line.substr(begin.size());
        };
        for (std::string const model : {"rma", "sc"}) {
            if (auto const rest = behind("; check " + model + ": ")) result.check[model] = *rest;
            if (auto const rest = behind("; finals " + model + ": ")) {
                std::size_t const equals = rest->find(" = ");
                std::istringstream values(rest->substr(equals + 3));
                std::set<std::string>& set = result.finals[{model, rest->substr(0, equals)}];
                for (std::string value; values >> value;) {
                    value.erase(std::remove(value.begin(), value.end(), ','), value.end());
                    set.insert(value);
                }
            }
        }
        if (auto const rest = behind("; flushes: ")) result.flushes = *rest;
    }
    return result;
}

/// Name and text of every program in a folder and the folders below it, by name. Not those whose integers grow without
/// end, nor those with millions of states.
inline std::map<std::string, std::string> programs_below(std::filesystem::path const& folder) {
    std::map<std::string, std::string> result;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
        auto const parent = entry.path().parent_path().filename();
        if (entry.path().extension() != ".rma" || parent == "unbounded" || parent == "large") continue;
        std::ifstream in(entry.path());
        result[std::filesystem::relative(entry.path(), folder).string()] = {std::istreambuf_iterator<char>(in), {}};
    }
    return result;
}

} // namespace matchpoint::naive_rma
