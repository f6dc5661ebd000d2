// The encoders themselves, one file each; subject.hpp has them by name. Section 5's is smt_machine/section5.cpp, and
// `exact` is smt_machine/encoder.cpp.
#pragma once

#include <string>

#include "encode/encoder.hpp"
#include "grammar/expected.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::encode {

// They ask for a failure, with the order. Of the options only those of the text count.

std::string section5_zero(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);
/// Quadratic in the number of receives, as Figure 3 is.
std::string short_paper(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// The error says why the trace is not smt-enabled (Definition 16), or which constant has two sorts (errata E7).
Expected<std::string, std::string> figures_9_10(IndexedProgram const& code, Schedule const& trace,
                                                EncoderOptions const& options);

} // namespace matchpoint::encode
