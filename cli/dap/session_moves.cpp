// Breakpoints and moves.

#include <algorithm>
#include <filesystem>

#include "cli/dap/session.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

// ---------------------------------------------------------------------------------------------------------------------
// Breakpoints

/// Whether a request is about the file of the program.
bool DapSession::is_program(Parameters const& arguments) const {
    Incoming const& given = arguments.need("source");
    if (!given.is_object()) bad_parameter("`source` has to be an object");
    std::string const path = text(Parameters(given.get_ref<Parameters::Object const&>()), "path");
    std::error_code ignored;
    return path == options_.program || std::filesystem::equivalent(path, options_.program, ignored);
}

Incoming DapSession::set_breakpoints(Parameters const& arguments) {
    Incoming const* const given = arguments.find("breakpoints");
    Incoming const asked = given == nullptr || given->is_null() ? Incoming::array() : *given;
    if (!asked.is_array()) bad_parameter("`breakpoints` has to be an array");
    if (!is_program(arguments)) {
        Incoming answers = Incoming::array();
        for (std::size_t i = 0; i < asked.size(); ++i)
            answers.push_back({{"verified", false}, {"message", "this file is not the program that runs"}});
        return {{"breakpoints", answers}};
    }
    Incoming answers = launched_->breakpoints.set(Breakpoints::Kind::line, asked);
    for (Incoming& b : answers)
        if (b["verified"] == true) b["source"] = source();
    asked_[static_cast<std::size_t>(Breakpoints::Kind::line)] = asked;
    return {{"breakpoints", answers}};
}

Incoming DapSession::set_function_breakpoints(Parameters const& arguments) {
    Incoming const& asked = arguments.need_array("breakpoints");
    Incoming answers = launched_->breakpoints.set(Breakpoints::Kind::name, asked);
    for (Incoming& b : answers)
        if (b["verified"] == true) b["source"] = source();
    asked_[static_cast<std::size_t>(Breakpoints::Kind::name)] = asked;
    return {{"breakpoints", answers}};
}

Incoming DapSession::set_data_breakpoints(Parameters const& arguments) {
    Incoming const& asked = arguments.need_array("breakpoints");
    Incoming answers = launched_->breakpoints.set(Breakpoints::Kind::data, asked);
    asked_[static_cast<std::size_t>(Breakpoints::Kind::data)] = asked;
    return {{"breakpoints", answers}};
}

/// A variable or a queue, by its name in the variables' view or as an expression.
Incoming DapSession::data_breakpoint_info(Parameters const& arguments) {
    std::string const& name = arguments.need_text("name");
    std::string expression = name;
    // "Q_s(0)", "Pnd_s(0)(2)": the second one is written Pnd_s(0,2) in expressions.
    if (std::size_t const middle = expression.find(")(");
        expression.substr(0, 5) == "Pnd_s" && middle != std::string::npos)
        expression.replace(middle, 2, ",");
    try {
        static_cast<void>(launched_->debuggee->repl.watched(expression));
    } catch (Refused const& e) {
        return {{"dataId", nullptr}, {"description", e.what()}};
    }
    return {{"dataId", expression},
            {"description", fmt::format("{} changes", expression)},
            {"accessTypes", {"write"}},
            {"canPersist", true}};
}

Incoming DapSession::set_exception_breakpoints(Parameters const& arguments) {
    ExceptionFilters filters{false, false, false, false};
    auto const turn_on = [&](Incoming const& name) {
        if (name == "failure")
            filters.failure = true;
        else if (name == "infeasible")
            filters.infeasible = true;
        else if (name == "fault")
            filters.fault = true;
        else if (name == "deadlock")
            filters.deadlock = true;
        else
            bad_parameter(fmt::format("{} is not one of failure, infeasible, fault, deadlock", to_text(name)));
    };
    for (Incoming const& name : arguments.need_array("filters")) turn_on(name);
    if (arguments.find("filterOptions") != nullptr)
        for (Incoming const& option : arguments.need_array("filterOptions")) {
            if (!option.is_object() || !option.contains("filterId")) bad_parameter("`filterOptions` need a `filterId`");
            turn_on(option["filterId"]);
        }
    filters_ = filters;
    return nullptr;
}

