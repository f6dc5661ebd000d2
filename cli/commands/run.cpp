#include <algorithm>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "cli/program_input.hpp"
#include "grammar/discipline.hpp"
#include "grammar/print.hpp"
#include "machine/machine.hpp"
#include "machine/well_formed.hpp"
#include "report/json.hpp"
#include "report/narrate.hpp"
#include "report/replay.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

namespace {

/// A trace that was run, or why it was not run to its end.
struct TraceRun {
    std::size_t number; // from 1
    Machine machine;
    Findings findings;
    Outcome outcome;
    WellFormedness well_formed;
    std::string limit; // not empty: a limit was reached, and there is no outcome

    TraceRun(IndexedProgram const& code, Buffering buffering, std::size_t t)
        : number(t + 1), machine(code, buffering), findings(code) {
        machine.observe(findings);
    }

    void execute() {
        try {
            outcome = run(machine, number - 1);
            well_formed = well_formedness(machine.code(), machine.state());
        } catch (LimitReached const& e) {
            limit = e.what();
        }
    }
};

// ---------------------------------------------------------------------------------------------------------------------
// Text

char const* color_of(Status s) {
    switch (s) {
    case Status::success: return "1;32";
    case Status::failure: return "1;31";
    case Status::infeasible: return "1;33";
    case Status::error: break;
    }
    return "1;35";
}

std::string verdict(TraceRun const& r, Terminal const& terminal) {
    if (!r.limit.empty()) return fmt::format("{} (limit reached)", terminal.paint("1;35", "unknown"));
    std::string const status = terminal.paint(color_of(r.outcome.s), to_string(r.outcome.s));
    if (r.outcome.error) return fmt::format("{} ({})", status, to_string(r.outcome.error->stuck.reason));
    return fmt::format("{} ({})", status, r.well_formed ? "well-formed" : "not well-formed");
}

void print_error(TraceRun const& r, Terminal& terminal) {
    IndexedProgram const& code = r.machine.code();
    RunError const& e = *r.outcome.error;
    if (!e.rho)
        terminal.out(
            fmt::format("  at the end of the trace, which has {} entr{}\n", e.entry, e.entry == 1 ? "y" : "ies"));
    else if (code.has(*e.rho))
        terminal.out(fmt::format("  at entry {}, location {}, thread {}: {}\n", e.entry, shown(code, *e.rho),
                                 code.thread_of(*e.rho), shown(code, code.command_at(*e.rho))));
    else
        terminal.out(fmt::format("  at entry {}, location {}\n", e.entry, shown(code, *e.rho)));
    terminal.out(
        fmt::format("  rule {}: {}\n", to_string(e.stuck.rule), explain(code, r.machine.state(), e.stuck.reason)));
}

void print_text(TraceRun const& r, Terminal& terminal) {
    IndexedProgram const& code = r.machine.code();
    terminal.out(fmt::format("trace {}: {}\n", r.number, verdict(r, terminal)));
    if (!r.limit.empty()) {
        terminal.out(fmt::format("  at entry {}: {}\n", r.machine.state().trace, r.limit));
        return;
    }
    terminal.out(shown_findings(code, r.findings));
    if (auto const matches = match_set(code, r.machine.state()); !matches.empty())
        terminal.out(fmt::format("  matches: {}\n", explain(code, matches)));
    if (r.outcome.error) {
        print_error(r, terminal);
        return;
    }
    WellFormedness const& w = r.well_formed;
    if (!w.in_transit.empty())
        terminal.out(fmt::format("  orphans, sent but never delivered: {}\n", explain(code, w.in_transit)));
    if (!w.delivered.empty())
        terminal.out(fmt::format("  orphans, delivered but never received: {}\n", explain(code, w.delivered)));
    if (!w.without_message.empty())
        terminal.out(fmt::format("  receives that nothing completed: {}\n", explain(code, w.without_message)));
}

/// The verdict comes first, so the run is told in a second one.
void print_steps(TraceRun const& r, Terminal& terminal) {
    Narrator narrator(r.machine.code(), [&](std::string_view line) { terminal.out(line); });
    TraceRun again(r.machine.code(), r.machine.buffering(), r.number - 1);
    again.machine.observe(narrator);
    again.execute();
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON (docs/formats.md; docs/schema/run.schema.json)

Json names_of(IndexedProgram const& code, std::vector<Action> const& actions) {
    Json result = Json::array();
    for (Action const a : actions) result.push_back(code.names()(a));
    return result;
}

Json json_of(IndexedProgram const& code, std::vector<Finding> const& findings) {
    Json result = Json::array();
    for (Finding const& f : findings) {
        Json values = Json::object();
        for (auto const& [x, v] : f.values) values[std::string(code.names()(x))] = to_json(v);
        result.push_back({{"entry", f.entry},
                          {"location", code.names()(f.rho)},
                          {"command", print(code.program(), code.command_at(f.rho))},
                          {"values", std::move(values)}});
    }
    return result;
}

Json store_of(IndexedProgram const& code, State const& state) {
    std::vector<std::pair<std::string_view, Value const*>> values;
    for (std::uint32_t x = 0; x < state.h.size(); ++x)
        if (!state.h[x].is_bot()) values.emplace_back(code.names()(Variable{x}), &state.h[x]);
    std::sort(values.begin(), values.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    // Appending: ordered_json looks for a key among all before it adds one, which is quadratic for a large store.
    Json::object_t object;
    object.reserve(values.size());
    for (auto const& [name, v] : values)
        static_cast<std::vector<Json::object_t::value_type>&>(object).emplace_back(std::string(name), to_json(*v));
    return object;
}

Json json_of(TraceRun const& r) {
    IndexedProgram const& code = r.machine.code();
    State const& state = r.machine.state();
    Json json;
    json["trace"] = r.number;
    json["status"] = r.limit.empty() ? to_string(r.outcome.s) : "unknown";
    json["well_formed"] = r.limit.empty() && static_cast<bool>(r.well_formed);
    json["steps"] = state.trace;
    Json& matches = json["matches"] = Json::array();
    for (auto const& [a_r, a_s] : match_set(code, state))
        matches.push_back({{"receive", code.names()(a_r)}, {"send", code.names()(a_s)}});
    json["store"] = store_of(code, state);
    json["failed_assertions"] = json_of(code, r.findings.assertions());
    json["failed_assumptions"] = json_of(code, r.findings.assumptions());
    json["orphans"] = {{"in_transit", names_of(code, r.well_formed.in_transit)},
                       {"delivered", names_of(code, r.well_formed.delivered)}};
    json["receives_without_message"] = names_of(code, r.well_formed.without_message);
    json["error"] = nullptr;
    if (r.outcome.error) {
        RunError const& e = *r.outcome.error;
        json["error"] = {{"entry", e.entry},
                         {"location", e.rho ? Json(code.names()(*e.rho)) : Json(nullptr)},
                         {"rule", to_string(e.stuck.rule)},
                         {"reason", to_string(e.stuck.reason)},
                         {"message", explain(code, state, e.stuck.reason)}};
    }
    json["limit"] = r.limit.empty() ? Json(nullptr) : Json(r.limit);
    return json;
}

Json envelope(Source const& source, Buffering buffering, Diagnostics const& diagnostics) {
    Json json;
    json["schema"] = {{"name", "matchpoint.run"}, {"version", 1}};
    json["file"] = source.name();
    json["sha256"] = sha256(source.text());
    json["buffering"] = to_string(buffering);
    json["diagnostics"] = to_json(diagnostics, source);
    json["traces"] = Json::array();
    return json;
}

// ---------------------------------------------------------------------------------------------------------------------

ExitCode exit_code(Status s) {
    switch (s) {
    case Status::success: return holds;
    case Status::failure: return failure;
    case Status::infeasible: return infeasible;
    case Status::error: break;
    }
    return error;
}

/// The worst of several traces. One of unknown outcome could be anything up to an error.
class Worst {
public:
    void add(TraceRun const& r) {
        if (!r.limit.empty())
            unknown_ = true;
        else
            status_ = std::max(status_, r.outcome.s);
    }
    ExitCode code() const { return unknown_ && status_ < Status::error ? unknown : exit_code(status_); }

private:
    bool unknown_ = false;
    Status status_ = Status::success;
};

} // namespace

ExitCode run_command(RunOptions const& options, Terminal& terminal) {
    bool const json = options.format == Format::json;
    if (json && options.steps) {
        complain(terminal, "--steps is for --format text");
        return bad_input;
    }
    auto const source = read_source(options.file);
    if (!source) {
        complain(terminal, source.error());
        return bad_input;
    }
    auto const program = parse(*source);
    Diagnostics const diagnostics = program ? check_discipline(*program, &*source) : program.error();
    show(terminal, diagnostics, *source);
    Json report = json ? envelope(*source, options.buffering, diagnostics) : Json();
    if (!program) {
        if (json) terminal.out(dump(report));
        return refused(diagnostics);
    }

    std::size_t const count = program->traces.size();
    if (count == 0 || options.trace.value_or(1) > count) {
        std::string const name = printable(source->name(), 4096);
        complain(terminal,
                 count == 0
                     ? fmt::format("{} has no trace to run: traces stand behind the program, in the same file", name)
                     : fmt::format("{} has no trace {}: it has {}", name, *options.trace, count));
        return bad_input;
    }
    std::size_t const first = options.trace.value_or(1) - 1;
    std::size_t const last = options.trace.value_or(count);

    IndexedProgram const code(*program);
    Worst worst;
    for (std::size_t t = first; t < last; ++t) {
        TraceRun r(code, options.buffering, t);
        r.execute();
        worst.add(r);
        if (json)
            report["traces"].push_back(json_of(r));
        else
            print_text(r, terminal);
        if (options.steps) print_steps(r, terminal);
    }
    if (json) terminal.out(dump(report));
    return worst.code();
}

} // namespace matchpoint::cli
