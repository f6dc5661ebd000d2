// Deadlocks under libraries that buffer what they like (docs/semantics.md, "Buffering"): a wait for a standard send
// whose message is unmatched may return, or not, and so may a collective that some member has not called.
//
//   RefusalSearch search(messages, Runs::executions);
//   if (search.search() == RefusalSearch::Answer::deadlock) use(search.schedule());
//
// The caller can say that only some of the sends and collectives may refuse. All others return as soon as they can.
//
// Threads run on as far as they can, as in scheduler.hpp. At a command that may refuse the search branches: the thread
// stays there until the message is matched, or all members have called; or it passes. A thread that passes later could
// as well have passed at once: until then nobody has seen the difference. So two branches are enough.
//
// Messages move only to posted receives that have no message, also where no receive selects and infinite buffering
// would deliver them earlier. That loses nothing. Who gets what there depends only on the order of deliveries, so a
// delivery that comes before its receive is posted can as well come right after that: in between nobody can tell. A
// message for which no receive is posted in the end is unmatched, whether it is delivered or in transit.
//
// The search is cut in three ways:
//
//   merged states    Under D1 to D6 a state is where the threads are and who got what. If no value matters to how far
//                    threads get, it is where they are, which messages are matched, and which receives.
//   forced matches   If no other message can ever be the partner of a receive, their match comes at once. It commutes
//                    with everything, and there is no deadlock before it.
//   no choice left   If all matches to come are forced, threads that may stay do. If threads that passed get to a
//                    deadlock, each thread that stays gets no further than it did there: the same matches are to come,
//                    so what does not go on there does not go on here. (What a probe sees is a choice, too.)
//
// Two calls that disagree are both made in no deadlock: the later one is at a mismatch for good. So an execution ends
// there, and which one comes first does not matter.
//
// A probe is a command that waits, and what it can see is a choice. A forced match comes at once: its message is none
// that a probe can see, and what a probe sees stays possible until that is taken.
//
// Deliveries are those of the explorer of programs that are not plain: at endpoints that some thread at a wait waits
// for. What is left in a deadlock, nobody waits for; it is matched at the end, so that no match is possible there.
#pragma once

#include <vector>

#include "executions/key_set.hpp"
#include "executions/scheduler.hpp"

namespace matchpoint::executions {

/// What may refuse, by action: the sends that are standard, and have a wait; and the collectives that do not need all
/// members, and block or have a wait.
std::vector<bool> all_that_may_refuse(MessageIndex const& messages);

class RefusalSearch : private Scheduler {
public:
    enum class Answer : std::uint8_t { deadlock, none, out_of_steps };

    /// The program has no shared variables, and the messages have to outlive it. With Runs::executions deadlocks on the
    /// path count. `calls` are some of all_that_may_refuse().
    RefusalSearch(MessageIndex const& messages, Runs runs, std::vector<bool> calls);
    /// All of them.
    RefusalSearch(MessageIndex const& messages, Runs runs)
        : RefusalSearch(messages, runs, all_that_may_refuse(messages)) {}

    /// Searches from the end of a schedule on; its steps count. To be called first.
    void begin_after(Schedule const& schedule);

    /// Goes on for at most so many more machine steps and deliveries. Throws LimitReached; it cannot be used after
    /// that.
    Answer search(std::uint64_t steps = UINT64_MAX);
    // The way to the deadlock, with the deliveries that no command follows, and the state there.
    using Scheduler::schedule;
    using Scheduler::state;
    /// Machine steps and deliveries so far.
    std::uint64_t steps() const { return Scheduler::steps() + deliveries_; }
    /// States so far in which every thread has run as far as it can, and how many of them had been seen before.
    std::uint64_t states() const { return seen_.size(); }
    std::uint64_t merged() const { return merged_; }

private:
    struct Choice {
        enum class Kind : std::uint8_t { stay, pass, deliver, see };
        Kind kind;
        std::uint32_t index; // of the thread, or of the channel
        Location rho = {};   // see: of the probe
    };
    struct Frame {
        Mark mark; // before its choices
        std::vector<std::uint32_t> stays;
        std::uint32_t first_choice;
        std::vector<Choice> choices;
        std::size_t next;
    };

    bool visit();
    bool run_on();
    bool run(std::uint32_t thread, bool& has_moved);
    bool may_refuse(Location rho) const;
    bool is_at_end(Location rho);
    bool match_what_is_forced();
    void match_the_rest();
    void deliver(Channel c);
    bool is_undecided(std::uint32_t thread) const;
    void stay(std::uint32_t thread) { stays_[thread] = state().ctp[thread]; }
    void take(Choice const& choice);
    std::vector<Choice> moves() const;
    void open(std::vector<Choice> choices);
    bool remember();

    bool can_match(Channel c) const;
    bool has_choice_left();
    bool has_choice_left(Endpoint beta) const;
    bool has_two_sources(Endpoint beta, Action a_r) const;

    std::vector<bool> calls_; // those that may refuse, by action
    bool can_fault_;
    bool values_steer_;
    std::vector<std::uint32_t> stays_; // thread -> the command at which it was decided that it stays
    std::uint32_t first_choice_ = 0;   // the first endpoint that may have a choice left
    std::vector<Frame> frames_;
    KeySet seen_;
    std::string key_;
    std::uint64_t deliveries_ = 0;
    std::uint64_t merged_ = 0;
    bool started_ = false;
};

} // namespace matchpoint::executions
