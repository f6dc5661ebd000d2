// An execution that follows the deliveries of a schedule as far as it can, and then goes on as far as it can.
#pragma once

#include "executions/scheduler.hpp"

namespace matchpoint::executions {

/// Under Runs::executions threads stop where they would leave the path, so some messages of the schedule are never
/// sent. A delivery of the schedule takes place only if it is of the match that the match set has. What comes after the
/// schedule is any delivery.
class Guided : public Scheduler {
public:
    /// A schedule with these matches. Throws LimitReached.
    Guided(MessageIndex const& messages, Buffering buffering, Runs runs, Schedule const& guide, Matching const& m);
    End end() const { return end_; }

private:
    bool is_due(Channel c, Matching const& m) const;
    bool deliver_the_rest();

    End end_ = End::fault;
};

} // namespace matchpoint::executions
