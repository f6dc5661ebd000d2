// A run that is moved by hand: forward and back, along an execution or by choosing what comes next.
//
//   Stepper stepper(program);
//   while (!stepper.choices().empty() && stepper.take(stepper.choices().front())) {}
//   stepper.back();
//   std::cout << stepper.execution().trace();
//
// What can come next is data: a thread executes its next command, or the oldest message of a channel is delivered. An
// entry (rho m) of a trace is the deliveries m, and then the command at rho.
//
// No state is stored for each step. The machine undoes steps, so that going back costs as much as going forward, and a
// run of a million steps fits into memory.
#pragma once

#include <matchpoint/execution.hpp>

namespace matchpoint::api {

/// What can come next.
struct Transition {
    enum class Kind : std::uint8_t {
        execute, // the command, which is the next one of its thread
        deliver, // the message of the send, which is the oldest one of its channel
    };
    Kind kind;
    Command command;
    std::optional<Command> sees = {}; // of a probe: the send whose message it sees
    bool operator==(Transition const&) const = default;
};

/// One that was moved from can be assigned to or destroyed, and nothing else.
class Stepper {
public:
    /// At the beginning of the program.
    explicit Stepper(Program program, Buffering buffering = Buffering::infinite);
    /// At the beginning of an execution, which is planned.
    explicit Stepper(Execution const& execution);
    Stepper(Stepper&&) noexcept;
    Stepper& operator=(Stepper&&) noexcept;
    ~Stepper();

    Program const& program() const;
    /// Commands executed so far. One that is stuck, which only a plan leads to, counts.
    std::size_t at() const;
    Status status() const;
    /// Every thread is finished, or the status is `error`.
    bool has_ended() const;
    /// None before it has one.
    std::optional<Value> value(std::string_view variable) const;
    /// The next command of a thread; none if it is finished.
    std::optional<Command> next(std::uint32_t thread) const;
    std::vector<Match> matches() const;

    /// Commands by thread, then deliveries by channel.
    std::vector<Transition> choices();
    /// Why a transition cannot be taken now, in a sentence; none if it can.
    std::optional<std::string> why_not(Transition const& t);
    /// Takes it, and drops what was planned unless that begins with it. Error `usage`: why it cannot be taken, and
    /// nothing happens. Error `limit`.
    Result<Status> take(Transition const& t);
    /// The next command of the plan, with the deliveries before it. False if nothing is planned. Error `limit`.
    Result<bool> forward();
    /// Undoes the last command with the deliveries before it, which are planned then. False at the beginning.
    bool back();
    /// Goes to where so many commands have run, or as near as the plan goes.
    void jump(std::size_t commands);

    /// What was done so far.
    Execution execution() const;
    /// Calls it with each rule that take() and forward() apply, instead of the one before. It may be empty. It must not
    /// throw. It must not move the stepper or ask what can come next: that throws std::logic_error.
    void observe(Observer observer);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::api
