// What a recorder wrote down about one run of a program: of MPI (record/mpi/), a file for each rank; of MCAPI over
// threads (record/thread/), a file for each thread, which is a rank here. This reads them into the calls that
// importers/ makes programs of. docs/formats.md has the grammar of the files.
//
//   Recording const r = read_recording(files, resolver);
//   if (r.is_readable()) std::cout << draft::print(r.program);
//
// What the functions of MPI become; those of MCAPI are point to point, and name their endpoints:
//
//   point to point   sndi, ssndi, bsndi, rsndi, rcvi with selectors, and wait; a rank is a thread, and each communicator
//                    has its own endpoints
//   a probe          probe; with the receive of what it saw, mprobe and start
//   a collective     collective or icollective
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "importers/calls.hpp"
#include "programs/draft.hpp"
#include "record/finding.hpp"
#include "record/window_races.hpp"

namespace matchpoint::record {

/// What the program communicates with.
enum class Api : std::uint8_t { mpi, mcapi };
/// "rank", "thread"
constexpr std::string_view word_for_rank(Api api) { return api == Api::mpi ? "rank" : "thread"; }

/// How the recording of a rank ends.
enum class RankEnd : std::uint8_t {
    finalized, // it came to MPI_Finalize, or to the end of its function
    aborted,   // it called MPI_Abort
    crashed,   // inside the recorder: its fault
    blocked,   // in a call that waits
    elsewhere, // outside of MPI, or in a call that does not wait
};

/// Something that the recording does not have.
struct Gap {
    std::uint32_t rank;
    SourceLine at;
    std::string function;
    std::string what;
};

/// An error of the library in a call of the program.
struct MpiError {
    SourceLine at;
    std::string function; // "MPI_Recv"
    std::string what;     // its class, and what the library says of it: "MPI_ERR_TRUNCATE: message truncated"
};

using importers::CallId;

/// The call of an action of a recorded program.
CallId recorded_call(std::string_view action);

/// The name of the test that tells whether MPI_Cancel of a receive came in time: it did if no message was there.
std::string cancellation_of(CallId const& receive);
/// The receive, by the name of the test. None if that is another test.
std::optional<std::string> cancelled_by(ChoiceOfTime const& test);

/// A receive that is complete, and what it took; or a probe, and what it saw.
struct Taken {
    CallId receive;     // or the probe
    std::uint32_t from; // a rank; of MCAPI, an endpoint
    std::int64_t tag;
    std::uint32_t communicator; // an index into Calls::communicators; of MCAPI, the endpoint that it is received at
};

/// What a type consists of: runs of elements of basic types, all of them so many times.
struct Signature {
    std::uint64_t bytes = 0; // of one element of the type
    std::uint64_t times = 0; // 0: it is not known
    std::vector<std::pair<std::string, std::uint64_t>> runs = {};

    auto operator<=>(Signature const&) const = default;
};

/// A send or a receive: what is needed to find out what is wrong of its match.
struct Message {
    std::uint32_t call; // its number in the rank
    std::uint32_t peer; // of a send, the rank that it goes to
    std::int64_t tag;   // of a send
    std::uint32_t communicator;
    std::uint32_t place;     // a key of Rank::places; 0: not known
    std::uint32_t signature; // an index of Recording::signatures; no_signature if that is not known
    std::uint64_t count;     // of elements
    bool is_send;
    std::uint32_t thread = 0;  // of the rank
    bool is_dropped = false;   // it came to nothing
    bool is_cancelled = false; // MPI_Cancel was called for it: it may be received or not
};
inline constexpr std::uint32_t no_signature = UINT32_MAX;

/// So many elements of a type.
struct Share {
    std::uint32_t signature; // an index of Recording::signatures; no_signature: there are no elements
    std::uint64_t count;
};

/// What a rank sends and receives in a collective call.
struct CarriedData {
    std::uint32_t call; // its number in the rank
    std::uint32_t communicator;
    std::uint32_t turn;                // the how manieth call of the communicator, from 0
    std::uint32_t own;                 // the place of the rank among its members
    std::optional<std::uint32_t> root; // the place of the root, if it has one
    CollectiveKind kind;
    bool blocks;
    std::uint32_t place; // a key of Rank::places; 0: not known
    /// One, or one for each member. What is reduced or broadcast is sent. Empty if there is nothing, or it is not
    /// known; what is sent also with MPI_IN_PLACE.
    std::vector<Share> sends, gets;
};

/// A receive that the rank never completes. It may have taken a message.
struct OpenReceive {
    std::uint32_t communicator;
    std::optional<std::int64_t> from, tag; // what it admits; none if it admits any
};

/// A thread of a rank that calls MPI, beside the one that has called MPI_Init (rank_threads.hpp).
struct FurtherThread {
    std::uint32_t number = 0;                           // in the file, from 1
    std::uint32_t thread = 0;                           // of the program
    SourceLine begins_at;                               // its first call
    bool has_ended = false;                             // its function has returned
    std::string blocked_in;                             // as in Rank; empty if it is not blocked, or its rank may go on
    SourceLine blocked_at;                              // where
    std::uint32_t pending = 0, posted = 0;              // as in Rank
    std::optional<std::uint32_t> waits_for_end_of = {}; // another thread, by its number in the file
    bool waits_for_any = false;                         // of several calls
};

struct Rank {
    std::uint32_t number = 0;
    std::uint32_t ranks = 0; // of the run
    RankEnd end = RankEnd::elsewhere;
    int abort_code = 0;
    std::string crash;             // "in MPI_Waitall: signal 11 (SEGV)"; only if crashed
    std::string blocked_in;        // "for a receive", "in MPI_Barrier"; only if blocked
    SourceLine blocked_at;         // or where it called MPI_Abort
    bool is_in_window = false;     // it is blocked in a call for windows, which the program lacks
    std::uint64_t on_the_way = 0;  // then: how many bytes of accesses the call may have to move
    std::optional<MpiError> error; // that ended it; it may be `blocked` in the call
    bool has_left = false;         // its process ended by itself before MPI_Finalize
    bool breaks_off = false;       // it did more than the recording has; its end is `elsewhere`, unless it died
    SourceLine last_call;          // that was recorded
    std::uint32_t pending = 0;     // how many commands at the end of its thread are what it waits for
    std::uint32_t posted = 0;      // how many of these, the last ones, it would have waited for later
    std::vector<CallId> or_for;    // any of these ends its wait as well, as in MPI_Waitany
    std::string library;           // the MPI library
    std::vector<Taken> taken;
    std::vector<Message> messages;    // of MPI, in the order of their numbers
    std::vector<CarriedData> carried; // of its collective calls
    std::vector<OpenReceive> open_receives;
    std::unordered_map<std::uint32_t, SourceLine> places; // by their numbers in the file
    std::optional<SourceLine> off_schedule; // of a replay: the first call that was another one in the recorded run
    std::vector<FurtherThread> further;     // in order; how the first thread ended, and all that is not about an end
                                            // of threads, is above
    std::optional<std::uint32_t> waits_for_end_of = {}; // as in FurtherThread
    bool has_ended = false;                             // the function of the first thread; others may go on

