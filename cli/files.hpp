// Reading and writing files, with errors as values.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

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
/// The same with what `contents` gives to its argument, part by part.
using Write = std::function<void(std::string_view)>;
FileError replace_file(std::string const& path, std::function<void(Write const&)> const& contents);

/// A file of a folder that is to be made.
struct NewFile {
    std::string path; // below the folder; folders in between are made
    std::string text;
    bool is_program = false;
};
/// Where a new folder goes: the error says that there is something already. An empty folder is replaced, and a link to it
/// stays one.
Expected<std::string, FileError> new_folder(std::string const& path);
/// All the files, or none and no folder. Empty: done.
FileError write_folder(std::string const& folder, std::vector<NewFile> const& files);

/// Lower-case hexadecimal.
std::string sha256(std::string_view text);

} // namespace matchpoint::cli
