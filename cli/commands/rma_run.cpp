#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_commands.hpp"
#include "cli/commands/rma_json.hpp"
#include "cli/commands/rma_kept_flushes.hpp"
#include "explain/words.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/stepper.hpp"
#include "rma/machine/words.hpp"
#include "rma/programs/edit.hpp"

namespace matchpoint::cli {

namespace {

struct RmaRunOptions {
    std::string file;
    std::string schedule;
    bool steps = false;
    bool sc = false;
    KeptFlushes kept;
    Format format = Format::text;
};

constexpr auto run_examples = R"(A schedule says what happens, one after the other:
  2        process 2 takes its next step; `2=3` if it is a choose, the value
  r:2#1    a network card executes a pending read of the first remote statement
           of process 2; `r:2.rho` of the one at location rho
  w:2#1    its write; `w:2#1=3` if writes with several values are pending
  rw:2#1   the read, and then the write of what it has read
  a:2#1    a network card executes a pending remote atomic of process 2
  aw:2#1   the atomic, and then the write of the value that it has fetched

Examples:
  matchpoint rma run traces/rma/figure2.rma --schedule "2 2 2 rw:2#1 rw:2#2 2"
  matchpoint rma run --steps traces/rma/figure2.rma --schedule "2 2"
                                         and what can come next
  matchpoint rma run traces/rma/peterson.rma --flushes 12:24,15:26
                                         with two of its flushes only

Exit codes: 0 the run completes and all properties hold, 2 usage, or no program,
10 an assertion, an invariant or a final assertion does not hold, 12 an
assumption does not hold, 13 the run divides by zero, does not complete, or a
word of the schedule does not apply.
)";

/// A run, and what was said about it so far.
class ScheduledRun {
public:
    /// Everything goes to `json`. If that is null, text goes to the terminal as it happens.
    ScheduledRun(rma::Machine const& machine, bool steps, Json* json, Terminal& terminal)
        : machine_(machine), stepper_(machine), steps_(steps), json_(json), terminal_(terminal) {
        if (json_ != nullptr) {
            for (auto const* const name : {"steps", "failures"}) (*json_)[name] = Json::array();
            (*json_)["end"] = nullptr; // in this order
        }
        look_at_invariants();
    }

    ExitCode run(rma::Schedule const& schedule) {
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            auto const transitions = rma::transitions_of(machine_, state(), schedule[i]);
            if (!transitions) {
                std::string const why = fmt::format("word {}, `{}`, does not apply: {}", i + 1,
                                                    printable(schedule[i].text), transitions.error());
                say(why);
                return stopped("inapplicable", why);
            }
            for (rma::Transition const& t : *transitions) {
                rma::Effect const effect = apply(t);
                if (effect == rma::Effect::discarded) return ended("discarded", infeasible);
                if (effect == rma::Effect::faulted) return ended("fault", error);
            }
        }
        return machine_.is_final(state()) ? at_end() : stopped("stopped");
    }

private:
    rma::State const& state() const { return stepper_.state(); }
    void say(std::string const& text) {
        if (json_ == nullptr) terminal_.out("  " + text + "\n");
    }
    /// The state in which the run ends.
    void note_end(std::string_view how, std::string const& why = {}) {
        if (json_ == nullptr) return;
        (*json_)["end"] = how;
        (*json_)["why"] = why.empty() ? Json(nullptr) : Json(why);
        (*json_)["memory"] = to_json(machine_.program(), state().M);
        (*json_)["pending"] = pending_to_json(machine_.graph(), state());
        Json& processes = (*json_)["processes"] = Json::array();
        for (rma::ProcessIndex p = 0; p < state().pc.size(); ++p) {
            auto const blocked = machine_.blocked(state(), p);
            bool const finished = state().pc[p] == machine_.graph().end(p);
            processes.push_back(
                {{"process", std::string(machine_.program().pid(p))},
                 {"next", finished ? Json(nullptr) : Json(rma::next_text(machine_, state(), p))},
                 {"waits", blocked && !finished ? Json(rma::in_words(machine_, *blocked)) : Json(nullptr)}});
        }
    }
    void note_failure(std::string const& what) {
        if (json_ != nullptr) (*json_)["failures"].push_back({{"after", count_}, {"what", what}});
    }
    /// A failure is not undone by what comes later.
    ExitCode worst(ExitCode code) const { return failed_ ? failure : code; }

