#pragma once

/// The child processes and open descriptors of this process, for tests that leave none.

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

#include <fmt/format.h>

namespace matchpoint::test {

/// The state and the parent of a process; '-' and 0 if there is none.
inline std::pair<char, pid_t> process(pid_t pid) {
    std::ifstream in(fmt::format("/proc/{}/stat", pid));
    std::string text;
    std::getline(in, text);
    std::size_t const name_end = text.rfind(')');
    if (name_end == std::string::npos) return {'-', 0};
    return {text.at(name_end + 2), static_cast<pid_t>(std::strtol(text.c_str() + name_end + 4, nullptr, 10))};
}

inline std::vector<pid_t> children() {
    std::vector<pid_t> result;
    for (auto const& entry : std::filesystem::directory_iterator("/proc")) {
        pid_t const pid = static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10));
        if (pid > 0 && process(pid).second == ::getpid()) result.push_back(pid);
    }
    return result;
}

inline std::size_t open_descriptors() {
    auto const entries = std::filesystem::directory_iterator("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

} // namespace matchpoint::test
