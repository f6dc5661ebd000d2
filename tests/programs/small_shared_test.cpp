// All small programs with shared variables: how many there are, that none is there twice, and that they obey the rules.

#include "programs/small_shared.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "programs/names.hpp"
#include "programs/shape.hpp"
#include "programs/smaller.hpp"

namespace matchpoint::programs {
namespace {

TEST(SmallSharedPrograms, AsManyAsTheHeaderSays) {
    std::map<unsigned, std::uint64_t> const of_level{{0, 0}, {1, 1}, {2, 6}, {3, 127}, {4, 1865}, {5, 34438}};
    for (auto const& [level, count] : of_level) EXPECT_EQ(SmallSharedPrograms(level).size(), count) << level;
    EXPECT_THROW(SmallSharedPrograms(SmallSharedPrograms::highest_level + 1), std::invalid_argument);
}

TEST(SmallSharedPrograms, EachOnceAndByTheRules) {
    SmallSharedPrograms const programs(4);
    std::set<std::string> shapes;
    for (std::uint64_t i = 0; i < programs.size(); ++i) {
        draft::Draft const draft = programs[i];
        EXPECT_TRUE(draft::obeys_the_rules(draft)) << draft::print(draft);
        draft::Draft canonical = draft;
        draft::canonical_names(canonical);
        EXPECT_EQ(canonical, draft);
        EXPECT_TRUE(shapes.insert(draft::shape(draft)).second) << draft::print(draft);
    }
}

/// Levels begin with the levels below.
TEST(SmallSharedPrograms, SmallestFirst) {
    SmallSharedPrograms const fewer(3), more(4);
    for (std::uint64_t i = 0; i < fewer.size(); ++i) EXPECT_EQ(fewer[i], more[i]);
}

TEST(SmallSharedPrograms, Some) {
    SmallSharedPrograms const programs(4);
    std::set<std::string> texts;
    for (std::uint64_t i = 0; i < programs.size(); ++i) texts.insert(draft::print(programs[i]));
    for (char const* const text : {
             "( ( [00 (assert false)] bot ) )\n",
             "(shared [x 0])\n( ( [00 (x := 1)] bot )\n  ( [10 (assert (= x 0))] bot ) )\n",
             "(shared [x 0])\n( ( [00 (assume (= x 1))]\n    [01 (assert false)] bot )\n  ( [10 (x := 1)] bot ) )\n",
         })
        EXPECT_TRUE(texts.contains(text)) << text;
}

} // namespace
} // namespace matchpoint::programs
