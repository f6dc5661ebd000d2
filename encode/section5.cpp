// Section 5 of the paper as printed, Sections 5.1 to 5.3: infinite buffering. Above each constraint are the words of
// the paper that it is written from.

#include <stdexcept>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "encode/literal_encoders.hpp"
#include "encode/literal_encoding.hpp"

namespace matchpoint::encode {

/// Definition 6: "A wait that witnesses the completion of a receive by indicating that the message is delivered and
/// that all the previous receives in the same task issued earlier are complete as well."
std::vector<Location> nearest_enclosing_waits(MessageIndex const& messages) {
    IndexedProgram const& code = messages.code();
    std::vector<Location> nw(messages.receives().size());
    for (Thread const& t : code.ctp().threads) {
        std::vector<std::uint32_t> issued; // the task's receives, in program order
        std::size_t complete = 0;          // how many of them have their wait
        auto const witness = [&](Location at, Wait const& wait) {
            if (code.as_rcvi(wait.a) == nullptr) return;
            std::uint32_t const waited_for = messages.receive_number(wait.a);
            for (; complete < issued.size() && issued[complete] <= waited_for; ++complete) nw[issued[complete]] = at;
        };
        for (Location at{t.first}; at.index < t.last; ++at.index)
            std::visit(overloaded{
                           [](Assume const&) {},
                           [](Assert const&) {},
                           [](Assign const&) {},
                           [](Sndi const&) {},
                           [&](Rcvi const& c) { issued.push_back(messages.receive_number(c.a)); },
                           [](Probe const&) {},
                           [](Start const&) {},
                           [](Meet const&) {},
                           [](Collective const&) {},
                           [](Guarded const&) {},
                           [&](Wait const& c) { witness(at, c); },
                       },
                       code.command_at(at));
    }
    return nw;
}

namespace {

class Section5 : LiteralEncoding {
public:
    Section5(MessageIndex const& messages, MatchPairs const& pairs)
        : LiteralEncoding(messages, pairs), nw_(nearest_enclosing_waits(messages)) {}

    std::string text(EncoderOptions const& options) {
        line(preamble(options, values_.nonlinear));
        for (std::string const& d : values_.declarations) line(d);
        operations();
        line("; values");
        for (std::string const& d : values_.definitions) line(d);
        assumptions_and_properties();
        matches();
        auto const ordered_sends = step_1();
        step_2();
        step_3();
        step_4(ordered_sends);
        if (options.check_sat) line("(check-sat)");
        return std::move(out_);
    }

private:
    using Sends = std::pair<std::uint32_t, std::uint32_t>;

    void declare(std::string const& constant) { line(fmt::format("(declare-const {} Int)", constant)); }
    void happens_before(std::string const& what, std::string const& a, std::string const& b) {
        line(fmt::format("(assert (! (< {} {}) :named |{}|))", a, b, what));
    }

    void operations() {
        line("; Definition 4: the occurrence of a wait W is captured by a single variable, order_W");
        for (Location rho{0}; rho.index < code_.ctp().commands.size(); ++rho.index)
            if (as_wait(code_.command_at(rho)) != nullptr) declare(order(rho));
        line("; Definition 5: a send S is M_S, order_S, e_S and value_S");
        for (auto const& s : messages_.sends()) operation(s.a, s.rho, messages_.beta_of(s));
        line("; Definition 7: a receive R is M_R, order_R, e_R, value_R and nw_R");
        for (auto const& r : messages_.receives()) operation(r.a, r.rho, r.beta);
    }
    void operation(Action a, Location rho, Endpoint e) {
        declare(name("M_", a));
        declare(order(rho));
        declare(name("e_", a));
        line(fmt::format("(assert (= {} {}))", name("e_", a), code_.names()(e)));
    }

