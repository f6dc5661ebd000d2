// Reading and writing files, with errors as values.
#pragma once

#include <string>
#include <string_view>

#include "grammar/expected.hpp"
#include "grammar/source.hpp"

namespace matchpoint::cli {

/// A message for people: "cannot read x.ctp: No such file or directory".
using FileError = std::string;

/// The whole of a file; `-` is standard input, called "<stdin>". A Source is smaller than 4 GiB.
Expected<Source, FileError> read_source(std::string const& path);

/// Puts `text` in the place of a file, as a whole or not at all: it is written to a new file beside it, flushed to the
/// disk and renamed. The file keeps its permissions; a symbolic link stays one. Empty: done.
FileError replace_file(std::string const& path, std::string_view text);

/// Lower-case hexadecimal.
std::string sha256(std::string_view text);

} // namespace matchpoint::cli
