#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "cli/run_end.hpp"
#include "explain/blocked.hpp"
#include "explain/reads_from.hpp"
#include "explain/words.hpp"
#include "machine/well_formed.hpp"
#include "record/provenance.hpp"
#include "report/json.hpp"
#include "smt_machine/comb.hpp"
#include "smt_machine/smt_machine.hpp"
#include "smt_machine/smtlib.hpp"
#include "solve/solver.hpp"

namespace matchpoint::cli {

namespace {

struct SmtOptions {
    std::string file;
    std::optional<std::size_t> trace;   // from 1; default: all
    std::optional<Buffering> buffering; // default: what the file says
    bool comb = false;
    bool solve = false;
    bool check = false;
    std::string solver = "z3";
    std::optional<double> timeout; // seconds
    std::string output;            // default: standard output
    Format format = Format::text;
};

constexpr auto smt_examples = R"(Examples:
  matchpoint smt traces/figure1.ctp --trace 2    the problem, as SMT-LIB 2.6
  matchpoint smt traces/figure1.ctp --solve      the solver's answer beside the
                                                 machine's status
  matchpoint smt traces/figure1.ctp --check --solver cvc5
  matchpoint smt program.ctp --comb --solve --solver "yices-smt2 --incremental"

)";

/// A trace, run by the SMT machine.
struct SmtRun {
    Outcome outcome;
    Expected<Problem, std::string> problem;
    TraceEnding end;
    std::optional<Blocked> deadlock; // where it got stuck, if the trace stops early
    ReadsFrom reads_from;            // up to there
};

SmtRun run_smt(IndexedProgram const& code, std::size_t t, Buffering buffering, TraceEnding const& end) {
    Machine machine(code, buffering);
    SmtMachine smt(code);
    machine.observe(smt);
    ReadsFrom reads_from(code);
    ReadsFromRecorder reads(reads_from);
    if (end.stops_early && code.shares()) machine.observe(reads);
    Outcome outcome = run(machine, t, end.extent());
    auto blocked = end.stops_early ? deadlock_behind(machine, end.cut_short) : std::nullopt;
    if (blocked && blocked->kind == Blocked::Kind::ended) blocked.reset();
    return {std::move(outcome), smt.getSMT(machine.state()), end, std::move(blocked), std::move(reads_from)};
}

/// What the machine does not know, as no command says it.
std::string line_of(TraceEnding const& end) {
    std::string const words = end.in_words();
    return words.empty() ? "" : fmt::format("  the recorded run {}\n", words);
}

/// The problem, as no solver of ours gets it.
std::string text_for_readers(Problem const& problem, IndexedProgram const& code, TraceEnding const& end) {
    std::string const words = end.in_words();
    std::string const comment = words.empty() ? "" : fmt::format("; the recorded run {}\n", words);
    return comment + print(problem, code, {.status = true});
}

/// The exit code for the answers and statuses so far.
class Result {
public:
    void trouble(ExitCode code) { trouble_ = std::max(trouble_, code); }
    void disagreement() { disagrees_ = true; }
    void status(SmtRun const& r) {
        worst_ = std::max(worst_, r.end.failed.empty() ? r.outcome.s : std::max(r.outcome.s, Status::failure));
    }
    /// A run that is not well-formed is a verdict or bad input.
    void no_problem(SmtRun const& r) {
        status(r);
        stuck_ = stuck_ || r.deadlock;
        if (!r.outcome.error && !r.deadlock && r.end.failed.empty()) trouble(r.end.ended.empty() ? bad_input : unknown);
    }

    ExitCode code() const {
        if (disagrees_) return disagrees;
        if (trouble_ != holds) return trouble_;
        return stuck_ && worst_ == Status::success ? deadlock : exit_code(worst_);
    }

private:
    ExitCode trouble_ = holds;
    bool disagrees_ = false;
    bool stuck_ = false; // some trace ends in a deadlock
    Status worst_ = Status::success;
};

ExitCode trouble_of(Answer const& answer) {
    return std::visit(overloaded{
                          [](answer::Sat const&) { return holds; },
                          [](answer::Unsat const&) { return holds; },
                          [](answer::Unknown const&) { return unknown; },
                          [](answer::Timeout const&) { return unknown; },
                          [](answer::Crashed const&) { return solver_failed; },
                          [](answer::Missing const&) { return solver_failed; },
                      },
                      answer);
}

/// Whether the process said that the problem is satisfiable, or why it did not say.
std::string_view word(Answer const& answer) {
    return std::visit(overloaded{
                          [](answer::Sat const&) { return "sat"; },
                          [](answer::Unsat const&) { return "unsat"; },
                          [](answer::Unknown const&) { return "unknown"; },
                          [](answer::Timeout const&) { return "timeout"; },
                          [](answer::Crashed const&) { return "crashed"; },
                          [](answer::Missing const&) { return "missing"; },
                      },
                      answer);
}

class SmtCommand {
public:
    SmtCommand(SmtOptions const& options, Terminal& terminal) : options_(options), terminal_(terminal) {}

