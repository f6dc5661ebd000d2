// Going back. History notes, while the machine runs, what each step overwrote; undoing a step puts it back.
//
// Queues only grow (state.hpp), so most of a step is undone by counting down. What has to be noted is some sixteen
// bytes a reduction that changes the state: a run of a million steps is a few tens of megabytes, and any step of it is
// reached by undoing, or running again, what lies between.
#pragma once

#include <vector>

#include "machine/observer.hpp"

namespace matchpoint::machine {

class History final : public Observer {
public:
    explicit History(IndexedProgram const& code) : code_(&code) {}

    void on(State const& state, Event const& event) override;

    /// How many steps can be undone; the error that ended a run counts as one.
    std::size_t size() const { return steps_; }

    /// Undoes the last step. The state has to be the one that was last told of. False if there is none.
    bool undo(State& state);

private:
    struct Record {
        enum class Kind : std::uint8_t { step, movement, assigned, sent, posted, completed, removed, status, error };
        Kind kind;
        std::uint32_t subject; // step: location; movement: channel; assigned, completed: variable; else action
        Value before;
    };

    void undo(State& state, Record const& record) const;
    void note(Record::Kind kind, std::uint32_t subject, Value before = {}) {
        records_.push_back({kind, subject, std::move(before)});
    }

    IndexedProgram const* code_;
    std::vector<Record> records_;
    std::size_t steps_ = 0;
};

} // namespace matchpoint::machine
