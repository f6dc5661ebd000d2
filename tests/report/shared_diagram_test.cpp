// What pictures show of shared variables: arrows, locks that are held, and who waits for them.

#include <gtest/gtest.h>

#include "report/diagram_text.hpp"
#include "report/shared_diagram.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

struct Pictured : Bench {
    explicit Pictured(std::string text) : Bench(std::move(text)), builder(code) {
        machine.observe(builder);
        static_cast<void>(run());
    }
    SharedDiagram shared() const { return shared_diagram(builder.diagram(), code); }
    /// "1 -> 4 x, y; 2 -> 4 z thin"
    std::string arrows() const {
        std::string text;
        for (auto const& a : shared().arrows)
            text += (text.empty() ? "" : "; ") + std::to_string(a.from) + " -> " + std::to_string(a.to) + " " +
                    arrow_text(code, a) + (a.synchronises ? " thin" : "");
        return text;
    }
    /// "0 l 1-4 in 0": thread, lock, rows, slot.
    std::string held() const {
        std::string text;
        for (auto const& h : shared().held)
            text += (text.empty() ? "" : "; ") + std::to_string(h.thread) + " " + std::string(program.symbols(h.lock)) +
                    " " + std::to_string(h.from) + "-" + (h.to == Diagram::none ? "" : std::to_string(h.to)) + " in " +
                    std::to_string(h.slot);
        return text;
    }
    std::string notes() const {
        std::string text;
        for (auto const& [t, note] : waiting_notes(builder.diagram(), code, shared()))
            text += std::to_string(t) + ": " + note + "\n";
        return text;
    }
    DiagramBuilder builder;
};

TEST(SharedDiagram, ArrowsAreOfReadsFromOtherThreads) {
    Pictured p("(shared [x 0] [y 0] [f 0]) "
               "(([a1 (x := 1)] [a2 (assume true (y := x) (x := 2))] [a3 (f := 1)]) ([b1 (when (= f 1))] "
               "[b2 (assert (= (+ x x) (+ y 3)))]) ([c1 (assert (= x 1))])) "
               "((a1 bot) (c1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot))");
    EXPECT_EQ(p.arrows(), "0 -> 1 x; 3 -> 4 f thin; 2 -> 5 x, y");
    EXPECT_EQ(p.held(), "");
    EXPECT_EQ(arrow_story(p.builder.diagram(), p.code, p.shared().arrows[2]), "x, y, from entry 2, a2, to entry 5, b2");
}

// A lock has bars and no arrows. The second one that a thread takes has a slot of its own until the first is free.
TEST(SharedDiagram, Locks) {
    std::string const program =
        "(shared [l 1] [m 1]) (([a1 (when (> l 0) (l := (- l 1)))] [a2 (when (> m 0) (m := (- m 1)))] "
        "[a3 (l := (+ l 1))] [a4 (when (> l 0) (l := (- l 1)))]) "
        "([b1 (when (> l 0) (l := (- l 1)))] [b2 (l := (+ l 1))] [b3 (when (> m 0) (m := (- m 1)))])) ";
    Pictured p(program + "((a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (a4 bot))");
    EXPECT_EQ(p.held(), "0 l 0-2 in 0; 0 m 1- in 1; 1 l 3-4 in 0; 0 l 5- in 0");
    EXPECT_EQ(p.arrows(), "");
    EXPECT_EQ(p.notes(), "1: ║ thread 1 waits at b3 for m, which thread 0 has held since entry 1, a2\n");
    EXPECT_EQ(held_story(p.builder.diagram(), p.code, p.shared().held[0]), "holds l from entry 0, a1, to entry 2, a3");
}

// An owner is held until it is given back once, a count until it is given back as often as it was taken.
TEST(SharedDiagram, LocksTakenTwice) {
    Pictured owner("(shared [o -1] [c 0]) (([a1 (when (or (= o -1) (= o 0)) (o := 0) (c := (+ c 1)))] "
                   "[a2 (when (or (= o -1) (= o 0)) (o := 0) (c := (+ c 1)))] [a3 (assume (= c 2) (c := (- c 1)))] "
                   "[a4 (assume (= c 1) (c := 0) (o := -1))])) ((a1 bot) (a2 bot) (a3 bot) (a4 bot))");
    EXPECT_EQ(owner.held(), "0 o 0-3 in 0");
    Pictured count("(shared [s 2]) (([a1 (when (> s 0) (s := (- s 1)))] [a2 (when (> s 0) (s := (- s 1)))] "
                   "[a3 (s := (+ s 1))] [a4 (s := (+ s 1))]) ([b (when (> s 0) (s := (- s 1)))])) "
                   "((a1 bot) (a2 bot) (a3 bot))");
    EXPECT_EQ(count.held(), "0 s 0- in 0");
    EXPECT_EQ(count.notes(), ""); // a unit may be left
}

// A signal that one of several threads gets: nobody holds it.
TEST(SharedDiagram, FlagsThatAreUsedUp) {
    Pictured p("(shared [u false]) (([a (when (not u) (u := true))]) ([b (when (not u) (u := true))])) ((a bot))");
    EXPECT_EQ(p.held(), "");
    EXPECT_EQ(p.notes(), "1: ║ thread 1 waits at b for u, which thread 0 used up in entry 0, a\n");
}

TEST(SharedDiagram, AsText) {
    Pictured p("(shared [l 1] [x 0]) (([a1 (when (> l 0) (l := (- l 1)))] [a2 (x := 1)]) "
               "([b1 (t := x)] [b2 (when (> l 0) (l := (- l 1)))])) ((a1 bot) (a2 bot) (b1 bot))");
    EXPECT_EQ("\n" + to_text(p.builder.diagram(), p.code, 80), R"(
        thread 0                            thread 1
  0 a1  ● when (> l 0) (l := (- l 1))       │
  1 a2  ● x := 1                            │
  2 b1                                      ● t := x  ◄ a2
  3     ■ the trace is used up              ║
■ entry 3: MACHINE STEP: the trace is used up, but 1 command has not run: thread
  1 is at b2
║ thread 1 waits at b2 for l, which thread 0 has held since entry 0, a1
s = error
)");
    TextOptions plain;
    plain.shared = false;
    EXPECT_EQ(to_text(p.builder.diagram(), p.code, plain).find("◄"), std::string::npos);
}

} // namespace
} // namespace matchpoint::test
