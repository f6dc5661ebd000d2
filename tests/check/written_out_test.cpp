// Deliveries that no command follows, written out.
#include "check/written_out.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::check {
namespace {

using test::infinite;
using test::Subject;

/// A schedule of commands, by name, and deliveries, "(0 1)", as the trace that is written out.
std::string written(std::string const& program, std::vector<std::string> const& steps) {
    Subject const s(program);
    Schedule schedule;
    for (std::string const& step : steps) {
        if (step[0] == '(')
            schedule.move(*s.code.find_channel(s.endpoint(step.substr(1, 1)), s.endpoint(step.substr(3, 1))));
        else
            schedule.step(s.location(step));
    }
    schedule = written_out(s.code, infinite, schedule);
    std::string text = grammar::print(s.code.program(), schedule.trace(s.code));
    text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
    return text + (schedule.trailing().empty() ? "" : " and more");
}

} // namespace

TEST(WrittenOut, BeforeTheLastCommandThatDoesNotNeedIt) {
    std::string const program = "(([r (rcvi R 0 x (from 1))] [q (rcvi Q 0 y (from 2))] [w (wait Q)] [v (wait R)])"
                                " ([s (sndi S 1 0 7)] [t (wait S)]))";
    EXPECT_EQ(written(program, {"r", "q", "s", "t", "(0 1)"}), "(  (r bot)  (q bot)  (s bot)  (t ((0 1) bot)))");
    EXPECT_EQ(written(program, {"r", "s", "t", "q", "(0 1)"}), "(  (r bot)  (s bot)  (t bot)  (q ((0 1) bot)))");
}

TEST(WrittenOut, BeforeACommandThatCanComeLast) {
    std::string const program = "(([r (rcvi R 0 x (from 1))] [q (rcvi Q 0 y (from 2))] [w (wait Q)] [v (wait R)])"
                                " ([s (sndi S 1 0 7)]))";
    EXPECT_EQ(written(program, {"r", "q", "s", "(0 1)"}), "(  (r bot)  (s bot)  (q ((0 1) bot)))");
}

TEST(WrittenOut, NowhereIfNoCommandCanFollow) {
    EXPECT_EQ(written("(([r (rcvi R 0 x (from 1))] [w (wait R)]) ([s (sndi S 1 0 7)]))", {"r", "s", "(0 1)"}),
              "(  (r bot)  (s bot)) and more");
}

} // namespace matchpoint::check
