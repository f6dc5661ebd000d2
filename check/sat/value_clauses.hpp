// The property over the matches, as clauses.
//
//   structure   every operation on booleans is a gate (Tseitin);
//   tables      an atom that depends on at most two receives of constants: for each match, or two compatible matches,
//               its value;
//   literals    an atom over values that are all known and few: value_literals.hpp;
//   lazy atoms  all others. They have no clauses until a solution has one of them wrong: explain().
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "check/sat/domains.hpp"
#include "check/sat/executed_clauses.hpp"
#include "check/sat/match_clauses.hpp"
#include "check/sat/value_literals.hpp"
#include "executions/asked.hpp"
#include "executions/runs.hpp"
#include "grammar/fold.hpp"
#include "matching/run_values.hpp"

namespace matchpoint::check {

class ValueClauses {
public:
    using Literal = SatSolver::Literal;

    /// Everything has to outlive it. Without domains, match sets may be partial, and nothing follows from a run's being
    /// complete.
    ValueClauses(SatSolver& sat, DataFlow const& flow, Domains const* domains, MatchPairs const& pairs,
                 MatchClauses const& matches);

    /// Only complete runs of this kind are wanted. Failure: one of the assertions in `fails` has to fail.
    void require(Asked asked, std::vector<std::uint32_t> const& fails);
    /// Only executions on the path are wanted in which one of the assertions is executed and fails.
    void require_failure(ExecutedClauses& executed, std::vector<std::uint32_t> const& fails);

    /// Only executions are wanted in which nothing divides by zero; under Runs::executions, on the path.
    void require_path(ExecutedClauses& executed, Runs runs);

    /// How the run of a match set ends. None if it ends with a zero divisor.
    std::optional<Status> run(Schedule const& schedule, Matching const& m);
    /// Adds clauses for every lazy atom that the last solution has otherwise than the last run, and for what its values
    /// follow from. Returns how many there were.
    std::uint64_t explain(Matching const& m);

private:
    /// A node that is true, or a divisor that is zero.
    struct Atom {
        std::uint32_t node;
        bool is_divisor;
    };
    struct LazyAtom {
        Atom atom;
        Literal literal;
        std::vector<std::uint32_t> receives;
    };

    void bind_path(ExecutedClauses& executed, Runs runs);
    bool may_be_partial() const { return domains_ == nullptr; }
    Literal is_zero(std::uint32_t divisor);

    // The structure.
    Literal literal_of(std::uint32_t node);
    Literal literal_of_negated(std::uint32_t node);
    void define_pending();
    void define_received(std::uint32_t r);
    void define_operation(std::uint32_t n);
    void add_gate(Op op, Literal g, PerOperand<Literal> const& operands);

    // Atoms.
    void define_atom(Atom atom, Literal literal);
    bool has_table(std::uint32_t node) const;
    int evaluate(Atom atom, DataFlow::Cone const& cone);
    void add_table(Atom atom, Literal literal, DataFlow::Cone const& cone);
    void add_table_of_one(Atom atom, Literal literal, DataFlow::Cone const& cone);
    void add_table_of_two(Atom atom, Literal literal, DataFlow::Cone const& cone);
    void add_row(Literal pair, Literal literal, std::vector<Literal>& when_false, std::vector<Literal>& when_true);
    ValueLiterals& value_literals();

    // Explanations.
    Literal has_value(std::uint32_t r, Value const& v);
    std::vector<std::uint32_t> const& receives_of_payload(std::uint32_t s);

    SatSolver& sat_;
    DataFlow const& flow_;
    MessageIndex const& m_;
    Ctp const& ctp_;
    Domains const* domains_; // may be null; see the constructor
    MatchPairs const& pairs_;
    MatchClauses const& matches_;
    std::vector<Literal> literal_;       // node
    std::vector<Literal> received_true_; // receive
    std::vector<std::uint32_t> operations_to_define_;
    std::vector<std::uint32_t> receives_to_define_;
    std::vector<LazyAtom> lazy_;
    Evaluation evaluation_; // for tables
    std::size_t work_ = 0;  // nodes evaluated for tables
    RunValues run_;
    std::vector<bool> is_closed_; // receive: it gets constants only
    boost::unordered_flat_map<std::pair<std::uint32_t, Value>, Literal> values_;
    boost::unordered_flat_map<std::uint32_t, std::vector<std::uint32_t>> receives_of_payload_; // by send
    std::vector<std::vector<Literal>> definitions_; // of values_, not added yet
    std::optional<ValueLiterals> value_literals_;
    Literal true_;
};

} // namespace matchpoint::check
