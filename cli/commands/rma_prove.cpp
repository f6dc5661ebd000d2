// `matchpoint rma prove` and `matchpoint rma predicates`: proofs by predicate abstraction and by Horn clauses.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_answers.hpp"
#include "cli/commands/rma_commands.hpp"
#include "cli/commands/rma_counterexample.hpp"
#include "cli/commands/rma_json.hpp"
#include "cli/commands/rma_predicates.hpp"
#include "cli/commands/rma_recorded.hpp"
#include "cli/commands/rma_witness.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "explain/words.hpp"
#include "proofs/predicates.hpp"
#include "proofs/prove.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/replay.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/words.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto prove_examples = R"(Examples:
  matchpoint rma prove traces/rma/peterson.rma
  matchpoint rma predicates program.rma > predicates
  matchpoint rma prove --predicates predicates program.rma
                                         with predicates of your own
  matchpoint rma prove --certificate proof program.rma
  scripts/check_rma_certificate proof program.rma
                                         somebody else checks it

Exit codes: 0 verified, 1 unknown, or a limit reached, 2 usage, or no program,
3 the solver is missing or failed, 10 violated, 74 the certificate could not be
written.
)";

constexpr auto predicates_examples = R"(Examples:
  matchpoint rma predicates traces/rma/peterson.rma

Exit codes: 0 done, 1 a limit reached, 2 usage, or no program.
)";

using proofs::ProofEngine;
Choices<ProofEngine> const proof_engines{
    {"both", ProofEngine::both}, {"abstraction", ProofEngine::abstraction}, {"chc", ProofEngine::chc}};

std::string_view name_of(ProofEngine engine) {
    return std::find_if(proof_engines.begin(), proof_engines.end(), [&](auto const& e) { return e.second == engine; })
        ->first;
}

struct RmaProveOptions {
    std::string file;
    ProofEngine engine = ProofEngine::both;
    PredicateOptions of_predicates;
    unsigned pending = 3;
    std::string certificate;
    Format format = Format::text;
    Limits limits;
};

class ProofReport {
public:
    ProofReport(RmaInput const& input, RmaProveOptions const& options, ProofEngine engine, proofs::Proof const& proof)
        : input_(input), options_(options), engine_(engine), proof_(proof), graph_(input.program), machine_(graph_) {}

    std::string text() {
        out_ = fmt::format("{}: {}{}{}\n", printable(input_.source.name(), 4096), to_string(proof_.verdict), mark(),
                           proof_.reason.empty() ? "" : ": " + proof_.reason);
        for (std::string const& text : never_evaluated()) line("{}", text);
        if (proof_.violation) violation(*proof_.violation);
        if (auto const& c = proof_.clauses)
            line("Horn clauses: {}{}", c->outcome,
                 c->states == 0
                     ? ""
                     : fmt::format("; {}, {}", plural(c->states, "control state"), plural(c->clauses, "clause")));
        if (engine_ != ProofEngine::chc)
            line("predicates: {}{}{}, and {} for sets", proof_.predicates.size(),
                 options_.of_predicates.file.empty() ? ", found in the program" : "",
                 proof_.refinements == 0 ? "" : fmt::format(", refined {}", plural(proof_.refinements, "time")),
                 proof_.set_predicates);
        for (proofs::Proof::Attempt const& a : proof_.attempts)
            line("{}, mode {}: {}; {}", of_model(a), to_string(a.mode), outcome(a), plural(a.states, "state"));
        if (proof_.counterexample)
            for (std::string const& text : CounterexampleReport(input_.source, graph_, *proof_.counterexample).lines())
                line("{}", text);
        return std::move(out_);
    }

