// What ends a computation before it has a result: memory and time. Neither is ever a verdict.
//
//   Watch const watch([&] { return Clock::now() > deadline; });
//   for (Pair const& p : pairs) {
//       spend();       // throws OutOfTime
//       ...
//   }
//
// Time belongs to a whole computation, as memory does. So it is not passed from function to function: a watch counts
// for everything that its thread does while it lives, and running out of time is an exception, as running out of memory
// is. Every loop that grows with the program spends steps, each of them about as long as a look into memory.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>

#include "rooms.hpp"

namespace matchpoint::base {

/// The program needs more than this implementation, or its caller, allows.
class LimitReached : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class OutOfTime : public LimitReached {
public:
    OutOfTime() : LimitReached("out of time") {}
};

/// Asks a question every few milliseconds of work. Watches nest: each one asks the outer ones, too.
class Watch {
public:
    /// `is_up`: whether time is up. Once it says so, it has to say so again. Empty if there is no limit.
    explicit Watch(std::function<bool()> is_up);
    ~Watch();
    Watch(Watch const&) = delete;
    Watch& operator=(Watch const&) = delete;

private:
    friend void look_at_watch();
    bool is_up() const;

    std::function<bool()> is_up_;
    Watch const* outer_;
};

/// Asks the watches of this thread now. Throws OutOfTime.
void look_at_watch();

namespace detail {
inline constinit thread_local std::uint64_t steps_left = UINT64_MAX; // until the next look
}

/// Throws OutOfTime.
inline void spend(std::uint64_t steps = 1) {
    if (steps < detail::steps_left)
        detail::steps_left -= steps;
    else
        look_at_watch();
}

} // namespace matchpoint::base
