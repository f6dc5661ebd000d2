// Files of other tools, told from programs by their content: some have the same extension.
#pragma once

#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::base {

/// A format that `matchpoint import` reads (docs/formats.md).
struct ForeignFormat {
    std::string_view name; // for the command line: "mercury"
    std::string_view what; // "a trace of Mercury"
};
inline constexpr ForeignFormat mp_format{"mp", "an MP trace"};
inline constexpr ForeignFormat mercury_format{"mercury", "a trace of Mercury"};
inline constexpr ForeignFormat transitions_format{"isp", "a transition list of ISP"};

/// The format of a text that is not a program: an MP trace or a trace of Mercury by its first line that is not a
/// comment, a transition list by any line that begins one. Null if it has none of these formats.
ForeignFormat const* foreign_format(std::string_view text);

/// What to do with a file that no command reads as a program: an ELF file, C, C++, Python, the recording of a rank, or
/// an SMT-LIB problem, by how it begins. Empty if it is something else. `file` is its name, if that is known.
std::string hint_for_source_or_binary(std::string_view text, std::string_view file = {});

} // namespace matchpoint::base
