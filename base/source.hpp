// The text of a program, and positions in it.
//
// A position is a byte offset. Lines and columns are computed when a message needs them; they count from 1, and columns
// count code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::base {

/// A byte offset into a Source. 32 bits: a Source is smaller than 4 GiB.
using Offset = std::uint32_t;

/// For what was not read from a file.
inline constexpr Offset no_offset = 0xFFFF'FFFF;

/// Both count from 1; the column counts code points.
struct LineColumn {
    std::size_t line;
    std::size_t column;
    bool operator==(LineColumn const&) const = default;
};

class Source {
public:
    /// The largest text that a Source can hold, in bytes.
    static constexpr std::size_t max_size = no_offset - 1;

    /// `name` is its name in messages: a path, or "<stdin>". Throws std::length_error if the text is larger than
    /// max_size.
    Source(std::string name, std::string text);

    std::string const& name() const { return name_; }
    std::string_view text() const { return text_; }

    /// An offset at or beyond the end gives the position after the last character. The first call indexes the lines, so
    /// two threads must not make it at once.
    LineColumn line_column(Offset offset) const;

    /// The line that contains the offset, without its line break ("\n" or "\r\n"), and its first offset.
    struct Line {
        std::string_view text;
        Offset begin;
    };
    Line line_at(Offset offset) const;

private:
    std::string name_;
    std::string text_;
    mutable std::vector<Offset> line_begins_; // filled on demand
};

/// The lines of the comment that a text begins with, each without its `;` and the blank after it.
std::vector<std::string_view> first_comment(std::string_view text);

/// The offset of the first byte that is not well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing
/// above U+10FFFF), if there is one.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// The length of the byte order mark that a text begins with; 0 if there is none.
inline std::size_t byte_order_mark_size(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

/// The length of the well-formed sequence that a nonempty text begins with; 0 if there is none.
std::size_t utf8_sequence_length(std::string_view text);

/// The number of code points in well-formed UTF-8.
std::size_t count_code_points(std::string_view text);

/// A name for messages: control characters and others that could disturb a terminal are escaped (`\x1b`, `\u202e`), and
/// a name of more than `limit` code points is cut with an ellipsis.
std::string printable(std::string_view name, std::size_t limit = 60);

} // namespace matchpoint::base
