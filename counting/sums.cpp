#include "counting/sums.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "base/overloaded.hpp"
#include "base/wide.hpp"
#include "grammar/fold.hpp"
#include "grammar/selectors.hpp"
#include "matching/definitions.hpp"

namespace matchpoint::counting {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 40U; // of a number
constexpr std::size_t most_parts = 4096;

bool is_small(std::int64_t n) { return -most < n && n < most; }

/// a + factor * b. None if a number is large, or there are many parts.
std::optional<Sum> add(Sum const& a, Sum const& b, std::int64_t factor) {
    if (a.parts.size() + b.parts.size() > most_parts) return std::nullopt;
    Sum result;
    auto const sum = [&](std::int64_t n, std::int64_t m) -> std::optional<std::int64_t> {
        auto const all = static_cast<Wide>(n) + static_cast<Wide>(m) * factor;
        if (all >= most || all <= -most) return std::nullopt;
        return static_cast<std::int64_t>(all);
    };
    auto const constant = sum(a.constant, b.constant);
    if (!constant) return std::nullopt;
    result.constant = *constant;
    auto p = a.parts.begin();
    auto q = b.parts.begin();
    while (p != a.parts.end() || q != b.parts.end()) {
        auto const key = [](Sum::Part const& part) { return std::pair(part.at, part.x); };
        bool const takes_p = q == b.parts.end() || (p != a.parts.end() && key(*p) <= key(*q));
        bool const takes_q = p == a.parts.end() || (q != b.parts.end() && key(*q) <= key(*p));
        Sum::Part part = takes_p ? *p : *q;
        auto const n = sum(takes_p ? p->factor : 0, takes_q ? q->factor : 0);
        if (!n) return std::nullopt;
        part.factor = *n;
        if (part.factor != 0) result.parts.push_back(part);
        if (takes_p) ++p;
        if (takes_q) ++q;
    }
    return result;
}

std::optional<Sum> constant(Value const& v) {
    if (v.is_boolean()) return Sum{v.is_true() ? 1 : 0};
    auto const small = v.small();
    return small && is_small(*small) ? std::optional(Sum{*small}) : std::nullopt;
}

std::optional<Sum> product(std::optional<Sum> const& a, std::optional<Sum> const& b) {
    if (!a || !b) return std::nullopt;
    if (b->parts.empty()) return add({}, *a, b->constant);
    return a->parts.empty() ? add({}, *b, a->constant) : std::nullopt;
}

std::optional<Sum> combined(Op op, std::optional<Sum> const& a, std::optional<Sum> const& b) {
    switch (op) {
    case Op::plus: return a && b ? add(*a, *b, 1) : std::nullopt;
    case Op::minus: return a && b ? add(*a, *b, -1) : std::nullopt;
    case Op::times: return product(a, b);
    case Op::div:
    case Op::mod:
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::implies:
    case Op::not_: break;
    }
    return std::nullopt;
}

/// 1 - a
std::optional<Sum> negation(std::optional<Sum> const& a) { return a ? add(Sum{1}, *a, -1) : std::nullopt; }

/// The comparison that holds where this one does not.
Op negated(Op op) {
    switch (op) {
    case Op::equal: return Op::not_equal;
    case Op::not_equal: return Op::equal;
    case Op::less: return Op::greater_equal;
    case Op::less_equal: return Op::greater;
    case Op::greater: return Op::less_equal;
    case Op::greater_equal: return Op::less;
    case Op::plus:
    case Op::minus:
    case Op::times:
    case Op::div:
    case Op::mod:
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::implies:
    case Op::not_: break;
    }
    throw std::logic_error("negated: no comparison");
}

/// By Kleene: false and anything is false, whether the other one is known or not.
Known combined(Op op, Known a, Known b) {
    switch (op) {
    case Op::and_:
        if (a == false || b == false) return false;
        return a && b ? Known(true) : std::nullopt;
    case Op::or_:
        if (a == true || b == true) return true;
        return a && b ? Known(false) : std::nullopt;
    case Op::implies:
        if (a == false || b == true) return true;
        return a && b ? Known(false) : std::nullopt;
    case Op::equal: return a && b ? Known(*a == *b) : std::nullopt;
    case Op::xor_:
    case Op::not_equal: return a && b ? Known(*a != *b) : std::nullopt;
    case Op::plus:
    case Op::minus:
    case Op::times:
    case Op::div:
    case Op::mod:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::not_: break;
    }
    return std::nullopt;
}

} // namespace

Sums::Sums(MessageIndex const& messages)
    : ctp_(messages.code().ctp()), is_shared_(messages.code().names().variables.size()), local_(ctp_.nodes.size()) {
    for (SharedVariable const& s : ctp_.shared) is_shared_[s.x.index] = true;
    values_.emplace_back(); // of a local of which nothing is known
    auto const completed = completed_at(messages);
    for (Thread const& thread : ctp_.threads) add_thread(thread, messages, completed);
}

