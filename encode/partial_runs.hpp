// Executions that do not complete, as an SMT problem: does one get stuck, does one come to a zero divisor?
//
// Beside the encoding of complete runs (encoder.hpp), with which it shares M_R, place_S, values and order, it says how far
// each thread gets:
//
//   executed_T   how many commands of thread T are executed
//   filled_R     R gets a message. Infinite buffering: exactly if its nearest-enclosing wait is executed
//
// What is received has been sent, and a wait that is executed has what it waits for. Beyond that a problem asks for
//
//   deadlock   every thread is finished or stands at a wait that it cannot pass, one of them does, and nothing more can be
//              delivered: no endpoint has both a posted receive without a message and a message sent and not taken
//              (zero buffering; with infinite buffering how far threads get does not depend on who gets what)
//   fault      some thread stands at a command with a divisor that is zero
#pragma once

#include "encode/encoder.hpp"

namespace matchpoint::encode {

enum class Stop : std::uint8_t { deadlock, fault };

/// SMT-LIB 2.6, without (check-sat). Satisfiable exactly if there is such an execution. Deadlock is asked for zero
/// buffering: std::logic_error otherwise. Linear in the size of the program and of overapprox().
std::string encode_stop(MessageIndex const& messages, Buffering buffering, Stop stop);

} // namespace matchpoint::encode
