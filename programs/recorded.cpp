#include "programs/recorded.hpp"

namespace matchpoint::programs {

Recorded::Recorded(MessageIndex const& messages, std::mt19937_64* random)
    : Scheduler(messages, Buffering::infinite), in_transit_(code().endpoints().size()) {
    if (!advance_all()) {
        end_ = End::fault;
        return;
    }
    look_at_new_steps();
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) look_at(t);
    // An endpoint comes here when a message is sent to it, and when its thread has reached a wait for one.
    for (std::size_t i = 0; i < to_serve_.size(); ++i)
        if (!serve(to_serve_[i], random)) {
            end_ = End::fault;
            return;
        }
    end_ = state().finished() ? End::complete : End::deadlock;
}

/// Delivers to an endpoint as long as its thread waits there. False: a fault.
bool Recorded::serve(Endpoint beta, std::mt19937_64* random) {
    InTransit& there = in_transit_[beta.index];
    std::uint32_t const thread = messages_.owner(beta);
    while (there.taken < there.channels.size() && awaited(thread) == beta) {
        Channel& next = there.channels[there.taken++];
        if (random != nullptr) std::swap(next, (&next)[(*random)() % (there.channels.size() - there.taken + 1)]);
        if (!deliver(next)) return false;
        look_at_new_steps();
        look_at(thread);
    }
    return true;
}

/// The sends among the steps since the last call.
void Recorded::look_at_new_steps() {
    for (; seen_ < schedule().size(); ++seen_) {
        auto const* const send = as_sndi(code().command_at(schedule().entry(seen_).rho));
        if (send == nullptr) continue;
        in_transit_[send->beta.index].channels.push_back(code().channel_of(send->a));
        to_serve_.push_back(send->beta);
    }
}

void Recorded::look_at(std::uint32_t thread) {
    if (Endpoint const beta = awaited(thread); !beta.is_none()) to_serve_.push_back(beta);
}

/// Where a thread waits for a message; none if it does not.
Endpoint Recorded::awaited(std::uint32_t thread) const {
    if (thread == MessageIndex::thread_none) return {};
    Rcvi const* const receive = waits_for(thread);
    return receive == nullptr ? Endpoint{} : receive->beta;
}

} // namespace matchpoint::programs
