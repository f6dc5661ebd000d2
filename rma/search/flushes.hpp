// The flush search (Section 5.1): the fewest flushes with which nothing goes wrong under RMA, all placements of that
// size, and the flushes that every placement needs.
//
//   FlushResult const result = least_flushes(program, {});
//   if (result.answer == FlushResult::Answer::found) std::cout << result.placements.front().size();
//
// A placement is a subset of the program's flushes. Whether one works is decided as check_program decides it. A
// placement that is missing only flushes which a run that goes wrong never waits for goes wrong, too: every placement
// that works has one of those that the run would have to wait for. So each run that is found rules out many placements
// at once, all smaller ones included, and the placements to be asked are the smallest sets that have a flush in common
// with what every run avoids.
#pragma once

#include <functional>

#include "rma/search/check.hpp"

namespace matchpoint::rma {

using Placement = std::vector<std::size_t>; // numbers of flushes (flushes_of), in order

/// What is known about a placement.
struct Decision {
    Verdict verdict = Verdict::unknown;
    std::vector<Transition> run = {}; // of with_flushes(), if it is `violated`
    bool fails = false;               // the run ends with a false assertion
    bool is_late = false;             // `unknown`, since time was up
    std::string reason = {};          // of `unknown`
    std::uint64_t states = 0;
};

struct FlushOptions {
    std::uint32_t pending = 3; // as CheckOptions has it
    std::optional<ValueRange> values = std::nullopt;
    std::uint64_t max_bytes = std::uint64_t{2} << 30U;  // of a table of states
    std::optional<std::uint64_t> memory = std::nullopt; // the limit in MiB that `max_bytes` comes from, for messages
    unsigned jobs = 1;                                  // threads
    /// Decides about the program with a placement's flushes. By default, as check_program does. One that works need not
    /// be recognized, whatever its size; so the search goes on with larger ones, and what it finds is the least found.
    /// It is called by several threads.
    std::function<Decision(Program const&)> decide = {};
    /// What an earlier search has decided. It is asked by several threads, about no placement twice.
    std::function<std::optional<Decision>(Placement const&)> known = {};
    /// Called with what is decided, one after the other, by the thread of the caller.
    std::function<void(Placement const&, Decision const&)> decided = {};
};

struct FlushResult {
    enum class Answer : std::uint8_t {
        found,
        none, // not even all flushes are enough
        open, // some placements of `least` flushes are undecided, and none was found that works; fewer are not enough
    };
    /// A placement without one of its flushes, and a run of with_flushes() of what is left that goes wrong.
    struct Missing {
        std::size_t flush;
        Placement left;
        std::vector<Transition> run;
    };

    Answer answer = Answer::open;
    std::size_t least = 0;
    bool is_least = true;              // fewer than `least` are not enough
    std::vector<Placement> placements; // all of this size that work
    std::vector<Placement> undecided;  // and those that are not decided; with FlushOptions::decide, also smaller ones
    std::string reason;                // why the first one of them is not
    Placement needed;                  // in every placement that works
    std::vector<Missing> missing;      // one for each flush of a placement; of `none`, a run with all flushes
    std::uint64_t asked = 0;
    std::uint64_t states = 0;
};

/// Throws LimitReached.
FlushResult least_flushes(Program const& program, FlushOptions const& options);

} // namespace matchpoint::rma
