#pragma once

/// The checker against the naive exploration, on programs with shared variables.

#include <cstdint>
#include <functional>

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// Random program number i of a seed: two or three threads that obey the rules, with shared variables, guarded
/// assignments and locks, and in some programs messages, also into shared variables.
Program shared_program(std::uint64_t seed, std::uint64_t i);

/// Program i of a seed with a random trace: some of its entries are of threads that cannot step, and some traces end
/// early.
Case shared_case(std::uint64_t seed, std::uint64_t i);

/// The trace as far as it can be executed and stays on the path.
Trace on_path(Case const& c);

/// Calls `visit` with every `every`-th program of so many threads, none of them empty, and so many commands of an
/// alphabet of eight over two shared variables. Longer threads come first.
void for_each_small_shared_program(std::size_t threads, std::size_t commands, std::size_t every,
                                   std::function<void(Program const&)> const& visit);

/// The same with an alphabet of eight for a lock, a semaphore and a variable.
void for_each_small_program_with_locks(std::size_t threads, std::size_t commands, std::size_t every,
                                       std::function<void(Program const&)> const& visit);

/// Verdicts of both kinds of runs, deadlocks, faults and the least number of context switches are the truth's, and
/// every run that is shown is one. A program that is too large for the naive exploration is only counted.
Wrong shared_check_is_right(Program const& program, bool zero, Tally& tally);

/// What can come of the initial state is the truth, and what can come of later states is consistent with it.
Wrong shared_search_is_right(Program const& program, bool zero, Tally& tally);

/// What is wrong with case i, under both bufferings.
Wrong shared_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally);

} // namespace matchpoint::naive
