// Ready sends (docs/semantics.md, "Modes"): the machine, the searches and the checker against the naive exploration.
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "executions/exact_pairs.hpp"
#include "programs/dice.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/mpi_verdicts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

/// Exact pairs are those of the complete runs on the path.
Wrong pairs_are_right(Program const& program, bool zero, Truth const& truth) {
    Subject const subject(program);
    if (!subject.messages.order_matters()) return mpi_pairs_are_right(program, zero, truth);
    std::set<std::pair<std::string, std::string>> expected;
    for (auto const& [matching, status] : truth.outcomes)
        if (status < Status::infeasible) expected.insert(matching.begin(), matching.end());
    auto const pairs = pairs_by(subject.messages, zero ? Buffering::zero : Buffering::infinite, PairsMethod::exact);
    std::set<std::pair<std::string, std::string>> found;
    for (std::uint32_t r = 0; r < pairs->of.size(); ++r)
        for (std::uint32_t const s : pairs->of[r])
            found.emplace(subject.messages.code().names()(subject.messages.receives()[r].a),
                          subject.messages.code().names()(subject.messages.sends()[s].a));
    return found == expected ? std::nullopt : Wrong("exact pairs");
}

/// Where the order matters, only executions on the path are looked at.
Wrong checks_are_right(Program const& program, bool zero, Truth const& truth, Tally& tally) {
    Subject const subject(program);
    if (!subject.messages.order_matters()) return mpi_checks_are_right(program, zero, truth, tally);
    for (EngineChoice const engine : {EngineChoice::explore, EngineChoice::automatic}) {
        CheckOptions options;
        options.engine = engine;
        if (Wrong w = check_on_path_is_right(subject, zero, truth.on_path, options)) return w;
    }
    return std::nullopt;
}

/// The checker, and exact pairs.
void is_right(Program const& program, Tally& tally) {
    for (bool const zero : {false, true}) {
        auto const truth = explore_plainly(program, zero, 20'000);
        ++tally[truth ? to_text(truth->on_path.verdict()) : "too large for the naive exploration"];
        if (!truth) continue;
        if (truth->on_path.fault) ++tally["with a fault"];
        if (!Subject(program).messages.may_lack_receives()) ++tally["each ready send certainly finds a receive"];
        Wrong wrong = checks_are_right(program, zero, *truth, tally);
        if (!wrong) wrong = pairs_are_right(program, zero, *truth);
        ASSERT_FALSE(wrong) << to_text(program, {}) << (zero ? "zero: " : "infinite: ") << *wrong;
    }
}

/// Makes sends ready: those for which `f` holds.
template <typename F>
Program with_ready_sends(Program program, F f) {
    for (Thread& thread : program.threads)
        for (Command& command : thread)
            if (Sndi* const send = std::get_if<Sndi>(&command.what))
                if (f(*send)) send->mode = Mode::ready;
    return program;
}

} // namespace

// All sends that the generator makes buffered are ready here.
TEST(ReadySends, SmallPrograms) {
    Tally tally;
    for (auto const kinds : {programs::SmallMpi{.modes = true}, {.selectors = true, .modes = true, .barrier = true}}) {
        programs::SmallMpiPrograms all({.size = 5}, kinds, every(31));
        while (auto const draft = all.next()) {
            bool has_some = false;
            Program const program = with_ready_sends(plain(*draft).program, [&](Sndi const& send) {
                return send.mode == Mode::buffered && (has_some = true);
            });
            if (!has_some) continue;
            is_right(program, tally);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    print(std::cout, tally);
}

TEST(ReadySends, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(150); ++i) {
        programs::Dice dice(seeded(12), i);
        is_right(with_ready_sends(mpi_program_to_explore(seeded(11), i), [&](Sndi const&) { return dice.percent(50); }),
                 tally);
        if (testing::Test::HasFatalFailure()) return;
    }
    print(std::cout, tally);
}

} // namespace matchpoint::naive