    void assumptions_and_properties() {
        line("; Definition 8: every assumption is added as an SMT assertion");
        for (auto const& a : values_.assumptions) line(named_assertion(code_, a.rho, "ASSUMPTION", a.text));
        line("; Definition 9: for every property assertion P, its negation is added as an SMT assertion");
        for (auto const& a : values_.assertions)
            line(named_assertion(code_, a.rho, "PROPERTY", fmt::format("(not {})", a.text)));
    }

    void matches() {
        line("; Definitions 10 and 11: for each receive, the disjunction of its match pairs");
        for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) {
            auto const& sends = pairs_.of[r];
            if (sends.empty()) continue; // Definition 11 does not cover it
            std::string pairs;
            for (std::uint32_t const s : sends) pairs += ' ' + match(r, s);
            line(named_assertion(code_, messages_.receives()[r].rho, "MATCH",
                                 sends.size() == 1 ? pairs.substr(1) : "(or" + pairs + ")"));
        }
    }
    /// Definition 10
    std::string match(std::uint32_t r, std::uint32_t s) const {
        auto const& receive = messages_.receives()[r];
        auto const& send = messages_.sends()[s];
        return fmt::format("(and (= {} {}) (= {} {}) (= {} {}) (= {} {}) (< {} {}))", name("M_", receive.a),
                           order(send.rho), name("M_", send.a), order(receive.rho), name("e_", receive.a),
                           name("e_", send.a), values_.received(r), values_.sent(s), order(send.rho), order(nw_[r]));
    }

    /// Gives the pairs of sends that it orders.
    std::vector<Sends> step_1() {
        line("; Step 1: sequential sends from a task to a common endpoint follow program order");
        std::vector<Sends> ordered;
        std::vector<std::uint32_t> last(code_.endpoints().size());
        for (Thread const& t : code_.ctp().threads) {
            std::fill(last.begin(), last.end(), unmatched);
            for (Location rho{t.first}; rho.index < t.last; ++rho.index) {
                auto const* const sndi = as_sndi(code_.command_at(rho));
                if (sndi == nullptr) continue;
                std::uint32_t const s = messages_.send_number(sndi->a);
                std::uint32_t& before = last[sndi->beta.index];
                if (before != unmatched) {
                    happens_before(name("", rho) + " STEP 1", order(messages_.sends()[before].rho), order(rho));
                    ordered.emplace_back(before, s);
                }
                before = s;
            }
        }
        return ordered;
    }
    void step_2() {
        line("; Step 2: sequential receives of a task on a common endpoint follow program order");
        for (std::uint32_t beta = 0; beta < code_.endpoints().size(); ++beta) {
            auto const at = messages_.receives_at({beta});
            for (std::size_t n = 1; n < at.size(); ++n) {
                Location const rho = messages_.receives()[at[n]].rho;
                happens_before(name("", rho) + " STEP 2", order(messages_.receives()[at[n - 1]].rho), order(rho));
            }
        }
    }
    void step_3() {
        line("; Step 3: a receive happens before its nearest-enclosing wait");
        for (std::uint32_t r = 0; r < nw_.size(); ++r) {
            Location const rho = messages_.receives()[r].rho;
            happens_before(name("", rho) + " STEP 3", order(rho), order(nw_[r]));
        }
    }
    void step_4(std::vector<Sends> const& ordered) {
        line("; Step 4: sends on a common endpoint that are ordered (by step 1) are received in that order");
        for (auto const& [s, next] : ordered)
            happens_before(name("", messages_.sends()[next].rho) + " STEP 4", name("M_", messages_.sends()[s].a),
                           name("M_", messages_.sends()[next].a));
    }

    std::vector<Location> nw_; // receive -> its nearest-enclosing wait
};

} // namespace

std::string encode_section5(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options) {
    if (options.buffering != Buffering::infinite || options.asked != Asked::failure || !options.order)
        throw std::logic_error("encode_section5: infinite buffering, failure, with order");
    return Section5(messages, pairs).text(options);
}

} // namespace matchpoint::encode
