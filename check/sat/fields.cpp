#include "check/sat/fields.hpp"

#include <algorithm>

#include "machine/operation.hpp"

namespace matchpoint::check {

namespace {

constexpr std::size_t most_factors = 4;

bool is_operation(Node const& node, Op op) { return node.kind == Node::Kind::operation && node.op == op; }

} // namespace

Fields::Fields(DataFlow const& flow) : flow_(flow), factors_(flow.messages().code().endpoints().size()) {
    for (std::uint32_t beta = 0; beta < factors_.size(); ++beta) find({beta});
}

/// What the factors of all sends to an endpoint start with.
void Fields::find(Endpoint beta) {
    MessageIndex const& m = flow_.messages();
    bool is_first = true;
    auto& common = factors_[beta.index];
    for (Channel const c : m.channels_to(beta))
        for (std::uint32_t const s : m.sends_of(c)) {
            spend();
            std::vector<std::int64_t> const of_send = factors(s);
            if (is_first)
                common = of_send;
            else
                common.resize(static_cast<std::size_t>(
                    std::mismatch(common.begin(), common.end(), of_send.begin(), of_send.end()).first -
                    common.begin()));
            if (common.empty()) return;
            is_first = false;
        }
}

std::optional<std::int64_t> Fields::small_value(std::uint32_t node) const {
    Node const& n = flow_.ctp().nodes[node];
    if (n.kind != Node::Kind::value || flow_.is_boolean(node)) return std::nullopt;
    return flow_.ctp().values[n.payload].small();
}

/// From the outside.
std::vector<std::int64_t> Fields::factors(std::uint32_t send) const {
    std::vector<std::int64_t> result;
    auto const& nodes = flow_.ctp().nodes;
    std::uint32_t node = flow_.payload(send);
    while (result.size() < most_factors && is_operation(nodes[node], Op::plus) &&
           is_operation(nodes[flow_.left(node)], Op::times)) {
        std::uint32_t const product = flow_.left(node);
        auto const c = small_value(flow_.right(node));
        auto const k = small_value(flow_.right(product));
        if (!c || !k || *c < 0 || *c >= *k) break;
        result.push_back(*k);
        node = flow_.left(product);
    }
    return result;
}

std::optional<Fields::Field> Fields::of(std::uint32_t node) const {
    auto const& nodes = flow_.ctp().nodes;
    std::vector<std::int64_t> divisors; // from the outside
    std::optional<std::int64_t> modulus;
    auto const take = [&] { // the right operand; then this is about the left one
        auto const k = small_value(flow_.right(node));
        node = flow_.resolve(flow_.left(node));
        return k;
    };
    if (is_operation(nodes[node], Op::mod)) {
        modulus = take();
        if (!modulus) return std::nullopt;
    }
    while (divisors.size() <= most_factors && is_operation(nodes[node], Op::div)) {
        auto const k = take();
        if (!k) return std::nullopt;
        divisors.push_back(*k);
    }
    if (nodes[node].kind != Node::Kind::variable || flow_.is_boolean(node)) return std::nullopt;
    std::uint32_t const r = flow_.definition(node).index;
    auto const& factors = factors_[flow_.messages().receives()[r].beta.index];
    std::size_t const level = divisors.size();
    bool const is_last = !modulus;
    if (level > factors.size() || factors.empty() || (is_last ? level != factors.size() : level == factors.size()))
        return std::nullopt;
    if (!std::equal(divisors.rbegin(), divisors.rend(), factors.begin())) return std::nullopt;
    if (modulus && *modulus != factors[level]) return std::nullopt;
    return Field{r, static_cast<std::uint32_t>(level)};
}

std::optional<std::int64_t> Fields::constant(std::uint32_t send, std::uint32_t level) const {
    MessageIndex const& m = flow_.messages();
    auto const& factors = factors_[m.beta_of(m.sends()[send]).index];
    if (level < factors.size()) {
        std::uint32_t node = flow_.payload(send);
        for (std::uint32_t i = 0; i < level; ++i) node = flow_.left(flow_.left(node));
        return small_value(flow_.right(node));
    }
    std::optional<Value> v = flow_.constant(send);
    if (!v) return std::nullopt;
    for (std::int64_t const k : factors) v = std::get<Value>(apply(Op::div, *v, Value::integer(k)));
    return v->small();
}

} // namespace matchpoint::check
