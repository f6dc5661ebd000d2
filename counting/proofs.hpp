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
//   assertion   holds, if it holds for all positions that the other threads can have when it is executed (order.hpp),
//               and for all values that semaphores, which are never negative, then leave
//   deadlock    There is none if no commands that wait can wait for each other (deadlocks.hpp).
//   data race   One of two accesses that conflict always comes first, or semaphores exclude that both come next.
//
// "Not proved" says nothing.
#pragma once

#include "counting/deadlocks.hpp"

namespace matchpoint::counting {

class Proofs {
public:
    /// The messages have to outlive it. Throws OutOfTime.
    explicit Proofs(MessageIndex const& messages);

    /// No execution on the path has a failing assertion.
    bool no_assertion_fails() const;
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
