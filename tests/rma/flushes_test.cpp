// The search for the fewest flushes in threads, and with what an earlier search has decided.

#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "rma/programs/edit.hpp"
#include "rma/programs/random.hpp"
#include "rma/search/flushes.hpp"

namespace matchpoint::rma {
namespace {

std::string words(Placement const& placement) { return fmt::format("[{}] ", fmt::join(placement, " ")); }

/// Everything that is reported.
std::string words(FlushResult const& r) {
    std::string text =
        fmt::format("{} {} asked {} states {}: ", static_cast<int>(r.answer), r.least, r.asked, r.states);
    for (Placement const& p : r.placements) text += words(p);
    text += "undecided ";
    for (Placement const& p : r.undecided) text += words(p);
    text += "needed " + words(r.needed);
    for (auto const& m : r.missing) text += fmt::format("{}: {}{} steps ", m.flush, words(m.left), m.run.size());
    return text;
}

Program program(std::uint64_t i) { return with_a_flush_behind_every_remote(random_program(7, i, {.properties = 100})); }

TEST(RmaFlushes, AnyNumberOfThreadsFindsTheSame) {
    for (std::uint64_t i = 0; i < 60; ++i) {
        std::string const expected = words(least_flushes(program(i), {}));
        for (unsigned const jobs : {2U, 5U}) EXPECT_EQ(words(least_flushes(program(i), {.jobs = jobs})), expected) << i;
    }
}

TEST(RmaFlushes, WhatIsDecidedNeedNotBeAskedAgain) {
    std::size_t used = 0;
    for (std::uint64_t i = 0; i < 60; ++i) {
        std::map<Placement, Decision> decided;
        FlushOptions options{.jobs = 2};
        options.decided = [&](Placement const& p, Decision const& d) { decided[p] = d; };
        std::string const expected = words(least_flushes(program(i), options));
        options.decided = {};
        std::mutex mutex;
        options.known = [&](Placement const& p) {
            std::lock_guard const lock(mutex);
            ++used;
            auto const found = decided.find(p);
            EXPECT_TRUE(options.jobs > 1 || found != decided.end());
            return found == decided.end() ? std::nullopt : std::optional(found->second);
        };
        for (unsigned const jobs : {1U, 3U}) {
            options.jobs = jobs;
            EXPECT_EQ(words(least_flushes(program(i), options)), expected) << i;
        }
    }
    EXPECT_GT(used, 200U);
}

} // namespace
} // namespace matchpoint::rma
