#pragma once

/// Programs with shared variables in which several threads use one endpoint, as threads of a rank of MPI do.

#include <cstdint>
#include <functional>

#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// Calls `visit` with every `every`-th program of so many parts: two threads, none of them empty, made of eight kinds
/// of parts that receive, probe and send at endpoint 0; and a third one that sends one message there, or two.
void for_each_small_program_with_common_endpoint(std::size_t parts, std::size_t every,
                                                 std::function<void(Program const&)> const& visit);

/// Random program number i of a seed: two or three threads that send from two endpoints, and receive and probe there,
/// and one that sends to them. Some wait for each other by shared variables. `plain`: without selectors and probes.
Program common_endpoints_program(std::uint64_t seed, std::uint64_t i, bool plain);

} // namespace matchpoint::naive
