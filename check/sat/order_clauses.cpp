#include "check/sat/order_clauses.hpp"

#include <algorithm>

#include "matching/possible_order.hpp"

namespace matchpoint::check {

namespace {

using Literal = OrderVocabulary::Literal;

/// A strongly connected component of possible_order().
struct Component {
    std::vector<PossibleEdge> edges;
    std::vector<std::uint32_t> nodes; // the ends of all edges, ascending
    std::vector<std::uint32_t> heads; // where edges that rest on a match end, ascending

    std::size_t column(std::uint32_t node) const {
        return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
    }
    std::size_t clauses() const { return heads.size() * edges.size(); }
    /// Clauses for three heads.
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
        // Program order, from each node to the next one of its thread.
        for (std::size_t i = 1; i < c.nodes.size() && c.nodes[i] < ctp.commands.size(); ++i)
            if (messages.code().thread_of({c.nodes[i - 1]}) == messages.code().thread_of({c.nodes[i]}))
                c.edges.push_back({c.nodes[i - 1], c.nodes[i], {}});
    }
    return result;
}

/// The variables and clauses of one component.
class ComponentClauses {
public:
    ComponentClauses(Component const& c, std::uint32_t commands, OrderVocabulary const& vocabulary)
        : c_(c), commands_(commands), vocabulary_(vocabulary), before_(c.heads.size() * c.nodes.size()),
          column_(c.heads.size()) {
        for (std::size_t h = 0; h < c.heads.size(); ++h) column_[h] = c.column(c.heads[h]);
    }

    /// One of two heads comes before the other: both directions share a variable.
    void add_variables() {
        for (std::size_t h = 0; h < c_.heads.size(); ++h) {
            for (std::size_t k = 0; k < h; ++k) before(h, column_[k]) = -before(k, column_[h]);
            for (std::size_t n = 0; n < c_.nodes.size(); ++n)
                if (before(h, n) == 0 && n != column_[h])
                    before(h, n) = vocabulary_.new_before(moment(c_.heads[h]), moment(c_.nodes[n]));
        }
    }

    void add_edges() {
        std::vector<Literal> clause;
        for (PossibleEdge const& e : c_.edges) {
            std::size_t const from = c_.column(e.from), to = c_.column(e.to);
            for (std::size_t h = 0; h < c_.heads.size(); ++h) {
                clause.clear();
                if (e.pair) clause.push_back(-vocabulary_.match(*e.pair));
                if (from != column_[h]) clause.push_back(-before(h, from));
                if (to != column_[h]) clause.push_back(before(h, to));
                vocabulary_.add(clause);
            }
        }
    }

    void add_triples() {
        for (std::size_t i = 0; i < c_.heads.size(); ++i)
            for (std::size_t j = i + 1; j < c_.heads.size(); ++j)
                for (std::size_t k = j + 1; k < c_.heads.size(); ++k)
                    for (Literal const sign : {1, -1})
                        vocabulary_.add({-sign * before(i, column_[j]), -sign * before(j, column_[k]),
                                         sign * before(i, column_[k])});
    }

private:
    Literal& before(std::size_t head, std::size_t node) { return before_[head * c_.nodes.size() + node]; }
    Conflict::Moment moment(std::uint32_t node) const {
        return node < commands_ ? Conflict::Moment{false, node} : Conflict::Moment{true, node - commands_};
    }

    Component const& c_;
    std::uint32_t commands_;
    OrderVocabulary const& vocabulary_;
    std::vector<Literal> before_;     // by head and node
    std::vector<std::size_t> column_; // head -> its index among the nodes
};

} // namespace

bool order_clauses(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering, std::size_t most,
                   OrderVocabulary const& vocabulary) {
    auto const all = components(messages, pairs, buffering);
    std::size_t count = 0;
    for (Component const& c : all) count += c.clauses();
    if (count > most) return false;
    std::size_t triples = most - count;
    auto const commands = static_cast<std::uint32_t>(messages.code().ctp().commands.size());
    for (Component const& c : all) {
        ComponentClauses clauses(c, commands, vocabulary);
        clauses.add_variables();
        clauses.add_edges();
        if (c.triples() > triples) continue;
        triples -= c.triples();
        clauses.add_triples();
    }
    return true;
}

} // namespace matchpoint::check
