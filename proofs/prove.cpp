#include "proofs/prove.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "proofs/inductive.hpp"
#include "proofs/predicates.hpp"
#include "proofs/refine.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/replay.hpp"
#include "rma/search/explored.hpp"

namespace matchpoint::proofs {

namespace {

using Clock = std::chrono::steady_clock;
using Stop = rma::SearchResult::Stop;

class Prover {
public:
    Prover(rma::Graph const& graph, ProofOptions const& options) : graph_(graph), options_(options), formulas_(graph) {}

    Proof run() {
        try {
            if (proves()) {
                proof_.verdict = ProofVerdict::verified;
                proof_.reason.clear();
            }
        } catch (OutOfTime const&) {
            proof_.reason = "out of time";
        }
        return std::move(proof_);
    }

private:
    static constexpr std::uint32_t most_refinements = 8;
    static constexpr std::size_t most_predicates = 150; // that are refined

    bool proves() {
        std::vector<Formula> V;
        if (options_.predicates) {
            for (Expression const e : *options_.predicates) add_given(V, formulas_.with_places(e));
            return proves(V);
        }
        V = find_predicates(formulas_, options_.cubes.domains);
        while (!proves(V)) {
            if (!options_.refines || proof_.violation || proof_.refinements == most_refinements) return false;
            auto better = find_predicates(formulas_, options_.cubes.domains, more_);
            std::set<Formula> const known(V.begin(), V.end());
            bool const is_same =
                std::all_of(better.begin(), better.end(), [&](Formula p) { return known.contains(p); });
            if (is_same || better.size() > most_predicates) return false;
            V = std::move(better);
            ++proof_.refinements;
        }
        return true;
    }

    bool proves(std::vector<Formula> const& V) {
        proof_.predicates.clear();
        proof_.attempts.clear();
        for (Formula const p : V) proof_.predicates.push_back(formulas_.text(p));
        Cubes cubes(formulas_, V, options_.solver, options_.cubes);
        proof_.set_predicates = set_predicates_of(formulas_, V).size();
        bool const is_proved = proves(cubes, rma::Model::sc) && proves(cubes, rma::Model::rma);
        proof_.questions += cubes.questions();
        if (is_proved && options_.certifies) certify(cubes);
        return is_proved;
    }

    /// With its negation, a predicate would say the same, but is no comparison.
    void add_given(std::vector<Formula>& V, Formula p) {
        if (formulas_.is_operation(p) && formulas_.op(p) == Op::not_) p = formulas_.negated(p);
        if (std::find(V.begin(), V.end(), p) == V.end()) V.push_back(p);
    }

    /// Mode S may know enough where mode K does not.
    void certify(Cubes& cubes) {
        try {
            for (AbstractMode const mode : {AbstractMode::K, AbstractMode::S}) {
                if (mode < proof_.attempts.back().mode) continue;
                auto found = certified(cubes, {rma::Model::rma, mode, options_.sets}, options_.solver);
                proof_.no_certificate = found ? "" : found.error();
                if (!found) continue;
                proof_.certificate = std::move(*found);
                return;
            }
        } catch (OutOfTime const& e) {
            proof_.no_certificate = e.what();
        }
    }

    bool proves(Cubes& cubes, rma::Model model) {
        for (AbstractMode const mode : {AbstractMode::K, AbstractMode::S}) {
            if (attempt(cubes, model, mode)) return true;
            seek_once();
            if (proof_.violation) return false;
        }
        proof_.reason = fmt::format("the predicates do not prove it under {}",
                                    model == rma::Model::sc ? "sequential consistency" : "RMA");
        return false;
    }

    /// Throws OutOfTime. After many states, a run that goes wrong is looked for first.
    bool attempt(Cubes& cubes, rma::Model model, AbstractMode mode) {
        constexpr std::uint32_t many_states = 100'000;
        auto const begin = Clock::now();
        Abstraction system(cubes, {model, mode, options_.sets});
        rma::SearchOptions search{.stop_at_violation = true, .reduced = false, .max_bytes = options_.max_bytes};
        std::uint32_t const most_states = search.max_states;
        if (options_.seeks_violation && !has_sought_) search.max_states = many_states;
        rma::SearchResult found = rma::search(system, search);
        if (found.stop == Stop::states && search.max_states == many_states) {
            seek_once();
            search.max_states = most_states;
            if (!proof_.violation) found = rma::search(system, search);
        }
        bool const is_proved = found.complete() && !found.violation;
        if (found.violation) {
            auto const atoms = atoms_on_path(formulas_, system, *found.violation);
            more_.insert(more_.end(), atoms.begin(), atoms.end());
        }
        std::chrono::duration<double> const seconds = Clock::now() - begin;
        proof_.attempts.push_back({model, mode, is_proved, found.stop, found.states, seconds.count()});
        proof_.never_asserts = !found.may_assert;
        proof_.never_ends = !found.has_final;
        if (!is_proved && found.stop == Stop::time) throw OutOfTime();
        return is_proved;
    }

    void seek_once() {
        if (options_.seeks_violation && !std::exchange(has_sought_, true)) seek_violation();
    }

    /// Breadth first, so that integers which grow without end do not keep it from short runs.
    void seek_violation() {
        constexpr std::uint32_t most_states = 300'000;
        rma::Machine const machine(graph_);
        rma::MachineSystem system(machine, {.fused = false, .pending = options_.pending, .values = {}});
        auto const found = rma::search(system, {.stop_at_violation = true,
                                                .reduced = false,
                                                .shortest = true,
                                                .max_bytes = options_.max_bytes / 2,
                                                .max_states = most_states});
        if (!found.violation) return;
        auto const property = found.violation->property;
        auto run = system.way(found.violation->path, !property);
        rma::Replayed const end = rma::replay(machine, run);
        bool const fails =
            property ? is_broken(end.state, graph_.program().properties[*property]) : end.effect == rma::Effect::failed;
        if (!fails) throw std::logic_error("prove: the run does not go wrong");
        proof_.verdict = ProofVerdict::violated;
        proof_.reason.clear();
        proof_.violation = rma::CheckResult::Violation{std::move(run), property, !found.cuts.pending};
    }

    bool is_broken(rma::State const& state, rma::Property const& property) const {
        auto const value = rma::evaluate(graph_, state, property.e);
        return value && value->is_false();
    }

    rma::Graph const& graph_;
    ProofOptions const& options_;
    Formulas formulas_;
    std::vector<Formula> more_; // atoms of the paths that were too weak
    bool has_sought_ = false;
    Proof proof_;
};

} // namespace

std::string_view to_string(ProofVerdict verdict) {
    switch (verdict) {
    case ProofVerdict::verified: return "verified";
    case ProofVerdict::violated: return "violated";
    case ProofVerdict::unknown: break;
    }
    return "unknown";
}

Proof prove(rma::Graph const& graph, ProofOptions const& options) { return Prover(graph, options).run(); }

} // namespace matchpoint::proofs