    /// Whether it did nothing more, although it had not come to MPI_Finalize.
    bool is_gone() const { return has_left || error || end == RankEnd::aborted || end == RankEnd::crashed; }
};

/// What a run with windows did, as a program with remote memory access (docs/rma.md).
struct WindowProgram {
    std::string text;
    /// The same, but what was fetched is assumed to be what it was. A rank that goes on because of it has waited.
    std::string as_fetched = {};
    WindowSteps steps = {}; // what races are looked for in without trying other orders
    std::size_t statements = 0;
    std::vector<Gap> gaps;    // what it does not have
    std::vector<Gap> choices; // what depends on the order of ranks that nothing orders, though it is no race
};

struct Recording {
    Api api = Api::mpi;
    importers::Calls calls;
    std::vector<Rank> ranks;                              // in order
    std::vector<Gap> gaps;                                // the program can do what the recording does not say
    std::vector<Gap> remarks;                             // it says less than it could
    std::vector<Finding> seen;                            // what the ranks have seen themselves (findings.hpp)
    std::vector<Signature> signatures;                    // of messages
    std::map<Signature, std::uint32_t> signature_numbers; // where they are there
    std::vector<Gap> errors;                              // of MPI, that calls have returned
    bool has_concrete_values = false;                     // messages carry numbers that may depend on what was received
    draft::Draft program;                                 // of a recording that is readable
    std::vector<std::vector<std::uint32_t>> lines;        // of its commands, if some rank has several threads
    std::optional<WindowProgram> windows;                 // of one with windows, which `program` leaves out
    std::vector<Diagnostics> faults;                      // of each file: empty if it could be read
    bool is_readable() const;
    /// Whether some rank has several threads.
    bool has_further_threads() const;
};

/// Why the way in which a run ended says nothing about the program: the recorder had a part in it. None if it did not.
std::optional<std::string> harm(Recording const& run);

/// Finds the line of source for places in object files.
class Resolver {
public:
    virtual ~Resolver() = default;
    /// The offset is from where the object is loaded.
    virtual SourceLine line(std::string const& object, std::uint64_t offset) = 0;
};

/// Whether each rank has to have written its two first lines. A run that ends early can kill a rank before.
enum class Missing : std::uint8_t { refused, did_nothing };
/// What a rank does whose last tests have failed: it may be busy; or it has tested in a loop while nobody moved, and
/// waits.
enum class Tests : std::uint8_t { move, wait };

/// What becomes of the threads of a rank beside the one that has called MPI_Init.
enum class Threads : std::uint8_t {
    apart,    // each is a thread of the program
    one_only, // the recording of the rank ends at the first call of a second one: its order is not that of another run
};

/// How many bytes of recordings can be read in so much memory, about: their calls take 40 times the bytes.
constexpr std::size_t readable_within(std::size_t memory) { return memory / 40; }

/// Files end in zeros if the rank was killed; the last line may be incomplete. A file that ends otherwise was cut, and
/// the recording has a gap. So has one that is too large: of each file the same part of `most` bytes is read. Linear in
/// what is read.
Recording read_recording(std::span<Source const> files, Resolver& resolver, Missing missing = Missing::refused,
                         Tests tests = Tests::move, std::size_t most = readable_within(std::size_t{2} << 30U),
                         Threads threads = Threads::apart);

} // namespace matchpoint::record
