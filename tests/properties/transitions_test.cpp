// Transitions on all states of small programs: that undo undoes, and that the dependence relation is one. Independent
// transitions commute, and neither enables or disables the other.

#include <gtest/gtest.h>

#include <algorithm>

#include "executions/key_set.hpp"
#include "explain/words.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "machine/machine.hpp"
#include "programs/probes.hpp"
#include "programs/random.hpp"
#include "programs/small.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::test {
namespace {

struct Covered {
    std::uint64_t programs = 0;
    std::uint64_t states = 0;
    std::uint64_t independent = 0; // pairs of enabled transitions
    std::uint64_t dependent = 0;
};

/// Visits every state that the transitions reach.
class AllStates {
public:
    AllStates(IndexedProgram const& code, Buffering buffering, bool disciplined, Covered& tally)
        : code_(code), machine_(code, buffering), dependence_(code, buffering), disciplined_(disciplined),
          tally_(tally) {
        machine_.keep_history();
    }

    void visit() {
        if (machine_.state().s == Status::error || !seen_.insert(key())) return;
        ++tally_.states;
        State const here = machine_.state();
        std::vector<Transition> const now = enabled(code_, here, machine_.buffering());
        for (Transition const& t : now) {
            bool const stuck = machine_.apply(t).is_stuck();
            if (!stuck) look_behind(here, now, t);
            visit();
            ASSERT_TRUE(machine_.undo());
            ASSERT_EQ(machine_.state(), here) << "undone";
        }
    }

private:
    bool reduces(Transition const& t) { return !machine_.why_not(t).has_value(); }

    /// The machine's state is the one after t.
    void look_behind(State const& before, std::vector<Transition> const& enabled_before, Transition const& t) {
        for (Transition const& u : enabled_before) {
            if (u == t) continue;
            if (dependence_.dependent(t, u)) {
                ++tally_.dependent;
                expect_undisciplined(t, u);
                continue;
            }
            ++tally_.independent;
            ASSERT_TRUE(is_enabled_now(u)) << "independent, and disabled";
            commute(before, t, u);
        }
        for (Transition const& u : enabled(code_, machine_.state(), machine_.buffering())) {
            bool const is_new = std::find(enabled_before.begin(), enabled_before.end(), u) == enabled_before.end();
            if (is_new) {
                ASSERT_TRUE(dependence_.dependent(t, u)) << "independent, and enabled";
            }
        }
    }

    bool is_enabled_now(Transition const& u) const {
        return std::visit([&](auto const& x) { return is_enabled(code_, machine_.state(), machine_.buffering(), x); },
                          u);
    }

    void commute(State const& before, Transition const& t, Transition const& u) {
        Machine other(code_, machine_.buffering(), before);
        if (other.apply(u).is_stuck()) return; // a fault ends the run
        ASSERT_FALSE(other.apply(t).is_stuck());
        ASSERT_FALSE(machine_.apply(u).is_stuck());
        EXPECT_EQ(machine_.state(), other.state()) << "the order matters";
        ASSERT_TRUE(machine_.undo());
    }

    /// Under D1 to D6 commands of different threads are independent. But a barrier depends on what leads to it, and the
    /// wait for a send on a receive that selects.
    void expect_undisciplined(Transition const& t, Transition const& u) const {
        if (!code_.is_plain()) return;
        auto const* const a = std::get_if<Execute>(&t);
        auto const* const b = std::get_if<Execute>(&u);
        if (a != nullptr && b != nullptr) {
            EXPECT_FALSE(disciplined_);
        }
    }

    std::string key() const {
        std::string result;
        auto const add = [&](auto const& numbers) {
            for (auto const n : numbers) result.append(reinterpret_cast<char const*>(&n), sizeof n);
        };
        State const& s = machine_.state();
        add(s.ctp);
        add(s.Pnd_s.taken);
        add(std::vector{static_cast<std::uint32_t>(s.s)});
        // Values follow from who got what, and, where threads share variables, from the order.
        for (Value const& v : s.h) result += shown(v) + ",";
        for (DeliveredSend const& d : s.Q_s.entries) add(std::vector{d.a.index});
        for (PendingSend const& p : s.Pnd_s.entries) result += std::to_string(p.a.index) + shown(p.v) + ",";
        for (PendingReceive const& p : s.Pnd_r.entries) add(std::vector{p.a.index, p.x.index});
        for (Action const a : s.saw) add(std::vector{a.index});
        return result;
    }

