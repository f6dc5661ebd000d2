// The parser, production by production: what a text is read as.

#include <gtest/gtest.h>

#include "grammar/operators.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::parsed;

Program read(std::string text) { return parsed(Source("test.ctp", std::move(text))); }

/// What a text is read as, in canonical form.
std::string canonical(std::string text) { return print(read(std::move(text))); }

/// The commands of thread 0, one after the other.
std::string commands(std::string const& text) {
    Program const program = read("(( " + text + "))");
    std::string result;
    for (std::uint32_t i = 0; i < program.ctp.commands.size(); ++i)
        result += (i == 0 ? "" : " ") + std::string(program.symbols.locations[i]) + ":" +
                  print(program, program.ctp.commands[i].c);
    return result;
}

std::string expression(std::string const& e) {
    Program const program = read("(([1 (x := " + e + ")]))");
    return print(program, std::get<Assign>(program.ctp.commands[0].c).e);
}

TEST(Parse, Ctp) {
    Program const empty = read("()");
    EXPECT_TRUE(empty.ctp.threads.empty() && empty.ctp.commands.empty() && empty.traces.empty());
    Program const threads = read("(([1 (x := 1)]) () ([2 (x := 2)] [3 (x := 3)] bot))");
    EXPECT_EQ(threads.ctp.threads, (std::vector<Thread>{{0, 1}, {1, 1}, {1, 3}}));
    EXPECT_EQ(threads.ctp.commands.size(), 3U);
}

// Each closing bot may be left out, or written in either way.
TEST(Parse, Bottoms) {
    std::string const text = "(([1 (x := 1)]bot)())((1 bot))((1((0 1)bot)))((1(bot)))";
    EXPECT_EQ(canonical(text), R"((
  (
    [1 (x := 1)]
    bot
  )
  (
    bot
  )
)
(
  (1 bot)
)
(
  (1 ((0 1) bot))
)
(
  (1 bot)
)
)");
    EXPECT_EQ(read(text), read("(([1 (x := 1)]⊥)(⊥))((1 ⊥))((1((0 1)⊥)))((1(⊥)))"));
    EXPECT_EQ(read(text), read("(([1 (x := 1)])(bot))((1 bot))((1((0 1))))((1()))"));
}

TEST(Parse, Brackets) {
    EXPECT_EQ(read("[([1 [x := [+ 1 (not true)]]]) [ ]] [[1 [[0 1] bot]] (1 bot)]"),
              read("(([1 (x := (+ 1 (not true)))]) ()) ((1 ((0 1) bot)) (1 bot))"));
}

TEST(Parse, Commands) {
    EXPECT_EQ(
        commands("[1 (assume (= x 1))] [2 (assert b)] [3 (y := -5)] [4 (sndi S 1 0 (+ x 1))] [5 (rcvi R 2 z)] "
                 "[6 (wait S)] [7 (wait R)]"),
        "1:(assume (= x 1)) 2:(assert b) 3:(y := -5) 4:(sndi S 1 0 (+ x 1)) 5:(rcvi R 2 z) 6:(wait S) 7:(wait R)");
    Program const p = read("(([1 (sndi S 1 0 x)] [2 (rcvi R 2 z)] [3 (wait S)]))");
    EXPECT_EQ(std::get<Sndi>(p.ctp.commands[0].c), (Sndi{{0}, {0}, {1}, {0, 1}, {}, {}}));
    EXPECT_EQ(std::get<Rcvi>(p.ctp.commands[1].c), (Rcvi{{1}, {2}, {1}, {}, {}}));
    EXPECT_EQ(std::get<Wait>(p.ctp.commands[2].c), (Wait{{0}}));
    EXPECT_EQ(p.symbols(Endpoint{0}), "1"); // the source comes first in a sndi
    EXPECT_EQ(p.symbols(Endpoint{1}), "0");
    EXPECT_EQ(p.ctp.issued_by, (std::vector<std::uint32_t>{0, 1}));
}

// Figure 5(a)'s location at the end of a sndi or rcvi: of its own command, an earlier or a later one.
TEST(Parse, ExtraLocations) {
    EXPECT_EQ(commands("[1 (sndi S 1 0 7 1)] [2 (rcvi R 2 z 3)] [3 (sndi T 1 0 (+ 1 2) 1)] [4 (rcvi Q 2 z)]"),
              "1:(sndi S 1 0 7 1) 2:(rcvi R 2 z 3) 3:(sndi T 1 0 (+ 1 2) 1) 4:(rcvi Q 2 z)");
    Program const p = read("(([1 (sndi S 1 0 7 2)]) ([2 (rcvi R 2 z 1)]))");
    EXPECT_EQ(std::get<Sndi>(p.ctp.commands[0].c).rho, Location{1});
    EXPECT_EQ(std::get<Rcvi>(p.ctp.commands[1].c).rho, Location{0});
    EXPECT_NE(p, read("(([1 (sndi S 1 0 7)]) ([2 (rcvi R 2 z 1)]))"));
    EXPECT_TRUE(std::get<Sndi>(read("(([1 (sndi S 1 0 7)]))").ctp.commands[0].c).rho.is_none());
}

