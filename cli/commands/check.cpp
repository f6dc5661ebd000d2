#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/check.hpp"
#include "cli/causal_models.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/certificate_files.hpp"
#include "cli/commands/check_determinism.hpp"
#include "cli/commands/check_options.hpp"
#include "cli/commands/check_progress.hpp"
#include "cli/commands/check_report.hpp"
#include "cli/commands/check_sarif.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/outcome_table.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/pairs_input.hpp"
#include "cli/program_input.hpp"
#include "explain/told.hpp"
#include "record/provenance.hpp"
#include "record/recorded_deadlock.hpp"
#include "record/threads/deadlock.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto check_examples = R"(Examples:
  matchpoint check traces/figure1.ctp
  matchpoint check traces/figure1.ctp -o witness.ctp; matchpoint run witness.ctp
  matchpoint check traces/figure*.ctp --buffering both --timeout 10
  matchpoint check program.ctp --buffering any
  matchpoint check program.ctp --engine smt --solver cvc5
  matchpoint gen scaling 1000 | matchpoint check - --engine sat
  matchpoint check traces/*.ctp --format sarif > matchpoint.sarif
  matchpoint check a.ctp --certificate DIR; scripts/check_certificate DIR a.ctp
  matchpoint check traces/figure1.ctp --deterministic

Verdicts:
  violated    some execution fails: an assertion does not hold, and every
              assumption before it did
  safe        none does, and some complete run succeeds; "on this path" if
              some execution comes to an assumption that is false; "but a
              deadlock is possible" or a fault, if there is one
  no assertion  nothing is asserted: only deadlocks, faults and data races
              were looked for
  deadlock    none does, none completes on the path, and some execution
              deadlocks; fault: the same, and some execution has a fault
  vacuous     none does, but none stays on the path to its end
  unknown     not settled; the last lines say why

)";

/// Exit codes of several programs, from the worst to the best.
constexpr ExitCode severity[] = {disagrees, internal, output_failed, failure,    bad_input, solver_failed,
                                 unknown,   deadlock, error,         infeasible, holds};

ExitCode worse(ExitCode a, ExitCode b) {
    for (ExitCode const code : severity)
        if (a == code || b == code) return code;
    return internal;
}

ExitCode code_of(CheckResult const& r, Scope const& scope, bool is_of_model, bool asks_about_stops) {
    ExitCode code = holds;
    switch (r.verdict) {
    case Verdict::violated: code = failure; break;
    case Verdict::safe: code = scope.evaluated.empty() ? holds : unknown; break;
    case Verdict::vacuous: code = is_of_model ? unknown : infeasible; break;
    case Verdict::unknown: code = unknown; break;
    }
    bool is_wrong = false;
    for (Trouble const& t : r.trouble) {
        is_wrong = is_wrong || t.kind == Trouble::Kind::wrong_answer;
        if (t.kind == Trouble::Kind::solver && r.verdict == Verdict::unknown) code = solver_failed;
    }
    if (is_wrong) return disagrees;
    if (!asks_about_stops || r.verdict == Verdict::violated) return code;
    if (r.deadlock.answer == Reached::Answer::yes) return deadlock;
    if (r.fault.answer == Reached::Answer::yes) return error;
    bool const is_open = r.deadlock.answer == Reached::Answer::unknown || r.fault.answer == Reached::Answer::unknown;
    return code == holds && is_open ? unknown : code;
}

CheckOptions check_options_of(CheckCommandOptions const& options, SolverCommand const& solver) {
    CheckOptions result;
    result.runs = options.runs;
    result.engine = options.engine;
    result.without = options.without;
    result.refine = options.refine;
    result.switches = options.switches;
    if (options.bound) result.bound = static_cast<std::uint32_t>(std::min<std::uint64_t>(*options.bound, UINT32_MAX));
    if (options.window)
        result.window = static_cast<std::uint32_t>(std::min<std::uint64_t>(*options.window, UINT32_MAX));
    result.solver = solver;
    if (options.timeout) result.time = milliseconds(*options.timeout);
    if (options.limit) result.steps = *options.limit;
    if (!options.memory) return result;
    result.memory = *options.memory << 20U;
    result.limits.memory = std::min(result.limits.memory, result.memory);
    return result;
}

class CheckCommand {
public:
    CheckCommand(CheckCommandOptions const& options, Terminal& terminal) : options_(options), terminal_(terminal) {}

    ExitCode run() {
        if (std::string const wrong = contradiction(options_); !wrong.empty()) return refuse(wrong, ErrorKind::usage);
        if (!options_.certificate.empty()) {
            auto folder = new_folder(options_.certificate);
            if (!folder) return refuse(folder.error(), ErrorKind::file);
            certificate_folder_ = *folder;
            // Before a check that takes long.
            auto const in = std::filesystem::absolute(*folder).parent_path();
            if (std::error_code ec; !std::filesystem::is_directory(in, ec)) {
                complain(terminal_,
                         fmt::format("cannot write {}: {} is not a folder", printable(*folder, 4096),
                                     printable(in.string(), 4096)),
                         ErrorKind::file);
                return output_failed;
            }
        }
        if (options_.memory && !limit_memory(*options_.memory))
            return refuse(fmt::format("--memory {}: it cannot be limited to that", *options_.memory), ErrorKind::usage);
        auto const solver = solver_command(options_.solver.value_or("z3"));
        if (!solver) return refuse(fmt::format("--solver: {}", solver.error()), ErrorKind::usage);
        check_options_ = check_options_of(options_, *solver);

        report_ = report_of("check");
        report_["results"] = Json::array();
        if (options_.deterministic) report_["determinism"] = Json::array();
        for (std::string const& file : options_.files)
            if (auto const program = read(file)) {
                auto const [bufferings, refusals] = buffering_for(options_, provenance_of(program->source.text()));
                check_options_.refusals = refusals;
                for (Buffering const buffering : bufferings) ask(buffering, *program);
            }
        if (is(CheckOutput::json)) terminal_.out(dump(report_));
        if (is(CheckOutput::sarif)) terminal_.out(dump(sarif_.document(worst_)));
        return worst_;
    }

private:
    bool is(CheckOutput format) const { return options_.format == format; }
    void add(ExitCode code) { worst_ = worse(worst_, code); }

    ExitCode refuse(std::string_view message, ErrorKind kind) {
        complain(terminal_, message, kind);
        return bad_input;
    }

    /// Null if it failed; the reason has been printed.
    std::unique_ptr<Prepared> read(std::string const& file) {
        try {
            auto source = read_source(file);
            if (source) return prepare(examine(std::move(*source), Discipline::as_errors));
            complain(terminal_, source.error(), ErrorKind::file);
            sarif_.notify(file, source.error());
            add(bad_input);
        } catch (LimitReached const& e) {
            not_read(file, e.what());
        } catch (std::bad_alloc const&) {
            not_read(file, "out of memory");
        }
        return nullptr;
    }

    /// Null if it failed; the reason has been printed.
    std::unique_ptr<Prepared> prepare(ProgramInput input) {
        warn_of_sharing(input);
        cli::show(terminal_, input.diagnostics, input.source);
        if (!has_error(input.diagnostics))
            return std::make_unique<Prepared>(std::move(input.source), std::move(*input.program));
        sarif_.add(input.diagnostics, input.source);
        add(refused(input.diagnostics));
        return nullptr;
    }

    void not_read(std::string const& file, std::string const& limit) {
        sarif_.notify(file, limit);
        CheckResult result;
        result.trouble.push_back({Trouble::Kind::limit, limit});
        auto const [bufferings, refusals] = buffering_for(options_, {});
        check_options_.refusals = refusals;
        for (Buffering const buffering : bufferings) {
            check_options_.buffering = buffering;
            show(CheckReport(file == "-" ? "<stdin>" : file, check_options_, result, options_.statistics));
        }
        add(code_of(result, {}, false, true));
    }

    void show(CheckReport const& report) {
        if (is(CheckOutput::json)) report_["results"].push_back(report.json());
        if (is(CheckOutput::text)) report.print(terminal_);
    }

    /// What is predicted from a recording holds as far as the recording says what the program does.
    void mention_recorded_values(Provenance const& from, CheckReport const& report, CheckResult const& result) {
        if (!from.concrete_values) return;
        bool const predicts_deadlock = result.deadlock.answer == Reached::Answer::yes && !report.is_recorded_deadlock();
        if (result.verdict != Verdict::violated && result.fault.answer != Reached::Answer::yes && !predicts_deadlock)
            return;
        if (is(CheckOutput::json)) report_["results"].back()["values_of_one_run"] = true;
        if (is(CheckOutput::text))
            terminal_.print(fmt::format("  {}\n", from.has_free_threads ? record::provenance::holds_if_not_replayed
                                                                        : record::provenance::holds_if));
    }

    /// What is predicted of threads of ranks holds as far as nothing else orders them.
    void mention_free_threads(Provenance const& from, CheckReport const& report, CheckResult const& result) {
        if (!from.has_free_threads) return;
        bool const predicts_deadlock = result.deadlock.answer == Reached::Answer::yes && !report.is_recorded_deadlock();
        bool const predicts = result.verdict == Verdict::violated || result.fault.answer == Reached::Answer::yes ||
                              result.leaves_path.answer == Reached::Answer::yes || predicts_deadlock;
        if (is(CheckOutput::json)) report_["results"].back()["threads_of_ranks"] = true;
        if (predicts && is(CheckOutput::text)) terminal_.print(fmt::format("  {}\n", record::provenance::possible_if));
    }

    /// What is known of a program under one buffering, or of a model of it, and the exit code.
    void tell(Prepared const& program, CheckReport& report, CheckResult const& result) {
        Provenance const from = provenance_of(program.source.text());
        if (from.is_recorded()) {
            auto const ends = trace_endings(program.source.text(), program.program.traces.size());
            report.set_recorded(from, ends.empty() ? TraceEnding() : ends.front());
        }
        ToldByPlaces const told(program.code, from.thread,
                                is(CheckOutput::text) && !options_.names && from.is_recorded());
        show(report);
        // In the other models, what is received has the values of the trace.
        if (report.model().value_or(Model::ctp) == Model::ctp) mention_recorded_values(from, report, result);
        mention_free_threads(from, report, result);
        if (is(CheckOutput::sarif))
            sarif_.add(program, check_options_, result, report.scope(), report.beside_the_run());
        if (is(CheckOutput::text)) terminal_.flush(); // the next one may take long, or be interrupted
        ExitCode const code = code_of(result, report.scope(), report.model().has_value(), !report.is_about_a_part());
        // A failing C assert, a crash and an exit code are not commands: the answer does not cover them.
        add(code == holds && report.is_beside_the_run() ? unknown : code);
    }

    /// What causal models of a trace say.
    void predict(Buffering buffering, Prepared const& program) {
        check_options_.buffering = buffering;
        check_options_.stops = false;
        std::vector<Verdict> verdicts;
        for (Model const name : options_.models) {
            try {
                auto const model = causal_model(program, buffering, name, options_.trace, terminal_);
                if (!model) return add(model.error());
                check_options_.model = &*model;
                CheckResult const result = check_with_progress(program, check_options_);
                check_options_.model = nullptr;
                CheckReport report(program, check_options_, result, options_.statistics);
                report.set_model(name, options_.trace.value_or(1));
                tell(program, report, result);
                verdicts.push_back(result.verdict);
                write_witnesses(program, report);
            } catch (LimitReached const& e) {
                complain(terminal_, e.what(), ErrorKind::limit);
                return add(unknown);
            }
        }
        if (is(CheckOutput::text) && verdicts.size() > 1) terminal_.print(compared(verdicts));
    }

    /// Models from the one that has all executions to the one with the fewest: which of them would have missed the
    /// failure.
    std::string compared(std::vector<Verdict> const& verdicts) const {
        if (verdicts.front() != Verdict::violated) return {};
        std::string missed;
        for (std::size_t i = 1; i < verdicts.size(); ++i)
            if (verdicts[i] == Verdict::safe)
                missed += fmt::format("{}{}", missed.empty() ? "" : " and ", to_string(options_.models[i]));
        return missed.empty() ? "  the trace itself fails\n"
                              : fmt::format("  {} would have missed this failure, which ctp predicts\n", missed);
    }

    void write_witnesses(Prepared const& program, CheckReport const& report) {
        if (options_.output.empty()) return;
        if (std::string text = report.witnesses(); !text.empty()) {
            std::string const head = record::provenance::head_of_predictions(provenance_of(program.source.text()));
            text.insert(0, head.empty() ? "; Written by matchpoint check\n" : head);
            add(write_output(options_.output, text, terminal_));
        } else
            warn(terminal_,
                 fmt::format("there is no execution to write to {}{}", printable(options_.output, 4096),
                             older_file(options_.output)),
                 ErrorKind::file);
    }

    /// A certificate says `safe` or `vacuous` and no more.
    ExitCode certify(Prepared const& program, CheckReport const& report, CheckResult const& result) {
        if (std::string const why = report.not_known(); !why.empty()) {
            complain(terminal_, fmt::format("no certificate: {}", why), ErrorKind::certificate);
            return holds; // the verdict has its own code
        }
        return write_certificate(program, check_options_, with_invariants(program, result), report.witnesses(),
                                 certificate_folder_, terminal_);
    }

    /// An exploration leaves no proof. Where it took many steps, clauses may take for ever, so the certificate gets
    /// invariants if there are some.
    CheckResult with_invariants(Prepared const& program, CheckResult result) const {
        constexpr std::uint64_t few = 100'000;
        bool const is_asked = check_options_.engine == EngineChoice::automatic && result.engine == "explore" &&
                              result.verdict == Verdict::safe && result.work.steps > few && program.code.shares() &&
                              program.code.has_plain_messages();
        if (!is_asked) return result;
        CheckOptions options = check_options_;
        options.without = {"short-exploration", "interleavings", "sat", "few-switches", "exploration", "races"};
        options.stops = options.leaves_path = false;
        CheckResult found = check_with_progress(program, options);
        if (found.verdict == Verdict::safe && found.inductive) result.inductive = std::move(found.inductive);
        return result;
    }

    void ask(Buffering buffering, Prepared const& program) {
        if (options_.deterministic) return ask_determinism(buffering, program);
        if (!options_.pairs.empty()) return check_among_pairs(buffering, program);
        options_.models.empty() ? check_under(buffering, program) : predict(buffering, program);
    }

    void ask_determinism(Buffering buffering, Prepared const& program) {
        std::vector<Variable> variables = check::outcome_variables(program.code);
        if (!options_.outcomes.empty()) {
            auto const wanted = variables_of(options_.outcomes, program.code);
            if (!wanted) return add(refuse("--outcomes: " + wanted.error(), ErrorKind::usage));
            for (Variable const x : *wanted)
                if (!std::binary_search(variables.begin(), variables.end(), x))
                    return add(refuse(fmt::format("--outcomes: no command is sure to assign `{}`",
                                                  printable(program.code.names()(x))),
                                      ErrorKind::usage));
            variables = *wanted;
        }
        check_options_.buffering = buffering;
        check::Determinism const found = determinism_with_progress(program, check_options_, variables);
        DeterminismReport const report(program, buffering, variables, found);
        if (is(CheckOutput::json)) report_["determinism"].push_back(report.json());
        if (is(CheckOutput::text)) {
            report.print(terminal_);
            terminal_.flush();
        }
        add(report.code());
    }

    void check_among_pairs(Buffering buffering, Prepared const& program) {
        if (!program.code.is_plain())
            return add(
                refuse("--pairs FILE is for programs of plain messages, without shared variables, selectors, modes "
                       "or barriers",
                       ErrorKind::usage));
        if (!pairs_) { // once for both bufferings: it may be standard input
            auto read = read_pairs(options_.pairs, program.messages, terminal_);
            if (!read) return add(read.error());
            pairs_ = std::move(*read);
        }
        check_options_.buffering = buffering;
        check_options_.pairs = &*pairs_;
        check_options_.runs = Runs::complete;
        check_options_.stops = check_options_.leaves_path = false;
        CheckResult const result = check_with_progress(program, check_options_);
        CheckReport report(program, check_options_, result, options_.statistics);
        report.set_pairs(pairs_->size());
        tell(program, report, result);
        write_witnesses(program, report);
    }

    void check_under(Buffering buffering, Prepared const& program) {
        if (options_.bound && (!program.code.shares() || !program.code.has_plain_messages()))
            return add(refuse(fmt::format("{}: --bound is for programs with shared variables, without selectors, "
                                          "modes, barriers and endpoints of several threads",
                                          printable(program.source.name(), 4096)),
                              ErrorKind::usage));
        check_options_.buffering = buffering;
        CheckResult result = check_with_progress(program, check_options_);
        Provenance const from = provenance_of(program.source.text());
        if (from.is_recorded() && !from.is_of_mpi && program.code.shares())
            result.deadlock =
                record::threads::deadlock_without_failure(std::move(result.deadlock), program, check_options_);
        end_openly(result, program.code, buffering, from.cut_short);
        if (!result.deadlock.why_unknown.empty())
            if (auto of_run = record::recorded_deadlock(program, buffering, check_options_.refusals))
                result.deadlock = std::move(*of_run);
        CheckReport report(program, check_options_, result, options_.statistics);
        tell(program, report, result);
        if (!certificate_folder_.empty()) add(certify(program, report, result));
        write_witnesses(program, report);
    }

    CheckCommandOptions const& options_;
    Terminal& terminal_;
    CheckOptions check_options_;
    std::optional<MatchPairs> pairs_; // given ones
    std::string certificate_folder_;  // empty if none is wanted
    Json report_;
    Sarif sarif_;
    ExitCode worst_ = holds;
};

} // namespace

void add_check(CommandLine& line) {
    static Choices<EngineChoice> const engines{{"auto", EngineChoice::automatic},
                                               {"explore", EngineChoice::explore},
                                               {"sat", EngineChoice::sat},
                                               {"smt", EngineChoice::smt}};
    static Choices<CheckOutput> const formats{
        {"text", CheckOutput::text}, {"json", CheckOutput::json}, {"sarif", CheckOutput::sarif}};
    auto const options = std::make_shared<CheckCommandOptions>();
    Command command = line.add(
        "check",
        "Decide whether any execution of a program can fail, get stuck or divide by zero, and show a trace that does",
        std::string(check_examples) + std::string(interrupt_help) + std::string(exit_codes_help));
    command.argument("FILE", options->files, "Programs; `-` is standard input");
    static Choices<std::optional<CheckBuffering>> const bufferings{
        {"infinite", CheckBuffering{{Buffering::infinite}}},
        {"zero", CheckBuffering{{Buffering::zero}}},
        {"both", CheckBuffering{{Buffering::infinite, Buffering::zero}}},
        {"any", CheckBuffering{{Buffering::infinite}, check::Refusals::any}}};
    command.choice(
        "--buffering", options->buffering, bufferings,
        "infinite: messages are buffered; zero: a send and its receive meet; both: first one, then the other; "
        "any: messages are buffered, or some are and others are not, as a library likes, so that a standard "
        "send may wait for its receive or not. Default: any for a recording of MPI, else infinite");
    command.runs(options->runs, "executions: every execution up to an assumption that is false, in which an assertion "
                                "can fail before a deadlock or a broken assumption; complete: complete runs only, as "
                                "in the paper. Default: executions");
    command.choice("--engine", options->engine, engines,
                   "explore: the reference machine, by all executions that can differ in their verdict; sat: the "
                   "built-in SAT solver; smt: an SMT solver, whose answers are checked; auto: random executions, a "
                   "short exploration, sat, then the engine that is left. Default: auto");
    command.texts(
        "--without", "STEP", options->without,
        fmt::format("For experiments: leave out the steps of the plan with this name: {}. May be given several "
                    "times",
                    fmt::join(check::step_names(), ", ")));
    command.flag("--statistics", options->statistics,
                 "Print how often each inference of the pruning before SAT and SMT applied");
    command.flag("--names", options->names, names_help);
    command.flag("--switches", options->switches,
                 "Of a program with shared variables that fails: search for a run with the fewest context switches as "
                 "long as it takes. Default: for half a second");
    command.count("--bound", options->bound,
                  "Of a program with shared variables: ask the SMT solver for failures with at most 0, 1, ..., N "
                  "context switches, until there is one or the proof that there is none does not need the bound. If it "
                  "needs N, the answer is unknown");
    command.count(
        "--window", options->window,
        "Of a long run of a program with shared variables that is not decided otherwise: look at windows of "
        "N consecutive events, each overlapping the next one by half; 0: at none. Default: 100 if the program has "
        "1000 commands or more, otherwise 0");
    command.text("--pairs", "FILE", options->pairs,
                 "Only complete runs count whose matches are all in this file, as `pairs` prints it, in text or JSON; "
                 "by the SMT solver");
    command.flag("--deterministic", options->deterministic,
                 "Ask instead whether two complete runs on the path end with different values of some variable, "
                 "whatever is asserted; if so, print both");
    command.text("--outcomes", "X,Y", options->outcomes,
                 "With --deterministic: of these variables. Default: of all that threads assign");
    static Choices<std::vector<Model>> const models{{"ctp", {Model::ctp}},
                                                    {"mcm", {Model::mcm}},
                                                    {"hb", {Model::hb}},
                                                    {"all", {Model::ctp, Model::mcm, Model::hb}}};
    command.choice("--model", options->models, models,
                   "Only executions that a causal model predicts from a trace. ctp: all of the trace's commands; mcm: "
                   "those in which what is read and received has the values of the trace; hb: those that keep the "
                   "order of conflicting accesses, and the matches; all: the three beside each other");
    command.trace(options->trace, "Predict from trace N of the file, counted from 1. Default: 1");
    command.flag("--refine", options->refine,
                 "Give the SMT solver a problem without order constraints, and add a clause for each answer that no "
                 "execution has");
    command.solver(options->solver);
    command.seconds("--timeout", "T", options->timeout,
                    "Time limit for each program under each buffering, in seconds. Default: no limit");
    command.number("--limit", options->limit, "Explore for at most N machine steps. Default: no limit");
    command.number(
        "--memory", options->memory,
        "Memory limit in MiB, of this process and of the solver. Beyond it the answer is `unknown`. Default: no limit");
    command.output(Content::program, options->output,
                   "Write the program to a file, atomically, with traces that back the answer: a run "
                   "that fails, a run that succeeds, the ways to a deadlock and to a fault");
    command.text(
        "--certificate", "DIR", options->certificate,
        "Write a folder that lets others verify that the program is safe or vacuous: most often clauses "
        "with reasons, and a proof (docs/certificates.md). `check_certificate DIR PROGRAM`, in scripts/, checks it");
    command.choice("--format", options->format, formats,
                   "sarif: SARIF 2.1.0, for code-scanning pages (docs/formats.md). Default: text");
    command.color();
    command.action([options](Terminal& terminal) { return CheckCommand(*options, terminal).run(); });
}

} // namespace matchpoint::cli
