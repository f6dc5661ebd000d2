// What can come of a state, by each engine and by breadth-first search, against every interleaving of single steps and
// deliveries: in every state that some execution of a small program reaches, and in states of random programs.

#include "check/continuation.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>

#include <fmt/format.h>

#include "machine/well_formed.hpp"
#include "programs/random.hpp"
#include "programs/small.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::test {
namespace {

using Kind = Goal::Kind;
using Answer = Reached::Answer;

constexpr Kind kinds[] = {Kind::failure, Kind::success, Kind::deadlock, Kind::fault, Kind::orphan};
constexpr std::string_view names[] = {"failure", "success", "deadlock", "fault", "orphan"};

/// Every state that some execution of a program reaches, and what can come of it.
class Graph {
public:
    struct Node {
        State state;
        std::vector<std::size_t> by_command;
        std::vector<std::size_t> by_delivery;
        bool is[5] = {};  // the goal of a kind
        bool has[5] = {}; // ahead
    };

    Graph(IndexedProgram const& code, Buffering buffering, std::size_t most) : code_(code), buffering_(buffering) {
        node(State(code));
        for (std::size_t n = 0; n < nodes_.size() && nodes_.size() <= most; ++n) expand(n);
        is_whole_ = nodes_.size() <= most;
        if (!is_whole_) return;
        for (std::size_t n = 0; n < nodes_.size(); ++n) judge(n);
        look_back();
    }

    bool is_whole() const { return is_whole_; }
    std::vector<Node> const& nodes() const { return nodes_; }
    std::size_t find(State const& state) const { return numbers_.at(key(state)); }

    /// Whether deliveries alone lead to a deadlock.
    bool is_nearly_stuck(std::size_t n) const {
        auto const& node = nodes_[n];
        return node.is[2] || std::any_of(node.by_delivery.begin(), node.by_delivery.end(),
                                         [&](std::size_t next) { return is_nearly_stuck(next); });
    }

private:
    /// Of a program under D1 to D6.
    std::string key(State const& state) const {
        std::string text = fmt::format("{} {}:", static_cast<int>(state.s), fmt::join(state.ctp, " "));
        for (std::uint32_t beta = 0; beta < code_.endpoints().size(); ++beta) {
            text += '/';
            for (std::uint32_t i = 0; i < state.Q_s.delivered[beta]; ++i)
                text += fmt::format(" {}", state.Q_s.entries[code_[Endpoint{beta}].Q_s.first + i].a.index);
        }
        return text;
    }

    std::size_t node(State state) {
        auto const [it, is_new] = numbers_.try_emplace(key(state), nodes_.size());
        if (is_new) nodes_.push_back({std::move(state), {}, {}});
        return it->second;
    }

    void expand(std::size_t n) {
        Machine machine(code_, buffering_, nodes_[n].state);
        for (Transition const& t : enabled(code_, nodes_[n].state, buffering_)) {
            machine.restore(nodes_[n].state);
            bool const is_command = std::holds_alternative<Execute>(t);
            if (machine.apply(t).is_stuck()) {
                nodes_[n].is[3] |= is_command && nodes_[n].state.s < Status::infeasible;
                continue;
            }
            std::size_t const next = node(machine.state());
            (is_command ? nodes_[n].by_command : nodes_[n].by_delivery).push_back(next);
        }
    }

    /// No command can follow, whatever is delivered.
    bool is_stuck(std::size_t n) const {
        Node const& node = nodes_[n];
        return node.by_command.empty() && !node.is[3] &&
               std::all_of(node.by_delivery.begin(), node.by_delivery.end(),
                           [&](std::size_t m) { return is_stuck(m); });
    }

    void judge(std::size_t n) {
        Node& node = nodes_[n];
        State const& s = node.state;
        node.is[0] = s.s == Status::failure;
        node.is[1] = s.s == Status::success && s.finished();
        node.is[2] = s.s < Status::infeasible && !s.finished() && is_stuck(n);
        auto const w = well_formedness(code_, s);
        node.is[4] = s.finished() && !(w.in_transit.empty() && w.delivered.empty());
    }

    void look_back() {
        std::vector<std::vector<std::size_t>> before(nodes_.size());
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            for (auto const* const next : {&nodes_[n].by_command, &nodes_[n].by_delivery})
                for (std::size_t const m : *next) before[m].push_back(n);
        for (std::size_t k = 0; k < 5; ++k) {
            std::vector<std::size_t> work;
            auto const add = [&](std::size_t n) {
                if (!nodes_[n].has[k]) work.push_back(n);
                nodes_[n].has[k] = true;
            };
            for (std::size_t n = 0; n < nodes_.size(); ++n)
                if (nodes_[n].is[k]) add(n);
            while (!work.empty()) {
                std::size_t const n = work.back();
                work.pop_back();
                for (std::size_t const m : before[n]) add(m);
            }
        }
    }

