// The schedule of a replay: in which order the threads of a program do what a trace of its recording does. The
// runtime (runtime/replay.c) follows it.
//
//   auto const schedule = ThreadSchedule::of(prepared, t, true, patience);
//   if (schedule) write(file, schedule->text());
//
// The text begins with
//
//   matchpoint threads schedule 2 threads 3 steps 12 ordered 9 variables 2 first 1 after 5 patience 5000
//
// `first`: the thread that goes on alone after that until it has done more than so many events (`after`), waits, or has
// ended; -1 if there is none. Patience is in milliseconds. Then each event has a line, by thread and number:
//
//   1 4 7 1 8 0 0 0      thread, number of the event, its place in the order, what it may be, line, variable, thread
//                        that it creates, 1 if a wait ends without a signal, or if the thread gets
//                        PTHREAD_BARRIER_SERIAL_THREAD
//
// Places in the order are from 0; -1: the event is only compared, as no other thread sees it; `ordered`: it comes
// when all others are done. The line is 0, and the variable -1, if they are not compared: events of one variable have
// the same address in every run.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::record::threads {

/// An event by its thread and number. Its command is the one of this index in the thread.
struct ScheduledEvent {
    std::uint32_t thread = 0, event = 0;
    std::size_t command = 0;
    std::int64_t order = -1;
    unsigned what = 0; // enum replayed of runtime/replay.h
    std::uint32_t line = 0;
    std::int32_t variable = -1;
    std::uint32_t creates = 0;
    bool outcome = false; // a wait ends without a signal, or a barrier says so of this thread
};

class ThreadSchedule {
public:
    /// Of trace t, which ends in a failure or not. An error if the program is not a recording of threads. Linear but
    /// for sorting.
    static Expected<ThreadSchedule, std::string> of(matching::Prepared const& prepared, std::size_t t, bool fails);

    /// After the trace, this thread goes on alone until it has done more than so many events.
    void let_go_first(std::uint32_t thread, std::uint64_t after) {
        first_ = thread;
        after_ = after;
    }
    /// The order ends with this event, which the trace does not have. If it is the end of a wait with a time limit, the
    /// wait ends without a signal, or with one.
    void end_with(std::uint32_t thread, std::uint32_t event, std::optional<bool> without_signal);

    /// How many events have a place in the order.
    std::size_t ordered() const { return ordered_; }
    /// The number of the event of a command of a thread; 0 if it is the first of a thread, which waits for that.
    static std::uint32_t event_of(std::string_view location);
    /// Null if the schedule has no such event.
    ScheduledEvent const* find(std::uint32_t thread, std::uint32_t event) const;
    /// The runtime gives up if nobody moves for so long.
    std::string text(std::chrono::duration<double> patience) const;

private:
    std::vector<ScheduledEvent> events_; // by thread and number
    std::size_t threads_ = 0, ordered_ = 0, variables_ = 0;
    std::int64_t first_ = -1;
    std::uint64_t after_ = 0;
};

/// What the runtime wrote of a replay.
struct ReplayReport {
    std::uint32_t done = 0; // events of the order
    struct Divergence {
        std::uint32_t thread = 0, event = 0, line = 0;
        std::string file, what; // of the run: "a store"; "nothing" if the event was not reached
    };
    std::optional<Divergence> diverged;
};

/// None if the runtime has not begun, as the program is not one that can be replayed.
std::optional<ReplayReport> replay_report(std::filesystem::path const& folder);

} // namespace matchpoint::record::threads
