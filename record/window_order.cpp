#include "record/window_order.hpp"

#include <algorithm>

namespace matchpoint::record {

WindowOrder::WindowOrder(std::span<RankEvents const> ranks) {
    for (RankEvents const& rank : ranks) look(rank);
    match_messages();
    for (RankEvents const& rank : ranks)
        for (WindowEvent const& e : rank.events)
            if (auto const* const l = std::get_if<lines::Lock>(&e.what)) {
                bool const is_choice = l->kind != lines::Lock::Kind::end && has_exclusive_locks(l->window, l->rank) &&
                                       lockers_[{l->window, l->rank}].size() > 1;
                if (is_choice) choice(rank.rank, e.at, "MPI_Win_lock", "which rank gets a lock first is not tried");
            } else if (auto const* const r = std::get_if<lines::Remote>(&e.what)) {
                look(rank.rank, *r, e.at);
            }
}

std::size_t WindowOrder::ordinal(std::uint32_t rank, std::uint32_t receive) const {
    auto const found = ordinals_.find({rank, receive});
    return found == ordinals_.end() ? 0 : found->second;
}

std::optional<WindowOrder::Call> WindowOrder::awaited_by(std::uint32_t rank, std::uint32_t send) const {
    auto const found = awaited_by_.find({rank, send});
    return found == awaited_by_.end() ? std::nullopt : std::optional(found->second);
}

/// What it has, without an order.
void WindowOrder::look(RankEvents const& rank) {
    for (WindowEvent const& e : rank.events)
        if (auto const* const l = std::get_if<lines::Lock>(&e.what)) {
            if (l->kind == lines::Lock::Kind::exclusive) exclusive_.insert({l->window, l->rank});
            if (l->kind != lines::Lock::Kind::end) lockers_[{l->window, l->rank}].insert(rank.rank);
        } else if (auto const* const m = std::get_if<lines::Message>(&e.what)) {
            if (m->channel) channels_[*m->channel].sends.emplace_back(m->number, m->is_synchronous);
        } else if (auto const* const c = std::get_if<lines::Complete>(&e.what)) {
            if (c->channel) channels_[*c->channel].receives.push_back(c->number);
        } else if (auto const* const r = std::get_if<lines::Remote>(&e.what)) {
            bool const is_atomic = r->kind != lines::Remote::Kind::put && r->kind != lines::Remote::Kind::get;
            if (!is_atomic) continue;
            atomics_[r->cell].ranks.insert(rank.rank);
            if (r->op != "no-op") atomics_[r->cell].ops.insert(r->op); // a compare-and-swap has an empty one
        }
}

/// Receives take the messages of a channel in the order in which they are posted, and so numbered.
void WindowOrder::match_messages() {
    for (auto& [channel, messages] : channels_) {
        std::sort(messages.receives.begin(), messages.receives.end());
        for (std::size_t i = 0; i < messages.receives.size(); ++i) {
            Call const receive{channel.to, messages.receives[i]};
            ordinals_[receive] = i + 1;
            if (i >= messages.sends.size() || !messages.sends[i].second) continue;
            awaited_by_[{channel.from, messages.sends[i].first}] = receive;
            awaited_.insert(receive);
        }
    }
}

/// Atomics of several ranks on one element do not race.
void WindowOrder::look(std::uint32_t rank, lines::Remote const& r, SourceLine const& at) {
    auto const found = atomics_.find(r.cell);
    if (found == atomics_.end() || found->second.ranks.size() < 2 || found->second.ops.empty()) return;
    bool const fetches = r.kind == lines::Remote::Kind::fetch || r.kind == lines::Remote::Kind::swap;
    if (fetches)
        choice(rank, at, std::string(r.function()),
               "what it fetches depends on which rank comes first, and the other orders are not tried");
    else if (found->second.ops.size() > 1 || found->second.ops.contains("replace"))
        choice(rank, at, "MPI_Accumulate",
               "what memory holds depends on which rank comes first, and the other orders are not tried");
}

void WindowOrder::choice(std::uint32_t rank, SourceLine const& at, std::string function, std::string what) {
    for (Gap const& g : choices_)
        if (g.function == function && g.what == what) return;
    choices_.push_back({rank, at, std::move(function), std::move(what)});
}

} // namespace matchpoint::record
