// Deadlocks under libraries that may or may not buffer each standard send: the definition, the theorem
// (docs/semantics.md, "Buffering") and the search, on small and on random programs.

#include "executions/refusals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "check/confirmed.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_explore.hpp"
#include "tests/support/naive_refusals.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/small_boxes.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

/// What the search finds under one reading: "no deadlock", "a deadlock" or "a deadlock that depends on the library".
/// Wrong if the definition does not hold at the end.
std::string searched(Subject const& subject, Runs runs) {
    executions::RefusalSearch search(subject.messages, runs);
    if (search.search() == executions::RefusalSearch::Answer::none) return "no deadlock";
    Machine machine(*subject.loaded.code, Buffering::infinite);
    auto const refusing = check::refusing_at_end(machine, search.schedule(), runs);
    return !refusing           ? "a deadlock that is none"
           : refusing->empty() ? "a deadlock"
                               : "a deadlock that depends on the library";
}

std::string expected(std::string const& found, bool deadlock) {
    return deadlock ? (found.starts_with("a deadlock") && !found.ends_with("none") ? found : "a deadlock")
                    : "no deadlock";
}

/// What check says, of executions on the path.
Wrong check_is_wrong(Subject const& subject, bool deadlock, Tally& tally) {
    CheckOptions options;
    options.refusals = check::Refusals::any;
    options.leaves_path = false;
    CheckResult const any = check::check(subject.messages, options);
    options.refusals = check::Refusals::none;
    CheckResult const infinite = check::check(subject.messages, options);
    if (!any.trouble.empty()) return "trouble: " + any.trouble.front().what;
    if (any.verdict != infinite.verdict || any.fault.answer != infinite.fault.answer) return "check: another verdict";
    if (any.deadlock.answer != (deadlock ? Reached::Answer::yes : Reached::Answer::no))
        return fmt::format("check says of a deadlock: {}", to_string(any.deadlock.answer));
    bool const depends = !any.deadlock.refusing.empty();
    if (depends != (deadlock && infinite.deadlock.answer == Reached::Answer::no))
        return "check: whether it depends on the library";
    if (depends) ++tally["check: depends on the library"];
    return std::nullopt;
}

/// `by_definition`: also over every interleaving, which takes long.
Wrong refusals_are_wrong(Program const& program, std::size_t limit, bool by_definition, Tally& tally) {
    auto const truth = deadlock_of_some_modes(program, limit);
    if (!truth) {
        ++tally["too large"];
        return std::nullopt;
    }
    auto const wrong = [&](std::string const& what) {
        return fmt::format("{}of some modes: {}, on the path {}\n{}", to_text(program, {}), truth->anywhere,
                           truth->on_path, what);
    };
    if (by_definition) {
        auto const defined = deadlock_by_definition(program, limit);
        if (defined && *defined != *truth)
            return wrong(fmt::format("by definition: {}, on the path {}", defined->anywhere, defined->on_path));
        if (defined) ++tally["by definition"];
    }
    if (truth->on_path) {
        auto const infinite = explore_eagerly(program, false, limit);
        auto const zero = explore_eagerly(program, true, limit);
        if (infinite && zero && !infinite->on_path.deadlock && !zero->on_path.deadlock) ++tally["mixed buffering only"];
    }
    Subject const subject(program);
    for (auto const& [runs, deadlock] :
         {std::pair(Runs::executions, truth->on_path), std::pair(Runs::complete, truth->anywhere)}) {
        std::string const found = searched(subject, runs);
        ++tally[found];
        if (found != expected(found, deadlock)) return wrong(found);
    }
    Wrong const of_check = check_is_wrong(subject, truth->on_path, tally);
    return of_check ? Wrong(wrong(*of_check)) : std::nullopt;
}

