// Section 5 of the paper as printed, infinite buffering: what `exact` is compared with. Each constraint is under the
// words of the paper that it is written from; errata E5, E6, E10, E11, E12, E26, E31 and E33 say where they go wrong.
#pragma once

#include "smt_machine/encoder.hpp"

namespace matchpoint {

/// Asked for a failure only (Definition 9), and with the order: std::logic_error otherwise, and for zero buffering.
std::string encode_section5(Messages const& messages, MatchPairs const& pairs, EncoderOptions const& options);

} // namespace matchpoint
