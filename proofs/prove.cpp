#include "proofs/prove.hpp"

#include <chrono>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "proofs/predicates.hpp"

namespace matchpoint::proofs {

namespace {

using Clock = std::chrono::steady_clock;
using Stop = rma::SearchResult::Stop;

constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20U; // of a search for a violation

class Prover {
public:
    Prover(rma::Graph const& graph, ProofOptions const& options) : graph_(graph), options_(options), formulas_(graph) {}

    Proof run() {
        try {
            if (proves()) {
                proof_.verdict = ProofVerdict::verified;
                return std::move(proof_);
            }
        } catch (OutOfTime const&) {
            proof_.reason = "out of time";
            return std::move(proof_);
        }
        if (options_.seeks_violation) seek_violation();
        return std::move(proof_);
    }

private:
    bool proves() {
        std::vector<Formula> V;
        if (options_.predicates)
            for (Expression const e : *options_.predicates) V.push_back(formulas_.with_places(e));
        else
            V = find_predicates(formulas_);
        for (Formula const p : V) proof_.predicates.push_back(formulas_.text(p));
        Cubes cubes(formulas_, V, options_.solver, options_.cubes);
        for (rma::RemoteIndex s = 0; s < graph_.remotes().size(); ++s)
            for (Formula const p : V)
                if (formulas_.has(p, Formulas::symbol(graph_.remotes()[s].src))) ++proof_.set_predicates;
        bool const is_proved = proves(cubes, rma::Model::sc) && proves(cubes, rma::Model::rma);
        proof_.questions = cubes.questions();
        return is_proved;
    }

    bool proves(Cubes& cubes, rma::Model model) {
        for (AbstractMode const mode : {AbstractMode::K, AbstractMode::S}) {
            auto const begin = Clock::now();
            Abstraction system(cubes, {model, mode, options_.literal});
            rma::SearchResult const found =
                rma::search(system, {.stop_at_violation = true, .reduced = false, .max_bytes = options_.max_bytes});
            bool const is_proved = found.complete() && !found.violation;
            std::chrono::duration<double> const seconds = Clock::now() - begin;
            proof_.attempts.push_back({model, mode, is_proved, found.stop, found.states, seconds.count()});
            if (is_proved) return true;
            if (found.stop == Stop::time) throw OutOfTime();
        }
        proof_.reason = fmt::format("the predicates do not prove it under {}",
                                    model == rma::Model::sc ? "sequential consistency" : "RMA");
        return false;
    }

    void seek_violation() {
        rma::CheckResult found =
            rma::check_program(graph_.program(), {.engine = rma::Engine::search,
                                                  .pending = options_.pending,
                                                  .values = options_.values,
                                                  .max_bytes = std::min(options_.max_bytes, most_bytes)});
        if (!found.violation) return;
        proof_.verdict = ProofVerdict::violated;
        proof_.reason.clear();
        proof_.violation = std::move(found.violation);
    }

    rma::Graph const& graph_;
    ProofOptions const& options_;
    Formulas formulas_;
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
