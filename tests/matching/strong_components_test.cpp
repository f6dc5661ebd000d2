// Tarjan's algorithm.

#include "matching/strong_components.hpp"
#include "tests/support/all_rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace matchpoint::test {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Graph graph(std::uint32_t nodes, Edges const& edges) {
    Graph g(nodes);
    for (auto const& [from, to] : edges) g.announce(from);
    g.ready();
    for (auto const& [from, to] : edges) g.add(from, to);
    return g;
}

constexpr std::uint32_t alone = StrongComponents::alone;

TEST(StrongComponents, NoCycle) {
    StrongComponents const c(graph(4, {{0, 1}, {1, 2}, {0, 2}, {3, 2}}));
    EXPECT_EQ(c.of, (std::vector<std::uint32_t>{alone, alone, alone, alone}));
    EXPECT_FALSE(c.on_a_cycle(0, 1));
}

TEST(StrongComponents, OneCycle) {
    StrongComponents const c(graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}}));
    EXPECT_EQ(c.of[0], alone);
    EXPECT_EQ(c.of[4], alone);
    EXPECT_EQ(c.of[1], c.of[2]);
    EXPECT_EQ(c.of[2], c.of[3]);
    EXPECT_TRUE(c.on_a_cycle(1, 2));
    EXPECT_TRUE(c.on_a_cycle(3, 1));
    EXPECT_FALSE(c.on_a_cycle(0, 1));
    EXPECT_FALSE(c.on_a_cycle(3, 4));
}

// Two cycles with an edge from one to the other, and two that share a node.
TEST(StrongComponents, TwoCycles) {
    StrongComponents const apart(graph(4, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}}));
    EXPECT_NE(apart.of[0], apart.of[2]);
    EXPECT_TRUE(apart.on_a_cycle(2, 3));
    EXPECT_FALSE(apart.on_a_cycle(1, 2));
    StrongComponents const joined(graph(3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
    EXPECT_TRUE(joined.on_a_cycle(0, 2));
}

TEST(StrongComponents, Empty) {
    EXPECT_TRUE(StrongComponents(graph(0, {})).of.empty());
    EXPECT_EQ(StrongComponents(graph(2, {})).of, (std::vector<std::uint32_t>{alone, alone}));
}

// Nothing recurses on the length of a path.
TEST(StrongComponents, ALongPath) {
    constexpr std::uint32_t n = 1'000'000;
    Edges edges;
    for (std::uint32_t i = 0; i + 1 < n; ++i) edges.emplace_back(i, i + 1);
    EXPECT_EQ(StrongComponents(graph(n, edges)).of, std::vector<std::uint32_t>(n, alone));
    edges.emplace_back(n - 1, 0);
    EXPECT_TRUE(StrongComponents(graph(n, edges)).on_a_cycle(0, n - 1));
}

// Two nodes are in one component exactly if each can be reached from the other.
TEST(StrongComponents, AsReachability) {
    std::mt19937 generator(1);
    auto const random = [&] { return static_cast<std::uint32_t>(generator()); };
    for (int round = 0; round < 2'000; ++round) {
        std::uint32_t const n = 1 + random() % 8;
        Edges edges;
        for (std::uint32_t i = random() % (2 * n + 1); i-- > 0;) {
            std::pair<std::uint32_t, std::uint32_t> const edge(random() % n, random() % n);
            if (edge.first != edge.second) edges.push_back(edge);
        }
        std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n));
        for (auto const& [from, to] : edges) reaches[from][to] = true;
        for (std::uint32_t k = 0; k < n; ++k)
            for (std::uint32_t i = 0; i < n; ++i)
                for (std::uint32_t j = 0; j < n; ++j)
                    if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
        StrongComponents const c(graph(n, edges));
        for (std::uint32_t i = 0; i < n; ++i) {
            ASSERT_EQ(c.of[i] != alone, static_cast<bool>(reaches[i][i]));
            for (std::uint32_t j = 0; j < n; ++j) ASSERT_EQ(c.on_a_cycle(i, j), reaches[i][j] && reaches[j][i]);
        }
    }
}

} // namespace
} // namespace matchpoint::test
