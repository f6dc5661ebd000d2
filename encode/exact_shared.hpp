// The executions of a program with shared variables, and with messages if it has any, as one SMT problem
// (docs/encoding.md, "Shared variables"; Sections 4 and 5 of Symbolic Predictive Analysis, corrected: errata F2 to F5,
// F7 to F10, F19).
//
// It is satisfiable exactly if some execution, or some complete run, is as asked. That holds for both bufferings, for
// every superset of the match pairs of all executions, with a bound on context switches or without, and for the
// executions of a causal model.
//
// For a command c with the symbols of shared_events.hpp and cssa.hpp:
//
//   program order  x_c only if the command before it, and later than that
//   guard          x_c: the guard holds; divisors are not 0
//   read           x_c: pi_x = var_x!k for some k, from_x = k, and clock_x is the time of that write, which is executed
//                  before c. Every other executed write of x comes before clock_x, or after c
//   match          M_R = S, place_S = the ordinal of R, value_R = value_S, x of the send, and the order of exact.hpp
//   switches       every executed command lies in one of b + 1 segments of time, each of which belongs to one thread.
//                  By owner: its time is 1, ..., b + 1, and owner(time) is its thread; consecutive ones of a thread may
//                  share a time
//   property       some executed assertion does not hold
//
// A failing execution, cut at its failure, is a model. From a model, the commands with x in the order of their times
// are an execution: a read never has the time of a write of another thread that it could get, and all that was read,
// received and tested is as it is there. Commands of one thread that share a time stay in their order.
#pragma once

#include <string>
#include <string_view>

#include "base/expected.hpp"
#include "encode/shared_events.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::encode {

/// A question about the executions of a program without selectors, modes and barriers.
class SharedQuestion {
public:
    /// All have to outlive it. Without `order`, with a model or a bound and asked for anything but failures, or with a
    /// bound by owner and zero buffering, whose rendezvous come between segments: std::logic_error.
    SharedQuestion(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options,
                   CausalModel const* model = nullptr);

    /// SMT-LIB 2.6. Linear in the size of the program, the number of pairs, and for each read the number of writes that
    /// it may get (OrderOfWrites::pairs: the square of that number).
    void write(Sink const& sink) const;
    std::string text() const;

    /// Whether the assertion of this name limits the number of context switches. Without these assertions, the problem
    /// has the models that it has without a bound.
    static bool is_of_bound(std::string_view name);

    /// The execution of a model of write(), ready to be run. The error says what is missing in the model.
    Expected<Schedule, std::string> schedule(std::string_view model) const;

private:
    EncoderOptions const& options_;
    SharedEvents events_;
};

} // namespace matchpoint::encode
