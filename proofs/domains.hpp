// Which values the variables of an RMA program can have, where these are few: the initial value, constants that are
// assigned, what is copied, what expressions over such values give, and the remainders of any division.
//
//   Domains const domains(formulas);
//   if (auto const* values = domains.of(X)) ...          // X has one of these in every state
//
// The order of statements and the branches taken do not matter. So these values hold under sequential consistency,
// under RMA and for the reduced program. An element of set(s) has a value of src(s), and what an atomic fetches one of
// its Y.
#pragma once

#include <optional>
#include <vector>

#include "proofs/formula.hpp"

namespace matchpoint::proofs {

/// `x := e` for each variable that a statement assigns and each value that it may assign, in the statements' order;
/// then those of remote atomics.
std::vector<Formulas::Replacement> assignments_of(Formulas& formulas);

class Domains {
public:
    static constexpr std::size_t most_values = 16;       // of one variable
    static constexpr std::size_t most_valuations = 4096; // of several

    explicit Domains(Formulas& formulas);

    /// Null if there can be more than `most_values`.
    std::vector<Value> const* of(Symbol x) const { return values_[x.index] ? &*values_[x.index] : nullptr; }
    /// Calls f for all values of the symbols, in their order, as long as it returns true. Returns false without a call
    /// if there are more than `most_valuations`.
    template <typename F>
    bool for_each(std::vector<Symbol> const& symbols, F const& f) const;
    /// The value of f, if it is the same for all values of its variables.
    std::optional<Value> constant(Formula f) const;

private:
    using Set = std::optional<std::vector<Value>>; // nothing: any value

    bool is_remainder(Formula f, std::vector<Value>& values) const;
    bool join(Symbol x, Formula e);
    bool join(Symbol x, Value const& v);

    Formulas& formulas_;
    std::vector<Set> values_; // by symbol
};

/// The values of formulas in many valuations.
class Evaluation {
public:
    Evaluation(Formulas const& formulas, std::vector<Formula> const& of);

    /// `values`: of the symbols, in their order.
    void at(std::vector<Symbol> const& symbols, std::vector<Value> const& values);
    /// bot if a divisor is zero.
    Value const& operator[](Formula f) const { return values_[place_[f.index]]; }

private:
    Formulas const& formulas_;
    std::vector<Formula> nodes_;       // operands first
    std::vector<std::uint32_t> place_; // in nodes_, by formula
    std::vector<Value> values_;
};

template <typename F>
bool Domains::for_each(std::vector<Symbol> const& symbols, F const& f) const {
    std::size_t count = 1;
    for (Symbol const x : symbols) {
        if (of(x) == nullptr) return false;
        count *= of(x)->size();
        if (count > most_valuations) return false;
    }
    std::vector<Value> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.clear();
        std::size_t rest = i;
        for (Symbol const x : symbols) {
            values.push_back((*of(x))[rest % of(x)->size()]);
            rest /= of(x)->size();
        }
        if (!f(values)) break;
    }
    return true;
}

} // namespace matchpoint::proofs
