#include "executions/sample.hpp"

#include <numeric>

namespace matchpoint::executions {

Sample::Sample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, Runs runs)
    : Scheduler(messages, buffering, runs), end_(End::fault) {
    if (!advance_all()) return;
    list_live_channels();
    end_ = deliver_all(random);
}

void Sample::list_live_channels() {
    std::vector<std::uint32_t> endpoints;
    place_of_.resize(code().channels().size());
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta) {
        auto const channels = messages_.channels_to({beta});
        live_.emplace_back(channels.begin(), channels.end());
        if (!channels.empty()) endpoints.push_back(beta);
        for (std::uint32_t i = 0; i < channels.size(); ++i) place_of_[channels[i].index] = i;
    }
    std::size_t const threads = code().ctp().threads.size();
    by_thread_ = buffering() == Buffering::infinite && threads < endpoints.size();
    if (by_thread_) {
        places_.resize(threads);
        std::iota(places_.begin(), places_.end(), 0U);
    } else {
        places_ = std::move(endpoints);
    }
}

/// All messages of a channel have been delivered.
void Sample::retire(Channel c) {
    Endpoint const beta = code()[c].beta;
    auto& live = live_[beta.index];
    place_of_[live.back().index] = place_of_[c.index];
    live[place_of_[c.index]] = live.back();
    live.pop_back();
    if (live.empty() && !by_thread_) std::erase(places_, beta.index);
}

/// The endpoint that a place stands for; none: a thread that does not wait for a message.
std::optional<Endpoint> Sample::endpoint_at(std::uint32_t place) const {
    if (!by_thread_) return Endpoint{place};
    Rcvi const* const receive = waits_for(place);
    return receive == nullptr ? std::nullopt : std::optional(receive->beta);
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
    for (std::size_t tries = places_.size(); tries > 0; --tries) {
        // A random order, made only as far as it is needed.
        std::swap(places_[random() % tries], places_[tries - 1]);
        auto const beta = endpoint_at(places_[tries - 1]);
        if (!beta || !is_served(*beta, live_[beta->index])) continue;
        if (auto const c = some_in_transit(*beta, random)) return c;
    }
    return std::nullopt;
}

End Sample::deliver_all(std::mt19937_64& random) {
    while (auto const c = choose(random)) {
        if (!deliver(*c)) return End::fault;
        if (state().Pnd_s.taken[c->index] == code()[*c].Pnd_s.capacity) retire(*c);
    }
    return end_here();
}

} // namespace matchpoint::executions
