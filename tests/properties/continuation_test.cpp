// What can come of a state, by each engine and by breadth-first search, against every interleaving of single steps and
// deliveries: in every state that some execution of a small program reaches, and in states of random programs.

#include "check/continuation.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include <fmt/format.h>

#include "programs/random.hpp"
#include "programs/small.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/state_graph.hpp"
#include "tests/support/subjects.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::test {
namespace {

using Answer = Reached::Answer;

/// How often each kind was there and was not, and who decided.
struct Covered {
    std::size_t programs = 0;
    std::size_t states = 0;
    std::size_t answers[5][2] = {};
    std::map<std::string, std::size_t> engines;

    void print() const {
        std::cout << programs << " programs, " << states << " states\n";
        for (std::size_t k = 0; k < 5; ++k)
            std::cout << "  " << goal_names[k] << ": " << answers[k][1] << " yes, " << answers[k][0] << " no\n";
        for (auto const& [engine, n] : engines) std::cout << "  " << engine << ": " << n << '\n';
    }
};

class Comparison {
public:
    Comparison(Subject const& subject, Buffering buffering, StateGraph const& graph, Covered& tally)
        : s_(subject), buffering_(buffering), graph_(graph), tally_(tally) {}

    void ask(std::size_t n, EngineChoice engine) {
        for (std::size_t k = 0; k < 5; ++k) {
            CheckOptions options;
            options.buffering = buffering_;
            options.engine = engine;
            options.direct_from = n % 2 == 0 ? 0 : options.direct_from;
            options.solver = *solver_command("z3");
            Continuation const c = continuation(s_.messages, graph_.nodes()[n].state, goals[k], options);
            bool const wanted = graph_.nodes()[n].has[k];
            ++tally_.answers[k][wanted];
            ++tally_.engines[c.engine.empty() ? "clear" : c.engine];
            ASSERT_EQ(c.answer, wanted ? Answer::yes : Answer::no) << what(n, k) << c.engine << c.why;
            if (wanted) follow(n, k, c.schedule);
        }
    }

    void ask_breadth_first(std::size_t n) {
        for (std::size_t k = 0; k < 5; ++k) {
            BreadthFirst search(s_.messages, buffering_, graph_.nodes()[n].state, {goals[k], {}});
            bool const wanted = graph_.nodes()[n].has[k];
            ASSERT_EQ(search.search(SIZE_MAX, [] { return false; }),
                      wanted ? BreadthFirst::Answer::found : BreadthFirst::Answer::none)
                << what(n, k);
            if (wanted) follow(n, k, search.schedule());
        }
    }

private:
    void follow(std::size_t n, std::size_t k, Schedule const& schedule) const {
        auto const wrong = graph_.why_not(n, k, schedule);
        ASSERT_FALSE(wrong) << what(n, k) << *wrong << ": " << s_.text(schedule);
    }

    std::string what(std::size_t n, std::size_t k) const {
        return fmt::format("{}\n{}, {} buffering, from {}\n", s_.source.text(), goal_names[k],
                           machine::to_string(buffering_), text_of(s_.code, graph_.nodes()[n].state));
    }

    Subject const& s_;
    Buffering buffering_;
    StateGraph const& graph_;
    Covered& tally_;
};

/// Asks in every so manyth state of a program.
void ask_everywhere(std::string const& text, std::initializer_list<EngineChoice> engines, std::size_t every_state,
                    std::size_t offset, Covered& tally) {
    Subject const subject(text);
    for (Buffering const buffering : {infinite, zero}) {
        StateGraph const graph(subject.code, buffering, 3'000);
        if (!graph.is_whole()) continue;
        ++tally.programs;
        Comparison comparison(subject, buffering, graph, tally);
        for (std::size_t n = offset % every_state; n < graph.nodes().size(); n += every_state) {
            ++tally.states;
            for (EngineChoice const engine : engines) comparison.ask(n, engine);
            comparison.ask_breadth_first(n);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

/// Every answer was given many times.
void expect_all_answers(Covered const& tally) {
    tally.print();
    EXPECT_GT(tally.states, 0U);
    if (naive::every() > 1) return; // in a few programs, no rare answer is sure
    for (std::size_t k = 0; k < 5; ++k)
        for (std::size_t const n : tally.answers[k]) EXPECT_GT(n, tally.states / 100) << goal_names[k];
}

/// With as many faults and deadlocks as other ends.
programs::RandomShape shape(unsigned messages) {
    programs::RandomShape result;
    result.messages = messages;
    result.divisions = 60;
    result.crossed = 30;
    return result;
}

TEST(Continuation, OfEveryStateOfSmallPrograms) {
    Covered tally;
    programs::SmallPrograms small(programs::small_bound(6), naive::every());
    while (auto const draft = small.next()) {
        ask_everywhere(draft::print(*draft), {EngineChoice::automatic, EngineChoice::explore, EngineChoice::sat}, 1, 0,
                       tally);
        if (HasFatalFailure()) return;
    }
    expect_all_answers(tally);
}

TEST(Continuation, OfStatesOfLargerSmallPrograms) {
    Covered tally;
    programs::SmallPrograms small(programs::small_bound(8), naive::every(50));
    while (auto const draft = small.next()) {
        ask_everywhere(draft::print(*draft), {EngineChoice::automatic, EngineChoice::explore, EngineChoice::sat}, 20,
                       small.number(), tally);
        if (HasFatalFailure()) return;
    }
    expect_all_answers(tally);
}

TEST(Continuation, OfStatesOfRandomPrograms) {
    Covered tally;
    for (std::size_t i = 0; i < naive::cases(2000); ++i) {
        auto const p = programs::random_program(naive::seeded(1), i, shape(5));
        ask_everywhere(draft::print(p.draft), {EngineChoice::automatic, EngineChoice::explore, EngineChoice::sat}, 100,
                       i, tally);
        if (HasFatalFailure()) return;
    }
    expect_all_answers(tally);
}

TEST(Continuation, OfStatesOfMpiPrograms) {
    Covered tally;
    auto const ask = [&](draft::Draft const& draft, std::size_t every_state, std::size_t offset) {
        ask_everywhere(draft::print(draft), {EngineChoice::automatic, EngineChoice::explore}, every_state, offset,
                       tally);
    };
    programs::SmallMpiPrograms small({.size = 5}, {.selectors = true, .modes = true, .barrier = true},
                                     naive::every(307));
    while (auto const draft = small.next()) {
        ask(*draft, 5, small.number());
        if (HasFatalFailure()) return;
    }
    auto divides = programs::with_mpi(shape(4));
    divides.divisions = 90; // small programs have none
    for (std::size_t i = 0; i < naive::cases(600); ++i) {
        ask(programs::random_program(naive::seeded(3), i, divides).draft, 100, i);
        if (HasFatalFailure()) return;
    }
    expect_all_answers(tally);
}

TEST(Continuation, BySmtSolver) {
    Covered tally;
    bool const all = naive::every() == 1;
    programs::SmallPrograms small(programs::small_bound(7), all ? 2'000 : 6'000);
    while (auto const draft = small.next()) {
        ask_everywhere(draft::print(*draft), {EngineChoice::smt}, 20, small.number(), tally);
        if (HasFatalFailure()) return;
    }
    for (std::size_t i = 0; i < (all ? 10U : 4U); ++i) {
        auto const p = programs::random_program(naive::seeded(2), i, shape(4));
        ask_everywhere(draft::print(p.draft), {EngineChoice::smt}, 300, i, tally);
        if (HasFatalFailure()) return;
    }
    expect_all_answers(tally);
}

} // namespace
} // namespace matchpoint::test
