#include "matching/possible_order.hpp"

namespace matchpoint::matching {

namespace {

using EdgeSink = std::function<void(PossibleEdge const&)>;

/// Nodes: the commands, then the instants of the receives' rendezvous.
std::uint32_t instant(MessageIndex const& messages, std::uint32_t r) {
    return static_cast<std::uint32_t>(messages.code().ctp().commands.size()) + r;
}

void program_order(MessageIndex const& messages, EdgeSink const& edge) {
    for (Thread const& t : messages.code().ctp().threads)
        for (std::uint32_t i = t.first; i + 1 < t.last; ++i) edge({i, i + 1, {}});
}

/// Zero buffering: what every match set has of one rendezvous.
void rendezvous(MessageIndex const& messages, std::uint32_t r, EdgeSink const& edge) {
    auto const& receive = messages.receives()[r];
    edge({receive.rho.index, instant(messages, r), {}});
    edge({instant(messages, r), receive.nw.index, {}});
    auto const at = messages.receives_at(receive.beta);
    if (receive.ordinal + 1 < at.size()) edge({instant(messages, r), instant(messages, at[receive.ordinal + 1]), {}});
}

Graph graph_of(MessageIndex const& messages, std::function<void(EdgeSink const&)> const& edges) {
    Graph graph(static_cast<std::uint32_t>(messages.code().ctp().commands.size() + messages.receives().size()));
    edges([&](PossibleEdge const& e) { graph.announce(e.from); });
    graph.ready();
    edges([&](PossibleEdge const& e) { graph.add(e.from, e.to); });
    return graph;
}

} // namespace

void possible_edges(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering, EdgeSink const& edge) {
    bool const zero = buffering == Buffering::zero;
    program_order(messages, edge);
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        auto const& receive = messages.receives()[r];
        spend(4 * pairs.of[r].size());
        for (std::uint32_t const s : pairs.of[r]) {
            auto const& send = messages.sends()[s];
            edge({send.rho.index, zero ? instant(messages, r) : receive.nw.index, Pair{r, s}});
            if (zero && !send.wait.is_none()) edge({instant(messages, r), send.wait.index, Pair{r, s}});
        }
        if (zero) rendezvous(messages, r, edge);
    }
}

Graph possible_order(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering) {
    return graph_of(messages, [&](EdgeSink const& edge) { possible_edges(messages, pairs, buffering, edge); });
}

/// Among the receives that may get a send, the first one's wait comes before those of the others, and the last one's
/// rendezvous after those of the others.
Graph possible_order(MessageIndex const& messages, OrdinalWindows const& windows, Buffering buffering) {
    bool const zero = buffering == Buffering::zero;
    return graph_of(messages, [&](EdgeSink const& edge) {
        program_order(messages, edge);
        for (std::uint32_t s = 0; s < messages.sends().size(); ++s) {
            spend(8);
            if (windows.is_empty(s)) continue;
            auto const& send = messages.sends()[s];
            auto const at = messages.receives_at(messages.beta_of(send));
            std::uint32_t const first = at[windows.first(s)], last = at[windows.last(s)];
            edge({send.rho.index, zero ? instant(messages, first) : messages.receives()[first].nw.index, {}});
            if (zero && !send.wait.is_none()) edge({instant(messages, last), send.wait.index, {}});
        }
        for (std::uint32_t r = 0; zero && r < messages.receives().size(); ++r) rendezvous(messages, r, edge);
    });
}

} // namespace matchpoint::matching
