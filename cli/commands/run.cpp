#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "cli/run_end.hpp"
#include "explain/blocked.hpp"
#include "explain/message_words.hpp"
#include "explain/narrate.hpp"
#include "explain/reads_from.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "grammar/print.hpp"
#include "machine/machine.hpp"
#include "machine/well_formed.hpp"
#include "record/provenance.hpp"
#include "report/json.hpp"
#include "report/latex.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

namespace {

enum class RunFormat { text, json, latex };

struct RunOptions {
    std::string file;
    std::optional<std::size_t> trace;   // from 1; default: all
    std::optional<Buffering> buffering; // default: what the file says
    bool prefix = false;
    bool steps = false;
    bool names = false;
    RunFormat format = RunFormat::text;
};

constexpr auto run_examples = R"(Examples:
  matchpoint run traces/figure1.ctp
  matchpoint run traces/figure1.ctp --trace 2 --steps
  matchpoint run traces/figure1.ctp --buffering zero
  matchpoint run witness.ctp             traces of `check -o` may stop early
  matchpoint run traces/figure1.ctp --format json | jq '.traces[].status'
  matchpoint run traces/figure1.ctp --trace 2 --format latex
  matchpoint run - < traces/figure1.ctp && echo "every trace succeeds"

)";

/// The run of a trace, or the limit that it reached.
struct TraceRun {
    std::size_t number; // from 1
    Machine machine;
    Findings findings;
    ReadsFrom reads_from;
    ReadsFromRecorder reads;
    Outcome outcome;
    WellFormedness well_formed;
    std::optional<Blocked> stuck; // where threads wait after a trace that stops early
    Extent extent;
    TraceEnding end = {};
    bool is_buffering_of_file = false; // nobody asked for it, and it is not the default
    std::string limit;                 // the limit that was reached; empty if there is an outcome

    TraceRun(IndexedProgram const& code, Buffering buffering, std::size_t t, Extent e)
        : number(t + 1), machine(code, buffering), findings(code), reads_from(code), reads(reads_from), extent(e) {
        machine.observe(findings);
        if (code.shares()) machine.observe(reads);
    }

    void execute() {
        try {
            outcome = run(machine, number - 1, extent);
            well_formed = well_formedness(machine.code(), machine.state());
            stuck = deadlock_behind(machine, end);
        } catch (LimitReached const& e) {
            limit = e.what();
        }
    }
};

/// The recorded run failed where the machine sees no failure.
bool has_failed_as_such(TraceRun const& r) { return !r.end.failed.empty() && r.outcome.s == Status::success; }

bool is_stuck(TraceRun const& r) { return r.stuck && r.stuck->kind != Blocked::Kind::ended; }

/// Nothing failed before the trace got stuck.
bool is_deadlocked(TraceRun const& r) {
    return is_stuck(r) && r.outcome.s == Status::success && !has_failed_as_such(r);
}

/// The recorded run was ended, and could have gone on.
bool is_ended(TraceRun const& r) {
    bool const was_ended = !r.end.ended.empty() || (r.stuck && !is_stuck(r));
    return was_ended && r.outcome.s == Status::success && !is_stuck(r) && !has_failed_as_such(r);
}

// ---------------------------------------------------------------------------------------------------------------------
// Text

std::string verdict(TraceRun const& r, Terminal const& terminal) {
    if (!r.limit.empty()) return fmt::format("{} (limit reached)", terminal.paint(Style::stuck, "unknown"));
    std::string const status = shown(r.outcome.s, terminal.paint());
    if (r.outcome.error) return fmt::format("{} ({})", status, to_string(r.outcome.error->stuck.reason));
    if (has_failed_as_such(r)) return fmt::format("{}: {}", terminal.paint(Style::bad, "failed"), r.end.how_failed());
    if (is_deadlocked(r))
        return fmt::format("{}{} (the trace stops early){}", terminal.paint(Style::stuck, "deadlock"),
                           r.end.if_refused(r.machine.code()),
                           r.end.ended.empty() ? "" : "; the run " + r.end.in_words());
    if (is_ended(r)) return fmt::format("{}: {}", terminal.paint(Style::stuck, "ended"), r.end.why_ended());
    if (!r.machine.state().finished()) return fmt::format("{} (the trace stops early)", status);
    return fmt::format("{} ({})", status, r.well_formed ? "well-formed" : "not well-formed");
}