TEST(Parse, ExpressionsInPostOrder) {
    Program const p = read("(([1 (x := (+ (* 2 y) (- 3 (div z 5))))] [2 (assert (not (< 1 x)))]))");
    std::string nodes;
    for (Node const& n : p.ctp.nodes) {
        if (n.kind == Node::Kind::value) nodes += p.ctp.values[n.payload].to_string();
        if (n.kind == Node::Kind::variable) nodes += p.symbols(Variable{n.payload});
        if (n.kind == Node::Kind::operation) nodes += std::string(to_string(n.op)) + "/" + std::to_string(n.payload);
        nodes += " ";
    }
    // An operation has the number of nodes of its expression.
    EXPECT_EQ(nodes, "2 y */3 3 z 5 div/3 -/5 +/9 1 x </3 not/4 ");
    EXPECT_EQ(std::get<Assign>(p.ctp.commands[0].c).e, (Expression{0, 9}));
    EXPECT_EQ(std::get<Assert>(p.ctp.commands[1].c).e, (Expression{9, 4}));
    EXPECT_EQ(std::get<Assert>(p.ctp.commands[1].c).e.root(), 12U);
}

TEST(Parse, Operators) {
    for (std::size_t i = 0; i < op_count; ++i) {
        Op const op = static_cast<Op>(i);
        std::string text = "(" + std::string(to_string(op));
        for (std::size_t k = 0; k < arity(op); ++k) text += std::string(" ") + "abc"[k];
        text += ")";
        EXPECT_EQ(expression(text), text);
    }
}

TEST(Parse, Leaves) {
    EXPECT_EQ(expression("true"), "true");
    EXPECT_EQ(expression("false"), "false");
    EXPECT_EQ(expression("x"), "x");
    EXPECT_EQ(expression("truely"), "truely");
    EXPECT_EQ(expression("bottle"), "bottle");
    EXPECT_EQ(expression("5x"), "5x");
    EXPECT_EQ(expression("⊥⊥"), "⊥⊥");
}

TEST(Parse, Integers) {
    EXPECT_EQ(expression("+5"), "5");
    EXPECT_EQ(expression("-0"), "0");
    EXPECT_EQ(expression("-007"), "-7");
    EXPECT_EQ(expression("010"), "10");
    EXPECT_EQ(expression("09"), "9");
    EXPECT_EQ(expression("4611686018427387904"), "4611686018427387904");
    EXPECT_EQ(expression("-9223372036854775809"), "-9223372036854775809");
    EXPECT_EQ(expression("+000" + std::string(100, '8')), std::string(100, '8'));
    EXPECT_EQ(read("(([1 (x := +05)]))"), read("(([1 (x := 5)]))"));
    EXPECT_NE(read("(([1 (x := -5)]))"), read("(([1 (x := 5)]))"));
}

// Locations and actions are compared as written, endpoints as numbers.
TEST(Parse, EndpointsAreNumbers) {
    Program const p = read("(([02 (sndi 2 00 +1 5)] [2 (sndi 02 0 01 5)] [+2 (rcvi +2 -0 x)] [-2 (rcvi r 010 x)]))");
    EXPECT_EQ(p.symbols.endpoints.size(), 3U);
    EXPECT_EQ(p.symbols.locations.size(), 4U);
    EXPECT_EQ(p.symbols.actions.size(), 4U);
    EXPECT_EQ(print(p, p.ctp.commands[0].c), "(sndi 2 0 1 5)");
    EXPECT_EQ(print(p, p.ctp.commands[2].c), "(rcvi +2 0 x)");
    EXPECT_EQ(print(p, p.ctp.commands[3].c), "(rcvi r 10 x)");
    // Of any size.
    EXPECT_EQ(commands("[1 (rcvi R 000123456789012345678901234567890 x)]"),
              "1:(rcvi R 123456789012345678901234567890 x)");
}

// Any atom is a location or an action: keywords, numbers, operators, bot.
TEST(Parse, OddNames) {
    EXPECT_EQ(commands("[bot (sndi assume 1 0 1)] [⊥ (rcvi := 0 x)] [wait (wait :=)] [-1 (wait assume)] "
                       "[é#'`,|\\ (rcvi + 0 #%/x?)] [true (wait +)]"),
              "bot:(sndi assume 1 0 1) ⊥:(rcvi := 0 x) wait:(wait :=) -1:(wait assume) "
              "é#'`,|\\:(rcvi + 0 #%/x?) true:(wait +)");
    EXPECT_EQ(canonical("() ((bot bot)(⊥ (bot)))"), "(\n)\n(\n  (bot bot)\n  (⊥ bot)\n)\n");
}

