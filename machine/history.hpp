// Going back. While the machine runs, History records what each transition overwrote; undoing a transition restores it.
//
// Queues only grow (state.hpp), so most of a transition is undone by counting down. A reduction that changes the state
// costs some sixteen bytes: a run of a million steps takes a few tens of megabytes, and any step of it is reached by
// undoing, or running again, what lies between.
#pragma once

#include <functional>
#include <vector>

#include "machine/observer.hpp"

namespace matchpoint::machine {

class History final : public Observer {
public:
    explicit History(IndexedProgram const& code) : code_(&code) {}

    void on(State const& state, Event const& event) override;
    /// A variable got another value, by no rule. Counts as a transition.
    void overwritten(Variable x, Value before) { note(Record::Kind::overwritten, x.index, std::move(before)); }

    /// A value that a variable got.
    struct Write {
        std::uint64_t entry; // of the trace, from 0; of an overwritten value: the one that came next
        Location rho;        // the command; none if overwritten
        Variable x;
        Action a_r; // the receive that the command completed; none for an assignment
    };
    /// Calls f with each, the last one first, until it returns false. The state has to be the one after the last
    /// transition.
    void each_write(State const& state, std::function<bool(Write const&)> const& f) const;

    /// Undoes the last transition (transition.hpp): a delivery, a command, or the error that ended the run. The state
    /// has to be the one after it. False if there is none.
    bool undo(State& state);
    /// Undoes the last command, or error, with the deliveries in front of it. False if there is none.
    bool undo_entry(State& state);
    void clear() { records_.clear(); }

private:
    struct Record {
        enum class Kind : std::uint8_t {
            step,
            movement,
            assigned,
            sent,
            posted,
            probed,
            started,
            completed,
            removed,
            status,
            error,
            overwritten,
        };
        Kind kind;
        std::uint32_t subject; // step: location; movement: channel; assigned, overwritten: variable; else action
        Value before;
    };

    static bool ends_transition(Record const& record);
    void undo(State& state, Record const& record) const;
    void undo_probe(State& state, Probe const& probe) const;
    std::uint32_t slot_of(State const& state, Action a_r) const;
    void note(Record::Kind kind, std::uint32_t subject, Value before = {}) {
        records_.push_back({kind, subject, std::move(before)});
    }

    IndexedProgram const* code_;
    std::vector<Record> records_;
};

} // namespace matchpoint::machine
