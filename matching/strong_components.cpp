#include "matching/strong_components.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace matchpoint::matching {

StrongComponents::StrongComponents(Graph const& graph) : of(graph.nodes(), alone) {
    constexpr std::uint32_t unseen = 0xFFFF'FFFF;
    struct Visit {
        std::uint32_t node;
        std::uint32_t edge;
    };
    std::vector<std::uint32_t> index(graph.nodes(), unseen);
    std::vector<std::uint32_t> low(graph.nodes());
    std::vector<bool> open(graph.nodes());
    std::vector<std::uint32_t> stack;
    std::vector<Visit> visits;
    std::uint32_t seen = 0;
    auto const enter = [&](std::uint32_t node) {
        index[node] = low[node] = seen++;
        open[node] = true;
        stack.push_back(node);
        visits.push_back({node, graph.begin(node)});
    };
    for (std::uint32_t root = 0; root < graph.nodes(); ++root) {
        if (index[root] != unseen) continue;
        enter(root);
        while (!visits.empty()) {
            spend();
            auto& [node, edge] = visits.back();
            if (edge < graph.end(node)) {
                std::uint32_t const to = graph.to(edge++);
                if (index[to] == unseen)
                    enter(to);
                else if (open[to])
                    low[node] = std::min(low[node], index[to]);
                continue;
            }
            std::uint32_t const done = node;
            visits.pop_back();
            if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[done]);
            if (low[done] != index[done]) continue;
            bool const single = stack.back() == done; // no edge leads from a node to itself here
            while (true) {
                std::uint32_t const member = stack.back();
                stack.pop_back();
                open[member] = false;
                of[member] = single ? alone : count;
                if (member == done) break;
            }
            if (!single) ++count;
        }
    }
}

} // namespace matchpoint::matching
