#include "proofs/prove.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "proofs/inductive.hpp"
#include "proofs/predicates.hpp"
#include "proofs/refine.hpp"
#include "proofs/spacer.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/replay.hpp"
#include "rma/search/explored.hpp"

namespace matchpoint::proofs {

namespace {

using Clock = std::chrono::steady_clock;
using Stop = rma::SearchResult::Stop;

class Prover {
public:
    Prover(rma::Graph const& graph, ProofOptions const& options)
        : graph_(graph), options_(options), formulas_(graph),
          progress_(options.progress != nullptr ? *options.progress : nobody_looks_) {
        if (options.engine == ProofEngine::abstraction) return;
        try {
            spacer_.emplace(graph,
                            options.engine == ProofEngine::both ? options.clauses_after : std::chrono::milliseconds(0));
        } catch (std::system_error const&) {
            if (options.engine == ProofEngine::chc) throw LimitReached("no memory for a thread that asks z3");
        }
    }

    Proof run() {
        try {
            if (options_.engine == ProofEngine::chc)
                seek_once();
            else
                abstract();
            if (spacer_ && proof_.verdict == ProofVerdict::unknown) solve_clauses();
        } catch (OutOfTime const&) {
            proof_.reason = "out of time";
        }
        if (proof_.verdict != ProofVerdict::unknown) {
            proof_.reason.clear();
            proof_.counterexample.reset();
        }
        return std::move(proof_);
    }

private:
    static constexpr std::uint32_t most_refinements = 8;
    static constexpr std::size_t most_predicates = 150; // that are refined

    /// Until it has an answer, or z3 has a proof.
    void abstract() {
        Watch const watch([this] { return has_proof(); });
        try {
            if (!proves()) return;
            proof_.verdict = ProofVerdict::verified;
            proof_.proved_by = ProofEngine::abstraction;
        } catch (OutOfTime const&) {
            if (!has_proof()) throw;
        }
        // It may have no certificate.
        if (has_proof() && !proof_.no_certificate.empty()) solve_clauses();
    }
    bool has_proof() const { return spacer_ && spacer_->has_proof(); }

    /// With both, z3 has as long again as everything else took, and a bit more.
    void solve_clauses() {
        progress_.phase = ProofProgress::Phase::clauses;
        std::optional<std::chrono::milliseconds> time;
        if (options_.engine == ProofEngine::both)
            time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_) + options_.clauses_more;
        SpacerResult const* const result = spacer_->wait(time);
        if (result == nullptr) {
            proof_.clauses = Proof::Clauses{"not decided in time"};
            return;
        }
        proof_.clauses = Proof::Clauses{outcome(*result), result->states, result->clauses};
        if (options_.engine == ProofEngine::chc) proof_.reason = proof_.clauses->outcome;
        if (!result->is_proof()) return;
        proof_.verdict = ProofVerdict::verified;
        proof_.proved_by = ProofEngine::chc;
        proof_.no_certificate.clear();
        proof_.certificate.clear();
        if (options_.certifies) proof_.certificate = result->proof;
        proof_.never_asserts = std::none_of(result->proof.begin(), result->proof.end(),
                                            [&](CertificateEntry const& e) { return asserts(e.at); });
        proof_.never_ends = std::none_of(result->proof.begin(), result->proof.end(),
                                         [&](CertificateEntry const& e) { return is_end(e.at); });
    }

    std::string outcome(SpacerResult const& result) const {
        auto const failed = [&](auto const& answer) -> std::string {
            std::string what = solve::to_string(answer, *solve::solver_command("z3"));
            if (what.find("out of memory") != std::string::npos) return "z3: out of memory";
            if (options_.engine == ProofEngine::chc) throw SolverFailed{std::move(what)};
            return what;
        };
        return std::visit(overloaded{
                              [](solve::answer::Sat const&) -> std::string { return "proved"; },
                              [](solve::answer::Unsat const&) -> std::string {
                                  return "a bad state of the reduced program is reachable";
                              },
                              [&](solve::answer::Unknown const& u) -> std::string {
                                  if (result.gave_wrong_model) return "z3 says sat, but its model is wrong";
                                  std::string const first_line = u.reason.substr(0, u.reason.find('\n'));
                                  return first_line.empty() ? "z3 does not decide it"
                                                            : "z3 does not decide it: " + first_line;
                              },
                              [](solve::answer::Timeout const&) -> std::string { return "z3 timed out"; },
                              [&](solve::answer::Crashed const& c) { return failed(c); },
                              [&](solve::answer::Missing const& m) { return failed(m); },
                          },
                          result.answer);
    }

