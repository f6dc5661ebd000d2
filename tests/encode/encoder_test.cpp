// The encodings of all executions: each class of constraints where it belongs and nowhere else, whole constraints, and
// what solvers say. That the problems are right is the subject of tests/properties/check_test.cpp.

#include "encode/exact.hpp"
#include "executions/exact_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "encode/literal_encoders.hpp"
#include "solve/solver.hpp"
#include "tests/encode/constraints.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::infinite;
using test::Lines;
using test::Subject;
using test::zero;

std::string encoded(Subject const& s, EncoderOptions const& options, MatchPairs const& pairs) {
    return encode_exact(s.messages, pairs, options);
}
std::string encoded(Subject const& s, EncoderOptions const& options = {}) {
    return encoded(s, options, overapprox(s.messages));
}
std::string section5(Subject const& s) { return encode_section5(s.messages, overapprox(s.messages), {}); }

std::string answer(std::string problem) {
    Solver solver(*solver_command("z3"));
    std::size_t const check = problem.rfind("(check-sat)");
    if (check != std::string::npos) problem.resize(check);
    return to_string(solver.check(problem), solver.command());
}

// One channel with two messages, and one message of another channel, for two receives.
Subject const& channels() {
    static Subject const s("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 1))] )"
                           "  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ) ( [20 (sndi t 2 0 3)] ) )");
    return s;
}

// ---- exact ----

TEST(Encoder, WholeText) {
    Subject const s(
        "( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (y := (+ x 1))] [03 (assume (> y 0))] [04 (assert (= y 2))] )"
        "  ( [10 (sndi s 1 0 1)] ) ( [20 (sndi t 2 0 2)] ) )");
    EXPECT_EQ(
        lines(encoded(s)),
        (Lines{"(set-info :smt-lib-version 2.6)",
               "(set-logic QF_LIA)",
               "; sends, as M_R numbers them",
               "; 1 s",
               "; 2 t",
               "; definitions",
               "(declare-const value_r Int)",
               "(declare-const var_y!1 Int)",
               "(declare-const M_r Int)",
               "(declare-const place_s Int)",
               "(declare-const place_t Int)",
               "; values",
               "(assert (! (= var_y!1 (+ value_r 1)) :named |02 ASSIGN EXPRESSIONS EVALUATION|))",
               "; matches",
               "(assert (! (or (and (= M_r 1) (= place_s 0) (= value_r 1)) (and (= M_r 2) (= place_t 0) (= value_r "
               "2))) :named |00 MATCH r|))",
               "; channel order",
               "; program order",
               "; assumptions",
               "(assert (! (> var_y!1 0) :named |03 ASSUME EXPRESSIONS EVALUATION|))",
               "; property: not all assertions hold",
               "(assert (! (not (= var_y!1 2)) :named |property|))",
               "(check-sat)"}));
}

TEST(Encoder, Options) {
    Subject const& s = channels();
    std::string const text = encoded(s, {.check_sat = false, .cores = true, .models = true});
    EXPECT_EQ(lines(text)[1], "(set-option :produce-unsat-cores true)");
    EXPECT_EQ(lines(text)[2], "(set-option :produce-models true)");
    EXPECT_EQ(text.find("(check-sat)"), std::string::npos);
}

TEST(Encoder, LogicsAreTheSmallest) {
    auto const logic = [](std::string const& command) {
        std::string const text = encoded(Subject("( ( [00 (x := 1)] " + command + " ) )"));
        return lines(text)[1];
    };
    EXPECT_EQ(logic("[01 (assert (= (* x 3) 1))]"), "(set-logic QF_LIA)");
    EXPECT_EQ(logic("[01 (assert (= (* x x) 1))]"), "(set-logic QF_NIA)");
    EXPECT_EQ(logic("[01 (assert (= (div 1 x) 1))]"), "(set-logic QF_NIA)");
}

TEST(Encoder, MatchApplies) {
    EXPECT_EQ(
        constraints(encoded(channels()), "MATCH"),
        (Lines{"00 MATCH r1: (or (and (= M_r1 1) (= place_s1 0) (= value_r1 1)) (and (= M_r1 3) (= place_t 0) (= "
               "value_r1 3)))",
               "01 MATCH r2: (or (and (= M_r2 1) (= place_s1 1) (= value_r2 1)) (and (= M_r2 2) (= place_s2 1) (= "
               "value_r2 2)) (and (= M_r2 3) (= place_t 1) (= value_r2 3)))"}));
    // What is sent has a name, unless it is a constant.
    Subject const payload("( ( [00 (rcvi r 0 x)] [01 (wait r)] ) ( [10 (y := 1)] [11 (sndi s 1 0 (+ y 1))] ) )");
    EXPECT_EQ(constraints(encoded(payload), "MATCH"),
              (Lines{"00 MATCH r: (and (= M_r 1) (= place_s 0) (= value_r value_s))"}));
    EXPECT_EQ(constraints(encoded(payload), "SNDI"), (Lines{"11 SNDI COMMAND: (= value_s (+ var_y!1 1))"}));
}

