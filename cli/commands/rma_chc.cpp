#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_commands.hpp"
#include "cli/commands/rma_recorded.hpp"
#include "cli/output.hpp"
#include "explain/words.hpp"
#include "proofs/spacer.hpp"

namespace matchpoint::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct RmaChcOptions {
    std::string file;
    std::string output;
    bool solve = false;
    std::string certificate;
    Limits limits;
};

constexpr auto chc_examples = R"(Examples:
  matchpoint rma chc traces/rma/figure2_flushed.rma
  matchpoint rma chc traces/rma/figure2_flushed.rma | z3 -in
  matchpoint rma chc --solve --certificate proof traces/rma/figure2_flushed.rma
                                         z3 proves it, and what it found is kept
  scripts/check_rma_certificate proof traces/rma/figure2_flushed.rma
                                         somebody else checks it

Exit codes: 0 printed, or verified, 1 unknown, or a limit reached, 2 usage, or
no program, 3 z3 is missing or failed, 74 the output could not be written.
)";

ExitCode refuse(std::string const& what, Terminal& terminal) {
    complain(terminal, what, ErrorKind::usage);
    return bad_input;
}

/// Runs z3, and says what follows.
class Solving {
public:
    Solving(RmaInput const& input, proofs::Formulas const& formulas, proofs::HornClauses const& horn,
            Terminal& terminal)
        : input_(input), formulas_(formulas), horn_(horn), terminal_(terminal) {}

    ExitCode run(std::optional<std::chrono::milliseconds> time, std::string const& folder) {
        result_ = proofs::run_spacer(formulas_, horn_, time);
        return std::visit(
            overloaded{
                [&](answer::Sat const&) { return verified(folder); },
                [&](answer::Unsat const&) { return say("unknown: a bad state of the reduced program is reachable"); },
                [&](answer::Unknown const&) {
                    return say(result_.gave_wrong_model ? "unknown: z3 says sat, but its model is wrong"
                                                        : "unknown: z3 does not decide it");
                },
                [&](answer::Timeout const&) {
                    return say(result_.gave_wrong_model
                                   ? "unknown: z3 timed out; before, it said sat with a wrong model"
                                   : "unknown: z3 timed out");
                },
                [&](answer::Crashed const&) { return failed(); },
                [&](answer::Missing const&) { return failed(); },
            },
            result_.answer);
    }

private:
    ExitCode say(std::string_view verdict) {
        terminal_.out(fmt::format("{}: {}\n  {}, {}\n", printable(input_.source.name(), 4096), verdict,
                                  plural(horn_.states.size(), "control state"),
                                  plural(horn_.clauses.size(), "clause")));
        return unknown;
    }

    ExitCode verified(std::string const& folder) {
        rma::CheckResult safe;
        safe.verdict = rma::Verdict::safe;
        if (Evaluated(input_).decides(safe)) return say(fmt::format("unknown: {}", Evaluated::reason));
        say("verified");
        if (folder.empty()) return holds;
        FileError const wrong =
            proofs::write_certificate(folder, input_.source.text(), formulas_.graph(), result_.proof);
        if (!wrong.empty()) complain(terminal_, wrong, ErrorKind::file);
        return wrong.empty() ? holds : output_failed;
    }

    ExitCode failed() {
        complain(terminal_, to_string(result_.answer, *solver_command("z3")), ErrorKind::solver);
        return solver_failed;
    }

    RmaInput const& input_;
    proofs::Formulas const& formulas_;
    proofs::HornClauses const& horn_;
    Terminal& terminal_;
    proofs::SpacerResult result_;
};

ExitCode chc_command(RmaChcOptions const& options, Terminal& terminal) {
    auto const begin = Clock::now();
    if (!options.certificate.empty() && !options.solve)
        return refuse("--certificate is about a proof: it needs --solve", terminal);
    if (!options.certificate.empty()) {
        if (auto const folder = new_folder(options.certificate); !folder) {
            complain(terminal, folder.error(), ErrorKind::file);
            return output_failed;
        }
    }
    auto const input = read_rma(options.file, terminal);
    if (!input) return input.error();
    if (refuse_atomics(*input, terminal)) return bad_input;
    rma::Graph const graph(input->program);
    proofs::Formulas formulas(graph);
    proofs::HornClauses const horn = proofs::horn_clauses(formulas);
    if (!options.solve || is_file(options.output)) {
        ExitCode const written = write_output(options.output, print_horn(formulas, horn) + "(check-sat)\n", terminal);
        if (written != holds || !options.solve) return written;
    }
    std::optional<std::chrono::milliseconds> time;
    if (options.limits.timeout)
        time = milliseconds(*options.limits.timeout) -
               std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    return Solving(*input, formulas, horn, terminal).run(time, options.certificate);
}

} // namespace

RmaAction add_rma_chc(Command& rma) {
    auto const options = std::make_shared<RmaChcOptions>();
    Command command =
        rma.add("chc", "Print the reduced program as constrained Horn clauses, or solve them", chc_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.flag("--solve", options->solve, "Run z3 on them: `verified` means that the program is safe");
    command.text("--certificate", "DIR", options->certificate,
                 "With --solve: write what z3 found to a new folder, for scripts/check_rma_certificate");
    command.output(Content::problem, options->output, "Write the clauses to OUT, atomically");
    command.limits(options->limits);
    return [options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return chc_command(*options, terminal); });
    };
}

} // namespace matchpoint::cli