    Json json() const {
        Json json = report_of("rma-prove", input_.source);
        json["verdict"] = to_string(proof_.verdict);
        json["reason"] = proof_.reason.empty() ? Json(nullptr) : Json(proof_.reason);
        json["never_evaluated"] = never_evaluated();
        json["predicates"] = proof_.predicates;
        json["predicates_are_given"] = !options_.of_predicates.file.empty();
        json["refinements"] = proof_.refinements;
        json["set_predicates"] = proof_.set_predicates;
        json["relational"] = options_.of_predicates.sets.relational;
        json["literal"] = entries();
        json["attempts"] = Json::array();
        for (proofs::Proof::Attempt const& a : proof_.attempts)
            json["attempts"].push_back({{"model", a.model == rma::Model::sc ? "sc" : "rma"},
                                        {"mode", to_string(a.mode)},
                                        {"outcome", outcome(a)},
                                        {"states", a.states},
                                        {"seconds", a.seconds}});
        json["questions"] = proof_.questions;
        json["engine"] = name_of(engine_);
        json["proved_by"] = proof_.proved_by ? Json(name_of(*proof_.proved_by)) : Json(nullptr);
        Json& clauses = json["clauses"] = nullptr;
        if (auto const& c = proof_.clauses)
            clauses = {{"outcome", c->outcome}, {"control_states", c->states}, {"clauses", c->clauses}};
        Json& path = json["counterexample"] = nullptr;
        if (proof_.counterexample) path = CounterexampleReport(input_.source, graph_, *proof_.counterexample).json();
        Json& violation = json["violation"] = nullptr;
        if (proof_.violation) {
            auto const& property = proof_.violation->property;
            violation = {{"property", property ? Json(property_text(*property)) : Json(nullptr)}};
            add_run(violation, machine_, proof_.violation->run);
            violation["shortest"] = proof_.violation->is_shortest;
        }
        return json;
    }

private:
    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        out_ += "  " + fmt::format(format, std::forward<Args>(args)...) + "\n";
    }

    std::vector<std::string> never_evaluated() const {
        if (proof_.verdict != proofs::ProofVerdict::verified) return {};
        return cli::never_evaluated(claims_of(input_.program), proof_.never_ends, proof_.never_asserts);
    }
    std::vector<std::string_view> entries() const {
        std::vector<std::string_view> result;
        if (options_.of_predicates.sets.literal.R9) result.emplace_back("R9");
        if (options_.of_predicates.sets.literal.R10) result.emplace_back("R10");
        return result;
    }
    std::string mark() const {
        return entries().empty() ? "" : fmt::format(" (literal {})", fmt::join(entries(), ", "));
    }
    static std::string_view of_model(proofs::Proof::Attempt const& a) {
        return a.model == rma::Model::sc ? "sequential consistency" : "RMA";
    }
    static std::string_view outcome(proofs::Proof::Attempt const& a) {
        using Stop = rma::SearchResult::Stop;
        switch (a.stop) {
        case Stop::none:
        case Stop::violation: break;
        case Stop::time: return "timed out";
        case Stop::memory: return "out of memory";
        case Stop::states: return "too many states";
        }
        return a.proves ? "proved" : "not proved";
    }
    std::string property_text(std::size_t i) const { return rma::print(input_.program, input_.program.properties[i]); }
    void violation(rma::CheckResult::Violation const& v) {
        line("{}", wrong_in_words(machine_, v));
        for (std::string const& text : Witness(input_.source, machine_, v.run, v.property).lines()) line("{}", text);
        line("memory: {}", rma::print_memory(input_.program, rma::replay(machine_, v.run).state));
        line("run: {}", rma::print_schedule(machine_, v.run));
    }

    RmaInput const& input_;
    RmaProveOptions const& options_;
    ProofEngine engine_; // that was used
    proofs::Proof const& proof_;
    rma::Graph graph_;
    rma::Machine machine_;
    std::string out_;
};

/// The certificate of what is verified. The exit code is that of the verdict if there is no trouble.
ExitCode certify(RmaInput const& input, rma::Graph const& graph, proofs::Proof const& proof, std::string const& folder,
                 Terminal& terminal) {
    if (!proof.no_certificate.empty()) {
        complain(terminal, fmt::format("no certificate: {}", proof.no_certificate), ErrorKind::certificate);
        return unknown;
    }
    FileError const wrong = proofs::write_certificate(folder, input.source.text(), graph, proof.certificate);
    if (!wrong.empty()) complain(terminal, wrong, ErrorKind::file);
    return wrong.empty() ? holds : output_failed;
}

/// What it is doing.
std::string_view phase_of(proofs::ProofProgress const& progress) {
    using Phase = proofs::ProofProgress::Phase;
    bool const is_sc = progress.model == rma::Model::sc;
    bool const is_K = progress.mode == proofs::AbstractMode::K;
    switch (progress.phase) {
    case Phase::predicates: break;
    case Phase::abstraction:
        if (is_sc) return is_K ? "sequential consistency, mode K" : "sequential consistency, mode S";
        return is_K ? "RMA, mode K" : "RMA, mode S";
    case Phase::violation: return "looking for a run that goes wrong";
    case Phase::certificate: return "making the certificate";
    case Phase::clauses: return "waiting for z3 and the Horn clauses";
    }
    return "looking for predicates";
}

std::size_t show(proofs::ProofProgress const& progress, char* buffer, std::size_t room, double seconds) {
    auto const end =
        fmt::format_to_n(buffer, room, "{}: {} predicates, refinements: {}; {} states, {:.0f} s", phase_of(progress),
                         progress.predicates.load(), progress.refinements.load(), progress.states.load(), seconds);
    return std::min(end.size, room);
}

