// The papers' encoders, each to the letter, flaws included (docs/errata.md): `exact` is compared with them.
//
// They ask for a failure, and have an order; of the options only the buffering and those of the text count.
#pragma once

#include <string>
#include <vector>

#include "encode/encoder.hpp"
#include "grammar/expected.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::encode {

/// Sections 5.1 to 5.3 of the paper. Each constraint stands under the words that it is written from. Errata E5, E6, E10,
/// E11, E12, E26, E31 and E33 say where they go wrong. (We follow Definition 6 to the letter as well, errata E24, which
/// changes no answer: nothing comes after a wait, E11.) Throws std::logic_error unless the options ask for infinite
/// buffering, a failure, and order.
std::string encode_section5(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// The same with Section 5.4, zero buffering.
std::string encode_section5_zero(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// Figures 2 and 3 of the short paper. Quadratic in the number of receives, as Figure 3 is.
std::string encode_short_paper(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// Figures 9 and 10 of the paper, for one trace. The error says why the trace is not smt-enabled (Definition 16), or which
/// constant has two sorts (errata E7).
Expected<std::string, std::string> encode_figures_9_10(IndexedProgram const& code, Schedule const& trace,
                                                       EncoderOptions const& options);

/// Receive -> its nearest-enclosing wait by the letter of Definition 6: among the waits of its task, not of its endpoint
/// (errata E24). For programs that obey rule D3.
std::vector<Location> nearest_enclosing_waits(MessageIndex const& messages);

} // namespace matchpoint::encode
