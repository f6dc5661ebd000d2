// What the readers of all formats do alike: they number processes, and they look up what a wait is for.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "importers/calls.hpp"
#include "importers/reports.hpp"

namespace matchpoint::importers {

struct Reading {
    explicit Reading(std::size_t files) : reports(files) {}

    Calls calls;
    Reports reports;
    std::unordered_map<std::uint32_t, std::uint32_t> index_of = {}; // number of a process -> index into calls.processes

    /// A new process, as an index. I3 if there is one with this number: its calls cannot be told apart, and none is
    /// returned.
    std::optional<std::uint32_t> begin(std::uint32_t number, Place const& place);
};

/// What the calls of one process can wait for.
class Requests {
public:
    /// A send or receive, by the name that waits use. A later one takes the name over.
    void issue(std::uint64_t name, std::uint32_t call);
    /// The call of this name, which the caller waits for now. I2 if there is none or it was waited for already.
    std::optional<std::uint32_t> complete(std::uint64_t name, std::string_view word, Place const& place,
                                          Reports& reports);
    bool knows(std::uint64_t name) const { return request_of_.contains(name); }
    bool is_pending(std::uint64_t name) const;

private:
    struct Request {
        std::uint32_t call;
        bool is_complete = false;
    };
    std::unordered_map<std::uint64_t, Request> request_of_;
};

/// For a file in which nothing waits: the sends and receives of its processes are blocking ones.
void make_blocking(Process& process);

} // namespace matchpoint::importers
