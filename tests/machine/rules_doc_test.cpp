// docs/rules.md against the code: every rule, function and reason is there, and nothing that does not exist.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "machine/reason.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/source_dir.hpp"

namespace matchpoint::test {
namespace {

std::string const root = source_dir();

std::string content(std::string const& path) {
    std::ifstream in(root + "/" + path);
    EXPECT_TRUE(in) << "cannot read " << path;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

using Cells = std::vector<std::string>;

std::string trimmed(std::string const& text) {
    auto const first = text.find_first_not_of(" `");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" `") + 1 - first);
}

/// The rows of the table whose header begins with these columns.
std::vector<Cells> table(std::string const& page, Cells const& header) {
    std::vector<Cells> rows;
    std::istringstream lines(page);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("|")) {
            inside = false;
            continue;
        }
        Cells row;
        std::istringstream cells(line.substr(1));
        for (std::string cell; std::getline(cells, cell, '|');) row.push_back(trimmed(cell));
        if (row == header)
            inside = true;
        else if (inside && !row[0].starts_with("---"))
            rows.push_back(row);
    }
    EXPECT_FALSE(rows.empty()) << "no table with the header " << testing::PrintToString(header);
    return rows;
}

std::vector<Cells> rules() { return table(content("docs/rules.md"), {"rule", "figure", "function", "file", "tests"}); }
std::vector<Cells> reasons() { return table(content("docs/rules.md"), {"reason", "rule", "when", "tests"}); }
std::vector<Cells> deviations() { return table(content("docs/rules.md"), {"rule", "erratum", "here", "tests"}); }

/// `Suite.Name` of every test in this binary.
std::set<std::string> tests_here() {
    std::set<std::string> names;
    testing::UnitTest const& all = *testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
        testing::TestSuite const& suite = *all.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t)
            names.insert(std::string(suite.name()) + "." + suite.GetTestInfo(t)->name());
    }
    return names;
}

std::vector<std::string> split(std::string const& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(trimmed(part));
    return parts;
}

TEST(RulesPage, HasEveryRuleOnceAndInOrder) {
    std::vector<std::string> expected;
    for (Rule const rule : all_rules())
        expected.push_back(std::string(info(rule).name) + " | " + std::string(info(rule).source) + " | " +
                           std::string(info(rule).function));
    std::vector<std::string> found;
    for (Cells const& row : rules()) found.push_back(row.at(0) + " | " + row.at(1) + " | " + row.at(2));
    EXPECT_EQ(found, expected);
}

TEST(RulesPage, NamesTheFileThatHasTheFunction) {
    for (Cells const& row : rules()) {
        std::string const text = content(row.at(3));
        EXPECT_TRUE(std::regex_search(text, std::regex("\\nStep " + row.at(2) + "\\([^;{]*\\) *\\{")))
            << row.at(3) << " does not define " << row.at(2);
    }
}

TEST(RulesPage, HasATestWhereTheRuleAppliesAndOneWhereItDoesNot) {
    for (Cells const& row : rules()) {
        auto const tests = split(row.at(4));
        ASSERT_GE(tests.size(), 2U) << row.at(0);
        std::string const suite = tests[0].substr(0, tests[0].find('.'));
        EXPECT_EQ(tests[0], suite + ".Applies") << row.at(0);
        EXPECT_TRUE(std::count(tests.begin(), tests.end(), suite + ".DoesNotApply") == 1) << row.at(0);
    }
}

TEST(RulesPage, HasEveryReasonOnceAndInOrder) {
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < reason_count; ++i) expected.emplace_back(reason_label(i));
    std::vector<std::string> found;
    for (Cells const& row : reasons()) found.push_back(row.at(0));
    EXPECT_EQ(found, expected);
}

TEST(RulesPage, NamesNoUnknownRule) {
    std::set<std::string> names;
    for (Rule const rule : all_rules()) names.emplace(info(rule).name);
    for (Cells const& row : reasons())
        for (std::string const& name : split(row.at(1))) EXPECT_EQ(names.count(name), 1U) << name;
    for (Cells const& row : deviations()) EXPECT_EQ(names.count(row.at(0)), 1U) << row.at(0);
}

// An erratum that the page lists for a rule is marked in the machine's sources.
TEST(RulesPage, NamesErrataThatTheSourcesMark) {
    std::string sources;
    for (char const* const file : {"machine/machine_step.hpp", "machine/queue_movement.hpp", "grammar/ast.hpp",
                                   "machine/expression_reductions.cpp", "machine/well_formed.hpp"})
        sources += content(file);
    for (Cells const& row : deviations())
        EXPECT_TRUE(std::regex_search(sources, std::regex("errata[^\\n]*\\b" + row.at(1) + "\\b"))) << row.at(1);
}

TEST(RulesPage, NamesTestsThatExist) {
    auto const here = tests_here();
    std::size_t named = 0;
    for (auto const& rows : {rules(), reasons(), deviations()})
        for (Cells const& row : rows)
            for (std::string const& test : split(row.back())) {
                EXPECT_EQ(here.count(test), 1U) << test;
                ++named;
            }
    EXPECT_GT(named, 2 * rule_count);
}

} // namespace
} // namespace matchpoint::test
