#include "executions/interleaved_sample.hpp"

#include "grammar/limits.hpp"

namespace matchpoint::executions {

InterleavedSample::InterleavedSample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random,
                                     std::uint32_t turn)
    : SharedScheduler(messages, buffering, nullptr) {
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        if (next_of(t)) unfinished_.push_back(t);
    while (take_turn(random, turn) || deliver_one(random)) {
    }
    end_ = end_here();
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
    for (auto rho = next_of(thread); rho && can_step(*rho); rho = next_of(thread)) {
        execute(*rho);
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
