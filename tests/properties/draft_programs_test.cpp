// The program of a draft is that of its text: random programs, small ones, and what shrinking makes of these, rules
// broken or not.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "grammar/parse.hpp"
#include "programs/random.hpp"
#include "programs/small.hpp"
#include "programs/small_mpi.hpp"
#include "programs/smaller.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::programs {

namespace {

struct Covered {
    std::size_t programs = 0;
    std::size_t broken = 0;
};

std::vector<std::string> sorted_messages(Diagnostics const& faults) {
    std::vector<std::string> messages;
    for (Diagnostic const& d : faults) messages.push_back(d.message);
    std::sort(messages.begin(), messages.end());
    return messages;
}

void compare(draft::Draft const& draft, Covered& tally) {
    Source const source("draft", draft::print(draft));
    auto const read = parse(source);
    auto const made = draft::program_of(draft);
    ++tally.programs;
    ASSERT_EQ(read.has_value(), made.has_value()) << source.text();
    if (read) {
        ASSERT_TRUE(*read == *made) << source.text();
        draft::Draft named = draft;
        named.comment.clear();
        draft::name_locations(named);
        ASSERT_EQ(draft::print(draft::draft_of(*made)), draft::print(named));
    } else {
        ++tally.broken;
        ASSERT_EQ(sorted_messages(read.error()), sorted_messages(made.error())) << source.text();
    }
}

void compare_with_candidates(draft::Draft const& draft, Covered& tally) {
    compare(draft, tally);
    draft::Smaller candidates(draft);
    while (auto const candidate = candidates.next()) {
        compare(*candidate, tally);
        if (testing::Test::HasFatalFailure()) return;
    }
}

RandomShape shape(std::uint64_t i) {
    RandomShape shape;
    if (i % 2 == 1) shape.large_numbers = 60, shape.arithmetic = 90, shape.reuse = 90;
    if (i % 3 == 1) shape.trace = true, shape.unwaited_receives = 80;
    if (i % 4 == 3) shape.shared = 60;
    if (i % 4 == 2) shape.choices = 80;
    if (i % 5 == 1) shape.messages = 20, shape.threads = 12, shape.several_endpoints = 100;
    return i % 7 < 3 ? with_mpi(shape) : shape;
}

} // namespace

TEST(DraftPrograms, OfRandomDraftsAndSmallerOnes) {
    Covered tally;
    std::size_t const count = naive::cases(100);
    for (std::uint64_t i = 0; i < count && !HasFailure(); ++i) {
        draft::Draft draft = random_program(naive::seeded(11), i, shape(i)).draft;
        compare_with_candidates(draft, tally);
        // An action that is issued twice, and one that is not issued.
        draft::Thread& thread = draft.threads.front();
        draft::Action const* const issued = draft::issued_action(thread.front().c);
        if (issued == nullptr) continue;
        draft::Action const again = *issued;
        thread.push_back({draft::wait("nobody's")});
        thread.push_back({draft::rcvi(again, 0, "x")});
        compare_with_candidates(draft, tally);
    }
    EXPECT_GT(tally.broken, tally.programs / 100);
    std::cout << tally.programs << " drafts, " << tally.broken << " break a rule\n";
}

TEST(DraftPrograms, OfSmallDrafts) {
    Covered tally;
    SmallPrograms small(small_bound(7), naive::every(23));
    while (auto const draft = small.next()) {
        if (small.number() % 5 == 0)
            compare_with_candidates(*draft, tally);
        else
            compare(*draft, tally);
        if (HasFailure()) return;
    }
    std::cout << tally.programs << " drafts, " << tally.broken << " break a rule\n";
}

TEST(DraftPrograms, OfSmallMpiDrafts) {
    Covered tally;
    SmallMpiPrograms small({.size = 5}, {.selectors = true, .modes = true, .barrier = true}, naive::every(97));
    while (auto const draft = small.next()) {
        compare_with_candidates(*draft, tally);
        if (HasFailure()) return;
    }
    std::cout << tally.programs << " drafts, " << tally.broken << " break a rule\n";
}

} // namespace matchpoint::programs
