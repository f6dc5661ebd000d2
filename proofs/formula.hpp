// Formulas over the variables of an RMA program: predicates, weakest preconditions, and what is asked of SMT solvers.
//
//   Formulas formulas(graph);
//   Formula const phi = formulas.of(property.e, [](Variable) { return false; });
//   Formula const wp = formulas.replace(phi, {{formulas.variable(X), formulas.variable(Y)}});   // wp(X := Y, phi)
//
// Equal formulas are one: a formula is a number, and comparing two is comparing numbers. Building one folds constants
// and puts comparisons into one form, so that `(> x 3)` and `(not (<= x 3))` are equal, and `(<= (+ x 1) 3)` is
// `(<= x 2)`. An operand is built before its operator and has a smaller number, so that nothing recurses.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/value.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "rma/search/reduced.hpp"

namespace matchpoint::proofs {

/// Why a program with remote atomics, Graph::has_atomics(), has neither.
inline constexpr std::string_view no_clauses =
    "there are no Horn clauses and no certificates of programs with remote atomics";

/// A formula or a term of a Formulas.
struct Formula {
    std::uint32_t index = 0xFFFF'FFFF;
    auto operator<=>(Formula const&) const = default;
};

/// A variable of the program, or e_u, an element of the set of a unit (rma/search/reduced.hpp).
struct Symbol {
    std::uint32_t index;
    auto operator<=>(Symbol const&) const = default;
};

/// x - y <= c or x - y = c, or without y.
struct Difference {
    bool is_equation;
    Symbol x;
    std::optional<Symbol> y;
    Value c;
};

class Formulas {
public:
    using Replacement = std::pair<Symbol, Formula>;

    /// The graph has to outlive it.
    explicit Formulas(rma::Graph const& graph);

    rma::Graph const& graph() const { return *graph_; }
    std::uint32_t symbol_count() const { return static_cast<std::uint32_t>(names_.size()); }
    static Symbol symbol(Variable x) { return {x.index}; }
    Symbol element(rma::UnitIndex u) const { return {variables_ + u}; }
    /// As it is in the program; `e_u` for an element.
    std::string const& name(Symbol x) const { return names_[x.index]; }
    /// For SMT-LIB: mangled (smt_machine/smtlib.hpp); `e%%u`, which no mangled name is, for an element.
    std::string smt_name(Symbol x) const;
    bool is_boolean(Symbol x) const { return booleans_[x.index]; }

    // Building.
    Formula value(Value v);
    Formula truth(bool b) { return value(Value::boolean(b)); }
    Formula of(Symbol x);
    Formula variable(Variable x) { return of(symbol(x)); }
    Formula apply(Op op, std::span<Formula const> operands);
    Formula apply(Op op, Formula a, Formula b) { return apply(op, std::initializer_list<Formula>{a, b}); }
    Formula negated(Formula f);
    /// `is_there` says which `(at pid rho)` are true.
    Formula of(Expression e, std::function<bool(Variable)> const& is_there);
    /// With `(at pid rho)` as variables.
    Formula with_places(Expression e);
    /// f with all these symbols replaced at once.
    Formula replace(Formula f, std::span<Replacement const> replacements);
    Formula replace(Formula f, Replacement const& replacement) { return replace(f, std::span(&replacement, 1)); }

    // Reading.
    bool is_boolean(Formula f) const { return nodes_[f.index].is_boolean; }
    bool is_true(Formula f) const { return is_value(f) && value_of(f).is_true(); }
    bool is_false(Formula f) const { return is_value(f) && value_of(f).is_false(); }
    /// The symbols that occur, in their order.
    std::vector<Symbol> const& symbols(Formula f) const { return nodes_[f.index].symbols; }
    bool has(Formula f, Symbol x) const;
    /// The operator and the operands of an operation.
    Op op(Formula f) const { return nodes_[f.index].op; }
    std::vector<Formula> operands(Formula f) const {
        std::vector<Formula> result;
        for (std::uint32_t const k : nodes_[f.index].operands) result.push_back({k});
        return result;
    }
    bool is_operation(Formula f) const { return nodes_[f.index].kind == Kind::operation; }
    bool is_symbol(Formula f) const { return nodes_[f.index].kind == Kind::symbol; }
    std::optional<Value> constant(Formula f) const { return is_value(f) ? std::optional(value_of(f)) : std::nullopt; }
    /// The largest subformulas without connectives: comparisons and Boolean variables, each once.
    std::vector<Formula> atoms(Formula f) const;
    /// Whether it has no product of two terms and no division by one.
    bool is_linear(Formula f) const { return nodes_[f.index].is_linear; }
    /// If f is `x <= c`, `x <= y + c` or one of these with `=`.
    std::optional<Difference> difference(Formula f) const;

    /// In the language of programs.
    std::string text(Formula f) const { return print(f, false); }
    /// As an SMT-LIB term.
    std::string smt(Formula f) const { return print(f, true); }

private:
    enum class Kind : std::uint8_t { value, symbol, operation };
    struct Node {
        Kind kind;
        Op op = Op::plus;
        bool is_boolean = false;
        bool is_linear = true;
        std::vector<std::uint32_t> operands; // of an operation; else the number of the value or symbol
        std::vector<Symbol> symbols;
    };
    using Key = std::pair<std::uint32_t, std::vector<std::uint32_t>>; // kind or operator, and operands

    bool is_value(Formula f) const { return nodes_[f.index].kind == Kind::value; }
    Value const& value_of(Formula f) const { return values_[nodes_[f.index].operands[0]]; }
    bool is(Formula f, Op op) const { return nodes_[f.index].kind == Kind::operation && nodes_[f.index].op == op; }
    Formula operand(Formula f, std::size_t k) const { return {nodes_[f.index].operands[k]}; }
    Formula intern(Node node);
    Formula fold_with(Expression e, std::function<Formula(Variable)> const& on_variable);
    Formula operation(Op op, std::span<Formula const> operands);
    Formula connective(Op op, Formula a, Formula b);
    Formula comparison(Op op, Formula a, Formula b);
    Formula sum(Formula a, Value const& c);
    std::pair<Formula, Value> without_constant(Formula f) const;
    std::string print(Formula f, bool smt) const;

    rma::Graph const* graph_;
    std::uint32_t variables_;
    std::vector<std::string> names_;
    std::vector<bool> booleans_;
    std::vector<Node> nodes_;
    std::vector<Value> values_;
    struct Hash {
        std::size_t operator()(Value const& v) const { return v.hash(); }
    };
    boost::unordered_flat_map<Value, std::uint32_t, Hash> value_numbers_;
    std::map<Key, std::uint32_t> numbers_;
};

} // namespace matchpoint::proofs
