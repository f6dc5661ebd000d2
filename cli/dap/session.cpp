#include "cli/dap/session.hpp"

#include <algorithm>
#include <new>

#include "base/nearest_name.hpp"
#include "cli/repl/aside.hpp"

namespace matchpoint::cli {

DapSession::DapSession(Messages& messages, Terminal& terminal) : messages_(messages), client_(terminal) {
    // A search ends when the client wants the session to.
    also_interrupted_by([this] { return messages_.want_stop(); });
}

DapSession::~DapSession() { also_interrupted_by({}); }

DapSession::Launched::Launched(DapSession& session, LaunchOptions const& options)
    : debuggee(Debuggee::load(options)),
      breakpoints(*debuggee,
                  [&session](std::string const& text, std::optional<Location> rho) {
                      Incoming where = Incoming::object();
                      if (rho) {
                          auto const at = session.launched_->debuggee->places.of(*rho).begin;
                          where = {{"source", session.source()}, {"line", at.line}, {"column", at.column}};
                      }
                      session.client_.output("console", text + '\n', std::move(where));
                  }),
      inspector(*debuggee) {}

std::vector<DapSession::Handler> const& DapSession::handlers() {
    constexpr auto in = [](auto... phases) {
        return static_cast<std::uint8_t>((0U | ... | (1U << static_cast<unsigned>(phases))));
    };
    using enum Phase;
    static constexpr std::uint8_t loaded = in(launched, configured, terminated);
    static constexpr std::uint8_t stopped = in(configured);
    static constexpr std::uint8_t any = in(created, initialized, launched, configured, terminated);
    static std::vector<Handler> const all{
        {"initialize", in(created), &DapSession::initialize},
        {"launch", in(initialized), &DapSession::launch},
        {"attach", in(initialized), &DapSession::attach},
        {"setBreakpoints", loaded, &DapSession::set_breakpoints},
        {"setFunctionBreakpoints", loaded, &DapSession::set_function_breakpoints},
        {"setDataBreakpoints", loaded, &DapSession::set_data_breakpoints},
        {"setExceptionBreakpoints", loaded, &DapSession::set_exception_breakpoints},
        {"breakpointLocations", loaded, &DapSession::breakpoint_locations},
        {"dataBreakpointInfo", loaded, &DapSession::data_breakpoint_info},
        {"configurationDone", in(launched), &DapSession::configuration_done},
        {"threads", loaded, &DapSession::threads},
        {"stackTrace", stopped, &DapSession::stack_trace},
        {"scopes", stopped, &DapSession::scopes},
        {"variables", stopped, &DapSession::variables},
        {"setVariable", stopped, &DapSession::set_variable},
        {"evaluate", stopped, &DapSession::evaluate},
        {"completions", stopped, &DapSession::completions_of},
        {"loadedSources", loaded, &DapSession::loaded_sources},
        {"source", loaded, &DapSession::source_text},
        {"continue", stopped, &DapSession::go_on},
        {"next", stopped, &DapSession::next},
        {"stepIn", stopped, &DapSession::step_in},
        {"stepInTargets", stopped, &DapSession::step_in_targets},
        {"stepOut", stopped, &DapSession::step_out},
        {"stepBack", stopped, &DapSession::step_back},
        {"reverseContinue", stopped, &DapSession::reverse_continue},
        {"gotoTargets", stopped, &DapSession::goto_targets},
        {"goto", stopped, &DapSession::go_to},
        {"pause", stopped, &DapSession::pause},
        {"exceptionInfo", stopped, &DapSession::exception_info},
        {"restart", loaded, &DapSession::restart},
        {"terminate", loaded, &DapSession::terminate},
        {"disconnect", any, &DapSession::disconnect},
        {"cancel", any, &DapSession::cancel},
    };
    return all;
}

// ---------------------------------------------------------------------------------------------------------------------
// Requests

void DapSession::run() {
    while (!is_over_) {
        auto const message = messages_.take();
        if (!message) break;
        answer(*message);
    }
}

void DapSession::answer(Messages::Message const& message) {
    DapRequest request;
    std::string wrong = message.malformed;
    Incoming const& content = message.content;
    auto const member = [&](char const* key) -> Incoming const* {
        if (!content.is_object()) return nullptr;
        auto const it = content.find(key);
        return it == content.end() ? nullptr : &*it;
    };
    if (Incoming const* const seq = member("seq"); seq != nullptr && seq->is_number_integer())
        request.seq = seq->get<std::int64_t>();
    else if (wrong.empty())
        wrong = "a message without `seq`, a whole number";
    Incoming const* const type = member("type");
    if (wrong.empty() && type != nullptr && *type == "response") return; // we ask nothing
    if (Incoming const* const command = member("command"); command != nullptr && command->is_string())
        request.command = command->get<std::string>();
    else if (wrong.empty())
        wrong = "a message without `command`, a string";
    if (wrong.empty() && (type == nullptr || *type != "request")) wrong = "the message is not a request";
    if (Incoming const* const arguments = member("arguments"); arguments != nullptr && !arguments->is_null()) {
        if (arguments->is_object())
            request.arguments = *arguments;
        else if (wrong.empty())
            wrong = "`arguments` has to be an object";
    }
    if (!wrong.empty()) return client_.fail(request, {DapError::malformed, wrong});
    handle(request);
}

std::string DapSession::out_of_order(std::string_view command) const {
    switch (phase_) {
    case Phase::created: return fmt::format("`{}`: first comes `initialize`", command);
    case Phase::initialized:
        return command == "initialize" ? "`initialize` has been done"
                                       : fmt::format("`{}`: first comes `launch`", command);
    case Phase::launched:
        return command == "initialize" || command == "launch" || command == "attach"
                   ? fmt::format("`{}` has been done", command)
                   : fmt::format("`{}`: first comes `configurationDone`", command);
    case Phase::configured: return fmt::format("`{}` has been done", command);
    case Phase::terminated: break;
    }
    return fmt::format("`{}`: the session has ended", command);
}

/// Throws whatever keeps the request from being done.
Incoming DapSession::body_of(DapRequest const& request) {
    auto const it = std::find_if(handlers().begin(), handlers().end(),
                                 [&](Handler const& h) { return h.command == request.command; });
    if (it == handlers().end()) {
        std::vector<std::string_view> known;
        for (Handler const& h : handlers()) known.push_back(h.command);
        throw RequestFailed{DapError::unknown, fmt::format("there is no request `{}`{}", printable(request.command),
                                                           did_you_mean(request.command, known))};
    }
    if ((it->phases & (1U << static_cast<unsigned>(phase_))) == 0)
        throw RequestFailed{DapError::order, out_of_order(request.command)};
    return (this->*it->handle)(Parameters(request.arguments.get_ref<Parameters::Object const&>()));
}

/// One response, and then what follows from it.
void DapSession::handle(DapRequest const& request) {
    afterwards_.clear();
    try {
        client_.respond(request, body_of(request));
    } catch (RequestFailed const& e) {
        client_.fail(request, e);
    } catch (RequestError const& e) {
        client_.fail(request, {DapError::argument, e.message});
    } catch (Refused const& e) {
        client_.fail(request, {DapError::refused, e.what()});
    } catch (LimitReached const& e) {
        client_.fail(request, {DapError::limit, fmt::format("limit reached: {}", e.what())});
    } catch (std::bad_alloc const&) {
        client_.fail(request, {DapError::limit, "limit reached: out of memory"});
    } catch (OutputFailed const&) {
        throw;
    } catch (std::exception const& e) {
        client_.fail(request, {DapError::internal, fmt::format("internal error, a bug in matchpoint: {}", e.what())});
    }
    go_on_behind_response();
}

/// The request has its response: what goes wrong here stops the run.
void DapSession::go_on_behind_response() {
    try {
        for (auto const& then : std::exchange(afterwards_, {})) then();
    } catch (LimitReached const& e) {
        stopped(launched_->runner->limit(e.what()));
    } catch (std::bad_alloc const&) {
        stopped(launched_->runner->limit("out of memory"));
    } catch (OutputFailed const&) {
        throw;
    } catch (std::exception const& e) {
        client_.output("important", fmt::format("internal error, a bug in matchpoint: {}\n", e.what()));
        client_.event("terminated");
        phase_ = Phase::terminated;
    }
}

std::uint32_t DapSession::thread(Parameters const& arguments) const {
    std::size_t const id = need_whole(arguments, "threadId");
    std::size_t const count = launched_->debuggee->code.ctp().threads.size();
    if (id == 0 || id > count)
        throw RequestFailed{DapError::argument,
                            fmt::format("there is no thread with id {}: they are 1 to {}", id, count)};
    return static_cast<std::uint32_t>(id - 1);
}

bool DapSession::by_rule(Parameters const& arguments) { return text(arguments, "granularity") == "instruction"; }

// ---------------------------------------------------------------------------------------------------------------------
// What the run does

/// Tells the client why and where the run has stopped.
void DapSession::stopped(Stop stop) {
    Launched& l = *launched_;
    say(l.runner->narration());
    say(l.debuggee->said());
    l.inspector.forget();
    targets_.clear();
    if (!stop.thread) stop.thread = stop_ ? stop_->thread : l.runner->thread_in_focus();
    bool const shows = stop.reason == "exception" || l.debuggee->options.stop_at_end;
    stop_ = std::move(stop);
    if (!stop_->thread || (stop_->is_end && !shows) || l.debuggee->options.no_debug) return ended();
    std::string said = stop_->description;
    if (!stop_->text.empty()) said += (said.empty() ? "" : ": ") + stop_->text;
    if (stop_->is_end || !stop_->exception.empty())
        client_.output(stop_->exception.empty() ? "console" : "important", said + '\n');
    tell_stop();
}

/// The event for where the run is.
void DapSession::tell_stop() {
    Incoming body{{"reason", stop_->reason}, {"threadId", *stop_->thread + 1}, {"allThreadsStopped", true}};
    if (!stop_->description.empty()) body["description"] = stop_->description;
    if (!stop_->text.empty()) body["text"] = stop_->text;
    if (!stop_->breakpoints.empty()) body["hitBreakpointIds"] = stop_->breakpoints;
    client_.event("stopped", std::move(body));
}

/// The run has ended, and so has the session.
void DapSession::ended() {
    Debuggee& debuggee = *launched_->debuggee;
    if (stop_ && !stop_->description.empty() && (stop_->is_end || !stop_->exception.empty()) &&
        debuggee.options.no_debug)
        say(stop_->description + '\n' + (stop_->text.empty() ? "" : stop_->text + '\n'));
    client_.event("exited", {{"exitCode", static_cast<int>(exit_code_of(debuggee))}});
    client_.event("terminated");
    phase_ = Phase::terminated;
}

} // namespace matchpoint::cli
