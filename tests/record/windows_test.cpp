#include "record/recording.hpp"
#include "record/rerun.hpp"
#include "tests/support/recordings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace matchpoint::record {

namespace {

/// Recordings of ranks 0 and 1, which have a window of integers.
Recording with_window(std::string const& zero, std::string const& one) {
    auto const rank = [](std::string const& number, std::string const& lines) {
        return Source("rank", "matchpoint-mpi 1\nrank " + number + " 2\ncomm 0 0 0 1\nrma window 0 0 0 0 4\n" + lines +
                                  std::string(1, '\0'));
    };
    std::vector<Source> const files{rank("0", zero), rank("1", one)};
    test::NoLines places;
    return read_recording(files, places);
}

/// The statements of rank 1.
std::string statements(Recording const& r) {
    std::string const& text = r.windows->text;
    std::size_t const begin = text.find("    (local", text.find("(process 1"));
    return text.substr(begin, text.find("    bot", begin) - begin);
}

TEST(Windows, MemoryHoldsWhatItHeldWhenTheWindowWasMade) {
    Recording const r = with_window("rma memory 0 0 05000000ffffffff\nrma ready 0\n",
                                    "rma ready 0\nrma buffer 0 7\nrma put 0 0 0 4 -4 b0\nrma get 0 0 0 0 -4 b1\n");
    ASSERT_TRUE(r.is_readable());
    EXPECT_NE(r.windows->text.find("(shared (W0_0_0 5) (W0_0_1 -1))"), std::string::npos) << r.windows->text;
    EXPECT_NE(r.windows->text.find("(shared (B1_0 7) (B1_1 0))"), std::string::npos) << r.windows->text;
    EXPECT_EQ(statements(r), "    (local)\n    (put W0_0_1 0 B1_0)\n    (get B1_1 W0_0_0 0)\n");
    EXPECT_TRUE(r.windows->gaps.empty());
}

TEST(Windows, WhatOthersHaveWrittenIsNoStore) {
    std::string const puts = "rma ready 0\nrma buffer 0 7\nrma put 0 0 1 0 -4 b0\n";
    EXPECT_EQ(statements(with_window(puts, "rma ready 0\nrma memory 0 0 07000000\n")), "    (local)\n");
    EXPECT_EQ(statements(with_window(puts, "rma ready 0\nrma memory 0 0 08000000\n")),
              "    (local)\n    (store W0_1_0 8)\n");
}

TEST(Windows, WhatOthersMayHaveAddedIsNoStore) {
    auto const seen = [](std::string const& adds, std::string const& values) {
        std::string const own = "rma memory 0 0 05000000\nrma ready 0\n";
        return statements(with_window("rma ready 0\nrma buffer 0 7\nrma buffer 1 -2\n" + adds, own + values));
    };
    std::string const seven = "rma accumulate 0 0 1 0 -4 + b0\n";
    std::string const both = seven + "rma fetch 0 0 1 0 -4 + b1 b2\n";
    std::string const none = "    (local)\n";
    EXPECT_EQ(seen(seven, "rma memory 0 0 0c000000\n"), none);
    EXPECT_EQ(seen(both, "rma memory 0 0 03000000\nrma memory 0 0 0a000000\n"), none);
    EXPECT_EQ(seen(both, "rma memory 0 0 0a000000\n"), none);
    EXPECT_EQ(seen(both, "rma memory 0 0 08000000\n"), none + "    (store W0_1_0 8)\n");
    EXPECT_EQ(seen(seven, "rma memory 0 0 0a000000\n"), none + "    (store W0_1_0 10)\n");
    // Behind a put, too.
    EXPECT_EQ(seen("rma put 0 0 1 0 -4 b1\n" + seven, "rma memory 0 0 05000000\n"), none);
    // The same number several times; then what nobody knows: another operation, and a call that is not recorded.
    EXPECT_EQ(seen(seven + seven + seven, "rma memory 0 0 13000000\n"), none);
    EXPECT_EQ(seen(seven + "rma accumulate 0 0 1 0 -4 max b0\n", "rma memory 0 0 08000000\n"), none);
    EXPECT_EQ(seen(seven + "gap 0 MPI_Rput it has a request\n", "rma memory 0 0 08000000\n"), none);
    std::string many;
    for (int i = 0; i < 600; ++i) many += seven;
    EXPECT_EQ(seen(many, "rma memory 0 0 08000000\n"), none);
    // It wraps.
    EXPECT_EQ(seen("rma buffer 3 2147483647\nrma accumulate 0 0 1 0 -4 + b3\n", "rma memory 0 0 04000080\n"), none);
}

TEST(Windows, ACallThatHasLittleToMoveCanBeStuck) {
    auto const found = [](std::string const& zero, std::string const& one) {
        return standstill(with_window("rma ready 0\n" + zero, "rma ready 0\n" + one));
    };
    std::string const start = "in 0 MPI_Win_start 0\n", fence = "in 0 MPI_Win_fence 8\n";
    EXPECT_EQ(found(start, start), Standstill::possible);
    EXPECT_EQ(found(start, "end\n"), Standstill::possible);
    EXPECT_EQ(found(start, fence), Standstill::possible);
    EXPECT_EQ(found(fence, fence), Standstill::no); // it may be at work
    EXPECT_EQ(found("in 0 MPI_Win_unlock 100000000\n", fence), Standstill::no);
    EXPECT_EQ(found(start + "out\n", start), Standstill::no); // it computes
}

TEST(Windows, WhatWasFetchedIsLoadedIfSomethingIsSaidAboutIt) {
    std::string const get = "rma ready 0\nrma buffer 0 =0\nrma get 0 0 0 0 -4 b0\nrma flush 0 0 0\nrma load 3 5 b0\n";
    EXPECT_EQ(statements(with_window("", get)), "    (local)\n    (get B1_0 W0_0_0 0)\n    (flush 0)\n");
    EXPECT_EQ(statements(with_window("", get + "let 1 + x3 1\nrma buffer 0 v1\nassert 0 1 x3\n")),
              "    (local (x1_3 0))\n    (get B1_0 W0_0_0 0)\n    (flush 0)\n    (load x1_3 B1_0)\n"
              "    (store B1_0 (+ x1_3 1))\n    (assert x1_3)\n");
}

TEST(Windows, AnExpressionThatIsTooLongIsLeftOut) {
    std::string lines =
        "rma ready 0\nrma buffer 0 =0\nrma get 0 0 0 0 -4 b0\nrma flush 0 0 0\nrma load 3 5 b0\nlet 1 + x3 1\n";
    for (int n = 2; n < 20; ++n) lines += fmt::format("let {} + v{} v{}\n", n, n - 1, n - 1);
    for (std::string const truth : {"0", "1"}) {
        Recording const r = with_window("", lines + "assume 0 " + truth + " v19\n");
        EXPECT_EQ(statements(r).find("assume"), std::string::npos) << statements(r);
        ASSERT_EQ(r.windows->gaps.size(), 1U);
        EXPECT_EQ(r.windows->gaps.front().what, "an expression is too long");
    }
}

TEST(Windows, WhatDependsOnMessagesIsLeftOut) {
    Recording const r = with_window("", "rma ready 0\nrecv 0 0 0 0 0\nwait 0 0\ngot 0 0 0 5\nassert 0 1 x0\n");
    EXPECT_EQ(statements(r), "    (local (s_1 0))\n    (fetch-and-op seen_1 sent0_0_1_0 2 no-op one_1)\n    (flush 2)\n"
                             "    (load s_1 seen_1)\n    (assume (>= s_1 1))\n");
    ASSERT_EQ(r.windows->gaps.size(), 1U);
    EXPECT_EQ(r.windows->gaps[0].what, "what depends on a message is left out");
}

TEST(Windows, LinesThatMakeNoSenseAreNoHarm) {
    for (char const* const lines :
         {"rma\n", "rma put\n", "rma memory 0 99999999999999999999 ff\n", "rma memory 7 3 zz\n", "rma buffer x y\n",
          "rma load 1 1\n", "rma flush 0 9 4\n", "rma lock 0 5 77\n", "rma meet 0 8\n", "rma put 0 4 3 1 -40 w9.x\n"})
        EXPECT_TRUE(with_window("", lines).windows) << lines;
}

} // namespace
} // namespace matchpoint::record
