// What can be proved of a program with shared variables without running it: that no assertion fails, that there is no
// deadlock, and no data race.
//
//   Proofs const proofs(messages);
//   if (proofs.no_assertion_fails()) ...
//
// The proofs are about counts (counting_variables.hpp): variables to which each write adds a constant, as it does to
// locks, semaphores, counters, balances of accounts, and flags that one thread sets. The position of a thread says what
// it has added. So
//
//   assertion  holds, if it holds for all positions that the other threads can have when it is executed (order.hpp),
//              and for all values that semaphores, which are never negative, then leave
//   deadlock   There is none if no commands that wait can wait for each other (deadlocks.hpp).
//   data race  One of two accesses that conflict always comes first, or semaphores exclude that both come next.
//
// Why assertions are right. The value of a count is its initial value plus what each thread has added up to its
// position. For each other thread, order.hpp knows an interval of positions when a command is executed. A sum of counts
// is least if each thread has added its least within its interval, and greatest likewise. If a comparison holds for all
// values between these two, it holds in every execution on the path. A semaphore s makes the bounds tighter: as s is
// not negative, a sum is at most the sum plus s, and at least the sum minus s. In a region of a lock, what a thread
// adds to s often cancels out what it adds to the sum, so these have narrower bounds.
//
// Why the proofs are not circular. More counts tell more about the order, and more order finds more counts: a write in
// two steps counts if no other write comes between. Each fact is derived from facts that were derived before, and is
// true of every execution on the path. So one may stop after any round. "Not proved" says nothing: an interval for each
// thread forgets which positions come together, and nothing is known of a variable that does not count.
//
// A round of the order takes O(c t^2) for c commands of t threads, and is repeated while some position changes, usually
// a few times. An assertion takes time linear in c, but for a logarithm, for each comparison and semaphore. A deadlock
// takes O(w^2) for w commands that wait, and a bounded search for cycles. Data races take one test for each two
// accesses that conflict; with more than 5,000,000 of them nothing is proved.
//
// That counts follow from positions is the state equation of Petri nets (Murata, Petri Nets: Properties, Analysis and
// Applications); for semaphores it is older (Habermann, Synchronization of Communicating Processes). The bounds are
// intervals, as in abstract interpretation (Cousot and Cousot). A cycle of waits is the condition of Coffman, Elphick
// and Shoshani (System Deadlocks).
#pragma once

#include "counting/deadlocks.hpp"

namespace matchpoint::counting {

class Proofs {
public:
    /// The messages have to outlive it. Throws OutOfTime.
    explicit Proofs(MessageIndex const& messages);

    /// No execution on the path has a failing assertion.
    bool no_assertion_fails() const;
    /// The same of one assertion, a command.
    bool assertion_holds(std::uint32_t command) const;
    /// No execution on the path ends in a deadlock. Not proved of programs with messages or barriers.
    bool no_deadlock() const;
    /// Where one could be.
    DeadlockSuspects deadlock_suspects() const;
    bool no_data_race() const;

    /// Whether, as far as is known, a command of another thread may be executed when `first` has been executed and
    /// `second`, a later command of the same thread, has not.
    bool comes_between(std::uint32_t command, std::uint32_t first, std::uint32_t second) const;

    // For those who explain or test.
    CountingVariables const& counts() const { return counts_; }
    Order const& order() const { return order_; }

private:
    bool holds(std::uint32_t command, Expression e) const;
    std::optional<Range> bounds(Sum const& sum, std::uint32_t command) const;
    Known known(Comparison const& comparison, std::uint32_t command) const;

    MessageIndex const& messages_;
    Ctp const& ctp_;
    Sums sums_;
    CountingVariables counts_;
    Order order_;
};

} // namespace matchpoint::counting
