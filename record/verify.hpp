// The loop: record a run, ask which other match sets it could have had, make them happen, and record those runs, until
// every match set of every path has been tried.
//
//   Verification v({.launch = launch_as, .limit = 100}, [](Tried const& t) { show(t); });
//   Coverage const c = v.run();
//
// A path is what the ranks do, call by call, whatever their messages carry. A recorded program is one path. Its
// executions (executions/explorer.hpp) are the match sets that are feasible on it: complete ones; those that get stuck;
// and those that make an assumption false, which lead to another path. A replay of each shows what the real program
// does.
// What goes wrong is run first, then what no run has shown so far (match_sets.hpp).
//
// What depends on time (choices.hpp) is forced to come out as it did in replays of a path. Each other way for it to
// come out is tried in a run of its own, whose path is verified like the others.
//
// Each run has a folder: `ranks/` with the recordings, `output` and `errors`, `schedule` if it is a replay, and `run`
// (run_file.hpp), which is written last. So a verification that was interrupted can go on with the runs that it has.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "machine/state.hpp"
#include "record/launch.hpp"
#include "record/recording.hpp"
#include "record/run_file.hpp"
#include "record/schedule.hpp"

namespace matchpoint::record {

enum class Worth : std::uint8_t; // match_sets.hpp

struct Coverage {
    std::size_t paths = 0;
    std::size_t match_sets = 0; // found
    bool all_found = false;     // on these paths
    std::size_t tried = 0;
    std::size_t times_tried = 0; // choices of time
    std::size_t times_left = 0;  // those that were not tried
    std::uint64_t runs = 0;
    bool is_complete = false; // no match set and no choice of time is left, and all of them were found
    bool is_cut = false;      // on some path every run failed, and ended ranks that could have sent more
    bool is_interrupted = false;
    std::string stopped; // why it is not complete; empty if it is
    struct Fault {
        std::size_t path;
        std::string text; // "collective calls do not match, a fault: ..."
    };
    std::vector<Fault> faults; // of each path, the first of each kind
};

struct VerifyOptions {
    Launch launch; // without folders and a schedule
    /// Holds the folders of all runs. Must exist. The runs that it has are not made again.
    std::filesystem::path folder;
    /// The most runs of the program.
    std::uint64_t limit = 100;
    /// Ends with the first run that fails or deadlocks.
    bool first = false;
    /// No run begins later than that.
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
    /// The most machine steps of one search for match sets.
    std::uint64_t steps = 20'000'000;
    /// The most bytes of a search, and of what it found; and about those of a recording.
    std::size_t memory = std::size_t{2} << 30U;
    unsigned jobs = 1;
    /// Look for deadlocks that depend on the library: some standard sends wait for their receives, and others do not.
    bool any_buffering = true;
    /// For how many more rounds of a loop than it was recorded a test may be false.
    std::uint64_t rounds = 1;
    /// What to call threads where deadlocks are described by source lines. Empty if they are described by names.
    std::string_view word = {};
    /// Called now and then while runs are under way.
    std::function<void(Coverage const&)> waiting = nullptr;

    bool is_late() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
    /// Whether searches have to end.
    bool is_over() const { return launch.is_interrupted() || is_late(); }
};

/// A run of the program, and what came of it.
struct Tried {
    std::uint64_t number = 0;     // from 1
    std::optional<Wanted> wanted; // none if the program ran freely
    bool is_resumed = false;      // it was made before, and its files were there

    LaunchResult result;
    Recording recording;                   // up to where a second thread of a rank calls: only that is replayed
    std::optional<Recording> with_threads; // all that there is; only if ranks have several threads
    std::size_t path = 0;                  // that it took, from 1
    bool is_new_path = false;
    std::optional<std::string> harm; // why its end says nothing about the program
    bool is_deadlock = false;        // it was ended as all ranks wait, or for another reason while some deadlocked
    bool defies_machine = false;     // it was ended as no rank moved, though by its recording some can go on
    bool is_held = false;  // `defies_machine`, and it was forced to matches or choices: these may be what holds it
    bool followed = false; // it took the matches that were wanted, on their path
    std::filesystem::path folder; // its files: recordings, `schedule`, `output`, `errors`

    bool failed() const { return !harm && has_failed(result); }
    bool deadlocked() const { return !harm && is_deadlock && !is_held; }
    /// Whether nobody knows what would have come next.
    bool was_cut_off() const { return is_held || was_ended(result); }
    /// Whether a choice of time was to come out otherwise.
    bool chooses_time() const { return wanted && !wanted->time.empty(); }
    /// Whether it was to make sends wait for their receives.
    bool refuses() const { return wanted && !wanted->refusing.empty(); }
    /// Whether a failure or a deadlock was predicted of its match set, and did not happen though the run stayed on the
    /// path. A run that takes another path says which way these messages lead, and that path is verified, too.
    bool is_unconfirmed() const {
        return wanted && !harm && path == wanted->path &&
               ((wanted->prediction == Prediction::fails && !failed()) ||
                (wanted->prediction == Prediction::gets_stuck && !deadlocked()));
    }
};

class Verification {
public:
    Verification(VerifyOptions options, std::function<void(Tried const&)> report);
    Verification(Verification const&) = delete;
    Verification& operator=(Verification const&) = delete;
    ~Verification();

    Coverage run();
    /// What a run did, as a program with traces: first the run itself, then one on the same path that ended well, if
    /// there was one.
    draft::Draft beside(Tried const& t) const;
    /// Who waits for whom at the end of a run, in lines. Empty if its recording does not say so, or if that takes too
    /// long to tell.
    std::string why_deadlocked(Tried const& t) const;
    /// "the send at main.c:12 of rank 1 waits for its receive", of sends of the path that a run was to take, or took.
    std::string in_words(Tried const& t, std::vector<CallId> const& waiting) const;

private:
    class Path;
    struct Known;

    std::filesystem::path folder_of(std::uint64_t number) const;
    void resume();
    /// Runs in a thread of its own: it looks at nothing but the options.
    Tried execute(std::uint64_t number, std::optional<Wanted> wanted, std::string const& schedule) const;
    std::string schedule_of(Wanted const& wanted) const;
    void read(Tried& tried) const;
    void take(Tried tried);
    std::size_t path_of(Tried const& tried, bool* is_new);
    bool is_known(Wanted const& wanted) const;
    bool has_timed_out(Wanted const& wanted) const;
    std::vector<Wanted> next(std::size_t most);
    /// The most urgent match set that no run is known to show.
    std::optional<Wanted> next_match_set(Worth least);
    std::optional<Wanted> next_deadlock_of_library();
    std::optional<Wanted> next_time();
    void count();
    Coverage coverage() const;

    VerifyOptions options_;
    std::function<void(Tried const&)> report_;
    std::vector<std::unique_ptr<Path>> paths_;
    std::vector<Known> known_;
    std::vector<Known> timed_out_; // as far as they went; also those that were interrupted
    std::uint64_t runs_ = 0;
    std::uint64_t timed_out_runs_ = 0;
    std::uint64_t held_runs_ = 0;
    std::string stopped_;
};

} // namespace matchpoint::record