// errata E26
TEST(Encoder, MatchWithoutPairs) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert (= x 1))] ) )");
    EXPECT_EQ(constraints(encoded(s), "MATCH"), (Lines{"00 MATCH r: false"}));
    EXPECT_EQ(answer(encoded(s)), "unsat");
}

TEST(Encoder, ChannelOrderAndPlaceApply) {
    EXPECT_EQ(constraints(encoded(channels()), "CHANNEL ORDER"), (Lines{"11 CHANNEL ORDER: (< place_s1 place_s2)"}));
    EXPECT_EQ(constraints(encoded(channels()), "PLACE"),
              (Lines{"10 PLACE: (or (<= 2 place_s1) (= M_r1 1) (= M_r2 1))"}));
}

// One message a channel; and a last message of a channel that no receive may get is none to speak of.
TEST(Encoder, ChannelOrderAndPlaceDoNotApply) {
    for (Buffering const b : {infinite, zero}) {
        std::string const text = encoded(Subject(std::string(test::figure_1)), {.buffering = b});
        EXPECT_EQ(constraints(text, "CHANNEL ORDER"), Lines());
        EXPECT_EQ(constraints(text, "PLACE"), Lines());
    }
    Subject const orphan("( ( [00 (rcvi r 0 x)] [01 (wait r)] ) ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ) )");
    EXPECT_EQ(constraints(encoded(orphan), "CHANNEL ORDER"), Lines());
}

// errata E12: with more pairs than Figure 15's, nobody receives a send without pairs, nor the sends after it.
TEST(Encoder, ChannelOrderOfASendWithoutPairs) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert (= x 1))] )"
                    "  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ) )");
    MatchPairs pairs;
    pairs.of = {{s.send("s2")}};
    std::string const text = encoded(s, {}, pairs);
    EXPECT_EQ(constraints(text, "CHANNEL ORDER"), (Lines{"11 CHANNEL ORDER r: (not (= M_r 2))"}));
    EXPECT_EQ(answer(text), "unsat");
    pairs.of = {{s.send("s1"), s.send("s2")}};
    EXPECT_EQ(constraints(encoded(s, {}, pairs), "PLACE"), (Lines{"10 PLACE: (or (<= 1 place_s1) (= M_r 1))"}));
    EXPECT_EQ(answer(encoded(s, {}, pairs)), "unsat");
}

TEST(Encoder, TakenApplies) {
    std::string const text = encoded(Subject(std::string(test::figure_1)), {.buffering = zero});
    EXPECT_EQ(constraints(text, "TAKEN"), (Lines{"16 TAKEN: (or (= M_R2 1) (= M_R5 1))",
                                                 "25 TAKEN: (or (= M_R2 2) (= M_R5 2))", "27 TAKEN: (= M_R3 3)"}));
    Subject const nobody("( ( [00 (sndi s 0 0 1)] [01 (wait s)] [02 (assert false)] ) )");
    EXPECT_EQ(constraints(encoded(nobody, {.buffering = zero}), "TAKEN"), (Lines{"01 TAKEN: false"}));
    EXPECT_EQ(answer(encoded(nobody, {.buffering = zero})), "unsat");
}

TEST(Encoder, TakenDoesNotApply) {
    EXPECT_EQ(constraints(encoded(Subject(std::string(test::figure_1))), "TAKEN"), Lines());
    EXPECT_EQ(constraints(encoded(channels(), {.buffering = zero}), "TAKEN"), Lines()); // nobody waits
}

