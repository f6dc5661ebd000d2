// The short paper's encoding to the letter: Figures 2 and 3, and the text of Section 2 around them. "The results from the
// two algorithms are conjuncted with assertions on program order (P_Order), negated properties that define a correct system
// (not P_Prop), and other events in the execution (P_Events)":
//
//   P = P_Order and P_MatchPairs and P_Unique and not P_Prop and P_Events
//
// Where the text leaves something open:
//   P_Order   of the calls of a thread, each before the next one; the text names no exception.
//   P_Prop    one formula that is negated, so the conjunction of all properties; of none it is true, as P_MatchPairs and
//             P_Unique are at first. (Errata E5 and E6 are the other paper's.)
//   "the call to the wait operation that is associated with the receive"   the wait that names it (errata E29). Where
//             there is none, with a receive that a later one's wait completes, nothing can be said of it.
//   P_Events  assignments and assumptions, "the same sequence of conditional branch outcomes"; in versions, as `exact` has
//             them, and a divisor may be zero (errata E31).
//   Figure 3  counts i and j up to |Recvs|; the receives from 0 on are |Recvs| - 1 at most.
//
// There is no order of the messages of a channel (errata E19), nor of the receives at an endpoint.

#include <fmt/format.h>

#include "encode/literal_encoders.hpp"
#include "encode/program_terms.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

std::string short_paper(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options) {
    IndexedProgram const& code = messages.code();
    auto const& recvs = messages.receives();
    auto const& sends = messages.sends();
    ProgramTerms const events(messages);
    std::string out;
    auto const line = [&](std::string_view text) {
        out += text;
        out += '\n';
    };
    auto const name = [&](std::string_view prefix, auto id) {
        return fmt::format("{}{}", prefix, mangle(code.names()(id)));
    };
    auto const order = [&](Location rho) { return name("order_", rho); };
    auto const id = [&](std::uint32_t recv) { return name("id_", recvs[recv].a); };

    // The calls of each thread, and of each receive the wait operation that is associated with it.
    std::vector<std::vector<Location>> calls;
    std::vector<Location> wait_of(recvs.size());
    for (Thread const& t : code.ctp().threads) {
        std::vector<Location>& of_thread = calls.emplace_back();
        for (Location rho{t.first}; rho.index < t.last; ++rho.index) {
            Command const& c = code.command_at(rho);
            auto const* const wait = std::get_if<Wait>(&c);
            if (wait != nullptr && code.as_rcvi(wait->a) != nullptr) wait_of[messages.receive_number(wait->a)] = rho;
            if (wait != nullptr || std::holds_alternative<Sndi>(c) || std::holds_alternative<Rcvi>(c))
                of_thread.push_back(rho);
        }
    }

    line("(set-info :smt-lib-version 2.6)");
    if (options.cores) line("(set-option :produce-unsat-cores true)");
    if (options.models) line("(set-option :produce-models true)");
    line(events.nonlinear ? "(set-logic QF_NIA)" : "(set-logic QF_LIA)");
    for (std::string const& d : events.declarations) line(d);
    for (auto const& of_thread : calls)
        for (Location const rho : of_thread) line(fmt::format("(declare-const {} Int)", order(rho)));
    line("; the trace analysis also assigns each send operation a unique identifier");
    for (std::uint32_t s = 0; s < sends.size(); ++s) line(fmt::format("; {} {}", s + 1, name("", sends[s].a)));
    line("; each receive operation is associated with an unbound identifier variable");
    for (std::uint32_t r = 0; r < recvs.size(); ++r) line(fmt::format("(declare-const {} Int)", id(r)));

    line("; P_Order");
    for (auto const& of_thread : calls)
        for (std::size_t i = 1; i < of_thread.size(); ++i)
            line(named_assertion(code, of_thread[i], "PROGRAM ORDER",
                                 fmt::format("(< {} {})", order(of_thread[i - 1]), order(of_thread[i]))));

    // "Given a receive and a send operation the match function asserts that the call to send occurs before [...] the wait
    // operation that is associated with the receive, the message sent is the same message that is being received, and that
    // the identifiers of the two operations are equal."
    auto const match = [&](std::uint32_t recv, std::uint32_t send) {
        std::string const before_wait =
            wait_of[recv].is_none() ? "" : fmt::format("(< {} {}) ", order(sends[send].rho), order(wait_of[recv]));
        return fmt::format("(and {}(= {} {}) (= {} {}))", before_wait, events.received(recv), events.sent(send),
                           id(recv), send + 1);
    };
    line("; Figure 2");                                         // 1: P_MatchPairs = true
    for (std::uint32_t recv = 0; recv < recvs.size(); ++recv) { // 2: for each recv in MatchPairs do
        std::string tmp = "false";                              // 3:   tmp := false
        for (std::uint32_t const send : pairs.of[recv])         // 4:   for each send in getSends(recv) do
            tmp += " " + match(recv, send);                     // 5:     tmp := tmp or match(recv, send)
        if (!pairs.of[recv].empty()) tmp = "(or " + tmp + ")";
        line(named_assertion(code, recvs[recv].rho, name("MATCH ", recvs[recv].a), tmp)); // 6: P_MatchPairs and (tmp)
    }

    // isDiffSend: "that each receive operation is paired with a different send operation"
    line("; Figure 3");                                      // 1: P_Unique = true
    for (std::uint32_t i = 0; i < recvs.size(); ++i)         // 2: for each recv_i in {0 ... |Recvs|} do
        for (std::uint32_t j = i + 1; j < recvs.size(); ++j) // 3:   for each recv_j in {i + 1 ... |Recvs|} do
            line(named_assertion(code, recvs[i].rho,         // 4:     P_Unique and isDiffSend(recv_i, recv_j)
                                 name("UNIQUE ", recvs[j].a), fmt::format("(distinct {} {})", id(i), id(j))));

    line("; P_Events");
    for (std::string const& d : events.definitions) line(d);
    for (auto const& a : events.assumptions) line(named_assertion(code, a.rho, "ASSUMPTION", a.text));

    line("; not P_Prop");
    std::string properties = "true"; // `and` takes at least two
    for (auto const& p : events.assertions) properties += " " + p.text;
    if (!events.assertions.empty()) properties = "(and " + properties + ")";
    line(fmt::format("(assert (! (not {}) :named |property|))", properties));
    if (options.check_sat) line("(check-sat)");
    return out;
}

} // namespace matchpoint::encode
