// A run that the user moves by hand: along a trace or by choosing each transition; forward, back, or to any step.
//
// The plan is a sequence of entries; the first `at().steps` of them have run. When a trace is followed, the plan is
// that trace. A choice cuts the plan and appends itself. No state is stored for each step: the machine undoes steps,
// and the plan says how to redo them, so that any step of a run of a million is near.
//
// Between two steps lie the rules of the next entry (Figures 6 to 8): its queue movements, the reductions of its
// expression, its command's rule, and MACHINE STEP. A point inside an entry is a copy of the state, taken by an
// observer. Deliveries that were chosen before the command that they precede are such a point, too.
//
// A user may give a variable another value by hand. Such an overwrite lies between two entries of the plan: a move of
// its own, forward and back. What follows it is not a run of the program.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "machine/machine.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::executions {

class Stepper {
public:
    /// How far the run is.
    struct Point {
        std::size_t steps = 0; // machine steps; the one that made s error counts
        std::size_t rules = 0; // of the next entry: those that have been applied
        auto operator<=>(Point const&) const = default;
    };
    /// A transition, and whether it can be chosen.
    struct Choice {
        Transition what;
        std::optional<Stuck> blocked; // why it cannot be taken now
    };
    /// A value given to a variable by hand, after so many steps.
    struct Overwrite {
        std::size_t steps;
        Variable x;
        Value v;
    };
    /// A place to come back to: the plan, and how far it has run.
    class Bookmark {
        friend class Stepper;

    public:
        Point at() const { return at_; }
        bool operator==(Bookmark const&) const = default;

    private:
        std::shared_ptr<Schedule> plan_; // nobody changes it as long as a bookmark has it
        std::shared_ptr<std::vector<Overwrite> const> overwrites_;
        std::size_t overwritten_ = 0;
        std::vector<Channel> chosen_;
        std::optional<std::size_t> trace_;
        Extent extent_ = Extent::complete;
        Point at_;
    };

    /// At the beginning, with an empty plan. The code has to outlive it.
    Stepper(IndexedProgram const& code, Buffering buffering);
    Stepper(Stepper const&) = delete;
    Stepper& operator=(Stepper const&) = delete;

    /// As it was made. The code may have become that of another program since then; bookmarks are void.
    void start_again();

    IndexedProgram const& code() const { return machine_.code(); }
    Buffering buffering() const { return machine_.buffering(); }
    /// The observer of the rules that forward moves apply. It hears nothing of undoing and of looking ahead.
    void observe(Observer* observer) { observer_ = observer; }
    Observer* observer() const { return observer_; }

    /// Plans trace t of the program, from its beginning. Where it is used up, a prefix ends without an error.
    void follow(std::size_t t, Extent extent = Extent::complete);
    /// Plans these entries from here on instead of what was planned.
    void plan(Schedule const& rest);
    /// The trace that is followed; none when something else was chosen.
    std::optional<std::size_t> trace() const { return trace_; }
    Schedule const& plan() const { return *plan_; }
    /// The steps that were made, and no more. Without what was overwritten.
    Schedule path() const;
    /// Makes them on a machine in its initial state, with what was overwritten.
    void run_again(Machine& machine) const;

    Point at() const { return at_; }
    bool at_beginning() const { return at_ == Point{} && overwritten_ == 0; }
    State const& state() const { return inside_ ? *inside_ : machine_.state(); }
    /// The state after the steps and the deliveries made so far; before the next command, if that has begun.
    State before_command();
    /// Nothing can follow: every thread is finished, or s is error.
    bool ended() const { return base().s == Status::error || base().finished(); }
    /// Where and why a run ended in error. Its last step is the one that is stuck.
    std::optional<RunError> const& error() const { return error_; }
    /// Whether there is an entry or an overwrite to go on with, or a trace that is used up too early to end in error.
    bool has_next() const;
    /// The command that the plan has next; none if it has an overwrite.
    std::optional<Location> next() const;
    /// The overwrite that the plan has next.
    std::optional<Overwrite> next_overwrite() const;
    /// The overwrites that were made.
    std::span<Overwrite const> overwrites() const { return std::span(*overwrites_).first(overwritten_); }
    /// The last move, if it was an overwrite.
    std::optional<Overwrite> last_overwrite() const;
    /// Calls f with the values that variables got, the last one first, until f returns false. Those of an entry that is
    /// begun are left out.
    void each_write(std::function<bool(History::Write const&)> const& f) const {
        machine_.history()->each_write(base(), f);
    }

