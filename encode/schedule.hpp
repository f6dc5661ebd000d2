// All interleavings unrolled, as bounded model checkers do it: there is a copy of the state for each step, and a
// transition relation between two copies. Table 1 of Symbolic Predictive Analysis for Concurrent Programs compares its
// encoding with such a one in the column BMC (Wang, Yang, Kahlon, Gupta: Peephole Partial Order Reduction, 2008).
//
// For step k = 1, ..., K and a command c, where K is the number of commands that can matter:
//
//   turn!k            the thread that executes its next command; the number of threads if there is no such step
//   done_T!k          the program counter: how many commands thread T has executed after step k
//   var_v!k, flag_v!k the integer or Boolean v after step k; k = 0: the beginning
//   x_c!k             step k executes c: it is the turn of its thread T, and done_T!(k-1) is the place of c
//   divisor_c!i       the i-th divisor of c
//   fails!k           step k executes an assertion that does not hold
//
//   turn              threads take turns as long as they have commands. Steps that execute nothing come last; in a
//                     complete run there are none
//   guard             x_c!k: the guard, assumption or divisor holds in the copy k-1; divisors are not 0
//   assignment        x_c!k: the variable has in the copy k the value of the expression in the copy k-1
//   frame             a variable that no command of step k assigns keeps its value
//   switches          at most b steps are by another thread than the step before
//   property          fails!k for some k
//
// It is exact: a failing execution, cut at its failure, is a model, and the turns of a model are an execution. Every
// step says of every command that can be next whether it is executed, so the text has a line or two for each pair of a
// command and a step: the square of the program. `exact` has a line for each pair of a read and a write.
#pragma once

#include "encode/encoder.hpp"

namespace matchpoint::encode {

/// SMT-LIB 2.6 for a program without messages and barriers, under either `runs`, with a bound on context switches or
/// without. Satisfiable exactly if some execution, or some complete run, fails. Throws std::logic_error unless the
/// options ask for a failure, and order.
void encode_schedule(MessageIndex const& messages, EncoderOptions const& options, Sink const& sink);

} // namespace matchpoint::encode
