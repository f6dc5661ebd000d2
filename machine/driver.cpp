#include "machine/driver.hpp"

#include "machine/queue_movement.hpp"

namespace matchpoint {

Driver::Driver(Messages const& messages, Buffering buffering) : Driver(messages, buffering, State(messages.code())) {}

Driver::Driver(Messages const& messages, Buffering buffering, State const& from)
    : messages_(messages), buffering_(buffering), state_(from) {}

/// Whether the premise of a wait does not hold yet. No other command has to wait for anything.
bool Driver::is_blocked(Location rho) const {
    auto const* const wait = std::get_if<Wait>(&code().command_at(rho));
    if (wait == nullptr) return false;
    if (code().as_rcvi(wait->a) != nullptr) return !has_message(state_, code(), wait->a);
    return buffering_ == Buffering::zero && !is_taken(state_, code(), wait->a);
}

bool Driver::advance(std::uint32_t thread) {
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

bool Driver::advance_all() {
    for (std::uint32_t t = 0; t < state_.ctp.size(); ++t)
        if (!advance(t)) return false;
    return true;
}

bool Driver::deliver(Channel c) {
    fault_.reset();
    // Observers hear of steps only: a movement here is no part of one.
    if (process_queue_movement(state_, code(), buffering_, c, Observers()).is_stuck())
        throw std::logic_error("Driver::deliver: nothing in transit, or no posted partner");
    path_.move(c);
    std::uint32_t const receiver = messages_.owner(code()[c].beta);
    if (receiver != Messages::thread_none && !advance(receiver)) return false;
    return buffering_ == Buffering::infinite || advance(messages_.owner(code()[c].alpha));
}

bool Driver::is_served(Endpoint beta) const {
    if (buffering_ == Buffering::zero) return has_posted_partner(state_, beta);
    std::uint32_t const thread = messages_.owner(beta);
    if (thread == Messages::thread_none || state_.ctp[thread] == code().ctp().threads[thread].last) return false;
    auto const* const wait = std::get_if<Wait>(&code().command_at({state_.ctp[thread]}));
    if (wait == nullptr) return false;
    Rcvi const* const receive = code().as_rcvi(wait->a);
    if (receive == nullptr || receive->beta != beta) return false;
    std::uint32_t need = state_.ordinal[receive->a.index] + 1 - state_.Q_s.delivered[beta.index];
    for (Channel const c : messages_.channels_to(beta)) {
        std::uint32_t const there = state_.Pnd_s.issued[c.index] - state_.Pnd_s.taken[c.index];
        if (there >= need) return true;
        need -= there;
    }
    return false;
}

void delivered(Messages const& messages, State const& state, Matching& m) {
    m.clear();
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r) {
        auto const& receive = messages.receives()[r];
        if (receive.ordinal >= state.Q_s.delivered[receive.beta.index]) continue;
        Action const a_s = state.Q_s.entries[messages.code()[receive.beta].Q_s.first + receive.ordinal].a;
        m[r] = messages.send_number(a_s);
    }
}

Sample::Sample(Messages const& messages, Buffering buffering, std::mt19937_64& random) : Driver(messages, buffering) {
    if (!advance_all()) {
        end_ = End::fault;
        return;
    }
    // Endpoints that may be served: one that is not is looked at again when a thread that matters to it has moved.
    std::vector<std::uint32_t> open;
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta)
        if (!messages.channels_to({beta}).empty()) open.push_back(beta);
    std::vector<Channel> choices;
    while (true) {
        choices.clear();
        for (std::size_t tries = open.size(); tries > 0 && choices.empty(); --tries) {
            // A random order of the endpoints, made as far as it is needed.
            std::swap(open[random() % tries], open[tries - 1]);
            Endpoint const beta{open[tries - 1]};
            if (!is_served(beta)) continue;
            for (Channel const c : messages.channels_to(beta))
                if (in_transit(state_, c)) choices.push_back(c);
        }
        if (choices.empty()) {
            end_ = state_.finished() ? End::complete : End::deadlock;
            return;
        }
        if (!deliver(choices[random() % choices.size()])) {
            end_ = End::fault;
            return;
        }
    }
}

} // namespace matchpoint
