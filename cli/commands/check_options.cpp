#include "cli/commands/check_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/source.hpp"

namespace matchpoint::cli {

namespace {

/// What is wrong with --model and --trace; empty if nothing.
std::string contradiction_of_models(CheckCommandOptions const& options) {
    if (options.models.empty()) return options.trace ? "--trace is for --model, which predicts from a trace" : "";
    if (options.runs == Runs::complete) return "--model is about executions, not about complete runs";
    if (options.engine == EngineChoice::sat || options.engine == EngineChoice::smt)
        return "models are explored: --model needs --engine explore or auto";
    if (options.format == CheckOutput::sarif) return "--model has no SARIF";
    if (!options.certificate.empty()) return "--certificate is for the whole program, not for a model";
    if (!options.output.empty() && options.models.size() > 1) return "-o is for one model";
    return {};
}

/// What is wrong with --deterministic and --outcomes; empty if nothing.
std::string contradiction_of_determinism(CheckCommandOptions const& options) {
    if (!options.deterministic) return options.outcomes.empty() ? "" : "--outcomes is for --deterministic";
    if (options.runs == Runs::complete)
        return "--deterministic is about complete runs on the path: --runs says nothing";
    if (!options.models.empty()) return "--deterministic is about all executions, not about those of a model";
    if (options.format == CheckOutput::sarif) return "--deterministic has no SARIF";
    if (!options.certificate.empty()) return "--deterministic has no certificate";
    if (!options.output.empty()) return "--deterministic writes no file: it prints both runs";
    return {};
}

/// What is wrong with --pairs; empty if nothing.
std::string contradiction_of_pairs(CheckCommandOptions const& options) {
    if (options.pairs.empty()) return {};
    if (options.engine == EngineChoice::explore || options.engine == EngineChoice::sat)
        return "--pairs FILE is for an SMT solver: it needs --engine smt or auto";
    if (!options.models.empty() || options.deterministic) return "--pairs FILE goes with no other question";
    if (options.format == CheckOutput::sarif) return "--pairs FILE has no SARIF";
    if (!options.certificate.empty()) return "--certificate is for the whole program, not for some match pairs";
    if (options.files.size() > 1) return "--pairs FILE is for one program";
    if (options.files.front() == "-" && options.pairs == "-") return "the program and its pairs cannot both be `-`";
    return {};
}

/// What is wrong with --bound; empty if nothing.
std::string contradiction_of_bounds(CheckCommandOptions const& options) {
    if (!options.bound) return {};
    if (options.engine == EngineChoice::explore || options.engine == EngineChoice::sat)
        return "--bound is for an SMT solver: it needs --engine smt or auto";
    if (!options.models.empty()) return "--bound does not go with --model";
    if (options.deterministic) return "--bound does not go with --deterministic";
    if (!options.pairs.empty()) return "--bound does not go with --pairs";
    if (!options.certificate.empty()) return "--bound does not go with --certificate, which is about all executions";
    return {};
}

/// What does not go with --buffering any; empty if everything does.
std::string contradiction_of_refusals(CheckCommandOptions const& options) {
    if (options.engine == EngineChoice::smt)
        return "--buffering any does not ask an SMT solver: it needs --engine auto, explore or sat";
    if (options.bound) return "--bound is for programs with shared variables, and --buffering any is about messages";
    if (options.switches)
        return "--switches is for programs with shared variables, and --buffering any is about messages";
    for (auto const& [name, is_given] :
         {std::pair("--model", !options.models.empty()), std::pair("--pairs FILE", !options.pairs.empty()),
          std::pair("--deterministic", options.deterministic)})
        if (is_given)
            return fmt::format(
                "{} does not ask about deadlocks, and --buffering any is about nothing else: it says the "
                "same as --buffering infinite",
                name);
    return {};
}

/// Which step of --without there is not, and which one may be meant; empty if all are there.
std::string unknown_step(std::vector<std::string> const& without) {
    auto const names = check::step_names();
    for (std::string const& step : without) {
        if (std::find(names.begin(), names.end(), step) != names.end()) continue;
        auto const meant = nearest_name(step, std::span<std::string_view const>(names));
        return fmt::format("--without: there is no step `{}`{}", printable(step),
                           meant ? "; is it `" + *meant + "`?"
                                 : fmt::format("; the steps: {}", fmt::join(names, ", ")));
    }
    return {};
}

} // namespace

std::string contradiction(CheckCommandOptions const& options) {
    if (options.output == "-") return "-o needs the name of a file";
    if (std::string wrong = contradiction_of_models(options); !wrong.empty()) return wrong;
    if (std::string wrong = contradiction_of_determinism(options); !wrong.empty()) return wrong;
    if (std::string wrong = contradiction_of_pairs(options); !wrong.empty()) return wrong;
    if (std::string wrong = contradiction_of_bounds(options); !wrong.empty()) return wrong;
    if (options.buffering && options.buffering->refusals == check::Refusals::any)
        if (std::string wrong = contradiction_of_refusals(options); !wrong.empty()) return wrong;
    if (std::string wrong = unknown_step(options.without); !wrong.empty()) return wrong;
    bool const is_both = options.buffering && options.buffering->bufferings.size() > 1;
    bool const is_one = options.files.size() == 1 && !is_both;
    for (auto const& [name, value] :
         {std::pair("-o", &options.output), std::pair("--certificate", &options.certificate)})
        if (!value->empty() && !is_one) return fmt::format("{} is for one program under one buffering", name);
    bool const asks_a_solver = options.engine == EngineChoice::automatic || options.engine == EngineChoice::smt;
    if (asks_a_solver || (!options.refine && !options.solver)) return {};
    return fmt::format("{} is for an SMT solver, and --engine {} asks none", options.refine ? "--refine" : "--solver",
                       options.engine == EngineChoice::sat ? "sat" : "explore");
}

CheckBuffering buffering_for(CheckCommandOptions const& options, record::Provenance const& from) {
    if (options.buffering) return *options.buffering;
    // Nothing decides for them which sends may refuse.
    if (from.has_free_threads && options.output.empty() && options.certificate.empty())
        return {{Buffering::infinite, Buffering::zero}, check::Refusals::none};
    bool const is_any = from.is_of_mpi && !from.has_free_threads && contradiction_of_refusals(options).empty();
    return {{Buffering::infinite}, is_any ? check::Refusals::any : check::Refusals::none};
}

} // namespace matchpoint::cli