    ExitCode run() {
        auto const input = read_program(options_.file, terminal_);
        if (!input) return input.error();
        auto const traces = select_traces(*input->program, input->source, options_.trace, "", terminal_);
        if (!traces) return traces.error();
        if (std::string const wrong = contradiction(*input); !wrong.empty()) return refuse(wrong);
        if (asks_solver()) {
            auto command = solver_command(options_.solver);
            if (!command) return refuse(fmt::format("--solver: {}", command.error()));
            SolverLimits limits;
            if (options_.timeout) limits.time = milliseconds(*options_.timeout);
            solver_.emplace(std::move(*command), limits);
        }
        IndexedProgram const code(*input->program);
        ends_ = trace_endings(input->source.text(), input->program->traces.size());
        if (options_.check) warn_of_what_is_not_known(code, input->source, terminal_);
        start_report(input->source);
        ExitCode const code_of_all = all(*input, code, *traces);
        // What is refused has no report.
        if (is_json() && !was_refused_) terminal_.out(dump(report_));
        return code_of_all;
    }

private:
    ExitCode all(ProgramInput const& input, IndexedProgram const& code, SelectedTraces const& traces) {
        if (options_.comb) return combine(code, traces.last);
        if (!solver_ && !is_json() && traces.last - traces.first > 1)
            return refuse(
                fmt::format("{} has {} traces: say which one with --trace N, or --comb for all in one problem",
                            printable(input.source.name(), 4096), traces.last));
        Result result;
        for (std::size_t t = traces.first; t < traces.last; ++t) one(code, t, result);
        return result.code();
    }

    bool is_json() const { return options_.format == Format::json; }
    bool asks_solver() const { return options_.solve || options_.check; }

    /// What is wrong with these options for this program; empty if nothing.
    std::string contradiction(ProgramInput const& input) const {
        if (options_.comb && options_.trace) return "--comb is for all traces of the file, --trace for one";
        if (options_.comb && options_.buffering == Buffering::zero) return "--comb is for infinite buffering";
        if (options_.comb && breaks_discipline(input.diagnostics))
            return "--comb needs a program that obeys rules D1 to D6";
        if (options_.comb && IndexedProgram(*input.program).shares())
            return "--comb combines match sets, and does not know shared variables";
        if (asks_solver() && !options_.output.empty())
            return "-o is for the problem, and --solve and --check print none";
        if (is_json() && !options_.output.empty())
            return "-o is for the problem alone, and --format json is more than that";
        return {};
    }

    // -----------------------------------------------------------------------------------------------------------------
    // JSON (docs/formats.md; docs/schema/smt.schema.json)

    void start_report(Source const& source) {
        report_ = report_of("smt", source);
        report_["buffering"] = to_string(options_.buffering.value_or(Buffering::infinite));
        report_["solver"] = solver_ ? Json(solver_->command().name) : Json(nullptr);
        report_["combined"] = options_.comb;
        report_["results"] = Json::array();
    }

    /// A result without a problem or an answer yet.
    Json& report_on(std::size_t first, std::vector<Status> const& statuses) {
        Json& json = report_["results"].emplace_back(Json::object());
        json["traces"] = Json::array();
        json["statuses"] = Json::array();
        for (std::size_t i = 0; i < statuses.size(); ++i) {
            json["traces"].push_back(first + i + 1);
            json["statuses"].push_back(to_string(statuses[i]));
        }
        for (auto const* const key : {"problem", "no_problem", "error", "deadlock", "answer", "reason", "agrees"})
            json[key] = nullptr;
        json["core"] = Json::array();
        if (!options_.buffering && buffering_of(first) != Buffering::infinite)
            json["buffering"] = to_string(buffering_of(first));
        if (first == 0 && !ends_[0].failed.empty()) json["recorded_run_failed"] = printable(ends_[0].failed, 4096);
        if (first == 0 && !ends_[0].ended.empty()) json["recorded_run_ended"] = printable(ends_[0].ended, 4096);
        return json;
    }

