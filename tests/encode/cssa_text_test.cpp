// The CSSA form and the reduced causal model as text: how guards, `ite`, divisors and pi-functions look, and which
// threads are shown. docs/from_the_papers.md has the figures of the paper.

#include <gtest/gtest.h>

#include "encode/cssa_text.hpp"
#include "encode/registry.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

std::string cssa_of(Subject const& s, std::vector<std::uint32_t> const& threads = {}) {
    Cssa const cssa(s.messages);
    std::string text;
    print_cssa(s.code, cssa, threads, [&](std::string_view part) { text += part; });
    return text;
}

TEST(CssaText, Guards) {
    Subject const s("(shared [l 1] [b false])"
                    "( ( [take (when (and (> l 0) (not b)) (l := (- l 1)) (b := true))] [is (assume b)]"
                    "    [set (assume true (l := 7))] ) )");
    EXPECT_EQ(cssa_of(s), "initial values\n"
                          "  var_l!0 := 1\n"
                          "  var_b!0 := false\n"
                          "thread 0\n"
                          "        pi_l!1 := π(var_l!0)\n"
                          "        pi_b!2 := π(var_b!0)\n"
                          "  take  when (and (> pi_l!1 0) (not pi_b!2)) (var_l!1 := (- pi_l!1 1)) (var_b!1 := true)\n"
                          "        pi_b!3 := π(var_b!1)\n"
                          "  is    assume pi_b!3\n"
                          "  set   assume true (var_l!2 := 7)\n");
}

/// All definitions of other threads, and the last one of the own thread; the initial value is one of thread 0.
TEST(CssaText, PiFunctions) {
    Subject const s("(shared [x 0])"
                    "( ( [a1 (x := 1)] [a2 (x := 2)] [a3 (assert (= x 2))] ) ( [b1 (x := 3)] [b2 (c := x)] ) )");
    EXPECT_EQ(cssa_of(s), "initial values\n"
                          "  var_x!0 := 0\n"
                          "thread 0\n"
                          "  a1  var_x!1 := 1\n"
                          "  a2  var_x!2 := 2\n"
                          "      pi_x!1 := π(var_x!2, var_x!3)\n"
                          "  a3  assert (= pi_x!1 2)\n"
                          "thread 1\n"
                          "  b1  var_x!3 := 3\n"
                          "      pi_x!2 := π(var_x!0, var_x!1, var_x!2, var_x!3)\n"
                          "  b2  var_c!1 := pi_x!2\n");
}

TEST(CssaText, OneThreadWrites) {
    Subject const s("(shared [x 0] [y 5])"
                    "( ( [a1 (x := 1)] [a2 (z := (+ x y))] ) ( [b1 (v := y)] ) )");
    EXPECT_EQ(cssa_of(s), "initial values\n"
                          "  var_x!0 := 0\n"
                          "  var_y!0 := 5\n"
                          "thread 0\n"
                          "  a1  var_x!1 := 1\n"
                          "      pi_x!1 := π(var_x!1)\n"
                          "      pi_y!2 := π(var_y!0)\n"
                          "  a2  var_z!1 := (+ pi_x!1 pi_y!2)\n"
                          "thread 1\n"
                          "      pi_y!3 := π(var_y!0)\n"
                          "  b1  var_v!1 := pi_y!3\n");
}

TEST(CssaText, IteAndDivisors) {
    Subject const s("(shared [x 3]) ( ( [a1 (m := (ite (> x 1) x 1))] [a2 (x := (div 12 m))] ) )");
    EXPECT_EQ(cssa_of(s), "initial values\n"
                          "  var_x!0 := 3\n"
                          "thread 0\n"
                          "      pi_x!1 := π(var_x!0)\n"
                          "  a1  var_m!1 := (ite (> pi_x!1 1) pi_x!1 1)\n"
                          "      divisor_a2!1 := var_m!1\n"
                          "  a2  var_x!1 := (div 12 divisor_a2!1)\n");
}

TEST(CssaText, ShownThreads) {
    Subject const s("(shared [x 0]) ( ( [long_name (x := 1)] ) ( ) ( [c (assert (= x 0))] ) )");
    EXPECT_EQ(cssa_of(s, {2, 1}), "initial values\n"
                                  "  var_x!0 := 0\n"
                                  "thread 1\n"
                                  "thread 2\n"
                                  "     pi_x!1 := π(var_x!0, var_x!1)\n"
                                  "  c  assert (= pi_x!1 0)\n");
}

TEST(CssaText, NothingShared) {
    EXPECT_EQ(cssa_of(Subject("( ( [a (x := 1)] [b (x := (+ x 1))] ) )")), "thread 0\n"
                                                                           "  a  var_x!1 := 1\n"
                                                                           "  b  var_x!2 := (+ var_x!1 1)\n");
}

/// The trace leaves out the last command of thread 0.
TEST(CssaText, EventsAndModel) {
    Subject const s("(shared [x 0] [f false] [l 1])"
                    "( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (x := 5)] [a3 (f := true)] [a4 (x := 6)] )"
                    "  ( [b1 (assume f)] [b2 (t := x)] [b3 (u := 1)] [b4 (assert (= x 5))] ) )"
                    "( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) )");
    Schedule const trace = schedule_of(s.code, 0);
    auto const events = concrete_events(s.code, trace);
    auto const model = constrained_model(s.code, trace);
    ASSERT_TRUE(events);
    ASSERT_TRUE(model);
    std::string text;
    auto const sink = [&](std::string_view part) { text += part; };
    print_events(s.code, *events, {}, sink);
    EXPECT_EQ(text, "  a1  thread 0  when (> l 0) (l := (- l 1))\n"
                    "  a2  thread 0  writing 5 to x\n"
                    "  a3  thread 0  writing true to f\n"
                    "  b1  thread 1  reading true from f\n"
                    "  b2  thread 1  reading 5 from x\n"
                    "  b3  thread 1  nop\n"
                    "  b4  thread 1  assert (= x 5)\n");
    text.clear();
    print_model(s.code, *events, *model, {}, sink);
    EXPECT_EQ(text, "thread 0\n"
                    "   a1  when (> l 0) (l := (- l 1))\n"
                    "   a2  x := 5\n"
                    "   a3  f := true\n"
                    "thread 1\n"
                    "** b1  assume (= f true)\n"
                    "** b2  assume (= x 5)\n"
                    "** b3  assume true\n"
                    "   b4  assert (= x 5)\n");
    text.clear();
    std::vector<std::uint32_t> const one{1};
    print_events(s.code, *events, one, sink);
    EXPECT_EQ(text.find("thread 0"), std::string::npos);
}

} // namespace
} // namespace matchpoint::test
