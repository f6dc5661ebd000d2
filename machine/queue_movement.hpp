// Figure 7, the queue reductions ->q.
#pragma once

#include "machine/observer.hpp"

namespace matchpoint::machine {

/// Figure 7, PROCESS QUEUE MOVEMENT, one pair (beta alpha) of m
///   ([a_s v] [a_1 v_1] ...) = Pnd_s(beta)(alpha)
///   Pnd_s_p = [Pnd_s | beta -> [Pnd_s(beta) | alpha -> ([a_1 v_1] ...)]]
///   Q_s_p = [Q_s | beta -> Q_s(beta) ++ [a_s v]]                                        errata E1: appends
///   with zero buffering: |Q_s(beta)| < |Pnd_r(beta)|, a partner is posted               errata E14
///   where beta selects: a_s is the first with its tag, and the movement is a match      errata E38
///   (Pnd_s Q_s ((beta alpha) (beta_0 alpha_0) ... bot) s) ->q (Pnd_s_p Q_s_p ((beta_0 alpha_0) ... bot) s)
Step process_queue_movement(State& state, IndexedProgram const& code, Buffering buffering, Channel channel,
                            Observers const& observers);

/// At an endpoint that selects: the oldest message of a lane moves, and is the partner of receive n.
void move_to_partner(State& state, IndexedProgram const& code, Channel lane, std::uint32_t n);

/// Undoes the last one of these to beta.
void take_movement_back(State& state, IndexedProgram const& code, Endpoint beta);

} // namespace matchpoint::machine
