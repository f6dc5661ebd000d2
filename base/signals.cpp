#include "base/signals.hpp"

namespace matchpoint::base {

namespace {

struct sigaction handled_now(int signal) {
    struct sigaction now {};
    ::sigaction(signal, nullptr, &now);
    return now;
}

} // namespace

void handle(int signal, SignalAction const& action) {
    if (action.keeps_ignored && handled_now(signal).sa_handler == SIG_IGN) return;
    struct sigaction wanted {};
    wanted.sa_handler = action.handler;
    wanted.sa_flags = static_cast<int>(action.flags);
    ::sigaction(signal, &wanted, nullptr);
}

SignalHandlers& SignalHandlers::on(int signal, SignalAction const& action) {
    before_.emplace_back(signal, handled_now(signal));
    handle(signal, action);
    return *this;
}

SignalHandlers::~SignalHandlers() {
    for (auto one = before_.rbegin(); one != before_.rend(); ++one) ::sigaction(one->first, &one->second, nullptr);
}

} // namespace matchpoint::base
