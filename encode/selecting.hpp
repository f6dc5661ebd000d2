// The executions of any program as an SMT problem, with selectors, modes and barriers as they are. It serves programs
// that cannot be lowered (lowering/lowered.hpp), and is a second encoding of plain programs, written independently of
// the exact one.
//
//   executed_T  the number of commands of thread T that are executed
//   order_C     the moment of command C
//   arrived_S   S has been delivered to its endpoint, at the moment arrival_S
//   M_R         the number of R's partner among the sends, counted from 1; 0: R has none
//   taken_R_N   the N-th send is the partner of a receive that was issued before R
//
// Messages of a channel arrive in their order. The partners are the stable matching of docs/semantics.md: R has S if R
// is issued, S has arrived, and every message that R admits and that arrived before S is the partner of an earlier
// receive; R has none if every message that R admits is the partner of an earlier receive. An executed wait has its
// partner before it, and an executed barrier has the commands in front of its other occurrences.
//
// At an endpoint without selectors a rendezvous moves a message only when its receive is posted. Here it arrives at any
// time: that changes no partner, and waits for sends wait for partners, not for movements.
//
// Its size is that of each pair of messages that a receive admits, for each receive.
#pragma once

#include "base/expected.hpp"
#include "encode/encoder.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::encode {

enum class SelectingGoal : std::uint8_t {
    failure,  // an executed assertion does not hold
    success,  // all threads finish, and all assertions hold
    any,      // all threads finish
    deadlock, // every unfinished thread waits, and every message that was sent has arrived
    fault,    // a thread is at a divisor that is zero
};

struct SelectingQuestion {
    Buffering buffering = Buffering::infinite;
    Runs runs =
        Runs::executions; // complete: `failure` is about complete runs, `deadlock` and `fault` on the path or not
    SelectingGoal goal = SelectingGoal::failure;
};

/// SMT-LIB 2.6. Satisfiable exactly if there is such an execution.
void encode_selecting(MessageIndex const& messages, SelectingQuestion const& question, EncoderOptions const& options,
                      Sink const& sink);

/// The execution of a model, ready to be run. The error says what is missing in the model. Throws LimitReached.
Expected<Schedule, std::string> schedule_of_model(MessageIndex const& messages, Buffering buffering,
                                                  std::string_view model);

} // namespace matchpoint::encode
