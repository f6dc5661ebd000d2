#include "proofs/formula.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "machine/operation.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::proofs {

namespace {

Value value_of_operation(Op op, Value const& a, Value const& b) { return std::get<Value>(machine::apply(op, a, b)); }

// Sums, differences and comparisons of integers have values.
Value minus(Value const& a, Value const& b) { return value_of_operation(Op::minus, a, b); }
Value plus(Value const& a, Value const& b) { return value_of_operation(Op::plus, a, b); }

} // namespace

Formulas::Formulas(rma::Graph const& graph)
    : graph_(&graph), variables_(static_cast<std::uint32_t>(graph.program().variables.size())) {
    rma::Program const& program = graph.program();
    for (std::uint32_t x = 0; x < variables_; ++x) {
        names_.emplace_back(program.symbols(Variable{x}));
        booleans_.push_back(program.variables[x].initial.is_boolean());
    }
    for (rma::Unit const& unit : rma::units_of(graph)) {
        names_.push_back(fmt::format("e_{}", names_.size() - variables_));
        booleans_.push_back(booleans_[graph.remotes()[unit.s].src.index]);
    }
}

std::string Formulas::smt_name(Symbol x) const {
    return x.index < variables_ ? smt_machine::mangle(name(x)) : fmt::format("e%%{}", x.index - variables_);
}

// ---- building

Formula Formulas::intern(Node node) {
    spend(16);
    Key key{static_cast<std::uint32_t>(node.kind) << 8U | static_cast<std::uint32_t>(node.op), node.operands};
    auto const [at, is_new] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back(std::move(node));
    return {at->second};
}

Formula Formulas::value(Value v) {
    bool const is_boolean = v.is_boolean();
    auto const [at, is_new] = value_numbers_.try_emplace(std::move(v), static_cast<std::uint32_t>(values_.size()));
    if (is_new) values_.push_back(at->first);
    return intern({Kind::value, Op::plus, is_boolean, true, {at->second}, {}});
}

Formula Formulas::of(Symbol x) { return intern({Kind::symbol, Op::plus, is_boolean(x), true, {x.index}, {x}}); }

Formula Formulas::operation(Op op, std::span<Formula const> operands) {
    Node node{Kind::operation, op, gives_boolean(op, is_boolean(operands.back())), true, {}, {}};
    if (op == Op::times) node.is_linear = is_value(operands[0]) || is_value(operands[1]);
    if (op == Op::div || op == Op::mod) node.is_linear = is_value(operands[1]);
    for (Formula const f : operands) {
        node.is_linear = node.is_linear && is_linear(f);
        node.operands.push_back(f.index);
        std::vector<Symbol> all;
        std::set_union(node.symbols.begin(), node.symbols.end(), symbols(f).begin(), symbols(f).end(),
                       std::back_inserter(all));
        node.symbols = std::move(all);
    }
    return intern(std::move(node));
}

Formula Formulas::negated(Formula f) {
    if (is_value(f)) return truth(value_of(f).is_false());
    if (is(f, Op::not_)) return operand(f, 0);
    return operation(Op::not_, std::span(&f, 1));
}

/// `and`, `or`, `=>` and `xor` of two formulas; also `=` of two Boolean ones.
Formula Formulas::connective(Op op, Formula a, Formula b) {
    if (op == Op::implies) return connective(Op::or_, negated(a), b);
    if (op == Op::xor_) return negated(connective(Op::equal, a, b));
    if (op == Op::equal) {
        if (is_value(a)) std::swap(a, b);
        if (a == b) return truth(true);
        if (a == negated(b)) return truth(false);
        if (is_value(b)) return value_of(b).is_true() ? a : negated(a);
    } else {
        Formula const neutral = truth(op == Op::and_);
        Formula const dominant = truth(op == Op::or_);
        if (a == dominant || b == dominant || a == negated(b)) return dominant;
        if (a == neutral || a == b) return b;
        if (b == neutral) return a;
    }
    if (b < a) std::swap(a, b);
    return operation(op, std::array{a, b});
}

