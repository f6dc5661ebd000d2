// Programs of any size with one trace each, as text in the printer's canonical form: what the benchmarks measure.
// Every program obeys rules S and D, and its run is a success that is well-formed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace matchpoint::bench {

struct Workload {
    std::string_view name;
    std::string_view what;
    /// The text, for as many commands as fit in `commands` (10 or more). Linear.
    std::string (*text)(std::size_t commands);
    /// What one unit of `commands` stands for: a command, or an operator where the program is one big expression.
    std::string_view unit = "command";
};

/// Thread 0 sends, thread 1 receives, both wait, one message at a time: send, receive, wait, wait.
std::string mix(std::size_t commands);

/// N senders, each a thread of its own, and one receiver of their N messages.
std::string fan_in(std::size_t commands);

/// Two threads throw a number to and fro; each adds one to it.
std::string ping_pong(std::size_t commands);

/// x := (mod (+ (* x 3) 1) 1000003), again and again.
std::string arithmetic(std::size_t commands);

/// One assignment of an expression with as many operators as `operators` says, nested alternately to the left and to
/// the right.
std::string nested(std::size_t operators);

/// N receives are posted, N messages sent, and one wait for the last receive completes all.
std::string one_wait(std::size_t commands);

/// N messages are delivered before the first receive; then receive, wait, N times.
std::string queue(std::size_t commands);

/// N messages are delivered and N receives posted; then they are waited for, the last one first.
std::string queue_backwards(std::size_t commands);

/// All of the above, in that order.
std::span<Workload const> workloads();

/// Null if there is none of that name.
Workload const* find_workload(std::string_view name);

} // namespace matchpoint::bench
