// Why nothing can come next in a state, although threads are not finished: a deadlock, and who waits for whom; or a
// fault.
//
//   if (auto const why = blocked(code, buffering, state)) out(shown(code, *why));
//
//   thread 0: at 03 (wait R2)
//             R2 waits for message 1 to endpoint 0; 0 are delivered; thread 1 would send S5 at 15
//   thread 1: at 14 (wait R3)
//             R3 waits for message 1 to endpoint 1; 0 are delivered; no send to it is left
//   nobody will send what R3 waits for: thread 1 at 14
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace matchpoint::explain {

struct Blocked {
    enum class Kind : std::uint8_t {
        deadlock, // every unfinished thread waits for what cannot come
        fault,    // no rule will ever apply to some thread's next command
        ended,    // what was not recorded of threads could end every wait (record/cut_short.hpp)
    };
    /// A thread has taken a lock (grammar/synchronisation.hpp), and has not given it back.
    struct Holder {
        std::uint32_t thread;
        Location since; // the command that took it
    };
    /// A variable of a guard that is false.
    struct Read {
        Variable x;
        Value v;
        bool is_lock = false;
        std::vector<Holder> holders = {}; // by thread; none of a variable that is no lock
    };
    struct Halted {
        std::uint32_t thread;
        Location at;
        std::string why;
        Action waits;    // the request that it waits for, if it is at a wait
        Barrier barrier; // the barrier, if it is at one
        Location call;   // the collective, if it is at one, or waits for one
        /// If it is at a `when`, whose guard is false: what the guard reads.
        std::optional<std::vector<Read>> guard = {};
        bool is_fault() const { return waits.is_none() && barrier.is_none() && call.is_none() && !guard; }
        /// The first thread whose later commands it waits for; of a lock that is taken, the first that holds it. None
        /// if it waits forever or is at fault.
        std::optional<std::uint32_t> waits_for = {};
        /// The variable of the guard that this thread would write, or the lock that its holders never give back.
        std::optional<Variable> awaited = {};
    };

    Kind kind;
    std::vector<Halted> threads;
    /// Threads that wait for each other, from the one with the lowest number on. No two of them have a thread in
    /// common.
    std::vector<std::vector<std::uint32_t>> cycles;
};

/// "deadlock", "fault", "ended"
std::string_view to_string(Blocked::Kind kind);

/// None if some command or delivery can come next, or nothing can as the run has ended. Linear in the size of the
/// program, and for a thread that waits at an endpoint with selectors, in what the others have left to do there.
std::optional<Blocked> blocked(IndexedProgram const& code, Buffering buffering, State const& state);
/// The same after all deliveries that can come next: no thread may wait for what is still on its way.
std::optional<Blocked> blocked_behind_deliveries(IndexedProgram const& code, Buffering buffering, State const& state);

/// Why the next command of a thread cannot run, and which threads could change that: "the guard (> m 0) is false: m =
/// 0; thread 1 has held m since b1 and would give it back at b4".
std::string why_halted(IndexedProgram const& code, State const& state, std::uint32_t thread, Stuck const& stuck);

/// Endpoint -> the thread that uses it; none if no command does.
using Owners = std::vector<std::optional<std::uint32_t>>;
Owners owners_of(IndexedProgram const& code);

/// What causes it: "a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0", "nobody will send what R5 waits
/// for: thread 2 at 06", of a recording "in the recording, nobody will send what rank 2 waits for at mw.c:6", "a fault:
/// thread 0 at 07". Nothing if it is `ended`.
std::vector<std::string> causes(IndexedProgram const& code, Blocked const& blocked);

/// "thread 0 at a2 (when (> m 0)): the guard ... is false: m = 0; thread 1 has held m since b1 and would give it back
/// at b4" for each thread, then causes().
std::vector<std::string> sentences(IndexedProgram const& code, Blocked const& blocked);

/// Its threads and its causes, in lines that begin with two spaces.
std::string shown(IndexedProgram const& code, Blocked const& blocked);

} // namespace matchpoint::explain
