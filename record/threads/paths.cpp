#include "record/threads/paths.hpp"

#include <algorithm>

#include "record/threads/replay.hpp"

namespace matchpoint::record::threads {

std::size_t common_marks(ThreadPath const& a, ThreadPath const& b) {
    std::size_t n = 0;
    while (n < a.marks.size() && n < b.marks.size() && a.marks[n].is_same(b.marks[n])) ++n;
    return n;
}

bool is_part(std::vector<ThreadPath> const& run, std::vector<ThreadPath> const& of) {
    for (std::size_t t = 0; t < run.size(); ++t) {
        static ThreadPath const nothing;
        ThreadPath const& whole = t < of.size() ? of[t] : nothing;
        if (run[t].events > whole.events || common_marks(run[t], whole) < run[t].marks.size()) return false;
    }
    return true;
}

RecordedPath::RecordedPath(std::size_t number, ThreadRecording recording)
    : number_(number), recording_(std::move(recording)) {
    recording_.paths.resize(program().threads.size());
    marks_.resize(threads().size());
    for (std::size_t t = 0; t < marks_.size(); ++t) {
        marks_[t].resize(program().threads[t].size(), PathMark::none);
        for (std::uint32_t m = 0; m < threads()[t].marks.size(); ++m)
            if (std::uint32_t const c = threads()[t].marks[m].command; c != PathMark::none) marks_[t][c] = m;
    }
}

std::uint64_t RecordedPath::event(std::uint32_t thread, std::size_t command) const {
    return ThreadSchedule::event_of(program().threads[thread][command].rho);
}

std::uint64_t RecordedPath::events_before(std::uint32_t thread, std::size_t command) const {
    bool const is_end = command == program().threads[thread].size();
    return is_end ? threads()[thread].events : std::max<std::uint64_t>(event(thread, command), 1) - 1;
}

bool RecordedPath::waits(std::uint32_t thread) const {
    return std::any_of(recording_.waiting.begin(), recording_.waiting.end(),
                       [thread](auto const& w) { return w.first == thread; });
}

bool RecordedPath::knows_more(RecordedPath const& other, std::uint32_t thread) const {
    ThreadPath const& own = threads()[thread];
    ThreadPath const& its = other.threads()[thread];
    if (own.events != its.events) return own.events > its.events;
    return own.has_ended || (waits(thread) && !other.waits(thread));
}

void RecordedPath::learn_ends(std::vector<ThreadPath> const& same) {
    for (std::size_t t = 0; t < recording_.paths.size() && t < same.size(); ++t)
        if (same[t].has_ended && same[t].events == recording_.paths[t].events) recording_.paths[t].has_ended = true;
}

std::size_t RecordedPath::known_ends() const {
    std::size_t n = 0;
    for (std::uint32_t t = 0; t < threads().size(); ++t) n += threads()[t].has_ended || waits(t) ? 1 : 0;
    return n;
}

std::optional<std::uint32_t> RecordedPath::mark_of(std::uint32_t thread, std::size_t command) const {
    std::uint32_t const m = marks_[thread][command];
    return m == PathMark::none ? std::nullopt : std::optional(m);
}

} // namespace matchpoint::record::threads
