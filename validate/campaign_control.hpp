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

    /// A finding is about to be shrunk and explained.
    void begin_finding() { began_ = Clock::now(); }
    /// Whether shrinking and explaining the finding has to end. If the campaign has a time limit, a finding has the
    /// same limit, but at least a minute.
    bool is_late() const;

private:
    std::optional<std::chrono::milliseconds> most_;
    std::atomic<bool> const* interrupted_;
    Clock::time_point start_;
    Clock::time_point began_;
};

/// Calls `work` in so many threads, this one included, and returns when all have. If one throws, calls `stop`, which
/// has to make the others return, and throws the first exception in the end.
void run_workers(unsigned jobs, std::function<void()> const& work, std::function<void()> const& stop);

} // namespace matchpoint::validate
