#include "smt_machine/possible_order.hpp"

namespace matchpoint {

Graph possible_order(Messages const& messages, MatchPairs const& pairs, Buffering buffering) {
    Code const& code = messages.code();
    auto const commands = static_cast<std::uint32_t>(code.ctp().commands.size());
    bool const zero = buffering == Buffering::zero;
    auto const instant = [&](std::uint32_t r) { return commands + r; };
    auto const edges = [&](auto const& edge) {
        for (Thread const& t : code.ctp().threads)
            for (std::uint32_t i = t.first; i + 1 < t.last; ++i) edge(i, i + 1);
        for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
            auto const& receive = messages.receives()[r];
            for (std::uint32_t const s : pairs.of[r]) {
                auto const& send = messages.sends()[s];
                edge(send.rho.index, zero ? instant(r) : receive.nw.index);
                if (zero && !send.wait.is_none()) edge(instant(r), send.wait.index);
            }
            if (!zero) continue;
            edge(receive.rho.index, instant(r));
            edge(instant(r), receive.nw.index);
            auto const at = messages.receives_at(receive.beta);
            if (receive.ordinal + 1 < at.size()) edge(instant(r), instant(at[receive.ordinal + 1]));
        }
    };
    Graph graph(commands + static_cast<std::uint32_t>(pairs.of.size()));
    edges([&](std::uint32_t from, std::uint32_t) { graph.announce(from); });
    graph.ready();
    edges([&](std::uint32_t from, std::uint32_t to) { graph.add(from, to); });
    return graph;
}

} // namespace matchpoint
