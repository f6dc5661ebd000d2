// The named assertions of an SMT problem.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace matchpoint::test {

using Lines = std::vector<std::string>;

inline Lines lines(std::string const& text) {
    Lines result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find('\n', at), text.size());
        result.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return result;
}

/// "NAME: TERM" for each named assertion whose name has the word in it.
inline Lines constraints(std::string const& text, std::string_view word) {
    Lines result;
    for (std::string const& line : lines(text)) {
        std::size_t const name = line.find(" :named |");
        if (name == std::string::npos || line.find(word, name) == std::string::npos) continue;
        constexpr std::size_t open = std::string_view("(assert (! ").size();
        std::size_t const begin = name + std::string_view(" :named |").size();
        result.push_back(line.substr(begin, line.size() - 3 - begin) + ": " + line.substr(open, name - open));
    }
    return result;
}

} // namespace matchpoint::test
