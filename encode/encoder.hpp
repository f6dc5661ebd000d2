// All executions of a program under D1 to D6 as one SMT problem (Sections 5 and 7).
//
// `exact` is satisfiable exactly when some complete run has the outcome that is asked for, whatever superset of the exact
// match pairs it is given (Theorems 2, 3 and 5), for both bufferings. `section5` is Section 5 of the paper to the letter
// (infinite buffering), for comparison: errata.md says where it goes wrong.
//
// exact, of a receive R with ordinal n at beta, and its match pairs (R, S):
//
//   M_R      the number of the send that R gets (1, 2, ... in the order of the program)
//   place_S  the ordinal of the receive that S is matched with; one beyond all receives if there is none
//   value_R, value_S, x!n   what is received and sent, and the versions of variables (errata E7)
//   order_c  the order of a command; instant_R that of a rendezvous (zero buffering)
//
//   match           the disjunction over S of  M_R = S, place_S = n, value_R = value_S, and order_S < order_nw(R)
//                   (zero: order_S < instant_R, and instant_R < order_wait(S) if S is waited for)
//   channel order   place_S < place_S' for consecutive sends of a channel
//   place           a send with a later one in its channel is matched, or its place is beyond all receives
//   waited for      zero: a send that is waited for is matched
//   program order   between consecutive commands that have an order
//   rendezvous      zero: order_R < instant_R < order_nw(R), and the instants of an endpoint ascend
//
// That each send is received at most once, and each receive has one send, follows from M_R and place_S being functions.
//
// An order is only spoken of where it can matter: of commands that lie on a cycle of program order and possible
// send-to-wait edges. Everything else can always be ordered.
#pragma once

#include <functional>
#include <string_view>

#include "matching/match_pairs.hpp"
#include "smt_machine/term.hpp"

namespace matchpoint::encode {

enum class Encoding : std::uint8_t { exact, section5 };

/// Which complete runs a problem asks for.
enum class Asked : std::uint8_t {
    failure, // all assumptions hold, and some assertion does not
    success, // all assumptions and all assertions hold
    any,     // whatever its status
};

struct EncoderOptions {
    Buffering buffering = Buffering::infinite;
    Encoding encoding = Encoding::exact;
    Asked asked = Asked::failure;
    bool order = true;     // false: without order and instants, for a loop that adds cycles as they are found
    bool check_sat = true; // (check-sat) at the end
    bool cores = false;    // (set-option :produce-unsat-cores true)
    bool models = false;   // (set-option :produce-models true)
};

/// Where text goes, part by part.
using Sink = std::function<void(std::string_view)>;

/// SMT-LIB 2.6. Linear in the size of the program and the number of pairs; memory, of `exact`, a few bytes for each pair.
void encode(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options, Sink const& sink);
/// All of it.
std::string encode(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options);

/// M_R = S, as a constraint for the loop, and the name of M_R.
std::string match_term(MessageIndex const& messages, Pair p);
std::string match_symbol(MessageIndex const& messages, std::uint32_t receive);

} // namespace matchpoint::encode
