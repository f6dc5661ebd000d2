#include "rma/search/along.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "rma/machine/replay.hpp"
#include "rma/search/explored.hpp"

namespace matchpoint::rma {

namespace {

/// A state of the machine, and a word more: how many of the steps were taken.
class Along : public System {
public:
    Along(Machine const& machine, std::vector<StepAlong> const& steps, ExploreOptions const& options)
        : steps_(steps), inner_(machine, options), here_(machine.initial()), there_(here_) {}

    void prepare() override { inner_.prepare(); }
    std::size_t words() const override { return inner_.words() + 1; }
    Packed initial() override {
        Packed state = inner_.initial();
        state.push_back(0);
        return state;
    }
    bool expand(Word const* state, bool reduced, Expansion& result) override;
    Packed memory_part(Word const* state) const override { return inner_.memory_part(state); }
    std::vector<Value> memory(Packed const& memory_part) const override { return inner_.memory(memory_part); }
    void widen() override { inner_.widen(); }

    /// From now on, a state is a violation if so many steps were taken, and nothing else is one.
    void want(std::size_t steps) { wanted_ = steps; }
    std::size_t most() const { return most_; }
    std::vector<Transition> way(std::vector<Packed> path, bool fails) {
        for (Packed& state : path) state.pop_back();
        path.erase(std::unique(path.begin(), path.end()), path.end()); // where no process moves
        return inner_.way(path, fails);
    }

private:
    /// Whether p has taken this step from here to there.
    bool is(StepAlong const& step, ProcessIndex p) const {
        return step.p == p && step.from == here_.pc[p] && step.to == there_.pc[p] && (!step.fits || step.fits(there_));
    }

    std::vector<StepAlong> const& steps_;
    MachineSystem inner_;
    std::optional<std::size_t> wanted_;
    std::size_t most_ = 0;
    Expansion moves_;
    State here_;
    State there_;
};

bool Along::expand(Word const* state, bool, Expansion& result) {
    result.clear();
    inner_.expand(state, false, moves_);
    std::size_t const taken = state[inner_.words()];
    most_ = std::max(most_, taken);
    result.is_final = moves_.is_final;
    result.faulted = moves_.faulted;
    result.may_assert = moves_.may_assert;
    result.cuts = moves_.cuts;
    if (!wanted_)
        result.broken = moves_.broken;
    else if (taken == *wanted_)
        result.broken = 0;
    inner_.unpack(state, here_);
    auto const add = [&](Word const* next, std::size_t steps, Effect effect) {
        std::size_t const begin = result.words.size();
        result.words.insert(result.words.end(), next, next + inner_.words());
        result.words.push_back(static_cast<Word>(steps));
        result.edges.push_back({begin, effect});
    };
    if (taken < steps_.size() && steps_[taken].p == no_index && steps_[taken].fits(here_))
        add(state, taken + 1, Effect::moved);
    for (Expansion::Edge const& e : moves_.edges) {
        if (e.effect == Effect::discarded || e.effect == Effect::faulted) continue;
        inner_.unpack(moves_.next(e), there_);
        auto const moved = std::mismatch(here_.pc.begin(), here_.pc.end(), there_.pc.begin());
        bool const moves = moved.first != here_.pc.end();
        auto const p = static_cast<ProcessIndex>(moved.first - here_.pc.begin());
        if (moves && e.effect == Effect::moved && (taken == steps_.size() || !is(steps_[taken], p))) continue;
        if (wanted_ && e.effect == Effect::failed) continue;
        add(moves_.next(e), taken + (moves ? 1 : 0), e.effect);
    }
    return false;
}

} // namespace

Followed follow(Machine const& machine, std::vector<StepAlong> const& steps, FollowOptions const& options) {
    Along system(machine, steps, {.fused = true, .pending = options.pending, .values = {}});
    SearchOptions const all{
        .stop_at_violation = true, .reduced = false, .max_bytes = options.max_bytes, .max_states = options.max_states};
    SearchResult found = search(system, all);
    if (found.stop == SearchResult::Stop::time) throw OutOfTime();
    Followed followed;
    followed.steps = system.most();
    followed.is_complete = found.complete();
    if (found.violation) {
        auto const property = found.violation->property;
        auto run = system.way(found.violation->path, !property);
        followed.run = run;
        followed.violation = CheckResult::Violation{std::move(run), property, false};
        return followed;
    }
    system.want(followed.steps);
    found = search(system, all);
    if (found.stop == SearchResult::Stop::time) throw OutOfTime();
    if (found.violation) followed.run = system.way(found.violation->path, false);
    return followed;
}

} // namespace matchpoint::rma
