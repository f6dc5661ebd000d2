// The text that a program was read from, and places in it.
//
// A place is a byte offset; lines and columns are worked out when a message needs them. Lines and columns count
// from 1, and a column counts code points, as language.md wants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::grammar {

/// A byte offset into a Source. 32 bits: a Source is smaller than 4 GiB.
using Offset = std::uint32_t;

/// For things that were built by a program instead of being read from a file.
inline constexpr Offset no_offset = 0xFFFF'FFFF;

/// Line and column of a place, both counted from 1; the column counts code points.
struct LineColumn {
    std::size_t line;
    std::size_t column;
    bool operator==(LineColumn const&) const = default;
};

class Source {
public:
    /// The largest text that a Source can hold, in bytes.
    static constexpr std::size_t max_size = no_offset - 1;

    /// `name` is what messages call it: a path, or "<stdin>".
    /// Throws std::length_error when the text is larger than max_size.
    Source(std::string name, std::string text);

    std::string const& name() const { return name_; }
    std::string_view text() const { return text_; }

    /// The place of a byte offset; an offset at or behind the end gives the place behind the last character.
    LineColumn line_column(Offset offset) const; // the first call indexes the lines: not for two threads at once

    /// The line that holds the offset, without its end of line ("\n" or "\r\n"), and where it begins.
    struct Line {
        std::string_view text;
        Offset begin;
    };
    Line line_at(Offset offset) const;

private:
    std::string name_;
    std::string text_;
    mutable std::vector<Offset> line_begins_; // once somebody asks
};

/// The offset of the first byte that is not part of well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates,
/// nothing above U+10FFFF), if there is one.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// The length of the well-formed sequence at the head of a text that is not empty; 0 if there is none.
std::size_t utf8_sequence_length(std::string_view text);

/// The number of code points in well-formed UTF-8.
std::size_t count_code_points(std::string_view text);

/// A name as messages show it: control characters and other things that could disturb a terminal are escaped
/// (`\x1b`, `\u202e`), and a name longer than `limit` code points is cut with an ellipsis.
std::string printable(std::string_view name, std::size_t limit = 60);

} // namespace matchpoint::grammar
