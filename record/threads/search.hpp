// All paths of a program whose threads share memory: recorded, checked, and left where an order of the threads can.
//
//   PathSearch search({.execute = run, .limit = 100}, [](ProgramRun const& r) { show(r); });
//   Searched const s = search.run();
//
// Each path that a run takes is checked for failures, deadlocks and data races, and what is found is replayed. Then
// executions that leave it for a path that is not known are replayed (leaving.hpp), until there is none.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "record/launch.hpp"
#include "record/threads/confirmation.hpp"
#include "record/threads/leaving.hpp"

namespace matchpoint::record::threads {

/// A run of the program.
struct ProgramRun {
    std::uint64_t number = 0; // from 1
    LaunchResult result;
    RunEnd end = RunEnd::ended;
    ThreadRecording recording;
    std::optional<ReplayReport> report; // of a replay

    // What the search makes of it:
    std::string why = {}; // "thread 1 of path 1 can go another way at x.c:8"; empty of a run that was free
    std::size_t path = 0; // that it took, from 1
    bool is_new_path = false;
    std::string divergence = {}; // in words; empty if there is none
    std::size_t from = 0;        // the path whose execution was replayed; 0 if it was free
};

struct SearchOptions {
    /// Runs the program by a schedule, or freely if that is empty. None if it cannot be run: then the search ends.
    std::function<std::optional<ProgramRun>(std::uint64_t number, std::string const& schedule)> execute;
    std::uint64_t limit = 100;                 // runs
    bool first = false;                        // end with the first run that fails or deadlocks
    std::chrono::duration<double> patience{5}; // of a replay, before it gives up
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
    std::function<bool()> interrupted = nullptr;
    /// How each question is asked. `time` is cut to what is left; `bound`: only executions with so many context
    /// switches are looked at, and more only where that costs nothing.
    check::CheckOptions check = {};
    /// Called before what can take long: "path 2: what else can happen".
    std::function<void(std::string const&)> begins = nullptr;
};

/// A race is found once.
struct FoundRace {
    struct Access {
        std::uint32_t thread = 0;
        std::string what, file; // "reads"; the file may be empty
        std::uint32_t line = 0;
        bool operator==(Access const&) const = default;
    };
    std::string variable;
    Access first, second;
    bool operator==(FoundRace const&) const = default;
};

struct Searched {
    std::size_t paths = 0;
    std::size_t done = 0; // of them, that nothing is left of
    std::uint64_t runs = 0;
    std::vector<FoundRace> races;
    /// What is not known, and why nothing is said of it; each once.
    std::vector<std::string> open;
    /// Predictions that no run confirmed.
    std::vector<std::string> unconfirmed;
    std::string stopped;              // why not all was looked at; empty if it was
    bool leaves_out_switches = false; // executions with more context switches than were to be looked at
    bool is_interrupted = false;
    bool could_not_run = false;
};

class PathSearch {
public:
    PathSearch(SearchOptions options, std::function<void(ProgramRun const&)> report);
    PathSearch(PathSearch const&) = delete;
    PathSearch& operator=(PathSearch const&) = delete;
    ~PathSearch();

    Searched run();
    /// A path by its number; it may have become a part of another one.
    RecordedPath const& path(std::size_t number) const;

private:
    struct Known;
    struct Prediction;

    bool may_go_on();
    void not_run();
    check::CheckOptions limits() const;
    std::vector<RecordedPath const*> alive(Known const& of, std::size_t& index) const;
    void take(ProgramRun run);
    /// The assertion of a run that failed, if it is the last command of its trace.
    void note_failed_assertion(draft::Draft const& program);
    std::optional<ProgramRun> replay(Known& k, std::vector<std::string> const& trace, Prediction const& p);
    /// What comes after the trace: the thread that leaves. If other threads can change what it does, its event is part
    /// of the schedule; but for the end of a wait whose mutex is not free: its time passes by itself.
    static void end_by_leaving(Known const& k, Leaving const& at, matching::Prepared const& prepared,
                               ThreadSchedule& schedule);
    void judge(Known& k);
    /// Whether threads can wait for each other while this one is not done. What leads there, if they can.
    std::vector<std::string> ask_before_exit(draft::Draft const& program, std::uint32_t thread,
                                             check::CheckOptions const& options, check::Reached& deadlock);
    void look_for_races(Known& k, draft::Draft program);
    bool confirm(Known& k, Prediction const& p, check::Schedule const& schedule, matching::Prepared const& prepared);
    void ask_singly(Known& k, std::vector<RecordedPath const*> const& known, std::size_t index);
    void follow(Known& k, LeavingAnswer const& answer);
    void look_for_leaving(Known& k);
    void open(std::string what);
    std::string place(Known const& k, Leaving const& at) const;

    SearchOptions options_;
    std::function<void(ProgramRun const&)> report_;
    std::vector<std::unique_ptr<Known>> known_;
    Searched result_;
    bool has_failed_ = false;
    std::size_t replaced_ = 0; // paths whose recording another one has replaced that says more
    std::set<std::pair<std::string, std::uint32_t>> failed_at_; // assertions that failed in a run
    std::set<WaitsAtEnd> deadlocks_;                            // of runs
};

} // namespace matchpoint::record::threads
