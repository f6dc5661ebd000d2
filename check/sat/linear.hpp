// Linear constraints over received integers.
#pragma once

#include <optional>

#include "base/wide.hpp"
#include "check/sat/cells.hpp"
#include "check/sat/requirement.hpp"

namespace matchpoint::check {

/// Integers beyond this are not computed with.
inline constexpr std::int64_t large_integer = std::int64_t{1} << 60U;
inline bool is_large(std::int64_t i) { return i > large_integer || i < -large_integer; }

/// sum + c OP 0, where OP is <=, = or !=. A boolean counts as 0 or 1.
struct Linear {
    /// a * x
    struct Part {
        std::uint32_t x; // a cell
        std::int64_t a;
    };
    enum class Kind : std::uint8_t { at_most, equal, differs } kind;
    std::vector<Part> parts; // by cell, ascending; no a is 0
    std::int64_t c = 0;
};

/// An atom of conjuncts() as a constraint, if it is a comparison of linear integer terms or a received boolean.
/// `is_closed` says of each cell whether its table has small constants only; with another one there is no constraint.
/// `follow`: what a receive with only one send gets is the payload of that send.
std::optional<Linear> linear(DataFlow const& flow, Requirement const& atom, Cells const& cells,
                             std::vector<bool> const& is_closed, bool follow);

} // namespace matchpoint::check
