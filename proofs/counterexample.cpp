#include "proofs/counterexample.hpp"

#include <algorithm>
#include <utility>

#include "base/overloaded.hpp"
#include "rma/machine/replay.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/stepper.hpp"

namespace matchpoint::proofs {

namespace {

using AbstractState = Abstraction::AbstractState;

/// What is known of a state in words.
class BitsInWords {
public:
    BitsInWords(Formulas& formulas, Abstraction const& system) : system_(system), graph_(formulas.graph()) {
        for (Formula const p : system.V()) texts_.push_back(formulas.text(p));
    }

    /// Those that differ from what they were, without those that no longer matter.
    std::vector<AbstractBit> changed(AbstractState const& from, AbstractState const& to) const {
        std::vector<AbstractBit> result;
        auto const dead = system_.dead(to);
        for (std::size_t p = 0; p < to.V.size(); ++p)
            if (from.V[p] != to.V[p] && !dead[p]) result.push_back({texts_[p], {}, to.V[p]});
        for (std::size_t i = 0; i < to.sets.size(); ++i) {
            SetPredicate const& of = system_.set_predicates()[i];
            bool const is_active = !to.active.empty() && to.active[of.u] > 0;
            if (from.sets[i] == to.sets[i] || !is_active) continue;
            result.push_back({texts_[of.p], name(of.u), to.sets[i]});
        }
        return result;
    }

    std::string name(rma::UnitIndex u) const {
        rma::Unit const& unit = system_.units()[u];
        return rma::name_of(graph_, unit.s) + (unit.is_fetched ? "-fetched" : "");
    }

private:
    Abstraction const& system_;
    rma::Graph const& graph_;
    std::vector<std::string> texts_;
};

/// Whether states of the machine agree with what is known.
class Agreement {
public:
    Agreement(Formulas& formulas, std::vector<Formula> const& V) : V_(V), evaluation_(formulas, V) {
        for (std::uint32_t x = 0; x < formulas.graph().program().variables.size(); ++x) symbols_.push_back({x});
    }

    /// The predicates of which something else is known.
    std::vector<std::uint32_t> differing(rma::State const& state, std::vector<Bit> const& known) {
        evaluation_.at(symbols_, state.M);
        std::vector<std::uint32_t> result;
        for (std::uint32_t p = 0; p < V_.size(); ++p) {
            Value const& v = evaluation_[V_[p]];
            if (known[p] != Bit::unknown && !v.is_bot() && v.is_true() != (known[p] == Bit::yes)) result.push_back(p);
        }
        return result;
    }

private:
    std::vector<Formula> const& V_;
    Evaluation evaluation_;
    std::vector<Symbol> symbols_; // of all variables
};

/// Whether these transitions are a step of a process, or of an operation.
bool is_of(std::vector<rma::Transition> const& transitions, rma::ProcessIndex p, rma::RemoteIndex s) {
    return std::all_of(transitions.begin(), transitions.end(), [&](rma::Transition const& t) {
        return std::visit(overloaded{
                              [&](rma::ProcessStep const& x) { return x.p == p; },
                              [&](auto const& card) { return card.s == s; },
                          },
                          t);
    });
}

} // namespace

PathStep step_between(AbstractState const& from, AbstractState const& to) {
    for (rma::ProcessIndex p = 0; p < from.pc.size(); ++p)
        if (from.pc[p] != to.pc[p]) return {.p = p};
    for (rma::UnitIndex u = 0; u < from.active.size(); ++u)
        if (to.active[u] < from.active[u] || (to.active == from.active && from.active[u] == 2)) return {.u = u};
    return {};
}

namespace {

class CounterexampleBuilder {
public:
    CounterexampleBuilder(Formulas& formulas, Abstraction& system, rma::SearchResult::Violation const& violation,
                          rma::FollowOptions const& options)
        : formulas_(formulas), graph_(formulas.graph()), system_(system), options_(options),
          machine_(graph_, system.options().model), agreement_(formulas, system.V()), path_(violation.path.size()) {
        for (std::size_t i = 0; i < path_.size(); ++i) system.unpack(violation.path[i].data(), path_[i]);
        result_.model = system.options().model;
        result_.mode = system.options().mode;
        result_.property = violation.property;
        if (!violation.property) result_.assertion = system.failing_assertion(path_.back());
    }

