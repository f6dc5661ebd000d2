// The file of a rank while the run goes on: whether the rank waits for others, or is done.
//
//   GrowingFile file(path);
//   file.advance();
//   if (file.waits(GrowingFile::Clock::now())) ...
//
// docs/formats.md has the grammar of the lines.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace matchpoint::record {

/// It ends in zeros. A file that cannot be opened has no lines.
class GrowingFile {
public:
    using Clock = std::chrono::steady_clock;

    explicit GrowingFile(std::filesystem::path const& path);
    GrowingFile(GrowingFile const&) = delete;
    GrowingFile& operator=(GrowingFile const&) = delete;
    ~GrowingFile();

    /// Reads on. Whether there was something new.
    bool advance();
    /// Whether the rank waits for others, or is done. To be asked often: a rank waits that tests often and does nothing
    /// else; its last line counts the tests. If several threads call, all of them have to wait, or to have ended. It
    /// does not wait for sure if it has threads that may call.
    bool waits(Clock::time_point now);
    bool is_done() const { return last_ == "end"; }
    bool has_left() const { return last_ == "left"; }
    /// The code of MPI_Abort, if the rank has called it: `abort PLACE CODE`.
    std::optional<int> aborted() const;
    bool tests() const;
    /// Whether it waits, in a replay, until a test succeeds, because the schedule says so.
    bool awaits() const;
    /// How many ranks the run has; 0 if the file does not say it yet.
    std::uint64_t ranks() const { return ranks_; }

private:
    /// A thread that calls.
    struct Caller {
        std::string last;   // its line
        off_t last_at = 0;  // where that begins
        bool joins = false; // it waits for the end of another thread
        bool has_ended = false;
        std::optional<std::pair<Clock::time_point, std::uint64_t>> tests_before = {}; // failed when this period began
        bool is_testing = false;                                                      // in the period before

        bool tests() const { return last.starts_with("poll "); }
        bool awaits() const { return last.starts_with("awaits "); }
        bool is_in_call() const;
    };

    void take(std::string line, off_t end);
    bool is_about_threads(std::string_view line);
    bool tests_in_a_loop(Caller& caller, Clock::time_point now) const;
    std::uint64_t tests_so_far(Caller const& caller) const;

    int file_;
    off_t at_ = 0;
    off_t next_at_ = 0; // where the next line begins
    std::string line_;  // that is not complete
    std::string last_;  // line, of any thread
    std::map<std::uint32_t, Caller> callers_;
    std::uint32_t caller_ = 0; // of the next line
    std::uint64_t ranks_ = 0;
    bool has_threads_ = false;
};

} // namespace matchpoint::record
