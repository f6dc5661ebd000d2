// Random programs with collectives (docs/semantics.md, "Collectives"): those of random_program, with calls put into
// some of their threads.
//
//   draft::Draft const d = random_collectives(seed, i);
#pragma once

#include "programs/dice.hpp"
#include "programs/random.hpp"

namespace matchpoint::programs {

struct CollectiveShape {
    unsigned communicators = 2; // 1 to this number
    unsigned calls = 3;         // of each thread, of one communicator: 1 to this number

    // The percentage
    unsigned nonblocking = 40; // of meetings
    unsigned parts = 60;       // of calls that say a type or counts, where their kind has some
    unsigned disagree = 10;    // of meetings in which one call disagrees
    unsigned missing = 8;      // of communicators of which one thread makes a call less
    unsigned unwaited = 15;    // of icollectives
};

/// Puts collectives into a draft. Its threads do not name any; its locations are removed.
void add_collectives(draft::Draft& d, CollectiveShape const& shape, Dice& dice);

/// A program with messages and collectives. It obeys D1 to D6.
draft::Draft random_collectives(std::uint64_t seed, std::uint64_t number, RandomShape const& shape = {},
                                CollectiveShape const& collectives = {});

} // namespace matchpoint::programs
