// Which executions a causal model predicts from one trace (docs/shared_memory.md, "Causal models"; Section 6 of
// Symbolic Predictive Analysis, corrected: errata F13 to F16).
//
//   Expected<CausalModel, std::string> const model = CausalModel::of(messages, buffering, trace, Model::mcm);
//   Interleavings all(messages, buffering, &*model);
//
// The program is cut to the commands that the trace executed. A model is then a set of its executions that every prefix
// of one belongs to, so it is told by which command may come next:
//
//   ctp  any.
//   mcm  a command that is free, or reads in every variable what it read in the trace; a wait, if the messages that it
//        completes have the values that they had. Free are assertions, and assignments, guarded or not, that access
//        synchronisation variables only.
//   hb   a command after all that conflict with it and came before it; a wait, if its receives get what they got.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "executions/shared/accesses.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::executions {

enum class Model : std::uint8_t { ctp, mcm, hb };
std::string_view to_string(Model model);

class CausalModel { // NOLINT(bugprone-exception-escape): see machine::Array
public:
    /// For a trace whose run ends with s = success or failure, complete or not; otherwise the reason why there is no
    /// model. The messages have to outlive it. Linear in the size of the program, times the threads that access one
    /// variable. Throws LimitReached.
    static Expected<CausalModel, std::string> of(MessageIndex const& messages, Buffering buffering,
                                                 Schedule const& trace, Model model);

    Model model() const { return model_; }
    /// Whether a command, the next one of its thread, can follow in an execution of the model, if it can be executed.
    bool allows(State const& state, Location rho) const;
    /// The same of the delivery of a channel's oldest message, of which there is one. A delivery after which a wait
    /// could never be executed need not be excluded.
    bool allows(State const& state, Channel c) const;
    /// Whether every thread has executed all its commands that the trace executed.
    bool is_complete(State const& state) const { return state.ctp == ends_; }

    // What the model asks for, command by command.

    /// A thread that has to have executed a command of it.
    struct Before {
        std::uint32_t thread;
        std::uint32_t command;
    };
    struct Read {
        Variable x;
        Value v;
    };
    /// What a wait completed in the trace.
    struct Received {
        Endpoint beta;
        std::uint32_t ordinal; // of the receive
        Action a_s;
        Value v;
    };

    /// One past the last command of a thread that the trace executed.
    std::uint32_t end(std::uint32_t thread) const { return ends_[thread]; }
    /// hb: commands of other threads that come first. Empty in other models.
    std::span<Before const> before(Location rho) const { return before_[rho.index]; }
    /// mcm: what the command has to read, if it is not free. Empty in other models.
    std::span<Read const> reads(Location rho) const { return reads_[rho.index]; }
    /// mcm: a wait has to complete its receives with these values; hb: with these messages. Empty in ctp.
    std::span<Received const> received(Location rho) const { return received_[rho.index]; }

private:
    class Recorder;

    CausalModel(MessageIndex const& messages, Model model);
    bool receives_the_same(State const& state, Location rho) const;

    MessageIndex const* messages_;
    Model model_;
    machine::Array<std::uint32_t> ends_;          // thread -> one past its last command in the trace
    std::vector<std::vector<Before>> before_;     // hb: command -> the last conflicting ones of other threads
    std::vector<std::vector<Read>> reads_;        // mcm: command that is not free -> what it read
    std::vector<std::vector<Received>> received_; // mcm, hb: wait -> what it completed
    std::vector<std::optional<Action>> sends_;    // hb: receive -> what it got; none if its wait is not in the trace
};

} // namespace matchpoint::executions