/// f is a sum of the term and the constant. The constant of an integer is itself, and its term is an integer, too.
std::pair<Formula, Value> Formulas::without_constant(Formula f) const {
    if (is_value(f)) return {f, value_of(f)};
    if (is(f, Op::plus) && is_value(operand(f, 1))) return {operand(f, 0), value_of(operand(f, 1))};
    return {f, Value::integer(0)};
}

Formula Formulas::sum(Formula a, Value const& c) {
    auto const [term, constant] = without_constant(a);
    Value const all = plus(constant, c);
    if (is_value(term)) return value(all);
    return all == Value::integer(0) ? term : operation(Op::plus, std::array{term, value(all)});
}

/// a = b and a <= b of integers: constants on the right, and `x <= c` or its negation if one side is a constant.
Formula Formulas::comparison(Op op, Formula a, Formula b) {
    auto [t, c] = without_constant(a);
    auto [u, d] = without_constant(b);
    Value const right = minus(d, c); // t op u + right
    bool const are_values = is_value(t) && is_value(u);
    if (t == u || are_values) return truth(value_of_operation(op, Value::integer(0), right).is_true());
    if (op == Op::equal) {
        if (is_value(t)) return operation(op, std::array{u, value(minus(Value::integer(0), right))});
        if (is_value(u)) return operation(op, std::array{t, value(right)});
        if (u < t) return operation(op, std::array{u, sum(t, minus(Value::integer(0), right))});
        return operation(op, std::array{t, sum(u, right)});
    }
    if (is_value(t)) // 0 <= u + right
        return negated(operation(op, std::array{u, value(minus(Value::integer(-1), right))}));
    if (is_value(u)) return operation(op, std::array{t, value(right)});
    if (u < t) return negated(operation(op, std::array{u, sum(t, minus(Value::integer(-1), right))}));
    return operation(op, std::array{t, sum(u, right)});
}

Formula Formulas::apply(Op op, std::span<Formula const> operands) {
    if (std::all_of(operands.begin(), operands.end(), [this](Formula f) { return is_value(f); })) {
        std::vector<Value> values;
        for (Formula const f : operands) values.push_back(value_of(f));
        if (auto const result = machine::apply(op, values); std::holds_alternative<Value>(result))
            return value(std::get<Value>(result));
    }
    Formula const a = operands[0];
    Formula const b = operands.back();
    switch (op) {
    case Op::plus:
        if (is_value(b)) return sum(a, value_of(b));
        if (is_value(a)) return sum(b, value_of(a));
        break;
    case Op::minus:
        if (is_value(b)) return sum(a, minus(Value::integer(0), value_of(b)));
        if (a == b) return value(Value::integer(0));
        break;
    case Op::times:
    case Op::div:
    case Op::mod: break;
    case Op::equal: return is_boolean(a) ? connective(op, a, b) : comparison(op, a, b);
    case Op::not_equal: return negated(apply(Op::equal, a, b));
    case Op::less: return negated(comparison(Op::less_equal, b, a));
    case Op::less_equal: return comparison(op, a, b);
    case Op::greater: return negated(comparison(Op::less_equal, a, b));
    case Op::greater_equal: return comparison(Op::less_equal, b, a);
    case Op::and_:
    case Op::or_:
    case Op::implies:
    case Op::xor_: return connective(op, a, b);
    case Op::not_: return negated(a);
    case Op::ite:
        if (is_value(a)) return value_of(a).is_true() ? operands[1] : b;
        if (operands[1] == b) return b;
        break;
    }
    return operation(op, operands);
}

Formula Formulas::fold_with(Expression e, std::function<Formula(Variable)> const& on_variable) {
    return fold<Formula>(
        graph_->program(), e,
        Algebra{[&](Value const& v) { return value(v); }, [&](Variable x, std::uint32_t) { return on_variable(x); },
                [&](Op op, std::span<Formula> operands, std::uint32_t) { return apply(op, operands); }});
}

Formula Formulas::of(Expression e, std::function<bool(Variable)> const& is_there) {
    return fold_with(e, [&](Variable x) {
        bool const is_place = graph_->program()[x].kind == rma::VariableInfo::Kind::place;
        return is_place ? truth(is_there(x)) : variable(x);
    });
}

