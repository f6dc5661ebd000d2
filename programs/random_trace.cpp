#include "programs/random_trace.hpp"

#include <stdexcept>
#include <vector>

#include "machine/machine_step.hpp"
#include "machine/queue_movement.hpp"
#include "machine/well_formed.hpp"

namespace matchpoint::programs {

namespace {

class Walk {
public:
    Walk(IndexedProgram const& code, Buffering buffering, Dice& dice)
        : code_(code), buffering_(buffering), state_(code), end_(walk(dice)) {}
    Walk(Walk const&) = delete;
    Walk& operator=(Walk const&) = delete;

    End end() const { return end_; }
    Status status() const { return state_.s; }
    bool is_well_formed() const { return end_ == End::complete && well_formedness(code_, state_); }
    draft::Trace trace() const {
        Trace const trace = schedule_.trace(code_);
        draft::Trace named;
        for (std::size_t e = 0; e < trace.entries.size(); ++e) {
            draft::Entry& entry = named.emplace_back();
            entry.rho = code_.names()(trace.entries[e].rho);
            for (Movement const& m : trace.m(e)) entry.m.emplace_back(code_.names()(m.beta), code_.names()(m.alpha));
        }
        return named;
    }

private:
    End walk(Dice& dice) {
        unsigned const eager = dice.below(100); // to move messages
        while (true) {
            choices();
            if (steps_.empty() && moves_.empty()) return state_.finished() ? End::complete : End::deadlock;
            // A movement that no command follows would be no part of the trace.
            if (!moves_.empty() && !state_.finished() && (steps_.empty() || dice.percent(eager))) {
                move(dice.one_of(moves_));
                continue;
            }
            if (steps_.empty()) return End::complete;
            Location const rho = dice.one_of(steps_);
            schedule_.step(rho);
            if (machine_step(state_, code_, buffering_, {rho, {}}, observers_, workspace_).is_stuck())
                return End::fault;
        }
    }
    void move(Channel c) {
        if (process_queue_movement(state_, code_, buffering_, c, observers_).is_stuck())
            throw std::logic_error("Walk: a movement that is not possible");
        schedule_.move(c);
    }
    /// The commands and the movements that are possible now.
    void choices() {
        steps_.clear();
        moves_.clear();
        for (std::uint32_t t = 0; t < state_.ctp.size(); ++t) {
            if (state_.ctp[t] == code_.ctp().threads[t].last) continue;
            Location const rho{state_.ctp[t]};
            if (!is_blocked(rho)) steps_.push_back(rho);
        }
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c)
            if (in_transit(state_, {c}) &&
                (buffering_ == Buffering::infinite || has_posted_partner(state_, code_[Channel{c}].beta)))
                moves_.push_back({c});
    }
    bool is_blocked(Location rho) const {
        auto const* const wait = std::get_if<Wait>(&code_.command_at(rho));
        if (wait == nullptr) return false;
        if (code_.as_rcvi(wait->a) != nullptr) return !has_message(state_, code_, wait->a);
        return buffering_ == Buffering::zero && !is_taken(state_, code_, wait->a);
    }

    IndexedProgram const& code_;
    Buffering buffering_;
    State state_;
    Observers observers_;
    Workspace workspace_;
    Schedule schedule_;
    std::vector<Location> steps_;
    std::vector<Channel> moves_;
    End end_; // last: the walk uses all the others
};

} // namespace

RandomTrace random_trace(IndexedProgram const& code, Buffering buffering, Dice& dice) {
    Walk const walk(code, buffering, dice);
    return {walk.trace(), walk.end(), walk.status(), walk.is_well_formed()};
}

RandomTrace random_trace(IndexedProgram const& code, Buffering buffering, std::uint64_t seed, std::uint64_t number) {
    Dice dice(seed, number);
    return random_trace(code, buffering, dice);
}

} // namespace matchpoint::programs
