#include "cli/dap/debuggee.hpp"

#include <filesystem>

#include "cli/dap/client.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

namespace {

/// In full: breakpoints and frames name the file so. Throws RequestError.
std::string program_path(std::string const& given) {
    if (given.empty()) bad_parameter("`program` is empty");
    if (given == "-") bad_parameter("`program` has to be a file: standard input has the protocol");
    std::error_code failed;
    auto const path = std::filesystem::absolute(given, failed);
    return failed ? given : path.lexically_normal().string();
}

} // namespace

LaunchOptions LaunchOptions::from(Parameters const& arguments) {
    LaunchOptions o;
    o.program = program_path(arguments.need_text("program"));
    o.schedule = arguments.choice<Schedule>("schedule", {{"automatic", Schedule::automatic},
                                                         {"trace", Schedule::trace},
                                                         {"choose", Schedule::choose},
                                                         {"first-failure", Schedule::first_failure},
                                                         {"first-deadlock", Schedule::first_deadlock},
                                                         {"first-fault", Schedule::first_fault}});
    if (arguments.find("buffering") != nullptr)
        o.buffering =
            arguments.choice<Buffering>("buffering", {{"infinite", Buffering::infinite}, {"zero", Buffering::zero}});
    o.trace = whole(arguments, "trace");
    if (o.trace == 0) bad_parameter("`trace` counts from 1");
    if (o.trace && o.schedule != Schedule::trace && o.schedule != Schedule::automatic)
        bad_parameter("`trace` goes with the schedule `trace` only");
    o.seed = whole(arguments, "seed");
    o.timeout = whole(arguments, "timeout");
    o.stop_on_entry = arguments.flag("stopOnEntry", true);
    o.stop_at_end = arguments.flag("stopAtEnd", true);
    o.narrate = arguments.flag("narrate", true);
    o.no_debug = arguments.flag("noDebug", false);
    return o;
}

std::unique_ptr<Debuggee> Debuggee::load(LaunchOptions const& options) {
    auto source = read_source(options.program);
    if (!source) throw RequestFailed{DapError::program, source.error()};
    ProgramInput input = examine(std::move(*source), Discipline::as_warnings);
    if (has_error(input.diagnostics)) throw RequestFailed{DapError::program, render(input.diagnostics, input.source)};
    return std::make_unique<Debuggee>(options, std::move(input));
}

Debuggee::Debuggee(LaunchOptions o, ProgramInput read)
    : options(std::move(o)), diagnostics(read.diagnostics), loaded(options.program, std::move(read)),
      code(loaded.code()), places(loaded.source(), code), terminal_([this](std::string_view text) { said_ += text; }),
      repl(loaded, buffering(), terminal_) {
    if (!options.buffering) repl.take_buffering_of_traces();
}

/// That of the trace that is followed, unless another was asked for.
Buffering Debuggee::buffering() const {
    std::size_t const traces = code.program().traces.size();
    std::size_t const trace = options.trace.value_or(1);
    bool const follows =
        options.schedule == LaunchOptions::Schedule::automatic || options.schedule == LaunchOptions::Schedule::trace;
    if (!follows || trace > traces) return options.buffering.value_or(Buffering::infinite);
    return trace_endings(loaded.source().text(), traces)[trace - 1].buffering_if(options.buffering);
}

std::optional<Location> Debuggee::at(std::uint32_t thread) {
    Location const rho{state().ctp[thread]};
    if (rho.index == code.ctp().threads[thread].last) return std::nullopt;
    return rho;
}

void Debuggee::begin() {
    using enum LaunchOptions::Schedule;
    std::size_t const traces = code.program().traces.size();
    try {
        if (options.timeout) repl.limit_searches(*options.timeout);
        switch (options.schedule) {
        case automatic:
        case trace:
            if (traces == 0 && options.schedule == automatic && !options.trace) return;
            if (traces == 0) throw Refused("the file has no trace: `\"schedule\": \"choose\"` needs none");
            if (options.trace.value_or(1) > traces)
                throw Refused(fmt::format("there is no trace {}: there are {}, from 1", *options.trace, traces));
            return repl.begin(options.trace.value_or(1) - 1);
        case choose: return;
        case first_failure: return search(Goal::Kind::failure, "failure");
        case first_deadlock: return search(Goal::Kind::deadlock, "deadlock");
        case first_fault: return search(Goal::Kind::fault, "fault");
        }
    } catch (Refused const& e) {
        throw RequestFailed{DapError::program, e.what()};
    }
}

/// Plans a way to a goal. Throws Refused if there is none.
void Debuggee::search(Goal::Kind goal, std::string_view name) {
    std::string why = repl.plan_way_to(goal).text;
    if (stepper().has_next() || stepper().choices().empty()) return;
    said_.clear();
    why.erase(why.find_last_not_of('\n') + 1);
    throw Refused(fmt::format("search for a {}: {}", name, why));
}

} // namespace matchpoint::cli
