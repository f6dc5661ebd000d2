// A folder for files that nobody needs later.
#pragma once

#include <filesystem>
#include <string>

#include "rooms.hpp"

namespace matchpoint::base {

/// A new folder below the system's one for temporary files ($TMPDIR). It goes, with all that is in it, when this goes.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(TemporaryFolder const&) = delete;
    TemporaryFolder& operator=(TemporaryFolder const&) = delete;
    ~TemporaryFolder();
    /// Empty if there is none.
    std::filesystem::path const& path() const { return path_; }
    /// "cannot make a temporary folder in /x: No such file or directory"; empty if there is one.
    std::string const& error() const { return error_; }

private:
    std::filesystem::path path_;
    std::string error_;
};

} // namespace matchpoint::base
