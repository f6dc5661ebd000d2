// What is kept of a run of `verify` beside its recordings: which match set it was to take, and how it ended
// (docs/formats.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "machine/state.hpp"
#include "record/launch.hpp"
#include "record/schedule.hpp"

namespace matchpoint::record {

/// What the machine says of a match set on its path.
enum class Prediction : std::uint8_t {
    passes,     // all is well, or nothing is known
    fails,      // an assertion fails
    gets_stuck, // some ranks never get to their ends
};

/// A match set that a run is to take.
struct Wanted {
    std::size_t path = 0;           // of Verification, from 1
    std::vector<CallMatch> matches; // sorted
    std::vector<CallId> refusing;   // the standard sends that wait for their receives; others need not
    Prediction prediction = Prediction::passes;
    std::string why_stuck; // who waits for whom in the end
    /// Which choice of time (choices.hpp), in words, and how to get there. The matches are those before it.
    std::string time = {};
    std::string time_in_words = {};
    std::optional<Beginning> beginning = {};
};

struct RunFile {
    std::optional<Wanted> wanted;
    LaunchResult result;
};

std::string to_text(RunFile const& file);
/// None if the text is damaged.
std::optional<RunFile> run_file(std::string_view text);

} // namespace matchpoint::record
