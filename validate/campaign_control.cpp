#include "validate/campaign_control.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace matchpoint::validate {

bool CampaignTime::is_late() const {
    return is_interrupted() || (most_ && Clock::now() - began_ > std::max(*most_, std::chrono::milliseconds(60'000)));
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
