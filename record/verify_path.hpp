// One path of a verification: the commands that the ranks of some run executed, and the match sets on it.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "matching/prepared.hpp"
#include "record/choices.hpp"
#include "record/cut_short.hpp"
#include "record/match_sets.hpp"
#include "record/rerun.hpp"
#include "record/verify.hpp"

namespace matchpoint::record {

/// How the ranks of a run ended.
struct RankEnds {
    std::vector<bool> finished;
    bool is_cut = false; // it failed, and ended ranks that could have gone on
    CutShort cut_short;

    RankEnds(Recording const& run, bool failed, bool was_ended) {
        for (Rank const& rank : run.ranks) {
            finished.push_back(rank.end == RankEnd::finalized);
            bool const waits = rank.end == RankEnd::finalized || rank.end == RankEnd::blocked;
            if (waits && !rank.is_gone()) continue;
            if (failed)
                cut_short.dead.push_back(rank.number);
            else if (was_ended || rank.breaks_off)
                cut_short.running.push_back(rank.number);
        }
        // The rank that failed is one of those that did not finish.
        is_cut = failed && std::count(finished.begin(), finished.end(), false) > 1;
    }
};

/// A path, and the match sets on it.
class Verification::Path {
public:
    Path(std::size_t number, draft::Draft program, RankEnds ends, VerifyOptions const& options)
        : number_(number), program_(std::move(program)), ends_(std::move(ends)), options_(options) {
        prepare();
    }

    /// Whether a rank finishes in one of them, and goes on in the other.
    bool goes_on_differently(draft::Draft const& program, RankEnds const& ends) const;

    draft::Draft const& program() const { return program_; }

    /// A run on it that ended well, with the run as its trace. The first is kept.
    void ended_well(Recording const& run) {
        if (!good_run_) good_run_ = program_with_run(run);
    }
    std::optional<draft::Draft> const& good_run() const { return good_run_; }

    /// A longer recording of it. Its match sets have more receives; is_known() says which of them were run.
    void replace(draft::Draft program, RankEnds ends) {
        program_ = std::move(program);
        ends_ = std::move(ends);
        tried_.clear();
        asked_about_libraries_ = tried_library_;
        is_library_open_ = false;
        next_received_ = 0;
        prepare();
    }

    /// Another run of the same commands.
    void ran_again(bool is_cut) { ends_.is_cut = ends_.is_cut && is_cut; }
    bool is_cut() const { return ends_.is_cut; }

    void tried(Matches matches) {
        if (sets_) sets_->was_run(matches);
        tried_.insert(std::move(matches));
    }
    /// Nobody knows what comes of them: their run was ended. They are not wanted again.
    void skip(Matches const& matches) {
        if (sets_) sets_->was_run(matches);
    }
    /// The most urgent match set. None if none is worth that much, or none was found within so many steps.
    std::optional<MatchSets::Next> peek(Worth least) { return sets_ ? sets_->peek(least) : std::nullopt; }
    void take(Matches const& matches) { sets_->take(matches); }
    /// Finds the other match sets, without a run of them, until `stop` says true.
    void count(std::function<bool()> const& stop) {
        if (sets_) sets_->count(stop);
    }
    /// Those that are known. A path has at least one, also before it was searched.
    std::size_t match_sets() const { return std::max<std::size_t>(sets_ ? sets_->found().size() : tried_.size(), 1); }
    std::size_t tried() const { return tried_.size(); }
    /// Whether there are no others. Nobody knows what ranks would have done that were still running.
    bool all_found() const { return sets_ && sets_->all_found() && ends_.cut_short.running.empty(); }
    std::string const& trouble() const { return trouble_.empty() && sets_ ? sets_->trouble() : trouble_; }
    /// Two collective calls that do not match, and a ready send that can come before its receive, if there are some.
    std::vector<std::string> faults() const;

    /// The next choice of time that came out otherwise (choices.hpp), but those that `has_tried` knows. On the way
    /// there the program can leave the path, as it receives something else. Then ways with what each run received are
    /// tried.
    std::optional<Wanted> next_time(std::function<bool(Alternative const&, Beginning const&)> const& has_tried);
    void tried_time(Tried const& t);
    /// How many were tried, and how many were not, as far as they are known.
    std::size_t times_tried() const { return tried_times_.size(); }
    std::size_t times_left() const { return alternatives_.all.size() - next_alternative_ + times_not_tried_; }

    /// A way to a deadlock that depends on the library. One on the path is asked for once. If there is a deadlock of
    /// every library as well, or if the program left the path on the way, it is looked for in what each run received:
    /// there the program stays on the path.
    std::optional<Wanted> deadlock_of_library();
    void tried_library(Tried const& t);
    /// What a run of the program received that was not kept waiting.
    void received(Matches matches) { received_.push_back(std::move(matches)); }
    /// Whether the search for such a deadlock was given up.
    bool is_library_open() const { return is_library_open_; }

private:
    /// What the machine says of an execution that ends in a state. It says nothing of one that ends because the
    /// recording does.
    Wanted wanted(IndexedProgram const& code, Matches matches, std::vector<CallId> refusing, State const& end) const;

    void prepare();
    /// Two collective calls that do not match; empty if all do.
    std::string mismatch() const;
    /// Searches for a ready send that comes before its receive.
    void find_early_send();
    Wanted wanted_time(Alternative const& a, WayTo way) const;
    /// Looks for a deadlock that depends on the library in the path, or in a part of it.
    std::optional<Wanted> look_for_deadlock(draft::Draft program);
    std::optional<Wanted> look_for_deadlock_of(Matches const& run);

    std::size_t number_; // from 1
    draft::Draft program_;
    draft::Draft played_; // the same, as libraries run it
    RankEnds ends_;       // `is_cut`: in every run of it
    VerifyOptions const& options_;
    std::unique_ptr<Prepared> prepared_;
    std::unique_ptr<MatchSets> sets_; // null if there is trouble
    std::set<Matches> tried_;
    bool asked_about_libraries_ = false;
    bool tried_library_ = false;
    bool is_library_open_ = false;
    std::vector<Matches> received_; // by runs
    bool asks_about_runs_ = false;  // for deadlocks that depend on the library
    std::size_t next_received_ = 0;
    std::set<std::pair<Matches, std::vector<CallId>>> tried_refusals_;
    Alternatives alternatives_;
    std::size_t next_alternative_ = 0;
    std::size_t times_not_tried_ = 0;
    std::set<std::string> tried_times_;
    std::map<std::string, std::set<Matches>> tried_ways_; // to them
    std::set<std::string> reached_times_;                 // where the program stayed on the path up to the choice
    /// An alternative whose run may have left the path.
    struct OpenAlternative {
        std::size_t number;
        std::set<Matches> ways; // that were tried
        std::size_t next_received = 0;
    };
    std::vector<OpenAlternative> open_;
    std::optional<draft::Draft> good_run_;
    std::string trouble_;
    std::string early_send_; // that it searched for; empty if there is none
};

} // namespace matchpoint::record
