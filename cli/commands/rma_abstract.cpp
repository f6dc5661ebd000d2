// `matchpoint rma abstract`: the Boolean programs of Section 4.
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_predicates.hpp"
#include "cli/output.hpp"
#include "proofs/boolean_text.hpp"
#include "proofs/predicates.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto abstract_examples = R"(Examples:
  matchpoint rma abstract traces/rma/figure2.rma
  matchpoint rma abstract --sc traces/rma/figure2.rma
                                         only that of sequential consistency

Exit codes: 0 done, 1 a limit reached, 2 usage, or no program, 3 the solver is
missing or failed.
)";

struct RmaAbstractOptions {
    std::string file;
    PredicateOptions of_predicates;
    bool sc = false;
    Limits limits;
};

std::string shown(std::string_view name, proofs::BooleanText const& B) {
    std::size_t const all = B.predicates + B.set_predicates + B.counts;
    std::string const parts = B.counts == 0 ? ""
                                            : fmt::format(" ({}, {} for sets, {})", B.predicates, B.set_predicates,
                                                          plural(B.counts, "count"));
    return fmt::format("; {}: {}{}, {}\n{}", name, plural(all, "predicate"), parts, plural(B.lines, "line"), B.text);
}

ExitCode abstract_command(RmaAbstractOptions const& given, Terminal& terminal) {
    auto const input = read_rma(given.file, terminal);
    if (!input) return input.error();
    auto const abstracted = abstracted_program(*input, given.of_predicates, terminal);
    if (!abstracted) return abstracted.error();
    rma::Graph const graph(abstracted->program);
    proofs::Formulas formulas(graph);
    std::vector<proofs::Formula> V;
    if (abstracted->predicates)
        for (Expression const e : *abstracted->predicates) V.push_back(formulas.with_places(e));
    else
        V = proofs::find_predicates(formulas, !given.of_predicates.plain);
    try {
        proofs::Cubes cubes(formulas, V, abstracted->solver, given.of_predicates.cubes());
        auto const text = [&](rma::Model model) {
            return proofs::boolean_program(cubes, model, given.of_predicates.sets);
        };
        std::string out = shown("BP(P, V)", text(rma::Model::sc));
        if (!given.sc) out += '\n' + shown("EBP", text(rma::Model::rma));
        terminal.out(out);
    } catch (proofs::SolverFailed const& failed) {
        complain(terminal, failed.what, ErrorKind::solver);
        return solver_failed;
    }
    return holds;
}

} // namespace

RmaAction add_rma_abstract(Command& rma) {
    auto const options = std::make_shared<RmaAbstractOptions>();
    Command command =
        rma.add("abstract", "Print the Boolean programs in which `rma prove` searches", abstract_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.flag("--sc", options->sc, "Only BP(P, V), that of sequential consistency");
    add_predicate_options(command, options->of_predicates);
    command.limits(options->limits);
    return [options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return abstract_command(*options, terminal); });
    };
}

} // namespace matchpoint::cli
