#include "validate/campaign_control.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace matchpoint::validate {

CampaignTime::Clock::duration CampaignTime::share() const {
    return std::max<Clock::duration>(*most_ / 2, std::chrono::seconds(10));
}

void CampaignTime::begin_finding(Clock::duration at_least) {
    began_ = Clock::now();
    if (!most_) return;
    Clock::time_point const last = start_ + *most_ + std::chrono::minutes(1);
    allowed_ = std::min(std::max(share() - spent_, at_least), last - began_);
}

std::optional<CampaignTime::Clock::duration> CampaignTime::left_for_finding() const {
    if (!most_) return std::nullopt;
    return allowed_ - (Clock::now() - began_);
}

void run_workers(unsigned jobs, std::function<void()> const& work, std::function<void()> const& stop) {
    std::mutex mutex;
    std::exception_ptr failure;
    auto const guarded = [&] {
        try {
            work();
        } catch (...) {
            std::lock_guard const lock(mutex);
            if (!failure) failure = std::current_exception();
            stop();
        }
    };
    std::vector<std::thread> workers;
    for (unsigned j = 1; j < jobs; ++j) workers.emplace_back(guarded);
    guarded();
    for (std::thread& w : workers) w.join();
    if (failure) std::rethrow_exception(failure);
}

} // namespace matchpoint::validate
