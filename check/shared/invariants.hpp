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
// them; these are dropped, until none is broken. Then it is asked for an assertion that is false.
//
// The problem of a thread, in the names of encode/cssa.hpp:
//
//   entry_x!c  the value of x where the block begins whose first command is c; the candidates hold of these
//   ok!c       all guards of the thread up to command c hold, and no divisor there is 0
//   pi_x!i     var_x!k, if the block has written x before; entry_x!c, if not; anything, if x is not one of the
//              variables
//   broken!i   ok!c for the last command c of some block, and candidate i does not hold then
//
// Why that is right. Two blocks of different threads that conflict, as one of them writes, do not overlap: while a
// block that writes goes on, no other thread accesses the variables, and while one that only reads goes on, no other
// thread writes them. So in every execution on the path the blocks can be put one after the other, and all read and
// write what they did. The first one begins with the initial values, and each next one with what those before it have
// left. By induction the conditions hold where each block begins. A read of the variables gets what was there when its
// block began, or what the block has written since. Everything else that a thread reads or receives is anything, so a
// problem has more models than there are executions: `unsat` is a proof, and a model may be of no execution. "Not
// proved" says nothing.
//
// What is left when nothing is broken is the largest part of the candidates that is inductive, by these problems. If a
// part is inductive, no condition of it is dropped: a block that begins with all of the part ends with all of it.
//
// Let c be the number of candidates, at most about 1,000. Each model drops at least one. So there are at most c models,
// and c + 1 rounds over the threads. A problem is as large as one thread, in linear arithmetic unless the program
// multiplies. The number of orders of the blocks does not matter.
//
// The loop is Houdini (Flanagan and Leino, Houdini, an Annotation Assistant for ESC/Java). Invariants of what a lock
// protects are those of Owicki and Gries (Verifying Properties of Parallel Programs: An Axiomatic Approach). That
// regions of a lock count as one step is Lipton's reduction (Reduction: A Method of Proving Properties of Parallel
// Programs).
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
