// Reading and writing files, with errors as values.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "base/source.hpp"

namespace matchpoint::base {

/// A message for people: "cannot read x.ctp: No such file or directory".
using FileError = std::string;

/// A whole file, smaller than 4 GiB.
Expected<std::string, FileError> read_file(std::string const& path);
/// The same with its name. `-` is standard input, with the name "<stdin>".
Expected<Source, FileError> read_source(std::string const& path);

/// Replaces a file atomically: writes a new file beside it, flushes it to the disk and renames it. The file keeps its
/// permissions; a symbolic link stays one. Empty if it succeeded.
FileError replace_file(std::string const& path, std::string_view text);
/// The same for what `contents` passes to its argument, part by part.
using Write = std::function<void(std::string_view)>;
FileError replace_file(std::string const& path, std::function<void(Write const&)> const& contents);

/// Whether replace_file() could begin: for commands that work long before they write. Empty if it could.
FileError can_be_replaced(std::string const& path);

/// A file of a new folder.
struct NewFile {
    std::string path; // below the folder; folders in between are created
    std::string text;
    bool is_program = false;
};
/// The path of a new folder, or an error if it exists already. An empty folder may exist and is replaced; a link to it
/// stays one.
Expected<std::string, FileError> new_folder(std::string const& path);
/// Writes the folder with all files, or nothing. Empty if it succeeded.
FileError write_folder(std::string const& folder, std::vector<NewFile> const& files);

} // namespace matchpoint::base