// Every class of rule 4 with zero buffering, in Figure 1 all of them where a cycle can be.
TEST(Encoder, RendezvousApplies) {
    std::string const text = encoded(Subject(std::string(test::figure_1)), {.buffering = zero});
    EXPECT_EQ(constraints(text, "POSTED"), (Lines{"05 POSTED: (< order_05 instant_R5)"}));
    EXPECT_EQ(constraints(text, "COMPLETES"),
              (Lines{"03 COMPLETES R2: (< instant_R2 order_03)", "14 COMPLETES R3: (< instant_R3 order_14)"}));
    EXPECT_EQ(constraints(text, "ENDPOINT ORDER"), (Lines{"02 ENDPOINT ORDER: (< instant_R2 instant_R5)"}));
    EXPECT_EQ(constraints(text, "MACHINE STEP"),
              (Lines{"05 MACHINE STEP: (< order_03 order_05)", "15 MACHINE STEP: (< order_14 order_15)",
                     "26 MACHINE STEP: (< order_25 order_26)"}));
    EXPECT_NE(constraints(text, "MATCH R2")[0].find("(< order_15 instant_R2)"), std::string::npos);
    EXPECT_NE(constraints(text, "MATCH R2")[0].find("(< instant_R2 order_25)"), std::string::npos);
}

TEST(Encoder, RendezvousDoesNotApply) {
    for (std::string const word : {"POSTED", "COMPLETES", "ENDPOINT ORDER", "MACHINE STEP"}) {
        EXPECT_EQ(constraints(encoded(Subject(std::string(test::figure_1))), word), Lines());
        // Nobody waits for a send: no cycle, so no order, with zero buffering either.
        EXPECT_EQ(constraints(encoded(channels(), {.buffering = zero}), word), Lines());
    }
}

// Commands that can lie on a cycle have an order, no others.
TEST(Encoder, MachineStepApplies) {
    std::string const text = encoded(Subject(std::string(test::figure_16)));
    EXPECT_EQ(constraints(text, "MACHINE STEP"),
              (Lines{"04 MACHINE STEP: (< order_03 order_04)", "14 MACHINE STEP: (< order_13 order_14)"}));
    EXPECT_EQ(text.find("order_00"), std::string::npos);
    EXPECT_EQ(text.find("order_20"), std::string::npos);
    // errata E11
    Subject const own("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (sndi s 0 0 1)] [03 (assert false)] ) )");
    EXPECT_EQ(constraints(encoded(own), "MACHINE STEP"), (Lines{"02 MACHINE STEP: (< order_01 order_02)"}));
    EXPECT_EQ(answer(encoded(own)), "unsat");
}

TEST(Encoder, WithoutOrder) {
    for (Buffering const b : {infinite, zero}) {
        std::string const text = encoded(Subject(std::string(test::figure_16)), {.buffering = b, .order = false});
        EXPECT_EQ(text.find("order_"), std::string::npos);
        EXPECT_EQ(text.find("instant_"), std::string::npos);
    }
    Subject const own("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (sndi s 0 0 1)] [03 (assert false)] ) )");
    EXPECT_EQ(answer(encoded(own, {.order = false})), "sat");
}

// errata E31
TEST(Encoder, DivisorsAreNotZero) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert (= (div 1 x) 1))] ) ( [10 (sndi s 1 0 0)] ) )");
    EXPECT_EQ(constraints(encoded(s), "NOT ZERO").size(), 1U);
    EXPECT_EQ(answer(encoded(s)), "unsat");
    Subject const constant("( ( [00 (x := (div 4 2))] ) )");
    EXPECT_EQ(constraints(encoded(constant), "DIVISOR"), Lines());
}

// errata E5, E6
TEST(Encoder, Property) {
    auto const property = [](std::string const& asserts, Asked asked) {
        std::string const text = encoded(Subject("( ( [00 (x := 1)] " + asserts + " ) )"), {.asked = asked});
        return constraints(text, "property");
    };
    EXPECT_EQ(property("[01 (assert (= x 1))]", Asked::failure), (Lines{"property: (not (= var_x!1 1))"}));
    EXPECT_EQ(property("[01 (assert (= x 1))] [02 (assert (> x 0))]", Asked::failure),
              (Lines{"property: (not (and (= var_x!1 1) (> var_x!1 0)))"}));
    EXPECT_EQ(property("", Asked::failure), (Lines{"property: (not true)"}));
    EXPECT_EQ(property("[01 (assert (= x 1))]", Asked::success), (Lines{"property: (= var_x!1 1)"}));
    EXPECT_EQ(property("[01 (assert (= x 1))]", Asked::any), Lines());
}

TEST(Encoder, Assumptions) {
    Subject const s("( ( [00 (assume false)] [01 (assert false)] ) )");
    EXPECT_EQ(answer(encoded(s)), "unsat");
    EXPECT_EQ(answer(encoded(s, {.asked = Asked::success})), "unsat");
    EXPECT_EQ(answer(encoded(s, {.asked = Asked::any})), "sat");
    EXPECT_EQ(constraints(encoded(s), "ASSUME").size(), 1U);
    EXPECT_EQ(constraints(encoded(s, {.asked = Asked::any}), "ASSUME"), Lines());
}

