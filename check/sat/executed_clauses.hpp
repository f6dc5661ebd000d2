// How far each thread gets, as clauses: for questions about executions that need not complete.
//
// A variable executed(c) says that command c is executed. Only some commands of a thread have one, the *points* that
// matter; any other command counts as executed if the last point before it is.
//
//   order      executed(c) implies executed(b), for the point b before c in its thread
//
// There are three cases; the first two are the extendable ones.
//
// Extendable: every execution on the path can be completed if assumptions do not count, and nothing can divide by zero.
// That is known if all threads finish by counting alone (matching/reach.hpp), and with zero buffering also if an
// exploration finds no deadlock, whatever the values are. Then a solution is
// the match set of such a complete run, and the execution is a part of that run.
//
// Infinite buffering: the points are the assumptions, and the waits that depend on one through some match. A program
// without assumptions has none.
//
//   sent       an executed nearest-enclosing wait and the match of its receive imply executed(send)
//
// Zero buffering: met(R) says that the rendezvous of R takes place in the execution.
//
//   met        an executed nearest-enclosing wait for R implies met(R); so does an executed wait for a send, and its
//              match
//   sent       met(R) and the match of R imply executed(send); met(R) implies that R is executed
//   order      met(R) implies met(Q), for the receive Q before R at the endpoint
//
// Otherwise a solution has the matches of the execution alone, and a receive may have none:
//
//   got        an executed wait for a receive implies that the receive, and every one before it at its endpoint, has a
//              match
//   posted     zero buffering: a match implies that the receive is executed
//   taken      zero buffering: an executed wait for a send implies that some receive has it; unless the caller says that
//              some waits may return before (stuck_search.hpp)
#pragma once

#include <vector>

#include "check/sat/match_clauses.hpp"
#include "matching/data_flow.hpp"

namespace matchpoint::check {

class ExecutedClauses {
public:
    using Literal = SatSolver::Literal;
    static constexpr Literal always = 0;

    /// Adds all clauses. `extent` is that of the match sets: `complete` in the extendable case. `may_return`: the
    /// sends, by number, whose waits need not have `taken`; empty if there are none.
    ExecutedClauses(SatSolver& sat, DataFlow const& flow, MatchPairs const& pairs, MatchClauses const& matches,
                    Buffering buffering, Extent extent, std::vector<bool> may_return = {});

    /// That a command is executed; `always`: it is in every solution.
    Literal operator()(std::uint32_t command) const { return executed_[command]; }
    /// Not extendable: that a receive has a match.
    Literal has_match(std::uint32_t r) const { return has_match_[r]; }
    /// Adds the clause: if the command is executed, then the literal holds.
    void implies(std::uint32_t command, Literal literal);

private:
    void find_bound_waits();
    void find_all_points();
    void add_order();
    void add_sent();
    void add_rendezvous();
    void add_endpoint_order(std::vector<Literal> const& served);
    void add_partial_matches();

    SatSolver& sat_;
    DataFlow const& flow_;
    MessageIndex const& m_;
    MatchPairs const& pairs_;
    MatchClauses const& matches_;
    bool zero_;
    std::vector<bool> is_point_;
    std::vector<Literal> executed_; // by command
    std::vector<bool> may_return_;
    std::vector<Literal> has_match_; // receive; not extendable
};

} // namespace matchpoint::check
