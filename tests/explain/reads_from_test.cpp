// Reads-from: what is recorded, forwards and when steps are taken back.

#include <gtest/gtest.h>

#include "explain/reads_from.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

struct Shared : Bench {
    explicit Shared(std::string text) : Bench(std::move(text)), shared(code), recorder(shared) {
        machine.observe(recorder);
    }
    /// "2 x from 1 = 5; 3 y initial = 0"
    std::string reads() const {
        std::string text;
        for (auto const& r : shared.reads)
            text += (text.empty() ? "" : "; ") + std::to_string(r.step) + " " + std::string(program.symbols(r.x)) +
                    (r.from == ReadsFrom::initial ? " initial" : " from " + std::to_string(r.from)) + " = " +
                    r.v.to_string();
        return text;
    }
    /// The last writer of x after each step.
    std::string writers(std::string_view x) const {
        std::string text;
        for (std::uint32_t i = 0; i <= machine.state().trace; ++i) {
            std::uint32_t const by = shared.last_writer(number<Variable>(program.symbols.variables, x), i);
            text += by == ReadsFrom::initial ? "-" : std::to_string(by);
        }
        return text;
    }
    ReadsFrom shared;
    ReadsFromRecorder recorder;
};

constexpr auto program =
    "(shared [x 5] [y 0]) "
    "(([a1 (t := (+ x (+ x y)))] [a2 (assume (= x 5) (x := (+ x 1)) (y := t))] [a3 (x := 7)]) "
    " ([b1 (assume (= x 0) (y := 9))] [b2 (assert (= y 10))] [b3 (rcvi R 0 y)] [b4 (wait R)] [b5 (u := y)]) "
    " ([c1 (sndi S 1 0 x)]))";

// A read gets the last write in front of its step, each variable once. A guard that is false is read, and nothing is
// written.
TEST(ReadsFrom, OfARun) {
    Shared b(std::string(program) +
             "((a1 bot) (a2 bot) (b1 bot) (b2 bot) (b3 bot) (c1 bot) (a3 bot) (b4 ((0 1))) (b5 bot))");
    static_cast<void>(b.run());
    EXPECT_EQ(b.reads(), "0 x initial = 5; 0 y initial = 0; 1 x initial = 5; 2 x from 1 = 6; 3 y from 1 = 10; "
                         "5 x from 1 = 6; 8 y from 7 = 6");
    EXPECT_EQ(b.writers("x"), "--11111666");
    EXPECT_EQ(b.writers("y"), "--11111177");
    EXPECT_EQ(b.shared.of(0).size(), 2U);
    EXPECT_EQ(b.shared.of(4).size(), 0U);
}

// An entry that is stuck has read nothing, whatever it looked up.
TEST(ReadsFrom, OfAStuckEntryIsNothing) {
    Shared b("(shared [x 0]) (([a1 (when (= x 1) (x := 2))]) ([b1 (x := (div 1 x))])) ((b1 bot))");
    static_cast<void>(b.run());
    EXPECT_EQ(b.reads(), "");
    EXPECT_EQ(b.writers("x"), "-");
}

TEST(ReadsFrom, BackAndForth) {
    Shared b("(shared [x 0]) (([a1 (x := (+ x 1))] [a2 (x := (+ x 1))] [a3 (t := x)]))");
    b.machine.keep_history();
    auto const step = [&](std::uint32_t rho) { static_cast<void>(b.machine.apply(Execute{{rho}})); };
    for (std::uint32_t const rho : {0U, 1U, 2U}) step(rho);
    EXPECT_EQ(b.reads(), "0 x initial = 0; 1 x from 0 = 1; 2 x from 1 = 2");
    b.machine.back();
    b.machine.back();
    b.recorder.back_to(1);
    EXPECT_EQ(b.reads(), "0 x initial = 0");
    EXPECT_EQ(b.writers("x"), "-0");
    step(1);
    EXPECT_EQ(b.reads(), "0 x initial = 0; 1 x from 0 = 1");
    // Without being told: the next entry drops them.
    b.machine.back();
    b.machine.back();
    step(0);
    EXPECT_EQ(b.reads(), "0 x initial = 0");
}

} // namespace
} // namespace matchpoint::test
