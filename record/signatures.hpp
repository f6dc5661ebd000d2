// Signatures of messages: whether one fits the receive that takes it (MPI-3.1, 3.3.1, 3.2.5).
#pragma once

#include <string>

#include "record/recording.hpp"

namespace matchpoint::record {

/// So many elements of a type.
struct Elements {
    Signature const& of;
    std::uint64_t count;
};

enum class Fit : std::uint8_t {
    fits,     // or it is not known
    differs,  // an element has another type
    too_long, // its elements have the types of the receive, and there are more of them
};

/// A message may be shorter than its receive. MPI_PACKED fits everything. Looks at 10,000 runs of elements at most, and
/// at the lengths in bytes after that.
Fit fits(Elements const& sent, Elements const& room);

/// Whether what is sent in a collective call is what is received: neither may be longer (MPI-3.1, 5.1). What is packed
/// has other lengths.
Fit is_same(Elements const& sent, Elements const& received);

/// "4 MPI_INT", "3 (1 MPI_INT, 1 MPI_DOUBLE)", "24 bytes" if the types are not known.
std::string in_words(Elements const& e);

} // namespace matchpoint::record
