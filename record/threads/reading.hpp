// What the runtime wrote of one run of a program with threads (record/threads/format.h), as a program of the language
// with the trace of that run. docs/threads.md says what becomes of what.
//
//   ThreadRecording const r = read_threads(files);
//   if (!r.fault) std::cout << draft::print(r.program);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "programs/draft.hpp"
#include "record/threads/run_order.hpp"

namespace matchpoint::record::threads {

/// Something about a run, with its place in the program.
struct RunNote {
    CodePlace at;
    std::string what;
    bool operator==(RunNote const& o) const { return at.file == o.at.file && at.line == o.at.line && what == o.what; }
};

/// Why values were taken as constants (enum matchpoint_reason, and what the reader adds).
enum class Concretised : std::uint8_t { operations, addresses, sizes, calls, pointer_calls, gcc };
inline constexpr std::size_t concretised_kinds = 6;
std::string_view words(Concretised why);

/// Where the run of a thread could have gone another way, and which way it went.
struct PathMark {
    enum class Kind : std::uint8_t {
        branch,   // taken or not
        choice,   // of a `switch`: the value; or none of `cases`
        value,    // that was taken as a constant
        exchange, // whether it succeeded
        object,   // what came of a call of synchronisation
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    std::uint64_t event = 0; // of the thread
    Kind kind = Kind::branch;
    std::int64_t value = 0;
    std::vector<std::int64_t> cases = {};
    std::uint32_t command = none; // of the thread in the program, if it has one
    bool is_constant = false;     // a value that does not depend on shared memory in this run
    /// Values that are constants in both runs are no choice of the schedule: addresses of stacks, say.
    bool is_same(PathMark const& o) const {
        bool const is_value = value == o.value || (kind == Kind::value && is_constant && o.is_constant);
        return event == o.event && kind == o.kind && is_value && cases == o.cases;
    }
};

/// The way that a thread went. Two runs in which a thread has the same marks are the same for it, but for the values.
struct ThreadPath {
    std::vector<PathMark> marks;
    std::uint64_t events = 0; // without its end
    bool has_ended = false;   // it did all that it had to do
};

struct ThreadRecording {
    std::optional<Fault> fault; // then there is nothing else
    draft::Draft program;
    std::vector<ThreadPath> paths;          // of the threads
    std::size_t threads = 0, locations = 0; // shared locations of memory
    std::uint64_t records = 0;
    std::array<std::uint64_t, concretised_kinds> concretised = {};
    std::size_t assumed_in_range = 0; // signed operations that are assumed, or asserted, not to overflow
    std::uint64_t outside_values = 0; // of memory that is not shared, which something else had written
    bool has_weak_orders = false;     // atomic accesses that are not sequentially consistent
    bool has_serial_threads = false;  // barriers have chosen a thread
    std::vector<RunNote> gaps;        // what the recording does not have
    std::vector<RunNote> errors;      // what the program did wrong with mutexes and the like
    std::vector<std::string> blocks;  // of the heap that have names
    /// The threads that wait at the end, each with the number of the event that it waits in.
    std::vector<std::pair<std::uint32_t, std::uint64_t>> waiting;
    /// Those that waited for the end of a thread that had not ended when the program did.
    std::vector<std::uint32_t> joining;
    std::vector<std::string> not_at_end; // what threads wait for: "queue.c:12: thread 2 waits for lock"
    std::optional<std::uint64_t> exit_code;
    std::optional<std::uint32_t> exits; // the thread whose end is that of the program
    std::optional<std::string> failure; // how the program failed
};

/// How many bytes of recordings can be read in so much memory, about; a record counts as one byte more.
constexpr std::size_t thread_bytes_within(std::size_t memory) { return memory / 16; }

/// What a signed operation that must not overflow becomes.
enum class Overflow : std::uint8_t { assumed, asserted };

/// `files` has a file for each thread, in order. If they have more than `most` bytes and records, the same part of each
/// is read, and the recording has a gap. Linear but for sorting.
ThreadRecording read_threads(std::vector<ThreadFile> files, std::size_t most = SIZE_MAX,
                             Overflow overflow = Overflow::assumed);

} // namespace matchpoint::record::threads
