#include "check/sat/channel_cases.hpp"

#include <algorithm>
#include <numeric>

namespace matchpoint::check {

namespace {

using Interval = ValueBounds::Interval;

constexpr std::size_t most_channels = 100; // to an endpoint
constexpr unsigned most_depth = 32;        // of an expression

std::int64_t remainder(std::int64_t a, std::int64_t m) { return m == 0 ? a : ((a % m) + m) % m; }

bool is_comparison(Op op) {
    return op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal || op == Op::equal ||
           op == Op::not_equal;
}

/// Of x < y.
Interval result_of_less(Op op) {
    bool const holds = op == Op::less || op == Op::less_equal || op == Op::not_equal;
    return {holds ? 1 : 0, holds ? 1 : 0};
}

/// Of x > y.
Interval result_of_greater(Op op) {
    bool const holds = op == Op::greater || op == Op::greater_equal || op == Op::not_equal;
    return {holds ? 1 : 0, holds ? 1 : 0};
}

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
    Values const right = evaluate(flow_.right(node), c, depth + 1);
    if (op == Op::not_) return {ValueBounds::apply(op, right.interval, right.interval), 1, 0};
    Values const left = evaluate(flow_.left(node), c, depth + 1);
    Values result{ValueBounds::apply(op, left.interval, right.interval), 1, 0};
    bool const are_small = !is_large(left.a) && !is_large(left.m) && !is_large(right.a) && !is_large(right.m);
    if (!are_small) return result;
    std::int64_t const m = std::gcd(left.m, right.m);
    if (op == Op::plus || op == Op::minus) {
        result.m = m;
        result.a = remainder(op == Op::plus ? left.a + right.a : left.a - right.a, m);
    } else if (op == Op::mod && right.m == 0 && right.a > 0) {
        bool const is_constant = left.m % right.a == 0;
        result.m = is_constant ? 0 : std::gcd(left.m, right.a);
        result.a = remainder(left.a, is_constant ? right.a : result.m);
        if (is_constant) result.interval = {result.a, result.a};
    } else if (is_comparison(op)) {
        bool const differ = remainder(left.a - right.a, m) != 0;
        if (differ && (op == Op::equal || op == Op::not_equal)) result.interval = result_of_less(op);
        auto const x = received(flow_.left(node)), y = received(flow_.right(node));
        if (!c.is_one_channel || !x || !y || *x == *y) return result;
        bool const in_order = *x == c.first;
        if (in_order ? c.of_first->ascends : c.of_first->descends) result.interval = result_of_less(op);
        if (in_order ? c.of_first->descends : c.of_first->ascends) result.interval = result_of_greater(op);
    }
    return result;
}

} // namespace matchpoint::check