    void report_answer(Json& json, Answer const& answer, bool agrees) {
        json["answer"] = word(answer);
        if (is_sat(answer))
            json["agrees"] = agrees;
        else
            json["reason"] = to_string(answer, solver_->command());
        if (auto const* const unsat = std::get_if<answer::Unsat>(&answer))
            for (std::string const& name : unsat->core) json["core"].push_back(unmangle(name));
    }

    // -----------------------------------------------------------------------------------------------------------------

    Buffering buffering_of(std::size_t t) const { return ends_[t].buffering_if(options_.buffering); }

    ExitCode refuse(std::string_view message, ErrorKind kind = ErrorKind::usage) {
        was_refused_ = true;
        complain(terminal_, message, kind);
        return bad_input;
    }

    void one(IndexedProgram const& code, std::size_t t, Result& result) {
        SmtRun r = run_smt(code, t, buffering_of(t), ends_[t]);
        if (!r.problem) {
            no_problem(code, t, r, result);
            return;
        }
        if (!solver_) {
            if (is_json())
                report_on(t, {r.outcome.s})["problem"] = text_for_readers(*r.problem, code, r.end);
            else
                result.trouble(write_output(options_.output, text_for_readers(*r.problem, code, r.end), terminal_));
            return;
        }
        Answer const answer = ask(*r.problem, code);
        bool const sat = std::holds_alternative<answer::Sat>(answer);
        bool const lemma = sat == (r.outcome.s == Status::failure);
        result.status(r);
        ExitCode const trouble = trouble_of(answer);
        result.trouble(trouble);
        if (trouble == holds && !lemma) result.disagreement();
        if (is_json()) return report_answer(report_on(t, {r.outcome.s}), answer, lemma);
        terminal_.out(fmt::format("trace {}: {}, {} by the machine{}\n", t + 1, said(answer), to_string(r.outcome.s),
                                  trouble == holds && !lemma ? ": THEY DISAGREE" : ""));
        terminal_.out(line_of(r.end));
        explain_answer(answer);
        if (options_.check && trouble == holds)
            terminal_.out(fmt::format("  Lemma 3 {} here: the problem is satisfiable {} the status is failure\n",
                                      lemma ? "holds" : "does not hold", lemma ? "exactly as" : "not exactly when"));
    }

    /// Definition 16: only a well-formed run has a problem. An error and a deadlock are verdicts; any other run that is
    /// not well-formed is an input that smt cannot take.
    void no_problem(IndexedProgram const& code, std::size_t t, SmtRun const& r, Result& result) {
        bool const is_stuck = r.deadlock && r.outcome.s == Status::success;
        std::string const status(is_stuck ? "deadlock" : to_string(r.outcome.s));
        std::string text = fmt::format("trace {}: no SMT problem, {} by the machine", t + 1, status);
        Json& json = report_on(t, {r.outcome.s});
        json["no_problem"] = r.problem.error();
        if (r.outcome.error) {
            Machine machine(code, buffering_of(t));
            static_cast<void>(machine::run(machine, t, r.end.extent()));
            Stuck const& stuck = r.outcome.error->stuck;
            json["error"] = to_json(code, machine.state(), *r.outcome.error);
            text += fmt::format(" ({})\n  entry {}, rule {}: {}\n", to_string(stuck.reason), r.outcome.error->entry,
                                to_string(stuck.rule), in_words(code, machine.state(), stuck.reason));
        } else if (r.deadlock) {
            add_blocked(json["deadlock"] = Json::object(), code, *r.deadlock, r.reads_from,
                        [&](std::uint32_t entry) { return code.entry(t, entry).rho; });
            text += fmt::format(" (the trace stops early)\n  {}\n{}", blocked_text(r.deadlock->kind, terminal_.paint()),
                                shown(code, *r.deadlock));
        } else {
            text += fmt::format("{}\n  {}\n", r.end.stops_early ? " (the trace stops early)" : "", r.problem.error());
        }
        text += line_of(r.end);
        result.no_problem(r);
        if (is_json()) return;
        // With --solve this is one of the answers. Otherwise it is the reason why no problem is printed.
        if (solver_)
            terminal_.out(text);
        else
            complain(terminal_, text.substr(0, text.size() - 1), ErrorKind::trace);
    }