    Counterexample run() {
        add_steps();
        std::vector<rma::StepAlong> processes;
        for (rma::StepAlong const& step : along_)
            if (step.p != rma::no_index) processes.push_back({step.p, step.from, step.to});
        result_.violation = rma::follow(rma::Machine(graph_), processes, options_).violation;
        if (result_.violation) return std::move(result_);
        result_.machine = rma::follow(machine_, along_, options_);
        result_.agrees_at_end = result_.machine.steps == along_.size();
        result_.follows = std::min(result_.machine.steps, result_.steps.size());
        if (!result_.agrees_at_end) find_difference();
        return std::move(result_);
    }

private:
    void add_steps() {
        BitsInWords const bits(formulas_, system_);
        AbstractState nothing = path_.front();
        for (Bit& bit : nothing.V) bit = Bit::unknown;
        result_.initially = bits.changed(nothing, path_.front());
        for (std::size_t i = 1; i < path_.size(); ++i) {
            PathStep const step = step_between(path_[i - 1], path_[i]);
            if (step.p == rma::no_index && step.u == rma::no_index) continue;
            rma::StepAlong taken;
            taken.fits = [this, &V = path_[i].V](rma::State const& state) {
                return agreement_.differing(state, V).empty();
            };
            AbstractStep& shown = result_.steps.emplace_back();
            shown.becomes = bits.changed(path_[i - 1], path_[i]);
            if (step.p != rma::no_index) {
                taken.p = step.p;
                taken.from = path_[i - 1].pc[step.p];
                taken.to = path_[i].pc[step.p];
                shown.process = taken;
                shown.statement = graph_.at(taken.from).executes;
                remotes_.push_back(rma::no_index);
            } else {
                remotes_.push_back(system_.units()[step.u].s);
                shown.statement = graph_.remotes()[remotes_.back()].statement;
                shown.operation = bits.name(step.u);
            }
            along_.push_back(taken);
            known_.push_back(&path_[i].V);
        }
        known_.push_back(&path_.back().V);
        bool const is_final = result_.property && graph_.program().properties[*result_.property].is_final;
        along_.push_back({.fits = [this, is_final](rma::State const& state) {
            return agreement_.differing(state, *known_.back()).empty() && (!is_final || machine_.is_final(state));
        }});
    }

    void find_difference() {
        std::size_t const next = result_.machine.steps;
        rma::State const end = rma::replay(machine_, result_.machine.run).state;
        std::vector<Bit> const& known = *known_[next];
        std::optional<std::vector<std::uint32_t>> least;
        auto const look_at = [&](rma::State const& state) {
            auto differs = agreement_.differing(state, known);
            if (!least || differs.size() < least->size()) least = std::move(differs);
        };
        bool const is_at_end = next == result_.steps.size();
        bool const agrees = is_at_end && agreement_.differing(end, known).empty();
        if (is_at_end && !agrees) look_at(end);
        for (rma::Choice const& choice : rma::choices(machine_, end)) {
            // At the end, something is pending that the path has executed.
            bool const is_next = is_at_end ? agrees : is_of(choice.transitions, along_[next].p, remotes_[next]);
            if (!is_next) continue;
            rma::State after = end;
            rma::Effect effect = rma::Effect::moved;
            for (rma::Transition const& t : choice.transitions)
                if (effect == rma::Effect::moved) effect = machine_.apply(after, t);
            bool const is_process = !is_at_end && along_[next].p != rma::no_index;
            bool const is_there = is_at_end    ? machine_.is_final(after)
                                  : is_process ? after.pc[along_[next].p] == along_[next].to
                                               : true;
            if (effect == rma::Effect::moved && is_there) look_at(after);
        }
        for (std::uint32_t const p : least.value_or(std::vector<std::uint32_t>()))
            result_.differs.push_back({formulas_.text(system_.V()[p]), {}, known[p]});
    }

    Formulas& formulas_;
    rma::Graph const& graph_;
    Abstraction& system_;
    rma::FollowOptions const& options_;
    rma::Machine machine_; // of the path's model
    Agreement agreement_;
    std::vector<AbstractState> path_;
    // By step, and at the end:
    std::vector<rma::StepAlong> along_;
    std::vector<std::vector<Bit> const*> known_;
    std::vector<rma::RemoteIndex> remotes_; // no_index for a process; not at the end
    Counterexample result_;
};

} // namespace

Counterexample counterexample(Formulas& formulas, Abstraction& system, rma::SearchResult::Violation const& violation,
                              rma::FollowOptions const& options) {
    return CounterexampleBuilder(formulas, system, violation, options).run();
}

} // namespace matchpoint::proofs
