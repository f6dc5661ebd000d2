#include "base/text.hpp"

#include <fmt/format.h>

namespace matchpoint::base {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::size_t const begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string plural(std::uint64_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string plural(std::uint64_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

void append_item(std::string& list, std::string_view item, std::string_view separator) {
    if (!list.empty()) list += separator;
    list += item;
}

void append_sentence(std::string& text, std::string_view sentence) {
    if (sentence.empty()) return;
    if (text.empty()) {
        text = sentence;
        return;
    }
    text += ". ";
    char const first = sentence.front();
    text += first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : first;
    text += sentence.substr(1);
}

} // namespace matchpoint::base
