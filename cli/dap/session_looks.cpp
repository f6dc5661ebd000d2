// What the client looks at.

#include <exception>
#include <filesystem>

#include "cli/dap/console.hpp"
#include "cli/dap/session.hpp"

namespace matchpoint::cli {

Incoming DapSession::source() const {
    return {{"name", std::filesystem::path(options_.program).filename().string()}, {"path", options_.program}};
}

Incoming DapSession::threads(Parameters const&) { return {{"threads", launched_->inspector.threads()}}; }

Incoming DapSession::stack_trace(Parameters const& arguments) {
    std::uint32_t const t = thread(arguments);
    Incoming frames = Incoming::array();
    if (whole(arguments, "startFrame").value_or(0) == 0) frames.push_back(launched_->inspector.frame(t, source()));
    return {{"stackFrames", frames}, {"totalFrames", 1}};
}

Incoming DapSession::scopes(Parameters const& arguments) {
    std::size_t const frame = need_whole(arguments, "frameId");
    if (frame == 0 || frame > launched_->debuggee->code.ctp().threads.size())
        throw RequestFailed{DapError::argument, fmt::format("there is no frame {}", frame)};
    return {{"scopes", launched_->inspector.scopes(static_cast<std::uint32_t>(frame - 1))}};
}

Incoming DapSession::variables(Parameters const& arguments) {
    return {{"variables", launched_->inspector.variables(need_whole(arguments, "variablesReference"),
                                                         whole(arguments, "start").value_or(0),
                                                         whole(arguments, "count").value_or(0))}};
}

/// `set variable`: what follows is not a run of the program, and the response's side effect says so in the console.
Incoming DapSession::set_variable(Parameters const& arguments) {
    std::string const& name = arguments.need_text("name");
    std::string const& value = arguments.need_text("value");
    if (!launched_->debuggee->code.names().variables.find(name))
        throw RequestFailed{DapError::refused, fmt::format("`{}` is not a variable of the program", printable(name))};
    std::string const said = typed(fmt::format("set variable {} = {}", name, value));
    afterwards_.insert(afterwards_.begin(), [this, said] { say(said + '\n'); });
    return {{"value", launched_->debuggee->repl.watched(name)()}};
}

Incoming DapSession::evaluate(Parameters const& arguments) {
    std::string const& line = arguments.need_text("expression");
    std::string const context = text(arguments, "context");
    std::string result;
    if (context == "repl") {
        result = typed(line);
    } else {
        try {
            result =
                context == "hover" ? launched_->inspector.hovered(line) : launched_->debuggee->repl.watched(line)();
        } catch (Refused const& e) {
            // Pointers hover over anything.
            throw RequestFailed{DapError::refused, e.what(), false};
        }
    }
    return {{"result", result}, {"variablesReference", 0}};
}

/// A line of the console. If it moves the run, the client is told.
std::string DapSession::typed(std::string const& given) {
    std::size_t const first = given.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return {};
    std::string const line = given.substr(first, given.find_last_not_of(" \t\r\n") - first + 1);
    Debuggee& d = *launched_->debuggee;
    if (is_expression(line, d.code)) return d.repl.watched(line)();
    must_be_for_console(line);
    std::exception_ptr failure;
    auto stop = launched_->runner->moved_by([&] {
        try {
            d.repl.execute(line);
        } catch (std::exception const&) {
            failure = std::current_exception(); // it may have moved before
        }
    });
    std::string said = d.said();
    if (failure) afterwards_.emplace_back([this, said] { say(said); });
    if (!said.empty() && said.back() == '\n') said.pop_back();
    if (stop)
        afterwards_.emplace_back([this, stop] {
            client_.event("continued", {{"threadId", stop_->thread.value_or(0) + 1}, {"allThreadsContinued", true}});
            stopped(*stop);
        });
    if (failure) std::rethrow_exception(failure);
    return said;
}

Incoming DapSession::completions_of(Parameters const& arguments) {
    std::size_t const column = need_whole(arguments, "column");
    std::string const line = beginning(arguments.need_text("text"), column - std::min(column, first_column_));
    return {{"targets", completions(launched_->debuggee->repl, line, first_column_)}};
}

Incoming DapSession::loaded_sources(Parameters const&) { return {{"sources", Incoming::array({source()})}}; }

Incoming DapSession::source_text(Parameters const& arguments) {
    bool const known = arguments.find("source") == nullptr || is_program(arguments);
    if (!known) throw RequestFailed{DapError::argument, "this file is not the program that runs"};
    return {{"content", launched_->debuggee->loaded.source().text()}, {"mimeType", "text/x-ctp"}};
}

} // namespace matchpoint::cli
