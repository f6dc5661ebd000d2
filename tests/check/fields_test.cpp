// Fields of packed messages: which payloads have them, which expressions take them out, and what Domains infers of
// them.

#include "check/sat/fields.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "check/sat/domains.hpp"
#include "check/sat/sat_search.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

/// Two threads send these payloads to endpoint 0, after each has received y from itself; the receiver has `commands` at
/// its end, and receives x0 and x1.
std::string two(std::string const& first, std::string const& second, std::string const& commands) {
    auto const sender = [](int i, std::string const& payload) {
        return fmt::format("([a{0} (rcvi Q{0} {0} y{0})] [b{0} (sndi T{0} 1{0} {0} 5)] [c{0} (wait Q{0})] "
                           "[d{0} (sndi S{0} 1{0} 0 {1})] bot)",
                           i, payload);
    };
    return fmt::format("(([1 (rcvi R0 0 x0)] [2 (rcvi R1 0 x1)] [3 (wait R1)] {} bot) {} {})", commands,
                       sender(1, first), sender(2, second));
}

struct Packed {
    Packed(std::string const& first, std::string const& second, std::string const& commands = "")
        : s(two(first, second, commands)), flow(s.messages), fields(flow) {}

    std::uint32_t count() { return fields.count(s.endpoint("0")); }
    /// The condition of assertion i is a comparison; what is on its left.
    std::optional<Fields::Field> field(std::size_t i) {
        return fields.of(flow.resolved_operands(flow.assertions()[i]).front());
    }

    Subject s;
    DataFlow flow;
    Fields fields;
};

TEST(Fields, OfPackedPayloads) {
    EXPECT_EQ(Packed("(+ (* y1 3) 1)", "(+ (* 7 3) 2)").count(), 2U);
    EXPECT_EQ(Packed("(+ (* (+ (* y1 3) 1) 10) 4)", "(+ (* (+ (* 2 3) 2) 10) 9)").count(), 3U);
    // Only the outer factor is that of both.
    EXPECT_EQ(Packed("(+ (* (+ (* y1 4) 1) 10) 4)", "(+ (* (+ (* 2 3) 2) 10) 9)").count(), 2U);
}

TEST(Fields, NotOfOtherPayloads) {
    EXPECT_EQ(Packed("(+ (* y1 3) 1)", "(+ (* 7 4) 1)").count(), 0U); // another factor
    EXPECT_EQ(Packed("(+ (* y1 3) 1)", "(+ (* 7 3) 3)").count(), 0U); // 3 is 1 * 3 + 0
    EXPECT_EQ(Packed("(+ (* y1 3) 1)", "(+ (* 7 3) -1)").count(), 0U);
    EXPECT_EQ(Packed("(+ (* y1 3) 1)", "7").count(), 0U);
    EXPECT_EQ(Packed("(+ 1 (* y1 3))", "(+ 1 (* 7 3))").count(), 0U);
    EXPECT_EQ(Packed("(- (* y1 3) 1)", "(- (* 7 3) 1)").count(), 0U);
}

TEST(Fields, AreTakenOut) {
    Packed p("(+ (* (+ (* y1 3) 1) 10) 4)", "(+ (* (+ (* 2 3) 2) 10) 9)",
             "[p (assert (= (mod x0 10) 4))] [q (v := (div x1 10))] [r (assert (= (mod v 3) 1))]"
             "[s (assert (= (div v 3) 1))]");
    ASSERT_TRUE(p.field(0) && p.field(1) && p.field(2));
    EXPECT_EQ(p.field(0)->receive, p.s.receive("R0"));
    EXPECT_EQ(p.field(0)->level, 0U);
    EXPECT_EQ(p.field(1)->receive, p.s.receive("R1"));
    EXPECT_EQ(p.field(1)->level, 1U);
    EXPECT_EQ(p.field(2)->level, 2U);
    std::uint32_t const s1 = p.s.send("S1"), s2 = p.s.send("S2");
    EXPECT_EQ(p.fields.constant(s1, 0), 4);
    EXPECT_EQ(p.fields.constant(s1, 1), 1);
    EXPECT_EQ(p.fields.constant(s1, 2), std::nullopt); // it is received
    EXPECT_EQ(p.fields.constant(s2, 0), 9);
    EXPECT_EQ(p.fields.constant(s2, 1), 2);
    EXPECT_EQ(p.fields.constant(s2, 2), 2);
}

TEST(Fields, AreNotWhatIsTakenOutOtherwise) {
    for (char const* const other :
         {"(mod x0 3)", "(mod x0 5)", "(div x0 10)", "(mod (div x0 5) 3)", "(mod (div x0 10) 2)", "(mod (mod x0 10) 3)",
          "(+ x0 1)", "x0", "(div (div x0 3) 10)", "(mod 5 10)"}) {
        Packed p("(+ (* (+ (* y1 3) 1) 10) 4)", "(+ (* (+ (* 2 3) 2) 10) 9)",
                 fmt::format("[p (assert (= {} 1))]", other));
        EXPECT_FALSE(p.field(0)) << other;
    }
}

/// Whether the assertion may fail, by intervals alone.
bool may_fail(std::string const& condition) {
    Packed p("(+ (* y1 9) 3)", "(+ (* y2 9) 4)", "[p (assert " + condition + ")]");
    Domains domains(p.flow, Extent::complete, true);
    EXPECT_TRUE(domains.require({}));
    return domains.may_hold({p.flow.assertions()[0], false});
}

// The values are not known, the fields are: 3 and 4, in some order.
TEST(Domains, FieldsAreBoundedLikeMessages) {
    EXPECT_FALSE(may_fail("(<= (mod x0 9) 4)"));
    EXPECT_TRUE(may_fail("(<= (mod x0 9) 3)"));
    EXPECT_FALSE(may_fail("(= (+ (mod x0 9) (mod x1 9)) 7)")); // different receives get different messages
    EXPECT_TRUE(may_fail("(= (+ (mod x0 9) (mod x0 9)) 7)"));
    EXPECT_FALSE(may_fail("(!= (mod x0 9) (mod x1 9))"));
    EXPECT_TRUE(may_fail("(= (div x0 9) 5)"));
}

TEST(Domains, AFieldLeavesItsSends) {
    Packed p("(+ (* y1 9) 3)", "(+ (* y2 9) 4)", "[p (assert (< (mod x0 9) 4))]");
    Domains domains(p.flow, Extent::complete, true);
    Requirement const fails[] = {{p.flow.assertions()[0], false}};
    ASSERT_TRUE(domains.require(fails));
    EXPECT_EQ(domains.only_send(p.s.receive("R0")), p.s.send("S2"));
    EXPECT_EQ(domains.only_send(p.s.receive("R1")), std::nullopt);
    CandidateWindows const windows(p.s.messages, infinite);
    auto const pairs = domains.candidates(windows, 100);
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->of[p.s.receive("R0")], std::vector{p.s.send("S2")});
    EXPECT_EQ(domains.some_sends(p.s.receive("R0"), windows, 5), std::vector{p.s.send("S2")});
    EXPECT_TRUE(domains.some_sends(p.s.receive("R1"), windows, 5).empty());
}

} // namespace
} // namespace matchpoint::test
