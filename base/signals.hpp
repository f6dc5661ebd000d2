// What this program does when it gets a signal.
#pragma once

#include <csignal>
#include <utility>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::base {

/// What is to be done about a signal, as sigaction(2) says.
struct SignalAction {
    void (*handler)(int) = SIG_DFL;
    unsigned flags = 0;         // SA_RESETHAND and the like
    bool keeps_ignored = false; // a signal that is ignored, as under nohup, stays ignored
};

/// Handles a signal that way from now on, until somebody says otherwise.
void handle(int signal, SignalAction const& action);

/// Handles signals as long as it exists. Then they are handled as they were before, and a handler that was set in
/// between is replaced.
class SignalHandlers {
public:
    SignalHandlers() = default;
    SignalHandlers(SignalHandlers const&) = delete;
    SignalHandlers& operator=(SignalHandlers const&) = delete;
    ~SignalHandlers();

    SignalHandlers& on(int signal, SignalAction const& action);

private:
    std::vector<std::pair<int, struct sigaction>> before_;
};

} // namespace matchpoint::base