/// A program that is nearly one in which neither infinite nor zero buffering has a deadlock, and another library has
/// (traces/buffering_mixed.ctp): up to two pairs of neighbours are swapped, and with `mpi` there may be a selector,
/// modes or a barrier.
Program nearly_mixed(std::uint64_t seed, std::uint64_t i, bool mpi) {
    struct Call {
        std::string message;
        bool sends;
    };
    std::mt19937_64 random(seed * 1'000'003 + i);
    auto const below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::vector<std::vector<Call>> calls = {{{"A", true}, {"B", true}},
                                            {{"C", true}, {"D", true}, {"A", false}},
                                            {{"1", false}, {"D", false}, {"2", false}}};
    for (std::size_t swaps = below(3); swaps > 0; --swaps) {
        auto& thread = calls[below(3)];
        std::size_t const at = below(thread.size() - 1);
        std::swap(thread[at], thread[at + 1]);
    }
    if (below(3) == 0)
        calls[below(3)].push_back({"E", true}); // to nobody, or to a thread that may have its last receive from it
    struct Ends {
        Endpoint alpha;
        Endpoint beta;
    };
    std::map<std::string, Ends> const ends = {{"A", {0, 1}}, {"B", {0, 2}}, {"C", {1, 2}}, {"D", {1, 12}}};
    Program program;
    for (Endpoint t = 0; t < calls.size(); ++t) {
        Thread& thread = program.threads.emplace_back();
        auto const add = [&](auto command) {
            thread.push_back({fmt::format("{}_{}", t, thread.size()), std::move(command)});
        };
        for (auto const& [message, sends] : calls[t]) {
            if (mpi && below(12) == 0) add(Wait{""}); // a place for the barrier
            auto const it = ends.find(message);
            std::string const action = (sends ? "S" : "R") + message;
            if (sends) {
                Sndi send{action, t, it == ends.end() ? Endpoint{2} : it->second.beta,
                          number(static_cast<int>(thread.size()))};
                if (mpi && below(6) == 0) send.mode = below(2) == 0 ? Mode::synchronous : Mode::buffered;
                add(std::move(send));
            } else {
                Rcvi receive{action, it == ends.end() ? t : it->second.beta, "x" + action};
                if (mpi && below(4) == 0) receive.sel.from = {{static_cast<Endpoint>(below(2))}};
                add(std::move(receive));
            }
            add(Wait{action});
        }
    }
    // One barrier at most, once in a thread.
    for (Thread& thread : program.threads) {
        bool is_there = false;
        std::erase_if(thread, [&](Command& c) {
            auto const* const wait = std::get_if<Wait>(&c.what);
            if (wait == nullptr || !wait->action.empty()) return false;
            if (std::exchange(is_there, true)) return true;
            c.what = Meet{"b"};
            return false;
        });
    }
    return program;
}

class Refusals : public testing::Test {
protected:
    void look_at(Program const& program, std::size_t limit, bool by_definition) {
        if (HasFailure() || standard_waits(program) > 5) return;
        ++tally["programs"];
        Wrong const wrong = refusals_are_wrong(program, limit, by_definition, tally);
        ASSERT_FALSE(wrong) << *wrong;
    }
    void TearDown() override { print(std::cout, tally); }
    /// The small programs are the same in every run, and have both. A few random ones may be all alike.
    void expect_both_answers() {
        if (tally["programs"] < 15) return;
        EXPECT_GT(tally["a deadlock that depends on the library"], 0U);
        EXPECT_GT(tally["no deadlock"], 0U);
    }

    Tally tally;
};

TEST_F(Refusals, SmallPrograms) {
    std::size_t number = 0;
    for_each_small_program(every(97), 0, [&](Program const& program) { look_at(program, 100'000, number++ % 5 == 0); });
    EXPECT_EQ(tally["too large"], 0U);
    expect_both_answers();
}

TEST_F(Refusals, SmallMpiPrograms) {
    using programs::SmallMpi;
    std::size_t number = 0;
    for (auto const& [kinds, nth] : {std::pair(SmallMpi{.selectors = true}, 31), std::pair(SmallMpi{.modes = true}, 31),
                                     std::pair(SmallMpi{.barrier = true}, 31),
                                     std::pair(SmallMpi{.selectors = true, .modes = true, .barrier = true}, 997)}) {
        programs::SmallMpiPrograms all({.size = 6, .locals = 0}, kinds, static_cast<std::uint64_t>(nth) * every());
        while (auto const draft = all.next()) look_at(plain(*draft).program, 100'000, number++ % 5 == 0);
    }
    EXPECT_EQ(tally["too large"], 0U);
    expect_both_answers();
}

TEST_F(Refusals, NearlyMixedPrograms) {
    for (std::uint64_t i = 0; i < cases(150); ++i) look_at(nearly_mixed(seeded(33), i, false), 5000, i % 20 == 0);
    if (tally["programs"] >= 50) EXPECT_GT(tally["mixed buffering only"], 0U); // about a third of them
}

TEST_F(Refusals, NearlyMixedMpiPrograms) {
    for (std::uint64_t i = 0; i < cases(150); ++i) look_at(nearly_mixed(seeded(34), i, true), 5000, i % 20 == 0);
}

TEST_F(Refusals, RandomPrograms) {
    for (std::uint64_t i = 0; i < cases(200); ++i) look_at(program_to_explore(seeded(31), i, 3, 5), 3000, i % 10 == 0);
}

TEST_F(Refusals, RandomMpiPrograms) {
    for (std::uint64_t i = 0; i < cases(500); ++i)
        look_at(mpi_program_to_explore(seeded(32), i, 4, 4), 3000, i % 10 == 0);
}

} // namespace
} // namespace matchpoint::naive
