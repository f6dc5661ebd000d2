#include "executions/shared/interleaved_sample.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace matchpoint::executions {

InterleavedSample::InterleavedSample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random,
                                     std::uint32_t turn, Schedule const& begins, std::span<Held const> held)
    : SharedScheduler(messages, buffering, nullptr), held_at_(state().ctp.size(), nowhere) {
    for (std::size_t i = 0; i < begins.size(); ++i) execute(begins.entry(i).rho);
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        if (next_of(t)) unfinished_.push_back(t);
    if (!held.empty()) {
        // Others may be needed where they are then, or at their ends.
        bool const is_soon = random() % 2 == 0;
        for (Held const& h : held) held_at_[code().thread_of(h.first)] = h.first.index;
        run_on(random, turn, is_soon);
        for (Held const& h : held) held_at_[code().thread_of(h.second)] = h.second.index;
        run_on(random, turn, is_soon);
        std::fill(held_at_.begin(), held_at_.end(), nowhere);
    }
    run_on(random, turn, false);
    end_ = end_here();
}

void InterleavedSample::run_on(std::mt19937_64& random, std::uint32_t turn, bool until_all_are_held) {
    while (!(until_all_are_held && all_are_held()) && (take_turn(random, turn) || deliver_one(random))) {
    }
}

bool InterleavedSample::all_are_held() const {
    for (std::uint32_t t = 0; t < held_at_.size(); ++t)
        if (held_at_[t] != nowhere && state().ctp[t] != held_at_[t]) return false;
    return true;
}

/// One turn of a random thread among those that can go on. False: none can.
bool InterleavedSample::take_turn(std::mt19937_64& random, std::uint32_t turn) {
    // Those at the end of the list have been tried.
    for (std::size_t left = unfinished_.size(); left > 0; --left) {
        spend();
        std::size_t const chosen = random() % left;
        std::uint32_t const thread = unfinished_[chosen];
        if (run(thread, random, turn)) {
            if (!next_of(thread)) {
                unfinished_[chosen] = unfinished_.back();
                unfinished_.pop_back();
            }
            return true;
        }
        std::swap(unfinished_[chosen], unfinished_[left - 1]);
    }
    return false;
}

bool InterleavedSample::run(std::uint32_t thread, std::mt19937_64& random, std::uint32_t turn) {
    bool ran = false;
    std::vector<Channel> peeks; // what a probe can see
    for (auto rho = next_of(thread); rho && rho->index != held_at_[thread]; rho = next_of(thread)) {
        peeks.clear();
        if (code().has_probes()) for_each_peek(state(), code(), *rho, [&](Channel lane) { peeks.push_back(lane); });
        if (!peeks.empty())
            see(*rho, peeks[random() % peeks.size()]);
        else if (can_step(*rho))
            execute(*rho);
        else
            break;
        ran = true;
        if (random() % turn == 0) break;
    }
    return ran;
}

bool InterleavedSample::deliver_one(std::mt19937_64& random) {
    std::vector<Transition> deliveries;
    add_deliveries(deliveries);
    if (deliveries.empty()) return false;
    move(std::get<Deliver>(deliveries[random() % deliveries.size()]).channel);
    return true;
}

} // namespace matchpoint::executions
