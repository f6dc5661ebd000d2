// The places of a command's parts, read from the text again.

#include <gtest/gtest.h>

#include "grammar/messages/positions.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

std::string text_of(Token t) { return std::string(t.text) + "@" + std::to_string(t.offset); }

TEST(Positions, AtomAt) {
    Source const s("s", "[05 (rcvi R5;)\n\t 0 B)]; 7\n[⊥");
    EXPECT_EQ(text_of(atom_at(s, 1, 0)), "05@1");
    EXPECT_EQ(text_of(atom_at(s, 1, 1)), "rcvi@5");
    EXPECT_EQ(text_of(atom_at(s, 1, 2)), "R5@10");
    EXPECT_EQ(text_of(atom_at(s, 1, 3)), "0@17");
    EXPECT_EQ(text_of(atom_at(s, 1, 4)), "B@19");
    EXPECT_EQ(text_of(atom_at(s, 1, 5)), "⊥@27");
    EXPECT_EQ(text_of(atom_at(s, 1, 6)), "@30");
    EXPECT_EQ(text_of(atom_at(s, 1, 100)), "@30");
    EXPECT_EQ(text_of(atom_at(s, 30, 0)), "@30");
    // A comment that ends with the text.
    EXPECT_EQ(text_of(atom_at(Source("s", "a ; b"), 0, 1)), "@5");
}

TEST(Positions, ClosingBracket) {
    Source const s("s", "[05 (rcvi R5;)]\n 0 [B] ); ])]\n ] ; ]");
    EXPECT_EQ(closing_bracket(s, 1), 31U);
    EXPECT_EQ(closing_bracket(s, 5), 23U);
    EXPECT_EQ(closing_bracket(s, 20), 21U);
    // None, but one in a comment.
    EXPECT_EQ(closing_bracket(s, 0), 36U);
    EXPECT_EQ(closing_bracket(s, 32), 36U);
    EXPECT_EQ(closing_bracket(s, 36), 36U);
}

/// The atoms of the expressions of all commands of one thread.
std::string atoms(std::string text) {
    Source const source("s", std::move(text));
    Program const program = test::parsed(source);
    std::string result;
    for (LocatedCommand const& c : program.ctp.commands) {
        for (Token const t : expression_atoms(source, c)) result += text_of(t) + " ";
        result += "\n";
    }
    return result;
}

TEST(Positions, ExpressionAtoms) {
    EXPECT_EQ(atoms("(([1 (assume x)]))"), "x@13 \n");
    EXPECT_EQ(atoms("(([1 (assert true)]))"), "true@13 \n");
    EXPECT_EQ(atoms("(([1 (x := 5)]))"), "5@11 \n");
    EXPECT_EQ(atoms("(([1 (sndi S 1 0 7)]))"), "7@17 \n");
    EXPECT_EQ(atoms("(([1 (rcvi R 0 x)] [2 (wait R)]))"), "\n\n");
    // In post-order: the operands, then the operator.
    EXPECT_EQ(atoms("(([1 (sndi S 1 0 (+ [* 2 x] (not y)) 1)]))"), "2@23 x@25 *@21 y@33 not@29 +@18 \n");
    EXPECT_EQ(atoms("(([1 (x;c\n := ; (\n( ; )\n - ; 2\n 3 4) )]))"), "3@32 4@34 -@25 \n");
    EXPECT_EQ(atoms("(([1 (assume(= a b))] [2 (assert[not c])]))"), "a@15 b@17 =@13 \nc@37 not@33 \n");
}

} // namespace
} // namespace matchpoint::test
