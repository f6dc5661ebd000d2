#include "matching/match_pairs.hpp"

#include <algorithm>

namespace matchpoint::matching {

bool MatchPairs::contains(Pair p) const { return std::binary_search(of[p.r].begin(), of[p.r].end(), p.s); }

std::size_t MatchPairs::size() const {
    std::size_t n = 0;
    for (auto const& sends : of) n += sends.size();
    return n;
}

std::vector<std::uint32_t> overapprox(MessageIndex const& messages, std::uint32_t receive, bool all_sends) {
    auto const& r = messages.receives()[receive];
    std::vector<std::uint32_t> sends;
    for (Channel const c : messages.channels_to(r.beta)) {
        auto const of_channel = messages.sends_of(c);
        auto const count = static_cast<std::uint32_t>(of_channel.size());
        std::uint32_t const others =
            (all_sends ? static_cast<std::uint32_t>(messages.sends().size()) : messages.sends_to(r.beta)) - count;
        // Criterion 2: i <= n. Criterion 3: n <= i + others.
        std::uint32_t const from = r.ordinal > others ? r.ordinal - others : 0;
        spend(2);
        for (std::uint32_t i = from; i < count && i <= r.ordinal; ++i) sends.push_back(of_channel[i]);
    }
    spend(8 * sends.size());
    std::sort(sends.begin(), sends.end());
    return sends;
}

bool are_compatible(MessageIndex const& messages, Pair a, Pair b) {
    if (a.s == b.s) return false;
    auto const& s = messages.sends()[a.s];
    auto const& t = messages.sends()[b.s];
    if (s.channel != t.channel) return true;
    std::int64_t const places = std::int64_t{t.place} - s.place;
    std::int64_t const ordinals = std::int64_t{messages.receives()[b.r].ordinal} - messages.receives()[a.r].ordinal;
    return places > 0 ? places <= ordinals : places >= ordinals;
}

MatchPairs overapprox(MessageIndex const& messages, bool all_sends) {
    MatchPairs pairs;
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r)
        pairs.of.push_back(overapprox(messages, r, all_sends));
    return pairs;
}

} // namespace matchpoint::matching
