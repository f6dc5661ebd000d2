// What each step of a run changes in the state: cells, with their contents before and after the step. This is enough to
// show any state of the run, forwards and backwards, and its size is linear in the run. (The components trace, ctp and
// s of Figure 5(b) are in the diagram.)
//
//   ChangesRecorder changes(code);
//   machine.observe(changes);
//   run(machine, trace);
//   for (Change const& c : changes.of(3)) ... // of entry 3
#pragma once

#include <vector>

#include "machine/observer.hpp"

namespace matchpoint::report {

struct Change {
    enum class Part : std::uint8_t { h, A, Pnd_s, Pnd_r, Q_s, match };
    Part part;
    /// A variable; an action; a channel; an endpoint; an endpoint; a receive.
    std::uint32_t index;
    /// In a queue: the ordinal of the entry among all that ever entered the queue. Otherwise 0.
    std::uint32_t ordinal;
    /// h: the value. A: the endpoint. Queues: the entry, "[S4 4]". match: the send.
    std::string before; // empty if nothing is there
    std::string after;
};

class ChangesRecorder final : public Observer {
public:
    /// Records a run from its initial state on. Steps must not be taken back.
    explicit ChangesRecorder(IndexedProgram const& code) : code_(&code) {}

    void on(State const& state, Event const& event) override;

    std::size_t steps() const { return ends_.size(); }
    /// The changes of entry i, in the order in which they happened.
    std::span<Change const> of(std::size_t i) const {
        std::size_t const first = i == 0 ? 0 : ends_[i - 1];
        return std::span(changes_).subspan(first, ends_[i] - first);
    }

private:
    /// Drops the changes of an entry that did not complete.
    void drop_unfinished() { changes_.resize(ends_.empty() ? 0 : ends_.back()); }
    void change(Change::Part part, std::uint32_t index, std::uint32_t ordinal, std::string before, std::string after) {
        changes_.push_back({part, index, ordinal, std::move(before), std::move(after)});
    }

    IndexedProgram const* code_;
    std::vector<Change> changes_;
    std::vector<std::size_t> ends_;
};

} // namespace matchpoint::report
