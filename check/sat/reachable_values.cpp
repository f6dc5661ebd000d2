#include "check/sat/reachable_values.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>

#include "check/sat/choices.hpp"
#include "grammar/fold.hpp"
#include "machine/operation.hpp"

namespace matchpoint::check {

ReachableValues::ReachableValues(DataFlow const& flow, MatchPairs const& pairs, std::size_t budget)
    : flow_(flow), pairs_(pairs), budget_(budget), received_(pairs.of.size()), of_(flow.ctp().nodes.size()),
      computed_(flow.ctp().nodes.size()) {
    iterate();
}

std::vector<Value> const* ReachableValues::of_receive(std::uint32_t receive) const {
    Set const& set = received_[receive];
    return set.is_known ? &set.values : nullptr;
}

std::vector<Value> const* ReachableValues::of(std::uint32_t node) {
    Set const& set = evaluate(node);
    return set.is_known ? &set.values : nullptr;
}

/// True if the set changes.
bool ReachableValues::add(Set& set, Value const& v) {
    spend(set.values.size() / 8 + 1);
    budget_ -= std::min(budget_, set.values.size() / 8 + 1);
    if (!set.is_known || std::find(set.values.begin(), set.values.end(), v) != set.values.end()) return false;
    if (set.values.size() == most) {
        set.is_known = false;
        set.values.clear();
    } else {
        set.values.push_back(v);
    }
    return true;
}

bool ReachableValues::add(Set& set, Set const& other) {
    if (!set.is_known) return false;
    if (!other.is_known) {
        set = {.is_known = false, .values = {}};
        return true;
    }
    bool changed = false;
    for (Value const& v : other.values) changed |= add(set, v);
    return changed;
}

/// The values of a node, and of everything that it is computed from, in this round.
ReachableValues::Set const& ReachableValues::evaluate(std::uint32_t root) {
    if (computed_[root] == round_) return of_[root];
    Ctp const& ctp = flow_.ctp();
    auto const expression = [&](std::uint32_t last) {
        if (computed_[last] == round_) return;
        for (std::uint32_t n = expression_at(ctp, last).first; n <= last; ++n) {
            if (computed_[n] == round_) continue;
            computed_[n] = round_;
            Set& set = of_[n];
            Node const& at = ctp.nodes[n];
            budget_ -= std::min<std::size_t>(budget_, 1);
            if (at.kind == Node::Kind::value) {
                set.values.assign(1, ctp.values[at.payload]);
            } else if (at.kind == Node::Kind::variable) {
                Definition const d = flow_.definition(n);
                set = d.kind == Definition::Kind::receive ? received_[d.index]
                                                          : of_[std::get<Assign>(ctp.commands[d.index].c).e.root()];
                budget_ -= std::min(budget_, set.values.size() / 8);
            } else {
                combine(n, set);
            }
        }
    };
    for (std::uint32_t const location : flow_.cone(root).assignments)
        expression(std::get<Assign>(ctp.commands[location].c).e.root());
    expression(root);
    return of_[root];
}

void ReachableValues::combine(std::uint32_t node, Set& result) {
    Op const op = flow_.ctp().nodes[node].op;
    result.values.clear();
    result.is_known = !flow_.is_boolean(node);
    if (!result.is_known) return;
    PerOperand<std::span<Value const>> choices;
    std::size_t count = 1;
    for (std::uint32_t const operand : flow_.operands(node)) {
        Set const& of_operand = of_[operand];
        choices.push_back(of_operand.values);
        count *= of_operand.values.size();
        result.is_known = result.is_known && of_operand.is_known && count <= most_choices && count <= budget_;
    }
    if (!result.is_known) return;
    spend(4 * count);
    budget_ -= count;
    boost::unordered_flat_set<Value> seen;
    for_each_choice(choices, [&](auto const&, std::span<Value const> operands) {
        auto const v = apply(op, operands);
        auto const* const value = std::get_if<Value>(&v);
        if (value != nullptr && seen.insert(*value).second) result.values.push_back(*value);
    });
    if (result.values.size() <= most_combined) return;
    result = {.is_known = false, .values = {}};
}

bool ReachableValues::is_computed(std::uint32_t send) const {
    return !flow_.constant(send) && flow_.is_relevant(flow_.messages().sends()[send].rho.index);
}

/// Nodes are receives, then sends. Edges go from a computed send to the receives that may get it, and from a receive to
/// the sends that are computed from it.
Graph ReachableValues::flow_of_computed_sends() const {
    auto const receives = static_cast<std::uint32_t>(pairs_.of.size());
    auto const sends = static_cast<std::uint32_t>(flow_.messages().sends().size());
    auto const each_edge = [&](auto const& edge) {
        for (std::uint32_t r = 0; r < receives; ++r)
            for (std::uint32_t const s : pairs_.of[r])
                if (is_computed(s)) edge(receives + s, r);
        for (std::uint32_t s = 0; s < sends; ++s)
            if (is_computed(s))
                for (std::uint32_t const r : flow_.cone(flow_.payload(s)).receives) edge(r, receives + s);
    };
    Graph graph(receives + sends);
    each_edge([&](std::uint32_t from, std::uint32_t) { graph.announce(from); });
    graph.ready();
    each_edge([&](std::uint32_t from, std::uint32_t to) { graph.add(from, to); });
    return graph;
}

/// The computed sends by strongly connected components, in topological order.
std::vector<ReachableValues::Component> ReachableValues::components() const {
    Graph const graph = flow_of_computed_sends();
    auto const receives = static_cast<std::uint32_t>(pairs_.of.size());
    StrongComponents const strong(graph);
    auto const number = [&](std::uint32_t node) {
        return strong.of[node] == StrongComponents::alone ? strong.count + node : strong.of[node];
    };
    std::vector<std::vector<std::uint32_t>> nodes(strong.count + graph.nodes());
    std::vector<std::uint32_t> incoming(nodes.size()); // edges from other components
    for (std::uint32_t n = 0; n < graph.nodes(); ++n) {
        nodes[number(n)].push_back(n);
        for (std::uint32_t e = graph.begin(n); e < graph.end(n); ++e)
            if (number(graph.to(e)) != number(n)) ++incoming[number(graph.to(e))];
    }
    std::vector<Component> result;
    std::vector<std::uint32_t> next;
    for (std::uint32_t p = 0; p < nodes.size(); ++p)
        if (!nodes[p].empty() && incoming[p] == 0) next.push_back(p);
    while (!next.empty()) {
        std::uint32_t const p = next.back();
        next.pop_back();
        Component component;
        for (std::uint32_t const n : nodes[p]) {
            if (n < receives)
                ++component.receives;
            else if (is_computed(n - receives))
                component.sends.push_back(n - receives);
            for (std::uint32_t e = graph.begin(n); e < graph.end(n); ++e)
                if (std::uint32_t const to = number(graph.to(e)); to != p && --incoming[to] == 0) next.push_back(to);
        }
        if (!component.sends.empty()) result.push_back(std::move(component));
    }
    return result;
}

void ReachableValues::iterate() {
    std::vector<std::vector<std::uint32_t>> receives_of(flow_.messages().sends().size());
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
        for (std::uint32_t const s : pairs_.of[r]) {
            receives_of[s].push_back(r);
            if (auto const& v = flow_.constant(s)) add(received_[r], *v);
        }
    for (auto const& [sends, receives] : components()) {
        bool changed = true;
        for (std::size_t round = 0; changed && budget_ > 0 && round <= std::min(sends.size(), receives); ++round) {
            changed = false;
            ++round_;
            for (std::uint32_t const s : sends) {
                Set const& sent = evaluate(flow_.payload(s));
                for (std::uint32_t const r : receives_of[s]) changed |= add(received_[r], sent);
            }
        }
    }
    ++round_;
    if (budget_ == 0) received_.assign(received_.size(), {.is_known = false, .values = {}});
}

} // namespace matchpoint::check
