// A partial order reduction for programs with shared variables: persistent sets (Godefroid, Partial-Order Methods for
// the Verification of Concurrent Systems).
//
// In a state, the search branches on the next transitions of some threads only. They are chosen so that no command that
// the other threads have left conflicts with these, or can enable more of them. So whatever the others do first, these
// transitions stay as they are, and can as well come first. That keeps every class of executions that go on as long as
// they can (until_end.hpp), and so s, deadlocks and faults.
//
// The threads are a closure. It begins with one thread. For each thread it adds those that its next command depends on:
//
// - those that have a command left that accesses the same shared variable, if one of the two writes it;
// - if the command waits for a message: those that have a send left to that endpoint, and those that receive or probe
//   there and have a command left that posts or starts a receive, or takes a message;
// - the same if the command is a probe, or a ready send; and while the thread of its endpoint has a `rcvi` left there,
//   or another thread such a ready send, each of the two depends on the other;
// - if it waits at a barrier: one that has not arrived there. What a `when` waits for is a variable, as above.
//
// The set has the next command of each of these threads, if it can be executed, and the deliveries that they wait for.
// A probe is there once for each message that it can see. A send or a delivery takes none of these out of sight. Where
// several threads use an endpoint, what they post and probe there counts as accesses to one variable (sharing.hpp).
//
// Why that is enough. Take an execution from this state, and its first transition p that belongs to a thread of the
// closure, or is a delivery that one of them waits for. Before p only other threads have moved. None of their commands
// conflicts with the next command of a thread of the closure, enables it, or sends what it waits for: then their thread
// would be in the closure. So p was enabled at first, is in the set, and commutes with all that came before it. If
// there is no such p, the set is still enabled at the end, so the execution has not gone on as long as it can. Programs
// have no loops, so the search reaches no state again by which it could put off the other threads forever.
//
// It also keeps data races. Let t and u be commands that race in a state that is reached from a visited one by w. If w
// has a transition of the set, the first such one can as well come first. If it has none, no thread of the closure has
// moved in w. If neither t nor u is of such a thread, both still race after any transition of the set and then w. If t
// is, u conflicts with t, so its thread is in the closure, too. Neither has moved, and nothing in w has enabled them:
// they race in the visited state.
//
// The search tries the closure of each thread, and takes one with the fewest choices that do not sleep. A closure that
// reaches the first thread of an earlier one contains that one, so it is given up. Of T threads, whose next commands
// have D dependences, this takes O(T (T + D)) in a state. The number of states is still exponential in the worst case:
// commands that conflict are tried in every order.
//
// Godefroid calls this way to find a set Overman's algorithm. Stubborn sets look at single transitions instead of whole
// threads (Valmari, Stubborn Sets for Reduced State Space Generation), and can be smaller.
#pragma once

#include "executions/shared/movers.hpp"
#include "executions/shared/until_end.hpp"

namespace matchpoint::executions {

class PersistentSets : public UntilEnd {
protected:
    /// If they are known, the search depends on the rivals of chains instead of those of commands. They have to outlive
    /// it.
    void use(Movers const* movers) { movers_ = movers; }
    Movers const* movers() const { return movers_; }

    /// The messages and the model have to outlive it. Without a model, all executions count.
    PersistentSets(MessageIndex const& messages, Buffering buffering, CausalModel const* model, State const* from)
        : UntilEnd(messages, buffering, model, from), next_(state().ctp.size()), thread_mark_(next_.size()) {
        find_last_commands();
    }

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
    /// The last command of a thread that does something at an endpoint.
    struct Last {
        std::uint32_t thread;
        std::uint32_t command;
    };
    void find_last_commands();
    void add_all_left(std::vector<Last> const& all, std::vector<std::uint32_t>& to) const;

    Movers const* movers_ = nullptr;
    std::vector<std::vector<Last>> senders_to_; // endpoint -> by each thread, sends to it
    std::vector<std::vector<Last>> posts_at_;   // endpoint -> by each thread, rcvi, probes and starts there
    std::vector<Next> next_;                    // by thread
    std::uint64_t looks_ = 0;
    std::vector<Choice> chosen_;
    std::vector<std::uint32_t> work_;        // threads of the closure
    std::vector<std::uint64_t> thread_mark_; // the closure it was in last
    std::uint64_t closure_ = 0;
};

} // namespace matchpoint::executions
