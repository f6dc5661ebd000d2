// Proofs of RMA programs by predicate abstraction, extrapolated from sequential consistency to RMA (Sections 4 and 5).
//
//   Proof const proof = prove(graph, {.solver = *solver_command("z3")});
//   if (proof.verdict == ProofVerdict::verified) ...
//
// First the program has to be proved under sequential consistency, with predicates that are given or found. Then the
// same predicates, for variables and for sets of pending values, have to prove it under RMA: in mode K, and if that is
// too weak, in mode S. What the abstraction cannot prove may still be safe. A run that goes wrong is a run of the
// machine, or there is none. If predicates that were found are too weak, the paths that they leave possible show which
// others matter (refine.hpp), and all begins anew. Beside all that, z3 may solve the program's Horn clauses
// (spacer.hpp). Whichever has a proof first ends the other.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "proofs/abstraction.hpp"
#include "proofs/certificate.hpp"
#include "proofs/counterexample.hpp"
#include "rma/search/check.hpp"

namespace matchpoint::proofs {

enum class ProofVerdict : std::uint8_t { verified, violated, unknown };
std::string_view to_string(ProofVerdict verdict);

/// What proves a program: predicate abstraction, Horn clauses, or both side by side.
enum class ProofEngine : std::uint8_t { abstraction, chc, both };

/// How far a proof is, for another thread that shows it.
struct ProofProgress {
    enum class Phase : std::uint8_t { predicates, abstraction, violation, certificate, clauses };
    std::atomic<Phase> phase = Phase::predicates;
    std::atomic<rma::Model> model = rma::Model::sc; // of an abstraction
    std::atomic<AbstractMode> mode = AbstractMode::K;
    std::atomic<std::size_t> predicates = 0;
    std::atomic<std::uint32_t> refinements = 0;
    std::atomic<std::uint64_t> states = 0; // of this abstraction
};

struct ProofOptions {
    solve::SolverCommand solver;
    ProofEngine engine = ProofEngine::abstraction; // without remote atomics, else there are no Horn clauses
    std::chrono::milliseconds clauses_after = std::chrono::seconds(2); // with both: when z3 begins
    std::chrono::milliseconds clauses_more = std::chrono::seconds(20); // with both: what z3 gets at least, beyond that
    ProofProgress* progress = nullptr;
    CubeOptions cubes = {};
    std::optional<std::vector<Expression>> predicates =
        std::nullopt; // of the graph's program; by default they are found
    ReadingOfSets sets = {};
    std::uint64_t max_bytes = std::uint64_t{2} << 30U; // of a table of states
    bool seeks_violation = true;
    std::uint32_t pending = 3; // of the search for a violation
    bool certifies = false;    // make a certificate of `verified`
    bool refines = true;       // predicates that were found
};

struct Proof {
    /// A search through the states of an abstraction.
    struct Attempt {
        rma::Model model;
        AbstractMode mode;
        bool proves = false;
        rma::SearchResult::Stop stop = rma::SearchResult::Stop::none;
        std::uint32_t states = 0;
        double seconds = 0;
    };

    /// What z3 said of the Horn clauses.
    struct Clauses {
        std::string outcome;    // "proved", or why not
        std::size_t states = 0; // of control
        std::size_t clauses = 0;
    };

    ProofVerdict verdict = ProofVerdict::unknown;
    std::optional<ProofEngine> proved_by; // of `verified`: one of two
    std::string reason;                   // of `unknown`
    std::uint32_t refinements = 0;        // how often predicates were added
    std::vector<std::string> predicates;
    std::size_t set_predicates = 0;
    std::vector<Attempt> attempts;                // those with the last predicates
    std::optional<Clauses> clauses;               // if z3 was asked, and had time to answer
    std::optional<Counterexample> counterexample; // of `unknown`: of the last attempt, if it has one
    // If it is verified: what no run under RMA does.
    bool never_asserts = false; // get to an `assert`
    bool never_ends = false;
    std::optional<rma::CheckResult::Violation> violation; // a run of the machine
    std::uint64_t questions = 0;                          // to the solver
    std::vector<CertificateEntry> certificate;            // if ProofOptions::certifies
    std::string no_certificate;                           // why there is none of `verified`
};

/// There is no certificate if the program has remote atomics. Throws SolverFailed and LimitReached; running out of time
/// is `unknown`.
Proof prove(rma::Graph const& graph, ProofOptions const& options);

} // namespace matchpoint::proofs