void print_error(TraceRun const& r, Terminal& terminal) {
    IndexedProgram const& code = r.machine.code();
    RunError const& e = *r.outcome.error;
    if (!e.rho)
        terminal.print(fmt::format("  at the end of the trace, which has {}\n", plural(e.entry, "entry", "entries")));
    else if (code.has(*e.rho))
        terminal.print(fmt::format("  at entry {}, location {}, {}: {}\n", e.entry, shown(code, *e.rho),
                                   shown_thread(code, code.thread_of(*e.rho)), shown(code, code.command_at(*e.rho))));
    else
        terminal.print(fmt::format("  at entry {}, location {}\n", e.entry, shown(code, *e.rho)));
    terminal.print(fmt::format("  {} {}: {}\n", terminal.paint(Style::stuck, "rule"), to_string(e.stuck.rule),
                               in_words(code, r.machine.state(), e.stuck.reason)));
}

/// Where the threads are after a trace that stops early.
void print_next_commands(TraceRun const& r, Terminal& terminal) {
    IndexedProgram const& code = r.machine.code();
    for (std::uint32_t t = 0; t < code.ctp().threads.size(); ++t) {
        Location const rho{r.machine.state().ctp[t]};
        if (rho.index == code.ctp().threads[t].last) continue;
        terminal.print(fmt::format("  {} is at {} {}\n", shown_thread(code, t), shown(code, rho),
                                   shown(code, code.command_at(rho))));
    }
}

void print_text(TraceRun const& r, Terminal& terminal) {
    IndexedProgram const& code = r.machine.code();
    std::string const under =
        r.is_buffering_of_file ? fmt::format(", {} buffering", to_string(r.machine.buffering())) : "";
    terminal.print(fmt::format("trace {}{}: {}\n", r.number, under, verdict(r, terminal)));
    if (!r.limit.empty()) {
        terminal.print(fmt::format("  at entry {}: {}\n", r.machine.state().trace, r.limit));
        return;
    }
    terminal.print(shown_findings(code, r.findings, terminal.paint()));
    if (auto const matches = match_set(code, r.machine.state()); !matches.empty())
        terminal.print(fmt::format("  {}: {}\n", terminal.paint(Style::note, "matches"), in_words(code, matches)));
    if (std::string const seen = explain::shown_seen(code, r.machine.state()); !seen.empty())
        terminal.print(fmt::format("  {}: {}\n", terminal.paint(Style::note, "probes"), seen));
    if (r.outcome.error) {
        print_error(r, terminal);
        return;
    }
    if (r.stuck) {
        if (is_stuck(r)) terminal.print(fmt::format("  {}\n", blocked_text(r.stuck->kind, terminal.paint())));
        terminal.print(shown(code, *r.stuck));
        return;
    }
    if (!r.machine.state().finished()) return print_next_commands(r, terminal);
    WellFormedness const& w = r.well_formed;
    terminal.print(shown_orphans(code, w));
    if (!w.without_message.empty())
        terminal.print(fmt::format("  receives that nothing completed: {}\n", in_words(code, w.without_message)));
}

/// The verdict is printed first, so the steps are narrated in a second run.
void print_steps(TraceRun const& r, Terminal& terminal) {
    Narrator narrator(
        r.machine.code(), [&](std::string_view line) { terminal.print(line); }, 8, Narrator::Detail::full,
        terminal.paint());
    TraceRun again(r.machine.code(), r.machine.buffering(), r.number - 1, r.extent);
    again.machine.observe(narrator);
    again.execute();
}

