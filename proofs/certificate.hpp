// Certificates of proofs about the counted reduced program: a formula for each control state that can be reached.
//
//   proof.smt ::= (rma-proof (state (pc 0 3 end) (active 0 2) FORMULA) ...)
//
// FORMULA is an SMT-LIB term over the names of Formulas::smt_name. It holds in every reachable state with these pcs and
// counts, whichever element e%%s of each set(s) is chosen. What is not listed is unreachable.
// scripts/check_rma_certificate, which shares no code with this, checks it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "proofs/horn.hpp"

namespace matchpoint::proofs {

struct CertificateEntry {
    ControlState at;
    std::string formula;
};

/// proof.smt
std::string print_proof(rma::Graph const& graph, std::vector<CertificateEntry> const& entries);

/// Writes the folder, or nothing: it must be empty or not exist. `program` is the text of the program. Empty if it
/// succeeded.
FileError write_certificate(std::string const& folder, std::string_view program, rma::Graph const& graph,
                            std::vector<CertificateEntry> const& entries);

} // namespace matchpoint::proofs
