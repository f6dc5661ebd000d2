#include "smt_machine/encoder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "machine/rule.hpp"
#include "smt_machine/program_terms.hpp"
#include "smt_machine/section5.hpp"
#include "smt_machine/smtlib.hpp"
#include "smt_machine/strong_components.hpp"

namespace matchpoint {

Graph possible_order(Messages const& messages, MatchPairs const& pairs, Buffering buffering) {
    Code const& code = messages.code();
    auto const commands = static_cast<std::uint32_t>(code.ctp().commands.size());
    bool const zero = buffering == Buffering::zero;
    auto const instant = [&](std::uint32_t r) { return commands + r; };
    auto const edges = [&](auto const& edge) {
        for (Thread const& t : code.ctp().threads)
            for (std::uint32_t i = t.first; i + 1 < t.last; ++i) edge(i, i + 1);
        for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
            auto const& receive = messages.receives()[r];
            for (std::uint32_t const s : pairs.of[r]) {
                auto const& send = messages.sends()[s];
                edge(send.rho.index, zero ? instant(r) : receive.nw.index);
                if (zero && !send.wait.is_none()) edge(instant(r), send.wait.index);
            }
            if (!zero) continue;
            edge(receive.rho.index, instant(r));
            edge(instant(r), receive.nw.index);
            auto const at = messages.receives_at(receive.beta);
            if (receive.ordinal + 1 < at.size()) edge(instant(r), instant(at[receive.ordinal + 1]));
        }
    };
    Graph graph(commands + static_cast<std::uint32_t>(pairs.of.size()));
    edges([&](std::uint32_t from, std::uint32_t) { graph.announce(from); });
    graph.ready();
    edges([&](std::uint32_t from, std::uint32_t to) { graph.add(from, to); });
    return graph;
}

namespace {

class Exact {
public:
    Exact(Messages const& messages, MatchPairs const& pairs, EncoderOptions const& options)
        : m_(messages), code_(messages.code()), pairs_(pairs), options_(options), values_(messages),
          cycles_(possible_order(messages, pairs, options.buffering)), zero_(options.buffering == Buffering::zero),
          candidates_(messages.sends().size()) {
        for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
            for (std::uint32_t const s : pairs.of[r]) candidates_[s].push_back(r);
    }

    std::string text() {
        std::vector<std::string> body;
        body_.swap(body);
        matches();
        channel_order();
        if (zero_) waited_for();
        if (options_.order) order();

        out_ += "(set-info :smt-lib-version 2.6)\n";
        if (options_.cores) out_ += "(set-option :produce-unsat-cores true)\n";
        if (options_.models) out_ += "(set-option :produce-models true)\n";
        out_ += values_.nonlinear ? "(set-logic QF_NIA)\n" : "(set-logic QF_LIA)\n";
        section("sends, as M_R numbers them");
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            line(fmt::format("; {} {}", s + 1, mangle(code_.names()(m_.sends()[s].a))));
        section("definitions");
        for (std::string const& d : values_.declarations) line(d);
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
            line(fmt::format("(declare-const {} Int)", match_symbol(m_, r)));
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            if (!candidates_[s].empty()) line(fmt::format("(declare-const {} Int)", place(s)));
        for (std::string const& d : orders_) line(fmt::format("(declare-const {} Int)", d));
        section("values");
        for (std::string const& d : values_.definitions) line(d);
        for (auto const& d : values_.divisors)
            line(named_assertion(code_, d.rho,
                                 fmt::format("DIVISOR {} IS NOT ZERO", d.text.substr(d.text.rfind('!') + 1)),
                                 fmt::format("(not (= {} 0))", d.text)));
        for (std::string const& constraint : body_) line(constraint);
        property();
        if (options_.check_sat) out_ += "(check-sat)\n";
        return std::move(out_);
    }

private:
    void line(std::string_view text) {
        out_ += text;
        out_ += '\n';
    }
    void section(std::string_view text) { line(fmt::format("; {}", text)); }
    void constrain(Location rho, std::string_view what, std::string_view term) {
        body_.push_back(named_assertion(code_, rho, what, term));
    }

    std::string place(std::uint32_t s) const { return "place_" + mangle(code_.names()(m_.sends()[s].a)); }
    std::uint32_t instant_node(std::uint32_t r) const {
        return static_cast<std::uint32_t>(code_.ctp().commands.size()) + r;
    }

    /// The order of a node, which is declared when it is first spoken of.
    std::string const& moment(std::uint32_t node) {
        if (names_.empty()) names_.resize(cycles_.of.size());
        std::string& name = names_[node];
        if (name.empty()) {
            auto const commands = static_cast<std::uint32_t>(code_.ctp().commands.size());
            name = node < commands ? "order_" + mangle(code_.names()(Location{node}))
                                   : "instant_" + mangle(code_.names()(m_.receives()[node - commands].a));
            orders_.push_back(name);
        }
        return name;
    }
    /// ` (< from to)`, where it can matter.
    std::string before(std::uint32_t from, std::uint32_t to) {
        if (!options_.order || !cycles_.on_a_cycle(from, to)) return {};
        return fmt::format(" (< {} {})", moment(from), moment(to));
    }

