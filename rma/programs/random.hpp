// Random programs with remote memory access, deterministic by seed and number: two processes or three, loops, `atomic`,
// flushes, and properties that some of them break.
//
//   for (std::uint64_t i = 0; i < 1000; ++i) {
//       Program const program = random_program(1, i);
//       ...
//   }
//
// They are small enough to be explored without any reduction: a program issues few remote operations, and what a loop
// without a bound does changes nothing without end. A few (`unbounded`) issue more and more operations nevertheless.
#pragma once

#include <cstdint>
#include <string>

#include "rma/language/program.hpp"

namespace matchpoint::rma {

struct RandomShape {
    unsigned statements = 12; ///< at most, of all processes together; at least 4
    unsigned remote = 4;      ///< at most so many remote statements; one in a counted loop counts twice
    unsigned third = 25;      ///< percent of the programs with three processes
    unsigned booleans = 15;   ///< percent with boolean variables, too
    unsigned unbounded = 2;   ///< percent that may issue operations without end
    unsigned properties = 80; ///< percent with a property
    unsigned atomics = 0;     ///< percent of the remote statements that are remote atomics
    unsigned choices = 0;     ///< percent of the computed numbers that depend on a condition: `ite`
};

/// Its text, as the printer writes it. Program `number` of a seed and shape is the same on every platform.
std::string random_text(std::uint64_t seed, std::uint64_t number, RandomShape const& shape = {});
Program random_program(std::uint64_t seed, std::uint64_t number, RandomShape const& shape = {});

} // namespace matchpoint::rma
