#include "cli/rpc/cancellation.hpp"

#include <algorithm>

#include "cli/rpc/json_rpc.hpp"

namespace matchpoint::cli {

void Cancellation::look(std::string_view lines) {
    // Few lines have the word, even with some of its letters escaped.
    if (lines.find("cancel") == std::string_view::npos && lines.find("\\u") == std::string_view::npos) return;
    auto const look_at = [&](Incoming const& message) {
        if (!is_request(message) || message["method"] != "cancel" || !message.contains("params")) return;
        auto const& parameters = message["params"];
        if (parameters.is_object() && parameters.contains("id") && is_id(parameters["id"]))
            cancel(to_text(parameters["id"]));
    };
    while (!lines.empty()) {
        std::size_t const end = std::min(lines.find('\n'), lines.size() - 1);
        std::string_view const line = lines.substr(0, end + 1);
        lines.remove_prefix(end + 1);
        if (is_too_deep(line)) continue;
        Incoming const message = parsed(line).value;
        if (message.is_array())
            std::for_each(message.begin(), message.end(), look_at);
        else
            look_at(message);
    }
}

void Cancellation::cancel(std::string const& id) {
    std::lock_guard const lock(mutex_);
    bool const is_running = running_ == id;
    cancelled_[id] |= is_running;
    if (is_running) flag_ = true;
}

Cancellation::Turn Cancellation::begin(std::string const& id) {
    std::lock_guard const lock(mutex_);
    flag_ = false;
    running_ = id;
    auto const it = cancelled_.find(id);
    if (it == cancelled_.end()) return Turn::wanted;
    it->second = true;
    return Turn::cancelled;
}

void Cancellation::end() {
    std::lock_guard const lock(mutex_);
    flag_ = false;
    running_.reset();
}

bool Cancellation::was_in_time(std::string const& id) {
    std::lock_guard const lock(mutex_);
    auto const it = cancelled_.find(id);
    if (it == cancelled_.end()) return false;
    bool const result = it->second;
    cancelled_.erase(it);
    return result;
}

} // namespace matchpoint::cli
