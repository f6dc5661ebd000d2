// Executions that need not complete, as an SMT problem: can one fail, deadlock, divide by zero?
//
// The problem shares M_R, place_S, values and order with the encoding of complete runs (exact.hpp). In addition it has
// how far each thread gets:
//
//   executed_T   the number of commands of thread T that are executed
//   filled_R     R gets a message. With infinite buffering: its nearest-enclosing wait is executed
//
// A message that is received has been sent, and an executed wait has what it waits for. Then a problem asks for
//
//   deadlock   every thread is finished or at a wait that it cannot pass, some thread is at one, and nothing more can
//              be delivered: no endpoint has both a posted receive without a message and a message that was sent and
//              not taken (zero buffering only: with infinite buffering, how far threads get does not depend on the
//              matches)
//   fault      some thread is at a command with a divisor that is zero
//   failure    some assertion that is executed does not hold
//
// Under Runs::executions every executed assumption holds: the execution is on the path. Then, with infinite buffering,
// a deadlock is where every thread gets as far as the numbers of messages let it (matching/reach.hpp), and some thread
// does not finish.
//
// Why any order of the executed commands will do for a failure: the executed assumptions all hold, so s is never
// infeasible, and the assertion that does not hold makes it failure whenever it is executed.
#pragma once

#include "encode/encoder.hpp"

namespace matchpoint::encode {

enum class Stop : std::uint8_t { deadlock, fault };

/// SMT-LIB 2.6, without (check-sat). Satisfiable exactly if there is such an execution. Throws std::logic_error if
/// asked for a deadlock of Runs::complete with infinite buffering. Linear in the size of the program and of
/// overapprox().
std::string encode_stop(MessageIndex const& messages, Buffering buffering, Stop stop, Runs runs = Runs::complete);
/// The same about the executions that have no matches but these pairs. Linear in the size of the program and of the
/// pairs.
std::string encode_stop(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering, Stop stop,
                        Runs runs);

/// SMT-LIB 2.6. Satisfiable exactly if some execution on the path fails, provided that the pairs are a superset of
/// those of all executions on the path (tight_on_path). `options` asks for a failure under Runs::executions. Linear in
/// the size of the program and of the pairs.
std::string encode_failing_execution(MessageIndex const& messages, MatchPairs const& pairs,
                                     EncoderOptions const& options);

} // namespace matchpoint::encode
