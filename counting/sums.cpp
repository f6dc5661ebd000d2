#include "counting/sums.hpp"

#include <algorithm>
#include <span>

#include "base/overloaded.hpp"
#include "base/wide.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "grammar/selectors.hpp"
#include "matching/definitions.hpp"

namespace matchpoint::counting {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 40U; // of a number
constexpr std::size_t most_parts = 4096;

constexpr Relation is_zero{false, true, false};

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

std::optional<Sum> sum_of(Arithmetic op, std::optional<Sum> const& a, std::optional<Sum> const& b) {
    switch (op) {
    case Arithmetic::plus: return a && b ? add(*a, *b, 1) : std::nullopt;
    case Arithmetic::minus: return a && b ? add(*a, *b, -1) : std::nullopt;
    case Arithmetic::times: return product(a, b);
    case Arithmetic::div:
    case Arithmetic::mod: break; // no sums
    }
    return std::nullopt;
}

/// Of booleans, only a negation is a sum: 1 - a.
std::optional<Sum> combined(Op op, std::span<std::optional<Sum> const> operands) {
    return std::visit(overloaded{
                          [&](Arithmetic f) { return sum_of(f, operands.front(), operands.back()); },
                          [](Relation const&) -> std::optional<Sum> { return std::nullopt; },
                          [&](Connective const&) -> std::optional<Sum> {
                              auto const& a = operands.front();
                              return op == Op::not_ && a ? add(Sum{1}, *a, -1) : std::nullopt;
                          },
                          [](Choice) -> std::optional<Sum> { return std::nullopt; },
                      },
                      row(op).meaning);
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
    auto const operation = [](Op op, std::span<std::optional<Sum> const> operands, std::uint32_t) {
        return combined(op, operands);
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
        Expression const condition = left.back().e;
        bool const holds = left.back().holds;
        left.pop_back();
        auto const compared_with_0 = [&](std::optional<Sum> sum, Relation const& relation) {
            if (!sum) return result.emplace_back();
            return result.emplace_back(Comparison{std::move(*sum), holds ? relation : relation.negated()});
        };
        Node const& root = ctp_.nodes[condition.root()];
        if (root.kind != Node::Kind::operation) {
            auto sum = of(command, condition);
            if (sum) --sum->constant;
            compared_with_0(std::move(sum), is_zero);
            continue;
        }
        PerOperand<Expression> operands;
        for (std::uint32_t const at : operand_roots(ctp_, condition.root()))
            operands.push_back(expression_at(ctp_, at));
        auto const take_apart = [&](Connective const& connective) {
            auto const only = connective.only_row(holds);
            if (!only) return static_cast<void>(result.emplace_back());
            for (std::size_t k = operands.size(); k-- > 0;)
                left.push_back({operands[k], Connective::operand(*only, k)});
        };
        std::visit(overloaded{
                       [&](Arithmetic) { result.emplace_back(); },
                       [&](Relation const& relation) {
                           auto const a = of(command, operands.front());
                           auto const b = of(command, operands.back());
                           compared_with_0(a && b ? add(*a, *b, -1) : std::nullopt, relation);
                       },
                       take_apart,
                       [&](Choice) { result.emplace_back(); },
                   },
                   row(root.op).meaning);
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
        Comparison is_one{*operand.sum, is_zero};
        --is_one.sum.constant;
        return known(is_one);
    };
    auto const operation = [&](Op op, std::span<Operand> operands, std::uint32_t) -> Operand {
        if (is_choice(op)) {
            Known const condition = held(operands.front());
            return condition ? std::move(operands[Choice::operand(*condition)]) : Operand();
        }
        PerOperand<std::optional<Sum>> sums;
        for (Operand const& operand : operands) sums.push_back(operand.sum);
        auto const connected = [&](Connective const& connective) -> Known {
            PerOperand<Known> holds;
            for (Operand const& operand : operands) holds.push_back(held(operand));
            return connective.of(holds);
        };
        auto const compared = [&](Relation const& relation) -> Known {
            if (!sums.front() || !sums.back()) {
                auto const of_booleans = as_connective(op);
                return of_booleans ? connected(*of_booleans) : std::nullopt;
            }
            auto difference = add(*sums.front(), *sums.back(), -1);
            return difference ? known({std::move(*difference), relation}) : std::nullopt;
        };
        auto const arithmetic = [](Arithmetic) { return Known(); };
        auto const choice = [](Choice) { return Known(); };
        Known const holds = std::visit(overloaded{arithmetic, compared, connected, choice}, row(op).meaning);
        return {combined(op, sums), holds};
    };
    auto const leaf = [&](std::uint32_t node) -> Operand { return {of(command, {node, 1}), {}}; };
    return held(fold<Operand>(ctp_, e,
                              Algebra{[](Value const& v) -> Operand {
                                          return {constant(v), {}};
                                      },
                                      [&](Variable, std::uint32_t node) { return leaf(node); }, operation}));
}

} // namespace matchpoint::counting
