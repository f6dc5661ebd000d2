#pragma once

/// All executions of a small program with shared variables, by brute force: its ground truth, written from "Executions
/// and verdicts" (docs/shared_memory.md) and made of the naive oracle's own steps.

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_explore.hpp"

namespace matchpoint::naive {

/// What the executions of a program come to. An execution ends where s becomes infeasible.
struct SharedTruth {
    bool fails = false;          ///< some execution reaches s = failure
    bool fails_complete = false; ///< some complete run has status failure
    bool completes = false;      ///< some complete run has status success
    bool deadlock = false;
    bool fault = false;
    bool leaves = false; ///< some execution reaches an assumption that is false
    bool race = false;   ///< two threads can step, and their commands conflict on one of raced_variables()
    std::optional<std::size_t> switches = {};          ///< the least up to a failure
    std::optional<std::size_t> switches_complete = {}; ///< the least of a complete run with status failure

    Verdict verdict() const { return verdict_if(fails); }
    Verdict verdict_complete() const { return verdict_if(fails_complete); }
    bool operator==(SharedTruth const&) const = default;

private:
    Verdict verdict_if(bool violated) const {
        return violated ? Verdict::violated : completes ? Verdict::safe : Verdict::vacuous;
    }
};

/// The variables that a command names, shared or not. A wait writes those of the receives that it completes.
struct Accesses {
    std::set<std::string> reads = {};
    std::set<std::string> writes = {};
};
Accesses accesses_of(Program const& program, std::size_t thread, std::size_t place);
/// The shared variables, and those of them that some `when` names.
std::set<std::string> shared_variables(Program const& program);
std::set<std::string> synchronisation_variables(Program const& program);

/// Over every interleaving of single thread steps and single movements, movements at any moment; nothing if there are
/// more than `limit` states, each taken with the thread that stepped last and the switches so far.
std::optional<SharedTruth> explore_shared(Program const& program, bool zero, std::size_t limit = 100'000);

/// The same of the executions that go on from a state. Switches are those from there on.
std::optional<SharedTruth> explore_shared_from(Program const& program, bool zero, State const& from,
                                               std::size_t limit = 100'000);

/// Some thread is not finished, each of those waits, and none can step, whatever is delivered.
bool is_deadlock(Program const& program, State const& state, bool zero);

std::string to_text(SharedTruth const& truth);

} // namespace matchpoint::naive
