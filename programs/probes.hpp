// Programs with probes, made of programs without (docs/semantics.md, "Probes").
//
//   for (draft::Draft const& d : with_one_probe(draft)) check(draft::print(d));
//   draft::Draft const random = with_random_probes(draft, dice, 3);
#pragma once

#include <vector>

#include "programs/dice.hpp"
#include "programs/draft.hpp"

namespace matchpoint::programs {

/// The program with one more probe, in all ways: in a thread that receives, in front of any command, a probe at an
/// endpoint of it, without selectors, with those of some receive there, or for one source; and in place of each receive
/// that has a wait of its own an mprobe, with its start in any place up to the wait. They obey D1 to D6, and have no
/// traces.
std::vector<draft::Draft> with_one_probe(draft::Draft const& draft);

/// The same with up to so many, of which each is one of these ways. A probe may also assign the source and the tag of
/// what it sees, and the program asserts something about them.
draft::Draft with_random_probes(draft::Draft draft, Dice& dice, unsigned most);

} // namespace matchpoint::programs
