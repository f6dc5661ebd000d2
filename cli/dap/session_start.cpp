// The beginning and the end of a session.

#include "cli/dap/session.hpp"

namespace matchpoint::cli {

namespace {

Incoming exception_filters() {
    auto const filter = [](std::string_view name, std::string_view label, std::string_view description, bool is_on) {
        return Incoming{{"filter", name}, {"label", label}, {"description", description}, {"default", is_on}};
    };
    ExceptionFilters const usual;
    return {filter("failure", "Failed assertions", "Stop when an assertion does not hold", usual.failure),
            filter("infeasible", "False assumptions", "Stop when an assumption does not hold: the run leaves the path",
                   usual.infeasible),
            filter("fault", "Faults", "Stop when no rule applies, for example at a division by zero", usual.fault),
            filter("deadlock", "Deadlocks", "Stop when every thread waits, and say what for", usual.deadlock)};
}

} // namespace

Incoming DapSession::initialize(Parameters const& arguments) {
    std::string const format = text(arguments, "pathFormat");
    if (!format.empty() && format != "path") bad_parameter("`pathFormat` has to be `path`");
    first_line_ = arguments.flag("linesStartAt1", true) ? 1 : 0;
    first_column_ = arguments.flag("columnsStartAt1", true) ? 1 : 0;
    phase_ = Phase::initialized;
    Incoming capabilities = Incoming::object();
    for (char const* const name :
         {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints", "supportsConditionalBreakpoints",
          "supportsHitConditionalBreakpoints", "supportsEvaluateForHovers", "supportsStepBack", "supportsSetVariable",
          "supportsGotoTargetsRequest", "supportsStepInTargetsRequest", "supportsCompletionsRequest",
          "supportsRestartRequest", "supportsExceptionInfoRequest", "supportsLoadedSourcesRequest", "supportsLogPoints",
          "supportsTerminateRequest", "supportsDataBreakpoints", "supportsCancelRequest",
          "supportsBreakpointLocationsRequest", "supportsSteppingGranularity"})
        capabilities[name] = true;
    capabilities["completionTriggerCharacters"] = {" ", "(", ","};
    capabilities["exceptionBreakpointFilters"] = exception_filters();
    return capabilities;
}

Incoming DapSession::attach(Parameters const&) {
    throw RequestFailed{DapError::refused, "there is no running program to attach to: use `launch`"};
}

/// Reads the program and plans its schedule. If that fails, what was launched before stays.
void DapSession::load(LaunchOptions const& options) {
    auto loaded = std::make_unique<Launched>(*this, options);
    loaded->debuggee->places.count_from(first_line_, first_column_);
    loaded->debuggee->begin();
    loaded->runner = std::make_unique<Runner>(*loaded->debuggee, loaded->breakpoints, filters_,
                                              [this] { return messages_.want_stop(); });
    options_ = options;
    launched_ = std::move(loaded);
    stop_.reset();
}

/// The warnings of the file, and what came of the search for a schedule.
void DapSession::say_loaded() {
    Debuggee& d = *launched_->debuggee;
    if (!d.diagnostics.empty()) client_.output("stderr", render(d.diagnostics, d.loaded.source()));
    say(d.said());
}

Incoming DapSession::launch(Parameters const& arguments) {
    load(LaunchOptions::from(arguments));
    phase_ = Phase::launched;
    afterwards_.emplace_back([this] {
        say_loaded();
        client_.event("initialized");
        client_.event("loadedSource", {{"reason", "new"}, {"source", source()}});
    });
    return nullptr;
}

Incoming DapSession::configuration_done(Parameters const&) {
    phase_ = Phase::configured;
    afterwards_.emplace_back([this] { start(); });
    return nullptr;
}

/// Stops at the beginning, or runs.
void DapSession::start() {
    stopped(moved([this] {
        Runner& runner = *launched_->runner;
        if (options_.stop_on_entry && !options_.no_debug && !runner.at_end())
            return runner.here("entry", "at the beginning");
        return runner.go_on(true);
    }));
}

/// The program once more, as the file is now.
Incoming DapSession::restart(Parameters const& arguments) {
    LaunchOptions options = options_;
    // The client may have changed the configuration.
    if (Incoming const* const given = arguments.find("arguments"); given != nullptr && given->is_object())
        options = LaunchOptions::from(Parameters(given->get_ref<Parameters::Object const&>()));
    load(options);
    afterwards_.emplace_back([this] { say_loaded(); });
    for (auto const kind : {Breakpoints::Kind::line, Breakpoints::Kind::name, Breakpoints::Kind::data})
        for (Incoming& b : launched_->breakpoints.set(kind, asked_[static_cast<std::size_t>(kind)]))
            afterwards_.emplace_back([this, b] {
                Incoming changed = b;
                if (changed["verified"] == true && changed.contains("line")) changed["source"] = source();
                client_.event("breakpoint", {{"reason", "changed"}, {"breakpoint", changed}});
            });
    if (phase_ == Phase::terminated) phase_ = Phase::configured;
    if (phase_ == Phase::configured) afterwards_.emplace_back([this] { start(); });
    return nullptr;
}

Incoming DapSession::terminate(Parameters const&) {
    if (phase_ != Phase::terminated) afterwards_.emplace_back([this] { client_.event("terminated"); });
    phase_ = Phase::terminated;
    return nullptr;
}

Incoming DapSession::disconnect(Parameters const&) {
    is_over_ = true;
    return nullptr;
}

/// What was in work has seen it already.
Incoming DapSession::cancel(Parameters const&) { return nullptr; }

} // namespace matchpoint::cli
