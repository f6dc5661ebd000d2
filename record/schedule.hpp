// Schedules of replays: which message each receive of a recorded program is to take. The recorder
// (record/mpi/schedule.c) turns receives that admit several messages into receives of that one.
//
//   auto const schedule = MatchSchedule::of(program, {{receive, send}}, Buffering::infinite);
//   write(schedule->text());
//   ...
//   schedule->followed_by(recording)    what the run took instead
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/state.hpp"
#include "programs/draft.hpp"
#include "record/recording.hpp"

namespace matchpoint::record {

/// A receive and the send that it gets, or a probe and the send whose message it sees.
using CallMatch = std::pair<CallId, CallId>;

/// A match by the names of its calls.
using NamedMatch = std::pair<std::string, std::string>;
/// For files and for people. In the order of the names.
std::vector<NamedMatch> named(std::vector<CallMatch> const& matches);

/// How the tests of a group come out.
struct PlannedPoll {
    enum class Then : std::uint8_t {
        fails,    // all of them
        succeeds, // after those that fail, the next one
        free,     // after those that fail, as they come out
    };
    std::uint32_t number = 0; // of the group in its rank, from 0
    std::uint64_t fails = 0;  // so many, at least
    Then then = Then::fails;
};

/// The beginning of executions of a path, up to a choice of time of one rank, and what it is to choose.
struct Beginning {
    std::vector<std::size_t> commands; // rank -> how many it does
    std::uint32_t rank = 0;
    std::vector<CallId> completes; // what the rank then learns to be complete
    bool is_also = false;          // from the call that the last command is a wait of
    std::optional<PlannedPoll> poll = {};
    std::optional<CallId> withdraws = {}; // a receive that it then cancels in time
};

class MatchSchedule {
public:
    /// The schedule for these matches of a recorded program; receives that are not in them take what comes. With zero
    /// buffering all standard sends wait for their receives; otherwise those that refuse do. Behind a beginning the
    /// ranks do what they want. None if the program is
    /// not as read_recording() makes it, so that its names say nothing about ranks.
    static std::optional<MatchSchedule> of(draft::Draft const& program, std::vector<CallMatch> const& matches,
                                           Buffering buffering, std::vector<CallId> const& refusing = {},
                                           Beginning const* beginning = nullptr);

    /// As the recorder reads it (docs/formats.md).
    std::string const& text() const { return text_; }

    struct Difference {
        CallId receive;
        CallId wanted;      // the send that it was to take
        std::uint32_t from; // the rank of which it took a message; of MCAPI, the endpoint
        std::int64_t tag;
    };
    /// What a run took that followed it: receives that took other messages, and those that took none.
    struct Followed {
        std::size_t receives = 0; // of the schedule
        std::vector<Difference> differences;
        std::vector<CallId> not_reached;
    };
    Followed followed_by(Recording const& run) const;

private:
    struct Wanted {
        CallId send;
        std::uint32_t endpoint; // that it is sent from
        std::int64_t tag;
    };
    std::string text_;
    std::vector<std::pair<CallId, Wanted>> wanted_; // receive, in the order of the program
};

/// What a receive or a probe asks for.
struct Wish {
    draft::Action a;
    draft::Endpoint beta;
    draft::Selectors sel;
    bool is_probe;
};
/// None of other commands.
std::optional<Wish> wanted_by(draft::Command const& c);

/// The number of an endpoint of a recorded program.
std::uint32_t endpoint_number(draft::Endpoint const& e);

/// Which send each receive of a run took, and each probe saw. Messages of one sender with one tag are taken in the
/// order in which they were sent by receives in the order in which they were issued.
std::vector<CallMatch> matches_of(Recording const& recording);

/// The receives of a recorded program that can get messages of one sender only. They get them in their order.
std::set<CallId> receives_without_choice(draft::Draft const& program);

/// For each rank, how many calls two recordings have in common from the beginning.
std::vector<std::size_t> common_calls(draft::Draft const& a, draft::Draft const& b);

/// Whether time may be why two recordings of a rank differ after so many common calls, and not what it received: the
/// next is a choice of time in both, or one call returned more requests than the other, or tests in a loop failed more
/// often than the other's.
bool parted_by_time(draft::Thread const& a, draft::Thread const& b, std::size_t common);

/// Whether two recordings of a program are of one path: each rank makes the same calls, whatever the messages carry.
/// Where one of them ends early, the other may go on.
bool same_path(draft::Draft const& a, draft::Draft const& b);

} // namespace matchpoint::record
