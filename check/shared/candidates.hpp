// Conditions about shared variables that may be inductive invariants (invariants.hpp): what is asserted, and the bounds
// of variables by their initial values. Each is a candidate once.
//
//   Candidates candidates(cssa, origins);
//   candidates.add_assertions();
//   for (Candidate const& c : candidates.all()) show(in_language(c, messages.code().names()));
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "encode/cssa.hpp"

namespace matchpoint::check {

/// What the symbols of a program's formulas are.
class SymbolOrigins {
public:
    /// The CSSA has to outlive it.
    SymbolOrigins(MessageIndex const& messages, Cssa const& cssa);

    /// Null if the symbol is not computed.
    Cssa::Equation const* equation(Symbol s) const { return equations_[s.index]; }
    /// Null if it is no read of a shared variable.
    Cssa::Pi const* pi(Symbol s) const { return pis_[s.index]; }
    /// None if no symbol has the name.
    std::optional<Symbol> find(std::string_view name) const;

private:
    std::vector<Cssa::Equation const*> equations_; // symbol
    std::vector<Cssa::Pi const*> pis_;             // symbol
    std::map<std::string, Symbol, std::less<>> symbols_;
};

/// SMT-LIB text in which shared variables are left open.
struct Candidate {
    struct Part {
        std::string text;
        std::optional<Variable> x; // instead of a text
    };
    std::vector<Part> parts;
    std::vector<Variable> variables; // ascending

    std::string with(std::function<std::string(Variable)> const& name) const;
};

/// In the trace language, which writes `!=` and -5 where SMT-LIB has `distinct` and (- 5).
std::string in_language(Candidate const& c, Symbols const& names);

class Candidates {
public:
    /// Both have to outlive it.
    Candidates(Cssa const& cssa, SymbolOrigins const& origins) : cssa_(cssa), origins_(origins) {}

    // About 1000 at most, the others are left out. Both throw OutOfTime.

    /// What assertions say, with locals replaced by what they were assigned.
    void add_assertions();
    /// x = v, x <= v and x >= v, where v is the initial value; of a Boolean x = v.
    void add_bounds(Variable x);

    std::vector<Candidate> const& all() const { return all_; }

private:
    void add(Candidate c);
    bool open(std::string_view formula, Candidate& c) const;

    Cssa const& cssa_;
    SymbolOrigins const& origins_;
    std::vector<Candidate> all_;
    std::set<std::string> seen_;
};

} // namespace matchpoint::check
