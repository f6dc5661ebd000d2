// An expression over all variables of a program with remote memory access, and over `(at pid rho)`, that a user types.
//
//   RmaExpression const e("(+ X r)", source, program);
//   out(e.value(state));
#pragma once

#include <memory>
#include <string>

#include "base/source.hpp"
#include "cli/refused.hpp"
#include "rma/machine/state.hpp"

namespace matchpoint::cli {

class RmaExpression {
public:
    /// `source`: what the program was parsed from. Throws Refused: it is not an expression.
    RmaExpression(std::string const& text, Source const& source, rma::Program const& program);

    std::string const& text() const { return text_; }
    /// None for a zero divisor. Throws LimitReached.
    std::optional<Value> evaluated(rma::State const& state) const;
    /// "3", or "no value: it divides by zero".
    std::string value(rma::State const& state) const;
    bool holds(rma::State const& state) const;

private:
    std::string text_;
    std::shared_ptr<rma::Program const> program_; // with a property that has the expression
    std::shared_ptr<rma::Graph const> graph_;     // of it
    Expression e_;
};

} // namespace matchpoint::cli
