// The inferences that prune a question before a solver sees it, and how often each of them applied.
// `check --statistics` prints the counts.
//
// An inference concludes from what every run of interest has that something else is in none of them: a pair of a
// receive and a send, or a value of a receive. The rule of each inference is next to its function.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::matching {

enum class Inference : std::uint8_t {
    // Pairs of a receive and a send, by the structure of the program: tight(), match_pairs.hpp.
    order,
    windows,
    counting,
    // Intervals of the constants that a receive can get: check/sat/domains.hpp.
    bounds,
    disequality,
    injection,
    equality,
    evaluation,
    hall,
    // Which channels two receives get their messages from: check/sat/channel_cases.hpp.
    channels,
    // Intervals of computed values, and the pairs that they leave: check/sat/value_bounds.hpp.
    reach,
    filter,
    sole_send,
};

inline constexpr std::array all_inferences{
    Inference::order,    Inference::windows,     Inference::counting,   Inference::bounds, Inference::injection,
    Inference::equality, Inference::disequality, Inference::evaluation, Inference::hall,   Inference::channels,
    Inference::reach,    Inference::filter,      Inference::sole_send};

std::string_view to_string(Inference i);

/// How often each inference left something out.
class InferenceCounts {
public:
    void add(Inference i, std::uint64_t n = 1) { counts_[static_cast<std::size_t>(i)] += n; }
    std::uint64_t operator[](Inference i) const { return counts_[static_cast<std::size_t>(i)]; }
    InferenceCounts& operator+=(InferenceCounts const& other);

private:
    std::array<std::uint64_t, all_inferences.size()> counts_{};
};

} // namespace matchpoint::matching
