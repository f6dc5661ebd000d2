// Tests an encoder against the semantics on many programs: all small ones, random ones, and a corpus. Wrong answers are
// shrunk and explained.
//
//   CampaignOptions options;
//   options.subject.command = {"my-encoder", "{ctp}"};
//   options.subject.solver = *solver_command("z3");
//   Result const result = run_campaign(options, [](Result const& so_far) { return true; });
//   for (Found const& f : result.found) std::cout << f.smallest << shown(f.reason);
//
// Each program is one case for each buffering.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "validate/explain.hpp"
#include "validate/program_source.hpp"

namespace matchpoint::validate {

/// The programs to ask about, and how.
struct CampaignOptions : ProgramSelection {
    SubjectOptions subject;
    unsigned jobs = 1;
    std::optional<std::chrono::milliseconds> time; // for the whole campaign
    std::size_t most_findings = 8;                 // groups of findings, after which it ends
    std::size_t shrink_calls = 2000;
    bool second_way = true; // compare our own two methods on every case
    /// Once this is set, the campaign ends as soon as it can, and drops the programs that are not done. May be null.
    std::atomic<bool> const* interrupted = nullptr;
};

/// A wrong answer, shrunk and explained.
struct Found {
    Kind kind;
    Buffering buffering;
    std::string origin = {}; // as in ProgramSource::Item
    std::string program = {};
    std::string smallest = {};
    std::string shape = {};    // of the smallest
    SubjectAnswer answer = {}; // about the smallest
    Truth truth = {};
    std::string ours = {}; // our SMT-LIB for the smallest
    Reason reason = {};
    std::string replay = {}; // of the subject's model
    std::size_t like_it = 0; // number of other findings of the same kind, buffering and shape
};

/// A case that the subject did not answer.
struct Unanswered {
    NoAnswer kind;
    std::string what;         // with the program's origin
    std::string program = {}; // empty if it was asked before this campaign was continued
    std::string problem = {}; // what the subject printed, if that was a problem
    Buffering buffering = Buffering::infinite;
};

/// A wrong answer that is not explained so far.
struct Unexplained {
    Kind kind;
    Buffering buffering;
    std::string origin;  // "random program 23"
    std::string program; // as it was asked

    /// "small program 3, infinite buffering: it says sat, and no run fails"
    std::string in_words() const;
};

struct Counts {
    std::uint64_t cases = 0;
    std::uint64_t agrees = 0;
    std::array<std::uint64_t, 2> wrong{}; // unsound, incomplete
    std::uint64_t known = 0;              // wrong, as the known flaws predict
    std::uint64_t unsettled = 0;          // we do not know the right answer
    std::uint64_t failing = 0;            // cases in which a run fails
    std::array<std::uint64_t, trouble_count> trouble{};
};

/// What is done about a wrong answer.
struct Activity : Progress {
    double seconds = 0;         // since it began
    std::optional<double> left; // seconds that it has at most
};

/// How long the subject's command took for its answers, without our solver.
struct Slowness {
    std::uint64_t answers = 0;
    double seconds = 0;
};

struct Result {
    std::array<Counts, 2> counts;                 // infinite, zero
    std::map<std::size_t, std::uint64_t> sizes;   // commands -> programs
    std::map<std::string, std::uint64_t> traits;  // trait -> programs
    std::map<std::string, std::uint64_t> sources; // "small", "random", "corpus" -> programs
    std::uint64_t programs = 0;                   // the first so many programs of this shard are done
    std::uint64_t all = 0;                        // programs in this shard; 0: not known yet
    std::vector<Found> found;
    std::vector<Unanswered> troubles;    // the first of each kind
    std::vector<std::string> unreadable; // files of the corpus
    std::string disagreement;            // of our own two methods, with the program; ends the campaign
    bool complete = false;               // all cases were asked
    std::string stopped;                 // why it ended before that, if not for its limits
    /// The wrong answer that is being made smaller and explained, or was when the campaign was interrupted.
    std::optional<Unexplained> unexplained;
    /// What was asked to explain the findings, beside the standard programs; so that the campaign can be continued.
    std::vector<Answered> asked;
    double seconds = 0;
    std::optional<Activity> activity; // what is done about a wrong answer now, which can take long
    bool has_unexamined = false;      // wrong answers that were only counted, since there was no time for more findings
    /// About how much longer the subject would have to be asked to explain findings without hurry; 0 if they were.
    double seconds_missing = 0;
    Slowness slowness;
};

/// Runs a campaign, or continues after `before`. Calls `progress` now and then, from one thread at a time; it returns
/// whether to go on. Ends early if the subject answers none of the first cases. Throws std::runtime_error if it cannot
/// be started.
Result run_campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress,
                    Result before = {});

} // namespace matchpoint::validate
