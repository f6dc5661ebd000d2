#include "check/sat/channel_cases.hpp"

#include <algorithm>
#include <numeric>

#include "grammar/fold.hpp"
namespace matchpoint::check {

namespace {

using Interval = ValueBounds::Interval;

constexpr std::size_t most_channels = 100; // to an endpoint
constexpr unsigned most_depth = 32;        // of an expression

std::int64_t remainder(std::int64_t a, std::int64_t m) { return m == 0 ? a : ((a % m) + m) % m; }

Interval boolean(bool holds) { return {holds ? 1 : 0, holds ? 1 : 0}; }

} // namespace

ChannelCases::ChannelCases(DataFlow const& flow) : flow_(flow) {
    for (std::uint32_t c = 0; c < flow.messages().code().channels().size(); ++c) shapes_.push_back(shape(flow, {c}));
}

std::optional<ChannelCases::Shape> ChannelCases::shape(DataFlow const& flow, Channel c) {
    auto const sends = flow.messages().sends_of(c);
    spend(8 * sends.size());
    Shape result;
    std::optional<std::int64_t> last;
    for (std::uint32_t const s : sends) {
        auto const& v = flow.constant(s);
        auto const i = v && !v->is_boolean() ? v->small() : std::nullopt;
        if (!i || is_large(*i)) return std::nullopt;
        if (!last) {
            result.values = {{*i, *i}, 0, *i};
        } else {
            result.values.interval.join({*i, *i});
            result.values.m = std::gcd(result.values.m, *i - *last);
            result.ascends = result.ascends && *last < *i;
            result.descends = result.descends && *last > *i;
        }
        last = i;
    }
    if (!last) return std::nullopt;
    result.values.a = remainder(result.values.a, result.values.m);
    return result;
}

bool ChannelCases::require(std::span<Requirement const> requirements) {
    return std::all_of(requirements.begin(), requirements.end(), [&](Requirement const& r) { return may_hold(r); });
}

bool ChannelCases::may_hold(Requirement const& requirement) {
    std::vector<Requirement> atoms;
    if (!conjuncts(flow_, std::span(&requirement, 1), atoms)) return false;
    auto const receives = receives_of(atoms);
    if (!receives) return true;
    MessageIndex const& m = flow_.messages();
    auto const channels = m.channels_to(m.receives()[receives->first].beta);
    for (Channel const c : channels)
        if (!shapes_[c.index]) return true;
    for (Channel const c : channels)
        for (Channel const d : channels)
            if (is_possible(atoms, {receives->first, receives->second, &*shapes_[c.index], &*shapes_[d.index], c == d}))
                return true;
    counts_.add(Inference::channels);
    return false;
}

/// Two receives at an endpoint with few channels that the atoms depend on, and on no other; by ordinals.
std::optional<std::pair<std::uint32_t, std::uint32_t>>
ChannelCases::receives_of(std::vector<Requirement> const& atoms) const {
    Dependence all;
    for (Requirement const& atom : atoms) all.join(flow_.dependence(atom.node));
    if (all.count() != 2) return std::nullopt;
    MessageIndex const& m = flow_.messages();
    auto const& x = m.receives()[all.first];
    auto const& y = m.receives()[all.second];
    if (x.beta != y.beta || m.channels_to(x.beta).size() > most_channels) return std::nullopt;
    return x.ordinal < y.ordinal ? std::pair(all.first, all.second) : std::pair(all.second, all.first);
}

bool ChannelCases::is_possible(std::vector<Requirement> const& atoms, Case const& c) const {
    return std::all_of(atoms.begin(), atoms.end(), [&](Requirement const& atom) {
        Interval const v = evaluate(atom.node, c, 0).interval;
        return atom.value ? v.hi >= 1 : v.lo <= 0;
    });
}

/// The receive whose value a node is.
std::optional<std::uint32_t> ChannelCases::received(std::uint32_t node) const {
    std::uint32_t const n = flow_.resolve(node);
    if (flow_.ctp().nodes[n].kind != Node::Kind::variable) return std::nullopt;
    return flow_.definition(n).index;
}

ChannelCases::Values ChannelCases::evaluate(std::uint32_t node, Case const& c, unsigned depth) const {
    spend(8);
    std::uint32_t const n = flow_.resolve(node);
    Node const& at = flow_.ctp().nodes[n];
    if (at.kind == Node::Kind::variable) return (*received(n) == c.first ? c.of_first : c.of_second)->values;
    if (at.kind == Node::Kind::operation) return depth < most_depth ? apply(n, c, depth) : Values();
    Value const& v = flow_.ctp().values[at.payload];
    auto const i = v.is_boolean() ? std::nullopt : v.small();
    return i && !is_large(*i) ? Values{{*i, *i}, 0, *i} : Values{ValueBounds::of(v), 1, 0};
}

ChannelCases::Values ChannelCases::apply(std::uint32_t node, Case const& c, unsigned depth) const {
    Op const op = flow_.ctp().nodes[node].op;
    auto const operands = flow_.operands(node);
    PerOperand<Values> values;
    PerOperand<Interval> intervals;
    for (std::uint32_t const operand : operands) {
        values.push_back(evaluate(operand, c, depth + 1));
        intervals.push_back(values.back().interval);
    }
    Values result{ValueBounds::apply(op, intervals), 1, 0};
    bool const are_small =
        std::all_of(values.begin(), values.end(), [](Values const& v) { return !is_large(v.a) && !is_large(v.m); });
    if (!are_small) return result;
    if (Arithmetic const* const f = as_arithmetic(op)) narrow(*f, values.front(), values.back(), result);
    if (Relation const* const relation = as_relation(op)) {
        Values const& left = values.front();
        Values const& right = values.back();
        bool const differ = remainder(left.a - right.a, std::gcd(left.m, right.m)) != 0;
        if (differ && relation->is_symmetric()) result.interval = boolean(relation->less);
        auto const x = received(operands.front()), y = received(operands.back());
        if (!c.is_one_channel || !x || !y || *x == *y) return result;
        bool const in_order = *x == c.first;
        if (in_order ? c.of_first->ascends : c.of_first->descends) result.interval = boolean(relation->less);
        if (in_order ? c.of_first->descends : c.of_first->ascends) result.interval = boolean(relation->greater);
    }
    return result;
}

/// The remainders of sums, differences and remainders.
void ChannelCases::narrow(Arithmetic op, Values const& left, Values const& right, Values& result) {
    switch (op) {
    case Arithmetic::plus:
    case Arithmetic::minus:
        result.m = std::gcd(left.m, right.m);
        result.a = remainder(op == Arithmetic::plus ? left.a + right.a : left.a - right.a, result.m);
        break;
    case Arithmetic::mod: {
        if (right.m != 0 || right.a <= 0) break;
        bool const is_constant = left.m % right.a == 0;
        result.m = is_constant ? 0 : std::gcd(left.m, right.a);
        result.a = remainder(left.a, is_constant ? right.a : result.m);
        if (is_constant) result.interval = {result.a, result.a};
        break;
    }
    case Arithmetic::times:
    case Arithmetic::div: break; // nothing is known of their remainders
    }
}

} // namespace matchpoint::check
