// A match set as data: which send each receive gets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "matching/message_index.hpp"

namespace matchpoint::matching {

/// Stands for "none" in place of the number of a send or a receive.
inline constexpr std::uint32_t unmatched = 0xFFFF'FFFF;

/// Receive -> the send it gets; both are numbers of MessageIndex.
class Matching {
public:
    explicit Matching(MessageIndex const& messages) : send_of_(messages.receives().size(), unmatched) {}

    std::uint32_t operator[](std::uint32_t receive) const { return send_of_[receive]; }
    std::uint32_t& operator[](std::uint32_t receive) { return send_of_[receive]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(send_of_.size()); }
    void clear() { std::fill(send_of_.begin(), send_of_.end(), unmatched); }
    bool is_complete() const { return std::find(send_of_.begin(), send_of_.end(), unmatched) == send_of_.end(); }

    auto operator<=>(Matching const&) const = default;

private:
    std::vector<std::uint32_t> send_of_;
};

/// Receive r matched with send s, as numbers of MessageIndex.
struct Pair {
    std::uint32_t r;
    std::uint32_t s;
    auto operator<=>(Pair const&) const = default;
};

} // namespace matchpoint::matching
