// The reader of DIMACS files: what it accepts, and each rule with its whole message.

#include "programs/dimacs.hpp"
#include "tests/support/all_rooms.hpp"

#include <gtest/gtest.h>

namespace matchpoint::test {
namespace {

/// "3 variables: (1 -3) ()", or the messages, from a line of their own on.
std::string read_cnf(std::string text, std::uint32_t max_variables = 1000) {
    Source const source("x.cnf", std::move(text));
    auto const cnf = parse_dimacs(source, max_variables);
    if (!cnf) return "\n" + render(cnf.error(), source);
    std::string result = std::to_string(cnf->variables) + " variables:";
    for (std::size_t i = 0; i < cnf->clauses(); ++i) {
        std::string clause;
        for (std::int32_t const l : cnf->clause(i)) clause += (clause.empty() ? "" : " ") + std::to_string(l);
        result += " (" + clause + ")";
    }
    return result;
}

TEST(Dimacs, Formulas) {
    EXPECT_EQ(read_cnf("p cnf 3 2\n1 -3 0\n2 3 -1 0\n"), "3 variables: (1 -3) (2 3 -1)");
    EXPECT_EQ(read_cnf("c one\nc\np cnf 3 3\nc two\n 1\n-3 0 2\t0\n\n3 0"), "3 variables: (1 -3) (2) (3)");
    EXPECT_EQ(read_cnf("p cnf 0 0\n"), "0 variables:");
    EXPECT_EQ(read_cnf("p cnf 5 0"), "5 variables:");
    EXPECT_EQ(read_cnf("p cnf 0 1\n0\n"), "0 variables: ()");
    EXPECT_EQ(read_cnf("p cnf 2 3\n0 1 1 0 2 -2 0"), "2 variables: () (1 1) (2 -2)");
    EXPECT_EQ(read_cnf("p  cnf\t2 1 \r\n1 2 0\r\n"), "2 variables: (1 2)");
    EXPECT_EQ(read_cnf("p cnf 2 1\n01 -002 0\n%\n0\n\n"), "2 variables: (1 -2)");
    EXPECT_EQ(read_cnf("c \xff\xfe is no UTF-8\np cnf 1 1\n1 0\n"), "1 variables: (1)");
}

TEST(Dimacs, C1_OneHeaderBeforeTheClauses) {
    EXPECT_EQ(read_cnf("c nothing\n"), R"(
x.cnf:2:1: error[C1]: there is no header `p cnf VARIABLES CLAUSES`
     2 | 
       | ^
)");
    EXPECT_EQ(read_cnf("1 2 0\np cnf 2 1\n"), R"(
x.cnf:1:1: error[C1]: a clause before the header `p cnf VARIABLES CLAUSES`
     1 | 1 2 0
       | ^
)");
    EXPECT_EQ(read_cnf("p cnf 2 1\n1 0\np cnf 2 1\n"), R"(
x.cnf:3:1: error[C1]: a second header
     3 | p cnf 2 1
       | ^
)");
    EXPECT_EQ(read_cnf("p dnf 2 1\n"), R"(
x.cnf:1:3: error[C1]: the header has to be `p cnf VARIABLES CLAUSES`
     1 | p dnf 2 1
       |   ^~~
)");
    EXPECT_EQ(read_cnf("p cnf 2\n"), R"(
x.cnf:1:8: error[C1]: the header has to be `p cnf VARIABLES CLAUSES`
     1 | p cnf 2
       |        ^
)");
    for (char const* const header : {"p", "p cnf", "p cnf -2 1", "p cnf 2 1 1", "p cnf 2 x", "pcnf 2 1", "p cnf +2 1"})
        EXPECT_NE(read_cnf(header).find("error[C1]: the header has to be"), std::string::npos) << header;
}

TEST(Dimacs, C2_Integers) {
    EXPECT_EQ(read_cnf("p cnf 2 1\n1 two -0x1 0\n"), R"(
x.cnf:2:3: error[C2]: `two` is not a literal: an integer, or 0 at the end of a clause
     2 | 1 two -0x1 0
       |   ^~~
x.cnf:2:7: error[C2]: `-0x1` is not a literal: an integer, or 0 at the end of a clause
     2 | 1 two -0x1 0
       |       ^~~~
)");
    for (char const* const word : {"-", "--1", "+1", "1.0", "\x1b[31m", "\xff"})
        EXPECT_NE(read_cnf(std::string("p cnf 2 1\n ") + word + " 0\n").find("error[C2]"), std::string::npos) << word;
    EXPECT_EQ(read_cnf("p cnf 2 1\n\x1b[31m 0\n").find('\x1b'), std::string::npos);
}

TEST(Dimacs, C3_Variables) {
    EXPECT_EQ(read_cnf("p cnf 2 1\n1 -3 0\n"), R"(
x.cnf:2:3: error[C3]: literal -3: the header says that the variables are 1 to 2
     2 | 1 -3 0
       |   ^~
)");
    EXPECT_EQ(read_cnf("p cnf 0 1\n1 0\n"), R"(
x.cnf:2:1: error[C3]: literal 1: the header says that there are no variables
     2 | 1 0
       | ^
)");
    for (char const* const word : {"-0", "99999999999999999999999", "-4294967297"})
        EXPECT_NE(read_cnf(std::string("p cnf 2 1\n") + word + " 0\n").find("error[C3]"), std::string::npos) << word;
}

TEST(Dimacs, C4_TheLastClauseEnds) {
    EXPECT_EQ(read_cnf("p cnf 2 2\n1 0\n2\nc the end\n"), R"(
x.cnf:3:1: error[C4]: the last clause does not end with 0
     3 | 2
       | ^
)");
}

TEST(Dimacs, C5_AsManyClauses) {
    EXPECT_EQ(read_cnf("p cnf 2 2\n1 0\n"), R"(
x.cnf:1:9: error[C5]: the number of clauses is 1, not 2
     1 | p cnf 2 2
       |         ^
)");
    EXPECT_NE(read_cnf("p cnf 2 1\n1 0 2 0\n").find("the number of clauses is 2, not 1"), std::string::npos);
    EXPECT_NE(read_cnf("p cnf 2 99999999999999999999999\n").find("error[C5]"), std::string::npos);
}

TEST(Dimacs, Limits) {
    EXPECT_EQ(read_cnf("p cnf 11 0\n", 10), R"(
x.cnf:1:7: error[limit]: 11 variables; no more than 10 are possible here
     1 | p cnf 11 0
       |       ^~
)");
    EXPECT_NE(read_cnf("p cnf 99999999999999999999999 0\n").find("error[limit]"), std::string::npos);
    // As many complaints as there is room for, and no more.
    std::string text = "p cnf 1 1\n";
    for (int i = 0; i < 5000; ++i) text += "x ";
    Source const source("x.cnf", text);
    EXPECT_EQ(parse_dimacs(source).error().size(), max_diagnostics);
}

// A line for each of a million literals, and one line for all: both are read in linear time, or this takes hours.
TEST(Dimacs, LongLinesAndMany) {
    std::string lines = "p cnf 1 1\n";
    std::string line = lines;
    for (int i = 0; i < 1'000'000; ++i) {
        lines += "1\n";
        line += "-1 ";
    }
    EXPECT_EQ(parse_dimacs(Source("lines", lines + "0\n")).value().literals.size(), 1'000'000U);
    EXPECT_EQ(parse_dimacs(Source("line", line + "0\n")).value().literals.size(), 1'000'000U);
}

} // namespace
} // namespace matchpoint::test
