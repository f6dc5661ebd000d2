// The exact encoding: all executions of a program under D1 to D6 as one SMT problem (Sections 5 and 7 of the paper).
//
// It is satisfiable exactly if some complete run has the outcome that is asked for. That holds for both bufferings, and
// for every superset of the exact match pairs (Theorems 2, 3 and 5).
//
// For a receive R with ordinal n at beta, and its match pairs (R, S):
//
//   M_R      the number of the send that R gets (1, 2, ... in program order)
//   place_S  the ordinal of the receive that gets S (not the place of S in its channel); if there is none, a number
//            beyond all receives of the endpoint
//   value_R, value_S, x!n   what is received, what is sent, and the versions of variables (errata E7)
//   order_c, instant_R      when a command is executed, and when a rendezvous takes place (zero buffering)
//
//   match           the disjunction over S of  M_R = S, place_S = n, value_R = value_S, and order_S < order_nw(R)
//                   (zero: order_S < instant_R, and instant_R < order_wait(S) if S is waited for)
//   channel order   place_S < place_S' for consecutive sends of a channel
//   place           a send with a successor in its channel is matched, or its place is beyond all receives
//   waited for      zero: a send that is waited for is matched
//   program order   between consecutive commands that have an order
//   rendezvous      zero: order_R < instant_R < order_nw(R), and the instants of an endpoint ascend
//
// M_R and place_S are functions, so each receive gets one send, and each send is received at most once.
//
// Only commands on a cycle of program order and possible send-to-wait edges have an order: all others can always be
// ordered.
#pragma once

#include "encode/encoder.hpp"

namespace matchpoint::encode {

/// SMT-LIB 2.6. Linear in the size of the program and the number of pairs; takes a few bytes of memory for each pair.
void encode_exact(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options,
                  Sink const& sink);
/// The same as one string.
std::string encode_exact(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// M_R = S as a term, to block matches in a loop; and the name of M_R.
std::string match_term(MessageIndex const& messages, Pair p);
std::string match_symbol(MessageIndex const& messages, std::uint32_t receive);

} // namespace matchpoint::encode