/// As for the steps, a second run.
void print_latex(TraceRun const& r, Source const& source, Terminal& terminal) {
    IndexedProgram const& code = r.machine.code();
    TraceRun again(code, r.machine.buffering(), r.number - 1, r.extent);
    DiagramBuilder builder(code);
    AppliedRules applied;
    again.machine.observe(builder);
    again.machine.observe(applied);
    again.execute();
    if (!again.limit.empty()) builder.limit_reached(again.limit);
    terminal.print(latex_comment(fmt::format("{}, trace {} ({} buffering)", printable(source.name(), 4096), r.number,
                                             to_string(r.machine.buffering()))) +
                   latex_table(builder.diagram(), code, applied));
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON (docs/formats.md; docs/schema/run.schema.json)

Json json_of(IndexedProgram const& code, std::vector<Finding> const& findings) {
    Json result = Json::array();
    for (Finding const& f : findings) {
        Json values = Json::object();
        for (auto const& [x, v] : f.values) values[std::string(code.names()(x))] = to_json(v);
        result.push_back({{"entry", f.entry},
                          {"location", code.names()(f.rho)},
                          {"command", print(code.program(), code.command_at(f.rho))},
                          {"values", std::move(values)}});
        add_place(result.back(), code, f.rho);
    }
    return result;
}

Json store_of(IndexedProgram const& code, State const& state) {
    std::vector<std::pair<std::string_view, Value const*>> values;
    for (std::uint32_t x = 0; x < state.h.size(); ++x)
        if (!state.h[x].is_bot()) values.emplace_back(code.names()(Variable{x}), &state.h[x]);
    std::sort(values.begin(), values.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    // ordered_json looks for a key before it adds one, which is quadratic for a large store. So append.
    Json::object_t object;
    object.reserve(values.size());
    for (auto const& [name, v] : values)
        static_cast<std::vector<Json::object_t::value_type>&>(object).emplace_back(std::string(name), to_json(*v));
    return object;
}

/// What each entry read of the shared variables, and whose write it got.
Json json_of(ReadsFrom const& reads_from, IndexedProgram const& code, std::size_t t) {
    Json result = Json::array();
    for (ReadsFrom::Read const& r : reads_from.reads)
        result.push_back({{"entry", r.step},
                          {"location", code.names()(code.entry(t, r.step).rho)},
                          {"variable", code.names()(r.x)},
                          {"value", to_json(r.v)},
                          {"from", r.from == ReadsFrom::initial ? Json(nullptr) : Json(r.from)}});
    return result;
}

/// The entry that wrote each shared variable last.
Json last_writers(ReadsFrom const& reads_from, IndexedProgram const& code) {
    std::vector<std::pair<std::string_view, std::uint32_t>> writers;
    for (SharedVariable const& s : code.ctp().shared)
        writers.emplace_back(code.names()(s.x), reads_from.last_writer(s.x));
    std::sort(writers.begin(), writers.end());
    Json::object_t object; // as in store_of
    for (auto const& [name, by] : writers)
        static_cast<std::vector<Json::object_t::value_type>&>(object).emplace_back(
            std::string(name), by == ReadsFrom::initial ? Json(nullptr) : Json(by));
    return object;
}

/// Where threads wait after the trace.
Json waits_of(TraceRun const& r) {
    IndexedProgram const& code = r.machine.code();
    Json result = Json::object();
    add_blocked(result, code, *r.stuck, r.reads_from,
                [&](std::uint32_t entry) { return code.entry(r.number - 1, entry).rho; });
    return result;
}

std::string_view status_of(TraceRun const& r) {
    if (!r.limit.empty()) return "unknown";
    if (has_failed_as_such(r)) return "failed";
    if (is_ended(r)) return "ended";
    return is_deadlocked(r) ? "deadlock" : to_string(r.outcome.s);
}

Json json_of(TraceRun const& r) {
    IndexedProgram const& code = r.machine.code();
    State const& state = r.machine.state();
    Json json;
    json["trace"] = r.number;
    if (r.is_buffering_of_file) json["buffering"] = to_string(r.machine.buffering());
    json["status"] = status_of(r);
    if (!r.end.failed.empty()) json["recorded_run_failed"] = printable(r.end.failed, 4096);
    if (!r.end.ended.empty()) json["recorded_run_ended"] = printable(r.end.ended, 4096);
    bool const broke_off = is_ended(r) || has_failed_as_such(r);
    if (is_ended(r) && !r.end.cut_short.running.empty()) json["still_running"] = r.end.cut_short.running;
    if (broke_off && !r.end.cut_short.dead.empty()) json["died"] = r.end.cut_short.dead;
    json["completes"] = r.limit.empty() && !r.outcome.error && state.finished();
    json["well_formed"] = r.limit.empty() && static_cast<bool>(r.well_formed);
    json["steps"] = state.trace;
    json["matches"] = to_json(code, match_set(code, state));
    if (code.has_probes()) json["sees"] = seen_to_json(code, state);
    json["store"] = store_of(code, state);
    if (!code.ctp().shared.empty()) {
        json["reads_from"] = json_of(r.reads_from, code, r.number - 1);
        json["last_writers"] = last_writers(r.reads_from, code);
    }
    if (code.shares() || is_stuck(r)) json["deadlock"] = is_stuck(r) ? waits_of(r) : Json(nullptr);
    if (is_stuck(r) && !r.end.refusing.empty()) json["refusing"] = r.end.refusing;
    if (broke_off && r.stuck && !is_stuck(r)) json["waiting"] = std::move(waits_of(r)["blocked"]);
    json["failed_assertions"] = json_of(code, r.findings.assertions());
    json["failed_assumptions"] = json_of(code, r.findings.assumptions());
    json["orphans"] = {{"in_transit", to_json(code, r.well_formed.in_transit)},
                       {"delivered", to_json(code, r.well_formed.delivered)}};
    json["receives_without_message"] = to_json(code, r.well_formed.without_message);
    json["error"] = nullptr;
    if (r.outcome.error) json["error"] = to_json(code, state, *r.outcome.error);
    json["limit"] = r.limit.empty() ? Json(nullptr) : Json(r.limit);
    return json;
}

Json envelope(ProgramInput const& input, Buffering buffering) {
    Json json = report_of("run", input.source);
    json["buffering"] = to_string(buffering);
    json["diagnostics"] = to_json(input.diagnostics, input.source);
    json["traces"] = Json::array();
    return json;
}

// ---------------------------------------------------------------------------------------------------------------------

/// The worst of several traces. A trace of unknown outcome could be as bad as an error. A fault that `check -o` shows
/// counts as `check` counts it: if no trace fails or gets stuck.
class Worst {
public:
    /// `was_asked_for`: one trace, by its number. Otherwise one that is to leave the path does not count.
    explicit Worst(bool was_asked_for) : was_asked_for_(was_asked_for) {}

    void add(TraceRun const& r) {
        if (r.end.leaves_path && r.outcome.s == Status::infeasible && !was_asked_for_) return;
        if (!r.limit.empty())
            unknown_ = true;
        else if (r.end.leads_to_fault && r.outcome.s == Status::error)
            faults_ = true;
        else
            status_ = std::max(status_, r.end.failed.empty() ? r.outcome.s : std::max(r.outcome.s, Status::failure));
        stuck_ = stuck_ || (is_stuck(r) && r.outcome.s == Status::success);
        fails_ = fails_ || status_ == Status::failure;
        unknown_ = unknown_ || is_ended(r);
    }
    ExitCode code() const {
        if (status_ == Status::error) return error;
        if (unknown_) return unknown;
        if (fails_) return exit_code(status_);
        return stuck_ ? deadlock : faults_ ? error : exit_code(status_);
    }

private:
    bool was_asked_for_;
    bool unknown_ = false;
    bool stuck_ = false;  // some trace ends in a deadlock
    bool faults_ = false; // a trace that `check -o` wrote to show a fault has it
    bool fails_ = false;
    Status status_ = Status::success;
};

ExitCode run_command(RunOptions const& options, Terminal& terminal) {
    bool const json = options.format == RunFormat::json;
    if (options.format != RunFormat::text && options.steps) {
        complain(terminal, "--steps is for --format text", ErrorKind::usage);
        return bad_input;
    }
    auto source = read_or_complain(options.file, terminal);
    if (!source) return source.error();
    ProgramInput const input = examine(std::move(*source), Discipline::as_warnings);
    show(terminal, input.diagnostics, input.source);
    Json report = json ? envelope(input, options.buffering.value_or(Buffering::infinite)) : Json();
    if (!input.program) {
        if (json) terminal.out(dump(report));
        return refused(input.diagnostics);
    }
    auto const traces = select_traces(*input.program, input.source, options.trace, " to run", terminal);
    if (!traces) return traces.error();

    IndexedProgram const code(*input.program);
    Provenance const from = provenance_of(input.source.text());
    explain::ToldByPlaces const told(code, from.thread, !json && !options.names && from.is_recorded());
    std::vector<TraceEnding> const ends = trace_endings(input.source.text(), input.program->traces.size());
    Worst worst(options.trace.has_value());
    for (std::size_t t = traces->first; t < traces->last; ++t) {
        Buffering const buffering = ends[t].buffering_if(options.buffering);
        TraceRun r(code, buffering, t, options.prefix ? Extent::prefix : ends[t].extent());
        r.is_buffering_of_file = !options.buffering && buffering != Buffering::infinite;
        r.end = ends[t];
        r.execute();
        worst.add(r);
        switch (options.format) {
        case RunFormat::json: report["traces"].push_back(json_of(r)); break;
        case RunFormat::latex: print_latex(r, input.source, terminal); break;
        case RunFormat::text: print_text(r, terminal);
        }
        if (options.steps) print_steps(r, terminal);
    }
    if (json) terminal.out(dump(report));
    return worst.code();
}

} // namespace

void add_run(CommandLine& line) {
    auto const options = std::make_shared<RunOptions>();
    Command command =
        line.add("run", "Run the traces of a program on the reference machine, and report how each ended and why",
                 std::string(run_examples) + std::string(exit_codes_help));
    command.argument("FILE", options->file, file_help);
    command.trace(options->trace);
    command.buffering(options->buffering);
    command.flag(
        "--prefix", options->prefix,
        "A trace may stop early. Its status is the one reached so far. Default: only where the file's first comment "
        "says so, as those of `check -o` do; of others it is an error");
    command.flag("--steps", options->steps,
                 "Print the run rule by rule, under the paper's names. Only with --format text");
    command.flag("--names", options->names, names_help);
    static Choices<RunFormat> const formats{
        {"text", RunFormat::text}, {"json", RunFormat::json}, {"latex", RunFormat::latex}};
    command.choice("--format", options->format, formats, "latex: a table of the rules, for a paper. Default: text");
    command.color();
    command.action([options](Terminal& terminal) { return run_command(*options, terminal); });
}

} // namespace matchpoint::cli
