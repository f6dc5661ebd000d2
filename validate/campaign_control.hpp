// What campaigns have in common: their time, and their workers.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

#include "rooms.hpp"

namespace matchpoint::validate {

/// How long a campaign has taken, and whether it has to end.
class CampaignTime {
public:
    using Clock = std::chrono::steady_clock;

    /// Begins now. `interrupted` may be null, and has to outlive it.
    CampaignTime(std::optional<std::chrono::milliseconds> most, std::atomic<bool> const* interrupted)
        : most_(most), interrupted_(interrupted), start_(Clock::now()) {}

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    bool is_interrupted() const { return interrupted_ != nullptr && *interrupted_; }
    /// The campaign has reached its time limit.
    bool is_over() const { return most_ && Clock::now() - start_ > *most_; }

    /// A finding is about to be shrunk and explained. If the campaign has a time limit, all findings together have half
    /// of it, or ten seconds if that is more, and none lasts longer than a minute after the limit. `at_least` is what
    /// this one has even if the others have used up their half.
    void begin_finding(Clock::duration at_least = {});
    void end_finding() { spent_ += Clock::now() - began_; }
    /// Whether there is time for another finding.
    bool has_time_for_finding() const { return !most_ || spent_ < share(); }

    /// What is left for the finding that has begun. None if there is no limit.
    std::optional<Clock::duration> left_for_finding() const;
    /// Whether shrinking and explaining the finding has to end.
    bool is_late() const { return is_interrupted() || left() < Clock::duration::zero(); }
    /// Whether shrinking it has to end: it leaves half of the time for the explanation.
    bool is_late_to_shrink() const { return is_interrupted() || left() < allowed_ / 2; }
    /// Whether asking more about it has to end: that leaves a quarter for the search for the cause.
    bool is_late_to_ask() const { return is_interrupted() || left() < allowed_ / 4; }

private:
    Clock::duration share() const;
    Clock::duration left() const { return left_for_finding().value_or(Clock::duration::max()); }

    std::optional<std::chrono::milliseconds> most_;
    std::atomic<bool> const* interrupted_;
    Clock::time_point start_;
    Clock::time_point began_;      // the finding
    Clock::duration allowed_ = {}; // for it
    Clock::duration spent_ = {};   // on the findings before it
};

/// Calls `work` in so many threads, this one included, and returns when all have. If one throws, calls `stop`, which
/// has to make the others return, and throws the first exception in the end.
void run_workers(unsigned jobs, std::function<void()> const& work, std::function<void()> const& stop);

} // namespace matchpoint::validate
