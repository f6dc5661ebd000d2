#include "executions/shared/classes.hpp"

#include <algorithm>

namespace matchpoint::executions {

bool Classes::is_asleep(Choice const& choice) const {
    return std::find(sleep_.begin(), sleep_.end(), choice) != sleep_.end();
}

/// Whether a delivery can take a receive that a ready send needs.
bool Classes::takes_from(Deliver t, Location rho) const {
    return is_ready_send(code(), rho) && as_sndi(code().command_at(rho))->beta == code()[t.channel].beta;
}

bool Classes::depend(Choice const& a, Choice const& b) const {
    auto const* const deliver_a = std::get_if<Deliver>(&a.t);
    auto const* const deliver_b = std::get_if<Deliver>(&b.t);
    if (deliver_a != nullptr && deliver_b != nullptr)
        return code()[deliver_a->channel].beta == code()[deliver_b->channel].beta;
    if (deliver_a != nullptr) return takes_from(*deliver_a, std::get<Execute>(b.t).rho);
    if (deliver_b != nullptr) return takes_from(*deliver_b, std::get<Execute>(a.t).rho);
    Location const at_a = std::get<Execute>(a.t).rho;
    Location const at_b = std::get<Execute>(b.t).rho;
    // A command that is not executed writes nothing.
    if (a.is_end && b.is_end) return false;
    if (a.is_end) return sharing_.writes_what_is_read(at_b, at_a);
    if (b.is_end) return sharing_.writes_what_is_read(at_a, at_b);
    return sharing_.is_conflict(at_a, at_b);
}

void Classes::wake(Choice const& choice) {
    std::erase_if(sleep_, [&](Choice const& asleep) { return depend(asleep, choice); });
}

/// Goes on from a state as long as there is one choice. Then it is an end; or it opens a frame; or all that follows was
/// visited.
std::optional<End> Classes::examine() {
    for (;;) {
        find_persistent_set(sleep_);
        look_for_race();
        if (best_.empty()) return end_of_execution();
        if (best_.size() > 1 || is_asleep(best_.front())) break;
        Choice const only = best_.front();
        take(only);
        wake(only);
    }
    if (std::all_of(best_.begin(), best_.end(), [&](Choice const& c) { return is_asleep(c); }))
        ++counts_.left;
    else
        open_frame(best_, sleep_);
    return std::nullopt;
}

std::optional<End> Classes::follow(Choice const& choice) {
    // What was explored in this state before sleeps in the branches that follow.
    Frame const& f = frames_.back();
    sleep_.assign(pool_.begin() + f.first, pool_.begin() + f.next - 1);
    take(choice);
    wake(choice);
    return examine();
}

} // namespace matchpoint::executions