void Sums::add_thread(Thread const& thread, MessageIndex const& messages,
                      std::vector<std::vector<std::uint32_t>> const& completed) {
    std::vector<std::uint32_t> now(is_shared_.size()); // local -> its number in values_
    for (std::uint32_t i = thread.first; i < thread.last; ++i) {
        Command const& command = ctp_.commands[i].c;
        for_each_expression(ctp_, command, [&](Expression e) {
            for (std::uint32_t n = e.first; n <= e.root(); ++n)
                if (ctp_.nodes[n].kind == Node::Kind::variable) local_[n] = now[ctp_.nodes[n].payload];
        });
        // All right-hand sides are evaluated before any variable changes.
        std::vector<std::pair<Variable, std::uint32_t>> changed;
        auto const assign = [&](Variable x, Expression e) {
            if (is_shared(x)) return;
            values_.push_back(of(i, e));
            changed.emplace_back(x, static_cast<std::uint32_t>(values_.size() - 1));
        };
        auto const forget = [&](Variable x) { changed.emplace_back(x, 0); };
        std::visit(overloaded{
                       [&](Assign const& c) { assign(c.x, c.e); },
                       [&](Guarded const& c) {
                           for (auto const& [x, e] : ctp_.assigned(c)) assign(x, e);
                       },
                       [&](Wait const&) {
                           for (std::uint32_t const r : completed[i]) {
                               Rcvi const& receive = *messages.code().as_rcvi(messages.receives()[r].a);
                               Selectors const* const sel = selectors_of(ctp_, receive);
                               forget(receive.x);
                               if (sel != nullptr && sel->source) forget(*sel->source);
                               if (sel != nullptr && sel->tagged) forget(*sel->tagged);
                           }
                       },
                       [](auto const&) {},
                   },
                   command);
        for (auto const& [x, n] : changed) now[x.index] = n;
    }
}

std::optional<Sum> Sums::of(std::uint32_t command, Expression e) const {
    auto const operation = [](Op op, std::span<std::optional<Sum>> operands, std::uint32_t) {
        return operands.size() == 1 ? negation(operands[0]) : combined(op, operands[0], operands[1]);
    };
    return fold<std::optional<Sum>>(ctp_, e,
                                    Algebra{[](Value const& v) { return constant(v); },
                                            [&](Variable x, std::uint32_t node) -> std::optional<Sum> {
                                                if (is_shared(x)) return Sum{0, {{command, x, 1}}};
                                                return values_[local_[node]];
                                            },
                                            operation});
}

std::vector<std::optional<Comparison>> Sums::conjuncts(std::uint32_t command, Expression e) const {
    std::vector<std::optional<Comparison>> result;
    struct Condition {
        Expression e;
        bool holds;
    };
    std::vector<Condition> left{{e, true}};
    while (!left.empty()) {
        auto const [condition, holds] = left.back();
        left.pop_back();
        Node const& root = ctp_.nodes[condition.root()];
        if (root.kind != Node::Kind::operation) {
            auto sum = of(command, condition);
            if (sum) --sum->constant;
            result.push_back(sum ? std::optional(Comparison{std::move(*sum), holds ? Op::equal : Op::not_equal})
                                 : std::nullopt);
            continue;
        }
        std::uint32_t const size = root.payload;
        Expression const second{condition.root() - size, size};
        Expression const first{condition.first, condition.size - 1 - size};
        if (root.op == Op::not_) {
            left.push_back({{condition.first, condition.size - 1}, !holds});
        } else if (root.op == (holds ? Op::and_ : Op::or_)) {
            left.push_back({second, holds});
            left.push_back({first, holds});
        } else if (!holds && root.op == Op::implies) {
            left.push_back({second, false});
            left.push_back({first, true});
        } else if (compares(root.op)) {
            auto const a = of(command, first);
            auto const b = of(command, second);
            auto sum = a && b ? add(*a, *b, -1) : std::nullopt;
            Op const op = holds ? root.op : negated(root.op);
            result.push_back(sum ? std::optional(Comparison{std::move(*sum), op}) : std::nullopt);
        } else {
            result.emplace_back();
        }
    }
    return result;
}

Known Sums::evaluate(std::uint32_t command, Expression e, std::function<Known(Comparison const&)> const& known) const {
    struct Operand {
        std::optional<Sum> sum;
        Known holds; // none if it is not known, or the sum tells
    };
    auto const held = [&](Operand const& operand) -> Known {
        if (operand.holds || !operand.sum) return operand.holds;
        Comparison is_one{*operand.sum, Op::equal};
        --is_one.sum.constant;
        return known(is_one);
    };
    auto const operation = [&](Op op, std::span<Operand> operands, std::uint32_t) -> Operand {
        Operand const& left = operands.front();
        if (operands.size() == 1) return {negation(left.sum), left.holds ? Known(!*left.holds) : Known()};
        Operand const& right = operands.back();
        Known holds;
        if (compares(op) && left.sum && right.sum) {
            if (auto sum = add(*left.sum, *right.sum, -1)) holds = known({std::move(*sum), op});
        } else if (gives_boolean(op)) {
            holds = combined(op, held(left), held(right));
        }
        return {combined(op, left.sum, right.sum), holds};
    };
    auto const leaf = [&](std::uint32_t node) -> Operand { return {of(command, {node, 1}), {}}; };
    return held(fold<Operand>(ctp_, e,
                              Algebra{[](Value const& v) -> Operand {
                                          return {constant(v), {}};
                                      },
                                      [&](Variable, std::uint32_t node) { return leaf(node); }, operation}));
}

} // namespace matchpoint::counting
