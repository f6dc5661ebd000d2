#include <algorithm>

#include <fmt/format.h>

#include "check/check.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/certificate_files.hpp"
#include "cli/commands/check_progress.hpp"
#include "cli/commands/check_sarif.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "grammar/print.hpp"
#include "report/matching_words.hpp"
#include "report/replay.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

namespace {

enum class Output { text, json, sarif };

struct CheckCommandOptions {
    std::vector<std::string> files;
    std::vector<Buffering> bufferings{Buffering::infinite};
    Runs runs = Runs::executions;
    EngineChoice engine = EngineChoice::automatic;
    bool refine = false;
    bool statistics = false;
    std::optional<std::string> solver;   // none: z3
    std::optional<double> timeout;       // seconds, for each program and buffering
    std::optional<std::uint64_t> limit;  // machine steps of explorations
    std::optional<std::uint64_t> memory; // MiB
    std::string output;                  // witnesses; empty: nowhere
    std::string certificate;             // a folder; empty: none
    Output format = Output::text;
};

constexpr auto check_examples = R"(Examples:
  matchpoint check traces/figure1.ctp
  matchpoint check traces/figure1.ctp -o witness.ctp; matchpoint run witness.ctp
  matchpoint check traces/figure*.ctp --buffering both --timeout 10
  matchpoint check program.ctp --engine smt --solver cvc5
  matchpoint gen scaling 1000 | matchpoint check - --engine sat
  matchpoint check traces/*.ctp --format sarif > matchpoint.sarif
  matchpoint check program.ctp --certificate DIR; scripts/check_certificate DIR

Verdicts:
  violated    some execution fails: an assertion does not hold, and every
              assumption before it did
  safe        none does, and some complete run succeeds
  vacuous     none does, and none completes without breaking an assumption
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

ExitCode exit_code(CheckResult const& r) {
    ExitCode code = holds;
    switch (r.verdict) {
    case Verdict::violated: code = failure; break;
    case Verdict::safe: break;
    case Verdict::vacuous: code = infeasible; break;
    case Verdict::unknown: code = unknown; break;
    }
    if (r.verdict == Verdict::safe || r.verdict == Verdict::vacuous) {
        if (r.fault.answer == Reached::Answer::yes) code = error;
        if (r.deadlock.answer == Reached::Answer::yes) code = deadlock;
        if (code == holds &&
            (r.deadlock.answer == Reached::Answer::unknown || r.fault.answer == Reached::Answer::unknown))
            code = unknown;
    }
    for (Trouble const& t : r.trouble) {
        if (t.kind == Trouble::Kind::wrong_answer) return disagrees;
        if (t.kind == Trouble::Kind::solver && r.verdict == Verdict::unknown) code = solver_failed;
    }
    return code;
}

Style verdict_style(Verdict v) {
    switch (v) {
    case Verdict::violated: return Style::bad;
    case Verdict::safe: return Style::good;
    case Verdict::vacuous: return Style::broken;
    case Verdict::unknown: break;
    }
    return Style::stuck;
}

Style answer_style(Reached::Answer a) { return a == Reached::Answer::no ? Style::plain : Style::stuck; }

std::string_view to_string(Reached::Answer a) {
    switch (a) {
    case Reached::Answer::no: return "no";
    case Reached::Answer::yes: return "yes";
    case Reached::Answer::unknown: break;
    }
    return "unknown";
}

class Report {
public:
    Report(Prepared const& subject, Buffering buffering, CheckResult const& result, CheckCommandOptions const& options)
        : name_(subject.source.name()), s_(&subject), buffering_(buffering), r_(result), options_(options) {}
    /// For a program that could not be read because of a limit.
    Report(std::string name, Buffering buffering, CheckResult const& result, CheckCommandOptions const& options)
        : name_(std::move(name)), buffering_(buffering), r_(result), options_(options) {}

    void print(Terminal& terminal) const {
        terminal.print(fmt::format("{}: {} ({} buffering)\n", printable(name_, 4096),
                                   terminal.paint(verdict_style(r_.verdict), check::to_string(r_.verdict)),
                                   machine::to_string(buffering_)));
        switch (r_.verdict) {
        case Verdict::violated: violated(terminal); break;
        case Verdict::safe:
            terminal.print(on_path() ? "  no execution fails, and some complete run succeeds\n"
                                     : "  no complete run fails, and some succeed\n");
            break;
        case Verdict::vacuous: vacuous(terminal); break;
        case Verdict::unknown: break;
        }
        reached(terminal, "deadlock", r_.deadlock);
        reached(terminal, "fault", r_.fault);
        for (std::uint32_t beta = 0; some_complete() && beta < s_->code.endpoints().size(); ++beta)
            if (std::uint32_t const n = orphans_at(s_->messages, {beta}); n > 0)
                terminal.print(fmt::format("  {}: every complete run leaves {} to endpoint {} without a receive\n",
                                           terminal.paint(Style::stuck, "orphans"), plural(n, "message"),
                                           report::shown(s_->code, Endpoint{beta})));
        terminal.print(fmt::format("  {}\n", work()));
        if (options_.statistics)
            for (Inference const i : all_inferences)
                terminal.print(fmt::format("  inference {}: {}\n", matching::to_string(i), r_.inferences[i]));
        for (Trouble const& t : r_.trouble)
            terminal.print(fmt::format("  {}: {}\n", terminal.paint(Style::stuck, label(t.kind)), t.what));
    }

    Json json() const {
        Json json;
        json["file"] = name_;
        json["sha256"] = s_ == nullptr ? Json(nullptr) : Json(sha256(s_->source.text()));
        json["buffering"] = machine::to_string(buffering_);
        json["runs"] = executions::to_string(options_.runs);
        json["verdict"] = check::to_string(r_.verdict);
        json["engine"] = r_.engine.empty() ? Json(nullptr) : Json(r_.engine);
        json["run"] = complete(r_.run);
        json["run_that_succeeds"] = r_.verdict == Verdict::violated ? complete(r_.safe) : Json(nullptr);
        json["deadlock"] = reached(r_.deadlock);
        json["fault"] = reached(r_.fault);
        Json& orphans = json["orphans"] = Json::array();
        for (std::uint32_t beta = 0; some_complete() && beta < s_->code.endpoints().size(); ++beta)
            if (std::uint32_t const n = orphans_at(s_->messages, {beta}); n > 0)
                orphans.push_back({{"endpoint", s_->code.names()(Endpoint{beta})}, {"messages", n}});
        Json& trouble = json["trouble"] = Json::array();
        for (Trouble const& t : r_.trouble) trouble.push_back({{"kind", label(t.kind)}, {"what", t.what}});
        json["work"] = {
            {"samples", r_.samples},           {"executions", r_.executions},   {"steps", r_.steps},
            {"solver_calls", r_.solver_calls}, {"refinements", r_.refinements}, {"match_pairs", r_.match_pairs}};
        if (options_.statistics) {
            Json& inferences = json["inferences"] = Json::object();
            for (Inference const i : all_inferences) inferences[std::string(matching::to_string(i))] = r_.inferences[i];
        }
        return json;
    }

    /// The program with the traces that back the answer: a run that fails or succeeds, and runs that get stuck. Empty: there is
    /// none.
    std::string witnesses() const {
        Program program = s_->program;
        program.traces.clear();
        std::string comment;
        auto const add = [&](std::string_view what, Schedule const& schedule) {
            program.traces.push_back(schedule.trace(s_->code));
            comment += fmt::format("; trace {}, {} buffering: {}\n", program.traces.size(),
                                   machine::to_string(buffering_), what);
        };
        if (r_.run)
            add(fmt::format("{}{}", machine::to_string(r_.run->s),
                            r_.run->extent == Extent::prefix ? ", as far as it is on the path (run --prefix)" : ""),
                r_.run->schedule);
        if (r_.verdict == Verdict::violated && r_.safe) add("success", r_.safe->schedule);
        if (r_.deadlock.answer == Reached::Answer::yes) add("leads to a deadlock", r_.deadlock.schedule);
        if (r_.fault.answer == Reached::Answer::yes) add("leads to a fault", r_.fault.schedule);
        return program.traces.empty() ? std::string() : comment + grammar::print(program);
    }

private:
    bool on_path() const { return options_.runs == Runs::executions; }
    bool some_complete() const { return r_.verdict == Verdict::safe || (r_.run && r_.run->extent == Extent::complete); }
    Replay replay(Run const& run) const { return {s_->code, buffering_, run.schedule, run.extent}; }

    void violated(Terminal& terminal) const {
        Replay failing = replay(*r_.run);
        terminal.print(shown_findings(s_->code, failing.findings(), terminal.paint()));
        if (r_.run->extent == Extent::prefix) after_that(terminal, failing.halts());
        matches(terminal);
        if (r_.safe)
            terminal.print(fmt::format("  a run that succeeds differs: here {}\n",
                                       shown_difference(s_->messages, r_.run->matching, r_.safe->matching)));
        trace(terminal, r_.run->schedule);
    }

    void vacuous(Terminal& terminal) const {
        if (!r_.run) {
            // A solver only knows that no run succeeds.
            bool const by_solver = r_.engine.starts_with("smt") || r_.engine == "sat";
            terminal.print(!by_solver  ? "  no run completes\n"
                           : on_path() ? "  no execution fails, and none completes without breaking an assumption\n"
                                       : "  no complete run keeps its assumptions, if any completes\n");
            return;
        }
        terminal.print(on_path()
                           ? "  no execution fails, and none completes without breaking an assumption; this one:\n"
                           : "  every complete run breaks an assumption; this one:\n");
        terminal.print(shown_findings(s_->code, replay(*r_.run).findings(), terminal.paint()));
        matches(terminal);
        trace(terminal, r_.run->schedule);
    }

    /// Why threads do not finish.
    void after_that(Terminal& terminal, std::vector<Replay::Halt> const& halts) const {
        constexpr std::size_t most = 20;
        for (std::size_t i = 0; i < std::min(most, halts.size()); ++i)
            terminal.print(fmt::format("  after that {}\n", report::shown(s_->code, halts[i])));
        if (halts.size() > most)
            terminal.print(fmt::format("  ... and {}\n", plural(halts.size() - most, "more thread")));
    }

    void matches(Terminal& terminal) const {
        if (std::string const text = shown(s_->messages, r_.run->matching); !text.empty())
            terminal.print(fmt::format("  {}: {}\n", terminal.paint(Style::note, "matches"), text));
    }

    void reached(Terminal& terminal, std::string_view what, Reached const& r) const {
        terminal.print(fmt::format("  {}: {}\n", what, terminal.paint(answer_style(r.answer), to_string(r.answer))));
        if (r.answer != Reached::Answer::yes) return;
        for (std::string const& line : why(r)) terminal.print(fmt::format("    {}\n", line));
        trace(terminal, r.schedule, "    trace: ");
        if (!r.schedule.trailing().empty())
            terminal.print(fmt::format("    then these messages are delivered: {}\n", shown_movements(r.schedule)));
    }

    /// ((0 3) bot): the movements that no entry follows.
    std::string shown_movements(Schedule const& schedule) const {
        std::vector<Movement> m;
        for (Channel const c : schedule.trailing()) m.push_back({s_->code[c].beta, s_->code[c].alpha});
        return grammar::print(s_->program, m);
    }

    std::vector<std::string> why(Reached const& r) const {
        Replay execution(s_->code, buffering_, r.schedule);
        if (!r.fault) return execution.stuck_threads();
        return {shown_fault(s_->code, execution.state(), *r.fault)};
    }

    void trace(Terminal& terminal, Schedule const& schedule, std::string_view head = "  trace: ") const {
        constexpr std::size_t most = 60;
        terminal.print(schedule.size() <= most
                           ? wrapped_trace(s_->code, schedule, head)
                           : fmt::format("{}{} entries (-o FILE writes it)\n", head, schedule.size()));
    }

    std::string work() const {
        std::string text = r_.engine.empty() ? "undecided" : "decided by " + r_.engine;
        text += fmt::format("; {}, {}", plural(r_.samples, "sample"), plural(r_.steps, "machine step"));
        if (r_.executions > 0) text += fmt::format(", {}", plural(r_.executions, "execution"));
        if (r_.solver_calls > 0)
            text += fmt::format(", {} with {}", plural(r_.solver_calls, "solver call"),
                                plural(r_.match_pairs, "match pair"));
        if (r_.refinements > 0) text += fmt::format(", {}", plural(r_.refinements, "refinement"));
        return text;
    }

    static std::string_view label(Trouble::Kind kind) {
        switch (kind) {
        case Trouble::Kind::limit: return "limit";
        case Trouble::Kind::solver: return "solver failed";
        case Trouble::Kind::wrong_answer: break;
        }
        return "wrong answer";
    }

    Json complete(std::optional<Run> const& run) const {
        if (!run) return nullptr;
        return {{"status", machine::to_string(run->s)},
                {"completes", run->extent == Extent::complete},
                {"matches", to_json(s_->messages, run->matching)},
                {"trace", shown_trace(s_->code, run->schedule)},
                {"then", after(*run)}};
    }
    /// What keeps the threads from finishing.
    Json after(Run const& run) const {
        Json result = Json::array();
        if (run.extent == Extent::complete || run.s == Status::infeasible) return result;
        for (Replay::Halt const& halt : replay(run).halts()) result.push_back(report::shown(s_->code, halt));
        return result;
    }
    Json reached(Reached const& r) const {
        Json json;
        json["answer"] = to_string(r.answer);
        json["why"] = r.answer == Reached::Answer::yes ? Json(why(r)) : Json::array();
        json["trace"] = r.answer == Reached::Answer::yes ? Json(shown_trace(s_->code, r.schedule)) : Json(nullptr);
        json["then_delivered"] = r.answer == Reached::Answer::yes ? Json(shown_movements(r.schedule)) : Json(nullptr);
        return json;
    }

    std::string name_;
    Prepared const* s_ = nullptr;
    Buffering buffering_;
    CheckResult const& r_;
    CheckCommandOptions const& options_;
};

/// What is wrong with these options; empty: nothing.
std::string contradiction(CheckCommandOptions const& options) {
    if (options.output == "-") return "-o needs the name of a file";
    bool const is_one = options.files.size() == 1 && options.bufferings.size() == 1;
    for (auto const& [name, value] :
         {std::pair("-o", &options.output), std::pair("--certificate", &options.certificate)})
        if (!value->empty() && !is_one) return fmt::format("{} is for one program under one buffering", name);
    bool const asks_a_solver = options.engine == EngineChoice::automatic || options.engine == EngineChoice::smt;
    if (asks_a_solver || (!options.refine && !options.solver)) return {};
    return fmt::format("{} is for an SMT solver, and --engine {} asks none", options.refine ? "--refine" : "--solver",
                       options.engine == EngineChoice::sat ? "sat" : "explore");
}

CheckOptions check_options_of(CheckCommandOptions const& options, SolverCommand const& solver) {
    CheckOptions result;
    result.runs = options.runs;
    result.engine = options.engine;
    result.refine = options.refine;
    result.solver = solver;
    if (options.timeout) result.time = std::chrono::milliseconds(static_cast<std::int64_t>(*options.timeout * 1000));
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
        }
        if (options_.memory && !limit_memory(*options_.memory))
            return refuse(fmt::format("--memory {}: it cannot be limited to that", *options_.memory), ErrorKind::usage);
        auto const solver = solver_command(options_.solver.value_or("z3"));
        if (!solver) return refuse(fmt::format("--solver: {}", solver.error()), ErrorKind::usage);
        check_options_ = check_options_of(options_, *solver);

        report_ = report_of("check");
        report_["results"] = Json::array();
        for (std::string const& file : options_.files)
            if (auto const program = read(file))
                for (Buffering const buffering : options_.bufferings) check_under(buffering, *program);
        if (is(Output::json)) terminal_.out(dump(report_));
        if (is(Output::sarif)) terminal_.out(dump(sarif_.document(worst_)));
        return worst_;
    }

private:
    bool is(Output format) const { return options_.format == format; }
    void add(ExitCode code) { worst_ = worse(worst_, code); }

    ExitCode refuse(std::string_view message, ErrorKind kind) {
        complain(terminal_, message, kind);
        return bad_input;
    }

    /// Null: why has been printed.
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

    /// Null: why has been printed.
    std::unique_ptr<Prepared> prepare(ProgramInput input) {
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
        for (Buffering const buffering : options_.bufferings)
            show(Report(file == "-" ? "<stdin>" : file, buffering, result, options_));
        add(exit_code(result));
    }

    void show(Report const& report) {
        if (is(Output::json)) report_["results"].push_back(report.json());
        if (is(Output::text)) report.print(terminal_);
    }

    void check_under(Buffering buffering, Prepared const& program) {
        check_options_.buffering = buffering;
        if (!certificate_folder_.empty() && !program.code.is_plain()) {
            add(refuse("--certificate: there are none for programs with selectors, modes or barriers",
                       ErrorKind::usage));
            return;
        }
        CheckResult const result = check_with_progress(program, check_options_);
        Report const report(program, buffering, result, options_);
        show(report);
        if (is(Output::sarif)) sarif_.add(program, buffering, options_.runs, result);
        if (is(Output::text)) terminal_.flush(); // the next one may take long, or be interrupted
        add(exit_code(result));
        if (!certificate_folder_.empty())
            add(write_certificate(program, check_options_, result, report.witnesses(), certificate_folder_, terminal_));
        if (options_.output.empty()) return;
        if (std::string const text = report.witnesses(); !text.empty())
            add(replace_or_complain(options_.output, text, terminal_));
        else
            warn(terminal_, fmt::format("there is no execution to write to {}", printable(options_.output, 4096)),
                 ErrorKind::file);
    }

    CheckCommandOptions const& options_;
    Terminal& terminal_;
    CheckOptions check_options_;
    std::string certificate_folder_; // empty: none is wanted
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
    static Choices<Output> const formats{{"text", Output::text}, {"json", Output::json}, {"sarif", Output::sarif}};
    auto const options = std::make_shared<CheckCommandOptions>();
    Command command = line.add(
        "check",
        "Decide whether any execution of a program can fail, get stuck or divide by zero, and show a trace that does",
        std::string(check_examples) + std::string(interrupt_help) + std::string(exit_codes_help));
    command.argument("FILE", options->files, "Programs; `-` is standard input");
    command.bufferings(options->bufferings,
                       "infinite: messages are buffered; zero: a send and its receive meet. Default: infinite");
    command.runs(options->runs, "executions: every execution up to an assumption that is false, in which an assertion "
                                "can fail before a deadlock or a broken assumption; complete: complete runs only, as "
                                "in the paper. Default: executions");
    command.choice("--engine", options->engine, engines,
                   "explore: the reference machine, by all executions that can differ in their verdict; sat: the "
                   "built-in SAT solver; smt: an SMT solver, whose answers are checked; auto: random executions, a "
                   "short exploration, sat, then the engine that is left. Default: auto");
    command.flag("--statistics", options->statistics,
                 "Print how often each inference of the pruning before SAT and SMT applied");
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
    command.output(options->output, "Write the program to a file, atomically, with traces that back the answer: a run "
                                    "that fails, a run that succeeds, the ways to a deadlock and to a fault");
    command.text("--certificate", "DIR", options->certificate,
                 "Write a folder that lets others verify that the program is safe or vacuous: clauses with reasons, "
                 "and a proof (docs/certificates.md)");
    command.choice("--format", options->format, formats,
                   "sarif: SARIF 2.1.0, for code-scanning pages (docs/formats.md). Default: text");
    command.color();
    command.action([options](Terminal& terminal) { return CheckCommand(*options, terminal).run(); });
}

} // namespace matchpoint::cli
