#include "tests/support/small_boxes.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "tests/support/generate.hpp"

namespace matchpoint::naive {

namespace {

namespace draft = programs::draft;
using Kind = draft::Command::Kind;

bool is_in(draft::Draft const& program, SmallBox const& box) {
    std::size_t sends = 0;
    std::size_t receives = 0;
    std::size_t locals = 0;
    std::size_t endpoints = 0;
    for (draft::Thread const& thread : program.threads) {
        std::set<std::string> used;
        for (draft::Command const& c : thread) {
            sends += c.kind == Kind::sndi;
            receives += c.kind == Kind::rcvi;
            locals += c.kind == Kind::assert_ || c.kind == Kind::assume || c.kind == Kind::assign;
            if (c.kind == Kind::sndi) used.insert(c.alpha);
            if (c.kind == Kind::rcvi) used.insert(c.beta);
        }
        endpoints = std::max(endpoints, used.size());
    }
    return std::max(sends, receives) >= box.least_messages && endpoints >= box.least_endpoints &&
           locals >= box.least_locals;
}

/// The variable that the last wait for a receive gives a value; empty if there is none.
std::string last_value(draft::Thread const& thread) {
    for (auto wait = thread.rbegin(); wait != thread.rend(); ++wait)
        for (draft::Command const& c : thread)
            if (wait->kind == Kind::wait && c.kind == Kind::rcvi && c.a == wait->a) return c.x;
    return {};
}

/// The sum of the digits with base 3: so every third program does not have the same closing checks.
std::size_t turn(std::size_t number) { return number == 0 ? 0 : number % 3 + turn(number / 3); }

void close(draft::Draft& program, std::size_t number) {
    std::size_t kind = turn(number);
    for (draft::Thread& thread : program.threads) {
        std::string const x = last_value(thread);
        if (x.empty()) continue;
        switch (kind++ % 3) {
        case 0: thread.push_back(draft::assert_("(> " + x + " 1)")); break;
        case 1: thread.push_back(draft::assume("(> " + x + " 1)")); break;
        default: thread.push_back(draft::assign(x + "'", "(div 6 (- " + x + " 1))")); break;
        }
    }
}

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
