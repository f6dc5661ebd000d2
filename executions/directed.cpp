#include "executions/directed.hpp"

namespace matchpoint::executions {

Directed::Directed(MessageIndex const& messages, Buffering buffering, Runs runs, MatchPairs const& pairs)
    : Serving(messages, buffering, runs), pairs_(pairs), last_(messages.sends().size()) {
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        spend(4 + 4 * pairs.of[r].size());
        for (std::uint32_t const s : pairs.of[r]) last_[s] = std::max(last_[s], messages.receives()[r].ordinal);
    }
    if (!begin()) return;
    while (auto const c = choose())
        if (!serve(*c)) return;
    end_ = end_of_restricted();
}

std::optional<Channel> Directed::choose() {
    for (auto& endpoints = listed(); !endpoints.empty(); unlist_last())
        if (is_served(endpoints.back()))
            if (auto const c = most_urgent(endpoints.back())) return c;
    return std::nullopt;
}

std::optional<Channel> Directed::most_urgent(Endpoint beta) const {
    auto const receives = messages_.receives_at(beta);
    std::uint32_t const ordinal = state().Q_s.delivered[beta.index];
    if (ordinal >= receives.size()) return std::nullopt;
    auto const& sends = pairs_.of[receives[ordinal]];
    spend(4 * sends.size());
    std::uint32_t best = unmatched;
    for (std::uint32_t const s : sends) {
        auto const& send = messages_.sends()[s];
        bool const is_next = state().Pnd_s.taken[send.channel.index] == send.place && in_transit(state(), send.channel);
        if (is_next && (best == unmatched || last_[s] < last_[best])) best = s;
    }
    return best == unmatched ? std::nullopt : std::optional(messages_.sends()[best].channel);
}

} // namespace matchpoint::executions
