#include "encode/exact.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "encode/match_terms.hpp"
#include "machine/rule.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

class Exact : MatchTerms {
public:
    Exact(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options, Sink const& sink)
        : MatchTerms(messages, pairs, options.buffering), options_(options), sink_(sink), declared_(nodes()) {}

    void write() {
        if (options_.order) {
            declare_orders_of_matches();
            order();
        }
        line(preamble(options_, values_.nonlinear));
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
        matches();
        channel_order();
        if (zero_) waited_for();
        for (std::string const& constraint : order_) line(constraint);
        property();
        if (options_.check_sat) line("(check-sat)");
        sink_(out_);
    }

private:
    /// Flushes to the sink now and then: the matches can be gigabytes.
    void line(std::string_view text) {
        constexpr std::size_t enough = std::size_t{1} << 20U;
        MatchTerms::line(text);
        if (out_.size() < enough) return;
        sink_(out_);
        out_.clear();
    }
    void section(std::string_view text) { line(fmt::format("; {}", text)); }
    void constrain(Location rho, std::string_view what, std::string_view term) {
        line(named_assertion(code_, rho, what, term));
    }

    /// As MatchTerms::before, unless the caller adds the order itself.
    std::string before(std::uint32_t from, std::uint32_t to) const {
        return options_.order ? MatchTerms::before(from, to) : std::string();
    }
    /// Declares the moments of two nodes, if it can matter which one is first.
    void declare_order(std::uint32_t from, std::uint32_t to) {
        if (!is_ordered(from, to)) return;
        for (std::uint32_t const node : {to, from}) {
            if (!declared_[node]) orders_.push_back(moment(node));
            declared_[node] = true;
        }
    }
    void declare_orders_of_matches() {
        for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
            for (std::uint32_t const s : pairs_.of[r]) {
                auto const& send = m_.sends()[s];
                declare_order(send.rho.index, zero_ ? instant_node(r) : m_.receives()[r].nw.index);
                if (zero_ && !send.wait.is_none()) declare_order(instant_node(r), send.wait.index);
            }
    }

    void matches() {
        section("matches");
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

    /// M_R = S for one of the receives; or another term, if it is not empty.
    std::string matched(std::uint32_t s, std::string_view or_else) {
        std::string term = std::string(or_else);
        for (std::uint32_t const r : candidates_[s])
            term += fmt::format("{}{}", term.empty() ? "" : " ", match_term(m_, {r, s}));
        std::size_t const count = candidates_[s].size() + (or_else.empty() ? 0 : 1);
        return count == 0 ? "false" : count == 1 ? term : fmt::format("(or {})", term);
    }

    void channel_order() {
        section("channel order");
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
            auto const sends = m_.sends_of({c});
            // If no receive can get a send, no receive gets it or a later send of the channel.
            bool ends = false;
            for (std::size_t i = 0; i + 1 < sends.size(); ++i) {
                std::uint32_t const s = sends[i];
                std::uint32_t const next = sends[i + 1];
                ends = ends || candidates_[s].empty();
                if (candidates_[next].empty()) continue;
                Location const rho = m_.sends()[next].rho;
                if (ends) {
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

    /// Zero buffering.
    void waited_for() {
        section("waited for");
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            if (Location const w = m_.sends()[s].wait; !w.is_none()) constrain(w, "TAKEN", matched(s, {}));
    }

    /// Orders instants, and commands that have an order. It fills order_, and declares more moments on the way.
    void order() {
        auto const commands = static_cast<std::uint32_t>(code_.ctp().commands.size());
        auto const constrain_order = [&](Location rho, std::string_view what, std::uint32_t from, std::uint32_t to) {
            declare_order(from, to);
            if (std::string const term = before(from, to); !term.empty())
                order_.push_back(named_assertion(code_, rho, what, term.substr(1)));
        };
        if (zero_) {
            order_.emplace_back("; rendezvous");
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
        order_.emplace_back("; program order");
        for (Thread const& t : code_.ctp().threads) {
            std::uint32_t last = commands;
            for (std::uint32_t i = t.first; i < t.last; ++i) {
                if (!declared_[i]) continue;
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
        for (auto const& a : values_.assertions) append_item(all, a.text, " ");
        if (values_.assertions.empty()) all = "true"; // nothing to violate (errata E6)
        if (values_.assertions.size() > 1) all = fmt::format("(and {})", all);
        line(fmt::format("(assert (! {} :named |property|))", failure ? fmt::format("(not {})", all) : all));
    }

    EncoderOptions const& options_;
    Sink const& sink_;
    std::vector<bool> declared_;      // node
    std::vector<std::string> orders_; // names
    std::vector<std::string> order_;  // constraints
};

} // namespace

std::string match_symbol(MessageIndex const& messages, std::uint32_t receive) {
    return "M_" + mangle(messages.code().names()(messages.receives()[receive].a));
}

std::string match_term(MessageIndex const& messages, Pair p) {
    return fmt::format("(= {} {})", match_symbol(messages, p.r), p.s + 1);
}

void encode_exact(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options,
                  Sink const& sink) {
    Exact(messages, pairs, options, sink).write();
}

std::string encode_exact(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options) {
    std::string text;
    encode_exact(messages, pairs, options, [&](std::string_view part) { text += part; });
    return text;
}

} // namespace matchpoint::encode
