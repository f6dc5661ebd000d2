#include "base/nearest_name.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::base {

namespace {

/// Nobody types a longer name by hand, and the distance takes quadratic time.
constexpr std::size_t longest = 100;

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

template <typename Candidates>
std::optional<std::string> nearest(std::string_view word, Candidates const& candidates) {
    if (word.empty() || word.size() > longest) return std::nullopt;
    std::string const typed = lower_case(word);
    std::optional<std::string> best;
    std::size_t best_distance = longest;
    for (std::string_view const candidate : candidates) {
        if (candidate.empty() || candidate.size() > longest) continue;
        std::string const known = lower_case(candidate);
        std::size_t distance = edit_distance(typed, known);
        if (typed.size() >= 3 && known.starts_with(typed)) distance = std::min<std::size_t>(distance, 1);
        std::size_t const most = (std::max(typed.size(), known.size()) + 2) / 3;
        if (distance > most || distance >= best_distance) continue;
        // Everything about a very short name can be replaced: then nothing has been recognised.
        if (distance >= std::max(typed.size(), known.size())) continue;
        best = candidate;
        best_distance = distance;
    }
    return best;
}

template <typename Candidates>
std::string question(std::string_view word, Candidates const& candidates) {
    auto const name = nearest(word, candidates);
    return name && *name != word ? fmt::format("; did you mean `{}`?", *name) : std::string();
}

} // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // Row i: from the first i characters of a to each beginning of b.
    std::vector<std::size_t> before_last;
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last = std::move(last);
        last = std::move(row);
        row.assign(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            bool const same = a[i - 1] == b[j - 1];
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
            bool const exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row.back();
}

std::optional<std::string> nearest_name(std::string_view word, std::span<std::string const> candidates) {
    return nearest(word, candidates);
}

std::optional<std::string> nearest_name(std::string_view word, std::span<std::string_view const> candidates) {
    return nearest(word, candidates);
}

std::string did_you_mean(std::string_view word, std::span<std::string const> candidates) {
    return question(word, candidates);
}

std::string did_you_mean(std::string_view word, std::span<std::string_view const> candidates) {
    return question(word, candidates);
}

} // namespace matchpoint::base
