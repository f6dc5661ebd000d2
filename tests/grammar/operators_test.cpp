#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "grammar/operators.hpp"
#include "tests/support/all_rooms.hpp"

#include <string>
#include <variant>

namespace matchpoint::test {
namespace {

std::string name(OperandSort sort) {
    switch (sort) {
    case OperandSort::integer: return "Int";
    case OperandSort::boolean: return "Bool";
    case OperandSort::common: break;
    }
    return "A";
}

TEST(Operators, Table) {
    std::string text;
    for (Op const op : all_ops()) {
        EXPECT_EQ(parse_op(to_string(op)), op);
        text += fmt::format("{} {} {}:", to_string(op), row(op).smt_name, arity(op));
        for (std::size_t k = 0; k < arity(op); ++k) text += " " + name(operand_sort(op, k));
        text += " -> " + name(result_sort(op)) + "\n";
    }
    EXPECT_EQ(text, R"(+ + 2: Int Int -> Int
- - 2: Int Int -> Int
* * 2: Int Int -> Int
div div 2: Int Int -> Int
mod mod 2: Int Int -> Int
= = 2: A A -> Bool
!= distinct 2: A A -> Bool
< < 2: Int Int -> Bool
<= <= 2: Int Int -> Bool
> > 2: Int Int -> Bool
>= >= 2: Int Int -> Bool
and and 2: Bool Bool -> Bool
or or 2: Bool Bool -> Bool
=> => 2: Bool Bool -> Bool
xor xor 2: Bool Bool -> Bool
not not 1: Bool -> Bool
ite ite 3: Bool A A -> A
)");
}

using Known = std::optional<bool>;

TEST(Operators, ConnectivesOfSomeOperands) {
    auto const of = [](Op op, Known a, Known b) { return as_connective(op)->of(std::array{a, b}); };
    for (Known const other : {Known(), Known(false), Known(true)}) {
        EXPECT_EQ(of(Op::and_, false, other), Known(false));
        EXPECT_EQ(of(Op::and_, other, false), Known(false));
        EXPECT_EQ(of(Op::or_, true, other), Known(true));
        EXPECT_EQ(of(Op::or_, other, true), Known(true));
        EXPECT_EQ(of(Op::implies, false, other), Known(true));
        EXPECT_EQ(of(Op::implies, other, true), Known(true));
        EXPECT_EQ(of(Op::xor_, Known(), other), Known());
        EXPECT_EQ(of(Op::equal, other, Known()), Known());
    }
    EXPECT_EQ(of(Op::and_, true, Known()), Known());
    EXPECT_EQ(of(Op::or_, Known(), false), Known());
    EXPECT_EQ(of(Op::implies, true, Known()), Known());
    EXPECT_EQ(of(Op::implies, true, false), Known(false));
}

TEST(Operators, ConnectivesWithOneRow) {
    auto const only = [](Op op, bool result) { return as_connective(op)->only_row(result); };
    EXPECT_EQ(only(Op::and_, true), 0b11U);
    EXPECT_EQ(only(Op::or_, false), 0b00U);
    EXPECT_EQ(only(Op::implies, false), 0b01U); // the left operand is true
    EXPECT_EQ(only(Op::not_, true), 0U);
    EXPECT_EQ(only(Op::not_, false), 1U);
    EXPECT_EQ(only(Op::and_, false), std::nullopt);
    EXPECT_EQ(only(Op::xor_, true), std::nullopt);
}

TEST(Operators, OtherAtomsAreNone) {
    for (char const* const atom : {"", "==", "+ ", "Not", "AND", "/", "%", "<=>", "=<", "divide", "assume"})
        EXPECT_EQ(parse_op(atom), std::nullopt) << atom;
}

TEST(Operators, Integers) {
    for (char const* const atom : {"0", "5", "+5", "-5", "-0", "007", "12345678901234567890"})
        EXPECT_TRUE(is_integer(atom)) << atom;
    for (char const* const atom : {"", "+", "-", "--1", "+-1", "1-", "1.0", "0x1", "a1", "1a", "\xD9\xA1"})
        EXPECT_FALSE(is_integer(atom)) << atom;
}

TEST(Operators, Bottoms) {
    EXPECT_TRUE(is_bot("bot"));
    EXPECT_TRUE(is_bot("⊥"));
    for (char const* const atom : {"", "Bot", "bottle", "bo", "⊥⊥", "⊤"}) EXPECT_FALSE(is_bot(atom)) << atom;
}

TEST(Operators, VariableNames) {
    for (char const* const atom : {"x", "A", "bottle", "nota", "True", "+x", "1a", "a:=b", "#t", "x.y", "é", "⊥x", "-",
                                   "'", "::", "assume1", "send"}) {
        bool const is_minus = std::string_view(atom) == "-"; // an operator
        EXPECT_EQ(is_variable_name(atom), !is_minus) << atom;
    }
    for (char const* const atom :
         {"0",  "+5", "-7", "true", "false", "bot", "⊥",  "+",   "-",      "*",      "div", "mod",  "=",    "!=",  "<",
          "<=", ">",  ">=", "and",  "or",    "xor", "=>", "not", "assume", "assert", ":=",  "sndi", "rcvi", "wait"})
        EXPECT_FALSE(is_variable_name(atom)) << atom;
}

TEST(Overloaded, TakesTheArmOfTheAlternative) {
    auto const visitor = overloaded{[](int) { return "int"; }, [](char const*) { return "text"; }};
    std::variant<int, char const*> v = 1;
    EXPECT_STREQ(std::visit(visitor, v), "int");
    v = "x";
    EXPECT_STREQ(std::visit(visitor, v), "text");
}

} // namespace
} // namespace matchpoint::test
