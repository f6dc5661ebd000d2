#include "encode/section5.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "encode/program_terms.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

/// Definition 6: "A wait that witnesses the completion of a receive by indicating that the message is delivered and that
/// all the previous receives in the same task issued earlier are complete as well."
std::vector<Location> nearest_enclosing_waits(MessageIndex const& messages) {
    IndexedProgram const& code = messages.code();
    std::vector<Location> nw(messages.receives().size());
    for (Thread const& t : code.ctp().threads) {
        std::vector<std::uint32_t> issued; // receives of the task, in their order
        std::size_t complete = 0;          // so many of them have their wait
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            Command const& command = code.command_at({i});
            if (auto const* const rcvi = std::get_if<Rcvi>(&command))
                issued.push_back(messages.receive_number(rcvi->a));
            auto const* const wait = std::get_if<Wait>(&command);
            if (wait == nullptr || code.as_rcvi(wait->a) == nullptr) continue;
            std::uint32_t const waited_for = messages.receive_number(wait->a);
            for (; complete < issued.size() && issued[complete] <= waited_for; ++complete) nw[issued[complete]] = {i};
        }
    }
    return nw;
}

std::string encode_section5(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options) {
    if (options.buffering != Buffering::infinite || options.asked != Asked::failure || !options.order)
        throw std::logic_error("encode_section5: infinite buffering, failure, with order");
    IndexedProgram const& code = messages.code();
    ProgramTerms const values(messages);
    std::vector<Location> const nw = nearest_enclosing_waits(messages);
    std::string out;
    auto const line = [&](std::string_view text) {
        out += text;
        out += '\n';
    };
    auto const name = [&](std::string_view prefix, auto id) {
        return fmt::format("{}{}", prefix, mangle(code.names()(id)));
    };
    auto const order = [&](Location rho) { return name("order_", rho); };
    auto const happens_before = [&](std::string const& what, std::string const& a, std::string const& b) {
        line(fmt::format("(assert (! (< {} {}) :named |{}|))", a, b, what));
    };

    line("(set-info :smt-lib-version 2.6)");
    if (options.cores) line("(set-option :produce-unsat-cores true)");
    if (options.models) line("(set-option :produce-models true)");
    line(values.nonlinear ? "(set-logic QF_NIA)" : "(set-logic QF_LIA)");
    for (std::string const& d : values.declarations) line(d);

    line("; Definition 4: the occurrence of a wait W is captured by a single variable, order_W");
    for (std::uint32_t i = 0; i < code.ctp().commands.size(); ++i)
        if (std::holds_alternative<Wait>(code.command_at({i}))) line(fmt::format("(declare-const {} Int)", order({i})));
    line("; Definition 5: a send S is M_S, order_S, e_S and value_S");
    for (auto const& s : messages.sends()) {
        line(fmt::format("(declare-const {} Int)", name("M_", s.a)));
        line(fmt::format("(declare-const {} Int)", order(s.rho)));
        line(fmt::format("(declare-const {} Int)", name("e_", s.a)));
        line(fmt::format("(assert (= {} {}))", name("e_", s.a), code.names()(messages.beta_of(s))));
    }
    line("; Definition 7: a receive R is M_R, order_R, e_R, value_R and nw_R");
    for (auto const& r : messages.receives()) {
        line(fmt::format("(declare-const {} Int)", name("M_", r.a)));
        line(fmt::format("(declare-const {} Int)", order(r.rho)));
        line(fmt::format("(declare-const {} Int)", name("e_", r.a)));
        line(fmt::format("(assert (= {} {}))", name("e_", r.a), code.names()(r.beta)));
    }
    line("; values");
    for (std::string const& d : values.definitions) line(d);

    line("; Definition 8: every assumption is added as an SMT assertion");
    for (auto const& a : values.assumptions) line(named_assertion(code, a.rho, "ASSUMPTION", a.text));
    line("; Definition 9: for every property assertion P, its negation is added as an SMT assertion");
    for (auto const& a : values.assertions)
        line(named_assertion(code, a.rho, "PROPERTY", fmt::format("(not {})", a.text)));

    line("; Definitions 10 and 11: for each receive, the disjunction of its match pairs");
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        if (pairs.of[r].empty()) continue; // Definition 11 says nothing of it
        auto const& receive = messages.receives()[r];
        std::string term;
        for (std::uint32_t const s : pairs.of[r]) {
            auto const& send = messages.sends()[s];
            term += fmt::format(" (and (= {} {}) (= {} {}) (= {} {}) (= {} {}) (< {} {}))", name("M_", receive.a),
                                order(send.rho), name("M_", send.a), order(receive.rho), name("e_", receive.a),
                                name("e_", send.a), values.received(r), values.sent(s), order(send.rho), order(nw[r]));
        }
        line(
            named_assertion(code, receive.rho, "MATCH", pairs.of[r].size() == 1 ? term.substr(1) : "(or" + term + ")"));
    }

    line("; Step 1: sequential sends from a task to a common endpoint follow program order");
    auto const& threads = code.ctp().threads;
    std::vector<std::uint32_t> last(code.endpoints().size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> step_4;
    for (Thread const& t : threads) {
        std::fill(last.begin(), last.end(), unmatched);
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            auto const* const sndi = std::get_if<Sndi>(&code.command_at({i}));
            if (sndi == nullptr) continue;
            std::uint32_t const s = messages.send_number(sndi->a);
            std::uint32_t& before = last[sndi->beta.index];
            if (before != unmatched) {
                happens_before(name("", Location{i}) + " STEP 1", order(messages.sends()[before].rho), order({i}));
                step_4.emplace_back(before, s);
            }
            before = s;
        }
    }
    line("; Step 2: sequential receives of a task on a common endpoint follow program order");
    for (std::uint32_t beta = 0; beta < code.endpoints().size(); ++beta) {
        auto const at = messages.receives_at({beta});
        for (std::size_t n = 1; n < at.size(); ++n) {
            auto const& r = messages.receives()[at[n]];
            happens_before(name("", r.rho) + " STEP 2", order(messages.receives()[at[n - 1]].rho), order(r.rho));
        }
    }
    line("; Step 3: a receive happens before its nearest-enclosing wait");
    for (std::uint32_t r = 0; r < nw.size(); ++r) {
        Location const rho = messages.receives()[r].rho;
        happens_before(name("", rho) + " STEP 3", order(rho), order(nw[r]));
    }
    line("; Step 4: sends on a common endpoint that are ordered (by step 1) are received in that order");
    for (auto const& [s, next] : step_4)
        happens_before(name("", messages.sends()[next].rho) + " STEP 4", name("M_", messages.sends()[s].a),
                       name("M_", messages.sends()[next].a));
    if (options.check_sat) line("(check-sat)");
    return out;
}

} // namespace matchpoint::encode
