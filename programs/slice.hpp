// A program without what no outcome depends on: assignments and payloads whose values reach no assertion, assumption or
// guard, and no division that may have a fault. Section 7 of the paper on shared memory slices its traces before it
// encodes them.
//
//   Slice const s = draft::slice(draft::draft_of(program));
//   std::cout << draft::print(s.draft);
//
// The slice has the same verdict, deadlocks and faults under both bufferings, and leaves the path where the program
// does. Messages stay, since who gets which of them decides what else can happen, and each `when` stays as it is. Data
// races with a command that is removed are gone, and so are final values.
#pragma once

#include <cstddef>

#include "programs/draft.hpp"

namespace matchpoint::programs::draft {

struct Slice {
    Draft draft; // the locations that are left have the names that they had
    // What is gone.
    std::size_t assignments = 0; // those in guarded assignments, too
    std::size_t assumptions = 0; // that are always true, and assign nothing that matters
    std::size_t payloads = 0;    // are 0 or false now, at all sends to an endpoint
    std::size_t shared = 0;      // declarations
    bool operator==(Slice const&) const = default;
};

/// The program has to obey D1 to D6, and the slice does. The entries of removed commands are gone from the traces, and
/// their movements belong to the next entry. Linear in the size of the program. Throws LimitReached.
Slice slice(Draft program);

} // namespace matchpoint::programs::draft
