// Proofs for the flush search (rma/search/flushes.hpp): whether a program works with a placement of flushes.
//
//   rma::FlushOptions options;
//   options.decide = [&](rma::Program const& program) { return decide_by_abstraction(program, {}); };
//   rma::FlushResult const result = rma::least_flushes(program, options);
//
// First a run of the machine that goes wrong is looked for in so many states. Only such a run refutes a placement.
#pragma once

#include <chrono>
#include <optional>

#include "rma/search/flushes.hpp"

namespace matchpoint::proofs {

struct FlushProofOptions {
    std::uint32_t pending = 3;                                 // of the search for a run
    std::uint64_t max_bytes = std::uint64_t{2} << 30U;         // of a table of states
    std::chrono::milliseconds each = std::chrono::seconds(10); // for z3's answer about a placement's Horn clauses
    std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt; // of all placements
};

/// These throw SolverFailed, LimitReached.
rma::Decision decide_by_abstraction(rma::Program const& program, FlushProofOptions const& options);
/// The program has no remote atomics.
rma::Decision decide_by_horn_clauses(rma::Program const& program, FlushProofOptions const& options);

} // namespace matchpoint::proofs
