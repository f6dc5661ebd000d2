// Lines come back from their templates and numbers as the page makes them.

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "report/line_table.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

/// What the page does with a line.
std::string expanded(LineTable const& table, std::string const& line) {
    std::vector<std::string> numbers;
    std::istringstream in(line);
    for (std::string n; std::getline(in, n, ',');) numbers.push_back(n);
    Json const templates = table.templates();
    std::string text;
    for (Json const& part : templates[std::stoul(numbers.front())])
        text += part.is_number() ? numbers.at(part.get<std::size_t>() + 1) : part.get<std::string>();
    return text;
}

std::string line_of(LineTable& table, std::string_view text) {
    std::string line;
    table.append(line, text);
    return line;
}

TEST(LineTable, LinesThatDifferInNumbersShareATemplate) {
    LineTable table;
    EXPECT_EQ(line_of(table, "R7 gets 12, R7"), "0,7,12");
    EXPECT_EQ(line_of(table, "R8 gets 40, R8"), "0,8,40");
    EXPECT_EQ(line_of(table, "R8 gets 8, R8"), "1,8"); // a number that is there twice
    EXPECT_EQ(table.templates().size(), 2U);
    EXPECT_EQ(table.templates()[0], Json::parse(R"(["R", 0, " gets ", 1, ", R", 0])"));
}

TEST(LineTable, EveryLineComesBack) {
    std::string many;
    for (int i = 0; i < 100; ++i) many += std::to_string(i * 7 % 61) + " x" + std::to_string(i) + ", ";
    LineTable table;
    for (std::string const& text : {std::string(), std::string("no digits"), std::string("00 007 0 10"),
                                    std::string("999999999 1000000000 123456789012345678901234567890"),
                                    std::string("1"), std::string("a1b22c333"), many, many + many})
        EXPECT_EQ(expanded(table, line_of(table, text)), text);
}

TEST(LineTable, ManyNumbersAreSharedToo) {
    LineTable table;
    std::string text;
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 1000; ++i) text += std::to_string(i) + " ";
    std::string const line = line_of(table, text);
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 1000);
    EXPECT_EQ(line_of(table, "5 5"), "1,5"); // nothing is left of the line before
}

} // namespace
} // namespace matchpoint::test
