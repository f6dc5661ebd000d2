#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "grammar/discipline.hpp"
#include "machine/well_formed.hpp"
#include "report/words.hpp"
#include "smt_machine/comb.hpp"
#include "smt_machine/smt_machine.hpp"
#include "smt_machine/smtlib.hpp"
#include "solve/solver.hpp"

namespace matchpoint::cli {

namespace {

/// A trace, run by the SMT machine.
struct SmtRun {
    Outcome outcome;
    Expected<Problem, std::string> problem;
};

SmtRun run_smt(IndexedProgram const& code, std::size_t t, Buffering buffering) {
    Machine machine(code, buffering);
    SmtMachine smt(code);
    machine.observe(smt);
    Outcome outcome = run(machine, t);
    return {std::move(outcome), smt.getSMT(machine.state())};
}

/// What the answers and statuses so far come to.
class Result {
public:
    void trouble(ExitCode code) { trouble_ = std::max(trouble_, code); }
    void disagreement() { disagrees_ = true; }
    void status(Status s) { worst_ = std::max(worst_, s); }

    ExitCode code() const {
        if (disagrees_) return disagrees;
        if (trouble_ != holds) return trouble_;
        switch (worst_) {
        case Status::success: return holds;
        case Status::failure: return failure;
        case Status::infeasible: return infeasible;
        case Status::error: break;
        }
        return error;
    }

private:
    ExitCode trouble_ = holds;
    bool disagrees_ = false;
    Status worst_ = Status::success;
};

ExitCode trouble_of(Answer const& answer) {
    if (std::holds_alternative<answer::Sat>(answer) || std::holds_alternative<answer::Unsat>(answer)) return holds;
    if (std::holds_alternative<answer::Unknown>(answer) || std::holds_alternative<answer::Timeout>(answer))
        return unknown;
    return solver_failed;
}

class SmtCommand {
public:
    SmtCommand(SmtOptions const& options, Terminal& terminal) : options_(options), terminal_(terminal) {}

    ExitCode run() {
        auto const source = read_source(options_.file);
        if (!source) return refuse(source.error());
        auto const program = parse(*source);
        if (!program) {
            show(terminal_, program.error(), *source);
            return refused(program.error());
        }
        Diagnostics const warnings = check_discipline(*program, &*source);
        show(terminal_, warnings, *source);
        std::size_t const count = program->traces.size();
        if (count == 0 || options_.trace.value_or(1) > count)
            return refuse(count == 0 ? fmt::format("{} has no trace: traces stand behind the program, in the same file",
                                                   printable(source->name(), 4096))
                                     : fmt::format("{} has no trace {}: it has {}", printable(source->name(), 4096),
                                                   *options_.trace, count));
        if (options_.comb && options_.trace) return refuse("--comb is for all traces of the file, --trace for one");
        if (options_.comb && options_.buffering == Buffering::zero) return refuse("--comb is for infinite buffering");
        if (options_.comb && !warnings.empty()) return refuse("--comb needs a program that obeys rules D1 to D6");

        IndexedProgram const code(*program);
        if ((options_.solve || options_.check) && !options_.output.empty())
            return refuse("-o is for the problem, and --solve and --check print none");
        if (options_.solve || options_.check) {
            auto command = solver_command(options_.solver);
            if (!command) return refuse(fmt::format("--solver: {}", command.error()));
            SolverLimits limits;
            if (options_.timeout) limits.time = std::chrono::milliseconds(static_cast<long>(*options_.timeout * 1000));
            solver_.emplace(std::move(*command), limits);
        }
        if (options_.comb) return combine(code, count);

        std::size_t const first = options_.trace.value_or(1) - 1;
        std::size_t const last = options_.trace.value_or(count);
        if (!solver_ && last - first > 1)
            return refuse(
                fmt::format("{} has {} traces: say which one with --trace N, or --comb for all in one problem",
                            printable(source->name(), 4096), count));
        Result result;
        for (std::size_t t = first; t < last; ++t) one(code, t, result);
        return result.code();
    }

private:
    ExitCode refuse(std::string_view message) {
        complain(terminal_, message);
        return bad_input;
    }

