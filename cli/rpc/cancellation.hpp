// Cancelling requests. One thread reads lines and looks for requests to cancel; another one answers, and asks whether
// its request is still wanted. Ids are JSON.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace matchpoint::cli {

class Cancellation {
public:
    /// For the reading thread: looks for requests to cancel in lines that have been read.
    void look(std::string_view lines);

    // For the answering thread.

    enum class Turn { wanted, cancelled };
    /// It begins to work on a request, unless that was cancelled before.
    Turn begin(std::string const& id);
    void end();
    /// It answers a request to cancel: whether that came in time.
    bool was_in_time(std::string const& id);
    /// Set as soon as the request that is being worked on is cancelled.
    std::atomic<bool> const& flag() const { return flag_; }

private:
    void cancel(std::string const& id);

    std::mutex mutex_;
    std::optional<std::string> running_;
    std::map<std::string, bool> cancelled_; // id -> whether it stopped a request
    std::atomic<bool> flag_ = false;
};

} // namespace matchpoint::cli