TEST(Parse, Traces) {
    Program const p = read("(([1 (x := 1)])) ((1 bot) (9 ((0 1) (2 3) bot)) (1 ((4 0)))) () ((1 bot))");
    ASSERT_EQ(p.traces.size(), 3U);
    ASSERT_EQ(p.traces[0].entries.size(), 3U);
    EXPECT_EQ(print(p, p.traces[0], 0), "(1 bot)");
    EXPECT_EQ(print(p, p.traces[0], 1), "(9 ((0 1) (2 3) bot))");
    EXPECT_EQ(print(p, p.traces[0], 2), "(1 ((4 0) bot))");
    EXPECT_EQ(p.traces[0].m(0).size(), 0U);
    EXPECT_EQ(p.traces[0].m(1).size(), 2U);
    EXPECT_EQ(p.traces[0].m(2).size(), 1U);
    EXPECT_TRUE(p.traces[1].entries.empty());
    // A location that only a trace names comes after the program's.
    EXPECT_EQ(p.symbols.locations.find("9"), 1U);
    // Destination first.
    EXPECT_EQ(p.symbols(p.traces[0].m(1)[0].beta), "0");
    EXPECT_EQ(p.symbols(p.traces[0].m(1)[0].alpha), "1");
}

TEST(Parse, MovementsNameTags) {
    Program const p = read("(([1 (sndi S 1 0 5 (tag 7))])) ((1 ((0 1 +07) (0 1) (2 3 -0) (0 1 9))))");
    std::span<Movement const> const m = p.traces[0].m(0);
    EXPECT_EQ(print(p, m), "((0 1 7) (0 1) (2 3 0) (0 1 9) bot)");
    EXPECT_EQ(m[0].n, std::get<Sndi>(p.ctp.commands[0].c).tag);
    EXPECT_TRUE(m[1].n.is_none());
    // Tags that only a trace names come after the program's.
    EXPECT_EQ(p.symbols.tags.find("7"), 0U);
    EXPECT_EQ(p.symbols.tags.find("0"), 1U);
    EXPECT_EQ(p.symbols.tags.find("9"), 2U);
    // The tag of a send is not taken for that of a movement after it.
    EXPECT_TRUE(read("(([1 (sndi S 1 0 5 (tag 7))])) ((1 ((0 1))))").traces[0].m(0)[0].n.is_none());
    // Of any size.
    EXPECT_EQ(canonical("() ((1 ((0 1 00123456789012345678901))))"),
              "(\n)\n(\n  (1 ((0 1 123456789012345678901) bot))\n)\n");
}

TEST(Parse, WhiteSpaceAndComments) {
    Program const plain = read("(([1 (x := (+ 1 2))])) ((1 ((0 1) bot)))");
    EXPECT_EQ(read("(\t(\v[1\f(x\r\n:=\n(+ 1 2\n)\n)\n]\n)\n)\n((1((0 1)bot)))"), plain);
    EXPECT_EQ(read("((;)))\n[1;x\n(x;\n:=;[\n(+;;\n1;\"{}\n2)) ; ⊥\n])) ((1 ((0 1);c\nbot;d\n);e\n)) ; end"), plain);
    EXPECT_EQ(read(";\r\n(([1 (x := (+ 1 2))]))\r\n((1 ((0 1) bot)));"), plain);
    EXPECT_EQ(read("(([1(x := (+ 1 2))])) ((1 ((0 1) bot)))"), plain); // no space is needed before a bracket
}

TEST(Parse, ByteOrderMark) {
    EXPECT_EQ(read("\xEF\xBB\xBF(([1 (x := 1)]))"), read("(([1 (x := 1)]))"));
    // In front of the text only: elsewhere it belongs to an atom.
    EXPECT_EQ(canonical("(([1 (\xEF\xBB\xBFx := 1)]))"), "(\n  (\n    [1 (\xEF\xBB\xBFx := 1)]\n    bot\n  )\n)\n");
}

TEST(Parse, CommentsAreKeptOnDemand) {
    Source const source("test.ctp", "; one\r\n(;two\n) ; three ");
    EXPECT_TRUE(parsed(source).comments.empty());
    Program const program = parsed(source, {.keep_comments = true});
    std::vector<std::string> comments;
    for (auto const& [offset, length] : program.comments) comments.emplace_back(source.text().substr(offset, length));
    EXPECT_EQ(comments, (std::vector<std::string>{"; one", ";two", "; three "}));
    EXPECT_EQ(program, parsed(source)); // no part of equality
}

