// The machine's findings as JSON (docs/formats.md).
#pragma once

#include <nlohmann/json.hpp>

#include "grammar/diagnostics.hpp"
#include "grammar/value.hpp"

namespace matchpoint::report {

using Json = nlohmann::ordered_json;

/// A boolean as one; an integer as a number if every JSON reader can hold it (up to 2^53 - 1), else as a string of its
/// digits. The language has no strings, so the two cannot be mixed up.
Json to_json(Value const& v);

Json to_json(Diagnostics const& diagnostics, Source const& source);

/// As text, with a newline at its end.
std::string dump(Json const& json);

} // namespace matchpoint::report
