// The nearest state of some kind: searched breadth first from a state that an execution reached, by the number of
// deliveries, so that the way there has as few of them as one can have. Threads run as far as they can in between (driver.hpp).
//
// Under D1 to D6 a state is known by where its threads stand and what each endpoint got, in order: values follow from
// that. Each such state is looked at once.
#pragma once

#include <functional>

#include "executions/scheduler.hpp"

namespace matchpoint::executions {

struct Goal {
    enum class Kind : std::uint8_t {
        failure,  // complete, with an assertion that failed
        success,  // complete, and every assumption and assertion held
        deadlock, // threads that wait for what cannot come
        orphan,   // complete, with a message that nobody got
        fault,    // a zero divisor
        match,    // `pair`, delivered
    };
    Kind kind;
    Pair pair{};
};

class BreadthFirst : private Scheduler {
public:
    enum class Answer : std::uint8_t { found, none, bounded, stopped };

    /// The messages have to outlive it.
    BreadthFirst(MessageIndex const& messages, Buffering buffering, State const& from);

    /// Looks at no more than `limit` states; `stop` is asked before each. Throws LimitReached.
    Answer search(Goal const& goal, std::size_t limit, std::function<bool()> const& stop);
    /// Of what was found: from the state on. A delivery that no command follows is no part of it.
    using Scheduler::schedule;
    /// How many states were looked at.
    std::size_t states() const { return states_; }

private:
    bool is(Goal const& goal, bool fault) const;
    bool is_stuck() const;
    std::string key() const;

    State const& from_;
    std::size_t states_ = 0;
};

} // namespace matchpoint::executions
