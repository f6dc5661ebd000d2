// Whether a run of threads is stuck: none of them has moved for a while, and each has ended or waits for another one.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::record::threads {

/// The files of the threads in a folder, in the order of their numbers.
std::vector<std::filesystem::path> thread_files(std::filesystem::path const& folder);
/// The bytes of such a file, with those that are only in its window. None if it cannot be read.
std::optional<std::string> read_thread_file(std::filesystem::path const& path);

class ThreadWatch {
public:
    using Clock = std::chrono::steady_clock;
    ThreadWatch(std::filesystem::path folder, std::chrono::duration<double> patience)
        : folder_(std::move(folder)), pause_(std::chrono::duration_cast<Clock::duration>(patience)) {}

    /// To be called often. It looks at the files twice within the patience, and less often if that takes long.
    bool is_stuck();

private:
    /// How many records there are, if every thread has ended or waits without a time limit, and one waits.
    std::optional<std::uint64_t> records_if_all_wait() const;

    std::filesystem::path folder_;
    Clock::duration pause_;
    Clock::time_point next_ = Clock::now() + pause_;
    std::optional<std::uint64_t> last_; // the records of the last look
};

} // namespace matchpoint::record::threads
