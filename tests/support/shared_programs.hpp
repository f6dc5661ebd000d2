#pragma once

/// Random programs with shared variables about which there is something to prove: threads count, take locks, and
/// compute in regions of locks. Number i of a seed is always the same one.

#include <cstdint>

#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// Threads that count in regions of locks, start each other, wait for each other and assert what becomes of it. Every
/// now and then one forgets something.
Program counting_program(std::uint64_t seed, std::uint64_t i);

/// Threads with regions of three locks in each other. Some come after another one, by a flag that counts or by a value
/// that does not; some forget to give a lock back; some assume or assert something on the way.
Program locks_program(std::uint64_t seed, std::uint64_t i);

/// Threads that compute in regions of a lock what is no counting, and assert something about it. Every now and then one
/// forgets the lock. Some send what they have to a thread that receives into a shared variable.
Program regions_program(std::uint64_t seed, std::uint64_t i);

} // namespace matchpoint::naive
