#include "cli/dap/client.hpp"

namespace matchpoint::cli {

void DapClient::send(Incoming message) {
    message["seq"] = ++seq_;
    std::string const text = to_text(message);
    terminal_.out(fmt::format("Content-Length: {}\r\n\r\n", text.size()));
    terminal_.out(text);
    terminal_.flush();
}

void DapClient::respond(DapRequest const& request, Incoming body) {
    Incoming message{
        {"type", "response"}, {"request_seq", request.seq}, {"command", request.command}, {"success", true}};
    if (!body.is_null()) message["body"] = std::move(body);
    send(std::move(message));
}

void DapClient::fail(DapRequest const& request, RequestFailed const& why) {
    // A client replaces words in braces by variables of the error, unless they are variables themselves.
    Incoming const error{{"id", static_cast<int>(why.id)},
                         {"format", "{message}"},
                         {"variables", {{"message", why.message}}},
                         {"showUser", why.is_shown}};
    send({{"type", "response"},
          {"request_seq", request.seq},
          {"command", request.command},
          {"success", false},
          {"message", why.message},
          {"body", {{"error", error}}}});
}

void DapClient::event(std::string_view name, Incoming body) {
    Incoming message{{"type", "event"}, {"event", name}};
    if (!body.is_null()) message["body"] = std::move(body);
    send(std::move(message));
}

void DapClient::output(std::string_view category, std::string_view text, Incoming more) {
    if (text.empty()) return;
    more["category"] = category;
    more["output"] = text;
    event("output", std::move(more));
}

} // namespace matchpoint::cli
