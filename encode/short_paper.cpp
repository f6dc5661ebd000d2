// The short paper's encoding to the letter: Figures 2 and 3, and the text of Section 2 around them. "The results from
// the two algorithms are conjuncted with assertions on program order (P_Order), negated properties that define a
// correct system (not P_Prop), and other events in the execution (P_Events)":
//
//   P = P_Order and P_MatchPairs and P_Unique and not P_Prop and P_Events
//
// Where the text is open, we read it so:
//   P_Order   each call of a thread comes before the next one; the text names no exception.
//   P_Prop    one formula that is negated: the conjunction of all properties. Without properties it is true, as
//             P_MatchPairs and P_Unique are initially. (Errata E5 and E6 are the other paper's.)
//   "the call to the wait operation that is associated with the receive"   the wait that names it (errata E29). If there
//             is none, because the wait of a later receive completes it, it cannot be constrained.
//   P_Events  assignments and assumptions, "the same sequence of conditional branch outcomes"; in versions, as `exact` has
//             them, and a divisor may be zero (errata E31).
//   Figure 3  counts i and j up to |Recvs|; counted from 0, the last receive is |Recvs| - 1.
//
// It orders neither the messages of a channel (errata E19) nor the receives at an endpoint.

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "encode/literal_encoders.hpp"
#include "encode/literal_encoding.hpp"

namespace matchpoint::encode {

namespace {

class ShortPaper : LiteralEncoding {
public:
    ShortPaper(MessageIndex const& messages, MatchPairs const& pairs)
        : LiteralEncoding(messages, pairs), recvs_(messages.receives()), sends_(messages.sends()),
          wait_of_(recvs_.size()) {
        for (Thread const& t : code_.ctp().threads) calls_.push_back(calls_of(t));
    }

    std::string text(EncoderOptions const& options) {
        line(preamble(options, values_.nonlinear));
        declarations();
        program_order();
        figure_2();
        figure_3();
        line("; P_Events");
        for (std::string const& d : values_.definitions) line(d);
        for (auto const& a : values_.assumptions) line(named_assertion(code_, a.rho, "ASSUMPTION", a.text));
        property();
        if (options.check_sat) line("(check-sat)");
        return std::move(out_);
    }

private:
    std::string id(std::uint32_t recv) const { return name("id_", recvs_[recv].a); }

    /// The calls of a thread: its communication. Sets wait_of_ on the way.
    std::vector<Location> calls_of(Thread const& t) {
        std::vector<Location> calls;
        for (Location rho{t.first}; rho.index < t.last; ++rho.index)
            std::visit(overloaded{
                           [](Assume const&) {},
                           [](Assert const&) {},
                           [](Assign const&) {},
                           [&](Sndi const&) { calls.push_back(rho); },
                           [&](Rcvi const&) { calls.push_back(rho); },
                           [](Probe const&) {},
                           [](Start const&) {},
                           [](Meet const&) {},
                           [](Collective const&) {},
                           [](Guarded const&) {},
                           [&](Wait const& c) {
                               calls.push_back(rho);
                               if (code_.as_rcvi(c.a) != nullptr) wait_of_[messages_.receive_number(c.a)] = rho;
                           },
                       },
                       code_.command_at(rho));
        return calls;
    }

    void declarations() {
        for (std::string const& d : values_.declarations) line(d);
        for (auto const& of_thread : calls_)
            for (Location const rho : of_thread) line(fmt::format("(declare-const {} Int)", order(rho)));
        line("; the trace analysis also assigns each send operation a unique identifier");
        for (std::uint32_t s = 0; s < sends_.size(); ++s) line(fmt::format("; {} {}", s + 1, name("", sends_[s].a)));
        line("; each receive operation is associated with an unbound identifier variable");
        for (std::uint32_t r = 0; r < recvs_.size(); ++r) line(fmt::format("(declare-const {} Int)", id(r)));
    }

    void program_order() {
        line("; P_Order");
        for (auto const& of_thread : calls_)
            for (std::size_t i = 1; i < of_thread.size(); ++i)
                line(named_assertion(code_, of_thread[i], "PROGRAM ORDER",
                                     fmt::format("(< {} {})", order(of_thread[i - 1]), order(of_thread[i]))));
    }

    /// "Given a receive and a send operation the match function asserts that the call to send occurs before [...] the
    /// wait operation that is associated with the receive, the message sent is the same message that is being received,
    /// and that the identifiers of the two operations are equal."
    std::string match(std::uint32_t recv, std::uint32_t send) const {
        std::string const before_wait =
            wait_of_[recv].is_none() ? "" : fmt::format("(< {} {}) ", order(sends_[send].rho), order(wait_of_[recv]));
        return fmt::format("(and {}(= {} {}) (= {} {}))", before_wait, values_.received(recv), values_.sent(send),
                           id(recv), send + 1);
    }

    // clang-format off
    void figure_2() {
        line("; Figure 2");                                              // 1: P_MatchPairs = true
        for (std::uint32_t recv = 0; recv < recvs_.size(); ++recv) {     // 2: for each recv in MatchPairs do
            std::string tmp = "false";                                   // 3:   tmp := false
            for (std::uint32_t const send : pairs_.of[recv])             // 4:   for each send in getSends(recv) do
                tmp += " " + match(recv, send);                          // 5:     tmp := tmp or match(recv, send)
            if (!pairs_.of[recv].empty()) tmp = fmt::format("(or {})", tmp);
            line(named_assertion(code_, recvs_[recv].rho,                // 6:   P_MatchPairs and (tmp)
                                 name("MATCH ", recvs_[recv].a), tmp));
        }
    }

    /// isDiffSend: "that each receive operation is paired with a different send operation"
    void figure_3() {
        line("; Figure 3");                                              // 1: P_Unique = true
        for (std::uint32_t i = 0; i < recvs_.size(); ++i)                // 2: for each recv_i in {0 ... |Recvs|} do
            // 3:   for each recv_j in {i + 1 ... |Recvs|} do
            for (std::uint32_t j = i + 1; j < recvs_.size(); ++j)
                // 4:     P_Unique and isDiffSend(recv_i, recv_j)
                line(named_assertion(code_, recvs_[i].rho,
                                     name("UNIQUE ", recvs_[j].a), fmt::format("(distinct {} {})", id(i), id(j))));
    }
    // clang-format on

    void property() {
        line("; not P_Prop");
        std::string properties = "true"; // `and` takes at least two operands
        for (auto const& p : values_.assertions) properties += " " + p.text;
        if (!values_.assertions.empty()) properties = "(and " + properties + ")";
        line(fmt::format("(assert (! (not {}) :named |property|))", properties));
    }

    std::span<MessageIndex::Receive const> recvs_;
    std::span<MessageIndex::Send const> sends_;
    std::vector<std::vector<Location>> calls_; // thread -> its calls
    std::vector<Location> wait_of_;            // receive -> the wait operation that is associated with it
};

} // namespace

std::string encode_short_paper(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options) {
    return ShortPaper(messages, pairs).text(options);
}

} // namespace matchpoint::encode
