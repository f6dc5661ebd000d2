// Match pairs: for each receive, the sends that it may get (Section 7). Encoders need a superset of the exact pairs; a
// smaller one makes a smaller problem (Theorem 5).
//
//   Result<std::vector<Match>> const pairs = match_pairs(program, Buffering::infinite, Pairs::tight);
#pragma once

#include <matchpoint/program.hpp>

namespace matchpoint::api {

/// Each is a subset of the one before it.
enum class Pairs : std::uint8_t {
    overapprox, // Figure 15
    tight,      // what polynomial reasoning leaves of that (docs/encoding.md)
    exact,      // those of some complete run: a search, exponential at worst
};
std::string_view to_string(Pairs method);

/// By receive, then by send, in the order of the text. `steps`: machine steps of the search for the exact ones. Errors:
/// `input` (breaches of the discipline), `limit`.
Result<std::vector<Match>> match_pairs(Program const& program, Buffering buffering = Buffering::infinite,
                                       Pairs method = Pairs::tight, std::uint64_t steps = UINT64_MAX);

} // namespace matchpoint::api
