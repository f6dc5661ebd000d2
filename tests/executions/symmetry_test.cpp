// Threads that are alike: which ones are, and that a search merges the states in which they exchanged their places.
#include <gtest/gtest.h>

#include "executions/shared/interleavings.hpp"
#include "executions/symmetry.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::executions {
namespace {

std::vector<std::vector<std::uint32_t>> groups(std::string const& text) {
    test::Subject const subject(text);
    return Symmetry(subject.code, nullptr).groups();
}

using Groups = std::vector<std::vector<std::uint32_t>>;

TEST(Symmetry, ThreadsAreAlikeButForTheNamesOfTheirLocals) {
    EXPECT_EQ(groups("(shared [x 0]) (([a (t := x)] [b (x := (+ t 1))]) ([c (assert (= x 1))])"
                     " ([d (u := x)] [e (x := (+ u 1))]))"),
              (Groups{{0, 2}}));
}

TEST(Symmetry, LocalsCorrespondInTheOrderOfTheirOccurrence) {
    test::Subject const subject(
        "(shared [x 0]) (([a (t := x)] [b (v := (+ t 1))]) ([c (v2 := x)] [d (t2 := (+ v2 1))]))");
    Symmetry const symmetry(subject.code, nullptr);
    ASSERT_EQ(symmetry.groups(), (Groups{{0, 1}}));
    auto const name = [&](std::uint32_t t, std::size_t i) {
        return std::string(subject.code.names()(symmetry.locals(t)[i]));
    };
    EXPECT_EQ(name(0, 0) + name(0, 1) + name(1, 0) + name(1, 1), "tvv2t2");
}

TEST(Symmetry, NotIfANumberDiffers) { EXPECT_EQ(groups("(shared [x 0]) (([a (x := 1)]) ([b (x := 2)]))"), Groups{}); }

TEST(Symmetry, NotIfASharedVariableDiffers) {
    EXPECT_EQ(groups("(shared [x 0] [y 0]) (([a (x := 1)]) ([b (y := 1)]))"), Groups{});
}

TEST(Symmetry, NotIfOneWaits) {
    EXPECT_EQ(groups("(shared [x 0]) (([a (assume (= x 0) (x := 1))]) ([b (when (= x 0) (x := 1))]))"), Groups{});
}

TEST(Symmetry, NotIfALocalIsUsedTwiceWhereTwoAreUsed) {
    EXPECT_EQ(groups("(shared [x 0]) (([a (t := x)] [b (u := x)] [c (x := (+ t u))])"
                     " ([d (v := x)] [e (w := x)] [f (x := (+ v v))]))"),
              Groups{});
}

TEST(Symmetry, NotIfThereAreMessages) {
    EXPECT_EQ(groups("(shared [x 0]) (([a (sndi S 1 0 1)]) ([b (sndi T 2 0 1)]))"), Groups{});
}

/// So many threads that lose updates: without symmetry, 3^threads states at least.
std::uint64_t steps_of_all(std::uint32_t threads) {
    std::string text = "(shared [x 0]) (";
    for (std::uint32_t t = 0; t < threads; ++t) {
        std::string const n = std::to_string(t);
        text += "([a" + n + " (t" + n + " := x)] [b" + n + " (x := (+ t" + n + " 1))])";
    }
    test::Subject const subject(text + ")");
    Interleavings all(subject.messages, test::infinite);
    while (!all.done()) static_cast<void>(all.next());
    return all.steps();
}

TEST(Symmetry, AlikeThreadsThatExchangedTheirPlacesAreOneState) {
    EXPECT_LT(steps_of_all(8), 20'000U); // 3^8 states alone have 6,561 keys, with what x and the locals are, many more
    EXPECT_LT(steps_of_all(10), 8 * steps_of_all(8)); // two more threads: 9 times the places alone
}

} // namespace
} // namespace matchpoint::executions
