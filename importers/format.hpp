// Which format a file has.
#pragma once

#include <cstdint>
#include <optional>

#include "base/foreign.hpp"
#include "base/source.hpp"

namespace matchpoint::importers {

enum class Format : std::uint8_t { mp, mercury, transitions };

/// By the content of a file; none if it is of no format, or a program of the language already.
std::optional<Format> guess_format(Source const& source);

ForeignFormat const& description(Format format);

} // namespace matchpoint::importers