// Each comment once, though the skipper passes some places for every alternative.
TEST(Parse, CommentsAreKeptOnce) {
    Source const source(
        "test.ctp", "(;1\n(;2\n[;3\nl;4\n(;5\nx;6\n:=;7\n(;8\n+;9\n1;10\n2;11\n);12\n);13\n];14\nbot;15\n);16\n);17\n"
                    "(;18\n(;19\nl;20\n(;21\n(;22\n0;23\n1;24\n);25\nbot;26\n);27\n);28\n);29");
    Program const program = parsed(source, {.keep_comments = true});
    std::string text;
    for (auto const& [offset, length] : program.comments) text += source.text().substr(offset, length);
    std::string expected;
    for (int i = 1; i <= 29; ++i) expected += ";" + std::to_string(i);
    EXPECT_EQ(text, expected);
}

TEST(Parse, KnowsWhereThingsStand) {
    Source const source("test.ctp", "; c\n(\n  ([1 (x := 1)]\n   bot )\n)\n( (1 bot)\n)");
    Program const p = parsed(source);
    auto const at = [&](Offset offset) {
        auto const [line, column] = source.line_column(offset);
        return std::to_string(line) + ":" + std::to_string(column);
    };
    EXPECT_EQ(at(p.ctp.open), "2:1");
    EXPECT_EQ(at(p.ctp.close), "5:1");
    EXPECT_EQ(at(p.ctp.threads[0].open), "3:3");
    EXPECT_EQ(at(p.ctp.threads[0].bot), "4:4");
    EXPECT_EQ(at(p.ctp.threads[0].close), "4:8");
    EXPECT_EQ(read("(([1 (x := 1)]))").ctp.threads[0].bot, no_offset);
    EXPECT_EQ(at(p.ctp.commands[0].offset), "3:5");
    EXPECT_EQ(at(p.traces[0].open), "6:1");
    EXPECT_EQ(at(p.traces[0].entries[0].offset), "6:4");
    EXPECT_EQ(at(p.traces[0].close), "7:1");
}

// Equality ignores where things are; it compares what they are.
TEST(Parse, Equality) {
    Program const p = read("(([1 (x := 1)] [2 (y := x)])) ((1 bot) (2 ((0 1))))");
    EXPECT_EQ(p, read("( ([1 (x := 1)]\n [2 (y := x)] bot)) ((1 bot)\n (2 ((0 1) bot)))"));
    for (char const* const other :
         {"(([1 (x := 1)] [2 (y := 1)])) ((1 bot) (2 ((0 1))))", "(([1 (x := 2)] [2 (y := x)])) ((1 bot) (2 ((0 1))))",
          "(([1 (x := true)] [2 (y := x)])) ((1 bot) (2 ((0 1))))",
          "(([1 (x := 1)] [2 (z := x)])) ((1 bot) (2 ((0 1))))", "(([1 (x := 1)] [3 (y := x)])) ((1 bot) (3 ((0 1))))",
          "(([1 (x := 1)]) ([2 (y := x)])) ((1 bot) (2 ((0 1))))",
          "(([1 (x := 1)] [2 (y := x)])) ((1 bot) (2 ((1 0))))", "(([1 (x := 1)] [2 (y := x)])) ((1 ((0 1))) (2 bot))",
          "(([1 (x := 1)] [2 (y := x)])) ((1 bot) (2 ((0 1 0))))",
          "(([1 (x := 1)] [2 (y := x)])) ((2 bot) (1 ((0 1))))",
          "(([1 (x := 1)] [2 (y := x)])) ((1 bot) (2 ((0 1)))) ()"})
        EXPECT_NE(p, read(other)) << other;
}

// No function recurses on the depth of its input.
TEST(Parse, DeepExpressions) {
    constexpr int depth = 100'000;
    std::string left;
    std::string right;
    std::string nots;
    for (int i = 0; i < depth; ++i) {
        left += "(+ ";
        right += "[- 1 ";
        nots += "(not ";
    }
    left += "1";
    right += "1";
    nots += "true";
    for (int i = 0; i < depth; ++i) {
        left += " 2)";
        right += "]";
        nots += ")";
    }
    test::Bench b("(([1 (x := " + left + ")] [2 (y := " + right + ")] [3 (z := " + nots +
                  ")])) ((1 bot) (2 bot) (3 bot))");
    EXPECT_EQ(b.program.ctp.nodes.size(), 2 * (2 * depth + 1) + depth + 1);
    Machine silent(b.code, Buffering::infinite);
    EXPECT_EQ(run(silent, 0).s, Status::success);
    EXPECT_EQ(silent.state().h[b.variable("x").index].small(), 2 * depth + 1);
    EXPECT_EQ(silent.state().h[b.variable("y").index].small(), 1);
    EXPECT_TRUE(silent.state().h[b.variable("z").index].is_true());
    EXPECT_EQ(read(print(b.program)), b.program);
}

} // namespace
} // namespace matchpoint::test
