#include "check/sat/fields.hpp"

#include <algorithm>

#include "grammar/operators.hpp"
#include "machine/operation.hpp"

namespace matchpoint::check {

namespace {

constexpr std::size_t most_factors = 4;

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
    std::uint32_t node = flow_.payload(send);
    while (result.size() < most_factors && flow_.operation(node) == Op::plus) {
        auto const sum = flow_.operands(node);
        if (flow_.operation(sum.front()) != Op::times) break;
        auto const product = flow_.operands(sum.front());
        auto const c = small_value(sum.back());
        auto const k = small_value(product.back());
        if (!c || !k || *c < 0 || *c >= *k) break;
        result.push_back(*k);
        node = product.front();
    }
    return result;
}

std::optional<Fields::Field> Fields::of(std::uint32_t node) const {
    std::vector<std::int64_t> divisors; // from the outside
    std::optional<std::int64_t> modulus;
    auto const take = [&] { // the right operand; then this is about the left one
        auto const operands = flow_.operands(node);
        node = flow_.resolve(operands.front());
        return small_value(operands.back());
    };
    if (flow_.operation(node) == Op::mod) {
        modulus = take();
        if (!modulus) return std::nullopt;
    }
    while (divisors.size() <= most_factors && flow_.operation(node) == Op::div) {
        auto const k = take();
        if (!k) return std::nullopt;
        divisors.push_back(*k);
    }
    if (flow_.ctp().nodes[node].kind != Node::Kind::variable || flow_.is_boolean(node)) return std::nullopt;
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
        for (std::uint32_t i = 0; i < level; ++i) node = flow_.operands(flow_.operands(node).front()).front();
        return small_value(flow_.operands(node).back());
    }
    std::optional<Value> v = flow_.constant(send);
    if (!v) return std::nullopt;
    for (std::int64_t const k : factors) v = std::get<Value>(apply(Op::div, *v, Value::integer(k)));
    return v->small();
}

} // namespace matchpoint::check
