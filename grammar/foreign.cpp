#include "grammar/foreign.hpp"

#include <algorithm>

namespace matchpoint::grammar {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::string_view decimal_digits = "0123456789";

std::string_view without_blanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

/// Takes digits, if there are any.
bool take_number(std::string_view& text) {
    std::size_t const end = std::min(text.find_first_not_of(decimal_digits), text.size());
    text.remove_prefix(end);
    return end > 0;
}

bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

/// `T2_0: `
bool begins_event(std::string_view line) {
    return take(line, "T") && take_number(line) && take(line, "_") && take_number(line) &&
           take(line = without_blanks(line), ":");
}

/// `Thread 0`
bool begins_thread(std::string_view line) {
    if (!take(line, "Thread") || line.empty() || blanks.find(line[0]) == std::string_view::npos) return false;
    line = without_blanks(line);
    return take_number(line);
}

} // namespace

ForeignFormat const* foreign_format(std::string_view text) {
    bool is_first = true;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t const end = std::min(text.find('\n', begin), text.size());
        std::string_view const line = without_blanks(text.substr(begin, end - begin));
        begin = end + 1;
        if (line.starts_with("Transition list for")) return &transitions_format;
        if (line.empty() || line.starts_with("//") || !is_first) continue;
        is_first = false;
        if (begins_event(line)) return &mp_format;
        if (begins_thread(line)) return &mercury_format;
    }
    return nullptr;
}

} // namespace matchpoint::grammar
