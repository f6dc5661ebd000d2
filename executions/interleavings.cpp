#include "executions/interleavings.hpp"

#include <utility>

namespace matchpoint::executions {

void Interleavings::add_choices() {
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        auto const rho = next_of(t);
        if (!rho || !is_enabled(code(), state(), buffering(), Execute{*rho})) continue;
        // An execution can end in a fault there. No other one takes a command in front of which its thread halts.
        if (!halts_before(Execute{*rho}) || ends_in_fault(*rho)) pool_.emplace_back(Execute{*rho});
    }
    add_deliveries(pool_);
}

bool Interleavings::remember() {
    key_.clear();
    sharing_.append_key(state(), key_);
    spend(8 + key_.size());
    return seen_.insert(key_);
}

/// A state that the search comes to: its choices, or how the execution ended there. None: there are choices, or it was seen.
std::optional<End> Interleavings::examine() {
    for (bool goes_on = true; goes_on;) { // each can let others go on
        goes_on = false;
        for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
            while (run_local_commands(t)) goes_on = true;
    }
    if (!remember()) return std::nullopt;
    if (!race_)
        if (auto const conflict = sharing_.data_race(state(), buffering())) race_ = Race{*conflict, schedule()};
    auto const first = static_cast<std::uint32_t>(pool_.size());
    add_choices();
    if (pool_.size() == first) {
        ++counts_.executions;
        return end_here();
    }
    if (pool_.size() > first + 1) ++counts_.states;
    frames_.push_back({mark(), first, first});
    return std::nullopt;
}

std::optional<End> Interleavings::next(std::uint64_t steps) {
    std::uint64_t const most = steps > UINT64_MAX - this->steps() ? UINT64_MAX : this->steps() + steps;
    if (!std::exchange(started_, true))
        if (auto const end = examine()) return end;
    while (!frames_.empty()) {
        Frame& frame = frames_.back();
        back_to(frame.mark);
        if (frame.next == pool_.size()) {
            pool_.resize(frame.first);
            frames_.pop_back();
            continue;
        }
        if (this->steps() >= most) return std::nullopt;
        Transition const chosen = pool_[frame.next++];
        if (auto const* const e = std::get_if<Execute>(&chosen)) {
            if (!can_step(e->rho) && ends_in_fault(e->rho)) {
                ++counts_.executions;
                return End::fault;
            }
            execute(e->rho);
        } else {
            move(std::get<Deliver>(chosen).channel);
        }
        if (auto const end = examine()) return end;
    }
    done_ = true;
    return std::nullopt;
}

} // namespace matchpoint::executions