    IndexedProgram const& code_;
    Buffering buffering_;
    std::vector<Node> nodes_;
    std::map<std::string, std::size_t> numbers_;
    bool is_whole_ = false;
};

/// How often each kind was there and was not, and who decided.
struct Covered {
    std::size_t programs = 0;
    std::size_t states = 0;
    std::size_t answers[5][2] = {};
    std::map<std::string, std::size_t> engines;

    void print() const {
        std::cout << programs << " programs, " << states << " states\n";
        for (std::size_t k = 0; k < 5; ++k)
            std::cout << "  " << names[k] << ": " << answers[k][1] << " yes, " << answers[k][0] << " no\n";
        for (auto const& [engine, n] : engines) std::cout << "  " << engine << ": " << n << '\n';
    }
};

class Comparison {
public:
    Comparison(Subject const& subject, Buffering buffering, Graph const& graph, Covered& tally)
        : s_(subject), buffering_(buffering), graph_(graph), tally_(tally) {}

    void ask(std::size_t n, EngineChoice engine) {
        for (std::size_t k = 0; k < 5; ++k) {
            CheckOptions options;
            options.buffering = buffering_;
            options.engine = engine;
            options.direct_from = n % 2 == 0 ? 0 : options.direct_from;
            options.solver = *solver_command("z3");
            Continuation const c = continuation(s_.messages, graph_.nodes()[n].state, kinds[k], options);
            bool const wanted = graph_.nodes()[n].has[k];
            ++tally_.answers[k][wanted];
            ++tally_.engines[c.engine.empty() ? "clear" : c.engine];
            ASSERT_EQ(c.answer, wanted ? Answer::yes : Answer::no) << what(n, k) << c.engine << c.why;
            if (wanted) follow(n, k, c.schedule);
        }
    }

    void ask_breadth_first(std::size_t n) {
        for (std::size_t k = 0; k < 5; ++k) {
            BreadthFirst search(s_.messages, buffering_, graph_.nodes()[n].state, {kinds[k], {}});
            bool const wanted = graph_.nodes()[n].has[k];
            ASSERT_EQ(search.search(SIZE_MAX, [] { return false; }),
                      wanted ? BreadthFirst::Answer::found : BreadthFirst::Answer::none)
                << what(n, k);
            if (wanted) follow(n, k, search.schedule());
        }
    }

private:
    /// The schedule leads there.
    void follow(std::size_t n, std::size_t k, Schedule const& schedule) const {
        Machine machine(s_.code, buffering_, graph_.nodes()[n].state);
        bool is_stuck = false;
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            ASSERT_FALSE(is_stuck) << what(n, k) << s_.text(schedule);
            is_stuck = machine.step(schedule.entry(i)).is_stuck();
        }
        ASSERT_EQ(is_stuck, kinds[k] == Kind::fault) << what(n, k) << s_.text(schedule);
        if (is_stuck) return;
        std::size_t const end = graph_.find(machine.state());
        bool const is_there = kinds[k] == Kind::deadlock ? graph_.is_nearly_stuck(end) : graph_.nodes()[end].is[k];
        ASSERT_TRUE(is_there) << what(n, k) << s_.text(schedule);
    }

    std::string what(std::size_t n, std::size_t k) const {
        return fmt::format("{}\n{}, {} buffering, from {}\n", s_.source.text(), names[k],
                           machine::to_string(buffering_), text_of(s_.code, graph_.nodes()[n].state));
    }

    Subject const& s_;
    Buffering buffering_;
    Graph const& graph_;
    Covered& tally_;
};

/// Asks in every so manyth state of a program.
void ask_everywhere(std::string const& text, std::initializer_list<EngineChoice> engines, std::size_t every_state,
                    std::size_t offset, Covered& tally) {
    Subject const subject(text);
    for (Buffering const buffering : {infinite, zero}) {
        Graph const graph(subject.code, buffering, 3'000);
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
        for (std::size_t const n : tally.answers[k]) EXPECT_GT(n, tally.states / 100) << names[k];
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
        auto const p = programs::random_program(1, i, shape(5));
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
        ask(programs::random_program(3, i, divides).draft, 100, i);
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
        auto const p = programs::random_program(2, i, shape(4));
        ask_everywhere(draft::print(p.draft), {EngineChoice::smt}, 300, i, tally);
        if (HasFatalFailure()) return;
    }
    expect_all_answers(tally);
}

} // namespace
} // namespace matchpoint::test
