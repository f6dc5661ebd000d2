// Updates of shared variables that are one step here, and two in a real program.
#include "grammar/messages/sharing_warnings.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

Diagnostics warnings(std::string const& text) {
    Source const source("test.ctp", text);
    return warn_of_atomic_updates(parsed(source), source);
}

/// The columns of the updates that are warned of, in a program on one line: "21 40".
std::string warned_of_sharing(std::string const& text) {
    Source const source("test.ctp", text);
    std::string result;
    for (Diagnostic const& d : warnings(text)) {
        EXPECT_EQ(d.severity, Severity::warning);
        result += std::to_string(source.line_column(d.offset).column);
        for (Note const& note : d.notes) result += " " + std::to_string(source.line_column(note.offset).column);
    }
    return result;
}

std::string const take = "(when (> m 0) (m := (- m 1)))";
std::string const give = "(m := (+ m 1))";
std::string const add = "(x := (+ x 1))";

/// The same, if the order keeps these commands apart: "a b", the write and the update.
std::string warned_of_sharing(std::string const& text, std::vector<std::string> const& ordered) {
    Source const source("test.ctp", text);
    Program const program = parsed(source);
    auto const is_ordered = [&](std::uint32_t write, std::uint32_t update) {
        std::string const both =
            std::string(program.symbols(Location{write})) + " " + std::string(program.symbols(Location{update}));
        return std::find(ordered.begin(), ordered.end(), both) != ordered.end();
    };
    std::string result;
    for (Diagnostic const& d : warn_of_atomic_updates(program, source, is_ordered))
        result += std::to_string(source.line_column(d.offset).column) + " " + std::to_string(d.notes.size());
    return result;
}

/// Two threads, the first of which updates x in a region of m.
std::string beside_region(std::string const& shared, std::string const& other) {
    return "(shared " + shared + " [x 0]) (([a1 " + take + "] [a2 " + add + "] [a3 " + give + "]) (" + other + "))";
}
std::string const in_region = "[b1 " + take + "] [b2 " + add + "] [b3 " + give + "]";

TEST(SharingWarnings, OnceForAFile) {
    std::string const text =
        "(shared [x 0] [y 0]) (([a1 " + add + "] [a2 (y := (* 2 y))]) ([b1 (x := 1)] [b2 (y := 1)]))";
    Source const source("test.ctp", text);
    EXPECT_EQ(
        render(warnings(text), source),
        "test.ctp:1:29: warning[atomic]: this reads and writes `x` in one step, "
        "and so does 1 more assignment; neither a lock nor an "
        "order keeps other writes away. Two steps are `(t := x)` and an assignment that "
        "reads `t`; a fetch-and-add is `(assume true (x := "
        "...))`, and an update of an atomic variable, `(shared atomic [x ...])`, is one step\n"
        "     1 | (shared [x 0] [y 0]) (([a1 (x := (+ x 1))] [a2 (y := (* 2 y))]) ([b1 (x := 1)] [b2 (y := 1)]))\n"
        "       |                             ^\n");
    EXPECT_EQ(warned_of_sharing(text), "29 49");
}

TEST(SharingWarnings, NoOtherThreadWrites) {
    EXPECT_EQ(warned_of_sharing("(shared [x 0]) (([a " + add + "] [a2 (x := 3)]) ([b (assert (= x 0))]))"), "");
    EXPECT_NE(warned_of_sharing("(shared [x 0]) (([a " + add + "]) ([b (assume true (x := 3))]))"), "");
    // A message is written when it comes.
    EXPECT_NE(
        warned_of_sharing("(shared [x 0]) (([a (rcvi R 0 x)] [a2 " + add + "] [a3 (wait R)]) ([c (sndi S 1 0 1)]))"),
        "");
}

TEST(SharingWarnings, AnAtomicIsOneStep) {
    std::string const threads = "(([a " + add + "] [a2 (y := (+ y 1))]) ([b " + add + "] [b2 (y := (+ y 1))]))";
    EXPECT_EQ(warned_of_sharing("(shared atomic [x 0] atomic [y 0]) " + threads), "");
    std::string const one = "(shared atomic [x 0] [y 0]) " + threads;
    EXPECT_EQ(warned_of_sharing(one), fmt::format("{} {}", one.find("y :=") + 1, one.rfind("y :=") + 1));
}

