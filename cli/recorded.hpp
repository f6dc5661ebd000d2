// Recordings of real programs, as their first comment says it, and how people are told of them.
#pragma once

#include <string_view>

namespace matchpoint::cli {

/// What the threads of a recording are called: "rank", or "thread" of MCAPI. Empty if the text is no recording.
std::string_view word_of_recording(std::string_view text);

inline constexpr auto names_help = "Show the names of a recording's commands and messages, such as R0_3 = S2_1, "
                                   "instead of their lines in the source";

} // namespace matchpoint::cli