    void matches() {
        body_.push_back("; matches");
        for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) {
            auto const& receive = m_.receives()[r];
            std::string term;
            for (std::uint32_t const s : pairs_.of[r]) {
                auto const& send = m_.sends()[s];
                std::string conjuncts = fmt::format("(= {} {}) (= {} {}) (= {} {})", match_symbol(m_, r), s + 1,
                                                    place(s), receive.ordinal, values_.received(r), values_.sent(s));
                if (zero_) {
                    conjuncts += before(send.rho.index, instant_node(r));
                    if (!send.wait.is_none()) conjuncts += before(instant_node(r), send.wait.index);
                } else {
                    conjuncts += before(send.rho.index, receive.nw.index);
                }
                term += fmt::format("{}(and {})", term.empty() ? "" : " ", conjuncts);
            }
            if (pairs_.of[r].empty()) term = "false"; // errata E26
            if (pairs_.of[r].size() > 1) term = fmt::format("(or {})", term);
            constrain(receive.rho, fmt::format("MATCH {}", mangle(code_.names()(receive.a))), term);
        }
    }

    /// M_R = S for one of the receives, or one more term.
    std::string matched(std::uint32_t s, std::string_view or_else) {
        std::string term = std::string(or_else);
        for (std::uint32_t const r : candidates_[s])
            term += fmt::format("{}{}", term.empty() ? "" : " ", match_term(m_, {r, s}));
        std::size_t const count = candidates_[s].size() + (or_else.empty() ? 0 : 1);
        return count == 0 ? "false" : count == 1 ? term : fmt::format("(or {})", term);
    }

    void channel_order() {
        body_.push_back("; channel order");
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
            auto const sends = m_.sends_of({c});
            // A send that no receive may get is received by none, and so are those behind it.
            for (std::size_t i = 0; i + 1 < sends.size(); ++i) {
                std::uint32_t const s = sends[i];
                std::uint32_t const next = sends[i + 1];
                if (candidates_[next].empty()) break;
                Location const rho = m_.sends()[next].rho;
                if (candidates_[s].empty()) {
                    for (std::uint32_t const r : candidates_[next])
                        constrain(rho, "CHANNEL ORDER " + mangle(code_.names()(m_.receives()[r].a)),
                                  fmt::format("(not {})", match_term(m_, {r, next})));
                    continue;
                }
                constrain(rho, "CHANNEL ORDER", fmt::format("(< {} {})", place(s), place(next)));
                auto const receives = m_.receives_at(m_.beta_of(m_.sends()[s])).size();
                constrain(m_.sends()[s].rho, "PLACE", matched(s, fmt::format("(<= {} {})", receives, place(s))));
            }
        }
    }

    /// Zero buffering
    void waited_for() {
        body_.push_back("; waited for");
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            if (Location const w = m_.sends()[s].wait; !w.is_none()) constrain(w, "TAKEN", matched(s, {}));
    }

    void order() {
        auto const commands = static_cast<std::uint32_t>(code_.ctp().commands.size());
        auto const constrain_order = [&](Location rho, std::string_view what, std::uint32_t from, std::uint32_t to) {
            if (std::string const term = before(from, to); !term.empty()) constrain(rho, what, term.substr(1));
        };
        if (zero_) {
            body_.push_back("; rendezvous");
            for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
                auto const& receive = m_.receives()[r];
                std::string const a = mangle(code_.names()(receive.a));
                constrain_order(receive.rho, "POSTED", receive.rho.index, instant_node(r));
                constrain_order(receive.nw, "COMPLETES " + a, instant_node(r), receive.nw.index);
                auto const at = m_.receives_at(receive.beta);
                if (receive.ordinal + 1 < at.size())
                    constrain_order(receive.rho, "ENDPOINT ORDER", instant_node(r),
                                    instant_node(at[receive.ordinal + 1]));
            }
        }
        body_.push_back("; program order");
        if (names_.empty()) return;
        for (Thread const& t : code_.ctp().threads) {
            std::uint32_t last = commands;
            for (std::uint32_t i = t.first; i < t.last; ++i) {
                if (names_[i].empty()) continue;
                if (last != commands) constrain_order({i}, to_string(Rule::machine_step), last, i);
                last = i;
            }
        }
    }

    void property() {
        if (options_.asked == Asked::any) return;
        section("assumptions");
        for (auto const& a : values_.assumptions)
            line(named_assertion(code_, a.rho, to_string(Rule::assume_expressions_evaluation), a.text));
        bool const failure = options_.asked == Asked::failure;
        section(failure ? "property: not all assertions hold" : "property: all assertions hold");
        std::string all;
        for (auto const& a : values_.assertions) all += (all.empty() ? "" : " ") + a.text;
        if (values_.assertions.empty()) all = "true"; // nothing to violate (errata E6)
        if (values_.assertions.size() > 1) all = fmt::format("(and {})", all);
        line(fmt::format("(assert (! {} :named |property|))", failure ? fmt::format("(not {})", all) : all));
    }

    Messages const& m_;
    Code const& code_;
    MatchPairs const& pairs_;
    EncoderOptions const& options_;
    ProgramTerms values_;
    StrongComponents cycles_;
    bool zero_;
    std::vector<std::vector<std::uint32_t>> candidates_; // send -> the receives that may get it
    std::vector<std::string> names_;                     // node -> its order's name, once it is spoken of
    std::vector<std::string> orders_;
    std::vector<std::string> body_;
    std::string out_;
};

} // namespace

std::string match_symbol(Messages const& messages, std::uint32_t receive) {
    return "M_" + mangle(messages.code().names()(messages.receives()[receive].a));
}

std::string match_term(Messages const& messages, Pair p) {
    return fmt::format("(= {} {})", match_symbol(messages, p.r), p.s + 1);
}

std::string encode(Messages const& messages, MatchPairs const& pairs, EncoderOptions const& options) {
    if (options.encoding == Encoding::section5) return encode_section5(messages, pairs, options);
    return Exact(messages, pairs, options).text();
}

} // namespace matchpoint
