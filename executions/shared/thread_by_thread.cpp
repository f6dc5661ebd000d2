#include "executions/shared/thread_by_thread.hpp"

namespace matchpoint::executions {

ThreadByThread::ThreadByThread(MessageIndex const& messages, Buffering buffering)
    : SharedScheduler(messages, buffering, nullptr) {
    while (run_threads() || deliver_one()) {
    }
    end_ = end_here();
}

bool ThreadByThread::run_threads() {
    bool ran = false;
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        for (auto rho = next_of(t); rho; rho = next_of(t)) {
            Channel first; // that a probe can see
            if (code().has_probes())
                for_each_peek(state(), code(), *rho, [&](Channel lane) { first = first.is_none() ? lane : first; });
            if (!first.is_none())
                see(*rho, first);
            else if (can_step(*rho))
                execute(*rho);
            else
                break;
            ran = true;
        }
    return ran;
}

bool ThreadByThread::deliver_one() {
    std::vector<Transition> deliveries;
    add_deliveries(deliveries);
    if (deliveries.empty()) return false;
    move(std::get<Deliver>(deliveries.front()).channel);
    return true;
}

} // namespace matchpoint::executions
