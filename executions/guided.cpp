#include "executions/guided.hpp"

namespace matchpoint::executions {

Guided::Guided(MessageIndex const& messages, Buffering buffering, Runs runs, Schedule const& guide, Matching const& m)
    : Scheduler(messages, buffering, runs) {
    if (!advance_all()) return;
    for (std::size_t i = 0; i < guide.size(); ++i)
        for (Channel const c : guide.entry(i).m)
            if (is_due(c, m) && !deliver(c)) return;
    while (auto const c = any_delivery())
        if (!deliver(*c)) return;
    end_ = end_here();
}

std::optional<Channel> Guided::any_delivery() const {
    for (std::uint32_t c = 0; c < code().channels().size(); ++c)
        if (is_enabled(code(), state(), buffering(), Deliver{{c}}) && is_served(code()[Channel{c}].beta))
            return Channel{c};
    return std::nullopt;
}

bool Guided::is_due(Channel c, Matching const& m) const {
    if (!is_enabled(code(), state(), buffering(), Deliver{c})) return false;
    Endpoint const beta = code()[c].beta;
    std::uint32_t const ordinal = state().Q_s.delivered[beta.index];
    auto const receives = messages_.receives_at(beta);
    return ordinal < receives.size() && m[receives[ordinal]] == messages_.sends_of(c)[state().Pnd_s.taken[c.index]];
}

} // namespace matchpoint::executions
