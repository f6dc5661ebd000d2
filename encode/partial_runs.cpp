#include "encode/partial_runs.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "encode/exact.hpp"
#include "encode/match_terms.hpp"
#include "machine/rule.hpp"
#include "matching/reach.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

enum class Goal : std::uint8_t { failure, deadlock, fault };

Goal goal_of(Stop stop) { return stop == Stop::deadlock ? Goal::deadlock : Goal::fault; }

class Partial : MatchTerms {
public:
    Partial(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options, Goal goal)
        : MatchTerms(messages, pairs, options.buffering), options_(options), goal_(goal),
          on_path_(options.runs == Runs::executions), has_values_(goal == Goal::failure || !values_.divisors.empty() ||
                                                                  (on_path_ && !values_.assumptions.empty())) {}

    std::string text() {
        line(preamble(options_, values_.nonlinear));
        declare();
        if (has_values_)
            for (std::string const& d : values_.definitions) line(d);
        for (auto const& d : values_.divisors)
            bind(d.rho, fmt::format("DIVISOR {} IS NOT ZERO", d.text.substr(d.text.rfind('!') + 1)),
                 fmt::format("(not (= {} 0))", d.text));
        if (on_path_)
            for (auto const& a : values_.assumptions)
                bind(a.rho, to_string(Rule::assume_expressions_evaluation), a.text);
        for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) receive(r);
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s) send(s);
        program_order();
        switch (goal_) {
        case Goal::failure: failure(); break;
        case Goal::deadlock: deadlock(); break;
        case Goal::fault: fault(); break;
        }
        if (options_.check_sat) line("(check-sat)");
        return std::move(out_);
    }

