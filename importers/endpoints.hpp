// Who sends from which endpoint, and receives at which: process r receives at endpoint r and sends from it, so that
// rule D1 holds. Communicators other than the first have endpoints of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "importers/calls.hpp"
#include "importers/reports.hpp"

namespace matchpoint::importers {

class Endpoints {
public:
    /// Reports I3 where a receive or send names an endpoint that it cannot, and too many communicators.
    Endpoints(Calls const& calls, Reports& reports);

    std::uint32_t of_receive(Process const& process, Receive const& receive) const;
    std::uint32_t source(Process const& process, Send const& send) const;
    std::uint32_t destination(Send const& send) const;
    /// The endpoint of a process in a communicator, without explicit endpoints.
    std::uint32_t of(std::uint32_t process, std::uint32_t communicator) const {
        return process + communicator * processes_;
    }

private:
    void find_owners(Reports& reports);
    void check_destinations(Reports& reports) const;
    void choose_sources();

    Calls const& calls_;
    std::uint32_t processes_ = 0; // the largest number of one, and one more
    // Only with explicit endpoints:
    std::unordered_map<std::uint32_t, std::uint32_t> owner_;  // endpoint -> the process that receives there
    std::unordered_map<std::uint32_t, std::uint32_t> source_; // process -> the endpoint that it sends from
};

} // namespace matchpoint::importers
