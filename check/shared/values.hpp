// The values of an execution of a program with shared variables, and clauses for what follows from them.
//
//   SharedValues values(words, {.needs = ...});
//   if (!values.run(solution, moments)) ...        // clauses were added that exclude the solution
//
// The execution is that of a solution whose reads are right: each gets the last definition before it. Its values are
// computed command by command. Where one shows that there is no such execution (a guard is false, a divisor is zero) or
// that it is not the one that is wanted (an assertion holds), a clause says so of the values that this follows from,
// and further clauses say what these follow from: input, output, delivery and payload (certificate.hpp). So the next
// solutions know it of all executions in which these values come about, whatever else happens.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "check/shared/order.hpp"

namespace matchpoint::check {

class SharedValues {
public:
    using Literal = SatSolver::Literal;

    /// Everything has to outlive it. `fails`: of each command that is an assertion its literal `fails`, otherwise 0.
    /// `all_hold`: assertions have to hold, as guards do.
    SharedValues(SharedVocabulary& words, std::vector<Literal> const& fails, bool all_hold);

    enum class Result : std::uint8_t {
        excluded, // clauses were added, and no solution is like this one
        fails,    // an execution in which an assertion fails
        holds,    // an execution in which none does
    };
    /// `moments`: what is executed, in an order in which the reads are right.
    Result run(SharedSolution const& solution, std::span<SharedOrder::Moment const> moments);

    /// Clauses that were added.
    std::uint64_t clauses() const { return count_; }

private:
    /// A value; bot: it depends on what is not known. And whether some divisor is zero.
    struct Evaluated {
        Value v;
        bool divides_by_zero = false;
    };
    /// Why a command is not executed in an execution that is wanted.
    enum class Fault : std::uint8_t { none, is_false, divisor, right_side };

    Evaluated evaluate(Expression const& e);
    Fault fault_of(Location rho);
    void know(Location rho);
    Value const& value_of(SharedUses::Use const& use) const;
    void execute(Location rho);
    void complete(Location rho);

    template <typename Is>
    std::vector<SharedUses::Use> needed_for(Location rho, Is is);
    std::vector<Literal> because(Location rho, std::vector<SharedUses::Use> const& needed);
    void exclude(Location rho, Fault fault);
    void say_that_it_holds(Location rho);
    Literal literal_of(SharedUses::Use const& use);
    Literal explained_in(std::uint32_t read);
    Literal explained_out(std::uint32_t definition);
    Literal explained_payload(std::uint32_t send);
    void explain_all();
    void explain_in(std::uint32_t read);
    void explain_out(std::uint32_t definition);
    void explain_delivery(std::uint32_t definition);
    void explain_payload(std::uint32_t send);
    template <typename F>
    void add(std::vector<Literal> clause, F reason);

    SharedVocabulary& words_;
    SharedUses const& uses_;
    MessageIndex const& m_;
    Ctp const& ctp_;
    std::vector<Literal> const& fails_; // command
    bool all_hold_;
    SharedSolution const* solution_ = nullptr;
    // The values of the last execution.
    std::vector<Value> in_;      // read
    std::vector<Value> out_;     // definition
    std::vector<Value> payload_; // send
    // While a command is looked at.
    std::vector<Value> known_; // variable -> its value there; bot: it is not known
    // Whose values are still to be explained.
    struct Open {
        enum class Kind : std::uint8_t { in, out, payload } kind;
        std::uint32_t index;
    };
    std::vector<Open> to_explain_;
    std::vector<bool> is_explained_in_; // of this execution
    std::vector<bool> is_explained_out_;
    std::vector<bool> is_explained_payload_;
    boost::unordered_flat_set<std::vector<Literal>> added_;
    std::uint64_t count_ = 0;
    std::uint64_t new_clauses_ = 0; // of this execution
};

} // namespace matchpoint::check
