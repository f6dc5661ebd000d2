// Tarjan's strongly connected components, without recursion.
#pragma once

#include <cstdint>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::matching {

/// Node -> its successors, in one array.
class Graph {
public:
    explicit Graph(std::uint32_t nodes) : first_(nodes + 1) {}
    /// Announce all edges, call ready(), then add them in any order.
    void announce(std::uint32_t from) { ++first_[from + 1]; }
    void ready() {
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        to_.resize(first_.back());
        next_.assign(first_.begin(), first_.end() - 1);
    }
    void add(std::uint32_t from, std::uint32_t to) { to_[next_[from]++] = to; }

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_.size() - 1); }
    std::uint32_t begin(std::uint32_t node) const { return first_[node]; }
    std::uint32_t end(std::uint32_t node) const { return first_[node + 1]; }
    std::uint32_t to(std::uint32_t edge) const { return to_[edge]; }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> to_;
};

/// Node -> the number of its component, or `alone` if it is a component of its own. Linear.
struct StrongComponents {
    static constexpr std::uint32_t alone = 0xFFFF'FFFF;
    explicit StrongComponents(Graph const& graph);
    std::vector<std::uint32_t> of;
    std::uint32_t count = 0;
    bool on_a_cycle(std::uint32_t from, std::uint32_t to) const { return of[from] != alone && of[from] == of[to]; }
};

} // namespace matchpoint::matching
