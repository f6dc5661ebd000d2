// Recordings of MPI for unit tests, written by hand.
#pragma once

#include <string>
#include <vector>

#include "record/recording.hpp"

namespace matchpoint::test {

/// No address has a line.
class NoLines : public record::Resolver {
public:
    record::SourceLine line(std::string const&, std::uint64_t) override { return {}; }
};

/// The files of ranks 0, 1, ... of one communicator. `head`: lines of each that describe places and types.
inline std::vector<Source> files_of_ranks(std::vector<std::string> const& ranks, std::string const& head = "") {
    std::string members;
    for (std::size_t i = 0; i < ranks.size(); ++i) members += " " + std::to_string(i);
    std::vector<Source> files;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        files.emplace_back("rank", "matchpoint-mpi 1\nrank " + std::to_string(i) + " " + std::to_string(ranks.size()) +
                                       "\n" + head + "comm 0 0" + members + "\n" + ranks[i] + std::string(1, '\0'));
    return files;
}

} // namespace matchpoint::test
