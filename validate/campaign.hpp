// An encoder against the semantics, on one program after the other: all small ones, random ones, those of a corpus.
//
// A program is a case of each buffering that is asked about. Every case has a number that depends on nothing but the
// options that say which cases there are, so that N machines with a shard each cover what one covers without.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "validate/explain.hpp"

namespace matchpoint::validate {

struct CampaignOptions {
    SubjectOptions subject;
    std::vector<Buffering> bufferings{Buffering::infinite, Buffering::zero};
    bool of_trace = false; // each program has one trace, and the question is whether that fails
    // The cases
    unsigned level = 6;          // small programs (small.hpp); 0: none
    std::uint64_t random = 2000; // random programs
    std::uint64_t seed = 1;
    std::vector<std::string> corpus; // files
    std::uint64_t shard = 1, shards = 1;
    // How
    unsigned jobs = 1;
    std::optional<std::chrono::milliseconds> time; // for all of it
    std::size_t most_findings = 8;                 // groups; then it ends
    std::size_t shrink_calls = 2000;
    bool second_way = true; // our own two ways are compared on every case
};

/// What was found, shrunk and explained.
struct Found {
    Kind kind;
    Buffering buffering;
    std::string origin = {}; // "small program 17", "random program 4 of seed 1", a file's name
    std::string program = {};
    std::string smallest = {};
    std::string shape = {}; // of the smallest
    Said said = {};         // of the smallest
    Truth truth = {};
    std::string ours = {}; // our SMT-LIB of the smallest
    std::vector<Explanation> why = {};
    std::string replay = {}; // of the subject's model
    std::size_t like_it = 0; // others of the same kind, buffering and shape
};

struct Counts {
    std::uint64_t cases = 0;
    std::uint64_t agrees = 0;
    std::array<std::uint64_t, 2> wrong{}; // unsound, incomplete
    std::uint64_t known = 0;              // wrong as the changes that are found predict
    std::uint64_t unsettled = 0;          // we do not know
    std::uint64_t failing = 0;            // cases in which a run fails
    std::array<std::uint64_t, trouble_count> trouble{};
};

struct Result {
    std::array<Counts, 2> counts;                 // infinite, zero
    std::map<std::size_t, std::uint64_t> sizes;   // commands -> programs
    std::map<std::string, std::uint64_t> traits;  // what programs had in them -> how many
    std::map<std::string, std::uint64_t> sources; // "small", "random", "corpus" -> programs
    std::uint64_t programs = 0;                   // of this shard, in their order, that are done
    std::uint64_t all = 0;                        // that there are in this shard; 0: not known yet
    std::vector<Found> found;
    std::vector<std::pair<NoAnswer, std::string>> troubles; // the first of each kind, with where
    std::vector<std::string> unreadable;                    // files of the corpus, and why
    std::string disagreement;                               // of our own ways, with the program: everything stops
    bool complete = false;                                  // all cases were asked
    double seconds = 0;
};

/// Runs it, or goes on behind what is done already (its `programs`). `progress` is called from time to time, by one thread at a time, and says whether to go on. Throws
/// std::runtime_error if nothing can be asked at all.
Result run_campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress,
                    Result before = {});

/// What an encoder's constructs a program has: "waits out of order", "several assertions", ...
std::vector<std::string> traits(Case const& c);

} // namespace matchpoint::validate
