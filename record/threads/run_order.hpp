// The order of a run: the records of all threads, so that each thread's are in order, the turns of each cell, the
// records about each object, and creating and joining threads. Two passes over the files: RunIndex collects what comes
// when, and RunOrder walks through them. Linear, but for sorting.
//
//   RunIndex const index = RunIndex::of(files);
//   RunOrder order(index, files);
//   while (auto const thread = order.next()) use(*thread, order.record());
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/threads/records.hpp"

namespace matchpoint::record::threads {

/// What a thread wrote.
struct ThreadFile {
    std::string name;
    std::string_view bytes; // of which only so many may be read
};

/// A place of the program.
struct CodePlace {
    std::string file;
    std::uint32_t line = 0;
    std::string function;
};

struct Module {
    std::string path;
    std::uint64_t address = 0, size = 0;
    bool is_compiled = false;
};

struct Global {
    std::uint64_t address = 0, size = 0;
    std::string name, type;
};

/// What is known of a thread from one look at its file.
struct ThreadSummary {
    std::uint32_t creator = 0;
    std::uint64_t stack = 0, stack_size = 0;
    std::uint64_t created_at = 0; // the place
    std::uint64_t records = 0, nodes = 0, events = 0;
    bool breaks_off = false;
    bool has_exited = false;                                           // it has the record of its end
    bool has_ended = false;                                            // the same, or it has ended the program
    bool is_there = false;                                             // its file has its first record
    std::optional<matchpoint_record> awaits;                           // what its last record waits for
    std::optional<std::pair<std::uint32_t, std::uint64_t>> created_by; // the thread, and its record
};

struct RunIndex {
    /// What happens at a point of the order of a cell or an object: a turn, or a record.
    struct Point {
        std::uint64_t key; // the address
        std::uint32_t number;
        std::uint32_t thread;
        std::uint64_t last : 63;  // the number of the last record that belongs to it
        std::uint64_t writes : 1; // a turn: not all of it are loads
    };
    std::vector<ThreadSummary> threads;
    std::vector<Point> turns, records; // sorted by key and number
    std::map<std::uint64_t, CodePlace> places;
    std::vector<Module> modules;
    std::vector<Global> globals;
    std::uint64_t missing = 0;           // points that the order has, and no file
    std::optional<std::uint64_t> ended;  // the code of exit
    std::optional<std::uint32_t> exits;  // the thread that called it, or main; none if it is the last thread that ended
    std::optional<std::uint32_t> failed; // the thread that failed
    std::string failure;                 // how
    std::optional<matchpoint_failure> failure_kind;
    std::optional<Fault> fault;

    static RunIndex of(std::vector<ThreadFile> const& files);
};

class RunOrder {
public:
    RunOrder(RunIndex const& index, std::vector<ThreadFile> const& files);

    /// The thread of the next record; none at the end, or if there is a fault.
    std::optional<std::uint32_t> next();
    /// The record that next() came to.
    Record& record() { return threads_[current_].record; }
    /// The number of the event of that record in its thread; that of the last one before if it is not an event.
    std::uint64_t event() const { return threads_[current_].events; }
    std::optional<Fault> const& fault() const { return fault_; }
    /// At the end: how many threads have records that are left out, as they follow records that are missing.
    std::size_t stopped() const;

private:
    struct Thread {
        RecordReader reader;
        Record record;
        bool has_record = false; // that is read, and not taken
        bool is_stopped = false; // the next record follows one that is missing
        std::uint64_t taken = 0; // records
        std::uint64_t events = 0;
    };
    struct Wait {
        std::uint32_t thread; // no_thread if no file has what is waited for
        std::uint64_t record; // its number, from 1
    };
    static constexpr std::uint32_t no_thread = UINT32_MAX;
    /// What has to come before a turn or record of this number, if it has not come yet. Several threads can have a
    /// turn.
    std::optional<Wait> before(std::vector<RunIndex::Point> const& points, std::uint64_t key,
                               std::uint64_t number) const;
    /// Follows what a thread waits for up to one that can go on. None, and all of them are stopped, if there is none.
    std::optional<std::uint32_t> ready(std::uint32_t t);
    std::optional<Wait> waits_for(std::uint32_t t) const;
    std::optional<Wait> for_access(Record const& r) const;
    std::optional<Wait> for_object(Record const& r) const;
    bool fill(std::uint32_t t);

    RunIndex const& index_;
    std::vector<ThreadFile> const& files_;
    std::vector<Thread> threads_;
    std::uint32_t current_ = 0;
    bool has_current_ = false;
    std::optional<Fault> fault_;
};

/// The key of the order of ALLOC and FREE among those of objects.
inline constexpr std::uint64_t order_of_blocks = UINT64_MAX;

} // namespace matchpoint::record::threads
