// All small programs under rules D1 to D6, the smallest first. What holds for them holds for every program of that
// size, and the first program that shows a fault is small.
//
//   SmallPrograms programs(small_bound(6));
//   while (auto const draft = programs.next()) check(draft::print(*draft));
//
// A program of the enumeration is a set of threads, none of them empty. A thread is a sequence of
//
//   (rcvi R beta x)         at one of its endpoints, into a new variable or into the variable of the receive before it;
//   (sndi S alpha beta e)   from one of its endpoints, to an endpoint at which some thread receives, or to one that no
//                           thread has; e is the number of the send in the program, from 1, or (+ x 10);
//   (wait a)                for any earlier request of the thread that has no wait yet;
//   a local command         (x := 1), as the first command of the thread, or (x := (+ x 1)); the checks
//                           (assert (!= x v)), (assume (!= x v)), (z := (div 6 (- x v))) and (assert (< y x)); if there
//                           is no x yet, (assert false) and (assume false).
//
// in which some wait completes every receive (D3). x is the variable that got a value last, and y the one before it, if
// it is another one. So waits come in every order and place. A wait for a later receive may complete an earlier one.
// Sends may have no wait, depend on received values, go to their own thread or to no thread, and receives may wait for
// messages that no thread sends. v is the value of x for one of the messages: each of the numbers sent to where x was
// received, and the first of the (+ x 10); 1 if there are none. For an assigned x, v is its value or another one.
//
// The place of a local command only matters if x or the course of the thread changes. So checks come as late as
// possible: only another local command, a wait that completes a receive, or nothing follows. A local command or a send
// of (+ x 10) follows an assignment, except that (x := 1) may be alone.
//
// Programs that differ only in names or in the order of threads count as one. So do programs in which equal threads
// have exchanged the numbers that they send, and the v that come from them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "programs/draft.hpp"

namespace matchpoint::programs {

/// Upper bounds, of the whole program unless the comment says otherwise.
struct SmallBound {
    /// The number of commands plus the number of odd things. These are: a send to its own thread or to no thread, an
    /// endpoint with receives but no sends, and every group of threads but one that exchanges no messages with the
    /// others. Programs come in the order of size, those with fewer commands first.
    unsigned size = 7;
    unsigned commands = 16;
    unsigned thread_commands = 6; // of one thread
    unsigned threads = 4;
    unsigned endpoints = 2; // of one thread: where it receives and where it sends from
    unsigned sends = 3;
    unsigned receives = 3;
    unsigned locals = 3;

    bool operator==(SmallBound const&) const = default;
};

/// All programs up to a size, within the other defaults of SmallBound. The programs of a level begin with the programs
/// of the level below, with the same numbers.
///
///   level      1   2   3    4    5     6      7       8
///   programs   3  14  76  154  567  3700  30237  235279
SmallBound small_bound(unsigned level);

class SmallPrograms {
public:
    /// The programs with number offset, offset + every, offset + 2 * every ... The others are only counted. Throws
    /// std::invalid_argument if every is 0, or the bound is too large to be enumerated.
    explicit SmallPrograms(SmallBound const& bound, std::uint64_t every = 1, std::uint64_t offset = 0);
    SmallPrograms(SmallPrograms&&) noexcept;
    SmallPrograms& operator=(SmallPrograms&&) noexcept;
    ~SmallPrograms();

    /// The next program, with canonical names (names.hpp); none at the end.
    std::optional<draft::Draft> next();
    /// The number of the program that next() returned last, from 0.
    std::uint64_t number() const;

private:
    friend std::uint64_t count_small_programs(SmallBound const& bound);
    class Enumeration;
    std::unique_ptr<Enumeration> enumeration_;
};

/// The number of programs.
std::uint64_t count_small_programs(SmallBound const& bound);

} // namespace matchpoint::programs
