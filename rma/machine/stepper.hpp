// A run that goes forward and back: what has happened, and what is planned to happen next.
//
//   Stepper stepper(machine);
//   for (Choice const& c : stepper.choices()) std::cout << c.word << "  " << c.text << "\n";
//   stepper.take(stepper.choices()[0].transitions);
//   stepper.back(1);    // it is planned now
//   stepper.forward();
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rma/machine/machine.hpp"

namespace matchpoint::rma {

/// Something that can come next, and the word of schedules that means it.
struct Choice {
    std::string word; // `rw:2#1`
    std::string text; // "2#1: (put Y 1 X); reads X = 3; then Y = 3"
    std::vector<Transition> transitions;
};
/// Steps of processes, then each pending read with its write and alone, then writes.
std::vector<Choice> choices(Machine const& machine, State const& state);

class Stepper {
public:
    /// The machine has to outlive it.
    explicit Stepper(Machine const& machine);

    /// A place of a run, and the run. It stays valid whatever happens.
    struct Bookmark {
        std::shared_ptr<std::vector<Transition>> run; // is not changed as long as a bookmark has it
        std::size_t at = 0;
        bool operator==(Bookmark const&) const = default;
    };
    Bookmark bookmark() const { return {run_, at_}; }
    void restore(Bookmark const& b);

    Machine const& machine() const { return *machine_; }
    State const& state() const { return state_; }
    /// How many steps have been taken.
    std::size_t at() const { return at_; }
    /// With those that are planned.
    std::size_t size() const { return run_->size(); }
    std::span<Transition const> path() const { return std::span(*run_).first(at_); }
    /// What is planned to come next; null if nothing is.
    Transition const* planned() const { return at_ < run_->size() ? &(*run_)[at_] : nullptr; }
    /// What the last step did; `moved` at the beginning.
    Effect effect() const { return at_ == 0 ? Effect::moved : effects_[at_ - 1]; }
    /// A false assumption or a zero divisor has ended the run.
    bool ended() const { return effect() == Effect::discarded || effect() == Effect::faulted; }
    bool is_final() const { return machine_->is_final(state_); }
    /// The properties that are false here: invariants; in a final state those of final states, too. A zero divisor is
    /// false.
    std::vector<std::size_t> broken() const;
    /// Whether something went wrong up to here.
    bool violated() const { return failures_ > 0; }
    std::vector<Choice> choices() const;

    /// Takes the step that is planned.
    Effect forward();
    /// Takes a step that can come next. It replaces the plan, unless that begins with it.
    Effect take(Transition const& t);
    void back(std::size_t steps);
    /// Plans a run from the beginning on, and goes there.
    void follow(std::vector<Transition> run);

private:
    static constexpr std::size_t every = 64; // steps, of which states are kept

    Effect apply();
    void go_to(std::size_t at);

    Machine const* machine_;
    std::shared_ptr<std::vector<Transition>> run_;
    std::size_t at_ = 0;
    State state_;
    std::vector<State> kept_;     // the states after multiples of `every` steps
    std::vector<Effect> effects_; // of the steps up to here
    std::vector<bool> fails_;     // of the states up to here, from the initial one on
    std::size_t failures_ = 0;    // so many of these
};

} // namespace matchpoint::rma