    ExitCode combine(IndexedProgram const& code, std::size_t count) {
        std::vector<Problem> problems;
        std::vector<Status> all_statuses;
        std::string statuses;
        TraceEnding end; // of the first trace
        Result result;
        bool some_failure = false;
        for (std::size_t t = 0; t < count; ++t) {
            if (buffering_of(t) != Buffering::infinite) return refuse("--comb is for infinite buffering");
            SmtRun r = run_smt(code, t, Buffering::infinite, ends_[t]);
            if (!r.problem)
                return refuse(fmt::format("trace {} has no SMT problem: {}", t + 1, r.problem.error()),
                              ErrorKind::trace);
            problems.push_back(std::move(*r.problem));
            statuses += fmt::format("{}{}", t == 0 ? "" : ", ", to_string(r.outcome.s));
            all_statuses.push_back(r.outcome.s);
            some_failure |= r.outcome.s == Status::failure;
            if (t == 0) end = r.end;
            result.status(r);
        }
        auto const problem = COMB(std::move(problems), code);
        if (!problem) return refuse(problem.error());
        if (!solver_ && !is_json())
            return write_output(options_.output, text_for_readers(*problem, code, end), terminal_);
        if (!solver_) {
            report_on(0, all_statuses)["problem"] = text_for_readers(*problem, code, end);
            return holds;
        }
        Answer const answer = ask(*problem, code);
        ExitCode const trouble = trouble_of(answer);
        result.trouble(trouble);
        bool const sat = std::holds_alternative<answer::Sat>(answer);
        bool const agrees = sat || !some_failure;
        if (trouble == holds && !agrees) result.disagreement();
        if (is_json()) {
            report_answer(report_on(0, all_statuses), answer, agrees);
            return result.code();
        }
        terminal_.out(
            fmt::format("COMB of {} traces: {}; the traces by the machine: {}\n", count, said(answer), statuses));
        terminal_.out(line_of(end));
        explain_answer(answer);
        if (trouble == holds && !agrees) {
            terminal_.out("  THEY DISAGREE: a failure makes the combination satisfiable (Lemma 4)\n");
        } else if (sat && !some_failure) {
            terminal_.out(
                "  none of these traces fails, but some mixture of their matches may (Lemma 4's other direction "
                "does not hold)\n");
        }
        return result.code();
    }

    Answer ask(Problem const& problem, IndexedProgram const& code) {
        return solver_->check(print(problem, code, {.check_sat = false, .unsat_core = true}), {.core = true});
    }

    std::string said(Answer const& answer) {
        std::string const text = to_string(answer, solver_->command());
        if (trouble_of(answer) != solver_failed) return fmt::format("{} by {}", text, solver_->command().name);
        complain(terminal_, text, ErrorKind::solver);
        return fmt::format("no answer from {}", solver_->command().name);
    }

    void explain_answer(Answer const& answer) {
        auto const* const unsat = std::get_if<answer::Unsat>(&answer);
        if (unsat == nullptr || unsat->core.empty()) return;
        terminal_.out("  because of:\n");
        constexpr std::size_t most = 30;
        for (std::size_t i = 0; i < std::min(unsat->core.size(), most); ++i)
            terminal_.out(fmt::format("    {}\n", printable(unmangle(unsat->core[i]), 200)));
        if (unsat->core.size() > most) terminal_.out(fmt::format("    ... ({} more)\n", unsat->core.size() - most));
    }

    SmtOptions const& options_;
    Terminal& terminal_;
    std::optional<Solver> solver_;
    std::vector<TraceEnding> ends_; // of the traces of the file
    Json report_;
    bool was_refused_ = false;
};

} // namespace

void add_smt(CommandLine& line) {
    auto const options = std::make_shared<SmtOptions>();
    Command command =
        line.add("smt", "Turn a trace into an SMT problem, and compare a solver's answer with the machine's",
                 std::string(smt_examples) + std::string(interrupt_help) + std::string(exit_codes_help));
    command.argument("FILE", options->file, file_help);
    command.trace(options->trace);
    command.buffering(options->buffering);
    command.flag("--comb", options->comb, "Combine all traces of the file into one problem (COMB)");
    command.flag("--solve", options->solve, "Print the solver's answer and the machine's status");
    command.flag("--check", options->check, "The same, and say whether Lemma 3 holds: satisfiable exactly on failure");
    command.solver(options->solver);
    command.seconds("--timeout", "T", options->timeout,
                    "Time limit of the solver for one problem, in seconds. Default: no limit");
    command.output(Content::problem, options->output, "Write the problem to a file, atomically");
    command.format(options->format);
    command.color();
    command.action([options](Terminal& terminal) { return SmtCommand(*options, terminal).run(); });
}

} // namespace matchpoint::cli
