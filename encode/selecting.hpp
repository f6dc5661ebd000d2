// The executions of any program as an SMT problem, with selectors, modes and barriers as they are. It serves programs
// that cannot be lowered (lowering/lowered.hpp), and is a second encoding of plain programs, written independently of
// the exact one.
//
//   executed_T  the number of commands of thread T that are executed
//   order_C     the moment of command C
//   arrived_S   S has been delivered to its endpoint, at the moment arrival_S
//   M_R         the number of R's partner among the sends, counted from 1; 0: R has none
//   matched_R   where receives select, the moment at which R gets its partner
//   taken_R_N   elsewhere, the N-th send is the partner of a receive that was issued before R
//
// An executed wait has its partner before it, and an executed barrier has the commands in front of its other
// occurrences.
//
// Where receives select, a message arrives when it is matched (machine/partners.hpp): its receive is issued, each
// earlier receive that admits it has its partner already, and each earlier message of its source that the receive
// admits has arrived. In a deadlock, no receive that is issued and no message that is sent are left that fit.
//
// Elsewhere, messages of a channel arrive in their order, and the k-th receive has the k-th message: R has S if R is
// issued, S has arrived, and every message that arrived before S is the partner of an earlier receive; R has none if
// every message is. A rendezvous moves a message only when its receive is posted. Here it arrives at any time: that
// changes no partner, and waits for sends wait for partners, not for movements.
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
    deadlock, // every unfinished thread waits, and no delivery is left that could help
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
