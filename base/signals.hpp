// What this program does when it gets a signal.
#pragma once

#include <csignal>
#include <utility>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::base {

/// What a signal handler may do: `handler` for SA_RESETHAND and the like, see sigaction(2).
struct SignalAction {
    void (*handler)(int) = nullptr;
    unsigned flags = 0;
    bool keeps_ignored = false; // a signal that is ignored, as under nohup, stays ignored
};

/// Handles signals that way from now on. This replaces a handler that was set in between.
void handle(int signal, SignalAction const& action);

/// Handles signals as long as it exists; then they are handled as before.
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
