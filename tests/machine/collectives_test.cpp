// Which members each kind of collective needs, which calls agree, and which commands bring threads to calls that
// disagree (docs/semantics.md, "Collectives").

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "machine/refusing_calls.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

/// The members that the call of each of three threads needs: "0: 1 2; 1: ; 2: 0".
std::string needs(std::string const& call, Buffering buffering = Buffering::infinite) {
    std::string result;
    for (int t = 0; t < 3; ++t) {
        std::string needed;
        for (int other = 0; other < 3; ++other) {
            if (other == t) continue;
            // All have called but the other one.
            std::string text = "(";
            for (int u = 0; u < 3; ++u)
                text += fmt::format("([{0}a (x{0} := 0)] [{0}b (collective K{0} w {1})])", u, call);
            Program const program = parsed(Source("test.ctp", text + ")"));
            IndexedProgram const code(program);
            Machine machine(code, buffering);
            for (std::uint32_t u = 0; u < 3; ++u)
                if (static_cast<int>(u) != other) static_cast<void>(machine.apply(Execute{{2 * u}}));
            Location const rho{static_cast<std::uint32_t>(2 * t + 1)};
            if (!is_enabled(code, machine.state(), buffering, Execute{rho})) needed += fmt::format(" {}", other);
        }
        result += fmt::format("{}{}:{}", t == 0 ? "" : "; ", t, needed);
    }
    return result;
}

Program program_of(std::string text) { return parsed(Source("test.ctp", std::move(text))); }

/// Whether calls of two threads of three disagree.
bool disagree(std::string const& first, std::string const& second) {
    Program const program = program_of(fmt::format(
        "(([0 (collective K0 w {0})]) ([1 (collective K1 w {1})]) ([2 (collective K2 w {0})]))", first, second));
    IndexedProgram const code(program);
    Collectives const& all = *code.collectives();
    EXPECT_EQ(all.disagree({0}, {1}), all.disagree({1}, {0}));
    EXPECT_EQ(all.are_contested(), all.disagree({0}, {1}));
    EXPECT_EQ(all.is_contested({1}), all.are_contested());
    return all.disagree({0}, {1});
}

} // namespace

TEST(Collectives, WhoMayRefuse) {
    Program const program = program_of("(([0 (collective K0 w bcast (root 0))] [1 (collective L0 w barrier)])"
                                       " ([2 (x := 0)] [3 (collective K1 w bcast (root 0))])"
                                       " ([4 (y := 0)] [5 (collective K2 w bcast (root 0))]))");
    IndexedProgram const code(program);
    Machine machine(code, Buffering::infinite);
    auto const may_refuse = [&](std::uint32_t rho) { return machine::may_refuse(code, machine.state(), {rho}); };
    EXPECT_TRUE(depends_on_library(code, {0}));
    EXPECT_FALSE(depends_on_library(code, {1})); // it needs all
    EXPECT_TRUE(depends_on_library(code, {3}));
    EXPECT_TRUE(may_refuse(0));
    EXPECT_FALSE(may_refuse(2));
    static_cast<void>(machine.apply(Execute{{2}}));
    EXPECT_TRUE(may_refuse(0)); // while thread 2 has not called
    EXPECT_TRUE(may_refuse(3)); // though the root has
    static_cast<void>(machine.apply(Execute{{4}}));
    for (std::uint32_t const rho : {0U, 3U, 5U}) EXPECT_FALSE(may_refuse(rho));
    static_cast<void>(machine.apply(Execute{{0}}));
    EXPECT_FALSE(may_refuse(1));
}

TEST(Collectives, TheWaitForANonblockingCallMayRefuse) {
    Program const program = program_of("(([0 (icollective A v bcast (root 0))] [1 (wait A)] [2 (collective C v scan)])"
                                       " ([3 (z := 0)] [4 (icollective B v bcast (root 0))] [5 (wait B)]))");
    IndexedProgram const code(program);
    Machine machine(code, Buffering::infinite);
    auto const may_refuse = [&](std::uint32_t rho) { return machine::may_refuse(code, machine.state(), {rho}); };
    EXPECT_TRUE(awaited_at(code, {0}).is_none());
    EXPECT_EQ(awaited_at(code, {1}), Action{*code.names().actions.find("A")});
    EXPECT_EQ(awaited_at(code, {2}), Action{*code.names().actions.find("C")});
    EXPECT_TRUE(awaited_at(code, {3}).is_none());
    EXPECT_FALSE(depends_on_library(code, {4})); // of two members, it needs the other one
    EXPECT_FALSE(may_refuse(0));
    static_cast<void>(machine.apply(Execute{{0}}));
    EXPECT_TRUE(may_refuse(1));
    static_cast<void>(machine.apply(Execute{{3}}));
    EXPECT_FALSE(may_refuse(1));
}

