// Expressions of the language as terms: with the versions that variables have at the time (errata E7), and with divisors
// that are not zero (errata E31).
#pragma once

#include <functional>
#include <vector>

#include "machine/indexed_program.hpp"
#include "smt_machine/term.hpp"

namespace matchpoint::smt_machine {

class Translation {
public:
    /// Both have to outlive it.
    Translation(IndexedProgram const& code, Terms& terms)
        : code_(&code), terms_(&terms), version_(code.names().variables.size()) {}

    /// From now on the variable is this symbol.
    void define(Variable x, Symbol version) { version_[x.index] = version; }
    Symbol version(Variable x) const { return version_[x.index]; }

    /// The term of an expression that stands at a location, at the end of the terms. Its divisors that are no constants
    /// are symbols in it, to be had from divisors().
    Sort translate(Expression e, Location at);
    /// The same as what is assumed or asserted: an integer is as good as true.
    void truth(Expression e, Location at);

    /// Tells of the divisors that came since the last time what each one is: "DIVISOR 1", an equation. None may be zero
    /// (non_zero).
    void divisors(std::function<void(Symbol divisor, std::string_view what, Term equation)> const& tell);
    /// That a symbol is not zero.
    Term non_zero(Symbol divisor);

    /// Whether there was a product of two terms, or a division.
    bool nonlinear() const { return nonlinear_; }

private:
    IndexedProgram const* code_;
    Terms* terms_;
    std::vector<Symbol> version_; // of each variable
    bool nonlinear_ = false;
    std::vector<std::vector<TermNode>> divisors_; // taken out of the terms they stand in
    std::vector<Symbol> divisor_symbols_;
};

} // namespace matchpoint::smt_machine
