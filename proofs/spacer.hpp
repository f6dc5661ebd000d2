// z3's engine for Horn clauses, Spacer.
//
//   SpacerResult const result = run_spacer(formulas, horn, std::chrono::seconds(60));
//   if (std::get_if<answer::Sat>(&result.answer)) write_certificate(folder, text, graph, result.proof);
//
//   SpacerBeside spacer(graph, std::chrono::seconds(2));
//   ...                                              // something else, as long as not spacer.has_proof()
//   SpacerResult const& result = spacer.wait();
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "base/expected.hpp"
#include "proofs/certificate.hpp"
#include "proofs/horn.hpp"
#include "solve/solver.hpp"

namespace matchpoint::proofs {

struct SpacerResult {
    /// Sat: no bad state is reachable. Unsat: one is, in the reduced program; the program itself need not reach it.
    Answer answer;
    std::vector<CertificateEntry> proof = {}; // if `sat`
    bool gave_wrong_model = false;            // z3 said `sat`, with a model in which a clause is false
    std::size_t states = 0;                   // of control
    std::size_t clauses = 0;

    bool is_proof() const { return std::holds_alternative<answer::Sat>(answer); }
};

/// Runs z3 twice side by side, with and without inlining of clauses: each solves programs on which the other one takes
/// forever. Whichever answers first ends the other. The time is a limit for both. A model counts only if z3, asked
/// again, says that all clauses are true in it: with inlining, z3 4.8.12 gives wrong ones. One that is wrong is no
/// answer (Unknown). Once `stop` is set, by another thread, both end as if their time were up; a verdict sets it.
SpacerResult run_spacer(Formulas const& formulas, HornClauses const& horn,
                        std::optional<std::chrono::milliseconds> time, std::atomic<bool>* stop = nullptr);

/// Makes and solves the Horn clauses of a program in a thread of its own.
class SpacerBeside {
public:
    /// Begins after so long, or as soon as somebody waits. The program has no remote atomics, and outlives this.
    SpacerBeside(rma::Graph const& graph, std::chrono::milliseconds after);
    ~SpacerBeside(); // ends it
    SpacerBeside(SpacerBeside const&) = delete;
    SpacerBeside& operator=(SpacerBeside const&) = delete;

    bool has_begun() const { return has_begun_; }
    bool has_proof() const { return has_proof_; }
    /// The result; none if there is none after so long. If the clauses need more memory than there is, or another
    /// limit is reached, it is Unknown, with the reason. Throws OutOfTime.
    SpacerResult const* wait(std::optional<std::chrono::milliseconds> time = std::nullopt);

private:
    void run(std::chrono::milliseconds after);
    SpacerResult solve();

    rma::Graph const& graph_;
    std::atomic<bool> stop_ = false;
    std::atomic<bool> has_begun_ = false;
    std::atomic<bool> has_proof_ = false;
    std::mutex mutex_; // of the rest
    std::condition_variable changed_;
    bool is_wanted_ = false; // now
    std::optional<SpacerResult> result_;
    std::thread thread_;
};

/// The relations of a model, by state and over the names of the program, or what is wrong with the model.
Expected<std::vector<std::string>, std::string> relations_of_model(Formulas const& formulas, HornClauses const& horn,
                                                                   std::string_view model);

} // namespace matchpoint::proofs
