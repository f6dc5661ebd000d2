#include "proofs/certificate.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace matchpoint::proofs {

namespace {

constexpr auto readme =
    R"(Evidence that the program is safe under remote memory access: no run breaks an invariant, passes a false
assertion, or ends in a state that breaks an (assert final e). You need not trust Matchpoint, which has no part in the
check.

program.rma   the program
proof.smt     for each control state of its reduced program that can be reached, a formula that holds there

To check it with Python's standard library and z3 or cvc5:

    scripts/check_rma_certificate . PROGRAM

PROGRAM is your own copy of the program. Matchpoint's docs/rma.md describes the format and the reduced program.
)";

} // namespace

std::string print_proof(rma::Graph const& graph, std::vector<CertificateEntry> const& entries) {
    std::string text = "(rma-proof";
    for (CertificateEntry const& entry : entries) {
        spend(100 + entry.formula.size());
        text += fmt::format("\n  (state {} {})", print_control(graph, entry.at), entry.formula);
    }
    return text + ")\n";
}

FileError write_certificate(std::string const& folder, std::string_view program, rma::Graph const& graph,
                            std::vector<CertificateEntry> const& entries) {
    return write_folder(
        folder,
        {{"README", readme}, {"program.rma", std::string(program)}, {"proof.smt", print_proof(graph, entries)}});
}

} // namespace matchpoint::proofs