    void one(IndexedProgram const& code, std::size_t t, Result& result) {
        SmtRun r = run_smt(code, t, options_.buffering);
        if (!r.problem) {
            no_problem(code, t, r, result);
            return;
        }
        if (!solver_) {
            if (!output(print(*r.problem, code))) result.trouble(output_failed);
            return;
        }
        Answer const answer = ask(*r.problem, code);
        bool const sat = std::holds_alternative<answer::Sat>(answer);
        bool const lemma = sat == (r.outcome.s == Status::failure);
        result.status(r.outcome.s);
        ExitCode const trouble = trouble_of(answer);
        result.trouble(trouble);
        if (trouble == holds && !lemma) result.disagreement();
        terminal_.out(fmt::format("trace {}: {}, {} by the machine{}\n", t + 1, said(answer), to_string(r.outcome.s),
                                  trouble == holds && !lemma ? ": THEY DISAGREE" : ""));
        explain_answer(answer);
        if (options_.check && trouble == holds)
            terminal_.out(fmt::format("  Lemma 3 {} here: the problem is satisfiable {} the status is failure\n",
                                      lemma ? "holds" : "does not hold", lemma ? "exactly as" : "not exactly when"));
    }

    /// Definition 16: only a well-formed run has a problem. An error is its own verdict; what is otherwise not
    /// well-formed is an input that smt cannot take.
    void no_problem(IndexedProgram const& code, std::size_t t, SmtRun const& r, Result& result) {
        std::string text = fmt::format("trace {}: no problem, {} by the machine", t + 1, to_string(r.outcome.s));
        if (r.outcome.error) {
            Machine machine(code, options_.buffering);
            static_cast<void>(machine::run(machine, t));
            Stuck const& stuck = r.outcome.error->stuck;
            text += fmt::format(" ({})\n  entry {}, rule {}: {}\n", to_string(stuck.reason), r.outcome.error->entry,
                                to_string(stuck.rule), explain(code, machine.state(), stuck.reason));
            result.status(Status::error);
        } else {
            text += fmt::format("\n  {}\n", r.problem.error());
            result.trouble(bad_input);
        }
        // Beside answers it is a line among them; where a problem was to be printed, it is why there is none.
        if (solver_)
            terminal_.out(text);
        else
            complain(terminal_, text.substr(0, text.size() - 1));
    }

    ExitCode combine(IndexedProgram const& code, std::size_t count) {
        std::vector<Problem> problems;
        std::string statuses;
        Result result;
        bool some_failure = false;
        for (std::size_t t = 0; t < count; ++t) {
            SmtRun r = run_smt(code, t, options_.buffering);
            if (!r.problem) return refuse(fmt::format("trace {} has no problem: {}", t + 1, r.problem.error()));
            problems.push_back(std::move(*r.problem));
            statuses += fmt::format("{}{}", t == 0 ? "" : ", ", to_string(r.outcome.s));
            some_failure |= r.outcome.s == Status::failure;
            result.status(r.outcome.s);
        }
        auto const problem = COMB(std::move(problems), code);
        if (!problem) return refuse(problem.error());
        if (!solver_) return output(print(*problem, code)) ? holds : output_failed;
        Answer const answer = ask(*problem, code);
        ExitCode const trouble = trouble_of(answer);
        result.trouble(trouble);
        bool const sat = std::holds_alternative<answer::Sat>(answer);
        terminal_.out(
            fmt::format("COMB of {} traces: {}; the traces by the machine: {}\n", count, said(answer), statuses));
        explain_answer(answer);
        if (trouble == holds && some_failure && !sat) {
            terminal_.out("  THEY DISAGREE: a failure makes the combination satisfiable (Lemma 4)\n");
            result.disagreement();
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
        complain(terminal_, text);
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

    bool output(std::string const& text) {
        if (options_.output.empty() || options_.output == "-") {
            terminal_.out(text);
            return true;
        }
        FileError const failed = replace_file(options_.output, text);
        if (!failed.empty()) complain(terminal_, failed);
        return failed.empty();
    }

    SmtOptions const& options_;
    Terminal& terminal_;
    std::optional<Solver> solver_;
};

} // namespace

ExitCode smt_command(SmtOptions const& options, Terminal& terminal) { return SmtCommand(options, terminal).run(); }

} // namespace matchpoint::cli
