// The buffered sends of a rank: they are complete at once. But MPI_Buffer_detach waits until the messages in the buffer
// are gone (MPI-3.1, Section 3.6): it is the wait for them. Before it, nothing waits for them, whatever the run does
// later.
#include <fmt/format.h>

#include <utility>
#include <variant>

#include "record/rank_reader.hpp"

namespace matchpoint::record {

/// That a buffered send is complete says nothing, but where it is one of several that could be.
void RankReader::sent(Scanner& line) {
    std::uint32_t const number = request(line);
    auto const found = requests_.find(number);
    bool const says_nothing = found != requests_.end() && found->second.is_buffered && !found->second.is_chosen;
    if (!says_nothing) wait_for(number);
}

void RankReader::detach(Scanner& line) {
    blocked_.at = at(line);
    blocked_.in_detach = blocked_.waits_for_all = true;
    wait_at_ = blocked_.at;
    for (std::uint32_t const number : std::exchange(buffered_, {})) {
        auto const found = requests_.find(number);
        if (found == requests_.end()) continue; // it came to nothing
        if (found->second.is_waited_for) {
            to_.gaps.push_back(
                {rank_.number, blocked_.at, "MPI_Buffer_detach",
                 "it may have to wait for a send that a test, MPI_Waitany or MPI_Waitsome found complete"});
            continue;
        }
        // Whether the detach waits for the receive is left to the library, as it is of a standard send.
        std::get<importers::Send>(process_.calls[found->second.calls.front()].what).mode = Mode::standard;
        found->second.is_detached = true;
        blocked_.requests.push_back(number);
    }
    detaching_ = blocked_.requests;
}

void RankReader::detached(Scanner&) {
    for (std::uint32_t const number : std::exchange(detaching_, {})) wait_for(number);
}

void RankReader::choose_among(std::vector<std::uint32_t> const& requests, std::string_view function,
                              SourceLine const& from) {
    for (std::uint32_t const number : requests) {
        auto const found = requests_.find(number);
        if (found == requests_.end() || !found->second.is_buffered) continue;
        found->second.is_chosen = true;
        if (found->second.is_detached)
            to_.gaps.push_back({rank_.number, from, std::string(function),
                                "it asks for a buffered send that MPI_Buffer_detach has waited for"});
    }
}

} // namespace matchpoint::record
