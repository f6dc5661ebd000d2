#include "cli/range.hpp"

#include "base/numbers.hpp"

namespace matchpoint::cli {

namespace {

/// The number that a whole word is, or `otherwise` for an empty one.
std::optional<std::uint64_t> number(std::string_view word, std::uint64_t otherwise) {
    if (word.empty()) return otherwise;
    return to_number<std::uint64_t>(word);
}

} // namespace

std::optional<Range> parse_range(std::string_view word) {
    std::size_t const dots = word.find("..");
    if (word.empty() || word == "..") return std::nullopt;
    auto const first = number(word.substr(0, dots), 0);
    auto const last = dots == std::string_view::npos ? first : number(word.substr(dots + 2), UINT64_MAX);
    if (!first || !last || *first > *last) return std::nullopt;
    return Range{*first, *last};
}

} // namespace matchpoint::cli