Incoming DapSession::breakpoint_locations(Parameters const& arguments) {
    Incoming places = Incoming::array();
    if (!is_program(arguments)) return {{"breakpoints", places}};
    std::size_t const line = need_whole(arguments, "line");
    auto const& d = *launched_->debuggee;
    for (Location const rho : d.places.on_lines(line, whole(arguments, "endLine").value_or(line))) {
        Places::Range const at = d.places.of(rho);
        places.push_back({{"line", at.begin.line},
                          {"column", at.begin.column},
                          {"endLine", at.end.line},
                          {"endColumn", at.end.column}});
    }
    return {{"breakpoints", places}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Moves

/// Where a move leads. A limit stops it: the state stays.
Stop DapSession::moved(std::function<Stop()> const& move) {
    try {
        return move();
    } catch (LimitReached const& e) {
        return launched_->runner->limit(e.what());
    } catch (std::bad_alloc const&) {
        return launched_->runner->limit("out of memory");
    }
}

/// A forward move at the end ends the session. An impossible move is refused; where a possible one leads is told after
/// the response.
Incoming DapSession::forward(std::function<Stop()> const& move, bool goes_on) {
    if (launched_->runner->at_end()) {
        afterwards_.emplace_back([this] { ended(); });
    } else if (goes_on) {
        afterwards_.emplace_back([this, move] { stopped(moved(move)); });
    } else {
        afterwards_.emplace_back([this, stop = moved(move)] { stopped(stop); });
    }
    return Incoming::object();
}

Incoming DapSession::backward(std::function<Stop()> const& move) {
    afterwards_.emplace_back([this, stop = moved(move)] { stopped(stop); });
    return Incoming::object();
}

Incoming DapSession::go_on(Parameters const& arguments) {
    static_cast<void>(thread(arguments));
    forward([this] { return launched_->runner->go_on(); }, true);
    return {{"allThreadsContinued", true}};
}

Incoming DapSession::next(Parameters const& arguments) {
    std::uint32_t const t = thread(arguments);
    bool const rule = by_rule(arguments);
    return forward([this, t, rule] { return rule ? launched_->runner->rule(t) : launched_->runner->next(t); });
}

Incoming DapSession::step_in(Parameters const& arguments) {
    std::uint32_t const t = thread(arguments);
    auto const target = whole(arguments, "targetId");
    if (!target) return forward([this, t] { return launched_->runner->rule(t); });
    if (*target == 0 || *target > targets_.size())
        throw RequestFailed{DapError::argument, fmt::format("there is no target {}", *target)};
    Transition const what = targets_[*target - 1];
    return forward([this, what] { return launched_->runner->choose(what); });
}

/// What can come next, in all threads: the choices of `matchpoint step`.
Incoming DapSession::step_in_targets(Parameters const& arguments) {
    static_cast<void>(need_whole(arguments, "frameId"));
    Debuggee& d = *launched_->debuggee;
    targets_.clear();
    Incoming targets = Incoming::array();
    for (Stepper::Choice const& c : d.stepper().choices()) {
        targets_.push_back(c.what);
        Incoming target{{"id", targets_.size()}, {"label", d.repl.choice_text(c.what)}};
        if (auto const* const t = std::get_if<Execute>(&c.what)) {
            Places::Range const at = d.places.of(t->rho);
            target["line"] = at.begin.line;
            target["column"] = at.begin.column;
            target["endLine"] = at.end.line;
            target["endColumn"] = at.end.column;
        }
        targets.push_back(std::move(target));
    }
    return {{"targets", targets}};
}

Incoming DapSession::step_out(Parameters const& arguments) {
    std::uint32_t const t = thread(arguments);
    bool const rule = by_rule(arguments);
    return forward([this, t, rule] { return rule ? launched_->runner->rule(t) : launched_->runner->out(t); });
}

Incoming DapSession::step_back(Parameters const& arguments) {
    std::uint32_t const t = thread(arguments);
    bool const rule = by_rule(arguments);
    return backward([this, t, rule] { return rule ? launched_->runner->back_rule() : launched_->runner->back(t); });
}

Incoming DapSession::reverse_continue(Parameters const& arguments) {
    static_cast<void>(thread(arguments));
    return backward([this] { return launched_->runner->back_on(); });
}

/// The steps of the plan, past and future, that run a command on a line. A target's id is its step, from 1.
Incoming DapSession::goto_targets(Parameters const& arguments) {
    Incoming targets = Incoming::array();
    if (!is_program(arguments)) return {{"targets", targets}};
    Debuggee& d = *launched_->debuggee;
    auto const wanted = d.places.stops(need_whole(arguments, "line"), whole(arguments, "column"));
    Schedule const& plan = d.stepper().plan();
    for (std::size_t i = 0; i < plan.size(); ++i) {
        Location const rho = plan.entry(i).rho;
        if (!std::binary_search(wanted.begin(), wanted.end(), rho)) continue;
        Places::Range const at = d.places.of(rho);
        targets.push_back({{"id", i + 1},
                           {"label", fmt::format("step {}, before {}", i, shown(d.code, rho))},
                           {"line", at.begin.line},
                           {"column", at.begin.column},
                           {"endLine", at.end.line},
                           {"endColumn", at.end.column}});
    }
    return {{"targets", targets}};
}

Incoming DapSession::go_to(Parameters const& arguments) {
    static_cast<void>(thread(arguments));
    std::size_t const target = need_whole(arguments, "targetId");
    if (target == 0 || target > launched_->debuggee->stepper().plan().size())
        throw RequestFailed{DapError::argument, fmt::format("there is no target {}", target)};
    return backward([this, target] { return launched_->runner->jump(target - 1); });
}

/// A move that was going on has ended for it. If it was too late, the client is told again why the run has stopped.
Incoming DapSession::pause(Parameters const&) {
    afterwards_.emplace_back([this] {
        if (stop_) tell_stop();
    });
    return nullptr;
}

Incoming DapSession::exception_info(Parameters const& arguments) {
    static_cast<void>(thread(arguments));
    if (!stop_ || stop_->exception.empty())
        throw RequestFailed{DapError::order, "the run has not stopped for an exception"};
    return {{"exceptionId", stop_->exception},
            {"description", stop_->description + ": " + stop_->text},
            {"breakMode", "always"},
            {"details", {{"message", stop_->text}, {"typeName", stop_->exception}}}};
}

} // namespace matchpoint::cli
