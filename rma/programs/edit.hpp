// Programs with other flushes: fewer, or one after every remote statement. What the flush search tries (Section 5.1,
// "Flush search").
//
//   Program const all = with_a_flush_behind_every_remote(program);
//   std::vector<StatementIndex> const flushes = flushes_of(all);
//   Program const without_the_first = with_flushes(all, [&](std::size_t i) { return i != 0; });
//
// The results are programs without a text of their own, but statements keep the places that they had in the text.
#pragma once

#include <functional>
#include <vector>

#include "rma/language/program.hpp"

namespace matchpoint::rma {

/// The flush statements, in the order of the text.
std::vector<StatementIndex> flushes_of(Program const& program);

/// The program with those flushes only for whose number (in flushes_of) `kept` is true. A flush that has a location
/// becomes `skip`: something may go there, or ask for it.
Program with_flushes(Program const& program, std::function<bool(std::size_t)> const& kept);

/// The program without its flushes, and with a flush to its target after every put, get and remote atomic.
Program with_a_flush_behind_every_remote(Program const& program);

/// The program without a statement and what is inside of it. One that has a location, or where something inside has
/// one, stays, and so does the last remote atomic of a process on its own variables if a flush waits for it: the result
/// is equal.
Program without(Program const& program, StatementIndex statement);

} // namespace matchpoint::rma
