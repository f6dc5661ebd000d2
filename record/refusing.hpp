// Deadlocks of recorded runs that depend on the library (docs/semantics.md, "Buffering"): some standard sends wait for
// their receives, which another library would have buffered, or some collectives for members that they do not need.
//
//   for (CallId const& call : refusing_in(recording)) ...        the sends and collectives that a run got stuck at
//   if (auto const why = blocked_by_refusals(code, state)) ...   who waits for whom
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "explain/blocked.hpp"
#include "matching/prepared.hpp"
#include "record/cut_short.hpp"
#include "record/recording.hpp"
#include "record/schedule.hpp"

namespace matchpoint::record {

/// The standard sends at which the ranks of a run that got stuck wait, and that could have been buffered, and the
/// collectives that could have returned, so that some ranks would have gone on. Empty if the run is a deadlock under
/// every library, or if the machine cannot follow it.
std::vector<CallId> refusing_in(Recording const& run);

/// A deadlock of a recorded program that depends on the library.
struct DeadlockOfLibrary {
    std::vector<CallId> refusing; // the sends and collectives that wait
    std::optional<State> end;     // the state of the deadlock; none if none was found
    bool is_known = true;         // whether there is one, as far as the recording goes
    /// None was looked for: there is a deadlock under every library. In the real program what ranks receive may lead
    /// elsewhere.
    bool is_hidden = false;
};
/// Looks for one, for some seconds.
DeadlockOfLibrary deadlock_of_library(Prepared const& program, CutShort const& cut, std::function<bool()> cancelled);

/// The program in which receives get, and probes see, what they did in a run. Those of which nothing is known get what
/// they can.
draft::Draft as_in_run(draft::Draft program, std::vector<CallMatch> const& matches);

/// The program that leaves its path where a receive that the rank waits for gets another message than in a run, or
/// where a probe sees another one. Unlike in as_in_run(), no receive waits that could get a message: so a deadlock here
/// is one of the program. Receives that are `narrowed` are as in as_in_run().
draft::Draft only_as_in_run(draft::Draft program, std::vector<CallMatch> const& matches,
                            std::set<CallId> const& narrowed);

/// The sends, by name, that a rank learns to be complete by a test: it never waits for them.
std::set<std::string> tested_sends(draft::Draft const& program);
/// The program in which the library buffers these sends. Whether it is another one.
bool let_pass(draft::Draft& program, std::set<std::string> const& sends);

/// What the calls of ranks mean that wait for one or some of several requests, such as MPI_Waitany, in a state in which
/// the machine says that no rank can go on: it knows of each only one request that it returned.
struct WaitsForAny {
    bool some_return = false;            // some call returns as another of its requests is complete
    std::set<std::string> let_pass = {}; // the sends, by name, that such calls do not wait for
    std::vector<CallId> refusing = {};   // the other standard sends that have to wait, so that no call returns
};
WaitsForAny waits_for_any(draft::Draft const& program, Prepared const& prepared, State const& state);

/// Who waits for whom in a state, reached under infinite buffering, in which no thread can go on unless a library
/// buffers the messages of the standard sends whose waits the threads are at, or lets collectives return early. None if
/// a thread can go on.
std::optional<Blocked> blocked_by_refusals(IndexedProgram const& code, State const& state);

/// "the send at main.c:12 of rank 1 waits for its receive", "the sends S0_1 and S1_0 wait for their receives"; of
/// messages of collective calls, "the collective call at main.c:9 of rank 0 waits for other ranks". By names if `word`
/// is empty. Otherwise by the places of the program, whose threads are called so.
std::string waiting_in_words(draft::Draft const& program, std::span<CallId const> sends, std::string_view word);

} // namespace matchpoint::record
