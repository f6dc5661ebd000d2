// One execution of a program, complete or not: what every answer of this library is backed by.
//
//   Result<Execution> const run = Execution::of_trace(program, 0);   // the first trace of the file
//   if (run->status() == Status::failure)
//       for (Finding const& f : run->false_assertions()) std::cout << f.text << '\n';
//   run->replay([](Event const& e) { std::cout << e.rule << '\n'; });
//
// The reference machine of Figures 5(b) to 8 runs it when it is first asked about; everything that is said of an
// execution is what the machine did. Two threads may ask at once.
//
// An execution that is not complete ends where some thread cannot go on or need not: in a deadlock, at a fault, at an
// assumption that is false, at an assertion that fails, or where a stepper is.
#pragma once

#include <functional>
#include <variant>

#include <matchpoint/program.hpp>

namespace matchpoint::api {

/// s of Figure 5(b): what was judged so far, of an execution that is not complete.
enum class Status : std::uint8_t {
    success,    // nothing below: every assumption and assertion that was evaluated was true
    failure,    // an assertion was false, and every assumption before it true
    infeasible, // an assumption was false: the recorded program would have taken another branch
    error,      // no rule applies, or a trace that has to be complete stops early
};

std::string_view to_string(Status s);

// What a rule does.

/// PROCESS QUEUE MOVEMENT: the oldest message of a channel reaches its endpoint.
struct Delivered {
    Command send;
};
/// A wait completes a receive, and its variable gets the value of the message.
struct Received {
    Command receive;
    Command send;
    std::string variable;
    Value value;
};
struct Sent {
    Command send;
    Value value;
};
struct Assigned {
    std::string variable;
    std::optional<Value> before;
    Value value;
};
/// An assumption or an assertion was evaluated.
struct Judged {
    bool is_assertion;
    bool holds;
};
/// No rule applies, in words.
struct Stuck {
    std::string why;
};
using Effect = std::variant<Delivered, Received, Sent, Assigned, Judged, Stuck>;

/// A rule of Figures 6 to 8 was applied.
struct Event {
    std::string_view rule;       // "WAIT (RCVI) COMMAND"
    std::size_t step;            // machine steps before it
    std::optional<Command> of;   // the command that it belongs to; none of a delivery that no command follows yet
    std::vector<Effect> effects; // most rules of expressions have none
};
using Observer = std::function<void(Event const&)>;

/// An assertion or an assumption that was false.
struct Finding {
    Command command;
    std::vector<std::pair<std::string, Value>> values; // of its variables
    std::string text; // "assertion at 09, entry 15, does not hold: (assert (= a 4)) with a = 1"
};

/// An unfinished thread, and why it does not go on.
struct Halt {
    std::uint32_t thread;
    Command at;
    std::string why; // "R2 waits for message 1 to endpoint 0; 0 are delivered"
};

class Execution {
public:
    /// A trace of the program's file. It may stop early if the comment that the file begins with says that it leads to
    /// a deadlock, a fault or off the path, or that the recorded run failed. Errors: `usage`, `limit`.
    static Result<Execution> of_trace(Program const& program, std::size_t trace,
                                      Buffering buffering = Buffering::infinite);

    Program const& program() const;
    Buffering buffering() const;
    /// How many entries its trace has. The last of them may be the one that is stuck.
    std::size_t length() const;
    /// The commands of its entries, in their order. A trace of a file may have entries whose locations the program does
    /// not have; those are left out.
    std::vector<Command> commands() const;
    /// Whether every thread is finished.
    bool is_complete() const;
    Status status() const;
    /// The receives that a wait has completed, each with its send.
    std::vector<Match> matches() const;
    std::vector<Finding> false_assertions() const;
    std::vector<Finding> false_assumptions() const;
    /// One for each unfinished thread that cannot go on.
    std::vector<Halt> halts() const;
    /// Why the machine stopped with Status::error; empty if it did not.
    std::string error() const;
    /// At the end; none if it has none.
    std::optional<Value> value(std::string_view variable) const;

    /// In the trace language, on one line: "( (24 bot) (02 bot) (03 ((0 2) bot)) )".
    std::string trace() const;
    /// Every rule in the paper's notation, as `matchpoint run --narrate` prints it.
    std::string narrate() const;
    /// Runs it once more. The observer may be empty.
    void replay(Observer const& observer) const;

    // Copied, and never moved: every Execution has a run.
    Execution(Execution const&) = default;
    Execution& operator=(Execution const&) = default;

    class Impl;
    Impl const& impl() const { return *impl_; }
    explicit Execution(std::shared_ptr<Impl const> impl) : impl_(std::move(impl)) {}

private:
    std::shared_ptr<Impl const> impl_;
};

} // namespace matchpoint::api
