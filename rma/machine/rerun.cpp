#include "rma/machine/rerun.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "rma/machine/evaluate.hpp"

namespace matchpoint::rma {

namespace {

using Outcome = Rerun::Outcome;

/// One run, with the operations of the original one: the third one of a statement is its third one there.
class Player {
public:
    Player(Machine const& machine, Operations const& operations)
        : machine_(machine), state_(machine.initial()), numbers_(machine.graph().remotes().size()),
          issued_(machine.graph().remotes().size()), pending_(operations.all().size()) {
        for (std::uint32_t o = 0; o < operations.all().size(); ++o) numbers_[operations.all()[o].s].push_back(o);
        look();
    }

    bool is_wrong() const { return is_wrong_; }
    State const& state() const { return state_; }

    /// False if the process cannot step here.
    bool step(ProcessStep t) {
        if (machine_.blocked(state_, t.p) || stops(t.p)) return false;
        if (auto const* const choose = std::get_if<Choose>(&machine_.next(state_, t.p).c))
            t.choice = std::min(t.choice, choose->last - choose->first - 1);
        RemoteIndex const s = machine_.graph().at(state_.pc[t.p]).remote;
        take(t);
        if (s != no_index) pending_[number_of(s)] = {Pending::Next::read, s};
        return true;
    }

    void read(std::uint32_t o) {
        if (pending_[o].next != Pending::Next::read) return;
        RemoteIndex const s = pending_[o].s;
        Remote const& remote = machine_.graph().remotes()[s];
        if (remote.is_atomic())
            while (state_.A[remote.queue].front() != s) execute(oldest(state_.A[remote.queue].front()));
        pending_[o] = {remote.fetches ? Pending::Next::write : Pending::Next::nothing, s, state_.M[remote.src.index]};
        take(remote.is_atomic() ? Transition(NicAtomic{s}) : Transition(NicRead{s}));
    }
    void write(std::uint32_t o) {
        if (pending_[o].next != Pending::Next::write) return;
        pending_[o].next = Pending::Next::nothing;
        take(NicWrite{pending_[o].s, pending_[o].val});
    }
    void execute(std::uint32_t o) {
        read(o);
        write(o);
    }
    /// Everything that is pending, and a step of each process. False if there is none.
    bool go_on() {
        bool moves = false;
        for (std::uint32_t o = 0; o < pending_.size(); ++o) execute(o);
        for (ProcessIndex p = 0; p < state_.pc.size(); ++p) moves = step({p}) || moves;
        return moves;
    }

private:
    struct Pending {
        enum class Next : std::uint8_t { nothing, read, write };
        Next next = Next::nothing;
        RemoteIndex s = no_index;
        Value val = {};
    };

    /// Whether a process is before an assumption that does not hold. It reads local variables, so it never will.
    bool stops(ProcessIndex p) const {
        auto const* const assume = std::get_if<Assume>(&machine_.next(state_, p).c);
        if (assume == nullptr) return false;
        auto const v = evaluate(machine_.graph(), state_, assume->e);
        return v && v->is_false();
    }
    /// The number of the next operation that a statement issues. The original run may have fewer.
    std::uint32_t number_of(RemoteIndex s) {
        std::size_t const n = issued_[s]++;
        if (n == numbers_[s].size()) {
            numbers_[s].push_back(static_cast<std::uint32_t>(pending_.size()));
            pending_.emplace_back();
        }
        return numbers_[s][n];
    }
    std::uint32_t oldest(RemoteIndex s) const {
        return *std::find_if(numbers_[s].begin(), numbers_[s].end(),
                             [&](std::uint32_t o) { return pending_[o].next == Pending::Next::read; });
    }
    void take(Transition const& t) {
        spend();
        Effect const effect = machine_.apply(state_, t);
        is_wrong_ = is_wrong_ || effect == Effect::failed || effect == Effect::faulted;
        look();
    }
    void look() {
        for (Property const& property : machine_.program().properties) {
            if (property.is_final) continue;
            auto const v = evaluate(machine_.graph(), state_, property.e);
            is_wrong_ = is_wrong_ || !v || !v->is_true();
        }
    }

    Machine const& machine_;
    State state_;
    std::vector<std::vector<std::uint32_t>> numbers_; // of each remote statement, its operations
    std::vector<std::size_t> issued_;                 // and how many it has issued
    std::vector<Pending> pending_;                    // by operation
    bool is_wrong_ = false;
};

bool holds_at_the_end(Machine const& machine, State const& state) {
    return std::all_of(machine.program().properties.begin(), machine.program().properties.end(),
                       [&](Property const& property) {
                           auto const v = evaluate(machine.graph(), state, property.e);
                           return v && v->is_true();
                       });
}

} // namespace

Rerun::Outcome Rerun::outcome(Moved const& moved) const {
    Player player(machine_, operations_);
    auto const is_moved = [&](std::uint32_t o, std::size_t step) {
        auto const m = moved.find(o);
        return m != moved.end() && m->second <= step;
    };
    bool is_same = true; // all steps of processes are taken
    for (std::size_t i = 0; i <= run_.size() && !player.is_wrong(); ++i) {
        for (auto const& [o, before] : moved)
            if (before == i) player.execute(o);
        if (i == run_.size()) break;
        std::uint32_t const o = operations_.of_step(i);
        std::visit(overloaded{
                       [&](ProcessStep const& t) { is_same = player.step(t) && is_same; },
                       [&](NicRead const&) { is_moved(o, i) ? void() : player.read(o); },
                       [&](NicAtomic const&) { is_moved(o, i) ? void() : player.read(o); },
                       [&](NicWrite const&) { is_moved(o, i) ? void() : player.write(o); },
                   },
                   run_[i]);
    }
    std::size_t rounds = rounds_after();
    while (!player.is_wrong() && !machine_.is_final(player.state()) && rounds > 0 && player.go_on()) --rounds;
    if (player.is_wrong()) return Outcome::wrong;
    if (machine_.is_final(player.state()))
        return holds_at_the_end(machine_, player.state()) ? Outcome::right : Outcome::wrong;
    return rounds == 0 || is_same ? Outcome::so_far : Outcome::open;
}

} // namespace matchpoint::rma
