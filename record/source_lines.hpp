// Lines of source for places in object files, from their debug information (DWARF, through elfutils).
#pragma once

#include <memory>
#include <string>

#include "record/recording.hpp"

namespace matchpoint::record {

/// The name of a file of source as reports show it: relative to the folder in which we work if it is below that.
std::string shown_file(std::string const& file);

class SourceLines : public Resolver {
public:
    SourceLines();
    ~SourceLines() override;
    /// For an inlined function of <matchpoint/mpi.h>, the line that uses it. Without debug information, the file is
    /// that of the object, `prog+0x1234`, and the line is 0.
    SourceLine line(std::string const& object, std::uint64_t offset) override;

private:
    struct Object;
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::record
