// One execution of a program with shared variables, thread by thread: each runs as far as it can, in turns, until
// nothing can come next. Most programs complete this way, with few context switches.
#pragma once

#include "executions/shared/sharing.hpp"

namespace matchpoint::executions {

class ThreadByThread : public SharedScheduler {
public:
    /// The messages have to outlive it. Throws LimitReached.
    ThreadByThread(MessageIndex const& messages, Buffering buffering);
    End end() const { return end_; }

private:
    bool run_threads();
    bool deliver_one();

    End end_;
};

} // namespace matchpoint::executions
