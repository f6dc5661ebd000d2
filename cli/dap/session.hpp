// A session of the Debug Adapter Protocol (docs/editors.md). It reads requests, answers them, and tells the client when
// the run stops. There is no semantics here: the stepper moves (executions/stepper.hpp), and the REPL answers in the
// console.
//
//   created -> initialized -> launched -> configured -> terminated
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/dap/breakpoints.hpp"
#include "cli/dap/client.hpp"
#include "cli/dap/inspector.hpp"
#include "cli/dap/runner.hpp"

namespace matchpoint::cli {

class DapSession {
public:
    /// The arguments have to outlive it.
    DapSession(Messages& messages, Terminal& terminal);
    ~DapSession();
    DapSession(DapSession const&) = delete;
    DapSession& operator=(DapSession const&) = delete;

    /// Until the client disconnects or its input ends. Throws OutputFailed.
    void run();

private:
    enum class Phase : std::uint8_t { created, initialized, launched, configured, terminated };
    struct Handler {
        std::string_view command;
        std::uint8_t phases; // in which it is in order, a bit for each
        Incoming (DapSession::*handle)(Parameters const& arguments);
    };
    /// A program that was launched.
    struct Launched {
        Launched(DapSession& session, LaunchOptions const& options);
        std::unique_ptr<Debuggee> debuggee;
        Breakpoints breakpoints;
        std::unique_ptr<Runner> runner; // once the schedule is planned
        Inspector inspector;
    };
    static std::vector<Handler> const& handlers();

    void answer(Messages::Message const& message);
    void handle(DapRequest const& request);
    Incoming body_of(DapRequest const& request);
    void go_on_behind_response();
    std::string out_of_order(std::string_view command) const;

    // session_start.cpp: the beginning and the end
    Incoming initialize(Parameters const& arguments);
    Incoming launch(Parameters const& arguments);
    Incoming attach(Parameters const& arguments);
    Incoming configuration_done(Parameters const& arguments);
    Incoming restart(Parameters const& arguments);
    Incoming terminate(Parameters const& arguments);
    Incoming disconnect(Parameters const& arguments);
    Incoming cancel(Parameters const& arguments);
    void load(LaunchOptions const& options);
    void say_loaded();
    void start();

    // session_moves.cpp: breakpoints and moves
    Incoming set_breakpoints(Parameters const& arguments);
    Incoming set_function_breakpoints(Parameters const& arguments);
    Incoming set_data_breakpoints(Parameters const& arguments);
    Incoming set_exception_breakpoints(Parameters const& arguments);
    Incoming data_breakpoint_info(Parameters const& arguments);
    Incoming breakpoint_locations(Parameters const& arguments);
    Incoming go_on(Parameters const& arguments);
    Incoming next(Parameters const& arguments);
    Incoming step_in(Parameters const& arguments);
    Incoming step_in_targets(Parameters const& arguments);
    Incoming step_out(Parameters const& arguments);
    Incoming step_back(Parameters const& arguments);
    Incoming reverse_continue(Parameters const& arguments);
    Incoming goto_targets(Parameters const& arguments);
    Incoming go_to(Parameters const& arguments);
    Incoming pause(Parameters const& arguments);
    Incoming exception_info(Parameters const& arguments);
    Stop moved(std::function<Stop()> const& move);
    Incoming forward(std::function<Stop()> const& move, bool goes_on = false);
    Incoming backward(std::function<Stop()> const& move);
    bool is_program(Parameters const& arguments) const;

    // session_looks.cpp: what the client looks at
    Incoming threads(Parameters const& arguments);
    Incoming stack_trace(Parameters const& arguments);
    Incoming scopes(Parameters const& arguments);
    Incoming variables(Parameters const& arguments);
    Incoming set_variable(Parameters const& arguments);
    Incoming evaluate(Parameters const& arguments);
    Incoming completions_of(Parameters const& arguments);
    Incoming loaded_sources(Parameters const& arguments);
    Incoming source_text(Parameters const& arguments);
    std::string typed(std::string const& line);
    Incoming source() const;

    // What the run does
    void stopped(Stop stop);
    void tell_stop();
    void ended();
    void say(std::string_view text) { client_.output("console", text); }

    std::uint32_t thread(Parameters const& arguments) const;
    static bool by_rule(Parameters const& arguments);

    Messages& messages_;
    DapClient client_;
    Phase phase_ = Phase::created;
    bool is_over_ = false;
    std::size_t first_line_ = 1;
    std::size_t first_column_ = 1;
    ExceptionFilters filters_;
    std::unique_ptr<Launched> launched_;
    LaunchOptions options_;
    Incoming asked_[3] = {Incoming::array(), Incoming::array(), Incoming::array()}; // breakpoints, by kind
    std::optional<Stop> stop_;                                                      // where the run is
    std::vector<Transition> targets_;
    std::vector<std::function<void()>> afterwards_; // what happens after the response, even if the request fails
};

} // namespace matchpoint::cli
