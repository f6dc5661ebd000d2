#include <gtest/gtest.h>

#include "base/overloaded.hpp"
#include "grammar/operators.hpp"
#include "tests/support/all_rooms.hpp"

#include <string>
#include <variant>

namespace matchpoint::test {
namespace {

TEST(Operators, Table) {
    std::string text;
    for (std::size_t i = 0; i < op_count; ++i) {
        Op const op = static_cast<Op>(i);
        EXPECT_EQ(parse_op(to_string(op)), op);
        text += std::string(to_string(op)) + " " + std::to_string(arity(op)) + " ";
        text += operands(op) == Operands::integers   ? "integers"
                : operands(op) == Operands::booleans ? "booleans"
                                                     : "equal sorts";
        text += gives_boolean(op) ? " -> Bool\n" : " -> Int\n";
    }
    EXPECT_EQ(text, R"(+ 2 integers -> Int
- 2 integers -> Int
* 2 integers -> Int
div 2 integers -> Int
mod 2 integers -> Int
= 2 equal sorts -> Bool
!= 2 equal sorts -> Bool
< 2 integers -> Bool
<= 2 integers -> Bool
> 2 integers -> Bool
>= 2 integers -> Bool
and 2 booleans -> Bool
or 2 booleans -> Bool
xor 2 booleans -> Bool
=> 2 booleans -> Bool
not 1 booleans -> Bool
)");
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