    bool asserts(ControlState const& at) const {
        for (rma::ProcessIndex p = 0; p < at.pc.size(); ++p) {
            if (at.pc[p] == graph_.end(p)) continue;
            auto const& c = graph_.program().statements[graph_.at(at.pc[p]).executes].c;
            if (std::holds_alternative<rma::Assert>(c)) return true;
        }
        return false;
    }
    bool is_end(ControlState const& at) const {
        for (rma::ProcessIndex p = 0; p < at.pc.size(); ++p)
            if (at.pc[p] != graph_.end(p)) return false;
        return std::all_of(at.active.begin(), at.active.end(), [](std::uint8_t n) { return n == 0; });
    }

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
            progress_.refinements = ++proof_.refinements;
        }
        return true;
    }

    bool proves(std::vector<Formula> const& V) {
        proof_.predicates.clear();
        proof_.attempts.clear();
        for (Formula const p : V) proof_.predicates.push_back(formulas_.text(p));
        progress_.predicates = V.size();
        progress_.phase = ProofProgress::Phase::predicates;
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
        progress_.phase = ProofProgress::Phase::certificate;
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
            if (proof_.violation) return false;
        }
        proof_.reason = fmt::format("the predicates do not prove it under {}",
                                    model == rma::Model::sc ? "sequential consistency" : "RMA");
        return false;
    }

    /// Throws OutOfTime. After a second or many states, a run that goes wrong is looked for first; and when the
    /// abstraction fails.
    bool attempt(Cubes& cubes, rma::Model model, AbstractMode mode) {
        auto const begin = Clock::now();
        progress_.model = model;
        progress_.mode = mode;
        std::optional<Abstraction> system;
        rma::SearchResult found;
        // One that was interrupted may have half of a formula.
        auto const begin_again = [&] {
            progress_.phase = ProofProgress::Phase::abstraction;
            progress_.states = 0;
            system.emplace(cubes, AbstractionOptions{model, mode, options_.sets, false, &progress_.states});
        };
        auto const search = [&](std::uint32_t most_states) {
            found = rma::search(*system, {.stop_at_violation = true,
                                          .reduced = false,
                                          .max_bytes = options_.max_bytes,
                                          .max_states = most_states});
        };
        constexpr std::uint32_t any_number = rma::SearchOptions().max_states;
        begin_again();
        if (options_.seeks_violation && !has_sought_) {
            {
                Watch const watch([soon = begin + std::chrono::seconds(1)] { return Clock::now() > soon; });
                search(100'000);
            }
            if (found.stop == Stop::states || found.stop == Stop::time) {
                look_at_watch();
                seek_once();
                if (proof_.violation) return false;
                begin_again();
                search(any_number);
            }
        } else {
            search(any_number);
        }
        bool const is_proved = found.complete() && !found.violation;
        if (found.violation) {
            auto const atoms = atoms_on_path(formulas_, *system, *found.violation);
            more_.insert(more_.end(), atoms.begin(), atoms.end());
        }
        std::chrono::duration<double> const seconds = Clock::now() - begin;
        proof_.counterexample.reset();
        if (found.stop == Stop::time && has_proof()) throw OutOfTime(); // nobody needs this attempt any longer
        proof_.attempts.push_back({model, mode, is_proved, found.stop, found.states, seconds.count()});
        proof_.never_asserts = !found.may_assert;
        proof_.never_ends = !found.has_final;
        if (!is_proved && found.stop == Stop::time) throw OutOfTime();
        if (is_proved) return true;
        seek_once();
        if (found.violation && !proof_.violation && options_.seeks_violation) follow(*system, *found.violation);
        return false;
    }

    void seek_once() {
        if (options_.seeks_violation && !std::exchange(has_sought_, true))
            unless_too_large([this] { seek_violation(); });
    }

    /// Breadth first, so that integers which grow without end do not keep it from short runs.
    void seek_violation() {
        progress_.phase = ProofProgress::Phase::violation;
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
        violated({system.way(found.violation->path, !property), property, !found.cuts.pending});
    }

    /// How far the machine follows a path of an abstraction. That may be further than a search of all states gets.
    void follow(Abstraction& system, rma::SearchResult::Violation const& path) {
        progress_.phase = ProofProgress::Phase::violation;
        unless_too_large([&] {
            proof_.counterexample = counterexample(formulas_, system, path,
                                                   {.pending = options_.pending, .max_bytes = options_.max_bytes / 2});
            if (auto& violation = proof_.counterexample->violation) violated(std::move(*violation));
        });
    }

    /// Integers may become too large for the machine, but not for proofs.
    template <typename F>
    static void unless_too_large(F const& run_machine) {
        try {
            run_machine();
        } catch (OutOfTime const&) {
            throw;
        } catch (LimitReached const&) {
        }
    }

    void violated(rma::CheckResult::Violation found) {
        rma::Replayed const end = rma::replay(rma::Machine(graph_), found.run);
        bool const fails = found.property ? is_broken(end.state, graph_.program().properties[*found.property])
                                          : end.effect == rma::Effect::failed;
        if (!fails) throw std::logic_error("prove: the run does not go wrong");
        proof_.verdict = ProofVerdict::violated;
        proof_.violation = std::move(found);
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
    ProofProgress nobody_looks_;
    ProofProgress& progress_;
    Clock::time_point const begin_ = Clock::now();
    std::optional<SpacerBeside> spacer_;
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