TEST(Encoder, NamesCannotBreakOut) {
    Subject const s("( ( [|x| (rcvi \\r| 0 v)] [w, (wait \\r|)] [a'b (assert (= v 1))] ) ( [s| (sndi |S\\ 1 0 2)] ) )");
    EXPECT_EQ(constraints(encoded(s), "MATCH"),
              (Lines{"%7Cx%7C MATCH %5Cr%7C: (and (= M_%5Cr%7C 1) (= place_%7CS%5C 0) (= value_%5Cr%7C 2))"}));
    EXPECT_EQ(answer(encoded(s)), "sat");
}

// ---- section5 ----

TEST(Section5, HasTheConstraintsOfEachDefinitionAndStep) {
    Subject const& s = channels();
    std::string const text = section5(s);
    EXPECT_EQ(constraints(text, "MATCH"),
              (Lines{"00 MATCH: (or (and (= M_r1 order_10) (= M_s1 order_00) (= e_r1 e_s1) (= value_r1 1) (< order_10 "
                     "order_02)) (and (= M_r1 order_20) (= M_t order_00) (= e_r1 e_t) (= value_r1 3) (< order_20 "
                     "order_02)))",
                     "01 MATCH: (or (and (= M_r2 order_10) (= M_s1 order_01) (= e_r2 e_s1) (= value_r2 1) (< order_10 "
                     "order_02)) (and (= M_r2 order_11) (= M_s2 order_01) (= e_r2 e_s2) (= value_r2 2) (< order_11 "
                     "order_02)) (and (= M_r2 order_20) (= M_t order_01) (= e_r2 e_t) (= value_r2 3) (< order_20 "
                     "order_02)))"}));
    EXPECT_EQ(constraints(text, "STEP 1"), (Lines{"11 STEP 1: (< order_10 order_11)"}));
    EXPECT_EQ(constraints(text, "STEP 2"), (Lines{"01 STEP 2: (< order_00 order_01)"}));
    EXPECT_EQ(constraints(text, "STEP 3"),
              (Lines{"00 STEP 3: (< order_00 order_02)", "01 STEP 3: (< order_01 order_02)"}));
    EXPECT_EQ(constraints(text, "STEP 4"), (Lines{"11 STEP 4: (< M_s1 M_s2)"}));
    EXPECT_EQ(constraints(text, "PROPERTY"), (Lines{"03 PROPERTY: (not (= value_r1 1))"}));
}

// Sends to different endpoints, or of different threads, are not ordered; those from different endpoints are (errata
// E10).
TEST(Section5, Step1) {
    Subject const apart("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (rcvi q 1 y)] [03 (wait q)] )"
                        "  ( [10 (sndi s 2 0 1)] [11 (sndi t 2 1 2)] ) )");
    EXPECT_EQ(constraints(section5(apart), "STEP 1"), Lines());
    Subject const two("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] )"
                      "  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 2 0 2)] ) )");
    EXPECT_EQ(constraints(section5(two), "STEP 4"), (Lines{"11 STEP 4: (< M_s1 M_s2)"}));
    EXPECT_EQ(constraints(encoded(two), "CHANNEL ORDER"), Lines());
}

TEST(Section5, IsForInfiniteBufferingAndFailure) {
    MatchPairs const pairs = overapprox(channels().messages);
    auto const refused = [&](EncoderOptions const& options) {
        try {
            encode_section5(channels().messages, pairs, options);
        } catch (std::logic_error const& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    std::string const why = "encode_section5: infinite buffering, failure, with order";
    EXPECT_EQ(refused({.buffering = zero}), why);
    EXPECT_EQ(refused({.asked = Asked::success}), why);
    EXPECT_EQ(refused({.order = false}), why);
    EXPECT_EQ(refused({}), "");
}

// The two encodings part ways on Figure 16's bogus pair (errata E11).
TEST(Section5, AdmitsFigure16sBogusPair) {
    Subject const s{std::string(test::figure_16)};
    EXPECT_EQ(answer(encoded(s)), "unsat");
    EXPECT_EQ(answer(section5(s)), "sat");
    EXPECT_EQ(answer(encode_section5(s.messages, *pairs_by(s.messages, infinite, PairsMethod::exact), {})), "unsat");
}

} // namespace
} // namespace matchpoint::test
