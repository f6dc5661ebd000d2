// Tests a reduction against the semantics on many programs: all small ones, random ones, and a corpus. A reduction is
// wrong if the program can come to something that the reduced program cannot. Wrong ones are shrunk and explained.
//
//   CampaignOptions options;
//   options.reducer.command = {"my-reduction", "{rma}"};
//   Result const result = run_campaign(options, [](Result const& so_far) { return true; });
//   for (Found const& f : result.found) std::cout << f.smallest << f.missing << names(f.readings.front());
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validate/reducers/readings.hpp"
#include "validate/reducers/reducer.hpp"

namespace matchpoint::validate::reducers {

struct CampaignOptions {
    ReducerOptions reducer;
    unsigned level = 3;         // small programs (rma/programs/small.hpp); 0: none
    std::uint64_t random = 500; // random programs
    std::uint64_t seed = 1;
    std::vector<std::string> corpus; // files
    unsigned jobs = 1;
    std::optional<std::chrono::milliseconds> time; // for the whole campaign
    std::size_t most_findings = 8;                 // after which it ends; 0: they are only counted
    std::size_t shrink_calls = 500;
    /// Once this is set, the campaign ends as soon as it can. May be null.
    std::atomic<bool> const* interrupted = nullptr;
};

/// An unsound reduction, shrunk and explained.
struct Found {
    std::string origin; // "small program 17", "random program 4 of seed 1", a file's name
    std::string program;
    std::string smallest;
    std::string reduced;           // the reduction's own text for the smallest
    std::string missing;           // "a violation", or a final valuation
    std::string run;               // a schedule that reaches it
    std::vector<Reading> readings; // that are wrong in the same way, best first
    std::size_t like_it = 0;       // other programs that were shrunk to the same
};

struct Counts {
    std::uint64_t cases = 0;
    std::uint64_t sound = 0;
    std::uint64_t unsound = 0;
    std::uint64_t known = 0;     // of these, as the readings that explain earlier findings predict
    std::uint64_t unsettled = 0; // too many states
    std::uint64_t violated = 0;  // programs that go wrong under RMA
    std::uint64_t imprecise = 0; // the program is safe, and the reduced one goes wrong
    std::uint64_t more = 0;      // final valuations that the program does not have
    std::array<std::uint64_t, trouble_count> trouble{};
};

struct Result {
    Counts counts;
    std::map<std::string, std::uint64_t> sources; // "small", "random", "corpus" -> programs
    std::uint64_t programs = 0;                   // that were asked
    std::uint64_t all = 0;
    std::vector<Found> found;
    std::vector<std::pair<NoAnswer, std::string>> troubles; // the first of each kind, with the program's origin
    std::vector<std::string> unreadable;                    // files of the corpus
    std::vector<Reading> readings;                          // that answer best like the reduction
    bool complete = false;                                  // all programs were asked
    std::string stopped;                                    // why it ended before that, if not for its limits
    double seconds = 0;
};

/// Calls `progress` now and then, from one thread at a time; it returns whether to go on. Ends early if there is no
/// answer about any of the first programs. Throws std::runtime_error if the command cannot be started.
Result run_campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress);

} // namespace matchpoint::validate::reducers
