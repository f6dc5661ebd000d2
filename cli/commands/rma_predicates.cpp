#include "cli/commands/rma_predicates.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/output.hpp"

namespace matchpoint::cli {

namespace {

/// --literal R9,R10
Option literal_abstraction(proofs::LiteralAbstraction& literal) {
    return {"--literal", "R,...", "Read these rules as the paper has them, by their entries in docs/rma.md: R9, R10",
            [&literal](std::string const& list) {
                literal.R9 = list.find("R9") != std::string::npos;
                literal.R10 = list.find("R10") != std::string::npos;
            },
            [](std::string const& list) -> std::string {
                if (list == "R9" || list == "R10" || list == "R9,R10" || list == "R10,R9") return {};
                return fmt::format("`{}` is not R9, R10 or R9,R10", printable(list));
            }};
}

} // namespace

void add_predicate_options(Command& command, PredicateOptions& options) {
    command.text("--predicates", "FILE", options.file,
                 "The predicates, a formula on each line. Default: those of `rma predicates`");
    command.range("--cube", "K", options.cube, 0, 64,
                  "Look at conjunctions of at most K predicates; 0: of any number. Default: 6");
    command.range("--hops", "N", options.hops, 1, 64,
                  "Look at predicates that share a variable with a formula (1), or with those, and so on. Default: 1");
    command.flag("--plain", options.plain,
                 "As the paper has it: predicates know nothing of which values variables can have at all");
    command.flag(
        "--relational", options.sets.relational,
        "Compare what is drawn from a set with the variable that was read, too: by the solver, unlike the paper");
    command.option(literal_abstraction(options.sets.literal));
    command.solver(options.solver);
}

Expected<AbstractedProgram, ExitCode> abstracted_program(RmaInput const& input, PredicateOptions const& options,
                                                         Terminal& terminal) {
    auto solver = solve::solver_command(options.solver);
    if (!solver) {
        complain(terminal, fmt::format("--solver: {}", solver.error()), ErrorKind::usage);
        return Unexpected{bad_input};
    }
    AbstractedProgram result{input.program, std::nullopt, std::move(*solver)};
    if (!options.file.empty()) {
        auto extended = with_predicates(input, options.file, terminal);
        if (!extended) return Unexpected{extended.error()};
        result.program = std::move(*extended);
        result.predicates.emplace();
        for (std::size_t i = input.program.properties.size(); i < result.program.properties.size(); ++i)
            result.predicates->push_back(result.program.properties[i].e);
        result.program.properties.resize(input.program.properties.size());
    }
    return result;
}

} // namespace matchpoint::cli
