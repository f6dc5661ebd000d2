// Which name a user may have meant: the known name that is nearest to a mistyped one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace matchpoint::base {

/// How many single-character edits lead from one word to the other: insertions, deletions, replacements, and exchanges
/// of two neighbours (the optimal string alignment distance). O(|a| |b|) time.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the smallest edit distance from `word`, the first of several; none if that takes more edits than
/// a third of the longer word, rounded up. Upper and lower case count as equal. A candidate that begins with `word`
/// (3 characters or more) is as near as one edit.
std::optional<std::string> nearest_name(std::string_view word, std::span<std::string const> candidates);
std::optional<std::string> nearest_name(std::string_view word, std::span<std::string_view const> candidates);

/// "; did you mean `check`?", or nothing if no candidate is near, or the word itself is one: then
/// something else is wrong. To be appended to a message.
std::string did_you_mean(std::string_view word, std::span<std::string const> candidates);
std::string did_you_mean(std::string_view word, std::span<std::string_view const> candidates);

} // namespace matchpoint::base
