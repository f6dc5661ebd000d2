// Space-time diagrams: what they hold, and how they look on a terminal.

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "report/diagram_text.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/source_dir.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;
using test::Lines;

std::string figure1() {
    std::ifstream file(source_dir() / "traces/figure1.ctp");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A bench whose machine a builder listens to.
struct Drawn : Bench {
    explicit Drawn(std::string text, Buffering buffering = Buffering::infinite)
        : Bench(std::move(text), buffering), builder(code) {
        machine.observe(builder);
    }
    Diagram const& diagram() const { return builder.diagram(); }
    std::string text(unsigned columns = 80) const { return "\n" + to_text(diagram(), code, columns); }

    static std::string number(std::uint32_t n) { return n == Diagram::none ? "-" : std::to_string(n); }

    /// "S4 = 4 from 2 to 0: sent 0, delivered 3, R2, completed 3"
    Lines messages() const {
        Lines lines;
        Diagram const& d = diagram();
        for (auto const& m : d.messages) {
            std::string line = message_text(code, m) + " from " + number(d.sender(code, m)) + " to " +
                               number(d.receiver(code, m)) + ": sent " + number(m.sent) + ", delivered " +
                               number(m.delivered);
            if (m.receive != Diagram::none) {
                auto const& r = d.receives[m.receive];
                line += ", " + std::string(program.symbols(r.a_r)) + " posted " + number(r.posted) + ", completed " +
                        number(r.completed);
            }
            lines.push_back(line);
        }
        return lines;
    }
    /// "3 03 thread 0 since 2: success -> success"
    Lines rows() const {
        Lines lines;
        for (auto const& r : diagram().rows)
            lines.push_back(std::to_string(r.entry) + " " +
                            (r.rho.is_none() ? "end" : std::string(program.symbols(r.rho))) + " thread " +
                            number(r.thread) + " since " + number(r.since) + ": " + std::string(to_string(r.before)) +
                            " -> " + std::string(to_string(r.after)) + (r.why.empty() ? "" : ": " + r.why));
        return lines;
    }

    DiagramBuilder builder;
};

TEST(Diagram, Figure2) {
    Drawn b(figure1());
    static_cast<void>(b.run(0));
    EXPECT_EQ(b.messages(), (Lines{"S4 = 4 from 2 to 0: sent 0, delivered 3, R2 posted 2, completed 3",
                                   "S6 = 7 from 2 to 1: sent 4, delivered 8, R3 posted 7, completed 8",
                                   "S5 = 1 from 1 to 0: sent 9, delivered 12, R5 posted 11, completed 12"}));
    ASSERT_EQ(b.diagram().rows.size(), 16U);
    EXPECT_EQ(b.rows()[3], "3 03 thread 0 since 2: success -> success");
    EXPECT_EQ(b.rows()[15], "15 09 thread 0 since 14: success -> success");
    EXPECT_EQ(b.diagram().s, Status::success);
    for (std::uint32_t t = 0; t < 3; ++t) EXPECT_TRUE(b.diagram().next(b.code, t).is_none());
}

TEST(Diagram, Figure3) {
    Drawn b(figure1());
    static_cast<void>(b.run(1));
    EXPECT_EQ(b.messages(), (Lines{"S4 = 4 from 2 to 0: sent 0, delivered 12, R5 posted 11, completed 12",
                                   "S6 = 7 from 2 to 1: sent 2, delivered 5, R3 posted 4, completed 5",
                                   "S5 = 1 from 1 to 0: sent 6, delivered 9, R2 posted 8, completed 9"}));
    EXPECT_EQ(b.diagram().rows[15].kind, Diagram::Kind::failed_assertion);
    EXPECT_EQ(b.rows()[15], "15 09 thread 0 since 14: success -> failure: a = 1");
    EXPECT_EQ(b.text(), R"(
        thread 0                thread 1                thread 2
  0 24  │                       │                       ● sndi S4 2 0 4
  1 25  │                       │                       ● wait S4
  2 26  │                       │                       ● sndi S6 2 1 7
  3 27  │                       │                       ● wait S6
  4 13  │                       ● rcvi R3 1 C
        │                       ◄─────── S6 = 7 ────────╯
  5 14  │                       ● wait R3  C = 7
  6 15  │                       ● sndi S5 1 0 1
  7 16  │                       ● wait S5
  8 02  ● rcvi R2 0 A
        ◄─────── S5 = 1 ────────╯
  9 03  ● wait R2  A = 1
 10 04  ● a := A
 11 05  ● rcvi R5 0 B
        ◄─────── S4 = 4 ────────────────────────────────╯
 12 06  ● wait R5  B = 4
 13 07  ● b := B
 14 08  ● assume (> b 0)
 15 09  ✗ assert (= a 4)
✗ entry 15, 09: (assert (= a 4)) with a = 1
s = failure
)");
}

// All that remains of a stuck entry is that it is stuck, and the thread is where it was.
TEST(Diagram, Stuck) {
    Drawn b("(([1 (sndi S 1 0 1)] [2 (x := y)]) ([3 (rcvi R 0 z)])) ((1 bot) (2 ((0 1))))");
    static_cast<void>(b.run());
    EXPECT_EQ(b.messages(), (Lines{"S = 1 from 0 to 1: sent 0, delivered -"}));
    EXPECT_EQ(b.rows(), (Lines{"0 1 thread 0 since -: success -> success",
                               "1 2 thread 0 since 0: success -> error: VARIABLE LOOKUP: y has no value"}));
    EXPECT_EQ(b.diagram().rows[1].kind, Diagram::Kind::stuck);
    EXPECT_TRUE(b.diagram().rows[1].taken_back);
    EXPECT_EQ(b.diagram().next(b.code, 0), b.location("2"));
    EXPECT_EQ(b.text(), R"(
        thread 0                            thread 1
  0 1   ● sndi S 1 0 1                      │
  1 2   ■ x := y                            │
■ entry 1: VARIABLE LOOKUP: y has no value
s = error
)");
}

TEST(Diagram, StuckWithoutACommand) {
    Drawn used_up("(([1 (x := 1)] [2 (x := 2)])) ((1 bot))");
    static_cast<void>(used_up.run());
    EXPECT_EQ(used_up.rows()[1], "1 end thread - since -: success -> error: MACHINE STEP: the trace is used up, but 1 "
                                 "command has not run: thread 0 is at 2");
    Drawn unknown("(([1 (x := 1)])) ((2 bot))");
    static_cast<void>(unknown.run());
    EXPECT_EQ(unknown.rows(), (Lines{"0 2 thread - since -: success -> error: MACHINE STEP: 2 is not a location of the "
                                     "program"}));
    Drawn twice("(([1 (x := 1)] [2 (x := 2)])) ((1 bot) (1 bot))");
    static_cast<void>(twice.run());
    EXPECT_EQ(twice.rows()[1], "1 1 thread 0 since 0: success -> error: MACHINE STEP: 1 is no thread's next command: "
                               "thread 0 is at 2");
}

// A message that comes before its receive is posted, one that one's own thread sends, and one for nobody.
TEST(Diagram, PartnersByOrdinal) {
    Drawn b(R"((([1 (sndi S 0 0 1)] [2 (sndi T 0 1 2)] [3 (rcvi R 0 x)] [4 (wait R)]))
               ((1 bot) (2 ((0 0))) (3 ((1 0))) (4 bot)))");
    b.steps(2);
    EXPECT_EQ(b.messages(),
              (Lines{"S = 1 from 0 to 0: sent 0, delivered 1", "T = 2 from 0 to -: sent 1, delivered -"}));
    b.steps(1);
    EXPECT_EQ(b.messages()[0], "S = 1 from 0 to 0: sent 0, delivered 1, R posted 2, completed -");
    static_cast<void>(b.run());
    EXPECT_EQ(b.text(), R"(
        thread 0
  0 1   ● sndi S 0 0 1
        ◄─ S = 1
  1 2   ● sndi T 0 1 2
        ├─ T = 2 ► 1
  2 3   ● rcvi R 0 x
  3 4   ● wait R  x = 1
s = success
)");
}

// Steps that are taken back leave the diagram as it was, at once or when the next entry comes.
TEST(Diagram, GoingBack) {
    for (std::size_t trace = 0; trace < 3; ++trace) {
        Drawn b(figure1());
        b.machine.keep_history();
        std::vector<std::string> texts;
        std::vector<Lines> messages;
        for (int i = 0; i < 16; ++i) {
            texts.push_back(b.text());
            messages.push_back(b.messages());
            b.steps(1, trace);
        }
        std::string const whole = b.text();
        for (std::size_t left = 16; left-- > 0;) {
            ASSERT_TRUE(b.machine.back());
            b.builder.back_to(left);
            EXPECT_EQ(b.text(), texts[left]);
            EXPECT_EQ(b.messages(), messages[left]);
        }
        b.steps(10, trace);
        for (int i = 0; i < 5; ++i) ASSERT_TRUE(b.machine.back());
        b.steps(11, trace);
        EXPECT_EQ(b.text(), whole);
    }
}

TEST(Diagram, ListensFromTheBeginning) {
    Bench b(figure1());
    b.steps(1);
    DiagramBuilder late(b.code);
    b.machine.observe(late);
    EXPECT_THROW(b.steps(1), std::logic_error);
}

TEST(DiagramText, FewColumns) {
    Drawn b(figure1());
    b.steps(10, 1);
    EXPECT_EQ(b.text(42), R"(
        thread 0   thread 1   thread 2
  0 24  │          │          ● S4 = 4
  1 25  │          │          ● wait S4
  2 26  │          │          ● S6 = 7
  3 27  │          │          ● wait S6
  4 13  │          ● rcvi R3…
        │          ◄─ S6 = 7 ─╯
  5 14  │          ● …  C = 7
  6 15  │          ● S5 = 1
  7 16  │          ● wait S5
  8 02  ● rcvi R2…
        ◄─ S5 = 1 ─╯
  9 03  ● …  A = 1
s = success
)");
    // Too narrow for lanes.
    EXPECT_EQ(b.text(40), R"(
  0 24  ● thread 2: sndi S4 2 0 4
  1 25  ● thread 2: wait S4
  2 26  ● thread 2: sndi S6 2 1 7
  3 27  ● thread 2: wait S6
  4 13  ● thread 1: rcvi R3 1 C
        ◄ S6 = 7 from thread 2 to 1
  5 14  ● thread 1: wait R3  C = 7
  6 15  ● thread 1: sndi S5 1 0 1
  7 16  ● thread 1: wait S5
  8 02  ● thread 0: rcvi R2 0 A
        ◄ S5 = 1 from thread 1 to 0
  9 03  ● thread 0: wait R2  A = 1
s = success
)");
}

TEST(DiagramText, NoLineIsWiderThanTheTerminal) {
    std::string const name = "\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57"; // each two columns wide
    std::string const program =
        "(([" + name + " (sndi " + name + " 1 0 123456789012345678901234567890)]) ([r (rcvi R 0 " + name +
        ")] [w (wait R)] [a (assert (= " + name + " 1))])) ((r bot) (" + name + " bot) (w ((0 1))) (a bot))";
    Drawn b(program);
    static_cast<void>(b.run());
    for (unsigned columns = 40; columns < 120; ++columns) {
        std::stringstream text(b.text(columns));
        for (std::string line; std::getline(text, line);) EXPECT_LE(display_width(line), columns) << line;
    }
    EXPECT_EQ(display_width(name), 16U);
    EXPECT_EQ(cut(name, 5), "\u6F22\u5B57…");
    EXPECT_EQ(cut("abcdef", 6), "abcdef");
    EXPECT_EQ(cut("abcdef", 5), "abcd…");
}

TEST(DiagramText, Ranges) {
    Drawn b(figure1());
    static_cast<void>(b.run());
    TextOptions options;
    options.first = 2;
    options.last = 4;
    options.threads = {0, 2};
    EXPECT_EQ("\n" + to_text(b.diagram(), b.code, options), R"(
        thread 0                            thread 2
... 2 before
  2 02  ● rcvi R2 0 A                       │
        ◄───────────── S4 = 4 ──────────────┤
  3 03  ● wait R2  A = 4                    │
  4 26  │                                   ● sndi S6 2 1 7
... 11 more
s = success
)");
    options.first = 0;
    options.last = UINT64_MAX;
    options.threads = {1};
    std::string const alone = to_text(b.diagram(), b.code, options);
    EXPECT_NE(alone.find("◄─ S6 = 7 from 2\n"), std::string::npos) << alone;
    EXPECT_NE(alone.find("├─ S5 = 1 ► thread 0\n"), std::string::npos) << alone;
    EXPECT_EQ(alone.find("S4"), std::string::npos) << alone;
    EXPECT_EQ(alone.find("R2"), std::string::npos) << alone;
}

TEST(DiagramText, ValuesBeforeCommands) {
    Drawn b(
        "(([0 (rcvi a_long_receive 0 x)] [1 (wait a_long_receive)] [2 (x := (+ x (* 2 3)))] [3 (assert (> x 1000))])"
        " ([4 (sndi a_long_send 1 0 (* 6 7))])) ((0 bot) (4 bot) (1 ((0 1))) (2 bot) (3 bot))");
    static_cast<void>(b.run());
    auto const text = [&](std::uint32_t row, std::size_t columns) {
        return row_text(b.diagram(), b.code, row, columns);
    };
    EXPECT_EQ(text(2, 30), "wait a_long_receive  x = 42");
    EXPECT_EQ(text(2, 16), "wait a_…  x = 42");
    EXPECT_EQ(text(2, 9), "…  x = 42");
    EXPECT_EQ(text(2, 8), "x = 42");
    EXPECT_EQ(text(2, 4), "42");
    EXPECT_EQ(text(3, 20), "x := (+ x (* 2 3))");
    EXPECT_EQ(text(3, 16), "x := (+…  x = 48");
    EXPECT_EQ(text(1, 24), "sndi …  a_long_send = 42");
    EXPECT_EQ(text(4, 14), "asser…  x = 48") << "the values for which it does not hold";
    EXPECT_EQ(message_text(b.code, b.diagram().messages[0], 20), "a_long_send = 42");
    EXPECT_EQ(message_text(b.code, b.diagram().messages[0], 10), "a_lo… = 42");
    EXPECT_EQ(message_text(b.code, b.diagram().messages[0], 5), "42");
}

TEST(DiagramText, ColorsChangeNoText) {
    Drawn b(figure1());
    static_cast<void>(b.run());
    TextOptions options;
    options.paint = Paint(true);
    std::string text = to_text(b.diagram(), b.code, options);
    EXPECT_NE(text.find("\x1b[36m"), std::string::npos);
    std::string plain;
    for (std::string_view rest = text; !rest.empty();) {
        std::size_t const escape = escape_length(rest);
        if (escape == 0) plain += rest.front();
        rest.remove_prefix(std::max<std::size_t>(escape, 1));
    }
    EXPECT_EQ("\n" + plain, b.text());
}

// A message's receive is not the one with the same number: partners are as the machine finds them, forward and back.
TEST(Diagram, Selectors) {
    Drawn b(R"((([00 (rcvi R0 0 x (tag 2) (source y))] [01 (wait R0)] [02 (rcvi R1 0 z (tag 1))] [03 (wait R1)])
                ([10 (sndi S0 1 0 1 (tag 1))] [11 (sndi S1 1 0 2 (tag 2))]))
               ((00 bot) (10 bot) (11 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 1) bot))))");
    b.steps(6);
    EXPECT_EQ(b.messages(), (Lines{"S0 = 1 tag 1 from 1 to 0: sent 1, delivered 5, R1 posted 4, completed 5",
                                   "S1 = 2 tag 2 from 1 to 0: sent 2, delivered 3, R0 posted 0, completed 3"}));
    EXPECT_EQ(row_text(b.diagram(), b.code, 3), "wait R0  x = 2, y = 1");
    b.builder.back_to(5);
    EXPECT_EQ(b.messages()[0], "S0 = 1 tag 1 from 1 to 0: sent 1, delivered -");
}

// A thread at a barrier counts as waiting, and locations show where their commands came from.
TEST(Diagram, BarriersAndPlaces) {
    Drawn b(R"((([00 (barrier B) (at "main.c" 7)]) ([10 (x := 1)] [11 (barrier B)])) ((10 bot) (00 bot)))");
    b.steps(2);
    EXPECT_TRUE(is_wait(b.code, b.diagram().rows[1]));
    EXPECT_TRUE(b.diagram().stands_at_wait(b.code, 1));
    EXPECT_EQ(b.text(), R"(
                   thread 0                      thread 1
  0 10             ║                             ● x := 1
  1 00 (main.c:7)  ● barrier B                   ║
s = success
)");
}

} // namespace
} // namespace matchpoint::test