    /// The rest of the next entry of the plan, or the overwrite that comes next. False: there is none. Throws
    /// LimitReached, at the same point as before.
    bool step();
    /// One rule of the next entry, or the overwrite.
    bool step_rule();
    /// Back to the last step's beginning, or to the beginning of the entry that is begun; or takes an overwrite back.
    /// False: at the very beginning.
    bool back();
    bool back_rule();
    /// Goes to the point after so many steps and their overwrites, or as near as the plan goes. The observer is not
    /// told.
    void jump(std::size_t steps);

    /// What can come next, threads first; with `blocked` also what cannot, and why.
    std::vector<Choice> choices(bool blocked = false);
    /// A thread's next command, as a transition: of a probe, with the first message that it can see, if there is one.
    Execute command(Location rho) const;
    /// Why a command or a delivery cannot be taken now; none if it can. A step that exceeds a limit counts as possible;
    /// choose() throws.
    std::optional<Stuck> why_not(Transition const& what);
    /// Takes it, if it can be taken; else says why not, and nothing happens. What was planned is dropped, unless it was
    /// the same. Throws LimitReached, and nothing happens.
    std::optional<Stuck> choose(Transition const& what);
    /// Gives a variable another value here, before the deliveries of the next entry. The plan stays, without the
    /// overwrites that it had from here on. Throws std::logic_error after an error, and where the command of the next
    /// entry has begun.
    void overwrite(Variable x, Value v);
    /// Whether the command of the next entry has begun, and not just its deliveries.
    bool command_begun() const { return chosen_.empty() && at_.rules > moved().size(); }

    Bookmark bookmark() const;
    void restore(Bookmark const& bookmark);

private:
    class Snapshot;
    class Tentative;
    class Listening;

    /// Passes events on to an observer that changes from call to call.
    class Relay final : public Observer {
    public:
        void on(State const& state, Event const& event) override {
            if (to != nullptr) to->on(state, event);
        }
        Observer* to = nullptr;
    };

    /// Before the entry that is begun.
    State const& base() const { return machine_.state(); }
    Entry planned() const { return plan_->entry(at_.steps); }
    /// The deliveries of the next entry that were made.
    std::vector<Channel> moved() const;
    /// As why_not(). Throws LimitReached.
    std::optional<Stuck> tried(Transition const& what);
    Step apply_planned(Observer* observer);
    std::size_t count_rules();
    bool is_next_command(Location rho);
    bool is_planned(Transition const& what, std::vector<Channel> const& deliveries);
    Schedule& plan_to_change();
    /// Drops what was planned from here on.
    Schedule& cut_plan();
    void cut_overwrites();
    void overwrite_next();
    /// Shows the state inside the next entry, after so many rules.
    void look_inside(std::size_t rules, bool tell);
    /// Shows the state after the chosen deliveries. The observer hears of those from number `told` on.
    void look_inside_chosen(std::size_t told = SIZE_MAX);
    void forward(std::size_t steps, std::size_t overwritten);

    Machine machine_;
    Relay relay_;
    std::optional<State> inside_;
    Observer* observer_ = nullptr;
    std::shared_ptr<Schedule> plan_;                           // bookmarks share it
    std::shared_ptr<std::vector<Overwrite> const> overwrites_; // of the plan, in its order; bookmarks share them
    std::size_t overwritten_ = 0;                              // how many of them were made
    std::optional<std::size_t> trace_;
    Extent extent_ = Extent::complete; // of that trace
    std::vector<Channel> chosen_;      // deliveries for an entry whose command is not chosen yet
    Point at_;
    std::optional<RunError> error_;
};

} // namespace matchpoint::executions
