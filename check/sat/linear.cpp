#include "check/sat/linear.hpp"

#include <algorithm>

#include "grammar/fold.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::check {

namespace {

/// Adds up multiples of nodes.
class Sum {
public:
    Sum(DataFlow const& flow, Cells const& cells, std::vector<bool> const& is_closed, bool follow)
        : flow_(flow), cells_(cells), is_closed_(is_closed), hops_left_(follow ? most_hops : 0) {}

    /// Adds a multiple of a node. False: it is not linear, or too large.
    bool add(std::uint32_t root, std::int64_t factor, Linear& l) {
        work_.assign(1, {root, factor});
        while (!work_.empty()) {
            spend();
            auto const [at, a] = work_.back();
            work_.pop_back();
            if (++nodes_ > most_nodes || is_large(a) || !add_node(resolve(at), a, l)) return false;
        }
        return true;
    }

private:
    /// The node that a node stands for, through assignments and through messages that have only one receive to go to.
    std::uint32_t resolve(std::uint32_t node) {
        node = flow_.resolve(node);
        while (flow_.ctp().nodes[node].kind == Node::Kind::variable && hops_left_ > 0) {
            std::uint32_t const r = flow_.definition(node).index;
            if (is_closed_[r]) break;
            auto const s = flow_.messages().only_send(r);
            if (!s) break;
            --hops_left_;
            node = flow_.resolve(flow_.payload(*s));
        }
        return node;
    }

    bool add_node(std::uint32_t n, std::int64_t a, Linear& l) {
        Ctp const& ctp = flow_.ctp();
        switch (Node const& node = ctp.nodes[n]; node.kind) {
        case Node::Kind::value: {
            std::int64_t product = 0;
            auto const v = ctp.values[node.payload].small();
            return v && !__builtin_mul_overflow(a, *v, &product) && !__builtin_add_overflow(l.c, product, &l.c) &&
                   !is_large(l.c);
        }
        case Node::Kind::variable: {
            std::uint32_t const x = flow_.definition(n).index;
            l.parts.push_back({x, a});
            return is_closed_[x];
        }
        case Node::Kind::operation: return add_operation(n, a, l);
        }
        return false;
    }

    bool add_operation(std::uint32_t n, std::int64_t a, Linear& l) {
        Arithmetic const* const op = as_arithmetic(flow_.ctp().nodes[n].op);
        if (op == nullptr) return false;
        auto const operands = flow_.operands(n);
        switch (*op) {
        case Arithmetic::plus:
        case Arithmetic::minus:
            work_.emplace_back(operands.front(), a);
            work_.emplace_back(operands.back(), *op == Arithmetic::plus ? a : -a);
            return true;
        case Arithmetic::times: return add_product(operands.front(), operands.back(), a);
        case Arithmetic::div:
        case Arithmetic::mod: break;
        }
        auto const x = cells_.of(n);
        if (!x || !is_closed_[*x]) return false;
        l.parts.push_back({*x, a});
        return true;
    }

    /// Adds the product of a constant and something else.
    bool add_product(std::uint32_t left, std::uint32_t right, std::int64_t a) {
        Ctp const& ctp = flow_.ctp();
        std::uint32_t constant = resolve(left);
        std::uint32_t other = resolve(right);
        if (ctp.nodes[constant].kind != Node::Kind::value) std::swap(constant, other);
        if (ctp.nodes[constant].kind != Node::Kind::value) return false;
        auto const v = ctp.values[ctp.nodes[constant].payload].small();
        std::int64_t product = 0;
        if (!v || __builtin_mul_overflow(a, *v, &product)) return false;
        work_.emplace_back(other, product);
        return true;
    }

    static constexpr std::size_t most_nodes = 1'000'000;
    static constexpr std::size_t most_hops = 1'000; // from message to message

    DataFlow const& flow_;
    Cells const& cells_;
    std::vector<bool> const& is_closed_;
    std::vector<std::pair<std::uint32_t, std::int64_t>> work_;
    std::size_t nodes_ = 0;
    std::size_t hops_left_;
};

/// A comparison as left - right OP 0.
struct Comparison {
    Linear::Kind kind;
    bool strict = false;  // then at_most is <
    bool swapped = false; // right - left
};

Comparison comparison(Relation const& holds) {
    using Kind = Linear::Kind;
    if (holds.is_symmetric()) return {holds.equal ? Kind::equal : Kind::differs};
    return {Kind::at_most, !holds.equal, holds.greater};
}

/// One part for each cell. False: the coefficients are too large for a Wide to hold the sum.
bool merge(std::vector<Linear::Part>& parts) {
    // A value in a table is at most `large_integer`, which leaves this for all coefficients together.
    constexpr Wide most = (Wide{1} << 124U) / large_integer;
    std::sort(parts.begin(), parts.end(), [](auto const& a, auto const& b) { return a.x < b.x; });
    std::vector<Linear::Part> merged;
    for (Linear::Part const& p : parts) {
        if (merged.empty() || merged.back().x != p.x)
            merged.push_back(p);
        else if (__builtin_add_overflow(merged.back().a, p.a, &merged.back().a))
            return false;
    }
    std::erase_if(merged, [](auto const& p) { return p.a == 0; });
    Wide all = 0;
    for (Linear::Part const& p : merged) all += p.a < 0 ? -Wide{p.a} : Wide{p.a};
    parts = std::move(merged);
    return all <= most;
}

} // namespace

std::optional<Linear> linear(DataFlow const& flow, Requirement const& atom, Cells const& cells,
                             std::vector<bool> const& is_closed, bool follow) {
    Node const& root = flow.ctp().nodes[atom.node];
    Sum sum(flow, cells, is_closed, follow);
    if (root.kind == Node::Kind::variable) {
        Linear l{Linear::Kind::equal, {}, atom.value ? -1 : 0};
        if (!sum.add(atom.node, 1, l)) return std::nullopt;
        return l;
    }
    Relation const* const relation = root.kind == Node::Kind::operation ? as_relation(root.op) : nullptr;
    auto const operands = relation != nullptr ? flow.operands(atom.node) : PerOperand<std::uint32_t>();
    if (operands.empty() || flow.is_boolean(operands.front())) return std::nullopt;
    Comparison const c = comparison(atom.value ? *relation : relation->negated());
    Linear l{c.kind, {}, c.strict ? 1 : 0};
    bool const is_sum =
        sum.add(operands.front(), c.swapped ? -1 : 1, l) && sum.add(operands.back(), c.swapped ? 1 : -1, l);
    if (!is_sum || !merge(l.parts)) return std::nullopt;
    return l;
}

} // namespace matchpoint::check
