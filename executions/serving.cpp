#include "executions/serving.hpp"

namespace matchpoint::executions {

bool Serving::begin() {
    if (!advance_all()) return false;
    list_live_channels();
    list_all();
    return true;
}

/// All endpoints that are sent messages; also those whose last one has just been delivered.
void Serving::list_all() {
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta)
        if (!messages_.channels_to({beta}).empty()) list({beta});
}

bool Serving::serve(Channel c) {
    std::uint32_t const receiver = messages_.owner(code()[c].beta);
    std::uint32_t const sender = messages_.owner(code()[c].alpha);
    bool const has_receiver = receiver != MessageIndex::thread_none;
    std::uint32_t const receiver_stood = has_receiver ? state().ctp[receiver] : 0;
    std::uint32_t const sender_stood = state().ctp[sender];
    if (!deliver(c)) return false;
    if (state().Pnd_s.taken[c.index] == code()[c].Pnd_s.capacity) retire(c);
    if (!code().is_plain()) { // any thread may have gone on
        list_all();
        return true;
    }
    list(code()[c].beta);
    if (has_receiver) list_what_changed(receiver, receiver_stood);
    if (buffering() == Buffering::zero) list_what_changed(sender, sender_stood);
    return true;
}

void Serving::list_live_channels() {
    place_of_.resize(code().channels().size());
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta) {
        auto const channels = messages_.channels_to({beta});
        live_.emplace_back(channels.begin(), channels.end());
        for (std::uint32_t i = 0; i < channels.size(); ++i) place_of_[channels[i].index] = i;
    }
}

/// All messages of a channel have been delivered.
void Serving::retire(Channel c) {
    auto& live = live_[code()[c].beta.index];
    place_of_[live.back().index] = place_of_[c.index];
    live[place_of_[c.index]] = live.back();
    live.pop_back();
}

void Serving::unlist_last() {
    spend();
    is_listed_[listed_.back().index] = false;
    listed_.pop_back();
}

void Serving::list(Endpoint beta) {
    if (is_listed_[beta.index]) return;
    is_listed_[beta.index] = true;
    listed_.push_back(beta);
}

/// The endpoints at which a thread has sent or received since it was at a command, and the one that it waits for now.
void Serving::list_what_changed(std::uint32_t thread, std::uint32_t since) {
    for (std::uint32_t i = since; i < state().ctp[thread]; ++i)
        visit_message(
            code().command_at({i}), [&](Sndi const& c) { list(c.beta); }, [&](Rcvi const& c) { list(c.beta); });
    if (Rcvi const* const receive = waits_for(thread)) list(receive->beta);
}

} // namespace matchpoint::executions
