// All small programs under rules D1 to D6, the smallest first: what holds for them holds for everything of that size, and
// the first one that something is wrong with is a small one.
//
// A program of the enumeration is a set of threads, none of them empty. A thread is a sequence of
//
//   (rcvi R beta x)         at one of its endpoints, into a new variable or into that of the receive before it;
//   (sndi S alpha beta e)   from one of its endpoints, to one at which some thread receives or to one that is nobody's;
//                           e is the number of the send in the program, from 1, or (+ x 10);
//   (wait a)                for any earlier request of the thread that was not waited for yet;
//   a local command         (x := 1), as the first command of the thread, or (x := (+ x 1)); the checks
//                           (assert (!= x v)), (assume (!= x v)), (z := (div 6 (- x v))) and (assert (< y x)); where
//                           there is no x yet, (assert false) and (assume false).
//
// in which every receive is completed by some wait (D3). x is the variable that got its value last, y the one before, if
// it is another. So waits stand in every order and place, receives are completed by waits for later ones, sends are or
// are not waited for, depend on what was received, go to their own thread or reach nobody, and receives wait for messages
// that nobody sends. v is what x is with one of the messages: each of the numbers that are sent to where x was received,
// and the first of the (+ x 10); 1 if there are none. Of an assigned x, it is that value or another one.
//
// Where a local command stands only matters when x or the thread's course changes. So checks stand as late as they can:
// only another local command, a wait that completes a receive, or nothing follows. An assignment is followed by a local
// command or by a send of (+ x 10), but (x := 1) may stand alone.
//
// Programs that differ in names or in the order of threads are one. Which of two like threads sends the smaller number
// is no difference either, with the v that go with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "programs/draft.hpp"

namespace matchpoint::programs {

/// At most so many of each, in the whole program where nothing else is said.
struct SmallBound {
    /// Commands, and one for everything odd: a send to nobody or to its own thread, an endpoint that is received at and
    /// not sent to, and every group of threads, but one, that has no messages to or from the others. Programs come in
    /// the order of their size, those with fewer commands first.
    unsigned size = 7;
    unsigned commands = 16;
    unsigned thread_commands = 6; // of one thread
    unsigned threads = 4;
    unsigned endpoints = 2; // of one thread: those it receives at or sends from
    unsigned sends = 3;
    unsigned receives = 3;
    unsigned locals = 3;

    bool operator==(SmallBound const&) const = default;
};

/// All programs up to a size, within the other defaults of SmallBound. The programs of a level begin with those of the
/// level below, under the same numbers.
///
///   level      1   2   3    4    5     6      7       8
///   programs   3  14  76  154  567  3700  30237  235279
SmallBound small_bound(unsigned level);

class SmallPrograms {
public:
    /// Of the programs of the bound, those with number offset, offset + every, offset + 2 * every ... The others are
    /// only counted. Throws std::invalid_argument if every is 0, or the bound beyond what can be enumerated.
    explicit SmallPrograms(SmallBound const& bound, std::uint64_t every = 1, std::uint64_t offset = 0);
    SmallPrograms(SmallPrograms&&) noexcept;
    SmallPrograms& operator=(SmallPrograms&&) noexcept;
    ~SmallPrograms();

    /// The next program, its names as canonical_names() gives them (smaller.hpp). None: there is no further one.
    std::optional<draft::Draft> next();
    /// Of the program that next() gave last: its place among all of the bound, from 0.
    std::uint64_t number() const;

private:
    friend std::uint64_t count_small_programs(SmallBound const& bound);
    class Enumeration;
    std::unique_ptr<Enumeration> enumeration_;
};

/// How many programs there are.
std::uint64_t count_small_programs(SmallBound const& bound);

} // namespace matchpoint::programs
