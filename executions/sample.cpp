#include "executions/sample.hpp"

namespace matchpoint::executions {

Sample::Sample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, Runs runs, State from)
    : Serving(messages, buffering, runs, std::move(from)), end_(End::fault) {
    if (!begin()) return;
    list_live_channels();
    end_ = deliver_all(random);
}

void Sample::list_live_channels() {
    place_of_.resize(code().channels().size());
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta) {
        auto const channels = messages_.channels_to({beta});
        live_.emplace_back(channels.begin(), channels.end());
        for (std::uint32_t i = 0; i < channels.size(); ++i) place_of_[channels[i].index] = i;
    }
}

/// All messages of a channel have been delivered.
void Sample::retire(Channel c) {
    auto& live = live_[code()[c].beta.index];
    place_of_[live.back().index] = place_of_[c.index];
    live[place_of_[c.index]] = live.back();
    live.pop_back();
}

/// One of the channels with a message in transit, each with the same probability; none if there is none.
std::optional<Channel> Sample::some_in_transit(Endpoint beta, std::mt19937_64& random) const {
    auto const& channels = live_[beta.index];
    // Usually most channels have a message.
    for (int tries = 0; tries < 8 && !channels.empty(); ++tries)
        if (Channel const c = channels[random() % channels.size()]; in_transit(state(), c)) return c;
    std::vector<Channel> choices;
    for (Channel const c : channels)
        if (in_transit(state(), c)) choices.push_back(c);
    if (choices.empty()) return std::nullopt;
    return choices[random() % choices.size()];
}

/// The next delivery, at a random endpoint that is served.
std::optional<Channel> Sample::choose(std::mt19937_64& random) {
    for (auto& endpoints = listed(); !endpoints.empty(); unlist_last()) {
        std::swap(endpoints[random() % endpoints.size()], endpoints.back());
        Endpoint const beta = endpoints.back();
        if (!is_served(beta, live_[beta.index])) continue;
        if (auto const c = some_in_transit(beta, random)) return c;
    }
    return std::nullopt;
}

End Sample::deliver_all(std::mt19937_64& random) {
    while (auto const c = choose(random)) {
        if (!serve(*c)) return End::fault;
        if (state().Pnd_s.taken[c->index] == code()[*c].Pnd_s.capacity) retire(*c);
    }
    return end_here();
}

} // namespace matchpoint::executions
