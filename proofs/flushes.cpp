#include "proofs/flushes.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "proofs/prove.hpp"
#include "proofs/spacer.hpp"

namespace matchpoint::proofs {

namespace {

/// Whether there is a run that goes wrong. First with one pending operation of each statement, where there are fewer
/// states.
bool is_refuted(rma::Graph const& graph, FlushProofOptions const& options, rma::Decision& decision) {
    constexpr std::uint32_t most_states = 300'000;
    rma::Machine const machine(graph);
    for (std::uint32_t const pending : {1U, options.pending}) {
        rma::MachineSystem system(machine, {.fused = true, .pending = pending, .values = {}});
        auto const found = rma::search(
            system, {.stop_at_violation = true, .max_bytes = options.max_bytes / 2, .max_states = most_states});
        decision.states += found.states;
        if (found.stop == rma::SearchResult::Stop::time) throw OutOfTime();
        if (found.violation) {
            decision.verdict = rma::Verdict::violated;
            decision.fails = !found.violation->property;
            decision.run = system.way(found.violation->path, decision.fails);
            return true;
        }
        if (!found.cuts.pending) break;
    }
    return false;
}

/// The same. Integers may become too large for the machine, but not for proofs.
bool is_known_to_fail(rma::Graph const& graph, FlushProofOptions const& options, rma::Decision& decision) {
    try {
        return is_refuted(graph, options, decision);
    } catch (OutOfTime const&) {
        throw;
    } catch (LimitReached const&) {
        return false;
    }
}

} // namespace

rma::Decision decide_by_abstraction(rma::Program const& program, FlushProofOptions const& options) {
    rma::Graph const graph(program);
    rma::Decision decision;
    if (is_known_to_fail(graph, options, decision)) return decision;
    Proof const proof = prove(graph, {.solver = *solve::solver_command("z3"),
                                      .max_bytes = options.max_bytes / 2,
                                      .seeks_violation = false,
                                      .refines = false});
    for (Proof::Attempt const& a : proof.attempts) {
        decision.states += a.states;
        decision.is_late = decision.is_late || a.stop == rma::SearchResult::Stop::time;
    }
    if (proof.verdict == ProofVerdict::verified) decision.verdict = rma::Verdict::safe;
    decision.reason = proof.reason;
    return decision;
}

rma::Decision decide_by_horn_clauses(rma::Program const& program, FlushProofOptions const& options) {
    rma::Graph const graph(program);
    rma::Decision decision;
    if (is_known_to_fail(graph, options, decision)) return decision;
    Formulas formulas(graph);
    HornClauses const horn = horn_clauses(formulas);
    auto time = options.each;
    if (options.deadline)
        time = std::min(time, std::chrono::duration_cast<std::chrono::milliseconds>(*options.deadline -
                                                                                    std::chrono::steady_clock::now()));
    solve::Answer const answer = run_spacer(formulas, horn, time).answer;
    look_at_watch();
    std::visit(
        overloaded{
            [&](solve::answer::Sat const&) { decision.verdict = rma::Verdict::safe; },
            [&](solve::answer::Unsat const&) {
                decision.reason = "the reduced program goes wrong, and no run of the program is known that does";
            },
            [&](solve::answer::Unknown const&) { decision.reason = "z3 does not decide it"; },
            [&](solve::answer::Timeout const&) { decision.reason = "z3 timed out"; },
            [&](auto const& failed) { throw SolverFailed{solve::to_string(failed, *solve::solver_command("z3"))}; },
        },
        answer);
    return decision;
}

} // namespace matchpoint::proofs
