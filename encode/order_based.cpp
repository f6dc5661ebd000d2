// The order-based encoding that Section 6.1 of the paper compares its own with, for zero buffering: that of Elwakil and
// Yang, Debugging Support Tool for MCAPI Applications, 2010. Their tool was not published, so this is a reconstruction
// from what the paper says of it:
//
//   "describes the happens-before relation directly in the encoding" (6.1)
//       A constant HB_a!b for every two calls a and b. The node of a receive is the moment when it gets its message,
//       between the call before it and its nearest-enclosing wait; those at an endpoint come in their order.
//   "redundant constraints in the transitive closure of the happens-before relation" (6.1)
//       A constraint for every three calls: cubic.
//   "uses those match pairs in a non-obvious way to constrain the happens-before relation" (1); "Wang et al. present an
//   SMT encoding for shared memory [...] Elwakil et al. extend the encoding to message passing" (7)
//       A receive gets a message as a read gets a value (Section 4.2 of Symbolic Predictive Analysis): the send happens
//       before the receive, and each other send that the receive may get happens before that send or after the receive.
//   "only functional for zero-buffer semantics" (6.1)
//       The wait for a send comes after the receive that gets the message.
//
// A read leaves what it reads, a receive takes it. So no two receives have the same send; without that the encoding
// would go wrong on Figure 1. docs/encoding.md says where it goes wrong with it.

#include <fmt/format.h>

#include "base/limits.hpp"
#include "encode/formulas.hpp"
#include "encode/literal_encoders.hpp"
#include "encode/literal_encoding.hpp"

namespace matchpoint::encode {

namespace {

class OrderBased : LiteralEncoding {
public:
    OrderBased(MessageIndex const& messages, MatchPairs const& pairs)
        : LiteralEncoding(messages, pairs), recvs_(messages.receives()), sends_(messages.sends()) {
        for (Location rho{0}; rho.index < code_.ctp().commands.size(); ++rho.index) {
            Command const& c = code_.command_at(rho);
            if (as_wait(c) != nullptr || as_sndi(c) != nullptr || as_rcvi(c) != nullptr) calls_.push_back(rho);
        }
    }

    std::string text(EncoderOptions const& options) {
        line(preamble(options, values_.nonlinear));
        for (std::string const& d : values_.declarations) line(d);
        declare_relation();
        transitive_closure();
        program_order();
        line("; values");
        for (std::string const& d : values_.definitions) line(d);
        for (auto const& d : values_.divisors)
            line(named_assertion(code_, d.rho, fmt::format("DIVISOR {}", d.text),
                                 fmt::format("(not (= {} 0))", d.text)));
        for (auto const& a : values_.assumptions) line(named_assertion(code_, a.rho, "ASSUMPTION", a.text));
        receives();
        unique();
        property();
        if (options.check_sat) line("(check-sat)");
        return std::move(out_);
    }

private:
    std::string hb(Location a, Location b) const { return name("HB_", a) + name("!", b); }
    std::string id(std::uint32_t recv) const { return name("id_", recvs_[recv].a); }

    void declare_relation() {
        line("; the happens-before relation of all calls");
        for (Location const a : calls_)
            for (Location const b : calls_) {
                spend(2);
                if (a != b) line(fmt::format("(declare-const {} Bool)", hb(a, b)));
            }
        for (std::uint32_t s = 0; s < sends_.size(); ++s) line(fmt::format("; {} {}", s + 1, name("", sends_[s].a)));
        line("; the number of the send that a receive gets");
        for (std::uint32_t r = 0; r < recvs_.size(); ++r) line(fmt::format("(declare-const {} Int)", id(r)));
    }

    /// A strict partial order.
    void transitive_closure() {
        line("; transitive closure");
        for (Location const a : calls_)
            for (Location const b : calls_) {
                if (a == b) continue;
                if (a < b)
                    line(named_assertion(code_, a, name("BEFORE OR AFTER ", b),
                                         negation(conjunction({hb(a, b), hb(b, a)}))));
                for (Location const c : calls_) {
                    spend(4);
                    if (c == a || c == b) continue;
                    line(named_assertion(code_, a, name("TRANSITIVE ", b) + name(" ", c),
                                         implication(conjunction({hb(a, b), hb(b, c)}), hb(a, c))));
                }
            }
    }

    void happens_before(Location a, Location b, std::string_view what) {
        line(named_assertion(code_, b, what, hb(a, b)));
    }

    void program_order() {
        line("; program order");
        for (Thread const& t : code_.ctp().threads) {
            Location last{}; // send or wait; none at first
            for (Location rho{t.first}; rho.index < t.last; ++rho.index) {
                Command const& c = code_.command_at(rho);
                bool const is_receive = as_rcvi(c) != nullptr;
                if (!is_receive && as_sndi(c) == nullptr && as_wait(c) == nullptr) continue;
                if (!last.is_none()) happens_before(last, rho, "PROGRAM ORDER");
                if (!is_receive) last = rho;
            }
        }
        for (std::uint32_t r = 0; r < recvs_.size(); ++r) {
            line(
                named_assertion(code_, recvs_[r].nw, name("COMPLETES ", recvs_[r].a), hb(recvs_[r].rho, recvs_[r].nw)));
            if (recvs_[r].ordinal == 0) continue;
            std::uint32_t const previous = messages_.receives_at(recvs_[r].beta)[recvs_[r].ordinal - 1];
            happens_before(recvs_[previous].rho, recvs_[r].rho, "ENDPOINT ORDER");
        }
    }

    void receives() {
        line("; what each receive gets");
        for (std::uint32_t r = 0; r < recvs_.size(); ++r) {
            std::vector<std::string> choices;
            for (std::uint32_t const s : pairs_.of[r]) choices.push_back(match(r, s));
            line(named_assertion(code_, recvs_[r].rho, name("MATCH ", recvs_[r].a), disjunction(choices)));
        }
    }

    std::string match(std::uint32_t r, std::uint32_t s) const {
        std::vector<std::string> terms{fmt::format("(= {} {})", id(r), s + 1),
                                       fmt::format("(= {} {})", values_.received(r), values_.sent(s)),
                                       hb(sends_[s].rho, recvs_[r].rho)};
        if (!sends_[s].wait.is_none()) terms.push_back(hb(recvs_[r].rho, sends_[s].wait));
        for (std::uint32_t const other : pairs_.of[r]) {
            spend(2);
            if (other != s)
                terms.push_back(
                    disjunction({hb(sends_[other].rho, sends_[s].rho), hb(recvs_[r].rho, sends_[other].rho)}));
        }
        return conjunction(terms);
    }

    void unique() {
        line("; no two receives get the same send");
        for (std::uint32_t r = 0; r < recvs_.size(); ++r)
            for (std::uint32_t other = r + 1; other < recvs_.size(); ++other)
                if (recvs_[r].beta == recvs_[other].beta)
                    line(named_assertion(code_, recvs_[r].rho, name("UNIQUE ", recvs_[other].a),
                                         fmt::format("(distinct {} {})", id(r), id(other))));
    }

    void property() {
        line("; property: not all assertions hold");
        std::vector<std::string> holds;
        for (auto const& p : values_.assertions) holds.push_back(p.text);
        line(fmt::format("(assert (! {} :named |property|))", negation(conjunction(holds))));
    }

    std::span<MessageIndex::Receive const> recvs_;
    std::span<MessageIndex::Send const> sends_;
    std::vector<Location> calls_; // of all threads, in program order
};

} // namespace

std::string encode_order_based(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options) {
    return OrderBased(messages, pairs).text(options);
}

} // namespace matchpoint::encode
