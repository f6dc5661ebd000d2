// What orders the ranks of a run with windows beside fences: which locks keep others out, which message a receive took,
// and which receive a synchronous send waits for. And what has no order, so that the run could have gone otherwise.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/window_lines.hpp"

namespace matchpoint::record {

class WindowOrder {
public:
    explicit WindowOrder(std::span<RankEvents const> ranks);

    /// Whether some rank locks the window at this rank for itself alone. Otherwise its locks keep nobody out.
    bool has_exclusive_locks(WindowName const& window, std::uint32_t rank) const {
        return exclusive_.contains({window, rank});
    }
    /// The how manieth of its channel the message is that a receive of this rank took, from 1.
    std::size_t ordinal(std::uint32_t rank, std::uint32_t receive) const;
    /// The rank and the number of the receive that a synchronous send of this rank waits for. None if nothing took it.
    using Call = std::pair<std::uint32_t, std::uint32_t>;
    std::optional<Call> awaited_by(std::uint32_t rank, std::uint32_t send) const;
    /// Whether a synchronous send waits for this receive.
    bool is_awaited(std::uint32_t rank, std::uint32_t receive) const { return awaited_.contains({rank, receive}); }

    /// Where it depends on which of several ranks comes first what memory holds, or is fetched. Once for each reason.
    std::vector<Gap> const& choices() const { return choices_; }

private:
    struct Atomics { // of a cell
        std::set<std::uint32_t> ranks;
        std::set<std::string> ops;
    };
    void look(RankEvents const& rank);
    void look(std::uint32_t rank, lines::Remote const& r, SourceLine const& at);
    void match_messages();
    void choice(std::uint32_t rank, SourceLine const& at, std::string function, std::string what);

    std::set<std::pair<WindowName, std::uint32_t>> exclusive_;
    std::map<std::pair<WindowName, std::uint32_t>, std::set<std::uint32_t>> lockers_;
    std::map<Cell, Atomics> atomics_;
    struct Messages {
        std::vector<std::pair<std::uint32_t, bool>> sends; // number, and whether it is synchronous
        std::vector<std::uint32_t> receives;
    };
    std::map<lines::Channel, Messages> channels_;
    std::map<Call, std::size_t> ordinals_;
    std::map<Call, Call> awaited_by_;
    std::set<Call> awaited_;
    std::vector<Gap> choices_;
};

} // namespace matchpoint::record