Formula Formulas::with_places(Expression e) {
    return fold_with(e, [this](Variable x) { return variable(x); });
}

Formula Formulas::replace(Formula f, std::span<Replacement const> replacements) {
    auto const concerned = [&](Formula g) {
        return std::any_of(replacements.begin(), replacements.end(),
                           [&](Replacement const& r) { return has(g, r.first); });
    };
    std::map<std::uint32_t, Formula> done; // by node of f; those that do not change are not in it
    auto const now = [&](std::uint32_t n) {
        auto const at = done.find(n);
        return at == done.end() ? Formula{n} : at->second;
    };
    std::vector<std::pair<std::uint32_t, bool>> rest{{f.index, false}}; // and whether its operands are done
    while (!rest.empty()) {
        std::uint32_t const n = rest.back().first;
        bool const ready = rest.back().second;
        rest.pop_back();
        if (!concerned({n}) || done.contains(n)) continue;
        if (nodes_[n].kind == Kind::symbol) {
            done.emplace(n, std::find_if(replacements.begin(), replacements.end(), [&](Replacement const& r) {
                                return r.first.index == nodes_[n].operands[0];
                            })->second);
        } else if (ready) {
            std::vector<Formula> operands;
            for (std::uint32_t const k : nodes_[n].operands) operands.push_back(now(k));
            done.emplace(n, apply(nodes_[n].op, operands));
        } else {
            rest.emplace_back(n, true);
            for (std::uint32_t const k : nodes_[n].operands) rest.emplace_back(k, false);
        }
    }
    return now(f.index);
}

// ---- reading

bool Formulas::has(Formula f, Symbol x) const { return std::binary_search(symbols(f).begin(), symbols(f).end(), x); }

std::vector<Formula> Formulas::atoms(Formula f) const {
    std::vector<Formula> result;
    std::vector<Formula> rest{f};
    std::vector<bool> seen(f.index + 1);
    while (!rest.empty()) {
        Formula const g = rest.back();
        rest.pop_back();
        if (seen[g.index] || is_value(g)) continue;
        seen[g.index] = true;
        Node const& node = nodes_[g.index];
        bool const of_formulas = node.kind == Kind::operation && is_boolean(Formula{node.operands.back()});
        if (!of_formulas) {
            result.push_back(g);
        } else {
            for (std::size_t k = node.operands.size(); k-- > 0;) rest.push_back({node.operands[k]});
        }
    }
    return result;
}

std::optional<Difference> Formulas::difference(Formula f) const {
    if (!is(f, Op::less_equal) && !is(f, Op::equal)) return std::nullopt;
    Formula const x = operand(f, 0);
    if (!is_symbol(x) || is_boolean(x)) return std::nullopt;
    auto const [y, c] = without_constant(operand(f, 1));
    if (!is_symbol(y) && !is_value(y)) return std::nullopt;
    auto const symbol = [this](Formula g) { return Symbol{nodes_[g.index].operands[0]}; };
    return Difference{is(f, Op::equal), symbol(x), is_symbol(y) ? std::optional(symbol(y)) : std::nullopt, c};
}

std::string Formulas::print(Formula f, bool smt) const {
    static constexpr std::uint32_t close = 0xFFFF'FFFF;
    std::string out;
    std::vector<std::uint32_t> rest{f.index};
    while (!rest.empty()) {
        std::uint32_t const n = rest.back();
        rest.pop_back();
        if (n == close) {
            out += ')';
            continue;
        }
        if (!out.empty() && out.back() != '(' && out.back() != ' ') out += ' ';
        Node const& node = nodes_[n];
        switch (node.kind) {
        case Kind::value:
            if (smt)
                smt_machine::print(values_[node.operands[0]], out);
            else
                out += values_[node.operands[0]].to_string();
            break;
        case Kind::symbol: out += smt ? smt_name({node.operands[0]}) : name({node.operands[0]}); break;
        case Kind::operation:
            out += '(';
            out += smt ? row(node.op).smt_name : row(node.op).name;
            rest.push_back(close);
            for (std::size_t k = node.operands.size(); k-- > 0;) rest.push_back(node.operands[k]);
            break;
        }
    }
    return out;
}

} // namespace matchpoint::proofs
