// Breadth-first search for the nearest state of a kind, from a state that an execution reached. Distance is the number
// of deliveries, so the way found has as few of them as possible; between deliveries threads run on (scheduler.hpp).
//
// Under D1 to D6 two things determine a state: where its threads are, and what each endpoint got, in order; with probes
// also what they saw. All values follow. The search visits each such state once.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "executions/key_set.hpp"
#include "executions/scheduler.hpp"

namespace matchpoint::executions {

struct Goal {
    enum class Kind : std::uint8_t {
        // On the path; from a state that is off it, there is none.
        failure,  // an assertion has failed
        success,  // complete, and every assumption and assertion held
        deadlock, // threads wait for what cannot come
        fault,    // a zero divisor
        // On the path or not.
        orphan, // complete, with a message that nobody got
        match,  // `pair`, delivered
    };
    Kind kind;
    Pair pair{};
};

class BreadthFirst : private Scheduler {
public:
    enum class Answer : std::uint8_t { found, none, bounded, stopped };

    /// The messages and the state have to outlive it.
    BreadthFirst(MessageIndex const& messages, Buffering buffering, State const& from, Goal const& goal);

    /// To be called once. Visits at most `limit` states; asks `stop` before each. Throws LimitReached.
    Answer search(std::size_t limit, std::function<bool()> const& stop);
    /// The way that was found, from the given state on. It leaves out deliveries that no command follows.
    using Scheduler::schedule;
    /// How many states were visited.
    std::size_t states() const { return states_; }

private:
    /// A state that was visited, as what led there from another one.
    struct Visited {
        std::size_t parent;
        Choice taken;
    };
    struct Open { // NOLINT(bugprone-exception-escape): see machine::Array
        State state;
        std::size_t node; // of visited_; root: none
    };
    static constexpr std::size_t root = SIZE_MAX;

    bool is_goal();
    bool has_orphans() const;
    std::string key() const;
    bool visit(std::size_t node);
    Answer retrace(std::size_t node);
    std::vector<Choice> choices();

    State const& from_;
    Goal goal_;
    std::size_t states_ = 0;
    std::vector<Visited> visited_;
    std::deque<Open> open_;
    KeySet seen_;
};

} // namespace matchpoint::executions
