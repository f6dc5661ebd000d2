#include "rma/search/along.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rma/machine/replay.hpp"
#include "rma/machine/schedule.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

/// Statements 0 and 1 of process 1, then those of process 2.
std::string put_and_store(std::string_view last = "skip") {
    return fmt::format("(rma (process 1 (shared (Y 0)) (local (y 0)) (load y Y) {})"
                       " (process 2 (shared (X 1)) (put Y 1 X) (store X 2)))",
                       last);
}

struct Following {
    Program program;
    Graph graph;
    Machine machine;
    explicit Following(std::string_view text) : program(program_of(text)), graph(program), machine(graph) {}
    StepAlong step(ProcessIndex p, StatementIndex from) const { return {p, from, graph.at(from).next}; }
    Followed follow(std::vector<StepAlong> const& steps) const { return rma::follow(machine, steps, {}); }
    State end(Followed const& f) const { return replay(machine, f.run).state; }
};

TEST(Along, TakesTheSteps) {
    Following const f(put_and_store());
    Followed const found = f.follow({f.step(1, 2), f.step(0, 0)});
    EXPECT_EQ(found.steps, 2U);
    EXPECT_TRUE(found.is_complete);
    EXPECT_FALSE(found.violation);
    EXPECT_EQ(print_schedule(f.machine, found.run), "2 1");
}

/// Cards do what they like, as long as the states after the steps fit.
TEST(Along, ReachesStatesThatFit) {
    Following const f(put_and_store());
    for (std::int64_t const value : {0, 1, 2}) {
        StepAlong load = f.step(0, 0);
        Variable const y = f.program.declared[1];
        load.fits = [&](State const& s) { return s.M[y.index] == Value::integer(value); };
        Followed const found = f.follow({f.step(1, 2), f.step(1, 3), load});
        EXPECT_EQ(found.steps, 3U) << value;
        EXPECT_EQ(f.end(found).M[y.index], Value::integer(value));
        // Before the store, no put has read 2.
        EXPECT_EQ(f.follow({f.step(1, 2), load}).steps, value == 2 ? 1U : 2U);
    }
}

/// A step of no process: cards go on until the state fits.
TEST(Along, WaitsForStatesThatFit) {
    Following const f(put_and_store());
    StepAlong wait;
    Variable const Y = f.program.declared[0];
    wait.fits = [&](State const& s) { return s.M[Y.index] == Value::integer(1); };
    Followed const found = f.follow({f.step(1, 2), wait, f.step(1, 3), f.step(0, 0)});
    EXPECT_EQ(found.steps, 4U);
    EXPECT_EQ(f.end(found).M[Y.index], Value::integer(1));
    EXPECT_EQ(f.follow({wait}).steps, 0U); // nothing is pending
}

TEST(Along, StopsWhereAProcessGoesElsewhere) {
    Following const f("(rma (process 1 (local (u 0)) (u := 1) (if (= u 0) ((u := 2))) (u := 3)))");
    StepAlong const taken{0, 1, f.graph.at(1).next};
    StepAlong const other{0, 1, f.graph.at(1).otherwise};
    EXPECT_EQ(f.follow({f.step(0, 0), taken}).steps, 1U);
    EXPECT_EQ(f.follow({f.step(0, 0), other, f.step(0, 3)}).steps, 3U);
    // Another process, and a step that comes later.
    EXPECT_EQ(f.follow({other}).steps, 0U);
    EXPECT_TRUE(f.follow({other}).run.empty());
}

TEST(Along, FindsWhatGoesWrong) {
    Following const f(put_and_store("(assert (!= y 1))"));
    Followed const found = f.follow({f.step(1, 2), f.step(0, 0), f.step(0, 1)});
    ASSERT_TRUE(found.violation);
    EXPECT_FALSE(found.violation->property);
    EXPECT_EQ(replay(f.machine, found.violation->run).effect, Effect::failed);
    Following const g("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X)) (invariant (= Y 0)))");
    Followed const broken = g.follow({g.step(1, 0)});
    ASSERT_TRUE(broken.violation);
    EXPECT_EQ(broken.violation->property, 0U);
    EXPECT_FALSE(g.follow({}).violation);
}

TEST(Along, SaysIfItHasNotSeenAll) {
    Following const f("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1))"
                      " (put Y 1 X) (put Y 1 X) (put Y 1 X) (store X 2)))");
    std::vector<StepAlong> const steps{f.step(1, 0), f.step(1, 1), f.step(1, 2), f.step(1, 3)};
    EXPECT_TRUE(follow(f.machine, steps, {}).is_complete);
    EXPECT_FALSE(follow(f.machine, steps, {.max_states = 3}).is_complete);
}

} // namespace
} // namespace matchpoint::rma
