// That there is no cycle, as clauses: against the graph that feasibility.hpp walks.

#include "check/sat/order_clauses.hpp"

#include <gtest/gtest.h>

#include <random>

#include "solve/sat_solver.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::test {
namespace {

using Literal = SatSolver::Literal;

/// The clauses of all pairs, in a solver that is asked for one match set after the other.
struct Clauses {
    Clauses(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering, std::size_t most) {
        for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
            for (std::uint32_t const s : pairs.of[r]) variable.emplace_back(Pair{r, s}, sat.new_variable());
        all = order_clauses(messages, pairs, buffering, most,
                            {.match = [this](Pair p) { return of(p); },
                             .new_before = [this](auto, auto) { return sat.new_variable(); },
                             .add =
                                 [this](std::vector<Literal> const& clause) {
                                     ++count;
                                     sat.add(clause);
                                 }});
    }
    Literal of(Pair p) const {
        for (auto const& [pair, literal] : variable)
            if (pair == p) return literal;
        throw std::logic_error("order_clauses: no such pair");
    }

    SatSolver sat;
    std::vector<std::pair<Pair, Literal>> variable;
    std::size_t count = 0;
    bool all = false;
};

/// Some matches for all receives that break no rule but the one of order, if there is luck.
std::optional<Matching> some_matching(MessageIndex const& messages, MatchPairs const& pairs, std::mt19937_64& random) {
    Matching m(messages);
    std::vector<bool> taken(messages.sends().size());
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        std::vector<std::uint32_t> free;
        for (std::uint32_t const s : pairs.of[r])
            if (!taken[s]) free.push_back(s);
        if (free.empty()) return std::nullopt;
        m[r] = free[random() % free.size()];
        taken[m[r]] = true;
    }
    return m;
}

TEST(OrderClauses, ExcludeExactlyTheCycles) {
    std::mt19937_64 random(1);
    std::size_t cyclic = 0, acyclic = 0, with_triples = 0;
    for (std::size_t i = 0; i < naive::cases(4000); ++i) {
        naive::Subject const subject(naive::program_to_explore(11, i));
        MatchPairs const pairs = overapprox(subject.messages);
        for (Buffering const buffering : {Buffering::infinite, Buffering::zero}) {
            Feasibility feasibility(subject.messages, buffering);
            std::size_t const count = Clauses(subject.messages, pairs, buffering, SIZE_MAX).count;
            for (std::size_t tries = 0; tries < 3; ++tries) {
                auto const m = some_matching(subject.messages, pairs, random);
                if (!m) continue;
                auto const conflict = feasibility.conflict(*m);
                if (conflict && conflict->kind != Conflict::Kind::cycle) continue;
                // With the clauses for three, and without.
                for (std::size_t const most : {count, count == 0 ? 0 : count - 1}) {
                    Clauses clauses(subject.messages, pairs, buffering, most);
                    if (!clauses.all) {
                        EXPECT_EQ(clauses.count, 0U);
                        continue;
                    }
                    with_triples += clauses.count < count ? 1 : 0;
                    for (std::uint32_t r = 0; r < m->size(); ++r) clauses.sat.add({clauses.of({r, (*m)[r]})});
                    EXPECT_EQ(clauses.sat.solve({}) == SatSolver::Answer::unsatisfiable, conflict.has_value())
                        << "program " << i << " of seed 11, " << (buffering == Buffering::zero ? "zero" : "infinite");
                    ++(conflict ? cyclic : acyclic);
                }
            }
        }
    }
    EXPECT_GT(cyclic, naive::least(300));
    EXPECT_GT(acyclic, naive::least(1000));
    EXPECT_TRUE(with_triples > 0 || naive::every() > 1);
}

} // namespace
} // namespace matchpoint::test
