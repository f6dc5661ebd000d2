// Probes (docs/semantics.md): the machine, the explorer and the checker against the naive oracle, which has the rules
// event by event.

#include <gtest/gtest.h>

#include <iostream>

#include "grammar/print.hpp"
#include "programs/probes.hpp"
#include "programs/small_mpi.hpp"
#include "programs/smaller.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/mpi.hpp"
#include "tests/support/mpi_verdicts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

class Probes : public testing::Test {
protected:
    void look_at(Program const& program) {
        for (bool const zero : {false, true}) {
            if (Wrong const wrong = exploration_is_right(program, zero, tally)) FAIL() << *wrong;
            auto const truth = explore_eagerly(program, zero, 20'000);
            if (!truth) continue;
            Wrong wrong = receives_get_what_probes_saw(program, *truth, tally);
            if (!wrong) wrong = mpi_checks_are_right(program, zero, *truth, tally);
            if (!wrong) wrong = mpi_pairs_are_right(program, zero, *truth);
            if (wrong) FAIL() << to_text(program, {}) << (zero ? "zero: " : "infinite: ") << *wrong;
        }
    }
    /// All programs with one probe that are made of one without.
    void look_at_all(programs::draft::Draft const& draft, std::size_t every) {
        for (programs::draft::Draft const& d : programs::with_one_probe(draft))
            if (number_++ % every == 0 && !HasFailure()) look_at(plain(d).program);
    }
    void TearDown() override { print(std::cout, tally); }

    Tally tally;

private:
    std::size_t number_ = 0;
};

} // namespace

// Finds what random programs do not: each program is small, and all of a kind are there.
TEST_F(Probes, SmallPrograms) {
    programs::SmallPrograms all({.size = 6, .locals = 0}, every(2));
    while (auto const draft = all.next()) look_at_all(*draft, 2);
    EXPECT_EQ(tally["too large"], 0U);
    EXPECT_GT(tally["explored"], 0U);
    EXPECT_GT(tally["lowered"], 0U);
}

// The same with selectors and synchronous sends, for which posted receives and starts matter.
TEST_F(Probes, SmallMpiPrograms) {
    for (auto const& [kinds, nth] :
         {std::pair(programs::SmallMpi{.selectors = true}, 41U), std::pair(programs::SmallMpi{.modes = true}, 41U),
          std::pair(programs::SmallMpi{.selectors = true, .modes = true}, 2003U)}) {
        programs::SmallMpiPrograms all({.size = 6, .locals = 0}, kinds, every(nth));
        while (auto const draft = all.next()) look_at_all(*draft, 5);
    }
    EXPECT_EQ(tally["too large"], 0U);
}

TEST_F(Probes, RandomPrograms) {
    for (std::uint64_t i = 0; i < cases(150) && !HasFailure(); ++i)
        if (Wrong const wrong = probes_are_right(seeded(41), i, tally)) FAIL() << *wrong;
}

TEST_F(Probes, VerdictsOfRandomPrograms) {
    for (std::uint64_t i = 0; i < cases(100) && !HasFailure(); ++i)
        if (Wrong const wrong = probe_verdicts_are_right(seeded(42), i, tally)) FAIL() << *wrong;
}

// Programs that are lowered, if no start comes late; among other random programs they are few.
TEST_F(Probes, RandomProgramsWithMprobes) {
    std::size_t const count = cases(150);
    for (std::uint64_t i = 0; i < count && !HasFailure(); ++i) look_at(mprobe_program_to_explore(seeded(44), i));
    EXPECT_GT(tally["lowered"], least(count));
}

// What is printed is what is parsed, and candidates of shrinking that obey the rules are programs.
TEST_F(Probes, TextsAndDrafts) {
    for (std::uint64_t i = 0; i < cases(100); ++i) {
        Case const c = probe_case(seeded(43), i);
        Loaded const loaded = load(to_text(c));
        programs::draft::Draft const draft = programs::draft::draft_of(*loaded.program);
        EXPECT_TRUE(programs::draft::valid_program_of(draft) == *loaded.program) << loaded.text;
        EXPECT_TRUE(*load(grammar::print(*loaded.program)).program == *loaded.program) << loaded.text;
        if (i % 10 != 0) continue;
        for (programs::draft::Draft const& smaller : programs::draft::smaller(draft))
            if (programs::draft::obeys_the_rules(smaller)) load(programs::draft::print(smaller));
    }
}

} // namespace matchpoint::naive
