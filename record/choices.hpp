// Choices of time on a path of a verification (grammar/choices.hpp): what calls could have found complete beside what
// they found.
//
//   for (Alternative const& a : alternatives(program, 1).all) {
//       WayTo const way = way_to(program, a, steps, stop);
//       if (way.beginning) run(MatchSchedule::of(program, way.matches, buffering, {}, &*way.beginning));
//   }
//
// A loop of tests has a first one, and later ones: how often it went round is not told apart. So the alternatives of a
// test are
//
//   it was false              it is true at once, if some execution with the same past has what it tests by then
//   it was true at once       it is false, and true in a later round: always possible, as a message can be late
//   it was true after that    the same in one of the next rounds
//
// MPI_Waitany and MPI_Testany can return another request, if some execution with the same past has it by then.
// MPI_Waitsome and MPI_Testsome can as well return fewer of them, or one more. MPI_Cancel of a receive is a test
// whether a message is there (rank_cancelled.cpp): it can come in time, or too late, under the same conditions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "programs/draft.hpp"
#include "record/schedule.hpp"

namespace matchpoint::record {

/// Another way for a choice of time to come out.
struct Alternative {
    std::uint32_t rank = 0;
    std::size_t at = 0; // how many commands of the rank precede it
    /// The actions that the rank then learns to be complete, in order. None if a test fails, or if a call returns no
    /// more.
    std::vector<std::string> completes = {};
    bool is_also = false;                     // from the call that the command before is a wait of
    std::optional<draft::Command> probe = {}; // which sees a message then
    std::optional<PlannedPoll> poll = {};
    std::string withdraws = {}; // the receive that MPI_Cancel withdraws then
    /// What the rank does instead, as far as that is known. A path that has it there has tried it. Empty if no path
    /// shows that.
    draft::Thread instead = {};
    bool returns_no_more = false; // the call, after `instead`
    std::string key;              // unique on the path, and the same on a longer recording of it
    std::string words;            // "the test at main.c:12 of rank 0 is false"
};

struct Alternatives {
    std::vector<Alternative> all;
    std::size_t not_modelled = 0; // of collective calls, and of receives that the recording has left out
};

/// `rounds`: for how many more rounds than it was recorded a test can be false.
Alternatives alternatives(draft::Draft const& program, std::uint64_t rounds);

/// A way to an alternative.
struct WayTo {
    std::optional<Beginning> beginning; // none if no execution gets there
    std::vector<CallMatch> matches;     // up to there
    bool is_known = true;               // false: the search was given up
};
/// Each search costs at most so many machine steps.
WayTo way_to(draft::Draft const& program, Alternative const& a, std::uint64_t steps, std::function<bool()> const& stop);

/// Whether a path has an alternative of another one, after the same beginning.
bool has(draft::Draft const& path, draft::Draft const& other, Alternative const& a, Beginning const& beginning);

/// How the tests of a rank came out that are decided by its first commands.
std::vector<PlannedPoll> planned_polls(draft::Thread const& thread, std::size_t commands);

/// Whether a wait is of the same call as the one before, which returned several requests.
bool is_same_call(draft::Thread const& thread, std::size_t wait);

} // namespace matchpoint::record