/// The engine for a program: paper's readings and given predicates are about the abstraction alone.
Expected<ProofEngine, ExitCode> engine_for(RmaInput const& input, RmaProveOptions const& given, Terminal& terminal) {
    auto const& literal = given.of_predicates.sets.literal;
    bool const is_about_abstraction = !given.of_predicates.file.empty() || literal.R9 || literal.R10;
    if (given.engine == ProofEngine::chc) {
        if (is_about_abstraction) {
            complain(terminal,
                     "Horn clauses have no predicates: --predicates and --literal are of --engine abstraction",
                     ErrorKind::usage);
            return Unexpected{bad_input};
        }
        if (refuse_atomics(input, terminal)) return Unexpected{bad_input};
    }
    bool const has_clauses = !is_about_abstraction && !rma::Graph(input.program).has_atomics();
    return has_clauses ? given.engine : ProofEngine::abstraction;
}

ExitCode prove_command(RmaProveOptions const& given, Terminal& terminal) {
    if (!given.certificate.empty()) {
        if (auto const folder = new_folder(given.certificate); !folder) {
            complain(terminal, folder.error(), ErrorKind::file);
            return output_failed;
        }
    }
    auto const input = read_rma(given.file, terminal);
    if (!input) return input.error();
    if (!given.certificate.empty() && refuse_atomics(*input, terminal)) return bad_input;
    auto const engine = engine_for(*input, given, terminal);
    if (!engine) return engine.error();
    auto abstracted = abstracted_program(*input, given.of_predicates, terminal);
    if (!abstracted) return abstracted.error();
    rma::Graph const graph(abstracted->program);
    proofs::ProofProgress progress;
    proofs::ProofOptions options{.solver = std::move(abstracted->solver), .engine = *engine, .progress = &progress};
    options.cubes = given.of_predicates.cubes();
    options.predicates = std::move(abstracted->predicates);
    options.sets = given.of_predicates.sets;
    options.pending = given.pending;
    options.certifies = !given.certificate.empty();
    if (given.limits.memory) options.max_bytes = (*given.limits.memory << 20U) / 2;
    proofs::Proof proof;
    try {
        ProgressThread const shown(
            [&](char* buffer, std::size_t room, double seconds) { return show(progress, buffer, room, seconds); });
        proof = proofs::prove(graph, options);
    } catch (proofs::SolverFailed const& failed) {
        complain(terminal, failed.what, ErrorKind::solver);
        return solver_failed;
    }
    if (proof.verdict == proofs::ProofVerdict::verified && Evaluated(*input).has_any()) {
        proof.verdict = proofs::ProofVerdict::unknown;
        proof.reason = Evaluated::reason;
    }
    ProofReport report(*input, given, *engine, proof);
    terminal.out(given.format == Format::json ? dump(report.json()) : report.text());
    switch (proof.verdict) {
    case proofs::ProofVerdict::verified:
        return options.certifies ? certify(*input, graph, proof, given.certificate, terminal) : holds;
    case proofs::ProofVerdict::violated: return failure;
    case proofs::ProofVerdict::unknown: break;
    }
    return unknown;
}

} // namespace

RmaAction add_rma_prove(Command& rma) {
    auto const options = std::make_shared<RmaProveOptions>();
    Command command = rma.add("prove",
                              "Prove by predicate abstraction or Horn clauses that no run goes wrong, however "
                              "many values there are",
                              prove_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.choice("--engine", options->engine, proof_engines,
                   "What looks for a proof: predicate abstraction; z3, by the program's Horn clauses (chc); or both, "
                   "side by side. Default: both");
    add_predicate_options(command, options->of_predicates);
    command.range("--pending", "K", options->pending, 1, rma::MachineSystem::most_pending,
                  "If it is not verified: look for a run of the machine that goes wrong, with at most K pending "
                  "operations of each statement. Default: 3");
    command.text("--certificate", "DIR", options->certificate,
                 "Write the proof to a new folder, for scripts/check_rma_certificate");
    command.format(options->format);
    command.limits(options->limits);
    return [options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return prove_command(*options, terminal); });
    };
}

RmaAction add_rma_predicates(Command& rma) {
    struct Options {
        std::string file;
        Limits limits;
    };
    auto const options = std::make_shared<Options>();
    Command command =
        rma.add("predicates", "Print the predicates that `rma prove` finds, one on each line", predicates_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.limits(options->limits);
    return [options](Terminal& terminal) {
        return within(options->limits, terminal, [&]() -> ExitCode {
            auto const input = read_rma(options->file, terminal);
            if (!input) return input.error();
            rma::Graph const graph(input->program);
            proofs::Formulas formulas(graph);
            std::string text;
            for (proofs::Formula const p : proofs::find_predicates(formulas)) text += formulas.text(p) + '\n';
            terminal.out(text);
            return holds;
        });
    };
}

} // namespace matchpoint::cli
