// What a debug adapter sends: responses and events. And why a request fails.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/dap/messages.hpp"
#include "cli/terminal.hpp"

namespace matchpoint::cli {

/// The ids of errors (docs/editors.md).
enum class DapError : int {
    malformed = 1, // this is not a request
    unknown = 2,   // there is no such request
    order = 3,     // not now
    argument = 4,  // an argument is missing or wrong
    refused = 5,   // it cannot be done here
    program = 6,   // the program cannot be read
    limit = 7,     // a limit of this implementation was reached
    internal = 8,  // a bug
};

/// Thrown by whatever finds that a request cannot be done.
struct RequestFailed {
    DapError id;
    std::string message;
    bool is_shown = true; // to the user
};

/// A request whose form is right.
struct DapRequest {
    std::int64_t seq = 0;
    std::string command;
    Incoming arguments = Incoming::object();
};

class DapClient {
public:
    explicit DapClient(Terminal& terminal) : terminal_(terminal) {}

    // Each of these throws OutputFailed.

    void respond(DapRequest const& request, Incoming body);
    void fail(DapRequest const& request, RequestFailed const& why);
    void event(std::string_view name, Incoming body = nullptr);
    /// Text for the console of the client. `more` are further members, such as the position that it is about.
    void output(std::string_view category, std::string_view text, Incoming more = Incoming::object());

private:
    void send(Incoming message);

    Terminal& terminal_;
    std::int64_t seq_ = 0;
};

} // namespace matchpoint::cli