// Nor at a mismatch: that is a fault, and no wait.
TEST(Collectives, NobodyRefusesAtAMismatch) {
    Program const program =
        program_of("(([0 (collective K0 w bcast (root 0))]) ([1 (x := 0)] [2 (collective K1 w scan)]))");
    IndexedProgram const code(program);
    Machine machine(code, Buffering::infinite);
    EXPECT_TRUE(machine::may_refuse(code, machine.state(), {0}));
    static_cast<void>(machine.apply(Execute{{1}}));
    EXPECT_FALSE(machine::may_refuse(code, machine.state(), {0}));
}

TEST(Collectives, Needs) {
    constexpr auto all = "0: 1 2; 1: 0 2; 2: 0 1";
    constexpr auto nobody = "0:; 1:; 2:";
    for (auto const* const kind : {"barrier", "allreduce", "construct", "allgather", "allgatherv", "alltoall",
                                   "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block"})
        EXPECT_EQ(needs(kind), all) << kind;
    for (auto const* const kind : {"bcast", "scatter", "scatterv"})
        EXPECT_EQ(needs(fmt::format("{} (root 1)", kind)), "0: 1; 1:; 2: 1") << kind;
    for (auto const* const kind : {"gather", "gatherv", "reduce"})
        EXPECT_EQ(needs(fmt::format("{} (root 1)", kind)), "0:; 1: 0 2; 2:") << kind;
    for (auto const* const kind : {"scan", "exscan"}) EXPECT_EQ(needs(kind), "0:; 1: 0; 2: 0 1") << kind;
    for (auto const* const kind : {"allgather", "alltoall", "alltoallv", "allgatherv", "reduce_scatter_block"})
        EXPECT_EQ(needs(fmt::format("{} (count 0)", kind)), nobody) << kind;
    EXPECT_EQ(needs("allgatherv (count 1 0 2)"), "0: 2; 1: 0 2; 2: 0");
    EXPECT_EQ(needs("alltoallv (count 1 0 2)"), "0: 1 2; 1:; 2: 0 1");
    EXPECT_EQ(needs("reduce_scatter (count 1 0 2)"), "0: 1 2; 1:; 2: 0 1");
    for (auto const* const call : {"bcast (root 1)", "reduce (root 0)", "scan", "allgather (count 0)"})
        EXPECT_EQ(needs(call, Buffering::zero), all) << call;
}

TEST(Collectives, Agree) {
    EXPECT_TRUE(disagree("barrier", "construct"));
    EXPECT_TRUE(disagree("bcast (root 0)", "bcast (root 1)"));
    EXPECT_FALSE(disagree("bcast (root 0) (type int) (count 2)", "bcast (root 0)"));
    EXPECT_TRUE(disagree("bcast (root 0) (count 2)", "bcast (root 0) (count 3)"));
    EXPECT_TRUE(disagree("bcast (root 0) (type int)", "bcast (root 0) (type char)"));
    EXPECT_TRUE(disagree("allreduce (op sum)", "allreduce (op max)"));
    EXPECT_FALSE(disagree("allreduce (op sum)", "allreduce"));
    // What the root says of each member, and what a member says of itself.
    EXPECT_FALSE(disagree("gatherv (root 0) (count 1 2 3)", "gatherv (root 0) (count 2)"));
    EXPECT_TRUE(disagree("gatherv (root 0) (count 1 2 3)", "gatherv (root 0) (count 3)"));
    EXPECT_FALSE(disagree("gatherv (root 0) (count 1)", "gatherv (root 0) (count 3)"));
    EXPECT_TRUE(disagree("allgatherv (count 1 2 3)", "allgatherv (count 1 2 4)"));
    EXPECT_TRUE(disagree("gatherv (root 0) (type int)", "gatherv (root 0) (type char)"));
    EXPECT_FALSE(disagree("alltoallv (count 1 2 3)", "alltoallv (count 4 5 6)"));
    EXPECT_FALSE(disagree("alltoallv (type int)", "alltoallv (type char)"));
    EXPECT_FALSE(disagree("alltoallw (type int)", "alltoallw (type char)"));
    EXPECT_FALSE(disagree("reduce_scatter (count 2 2 2)", "reduce_scatter (count 2)"));
    EXPECT_TRUE(disagree("reduce_scatter (count 2 2 2)", "reduce_scatter (count 2 2 1)"));
}

