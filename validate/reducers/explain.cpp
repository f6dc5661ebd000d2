#include "validate/reducers/explain.hpp"

#include <fmt/format.h>

#include "base/source.hpp"
#include "rma/language/parse.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/search/check.hpp"

namespace matchpoint::validate::reducers {

namespace {

std::string run_of_violation(rma::Program const& program) {
    rma::CheckResult const result = rma::check_program(program, {.engine = rma::Engine::search});
    if (!result.violation) return {};
    rma::Graph const graph(program);
    return rma::print_schedule(rma::Machine(graph), result.violation->run);
}

/// "(not (and true (= X 1) (= r 0)))" of "X = 1, r = 0"
std::string other_than(std::string const& valuation) {
    std::string all;
    for (std::size_t at = 0; at < valuation.size();) {
        std::size_t const end = std::min(valuation.find(", ", at), valuation.size());
        std::string const one = valuation.substr(at, end - at);
        std::size_t const sign = one.find(" = ");
        all += fmt::format(" (= {} {})", one.substr(0, sign), one.substr(sign + 3));
        at = end + 2;
    }
    return fmt::format("(not (and true true{}))", all);
}

/// The program with this property and no other one.
std::string run_to_valuation(rma::Program program, std::string const& valuation) {
    program.properties.clear();
    std::string text = rma::print(program);
    text.insert(text.rfind(')'), fmt::format("(assert final {})", other_than(valuation)));
    Source const source("program", std::move(text));
    auto const asked = rma::parse_rma(source);
    return asked ? run_of_violation(*asked) : std::string();
}

} // namespace

std::string run_to(rma::Program const& program, Outcome const& truth, Outcome const& reduced) {
    if (truth.violated && !reduced.violated) return run_of_violation(program);
    for (std::string const& M : truth.finals)
        if (!reduced.finals.contains(M)) return run_to_valuation(program, M);
    return {};
}

} // namespace matchpoint::validate::reducers
