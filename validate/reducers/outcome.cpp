#include "validate/reducers/outcome.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/source.hpp"
#include "rma/language/forms.hpp"
#include "rma/language/parse.hpp"
#include "rma/language/parse_reduced.hpp"
#include "rma/machine/words.hpp"
#include "rma/search/explored.hpp"
#include "rma/search/reduced_run.hpp"

namespace matchpoint::validate::reducers {

namespace {

/// `shown` gives the values of the program's variables in the order of its declarations.
template <typename Shown>
Outcome explore(rma::System& system, OutcomeLimits const& limits, Shown const& shown) {
    rma::SearchResult const found = rma::search(system, {.finals = true, .max_states = limits.states});
    Outcome result{found.violation.has_value(), found.complete(), {}, found.states};
    for (rma::Packed const& part : found.finals) result.finals.insert(shown(system.memory(part)));
    return result;
}

Outcome explore(rma::System& system, rma::Program const& program, OutcomeLimits const& limits) {
    return explore(system, limits, [&](std::vector<Value> const& M) { return rma::print_valuation(program, M); });
}

std::string first_of(Diagnostics const& faults, Source const& source) {
    return "it printed no program: " + headline(faults.front(), source);
}

Reduced run_plain(Source const& source, rma::Program const& program, OutcomeLimits const& limits) {
    auto const plain = rma::parse_rma(source);
    if (!plain) return {{}, first_of(plain.error(), source)};
    std::vector<rma::Variable> shown(program.variables.size());
    for (rma::Variable const x : program.declared) {
        auto const found = plain->symbols.variables.find(program.symbols(x));
        if (!found || (*plain)[rma::Variable{*found}].process == rma::no_index)
            return {{}, fmt::format("it has no variable `{}`", printable(program.symbols(x)))};
        shown[x.index] = {*found};
    }
    rma::Graph const graph(*plain);
    rma::Machine const machine(graph, rma::Model::sc);
    rma::MachineSystem system(machine, {});
    return {explore(system, limits,
                    [&](std::vector<Value> const& theirs) {
                        std::vector<Value> M(program.variables.size());
                        for (rma::Variable const x : program.declared) M[x.index] = theirs[shown[x.index].index];
                        return rma::print_valuation(program, M);
                    }),
            {}};
}

} // namespace

Outcome truth_of(rma::Program const& program, OutcomeLimits const& limits) {
    rma::Graph const graph(program);
    rma::Machine const machine(graph);
    rma::MachineSystem system(machine, {.pending = limits.pending});
    return explore(system, program, limits);
}

Outcome reading_of(rma::Program const& program, rma::Literal const& literal, OutcomeLimits const& limits) {
    rma::Graph const graph(program);
    return explore(*rma::reduced_system(graph, literal, {}), program, limits);
}

Reduced run_reduced(std::string const& text, rma::Program const& program, OutcomeLimits const& limits) {
    Source const source("its output", text);
    auto const forms = rma::read_forms(source);
    if (!forms) return {{}, first_of(forms.error(), source)};
    try {
        if (forms->size() > 0 && forms->head(0) == "rma") return run_plain(source, program, limits);
        auto const reduced = rma::parse_reduced(source);
        if (!reduced) return {{}, first_of(reduced.error(), source)};
        auto shown = rma::names_of(program, *reduced);
        if (!shown) return {{}, shown.error()};
        rma::TextSystem system(*reduced, std::move(*shown));
        return {explore(system, program, limits), {}};
    } catch (OutOfTime const&) {
        throw;
    } catch (LimitReached const&) {
        return {}; // nothing is known of it, and it is not wrong
    }
}

std::string missing(Outcome const& truth, Outcome const& reduced) {
    if (truth.violated && !reduced.violated) return "a violation";
    for (std::string const& M : truth.finals)
        if (!reduced.finals.contains(M)) return fmt::format("the final valuation {}", M.empty() ? "(no variables)" : M);
    return {};
}

Verdict verdict(Outcome const& truth, Outcome const& reduced) {
    bool const lacks = !missing(truth, reduced).empty();
    if (lacks) return reduced.complete ? Verdict::unsound : Verdict::unsettled;
    return truth.complete ? Verdict::sound : Verdict::unsettled;
}

} // namespace matchpoint::validate::reducers
