#include <memory>

#include "cli/cli.hpp"
#include "cli/commands/rma_commands.hpp"
#include "cli/output.hpp"
#include "proofs/horn.hpp"

namespace matchpoint::cli {

namespace {

struct RmaChcOptions {
    std::string file;
    std::string output;
    Limits limits;
};

constexpr auto chc_examples = R"(Examples:
  matchpoint rma chc traces/rma/figure2_flushed.rma
  matchpoint rma chc traces/rma/figure2_flushed.rma | z3 -in
  matchpoint rma prove --engine chc traces/rma/figure2_flushed.rma
                                         z3 solves them, and its answer is checked

Exit codes: 0 done, 1 a limit reached, 2 usage, or no program, 74 the output
could not be written.
)";

ExitCode chc_command(RmaChcOptions const& options, Terminal& terminal) {
    auto const input = read_rma(options.file, terminal);
    if (!input) return input.error();
    if (refuse_atomics(*input, terminal)) return bad_input;
    rma::Graph const graph(input->program);
    proofs::Formulas formulas(graph);
    proofs::HornClauses const horn = proofs::horn_clauses(formulas);
    return write_output(options.output, print_horn(formulas, horn) + "(check-sat)\n", terminal);
}

} // namespace

RmaAction add_rma_chc(Command& rma) {
    auto const options = std::make_shared<RmaChcOptions>();
    Command command = rma.add("chc", "Print the reduced program as constrained Horn clauses", chc_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.output(Content::problem, options->output, "Write the clauses to OUT, atomically");
    command.limits(options->limits);
    return [options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return chc_command(*options, terminal); });
    };
}

} // namespace matchpoint::cli