TEST(SharingWarnings, ALockProtects) {
    EXPECT_EQ(warned_of_sharing(beside_region("[m 1]", in_region)), "");
    EXPECT_EQ(warned_of_sharing(beside_region("[m 1]", "[b1 " + take + "] [b2 (assume true (x := 1) (m := (+ m 1)))]")),
              "");
    EXPECT_EQ(
        warned_of_sharing(beside_region("[m 1]", "[b1 (when (> m 0) (m := (- m 1)) (x := 1))] [b2 " + give + "]")), "");
    EXPECT_EQ(warned_of_sharing(beside_region("[m 1]", "[b (t := x)]")), "") << "it only reads";
    EXPECT_NE(warned_of_sharing(beside_region("[m 1]", "[b (x := 1)]")), "") << "without the lock";
    EXPECT_NE(warned_of_sharing(beside_region("[m 1]", in_region + " [b4 (x := 1)]")), "") << "behind the region";
    EXPECT_NE(warned_of_sharing(beside_region("[m 2]", in_region)), "") << "a semaphore of two";
    std::string const owner = "(when (= o 0) (o := ";
    EXPECT_EQ(warned_of_sharing("(shared [o 0] [x 0]) (([a1 " + owner + "1))] [a2 " + add + "] [a3 (o := 0)]) ([b1 " +
                                owner + "2))] [b2 " + add + "] [b3 (o := 0)]))"),
              "");
}

TEST(SharingWarnings, ALockThatIsTriedProtects) {
    std::string const tried = "(assume (> m 0) (m := (- m 1)))";
    std::string const text = "(shared [m 1] [x 0]) (([a1 " + tried + "] [a2 " + add + "] [a3 " + give + "]) ([b1 " +
                             tried + "] [b2 " + add + "] [b3 " + give + "]))";
    EXPECT_EQ(warned_of_sharing(text), "");
    EXPECT_NE(warned_of_sharing(beside_region("[m 1]", "[b1 (assume (>= m 0))] [b2 " + add + "]")), "");
}

TEST(SharingWarnings, TheOrderKeepsWritesAway) {
    std::string const text = "(shared [x 0]) (([a " + add + "]) ([b " + add + "]) ([c (x := 1)]))";
    EXPECT_EQ(warned_of_sharing(text, {}), "22 1");
    EXPECT_EQ(warned_of_sharing(text, {"b a", "c a", "a b", "c b"}), "");
    EXPECT_EQ(warned_of_sharing(text, {"b a", "a b", "c b"}), "22 0");
    // A lock keeps one write away, and the order another one.
    std::string const mixed = beside_region("[m 1]", in_region + " [b4 (x := 1)]");
    EXPECT_EQ(warned_of_sharing(mixed, {}).substr(3), "0");
    EXPECT_EQ(warned_of_sharing(mixed, {"b4 a2"}), "");
    // A receive, also one of the same thread.
    std::string const received =
        "(shared [x 0]) (([a (rcvi R 0 x)] [b " + add + "] [c (wait R)]) ([d (sndi S 1 0 1)]))";
    EXPECT_EQ(warned_of_sharing(received, {"c b"}).substr(3), "0");
    EXPECT_EQ(warned_of_sharing(received, {"a b"}), "");
}

TEST(SharingWarnings, TheLockIsTheSame) {
    std::string const take_n = "(when (> n 0) (n := (- n 1)))";
    EXPECT_NE(
        warned_of_sharing(beside_region("[m 1] [n 1]", "[b1 " + take_n + "] [b2 " + add + "] [b3 (n := (+ n 1))]")),
        "");
    EXPECT_EQ(
        warned_of_sharing(beside_region("[m 1] [n 1]", "[b0 " + take_n + "] " + in_region + " [b4 (n := (+ n 1))]")),
        "");
}

} // namespace
} // namespace matchpoint::test
