#include "matching/candidate_windows.hpp"

#include <algorithm>

namespace matchpoint::matching {

CandidateWindows::CandidateWindows(MessageIndex const& messages, Buffering buffering, Extent extent)
    : m_(messages), buffering_(buffering), extent_(extent), windows_(messages, buffering, extent),
      order_(messages, buffering), is_matched_(messages.sends().size()) {
    windows_.begin_with_intervals();
}

bool CandidateWindows::match(Pair p) {
    if (!contains(p)) return false;
    std::uint32_t const n = m_.receives()[p.r].ordinal;
    windows_.cut(p.s, n, n);
    is_matched_[p.s] = true;
    return true;
}

bool CandidateWindows::narrow(InferenceCounts* counts) {
    constexpr std::size_t most_rounds = 20; // stopping early is sound
    if (!narrow_by_places(counts)) return false;
    for (std::size_t round = 0; round < most_rounds; ++round) {
        order_.derive(windows_);
        if (!narrow_by_order()) break;
        if (!narrow_by_places(counts)) return false;
    }
    return true;
}

bool CandidateWindows::narrow_by_places(InferenceCounts* counts) {
    for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta)
        if (!m_.receives_at({beta}).empty()) windows_.narrow({beta}, counts);
    return !is_contradictory();
}

bool CandidateWindows::narrow_by_order() {
    bool changed = false;
    for (std::uint32_t s = 0; s < m_.sends().size(); ++s) {
        spend(16);
        std::uint32_t const first = order_.first_ordinal(s);
        std::uint32_t const end = buffering_ == Buffering::zero ? order_.ordinals_before_wait(s) : windows_.last(s) + 1;
        changed |= windows_.cut(s, first, end == 0 ? 0 : end - 1);
        if (end == 0) changed |= windows_.cut(s, 1, 0);
    }
    return changed;
}

MatchPairs CandidateWindows::pairs() const {
    MatchPairs result;
    for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
        auto& sends = result.of.emplace_back();
        for_each_send(r, [&](std::uint32_t s) { sends.push_back(s); });
        spend(8 * sends.size());
        std::sort(sends.begin(), sends.end());
    }
    return result;
}

std::uint64_t CandidateWindows::size() const {
    std::uint64_t result = 0;
    for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
        if (!windows_.is_empty(s)) result += windows_.last(s) - windows_.first(s) + 1;
    return result;
}

/// A send that has to be received, and cannot.
bool CandidateWindows::is_contradictory() const {
    if (extent_ == Extent::prefix) return false;
    for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
        if (windows_.is_empty(s) && (windows_.must_be_received(s) || is_matched_[s])) return true;
    return false;
}

} // namespace matchpoint::matching
