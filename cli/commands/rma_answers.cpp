#include "cli/commands/rma_answers.hpp"

#include <fmt/format.h>

namespace matchpoint::cli {

namespace {

template <typename Property>
void count(std::vector<Property> const& properties, Claims& claims) {
    for (Property const& property : properties) ++(property.is_final ? claims.finals : claims.invariants);
}

} // namespace

Claims claims_of(rma::Program const& program) {
    Claims claims;
    count(program.properties, claims);
    for (rma::Statement const& s : program.statements)
        if (std::holds_alternative<rma::Assert>(s.c)) ++claims.asserts;
    return claims;
}

Claims claims_of(rma::reduced::Program const& program) {
    Claims claims;
    count(program.properties, claims);
    for (rma::reduced::Instruction const& i : program.code)
        if (std::holds_alternative<rma::reduced::Assert>(i.action)) ++claims.asserts;
    return claims;
}

std::vector<std::string> never_evaluated(Claims const& claims, bool never_ends, bool never_asserts) {
    std::vector<std::string> sentences;
    if (claims.finals + claims.invariants + claims.asserts == 0) sentences.emplace_back("the program asserts nothing");
    if (never_ends && claims.finals > 0)
        sentences.push_back(fmt::format("no run reaches the end: the final {} never evaluated",
                                        claims.finals == 1 ? "assertion was" : "assertions were"));
    if (never_asserts && claims.asserts > 0)
        sentences.push_back(claims.asserts == 1
                                ? "no run reaches the `assert`"
                                : fmt::format("no run reaches any of the {} statements `assert`", claims.asserts));
    return sentences;
}

std::vector<std::string> never_evaluated(Claims const& claims, rma::CheckAnswers const& answers) {
    if (answers.verdict != rma::Verdict::safe) return {};
    return never_evaluated(claims, answers.has_final == rma::Known::no, answers.never_asserts);
}

bool was_looked_for(rma::Known known, rma::CheckAnswers const& answers, rma::CheckOptions const& options) {
    return known != rma::Known::open || answers.verdict != rma::Verdict::violated || options.finals;
}

Json to_json(rma::Known known, rma::CheckAnswers const& answers, rma::CheckOptions const& options) {
    return was_looked_for(known, answers, options) ? Json(to_string(known)) : Json(nullptr);
}

} // namespace matchpoint::cli
