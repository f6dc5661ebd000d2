#include "check/order_clauses.hpp"

#include <algorithm>

#include "matching/possible_order.hpp"

namespace matchpoint::check {

namespace {

using Literal = OrderVocabulary::Literal;

/// Of one component.
struct Component {
    std::vector<PossibleEdge> edges;
    std::vector<std::uint32_t> nodes; // all that edges begin or end at, ascending
    std::vector<std::uint32_t> heads; // where edges that rest on a match end, ascending

    std::size_t column(std::uint32_t node) const {
        return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
    }
    std::size_t clauses() const { return heads.size() * edges.size(); }
    /// Of transitivity.
    std::size_t triples() const { return heads.size() * heads.size() * heads.size() / 3; }
};

std::vector<Component> components(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering) {
    StrongComponents const cycles(possible_order(messages, pairs, buffering));
    Ctp const& ctp = messages.code().ctp();
    auto const is_program_order = [&](PossibleEdge const& e) {
        return !e.pair && e.from < ctp.commands.size() && e.to < ctp.commands.size();
    };
    std::vector<Component> result;
    possible_edges(messages, pairs, buffering, [&](PossibleEdge const& e) {
        if (!cycles.on_a_cycle(e.from, e.to)) return;
        std::uint32_t const c = cycles.of[e.from];
        if (c >= result.size()) result.resize(c + 1);
        if (is_program_order(e)) return;
        result[c].edges.push_back(e);
        result[c].nodes.push_back(e.from);
        result[c].nodes.push_back(e.to);
        if (e.pair) result[c].heads.push_back(e.to);
    });
    auto const sort = [](std::vector<std::uint32_t>& nodes) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    };
    for (Component& c : result) {
        sort(c.nodes);
        sort(c.heads);
        // Program order, past what no other edge begins or ends at.
        for (std::size_t i = 1; i < c.nodes.size() && c.nodes[i] < ctp.commands.size(); ++i)
            if (messages.code().thread_of({c.nodes[i - 1]}) == messages.code().thread_of({c.nodes[i]}))
                c.edges.push_back({c.nodes[i - 1], c.nodes[i], {}});
    }
    return result;
}

} // namespace

bool order_clauses(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering, std::size_t most,
                   OrderVocabulary const& vocabulary) {
    auto const all = components(messages, pairs, buffering);
    std::size_t count = 0;
    for (Component const& c : all) count += c.clauses();
    if (count > most) return false;
    std::size_t triples = most - count;

    auto const commands = static_cast<std::uint32_t>(messages.code().ctp().commands.size());
    auto const moment = [&](std::uint32_t node) {
        return node < commands ? Conflict::Moment{false, node} : Conflict::Moment{true, node - commands};
    };
    std::vector<Literal> clause;
    for (Component const& c : all) {
        // Row by row: that a head comes before a node. Of two heads one does.
        std::vector<Literal> before(c.heads.size() * c.nodes.size());
        std::vector<std::size_t> column(c.heads.size()); // head -> its column
        for (std::size_t h = 0; h < c.heads.size(); ++h) column[h] = c.column(c.heads[h]);
        auto const at = [&](std::size_t head, std::size_t node) -> Literal& {
            return before[head * c.nodes.size() + node];
        };
        for (std::size_t h = 0; h < c.heads.size(); ++h) {
            for (std::size_t k = 0; k < h; ++k) at(h, column[k]) = -at(k, column[h]);
            for (std::size_t n = 0; n < c.nodes.size(); ++n)
                if (at(h, n) == 0 && n != column[h])
                    at(h, n) = vocabulary.new_before(moment(c.heads[h]), moment(c.nodes[n]));
        }
        for (PossibleEdge const& e : c.edges) {
            std::size_t const from = c.column(e.from), to = c.column(e.to);
            for (std::size_t h = 0; h < c.heads.size(); ++h) {
                clause.clear();
                if (e.pair) clause.push_back(-vocabulary.match(*e.pair));
                if (from != column[h]) clause.push_back(-at(h, from));
                if (to != column[h]) clause.push_back(at(h, to));
                vocabulary.add(clause);
            }
        }
        if (c.triples() > triples) continue;
        triples -= c.triples();
        for (std::size_t i = 0; i < c.heads.size(); ++i)
            for (std::size_t j = i + 1; j < c.heads.size(); ++j)
                for (std::size_t k = j + 1; k < c.heads.size(); ++k)
                    for (Literal const sign : {1, -1})
                        vocabulary.add({-sign * at(i, column[j]), -sign * at(j, column[k]), sign * at(i, column[k])});
    }
    return true;
}

} // namespace matchpoint::check
