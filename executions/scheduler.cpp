#include "executions/scheduler.hpp"

#include <numeric>

#include "machine/queue_movement.hpp"

namespace matchpoint::executions {

Scheduler::Scheduler(MessageIndex const& messages, Buffering buffering)
    : Scheduler(messages, buffering, State(messages.code())) {}

Scheduler::Scheduler(MessageIndex const& messages, Buffering buffering, State const& from)
    : messages_(messages), buffering_(buffering), state_(from) {}

/// Whether the premise of a wait does not hold yet. No other command has to wait for anything.
bool Scheduler::is_blocked(Location rho) const {
    auto const* const wait = std::get_if<Wait>(&code().command_at(rho));
    if (wait == nullptr) return false;
    if (code().as_rcvi(wait->a) != nullptr) return !has_message(state_, code(), wait->a);
    return buffering_ == Buffering::zero && !is_taken(state_, code(), wait->a);
}

bool Scheduler::advance(std::uint32_t thread) {
    std::uint32_t const last = code().ctp().threads[thread].last;
    while (state_.ctp[thread] < last && !is_blocked({state_.ctp[thread]})) {
        Location const rho{state_.ctp[thread]};
        std::uint64_t const entry = state_.trace;
        path_.step(rho);
        ++steps_;
        // Movements have been made already, so none goes with the entry.
        if (Step const step = machine_step(state_, code(), buffering_, {rho, {}}, observers_, workspace_);
            step.is_stuck()) {
            fault_ = RunError{entry, rho, step.why()};
            return false;
        }
    }
    return true;
}

bool Scheduler::advance_all() {
    for (std::uint32_t t = 0; t < state_.ctp.size(); ++t)
        if (!advance(t)) return false;
    return true;
}

bool Scheduler::deliver(Channel c) {
    fault_.reset();
    // Observers hear of steps only: a movement here is no part of one.
    if (process_queue_movement(state_, code(), buffering_, c, Observers()).is_stuck())
        throw std::logic_error("Scheduler::deliver: nothing in transit, or no posted partner");
    path_.move(c);
    std::uint32_t const receiver = messages_.owner(code()[c].beta);
    if (receiver != MessageIndex::thread_none && !advance(receiver)) return false;
    return buffering_ == Buffering::infinite || advance(messages_.owner(code()[c].alpha));
}

Rcvi const* Scheduler::waits_for(std::uint32_t thread) const {
    if (state_.ctp[thread] == code().ctp().threads[thread].last) return nullptr;
    auto const* const wait = std::get_if<Wait>(&code().command_at({state_.ctp[thread]}));
    return wait == nullptr ? nullptr : code().as_rcvi(wait->a);
}

bool Scheduler::is_served(Endpoint beta, std::span<Channel const> channels) const {
    if (buffering_ == Buffering::zero) return has_posted_partner(state_, beta);
    std::uint32_t const thread = messages_.owner(beta);
    if (thread == MessageIndex::thread_none) return false;
    Rcvi const* const receive = waits_for(thread);
    if (receive == nullptr || receive->beta != beta) return false;
    std::uint32_t need = state_.ordinal[receive->a.index] + 1 - state_.Q_s.delivered[beta.index];
    for (Channel const c : channels) {
        std::uint32_t const there = state_.Pnd_s.issued[c.index] - state_.Pnd_s.taken[c.index];
        if (there >= need) return true;
        need -= there;
    }
    return false;
}

void delivered(MessageIndex const& messages, State const& state, Matching& m) {
    m.clear();
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r) {
        auto const& receive = messages.receives()[r];
        if (receive.ordinal >= state.Q_s.delivered[receive.beta.index]) continue;
        Action const a_s = state.Q_s.entries[messages.code()[receive.beta].Q_s.first + receive.ordinal].a;
        m[r] = messages.send_number(a_s);
    }
}

Sample::Sample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random)
    : Scheduler(messages, buffering) {
    if (!advance_all()) {
        end_ = End::fault;
        return;
    }
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta) {
        auto const channels = messages.channels_to({beta});
        live_.emplace_back(channels.begin(), channels.end());
    }
    deliver_all(random);
}

/// Of those with a message in transit each with the same probability; none if there is none.
std::optional<Channel> Sample::some_in_transit(Endpoint beta, std::mt19937_64& random) const {
    auto const& channels = live_[beta.index];
    // As a rule most have one.
    for (int tries = 0; tries < 8 && !channels.empty(); ++tries)
        if (Channel const c = channels[random() % channels.size()]; in_transit(state_, c)) return c;
    std::vector<Channel> choices;
    for (Channel const c : channels)
        if (in_transit(state_, c)) choices.push_back(c);
    if (choices.empty()) return std::nullopt;
    return choices[random() % choices.size()];
}

void Sample::deliver_all(std::mt19937_64& random) {
    std::vector<std::uint32_t> open; // endpoints with a live channel
    std::vector<std::uint32_t> threads(code().ctp().threads.size());
    std::iota(threads.begin(), threads.end(), 0U);
    std::vector<std::uint32_t> place(code().channels().size()); // of a channel in live_
    for (std::uint32_t beta = 0; beta < live_.size(); ++beta) {
        if (!live_[beta].empty()) open.push_back(beta);
        for (std::uint32_t i = 0; i < live_[beta].size(); ++i) place[live_[beta][i].index] = i;
    }
    // With infinite buffering, only where a thread waits is anything served.
    bool const by_thread = buffering_ == Buffering::infinite && threads.size() < open.size();
    while (true) {
        std::optional<Channel> chosen;
        auto& order = by_thread ? threads : open;
        for (std::size_t tries = order.size(); tries > 0 && !chosen; --tries) {
            // A random order, made as far as it is needed.
            std::swap(order[random() % tries], order[tries - 1]);
            Endpoint beta{order[tries - 1]};
            if (by_thread) {
                Rcvi const* const receive = waits_for(order[tries - 1]);
                if (receive == nullptr) continue;
                beta = receive->beta;
            }
            if (is_served(beta, live_[beta.index])) chosen = some_in_transit(beta, random);
        }
        if (!chosen) {
            end_ = state_.finished() ? End::complete : End::deadlock;
            return;
        }
        if (!deliver(*chosen)) {
            end_ = End::fault;
            return;
        }
        auto const& info = code()[*chosen];
        if (state_.Pnd_s.taken[chosen->index] < info.Pnd_s.capacity) continue;
        auto& live = live_[info.beta.index];
        place[live.back().index] = place[chosen->index];
        live[place[chosen->index]] = live.back();
        live.pop_back();
        if (live.empty() && !by_thread) std::erase(open, info.beta.index);
    }
}

} // namespace matchpoint::executions
