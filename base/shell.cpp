#include "base/shell.hpp"

#include <algorithm>

#include "base/source.hpp"

namespace matchpoint::base {

std::string shell_word(std::string_view word) {
    bool const plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("./_-+,=:@%").find(c) != std::string_view::npos;
    });
    if (plain) return std::string(word);
    std::string result = "'";
    for (char const c : printable(word, 4096)) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

} // namespace matchpoint::base
