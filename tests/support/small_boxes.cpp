#include "tests/support/small_boxes.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "base/overloaded.hpp"
#include "grammar/operators.hpp"
#include "tests/support/generate.hpp"

namespace matchpoint::naive {

namespace {

namespace draft = programs::draft;
using draft::Text;

bool is_in(draft::Draft const& program, SmallBox const& box) {
    std::size_t sends = 0;
    std::size_t receives = 0;
    std::size_t locals = 0;
    std::size_t endpoints = 0;
    for (draft::Thread const& thread : program.threads) {
        std::set<std::string> used;
        for (draft::LocatedCommand const& c : thread)
            std::visit(overloaded{
                           [&](AssumeOf<Text> const&) { ++locals; },
                           [&](AssertOf<Text> const&) { ++locals; },
                           [&](AssignOf<Text> const&) { ++locals; },
                           [&](SndiOf<Text> const& k) {
                               ++sends;
                               used.insert(k.alpha.text);
                           },
                           [&](RcviOf<Text> const& k) {
                               ++receives;
                               used.insert(k.beta.text);
                           },
                           [&](ProbeOf<Text> const& k) { used.insert(k.beta.text); },
                           [](StartOf<Text> const&) {},
                           [](WaitOf<Text> const&) {},
                           [](MeetOf<Text> const&) {},
                           [](CollectiveOf<Text> const&) {},
                           [](GuardedOf<Text> const&) {},
                       },
                       c.c);
        endpoints = std::max(endpoints, used.size());
    }
    return std::max(sends, receives) >= box.least_messages && endpoints >= box.least_endpoints &&
           locals >= box.least_locals;
}

/// The variable that the last wait for a receive gives a value, if there is one.
std::optional<draft::Variable> last_value(draft::Thread const& thread) {
    for (auto last = thread.rbegin(); last != thread.rend(); ++last)
        for (draft::LocatedCommand const& c : thread) {
            auto const* const wait = as_wait(last->c);
            auto const* const receive = as_rcvi(c.c);
            if (wait != nullptr && receive != nullptr && receive->a == wait->a) return receive->x;
        }
    return std::nullopt;
}

/// The sum of the digits with base 3: so every third program does not have the same closing checks.
std::size_t turn(std::size_t number) { return number == 0 ? 0 : number % 3 + turn(number / 3); }

void close(draft::Draft& program, std::size_t number) {
    std::size_t kind = turn(number);
    for (draft::Thread& thread : program.threads) {
        auto const last = last_value(thread);
        if (!last) continue;
        auto const x = draft::variable(*last);
        auto const above_one = operation(Op::greater, x, draft::number(1));
        switch (kind++ % 3) {
        case 0: thread.push_back(draft::assert_(above_one)); break;
        case 1: thread.push_back(draft::assume(above_one)); break;
        default:
            thread.push_back(draft::assign(
                last->text + "'", operation(Op::div, draft::number(6), operation(Op::minus, x, draft::number(1)))));
            break;
        }
    }
}

/// From so many on, the programs between those that are visited are not even made: that would take most of the time.
constexpr std::size_t sparse = 40;

} // namespace

std::vector<SmallBox> const& small_boxes() {
    static std::vector<SmallBox> const boxes = {
        // Two messages
        {.most = {.size = 9, .endpoints = 1, .sends = 2, .receives = 2, .locals = 1}},
        // Some thread has two endpoints
        {.most = {.size = 8, .endpoints = 2, .sends = 2, .receives = 2, .locals = 1}, .least_endpoints = 2},
        // An assumption and an assertion, two assertions, ...
        {.most = {.size = 7, .endpoints = 1, .sends = 2, .receives = 2, .locals = 2}, .least_locals = 2},
        // Three messages
        {.most = {.size = 9, .endpoints = 1, .sends = 3, .receives = 3, .locals = 0},
         .least_messages = 3,
         .closing = true},
        // Three messages, and some thread has two endpoints
        {.most = {.size = 8, .endpoints = 2, .sends = 3, .receives = 3, .locals = 0},
         .least_messages = 3,
         .least_endpoints = 2,
         .closing = true},
    };
    return boxes;
}

std::size_t for_each_small_program(SmallBox const& box, std::size_t every, std::size_t offset,
                                   std::function<void(Program const&)> const& visit) {
    std::size_t count = 0;
    if (every >= sparse) {
        programs::SmallPrograms some(box.most, every, offset % every);
        while (auto program = some.next()) {
            if (!is_in(*program, box)) continue;
            if (box.closing) close(*program, static_cast<std::size_t>(some.number()));
            visit(plain(std::move(*program)).program);
            ++count;
        }
        return count * every;
    }
    programs::SmallPrograms all(box.most);
    while (auto program = all.next()) {
        if (!is_in(*program, box)) continue;
        if (count % every == offset % every) {
            if (box.closing) close(*program, count);
            visit(plain(std::move(*program)).program);
        }
        ++count;
    }
    return count;
}

std::size_t for_each_small_program(std::size_t every, std::size_t offset,
                                   std::function<void(Program const&)> const& visit) {
    std::size_t count = 0;
    for (SmallBox const& box : small_boxes()) {
        // The first of this box is number `count`.
        std::size_t const here = (offset % every + every - count % every) % every;
        count += for_each_small_program(box, every, here, visit);
    }
    return count;
}

} // namespace matchpoint::naive