    rma::Effect apply(rma::Transition const& t) {
        rma::State const before = stepper_.state();
        rma::Effect const effect = stepper_.take(t);
        std::string const words = rma::narrate(machine_, before, t, effect, state());
        ++count_;
        if (json_ != nullptr)
            (*json_)["steps"].push_back({{"word", rma::word_of(machine_, before, t)},
                                         {"rule", rma::to_string(machine_.rule(before, t))},
                                         {"text", words.substr(std::min(words.size(), std::size_t{8}))}});
        if (effect == rma::Effect::failed) note_failure(words.substr(8));
        bool const matters = effect != rma::Effect::moved;
        if (steps_ || matters) say(fmt::format("{:>3} {}", count_, words));
        failed_ = failed_ || effect == rma::Effect::failed;
        look_at_invariants();
        return effect;
    }

    void look_at_invariants() {
        for (rma::Property const& property : machine_.program().properties)
            if (!property.is_final) look_at(property);
    }
    void look_at(rma::Property const& property) {
        auto const v = rma::evaluate(machine_.graph(), state(), property.e);
        if (v && v->is_true()) return;
        failed_ = failed_ || v;
        std::string const what = rma::print(machine_.program(), property) + (v ? " does not hold" : " divides by zero");
        say(fmt::format("after {} {}", plural(count_, "step"), what));
        note_failure(what);
    }

    void show_memory() { say("memory: " + rma::print_memory(machine_.program(), state())); }

    ExitCode ended(std::string_view how, ExitCode code) {
        say(fmt::format("{} after {}", how, plural(count_, "step")));
        show_memory();
        note_end(how);
        return worst(code);
    }

    ExitCode at_end() {
        say(fmt::format("final state after {}", plural(count_, "step")));
        show_memory();
        note_end("final");
        for (rma::Property const& property : machine_.program().properties)
            if (property.is_final) look_at(property);
        return worst(holds);
    }

    /// The schedule is used up, or a word of it does not apply: what can come next, and why the others wait.
    ExitCode stopped(std::string_view how, std::string const& why = {}) {
        say(fmt::format("stopped after {}", plural(count_, "step")));
        show_memory();
        note_end(how, why);
        if (auto const pending = rma::print_pending(machine_.graph(), state()); !pending.empty())
            say("pending: " + pending);
        for (rma::ProcessIndex p = 0; p < state().pc.size(); ++p) {
            auto const blocked = machine_.blocked(state(), p);
            say(fmt::format("process {}: {}", machine_.program().pid(p),
                            blocked ? rma::in_words(machine_, *blocked)
                                    : "next is " +
                                          rma::print(machine_.program(), machine_.graph().at(state().pc[p]).executes)));
        }
        return worst(error);
    }

    rma::Machine const& machine_;
    rma::Stepper stepper_;
    bool steps_;
    Json* json_;
    Terminal& terminal_;
    std::size_t count_ = 0;
    bool failed_ = false;
};

ExitCode run_command(RmaRunOptions const& options, Terminal& terminal) {
    auto input = read_rma(options.file, terminal);
    if (!input) return input.error();
    if (!options.kept.apply(*input, terminal)) return bad_input;
    rma::Graph const graph(input->program);
    rma::Machine const machine(graph, options.sc ? rma::Model::sc : rma::Model::rma);
    auto const schedule = rma::parse_schedule(graph, options.schedule);
    if (!schedule) {
        complain(terminal, "--schedule: " + schedule.error(), ErrorKind::usage);
        return bad_input;
    }
    if (options.format == Format::json) {
        Json json = report_of("rma-run", input->source);
        json["model"] = options.sc ? "sc" : "rma";
        json["everywhere"] = options.kept.everywhere;
        json["flushes"] = Json::array();
        for (rma::StatementIndex const flush : rma::flushes_of(input->program))
            json["flushes"].push_back(statement_to_json(input->program, input->source, flush));
        ExitCode const code = ScheduledRun(machine, false, &json, terminal).run(*schedule);
        terminal.out(dump(json));
        return code;
    }
    terminal.out(printable(input->source.name(), 4096) + (options.sc ? " (sc)" : "") + options.kept.text() + "\n");
    return ScheduledRun(machine, options.steps, nullptr, terminal).run(*schedule);
}

} // namespace

RmaAction add_rma_run(Command& rma) {
    auto const options = std::make_shared<RmaRunOptions>();
    Command command = rma.add("run", "Run a program along a schedule, on the reference machine", run_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.text("--schedule", "WORDS", options->schedule,
                 "What happens, one after the other (see below). Default: nothing; what can come first is shown");
    command.flag("--steps", options->steps, "Print the run rule by rule, under the paper's names");
    command.flag("--sc", options->sc, sc_help);
    options->kept.declare(command);
    command.format(options->format);
    return [options](Terminal& terminal) { return run_command(*options, terminal); };
}

} // namespace matchpoint::cli
