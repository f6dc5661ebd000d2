#include "executions/sample.hpp"

namespace matchpoint::executions {

Sample::Sample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, Runs runs, State from)
    : Serving(messages, buffering, runs, std::move(from)), end_(End::fault) {
    if (!begin()) return;
    end_ = deliver_all(random);
}

/// One of the channels whose oldest message can be delivered, each with the same probability; none if there is none.
std::optional<Channel> Sample::some_delivery(Endpoint beta, std::mt19937_64& random) const {
    auto const& channels = live(beta);
    // Usually most channels have a message.
    for (int tries = 0; tries < 8 && !channels.empty(); ++tries)
        if (Channel const c = channels[random() % channels.size()]; can_be_delivered(c)) return c;
    std::vector<Channel> choices;
    for (Channel const c : channels)
        if (can_be_delivered(c)) choices.push_back(c);
    if (choices.empty()) return std::nullopt;
    return choices[random() % choices.size()];
}

/// The next delivery, at a random endpoint that is served.
std::optional<Channel> Sample::choose(std::mt19937_64& random) {
    for (auto& endpoints = listed(); !endpoints.empty(); unlist_last()) {
        std::swap(endpoints[random() % endpoints.size()], endpoints.back());
        Endpoint const beta = endpoints.back();
        if (!is_served(beta, live(beta))) continue;
        if (auto const c = some_delivery(beta, random)) return c;
    }
    return std::nullopt;
}

End Sample::deliver_all(std::mt19937_64& random) {
    if (code().has_probes()) return take_all(random);
    while (auto const c = choose(random))
        if (!serve(*c)) return End::fault;
    return end_here();
}

/// Takes deliveries and peeks of a program with probes, each with the same probability.
End Sample::take_all(std::mt19937_64& random) {
    std::vector<Choice> choices;
    for (add_choices(choices); !choices.empty(); add_choices(choices)) {
        if (!take(choices[random() % choices.size()])) return End::fault;
        choices.clear();
    }
    return end_here();
}

} // namespace matchpoint::executions
