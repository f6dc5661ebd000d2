#include "programs/random_trace.hpp"

#include <stdexcept>
#include <vector>

#include "base/overloaded.hpp"
#include "machine/machine.hpp"
#include "machine/well_formed.hpp"

namespace matchpoint::programs {

namespace {

class Walk {
public:
    Walk(IndexedProgram const& code, Buffering buffering, Dice& dice)
        : code_(code), machine_(code, buffering), end_(walk(dice)) {}
    Walk(Walk const&) = delete;
    Walk& operator=(Walk const&) = delete;

    End end() const { return end_; }
    Status status() const { return state().s; }
    bool is_well_formed() const { return end_ == End::complete && well_formedness(code_, state()); }
    draft::Trace trace() const {
        Trace const trace = schedule_.trace(code_);
        Symbols const& names = code_.names();
        draft::Trace named;
        for (std::size_t e = 0; e < trace.entries.size(); ++e) {
            draft::Entry& entry = named.emplace_back();
            entry.rho = names(trace.entries[e].rho);
            auto const named_movement = [&](Movement const& m) {
                return draft::Movement{draft::Endpoint(names(m.beta)), draft::Endpoint(names(m.alpha)),
                                       m.n.is_none() ? draft::Tag() : draft::Tag(names(m.n))};
            };
            for (Movement const& m : trace.m(e)) entry.m.push_back(named_movement(m));
            if (auto const* const peek = trace.peek_at(e)) entry.peek = named_movement(peek->m);
        }
        return named;
    }

private:
    State const& state() const { return machine_.state(); }

    End walk(Dice& dice) {
        unsigned const eager = dice.below(100); // to move messages
        while (true) {
            sort_enabled();
            if (commands_.empty() && deliveries_.empty()) return state().finished() ? End::complete : End::deadlock;
            // A delivery that no command follows would be no part of the trace.
            if (!deliveries_.empty() && !state().finished() && (commands_.empty() || dice.percent(eager))) {
                Deliver const t = dice.one_of(deliveries_);
                if (machine_.apply(t).is_stuck()) throw std::logic_error("Walk: an enabled delivery is stuck");
                schedule_.move(t.channel);
                continue;
            }
            if (commands_.empty()) return End::complete;
            Execute const t = dice.one_of(commands_);
            schedule_.step(t.rho, t.peek);
            if (machine_.apply(t).is_stuck()) return End::fault;
        }
    }
    void sort_enabled() {
        commands_.clear();
        deliveries_.clear();
        enabled(code_, state(), machine_.buffering(), enabled_);
        for (Transition const& t : enabled_)
            std::visit(overloaded{
                           [&](Execute e) { commands_.push_back(e); },
                           [&](Deliver d) { deliveries_.push_back(d); },
                       },
                       t);
    }

    IndexedProgram const& code_;
    Machine machine_;
    Schedule schedule_;
    std::vector<Transition> enabled_;
    std::vector<Execute> commands_;
    std::vector<Deliver> deliveries_;
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
