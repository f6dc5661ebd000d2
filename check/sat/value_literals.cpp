#include "check/sat/value_literals.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>

#include "check/sat/choices.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "machine/operation.hpp"

namespace matchpoint::check {

namespace {

bool is_less(Value const& a, Value const& b) { return std::get<Value>(apply(Op::less, a, b)).is_true(); }

} // namespace

ValueLiterals::ValueLiterals(SatSolver& sat, DataFlow const& flow, MatchPairs const& pairs,
                             std::function<Literal(std::uint32_t, std::size_t)> match)
    : sat_(sat), flow_(flow), pairs_(pairs), match_(std::move(match)), reachable_(flow, pairs),
      true_(sat.new_variable()) {
    sat_.add({true_});
}

bool ValueLiterals::is_zero(std::uint32_t node, Literal literal) {
    std::uint32_t const n = flow_.resolve(node);
    if (!afford({n})) return false;
    for (std::size_t i = 0; i < values(n).size(); ++i)
        sat_.add({-literals(n)[i], values(n)[i] == Value::integer(0) ? literal : -literal});
    return true;
}

bool ValueLiterals::holds(std::uint32_t node, Literal literal) {
    auto const op = flow_.operation(node);
    Relation const* const relation = op ? as_relation(*op) : nullptr;
    if (relation == nullptr) return false;
    auto const operands = flow_.resolved_operands(node);
    std::uint32_t const a = operands.front();
    std::uint32_t const b = operands.back();
    if (!afford({a, b})) return false;
    if (relation->is_symmetric())
        same(a, b, relation->equal ? literal : -literal);
    else if (relation->less == relation->equal) // a <= b, or a > b
        at_most(a, b, relation->less ? literal : -literal);
    else
        at_most(b, a, relation->greater ? literal : -literal);
    return true;
}

ValueLiterals::Literal ValueLiterals::received(std::uint32_t receive, Value const& v) const {
    auto const it = known_.find(static_cast<std::uint32_t>(flow_.ctp().nodes.size()) + receive);
    if (it == known_.end()) return 0;
    auto const& values = *reachable_.of_receive(receive);
    auto const at = std::find(values.begin(), values.end(), v);
    return at == values.end() ? 0 : it->second.is[static_cast<std::size_t>(at - values.begin())];
}

/// The key of a node: all variables that one receive defines have the same key.
std::uint32_t ValueLiterals::key(std::uint32_t resolved) const {
    return flow_.ctp().nodes[resolved].kind == Node::Kind::variable
               ? static_cast<std::uint32_t>(flow_.ctp().nodes.size()) + flow_.definition(resolved).index
               : resolved;
}

/// How many clauses define a node; none if its values are not known, or booleans.
std::optional<std::size_t> ValueLiterals::cost(std::uint32_t n) {
    auto const* const own = reachable_.of(n);
    if (own == nullptr || std::any_of(own->begin(), own->end(), [](Value const& v) { return v.is_boolean(); }))
        return std::nullopt;
    Node const& at = flow_.ctp().nodes[n];
    std::size_t clauses = own->size();
    if (at.kind == Node::Kind::variable) {
        for (std::uint32_t const s : pairs_.of[flow_.definition(n).index]) {
            auto const* const sent = flow_.constant(s) ? nullptr : reachable_.of(flow_.resolve(flow_.payload(s)));
            clauses += sent == nullptr ? 1 : 3 * sent->size();
        }
    } else if (at.kind == Node::Kind::operation) {
        std::size_t choices = 1;
        for (std::uint32_t const operand : flow_.resolved_operands(n)) {
            auto const* const values = reachable_.of(operand);
            if (values == nullptr) return std::nullopt;
            choices *= values->size();
        }
        clauses += choices;
    }
    return clauses;
}

/// Defines nodes, and everything that they depend on. False, and nothing is added: some values are not known, or too
/// many.
bool ValueLiterals::afford(std::vector<std::uint32_t> nodes) {
    boost::unordered_flat_set<std::uint32_t> seen;
    std::vector<std::uint32_t> is_new;
    std::size_t clauses = 0;
    while (!nodes.empty()) {
        std::uint32_t const n = flow_.resolve(nodes.back());
        nodes.pop_back();
        if (known_.contains(key(n)) || !seen.insert(key(n)).second) continue;
        auto const own = cost(n);
        if (!own || (clauses += *own) > clauses_left_) return false;
        is_new.push_back(n);
        Node const& at = flow_.ctp().nodes[n];
        if (at.kind == Node::Kind::variable) {
            for (std::uint32_t const s : pairs_.of[flow_.definition(n).index])
                if (!flow_.constant(s)) nodes.push_back(flow_.payload(s));
        } else if (at.kind == Node::Kind::operation) {
            auto const operands = flow_.resolved_operands(n);
            nodes.insert(nodes.end(), operands.begin(), operands.end());
        }
    }
    clauses_left_ -= clauses;
    // Operands were found after their operations.
    std::reverse(is_new.begin(), is_new.end());
    for (std::uint32_t const n : is_new) {
        Known known;
        if (auto const x = shifted(n); x && known_.contains(key(*x))) {
            known.is = literals(*x);
            auto const further = shift_of_.find(key(*x));
            std::uint32_t const of = further == shift_of_.end() ? *x : further->second;
            shift_of_[key(n)] = of;
        } else {
            for (std::size_t i = 0; i < values(n).size(); ++i)
                known.is.push_back(values(n).size() == 1 ? true_ : sat_.new_variable());
        }
        known_[key(n)] = std::move(known);
    }
    for (std::uint32_t const n : is_new) define(n);
    return true;
}

/// For x + c and x - c, x: their values come in the same order, so they share literals.
std::optional<std::uint32_t> ValueLiterals::shifted(std::uint32_t n) {
    auto const op = flow_.operation(n);
    if (op != Op::plus && op != Op::minus) return std::nullopt;
    auto const operands = flow_.resolved_operands(n);
    if (values(operands.back()).size() == 1) return operands.front();
    return op == Op::plus && values(operands.front()).size() == 1 ? std::optional(operands.back()) : std::nullopt;
}

void ValueLiterals::define(std::uint32_t n) {
    auto const& own = values(n);
    if (own.size() == 1 || shift_of_.contains(key(n))) return;
    sat_.add(literals(n));
    Node const& at = flow_.ctp().nodes[n];
    if (at.kind == Node::Kind::variable) {
        define_receive(n);
        return;
    }
    boost::unordered_flat_map<Value, Literal> is;
    for (std::size_t i = 0; i < own.size(); ++i) is.emplace(own[i], literals(n)[i]);
    auto const operands = flow_.resolved_operands(n);
    PerOperand<std::span<Value const>> choices;
    for (std::uint32_t const operand : operands) choices.push_back(values(operand));
    for_each_choice(choices, [&](PerOperand<std::size_t> const& chosen, std::span<Value const> of_operands) {
        std::vector<Literal> clause;
        for (std::size_t k = 0; k < chosen.size(); ++k) clause.push_back(-literals(operands[k])[chosen[k]]);
        auto const result = apply(at.op, of_operands);
        auto const* const v = std::get_if<Value>(&result);
        if (v != nullptr) clause.push_back(is.at(*v)); // else a zero divisor: no run completes with it
        sat_.add(clause);
    });
}

void ValueLiterals::define_receive(std::uint32_t n) {
    std::uint32_t const r = flow_.definition(n).index;
    boost::unordered_flat_map<Value, Literal> is;
    for (std::size_t i = 0; i < values(n).size(); ++i) is.emplace(values(n)[i], literals(n)[i]);
    for (std::size_t i = 0; i < pairs_.of[r].size(); ++i) {
        std::uint32_t const s = pairs_.of[r][i];
        Literal const match = match_(r, i);
        if (auto const& v = flow_.constant(s)) {
            sat_.add({-match, is.at(*v)});
            continue;
        }
        std::uint32_t const payload = flow_.resolve(flow_.payload(s));
        for (std::size_t k = 0; k < values(payload).size(); ++k) {
            auto const it = is.find(values(payload)[k]);
            if (it == is.end())
                sat_.add({-match, -literals(payload)[k]}); // no run has this value
            else
                sat_.add({-match, -literals(payload)[k], it->second});
        }
        link(match, payload, n);
    }
}

/// Adds what comparisons need. From then on a literal says that the node has the value, and no other one.
ValueLiterals::Known const& ValueLiterals::ascending(std::uint32_t n) {
    Known& known = known_.at(key(n));
    if (!known.order.empty()) return known;
    if (auto const shift = shift_of_.find(key(n)); shift != shift_of_.end()) {
        Known const& x = ascending(shift->second);
        known.order = x.order;
        known.is_at_most = x.is_at_most;
        return known;
    }
    for (std::size_t i = 0; i < values(n).size(); ++i) known.order.push_back(i);
    std::sort(known.order.begin(), known.order.end(),
              [&](std::size_t i, std::size_t k) { return is_less(values(n)[i], values(n)[k]); });
    for (std::size_t i = 0; i < known.order.size(); ++i) {
        Literal const here = known.is[known.order[i]];
        Literal const at_most = i + 1 == known.order.size() ? true_ : sat_.new_variable();
        sat_.add({-here, at_most});
        if (i > 0) {
            sat_.add({-here, -known.is_at_most.back()});
            sat_.add({-known.is_at_most.back(), at_most});
        }
        known.is_at_most.push_back(at_most);
    }
    return known;
}

void ValueLiterals::link(Literal match, std::uint32_t sent, std::uint32_t received) {
    Known const& from = ascending(sent);
    Known const& to = ascending(received);
    std::size_t at = 0; // how many of the received values are at most v
    for (std::size_t k = 0; k + 1 < from.order.size(); ++k) {
        Value const& v = values(sent)[from.order[k]];
        while (at < to.order.size() && !is_less(v, values(received)[to.order[at]])) ++at;
        if (at == 0) {
            sat_.add({-match, -from.is_at_most[k]});
        } else {
            sat_.add({-match, -from.is_at_most[k], to.is_at_most[at - 1]});
            sat_.add({-match, from.is_at_most[k], -to.is_at_most[at - 1]});
        }
    }
}

/// Defines the literal: a <= b.
void ValueLiterals::at_most(std::uint32_t a, std::uint32_t b, Literal literal) {
    Known const& of_a = ascending(a);
    Known const& of_b = ascending(b);
    std::size_t below = 0; // how many of b's values are smaller
    for (std::size_t const i : of_a.order) {
        while (below < of_b.order.size() && is_less(values(b)[of_b.order[below]], values(a)[i])) ++below;
        if (below == 0) {
            sat_.add({-of_a.is[i], literal});
        } else {
            sat_.add({-of_a.is[i], -literal, -of_b.is_at_most[below - 1]});
            sat_.add({-of_a.is[i], literal, of_b.is_at_most[below - 1]});
        }
    }
}

/// Defines the literal: a = b.
void ValueLiterals::same(std::uint32_t a, std::uint32_t b, Literal literal) {
    Known const& of_a = ascending(a);
    Known const& of_b = ascending(b);
    boost::unordered_flat_map<Value, Literal> is_b;
    for (std::size_t i = 0; i < of_b.is.size(); ++i) is_b.emplace(values(b)[i], of_b.is[i]);
    for (std::size_t i = 0; i < of_a.is.size(); ++i) {
        auto const it = is_b.find(values(a)[i]);
        if (it == is_b.end()) {
            sat_.add({-of_a.is[i], -literal});
            continue;
        }
        sat_.add({-of_a.is[i], -literal, it->second});
        sat_.add({-of_a.is[i], literal, -it->second});
    }
}

} // namespace matchpoint::check
