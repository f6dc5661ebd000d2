// Section 5 of the paper as printed, infinite buffering: what `exact` is compared with. Each constraint is under the
// words of the paper that it is written from; errata E5, E6, E10, E11, E12, E26, E31 and E33 say where they go wrong.
// (Definition 6 is taken to the letter too, errata E24. That changes no answer: nothing comes behind a wait, E11.)
#pragma once

#include "encode/encoder.hpp"

namespace matchpoint::encode {

/// Asked for a failure only (Definition 9), and with the order: std::logic_error otherwise, and for zero buffering.
std::string encode_section5(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// Receive -> its nearest-enclosing wait by the letter of Definition 6, that is of its task and not of its endpoint
/// (errata E24). Of a program that obeys rule D3.
std::vector<Location> nearest_enclosing_waits(MessageIndex const& messages);

} // namespace matchpoint::encode