private:
    void claim(std::string_view term) { line(fmt::format("(assert {})", term)); }
    /// A condition of the command, if it is executed.
    void bind(Location rho, std::string_view what, std::string_view term) {
        line(named_assertion(code_, rho, what, fmt::format("(=> {} {})", executed(rho), term)));
    }
    /// As MatchTerms::before, unless the caller adds the order itself.
    std::string before(std::uint32_t from, std::uint32_t to) const {
        return options_.order ? MatchTerms::before(from, to) : std::string();
    }

    std::string steps(std::uint32_t thread) const { return fmt::format("executed_{}", thread); }
    std::string executed(Location rho) const {
        std::uint32_t const t = code_.thread_of(rho);
        return fmt::format("(< {} {})", rho.index - code_.ctp().threads[t].first, steps(t));
    }
    /// The command is the next one of its thread.
    std::string stands_at(Location rho) const {
        std::uint32_t const t = code_.thread_of(rho);
        return fmt::format("(= {} {})", rho.index - code_.ctp().threads[t].first, steps(t));
    }
    std::string filled(std::uint32_t r) const {
        auto const& receive = m_.receives()[r];
        return zero_ ? "filled_" + mangle(code_.names()(receive.a)) : executed(receive.nw);
    }
    std::size_t places(std::uint32_t s) const { return m_.receives_at(m_.beta_of(m_.sends()[s])).size(); }
    std::string taken(std::uint32_t s) const { return fmt::format("(< {} {})", place(s), places(s)); }

    void declare() {
        auto const integer = [&](std::string const& name) { line(fmt::format("(declare-const {} Int)", name)); };
        auto const& threads = code_.ctp().threads;
        for (std::uint32_t t = 0; t < threads.size(); ++t) {
            integer(steps(t));
            claim(fmt::format("(<= 0 {} {})", steps(t), threads[t].last - threads[t].first));
        }
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
            integer(match_symbol(m_, r));
            if (zero_) line(fmt::format("(declare-const {} Bool)", filled(r)));
        }
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s) integer(place(s));
        for (std::uint32_t node = 0; node < nodes(); ++node)
            if (options_.order && has_moment(node)) integer(moment(node));
        if (has_values_)
            for (std::string const& d : values_.declarations) line(d);
    }

    void receive(std::uint32_t r) {
        auto const& receive = m_.receives()[r];
        std::string term = fmt::format("(and (not {}) (= {} 0))", filled(r), match_symbol(m_, r));
        for (std::uint32_t const s : pairs_.of[r]) {
            auto const& send = m_.sends()[s];
            std::string conjuncts = fmt::format("{} {} (= {} {}) {} {}", filled(r), match_term(m_, {r, s}), place(s),
                                                receive.ordinal, executed(receive.rho), executed(send.rho));
            if (has_values_) conjuncts += fmt::format(" (= {} {})", values_.received(r), values_.sent(s));
            conjuncts += before(send.rho.index, zero_ ? instant_node(r) : receive.nw.index);
            std::string const released =
                zero_ && !send.wait.is_none() ? before(instant_node(r), send.wait.index) : std::string();
            if (!released.empty()) conjuncts += fmt::format(" (=> {}{})", executed(send.wait), released);
            term += fmt::format(" (and {})", conjuncts);
        }
        claim(fmt::format("(or {})", term));
        if (!zero_) return;
        claim(fmt::format("(=> {} (and {}{} true))", executed(receive.nw), filled(r),
                          before(instant_node(r), receive.nw.index)));
        if (std::string const posted = before(receive.rho.index, instant_node(r)); !posted.empty())
            claim(fmt::format("(=> {}{})", filled(r), posted));
        auto const at = m_.receives_at(receive.beta);
        if (receive.ordinal == 0) return;
        std::uint32_t const previous = at[receive.ordinal - 1];
        claim(fmt::format("(=> {} (and {}{} true))", filled(r), filled(previous),
                          before(instant_node(previous), instant_node(r))));
    }

    /// Its place is the ordinal of the receive that gets it, or beyond all receives; places ascend along the channel.
    void send(std::uint32_t s) {
        auto const& send = m_.sends()[s];
        std::string term = fmt::format("(<= {} {})", places(s), place(s));
        for (std::uint32_t const r : candidates_[s]) term += " " + match_term(m_, {r, s});
        claim(candidates_[s].empty() ? term : fmt::format("(or {})", term));
        auto const sends = m_.sends_of(send.channel);
        if (send.place + 1 < sends.size()) claim(fmt::format("(< {} {})", place(s), place(sends[send.place + 1])));
        if (zero_ && !send.wait.is_none()) claim(fmt::format("(=> {} {})", executed(send.wait), taken(s)));
    }

    void program_order() {
        for (Thread const& t : code_.ctp().threads) {
            std::uint32_t last = t.last;
            for (std::uint32_t i = t.first; i < t.last; ++i) {
                if (!has_moment(i)) continue;
                if (last != t.last)
                    if (std::string const term = before(last, i); !term.empty()) claim(term.substr(1));
                last = i;
            }
        }
    }

    /// What a thread needs to get past a command; none if it needs nothing.
    std::optional<std::string> condition_to_pass(Command const& command) const {
        using Condition = std::optional<std::string>;
        return std::visit(overloaded{
                              [](Assume const&) -> Condition { return {}; },
                              [](Assert const&) -> Condition { return {}; },
                              [](Assign const&) -> Condition { return {}; },
                              [](Sndi const&) -> Condition { return {}; },
                              [](Rcvi const&) -> Condition { return {}; },
                              [](Probe const&) -> Condition { return {}; },
                              [](Start const&) -> Condition { return {}; },
                              [](Meet const&) -> Condition { return {}; },
                              [](Collective const&) -> Condition { return {}; },
                              [](Guarded const&) -> Condition { return {}; },
                              [&](Wait const& c) -> Condition {
                                  if (code_.as_rcvi(c.a) != nullptr) return filled(m_.receive_number(c.a));
                                  return taken(m_.send_number(c.a));
                              },
                          },
                          command);
    }

    void failure() {
        std::string term;
        for (auto const& a : values_.assertions) term += fmt::format(" (and {} (not {}))", executed(a.rho), a.text);
        line(fmt::format("(assert (! (or{} false) :named |property|))", term));
    }

    /// Infinite buffering: nothing is left to do, and some thread is not finished.
    void stand_where_counts_end() {
        std::vector<std::uint32_t> const ends = reach(m_);
        auto const& threads = code_.ctp().threads;
        for (std::uint32_t t = 0; t < threads.size(); ++t)
            claim(fmt::format("(= {} {})", steps(t), ends[t] - threads[t].first));
        if (all_finish(m_, ends)) claim("false");
    }

    void deadlock() {
        if (!zero_) return stand_where_counts_end();
        auto const& threads = code_.ctp().threads;
        std::string unfinished;
        for (std::uint32_t t = 0; t < threads.size(); ++t) {
            std::string const finished = fmt::format("(= {} {})", steps(t), threads[t].last - threads[t].first);
            unfinished += fmt::format(" (not {})", finished);
            std::string stops = finished;
            for (std::uint32_t i = threads[t].first; i < threads[t].last; ++i) {
                auto const passes = condition_to_pass(code_.command_at({i}));
                if (passes) stops += fmt::format(" (and {} (not {}))", stands_at({i}), *passes);
            }
            claim(fmt::format("(or {} false)", stops));
        }
        claim(fmt::format("(or{} false)", unfinished));
        for (std::uint32_t beta = 0; beta < code_.endpoints().size(); ++beta) {
            std::string served = "(and true";
            for (std::uint32_t const r : m_.receives_at({beta}))
                served += fmt::format(" (=> {} {})", executed(m_.receives()[r].rho), filled(r));
            std::string empty = "(and true";
            for (Channel const c : m_.channels_to({beta}))
                for (std::uint32_t const s : m_.sends_of(c))
                    empty += fmt::format(" (=> {} {})", executed(m_.sends()[s].rho), taken(s));
            if (m_.receives_at({beta}).empty() || m_.sends_to({beta}) == 0) continue;
            claim(fmt::format("(or {}) {}))", served, empty));
        }
    }

    void fault() {
        std::string term = "false";
        for (auto const& d : values_.divisors) term += fmt::format(" (and {} (= {} 0))", stands_at(d.rho), d.text);
        claim(fmt::format("(or {})", term.size() > 5 ? term : "false false"));
    }

    EncoderOptions const& options_;
    Goal goal_;
    bool on_path_;
    bool has_values_; // whether values are part of the problem
};

} // namespace

std::string encode_stop(MessageIndex const& messages, Buffering buffering, Stop stop, Runs runs) {
    return encode_stop(messages, tight_on_path(messages, buffering), buffering, stop, runs);
}

std::string encode_stop(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering, Stop stop,
                        Runs runs) {
    if (stop == Stop::deadlock && buffering != Buffering::zero && runs == Runs::complete)
        throw std::logic_error("encode_stop: deadlocks are asked for with zero buffering");
    EncoderOptions options;
    options.buffering = buffering;
    options.runs = runs;
    options.check_sat = false;
    return Partial(messages, pairs, options, goal_of(stop)).text();
}

std::string encode_failing_execution(MessageIndex const& messages, MatchPairs const& pairs,
                                     EncoderOptions const& options) {
    return Partial(messages, pairs, options, Goal::failure).text();
}

} // namespace matchpoint::encode
