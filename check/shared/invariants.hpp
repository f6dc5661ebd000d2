// Inductive invariants of a program with shared variables: conditions that hold at first and that every block
// (counting/blocks.hpp) preserves, whatever the other threads have done before it. So they hold whenever a block
// begins, and no order of the blocks has to be looked at. Where an asserted expression is such a condition, or follows
// from some, it holds.
//
//   Invariants invariants(messages, proofs, ask, "z3");
//   if (invariants.no_assertion_fails()) show(invariants.found().conditions);
//
// Candidates are what is asserted, with locals replaced by what they were assigned, and for each variable x that this
// depends on, with the initial value v: x = v, x <= v and x >= v. A solver is asked for a block that breaks some of
// them; these are dropped, until none is broken (Houdini: Flanagan, Leino, FME 2001).
//
// The problem of a thread, in the names of encode/cssa.hpp:
//
//   entry_x!c  the value of x where the block begins whose first command is c; the candidates hold of these
//   ok!c       all guards of the thread up to command c hold, and no divisor there is 0
//   pi_x!i     var_x!k, if the block has written x before; entry_x!c, if not; anything, if x is not one of the
//              variables
//   broken!i   ok!c for the last command c of some block, and candidate i does not hold then
//
// What a thread receives is anything. "Not proved" says nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/engines/engines.hpp"
#include "counting/blocks.hpp"

namespace matchpoint::check {

class Invariants {
public:
    /// Answers an SMT-LIB problem.
    using Ask = std::function<ModelAnswer(std::string const& problem)>;

    /// All have to outlive it. The program has neither selectors, modes nor barriers. `solver`: its name.
    Invariants(MessageIndex const& messages, Proofs const& proofs, Ask ask, std::string solver);
    ~Invariants();

    /// No execution on the path has a failing assertion. One problem for each thread, some of them more than once.
    /// Throws OutOfTime.
    bool no_assertion_fails();
    /// Why the solver gave no answer, or what is wrong with the one that it gave, if that is why nothing is proved.
    std::optional<Trouble> const& trouble() const;
    /// What it is proved with, if it is.
    CheckResult::Inductive found() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::check