    IndexedProgram const& code_;
    Machine machine_;
    DependenceRelation dependence_;
    bool disciplined_;
    Covered& tally_;
    KeySet seen_;
};

void visit_all(Program const& program, bool disciplined, Covered& tally) {
    IndexedProgram const code(program);
    ++tally.programs;
    for (Buffering const buffering : {Buffering::infinite, Buffering::zero}) {
        AllStates(code, buffering, disciplined, tally).visit();
        if (testing::Test::HasFailure()) {
            ADD_FAILURE() << to_string(buffering) << " buffering\n" << print(program);
            return;
        }
    }
}

TEST(Transitions, IndependentOnesCommute) {
#ifdef MATCHPOINT_SANITIZED
    SmallPrograms programs(small_bound(5));
#else
    SmallPrograms programs(small_bound(6));
#endif
    Covered tally;
    while (auto const draft = programs.next()) {
        visit_all(draft::valid_program_of(*draft), true, tally);
        if (HasFailure()) return;
    }
    EXPECT_GT(tally.independent, tally.programs);
    EXPECT_GT(tally.dependent, tally.programs / 2);
    std::cout << tally.programs << " programs, " << tally.states << " states, " << tally.independent
              << " independent pairs, " << tally.dependent << " dependent ones\n";
}

TEST(Transitions, IndependentOnesCommuteInMpi) {
    SmallBound const few{.size = 6, .sends = 2, .receives = 2, .locals = 0};
    SmallBound const fewer{.size = 5, .locals = 1};
    Covered tally;
    for (auto const& [bound, kinds, every] :
         {std::tuple(few, SmallMpi{.selectors = true, .modes = true}, 41U),
          std::tuple(few, SmallMpi{.barrier = true}, 5U),
          std::tuple(fewer, SmallMpi{.selectors = true, .modes = true, .barrier = true}, 401U)}) {
        SmallMpiPrograms programs(bound, kinds, naive::every(every));
        while (auto const draft = programs.next()) {
            visit_all(draft::valid_program_of(*draft), true, tally);
            if (HasFailure()) return;
        }
    }
    // More messages and receives than there is room for in small programs.
    for (std::uint64_t i = 0; i < naive::cases(100); ++i) {
        visit_all(
            draft::valid_program_of(random_program(naive::seeded(5), i, with_mpi({.threads = 3, .messages = 3})).draft),
            true, tally);
        if (HasFailure()) return;
    }
    EXPECT_GT(tally.independent, tally.programs);
    EXPECT_GT(tally.dependent, tally.programs / 2);
    std::cout << tally.programs << " programs, " << tally.states << " states, " << tally.independent
              << " independent pairs, " << tally.dependent << " dependent ones\n";
}

TEST(Transitions, IndependentOnesCommuteWithProbes) {
    Covered tally;
    SmallMpiPrograms programs({.size = 5, .locals = 0}, {.selectors = true, .modes = true}, naive::every(401U));
    std::size_t number = 0;
    while (auto const draft = programs.next())
        for (draft::Draft const& d : with_one_probe(*draft)) {
            if (number++ % 5 != 0) continue;
            visit_all(draft::valid_program_of(d), true, tally);
            if (HasFailure()) return;
        }
    for (std::uint64_t i = 0; i < naive::cases(60); ++i) {
        std::string const text = naive::to_text(naive::probe_program_to_explore(naive::seeded(6), i, 3, 3), {});
        visit_all(parse(Source("test", text)).value(), true, tally);
        if (HasFailure()) return;
    }
    std::cout << tally.programs << " programs, " << tally.states << " states, " << tally.independent
              << " independent pairs, " << tally.dependent << " dependent ones\n";
}

TEST(Transitions, IndependentOnesCommuteInSharedMemory) {
    Covered tally;
    for (std::uint64_t i = 0; i < naive::cases(1'000); ++i) {
        std::string const text = naive::to_text(naive::shared_program(naive::seeded(3), i), {});
        visit_all(parse(Source("test", text)).value(), true, tally);
        if (HasFailure()) return;
    }
    EXPECT_GT(tally.independent, tally.programs);
    EXPECT_GT(tally.dependent, tally.programs / 2);
    std::cout << tally.programs << " programs, " << tally.states << " states, " << tally.independent
              << " independent pairs, " << tally.dependent << " dependent ones\n";
}

TEST(Transitions, IndependentOnesCommuteWhereThreadsShare) {
    Covered tally;
    for (char const* const text : {
             "(([1 (x := 1)] [2 (x := (+ x 1))]) ([3 (x := 5)] [4 (y := x)]) ([5 (y := 2)])) ()",
             "(([1 (x := 1)] [2 (sndi S 1 0 x)]) ([3 (x := 2)] [4 (sndi T 1 0 3)]) ([5 (rcvi R 0 z)] [6 (wait R)])) ()",
             "(([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (rcvi Q 0 y)] [4 (wait Q)]) ([5 (sndi S 1 0 1)] [6 (sndi T 1 0 "
             "2)])) ()",
             "(([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (x := 7)] [4 (sndi S 1 0 1)]) ([5 (wait S)] [6 (y := x)] [7 (x := "
             "2)])) ()",
             "(([1 (x := 1)] [2 (assert (= x 1))]) ([3 (x := 2)] [4 (assume (= x 2))])) ()",
             "(([1 (rcvi R 0 x (tag 1) (source y))] [2 (wait R)]) ([3 (rcvi Q 0 z (tagged y))] [4 (wait Q)]) ([5 (sndi "
             "S 1 "
             "0 1 (tag 1))] [6 (ssndi T 1 0 2)]) ([7 (wait T)] [8 (y := 0)])) ()",
             "(([1 (rcvi R 0 x)] [2 (barrier B)] [3 (wait R)]) ([4 (ssndi S 1 0 1)] [5 (barrier B)]) ([6 (wait S)] [7 "
             "(barrier B)])) ()",
         }) {
        visit_all(parse(Source("test", text)).value(), false, tally);
        if (HasFailure()) return;
    }
    EXPECT_GT(tally.independent, 0U);
}

} // namespace
} // namespace matchpoint::test
