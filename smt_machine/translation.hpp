// Expressions of the language as terms, over the current versions of variables (errata E7) and named divisors, which
// must not be zero (errata E31).
#pragma once

#include <functional>
#include <vector>

#include "machine/indexed_program.hpp"
#include "smt_machine/term.hpp"

namespace matchpoint::smt_machine {

class Translation {
public:
    /// Both must outlive this.
    Translation(IndexedProgram const& code, Terms& terms)
        : code_(&code), terms_(&terms), version_(code.names().variables.size()) {}

    /// Sets the variable's current version.
    void define(Variable x, Symbol version) { version_[x.index] = version; }
    Symbol version(Variable x) const { return version_[x.index]; }

    /// Adds the term of an expression of a command at the end of the terms. Divisors become symbols, unless they are
    /// nonzero constants; see divisors(). One in a branch of `ite` is 1 if the branch is not evaluated.
    /// Operands of `ite` have to obey rule D6, evaluated or not: solvers know sorts.
    Sort translate(Expression e, Location at);
    /// The same for an assumption or assertion, where an integer counts as true.
    void truth(Expression e, Location at);

    /// Calls `f` with each divisor since the last call: its symbol, "DIVISOR 1", and the equation that defines it.
    void divisors(std::function<void(Symbol divisor, std::string_view what, Term equation)> const& f);
    /// The term that a symbol is not zero.
    Term non_zero(Symbol divisor);

    /// Whether a term had a product of two terms, or a division.
    bool nonlinear() const { return nonlinear_; }

private:
    class Path;
    Symbol divisor_at(Location at);

    IndexedProgram const* code_;
    Terms* terms_;
    std::vector<Symbol> version_; // of each variable
    bool nonlinear_ = false;
    struct Divisor {
        std::uint32_t number; // among those of its location, from 1
        Symbol symbol;
        std::vector<TermNode> term;
    };
    std::vector<Divisor> divisors_; // since the last call of divisors()
    Location counted_at_ = Location{0xFFFF'FFFF};
    std::uint32_t count_ = 0; // divisors there
};

} // namespace matchpoint::smt_machine
