#include "matching/possible_order.hpp"

namespace matchpoint::matching {

void possible_edges(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering,
                    std::function<void(PossibleEdge const&)> const& edge) {
    IndexedProgram const& code = messages.code();
    bool const zero = buffering == Buffering::zero;
    auto const instant = [&](std::uint32_t r) { return static_cast<std::uint32_t>(code.ctp().commands.size()) + r; };
    for (Thread const& t : code.ctp().threads)
        for (std::uint32_t i = t.first; i + 1 < t.last; ++i) edge({i, i + 1, {}});
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        auto const& receive = messages.receives()[r];
        for (std::uint32_t const s : pairs.of[r]) {
            auto const& send = messages.sends()[s];
            edge({send.rho.index, zero ? instant(r) : receive.nw.index, Pair{r, s}});
            if (zero && !send.wait.is_none()) edge({instant(r), send.wait.index, Pair{r, s}});
        }
        if (!zero) continue;
        edge({receive.rho.index, instant(r), {}});
        edge({instant(r), receive.nw.index, {}});
        auto const at = messages.receives_at(receive.beta);
        if (receive.ordinal + 1 < at.size()) edge({instant(r), instant(at[receive.ordinal + 1]), {}});
    }
}

Graph possible_order(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering) {
    Graph graph(static_cast<std::uint32_t>(messages.code().ctp().commands.size() + pairs.of.size()));
    possible_edges(messages, pairs, buffering, [&](PossibleEdge const& e) { graph.announce(e.from); });
    graph.ready();
    possible_edges(messages, pairs, buffering, [&](PossibleEdge const& e) { graph.add(e.from, e.to); });
    return graph;
}

} // namespace matchpoint::matching
