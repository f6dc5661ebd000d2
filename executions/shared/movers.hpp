// Which commands of a program with shared variables can change places with those of other threads, and so which parts
// of a thread can be one step (Lipton, Reduction: A Method of Proving Properties of Parallel Programs).
// counting/movers.hpp finds out; the search of interleavings.hpp uses it.
//
// A command c of a thread is a *right mover* up to a later command e of the thread, if what other threads do after c
// and before e can as well come before c: the result is the same. Taking a semaphore is one: another thread that takes
// it or gives it back in between could have done so before.
//
// A *chain* is a part of a thread whose commands, all but the last one, are right movers up to the last one. So in each
// execution in which a thread has executed the last one, the chain can be one step. An execution may also end in the
// middle of a chain, before a command that cannot be executed: then what was executed of the chain can come last.
//
// So the search takes a chain as one step. It stops in the middle only where the next command cannot be executed. The
// *rivals* of a chain are the threads that can do something before it that would not be the same after it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace matchpoint::executions {

struct Movers {
    /// A thread has a command left that is no mover with respect to a chain, unless it is beyond this one.
    struct Rival {
        std::uint32_t thread;
        std::uint32_t last; // command
        bool operator==(Rival const&) const = default;
    };

    std::vector<std::uint32_t> chain_end; // command -> the last one of the chain that begins with it
    std::vector<std::uint32_t> first;     // command -> its first rival; and the end
    std::vector<Rival> rivals;            // of the chains that begin with each command

    std::span<Rival const> of(std::uint32_t command) const {
        return std::span(rivals).subspan(first[command], first[command + 1] - first[command]);
    }
    bool operator==(Movers const&) const = default;
};

} // namespace matchpoint::executions
