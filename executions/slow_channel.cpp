#include "executions/slow_channel.hpp"

#include <algorithm>
#include <cmath>

namespace matchpoint::executions {

SlowChannel::SlowChannel(MessageIndex const& messages, Buffering buffering, Pair aim, Runs runs)
    : SlowChannel(messages, buffering, messages.sends()[aim.s].channel,
                  Aim{messages.receives()[aim.r].ordinal, messages.sends()[aim.s].place}, runs) {}

SlowChannel::SlowChannel(MessageIndex const& messages, Buffering buffering, Channel slow, std::optional<Aim> aim,
                         Runs runs)
    : Serving(messages, buffering, runs), slow_(slow), aim_(aim), in_transit_(messages.code().endpoints().size()),
      key_(messages.code().endpoints().size(), none) {
    for (Thread const& thread : code().ctp().threads) seen_.push_back(thread.first);
    if (!begin()) return;
    for (std::uint32_t t = 0; t < seen_.size(); ++t) look_at_sends(t);
    look_again();
    while (auto const c = choose()) {
        if (*c != slow_) forget(*c);
        if (!serve(*c)) return;
        look_at_sends_behind(*c);
        look_again();
    }
    end_ = end_here();
}

std::optional<Channel> SlowChannel::choose() {
    if (auto const c = choose_towards_the_aim()) return c;
    if (aim_) {
        // The message that the others have to wait for is not sent. They do not wait any longer.
        aim_.reset();
        consider(code()[slow_].beta);
        if (auto const c = choose_towards_the_aim()) return c;
    }
    return choose_behind_others();
}

/// A message after one that cannot be delivered: a synchronous one that nobody receives holds up only those of its
/// channel.
std::optional<Channel> SlowChannel::choose_behind_others() {
    if (code().is_plain()) return std::nullopt;
    spend(code().channels().size());
    for (std::uint32_t beta = 0; beta < in_transit_.size(); ++beta) {
        if (!is_served({beta}, live({beta}))) continue;
        for (auto const& message : in_transit_[beta])
            if (can_be_delivered(message.channel)) return message.channel;
    }
    return std::nullopt;
}

/// The oldest message of this channel has been chosen.
void SlowChannel::forget(Channel c) {
    auto& there = in_transit_[code()[c].beta.index];
    there.erase(std::find_if(there.begin(), there.end(), [c](auto const& message) { return message.channel == c; }));
}

/// The oldest message that can be delivered, or a slow one if there is no other.
std::optional<Channel> SlowChannel::choose_towards_the_aim() {
    if (is_time_for_the_slow_one()) {
        if (auto const slow = slow_one()) return slow;
        drop(code()[slow_].beta); // the others there have to wait for it
    }
    while (!candidates_.empty()) {
        Endpoint const beta{candidates_.begin()->second};
        Channel const first = in_transit_[beta.index].front().channel;
        // Where a served endpoint cannot get its first message, no receive is posted, and no message can help a thread.
        if (is_served(beta, live(beta)) && can_be_delivered(first)) return first;
        drop(beta);
    }
    return slow_one();
}

/// Whether the next message at its endpoint has to be one of the slow channel.
bool SlowChannel::is_time_for_the_slow_one() const {
    if (!aim_) return false;
    std::uint32_t const taken = state().Pnd_s.taken[slow_.index];
    if (taken > aim_->place) return false; // it has been met, or missed
    std::uint32_t const delivered = state().Q_s.delivered[code()[slow_].beta.index];
    return aim_->ordinal - delivered <= aim_->place - taken;
}

std::optional<Channel> SlowChannel::slow_one() {
    Endpoint const beta = code()[slow_].beta;
    bool const is_ready = can_be_delivered(slow_) && is_served(beta, live(beta));
    return is_ready ? std::optional(slow_) : std::nullopt;
}

/// Looks at the sends of the threads that a delivery can have let go on.
void SlowChannel::look_at_sends_behind(Channel delivered) {
    if (!code().is_plain()) {
        for (std::uint32_t t = 0; t < seen_.size(); ++t) look_at_sends(t);
        return;
    }
    if (auto const t = messages_.owner(code()[delivered].beta); t != MessageIndex::thread_none) look_at_sends(t);
    look_at_sends(messages_.owner(code()[delivered].alpha)); // with zero buffering it may go on
}

void SlowChannel::look_at_sends(std::uint32_t thread) {
    for (std::uint32_t& i = seen_[thread]; i < state().ctp[thread]; ++i) {
        Sndi const* const send = as_sndi(code().command_at({i}));
        if (send == nullptr) continue;
        Channel const channel = code().channel_of(send->a);
        if (channel != slow_) in_transit_[send->beta.index].push_back({sent_, channel});
        ++sent_;
    }
}

/// At the endpoints where something has changed.
void SlowChannel::look_again() {
    for (; !listed().empty(); unlist_last()) consider(listed().back());
}

void SlowChannel::consider(Endpoint beta) {
    drop(beta);
    if (in_transit_[beta.index].empty()) return;
    key_[beta.index] = in_transit_[beta.index].front().time;
    candidates_.emplace(key_[beta.index], beta.index);
}

void SlowChannel::drop(Endpoint beta) {
    if (key_[beta.index] == none) return;
    candidates_.erase({key_[beta.index], beta.index});
    key_[beta.index] = none;
}

Channel some_late_channel(MessageIndex const& messages, std::mt19937_64& random) {
    IndexedProgram const& code = messages.code();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> from_behind; // (commands to the end of the thread, channel)
    for (auto const& send : messages.sends()) {
        std::uint32_t const end = code.ctp().threads[code.thread_of(send.rho)].last;
        if (send.place == 0) from_behind.emplace_back(end - send.rho.index, send.channel.index);
    }
    double const u = static_cast<double>(random() >> 11U) * 0x1.0p-53; // from 0 to 1
    auto const k = static_cast<std::size_t>(std::pow(static_cast<double>(from_behind.size() + 1), u));
    auto const nth = from_behind.begin() + static_cast<std::ptrdiff_t>(std::min(k, from_behind.size()) - 1);
    std::nth_element(from_behind.begin(), nth, from_behind.end());
    return {nth->second};
}

} // namespace matchpoint::executions
