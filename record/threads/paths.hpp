// Paths of a program whose threads share memory. A path is which way each thread went (ThreadPath); its recording is
// the program of all executions that go the same way.
//
//   RecordedPath const path(1, std::move(recording));
//   if (is_part(run.paths, path.threads())) ...  // the run is an execution of that program
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/threads/reading.hpp"

namespace matchpoint::record::threads {

/// How many marks of two runs of a thread are the same.
std::size_t common_marks(ThreadPath const& a, ThreadPath const& b);
/// Whether all that was done in one run is the beginning of what was done in another, thread by thread.
bool is_part(std::vector<ThreadPath> const& run, std::vector<ThreadPath> const& of);

class RecordedPath {
public:
    RecordedPath(std::size_t number, ThreadRecording recording);

    std::size_t number() const { return number_; } // from 1
    ThreadRecording const& recording() const { return recording_; }
    draft::Draft const& program() const { return recording_.program; }
    std::vector<ThreadPath> const& threads() const { return recording_.paths; }
    /// The event that a command belongs to.
    std::uint64_t event(std::uint32_t thread, std::size_t command) const;
    /// How many events a thread has done before it does a command. `command` may be the end: then as many as are
    /// recorded.
    std::uint64_t events_before(std::uint32_t thread, std::size_t command) const;

    /// Whether a thread that was ended has done all that it did in the other path, which is the same up to there, and
    /// it is known what comes next: more, its end, or that it waits.
    bool knows_more(RecordedPath const& other, std::uint32_t thread) const;
    /// Another run of the same path has shown which threads have nothing more to do.
    void learn_ends(std::vector<ThreadPath> const& same);
    /// Of how many threads it is known why they did nothing more.
    std::size_t known_ends() const;

    /// The mark whose first command this is.
    std::optional<std::uint32_t> mark_of(std::uint32_t thread, std::size_t command) const;

private:
    bool waits(std::uint32_t thread) const;

    std::size_t number_;
    ThreadRecording recording_;
    std::vector<std::vector<std::uint32_t>> marks_; // thread -> command -> its mark, or PathMark::none
};

} // namespace matchpoint::record::threads
