#include "executions/guided.hpp"

namespace matchpoint::executions {

Guided::Guided(MessageIndex const& messages, Buffering buffering, Runs runs, Schedule const& guide, Matching const& m)
    : Scheduler(messages, buffering, runs) {
    if (!advance_all()) return;
    for (std::size_t i = 0; i < guide.size(); ++i)
        for (Channel const c : guide.entry(i).m)
            if (is_due(c, m) && !deliver(c)) return;
    if (deliver_the_rest()) end_ = end_here();
}

/// In rounds over all channels, until one delivers nothing. False: a fault.
bool Guided::deliver_the_rest() {
    auto const is_of_use = [&](Channel c) { return can_be_delivered(c) && is_served(code()[c].beta); };
    for (bool going = true; going;) {
        going = false;
        for (std::uint32_t c = 0; c < code().channels().size(); ++c)
            for (; is_of_use({c}); going = true)
                if (!deliver({c})) return false;
    }
    return true;
}

bool Guided::is_due(Channel c, Matching const& m) const {
    if (!is_enabled(code(), state(), buffering(), Deliver{c})) return false;
    Endpoint const beta = code()[c].beta;
    std::uint32_t const ordinal = state().Q_s.delivered[beta.index];
    auto const receives = messages_.receives_at(beta);
    return ordinal < receives.size() && m[receives[ordinal]] == messages_.sends_of(c)[state().Pnd_s.taken[c.index]];
}

} // namespace matchpoint::executions
