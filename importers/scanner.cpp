#include "importers/scanner.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/numbers.hpp"

namespace matchpoint::importers {

std::string_view Scanner::rest() {
    if (fault_) return {};
    at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    return text_.substr(at_);
}

bool Scanner::take(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    at_ += text.size();
    return true;
}

std::string_view Scanner::next_word(std::string_view ends) {
    std::string_view word = rest();
    word = word.substr(0, word.find_first_of(blanks));
    return word.substr(0, word.find_first_of(ends));
}

std::string_view Scanner::word(std::string_view ends) {
    std::string_view const word = next_word(ends);
    at_ += word.size();
    return word;
}

void Scanner::expect(std::string_view text) {
    if (!take(text)) fail_here(fmt::format("`{}`", text));
}

void Scanner::expect_end() {
    if (!at_end()) fail_here("the end of the line");
}

std::uint64_t Scanner::number(std::string_view what, std::uint64_t limit) {
    std::string_view const left = rest();
    std::string_view const digits = left.substr(0, std::min(left.find_first_not_of("0123456789"), left.size()));
    auto const n = natural(digits);
    if (!n) {
        fail_here(what);
        return 0;
    }
    if (*n > limit) {
        fail("limit", digits,
             fmt::format("{} is too large: no more than {} is possible here", printable(digits), limit));
        return 0;
    }
    at_ += digits.size();
    return *n;
}

Place Scanner::place_of(std::string_view part) const {
    Place place = begin_;
    place.offset += static_cast<Offset>(part.data() - text_.data());
    place.length = static_cast<std::uint32_t>(part.size());
    return place;
}

Place Scanner::whole() const {
    std::size_t const first = std::min(text_.find_first_not_of(blanks), text_.size());
    std::size_t const last = std::min(text_.find_last_not_of(blanks), text_.size() - 1) + 1;
    return place_of(text_.substr(first, std::max(first, last) - first));
}

void Scanner::fail(std::string_view rule, std::string_view at, std::string message) {
    if (!fault_) fault_ = LineFault{rule, place_of(at), std::move(message)};
}

void Scanner::fail_here(std::string_view expected) {
    if (fault_) return;
    std::string_view const left = rest();
    if (left.empty()) return fail("syntax", left, fmt::format("the line ends where {} was expected", expected));
    std::size_t const length = left.find_first_of(" \t\r\v\f(),", 1);
    std::string_view const found = left.substr(0, length);
    fail("syntax", found, fmt::format("`{}` where {} was expected", printable(found), expected));
}

std::optional<Scanner> Lines::next() {
    if (at_ >= text_.size()) return std::nullopt;
    std::size_t const end = std::min(text_.find('\n', at_), text_.size());
    Place const place{file_, ++line_, static_cast<Offset>(at_), 1};
    Scanner scanner(text_.substr(at_, end - at_), place);
    at_ = end + 1;
    return scanner;
}

} // namespace matchpoint::importers
