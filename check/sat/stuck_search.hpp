// Is there a deadlock under libraries that buffer what they like (docs/semantics.md, "Buffering")? As a SAT problem.
//
//   StuckSearch search(program, {.runs = Runs::executions});
//   if (search.run(may_refuse) == StuckSearch::Answer::deadlock) show(search.schedule());
//
// A solution is an execution that need not complete (executed_clauses.hpp): how far each thread gets, and the matches
// so far. Messages move only to posted receives, as in executions/refusals.hpp. The execution ends in a deadlock:
//
//   stops    a thread stops only in front of a wait: for a receive that has no match, or for a send that no receive has
//   refuses  in front of a wait for a standard send, only if this send may refuse. That is one variable for each send
//   members  in front of the wait at which a collective returns, only if some member has not called
//   idle     at each endpoint every posted receive has a match, or every message that was sent has a receive
//   stuck    some thread stops
//
// Cycles and values are handled on demand, as in sat_search.hpp. A standard send's wait may also return at once, so it
// orders nothing: the order is that of the program in which nobody waits for standard sends, under its own buffering.
//
// Why `none` is right. In a deadlock, take how far threads are, and who got what: that keeps every clause. Conversely a
// solution without cycles and with the right values is an execution, which is run (docs/encoding.md, "Executions").
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "check/activity.hpp"
#include "executions/runs.hpp"
#include "machine/schedule.hpp"
#include "matching/match_pairs.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::check {

/// A plain program, and which of its sends every library lets wait.
struct StuckProgram {
    /// Each wait for a send waits for its receive, or may refuse to return.
    MessageIndex const& messages;
    /// By number of a send: its wait may also return at once. All others wait for their receive.
    std::vector<bool> may_return;
    /// The same program, without the waits that may return at once, if it has others for sends; receives and sends have
    /// the same numbers. And the buffering that it runs with.
    MessageIndex const& in_order;
    Buffering buffering;
    /// Where collectives return: the wait for a send to nobody, by number. It may return at once, and has to when all
    /// commands of a meeting are executed (Lowered::meetings()); never if the call has none. Empty if there are none.
    std::unordered_map<std::uint32_t, std::uint32_t> meeting_of = {};
    std::vector<std::vector<Location>> meetings = {};
};

class StuckSearch {
public:
    enum class Answer : std::uint8_t {
        deadlock,
        none,
        stopped, // `stop` said so
        beyond,  // it would take more than `most_pairs` pairs or `most_calls` calls
    };
    struct Options {
        Runs runs = Runs::executions; // executions: deadlocks on the path
        /// Polled; may be empty. Is told how long it would take to free what there is by then.
        std::function<bool(std::chrono::nanoseconds)> stop = {};
        std::size_t most_pairs = 1'000'000;
        std::uint64_t most_calls = UINT64_MAX; // of the solver, for each run()
        Activity* activity = nullptr;          // to be kept up to date; may be null
    };

    /// Lists the match pairs. What it is made of has to outlive it. Throws LimitReached, std::bad_alloc.
    StuckSearch(StuckProgram const& program, Options options);
    ~StuckSearch();
    StuckSearch(StuckSearch const&) = delete;
    StuckSearch& operator=(StuckSearch const&) = delete;

    /// Whether there is a deadlock in which no other sends refuse than these, by number; each of them may return at
    /// once. A collective refuses if its send to nobody does. Can be asked again. Throws LimitReached, std::bad_alloc.
    Answer run(std::vector<bool> const& may_refuse);
    /// The way to the deadlock of the last answer: of the program under infinite buffering.
    Schedule const& schedule() const;

    // The work so far.
    std::size_t pairs() const;
    std::uint64_t calls() const;
    std::uint64_t refinements() const;

private:
    class Clauses;
    StuckProgram const& program_;
    Options options_;
    MatchPairs pairs_;
    bool is_beyond_ = false;
    std::unique_ptr<Clauses> clauses_;
};

} // namespace matchpoint::check