// A blocking call and a nonblocking one never belong together.
TEST(Collectives, BlockingAgainstNonblocking) {
    Program const program = program_of("(([0 (collective K0 w barrier)]) ([1 (icollective K1 w barrier)]))");
    EXPECT_TRUE(IndexedProgram(program).has_contested_calls());
}

TEST(Collectives, TheIthCallsBelongTogether) {
    Program const program =
        program_of("(([0 (collective A w barrier)] [1 (collective B v barrier)] [2 (collective C w barrier)])"
                   " ([3 (collective D w barrier)]) ([4 (x := 1)]))");
    IndexedProgram const code(program);
    Collectives const& all = *code.collectives();
    auto const told = [&](std::uint32_t rho) {
        std::string text = fmt::format("{}:", all.number({rho}));
        for (auto const& [thread, call] : all.members({rho}))
            text += fmt::format(" {}={}", thread, call.is_none() ? "-" : std::string(code.names()(call)));
        return text;
    };
    EXPECT_EQ(told(0), "1: 0=0 1=3");
    EXPECT_EQ(told(1), "1: 0=1");
    EXPECT_EQ(told(2), "2: 0=2 1=-");
    EXPECT_EQ(told(3), "1: 0=0 1=3");
    EXPECT_TRUE(code.call_of({4}).is_none());
    EXPECT_FALSE(code.has_contested_calls());
}

TEST(Collectives, DeclaredMembers) {
    Program const program = program_of("(communicators [w 2 0 1]) (([0 (collective A w scan)])"
                                       " ([1 (collective B w scan)] [2 (collective C w barrier)]) ())");
    IndexedProgram const code(program);
    auto const missing = [&](std::uint32_t rho, Buffering buffering) {
        return code.collectives()->missing(Machine(code, Buffering::infinite).state(), {rho}, buffering);
    };
    // Thread 2 is the first member, and never calls.
    EXPECT_EQ(missing(0, Buffering::infinite), 2U);
    EXPECT_EQ(missing(1, Buffering::infinite), 2U);
    EXPECT_EQ(missing(2, Buffering::infinite), 2U);
    EXPECT_EQ(code.collectives()->members({2}).size(), 3U);
    // In this order thread 0 needs nobody.
    Program const other = program_of("(communicators [w 0 2 1]) (([0 (collective A w scan)])"
                                     " ([1 (collective B w scan)]) ())");
    IndexedProgram const indexed(other);
    EXPECT_EQ(indexed.collectives()->missing(Machine(indexed, Buffering::infinite).state(), {0}, Buffering::infinite),
              std::nullopt);
}

TEST(Collectives, Arrivals) {
    Program const program =
        program_of("(([0 (x := 1)] [1 (icollective A w barrier)] [2 (y := 1)] [3 (wait A)] [4 (z := 1)])"
                   " ([5 (u := 1)] [6 (icollective B w scan)]) ([7 (v := 1)] [8 (v := 2)]))");
    IndexedProgram const code(program);
    Collectives const& all = *code.collectives();
    Machine machine(code, Buffering::infinite);
    auto const is_arrival = [&](std::uint32_t rho) { return all.is_arrival(machine.state(), {rho}); };
    EXPECT_EQ(code.call_of({3}), Location{1});
    EXPECT_TRUE(is_arrival(0));
    EXPECT_TRUE(is_arrival(5));
    EXPECT_FALSE(is_arrival(1));
    EXPECT_FALSE(is_arrival(7));
    EXPECT_TRUE(all.oppose({0}, {5}));
    EXPECT_TRUE(all.oppose({5}, {3}));
    EXPECT_FALSE(all.oppose({1}, {6}));
    EXPECT_FALSE(all.oppose({5}, {7}));
    // The arrival of one thread makes the wait of the other one a mismatch, and its call.
    for (std::uint32_t const rho : {0U, 1U, 2U}) static_cast<void>(machine.apply(Execute{{rho}}));
    EXPECT_TRUE(is_arrival(5));
    EXPECT_FALSE(is_enabled(code, machine.state(), Buffering::infinite, Execute{{3}}));
    static_cast<void>(machine.apply(Execute{{5}}));
    EXPECT_TRUE(is_enabled(code, machine.state(), Buffering::infinite, Execute{{3}}));
    EXPECT_EQ(all.mismatch(machine.state(), {1}), Location{6});
    EXPECT_TRUE(machine.why_not(Execute{{3}}).has_value());
    EXPECT_TRUE(machine.why_not(Execute{{6}}).has_value());
}

} // namespace matchpoint::test
