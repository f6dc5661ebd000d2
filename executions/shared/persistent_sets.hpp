// A partial order reduction for programs with shared variables: persistent sets (Godefroid, Partial-Order Methods for
// the Verification of Concurrent Systems).
//
// In a state, the search branches on the next transitions of some threads only. They are chosen so that no command that
// the other threads have left conflicts with these, or can enable more of them. So whatever the others do first, these
// transitions stay as they are, and can as well come first. That keeps every class of executions that go on as long as
// they can (until_end.hpp), and so s, deadlocks and faults.
//
// It also keeps data races. Let t and u be commands that race in a state that is reached from a visited one by w. If
// neither w nor t nor u begins in the persistent set, t and u still race after w and any transition of the set. If w
// has a transition of the set, the first such one can as well come first. If t is in the set, w cannot have moved its
// thread, and u, which conflicts with t, is in the set, too: they race in the visited state.
#pragma once

#include "executions/shared/until_end.hpp"

namespace matchpoint::executions {

class PersistentSets : public UntilEnd {
protected:
    /// The messages and the model have to outlive it. Without a model, all executions count.
    PersistentSets(MessageIndex const& messages, Buffering buffering, CausalModel const* model, State const* from)
        : UntilEnd(messages, buffering, model, from), next_(state().ctp.size()), thread_mark_(next_.size()) {}

    /// Leaves a persistent set in best_, with few choices that do not sleep; empty if nothing can come next.
    void find_persistent_set(std::vector<Choice> const& asleep = {});

    std::vector<Choice> best_;

private:
    /// What a thread can do next, and the threads that this depends on.
    struct Next {
        std::uint64_t looked_at = 0; // the value of looks_ then
        std::uint64_t closed = 0;    // the same when a set was closed over it
        std::vector<Choice> choices;
        std::vector<std::uint32_t> needs; // a thread may be there twice
    };

    Next const& next_of_thread(std::uint32_t thread);
    void look_at(std::uint32_t thread, Next& next);
    bool close_over(std::uint32_t thread);
    void add_senders_to(Endpoint beta, std::vector<std::uint32_t>& to) const;

    std::vector<Next> next_; // by thread
    std::uint64_t looks_ = 0;
    std::vector<Choice> chosen_;
    std::vector<std::uint32_t> work_;        // threads of the closure
    std::vector<std::uint64_t> thread_mark_; // the closure it was in last
    std::uint64_t closure_ = 0;
};

} // namespace matchpoint::executions
