// What each step of a run changes in the state, as cells with their contents before and behind it: enough to show any
// state of a run, forwards and backwards, in the size of the run. (Figure 5(b)'s trace, ctp and s are in the diagram.)
#pragma once

#include <vector>

#include "machine/observer.hpp"

namespace matchpoint::report {

struct Change {
    enum class Part : std::uint8_t { h, A, Pnd_s, Pnd_r, Q_s, match };
    Part part;
    /// Variable; action; channel; endpoint; endpoint; receive.
    std::uint32_t index;
    /// Of an entry of a queue: which of all that were ever put into it. Else 0.
    std::uint32_t ordinal;
    /// h: the value, bot for none. A: the endpoint. Queues: "[S4 4]", as is in them. match: the send.
    std::string before; // empty: nothing is there
    std::string after;
};

class ChangesRecorder final : public Observer {
public:
    /// Of a run from its initial state on, without steps that are taken back.
    explicit ChangesRecorder(IndexedProgram const& code) : code_(&code) {}

    void on(State const& state, Event const& event) override;

    std::size_t steps() const { return ends_.size(); }
    /// Of entry i, in the order in which they were made.
    std::span<Change const> of(std::size_t i) const {
        std::size_t const first = i == 0 ? 0 : ends_[i - 1];
        return std::span(changes_).subspan(first, ends_[i] - first);
    }

private:
    void change(Change::Part part, std::uint32_t index, std::uint32_t ordinal, std::string before, std::string after) {
        changes_.push_back({part, index, ordinal, std::move(before), std::move(after)});
    }

    IndexedProgram const* code_;
    std::vector<Change> changes_;
    std::vector<std::size_t> ends_;
};

} // namespace matchpoint::report
