// Which commands every execution has executed before it executes a command: program order, and what guards over counts
// and messages need.
//
// Take a guard x = 3 where three threads add 1 to x once each: without any one of them x is at most 2, so all three
// come first. That is how a join waits, and a child for its parent. A wait for a receive that can get one send only, as
// its endpoint has one channel, needs that send.
//
// All this is about executions on the recorded path: a guarded assignment that is executed has a guard that is true.
#pragma once

#include <vector>

#include "counting/counting_variables.hpp"

namespace matchpoint::counting {

class Order {
public:
    /// Program order alone. Everything has to outlive it. It knows nothing of a program that is too large: see
    /// is_known().
    Order(MessageIndex const& messages, Sums const& sums, CountingVariables const& counts);
    /// Whether it knows more than nothing.
    bool is_known() const { return !before_.empty(); }

    /// Finds what guards need, with all counts that are known now. O(commands * threads^2) for each round, few rounds.
    /// Throws OutOfTime.
    void find_more();

    /// The first command of thread u that need not be executed before `command` is executed.
    std::uint32_t before(std::uint32_t command, std::uint32_t u) const { return before_[command * threads() + u]; }
    /// The same before thread t reaches the command, which need not be executed.
    std::uint32_t before_standing_at(std::uint32_t command, std::uint32_t u) const;
    /// The last command at which thread u can be before `command` is executed; its end, if it can be finished.
    std::uint32_t last_before(std::uint32_t command, std::uint32_t u) const;
    /// Whether each execution that executes `second` has executed `first` before.
    bool comes_first(std::uint32_t first, std::uint32_t second) const {
        return before(second, thread_of(first)) > first;
    }
    /// Whether thread t is never at a command while thread u is at another one, both about to execute them.
    bool never_together(std::uint32_t a, std::uint32_t b) const;
    /// The same, whether they can execute them or not.
    bool never_stand_together(std::uint32_t a, std::uint32_t b) const;

    /// The bounds of a sum that a command reads, where it is executed (or only reached). None if some variable does not
    /// count.
    std::optional<Range> bounds(Sum const& sum, std::uint32_t command, bool is_executed) const;

private:
    std::uint32_t threads() const { return static_cast<std::uint32_t>(ctp_.threads.size()); }
    std::uint32_t thread_of(std::uint32_t command) const { return messages_.code().thread_of({command}); }
    bool raise(std::uint32_t command, std::uint32_t u, std::uint32_t to);
    bool inherit(std::uint32_t command, std::uint32_t from);
    bool find_needs_of(std::uint32_t command, Comparison const& guard);
    bool find_in_one_round();
    void add_messages();
    Wide own(Additions const& of, std::uint32_t command) const { return of.at(command); }

    MessageIndex const& messages_;
    Ctp const& ctp_;
    Sums const& sums_;
    CountingVariables const& counts_;
    struct Guard {
        std::uint32_t command;
        Comparison comparison; // all of it read by the command
    };
    std::vector<Guard> guards_;
    struct Message {
        std::uint32_t wait; // ascending
        std::uint32_t send; // what the wait completes is always of it
    };
    std::vector<Message> sent_;
    std::vector<std::uint32_t> before_; // by command and thread
};

/// Whether a sum within bounds compares so with 0.
Known compare(Range const& bounds, Relation const& relation);

} // namespace matchpoint::counting
