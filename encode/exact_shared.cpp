#include "encode/exact_shared.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "encode/exact.hpp"
#include "encode/formulas.hpp"
#include "encode/lines.hpp"
#include "encode/program_terms.hpp"
#include "machine/rule.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

// What limits the number of context switches: with segments, and with segments by owner. That each segment by owner has
// one thread limits nothing as long as there can be any number of them.
constexpr std::string_view in_a_segment = "SEGMENT";
constexpr std::string_view context_bound = "CONTEXT BOUND";

class SharedProblem {
public:
    SharedProblem(SharedEvents const& events, EncoderOptions const& options, Sink const& sink)
        : e_(events), m_(events.messages()), code_(events.code()), cssa_(events.cssa()), options_(options),
          lines_(sink), candidates_(m_.sends().size()) {
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
            for (std::uint32_t const s : e_.sends_of(r)) candidates_[s].push_back(r);
    }

    void write() {
        line(preamble(options_, cssa_.nonlinear(), e_.counts_segments()));
        declare_values();
        declare_events();
        section("values");
        for (Cssa::Equation const& e : cssa_.equations())
            if (e_.is_used(e.name)) equation(e);
        section("program order");
        for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t) program_order(t);
        section("guards");
        for (Cssa::Condition const& g : cssa_.guards()) bind(g.rho, "GUARD", g.term.text);
        for (Cssa::Condition const& d : cssa_.divisors())
            bind(d.rho, fmt::format("DIVISOR {} IS NOT ZERO", d.term.text.substr(d.term.text.rfind('!') + 1)),
                 fmt::format("(not (= {} 0))", d.term.text));
        section("reads");
        for (Cssa::Pi const& pi : cssa_.pis())
            if (e_.is_used(pi.name) && e_.is_possible(pi.rho)) read(pi);
        messages();
        if (e_.counts_segments())
            owners(*options_.switches);
        else if (e_.is_bounded())
            segments(*options_.switches);
        if (e_.model() != nullptr) model();
        property();
        if (options_.check_sat) line("(check-sat)");
        lines_.finish();
    }

private:
    void line(std::string_view text) { lines_.add(text); }
    void section(std::string_view text) { line(fmt::format("; {}", text)); }
    void integer(std::string_view name) { line(fmt::format("(declare-const {} Int)", name)); }
    void constrain(Location rho, std::string_view what, std::string const& formula) {
        if (formula != truth) line(named_assertion(code_, rho, what, formula));
    }
    /// A condition of a command, if it is executed.
    void bind(Location rho, std::string_view what, std::string const& formula) {
        if (e_.is_possible(rho)) constrain(rho, what, implication(e_.executed(rho), formula));
    }
    std::string executed(Location rho) const { return e_.executed(rho); }
    std::string before(std::string const& from, std::string const& to) const {
        return fmt::format("(< {} {})", from, to);
    }
    std::string before(Location from, Location to) const {
        if (e_.counts_segments() && code_.thread_of(from) == code_.thread_of(to))
            return std::string(from.index < to.index ? truth : falsehood);
        return before(e_.order(from), e_.order(to));
    }
    std::string name(Action a) const { return mangle(code_.names()(a)); }

    void declare_values() {
        section("definitions");
        for (std::uint32_t s = 0; s < cssa_.symbol_count(); ++s)
            if (e_.is_used({s}))
                line(fmt::format("(declare-const {} {})", cssa_.name({s}), to_string(cssa_.sort({s}))));
        for (Cssa::Pi const& pi : cssa_.pis())
            if (chooses(pi)) {
                integer(e_.source(pi));
                if (options_.writes == OrderOfWrites::clock) integer(e_.clock(pi));
            }
    }

    void declare_events() {
        section("events");
        for (Location rho{0}; rho.index < code_.ctp().commands.size(); ++rho.index) {
            if (!e_.counts(rho)) continue;
            if (!e_.is_complete()) line(fmt::format("(declare-const {} Bool)", executed(rho)));
            if (e_.has_order(rho)) integer(e_.order(rho));
        }
        if (m_.sends().empty() && m_.receives().empty()) return;
        section("sends, as M_R numbers them");
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            line(fmt::format("; {} {}", s + 1, name(m_.sends()[s].a)));
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
            if (!e_.is_possible(m_.receives()[r].rho)) continue;
            integer(match_symbol(m_, r));
            if (!e_.is_zero()) continue;
            integer(e_.instant(r));
            line(fmt::format("(declare-const {} Bool)", e_.filled(r)));
        }
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            if (e_.is_possible(m_.sends()[s].rho)) integer(e_.place(s));
    }

    void equation(Cssa::Equation const& e) {
        std::string const equality = fmt::format("(= {} {})", cssa_.name(e.name), e.term.text);
        if (!e.rho.is_none()) return constrain(e.rho, e.what, equality);
        line(fmt::format("(assert {})", equality));
    }

    void program_order(std::uint32_t thread) {
        Location last{};         // that counts
        Location last_ordered{}; // none at first
        for (Location rho{code_.ctp().threads[thread].first}; rho.index < e_.end(thread); ++rho.index) {
            if (!e_.counts(rho)) continue;
            std::vector<std::string> terms;
            if (!last.is_none()) terms.push_back(implication(executed(rho), executed(last)));
            if (e_.has_order(rho)) {
                terms.push_back(fmt::format("({} {} {})", last_ordered.is_none() || e_.counts_segments() ? "<=" : "<",
                                            last_ordered.is_none() ? "1" : e_.order(last_ordered), e_.order(rho)));
                last_ordered = rho;
            }
            constrain(rho, to_string(Rule::machine_step), conjunction(terms));
            last = rho;
        }
    }

    // ---- Reads ----

    /// Whether a read can get more than one definition.
    bool chooses(Cssa::Pi const& pi) const {
        return e_.is_used(pi.name) && e_.is_possible(pi.rho) && !e_.others(pi).empty();
    }

    void read(Cssa::Pi const& pi) {
        auto const definitions = cssa_.definitions_of(pi.x);
        std::string const what = fmt::format("READ {}", mangle(code_.names()(pi.x)));
        auto const gets = [&](std::uint32_t i) {
            return fmt::format("(= {} {})", cssa_.name(pi.name), cssa_.name(definitions[i].name));
        };
        std::vector<std::uint32_t> const others = e_.others(pi);
        if (others.empty()) return constrain(pi.rho, what, gets(pi.own));
        bool const has_clock = options_.writes == OrderOfWrites::clock;
        std::vector<std::string> choices;
        auto const choice = [&](std::uint32_t i, std::vector<std::string> more) {
            std::vector<std::string> terms{fmt::format("(= {} {})", e_.source(pi), i), gets(i)};
            if (has_clock)
                terms.push_back(fmt::format("(= {} {})", e_.clock(pi),
                                            definitions[i].rho.is_none() ? "0" : e_.order(definitions[i].rho)));
            terms.insert(terms.end(), more.begin(), more.end());
            if (!has_clock) append_order_of_writes(pi, i, others, terms);
            choices.push_back(conjunction(terms));
        };
        choice(pi.own, {});
        for (std::uint32_t const i : others) {
            Location const write = definitions[i].rho;
            std::vector<std::string> terms{executed(write), before(write, pi.rho)};
            if (pi.own != 0) terms.push_back(before(definitions[pi.own].rho, write));
            choice(i, std::move(terms));
        }
        bind(pi.rho, what, disjunction(choices));
        if (!has_clock) return;
        for (std::uint32_t const j : others) {
            Location const write = definitions[j].rho;
            bind(pi.rho, fmt::format("READ {} BESIDE {}", what.substr(5), mangle(code_.names()(write))),
                 disjunction({negation(executed(write)), not_behind(pi, j), before(e_.order(write), e_.clock(pi)),
                              before(pi.rho, write)}));
        }
    }

    /// That a write at the time of the one that is read is that one or, if the time is a segment of one thread, an
    /// earlier one.
    std::string not_behind(Cssa::Pi const& pi, std::uint32_t j) const {
        if (!e_.counts_segments()) return fmt::format("(= {} {})", e_.source(pi), j);
        Location const write = cssa_.definitions_of(pi.x)[j].rho;
        return fmt::format("(and (= {} {}) (<= {} {}))", e_.order(write), e_.clock(pi), j, e_.source(pi));
    }

    /// Section 4.2: any other definition is executed before the one that is read, or after the use, or not at all.
    void append_order_of_writes(Cssa::Pi const& pi, std::uint32_t i, std::vector<std::uint32_t> const& others,
                                std::vector<std::string>& terms) const {
        auto const definitions = cssa_.definitions_of(pi.x);
        for (std::uint32_t const j : others) {
            if (j == i) continue;
            Location const write = definitions[j].rho;
            std::vector<std::string> cases{negation(executed(write))};
            // Nothing comes before the initial value.
            if (Location const chosen = definitions[i].rho; !chosen.is_none()) {
                bool const one_thread = code_.thread_of(write) == code_.thread_of(chosen);
                cases.push_back(one_thread ? std::string(j < i ? truth : falsehood) : before(write, chosen));
            }
            cases.push_back(before(pi.rho, write));
            terms.push_back(disjunction(cases));
        }
    }

    // ---- Messages ----

    void messages() {
        if (m_.sends().empty() && m_.receives().empty()) return;
        section("matches");
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
            if (e_.is_possible(m_.receives()[r].rho)) receive(r);
        section("channel order");
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            if (e_.is_possible(m_.sends()[s].rho)) send(s);
    }

    void receive(std::uint32_t r) {
        auto const& receive = m_.receives()[r];
        std::string const a = name(receive.a);
        std::vector<std::string> choices{
            conjunction({negation(e_.filled(r)), fmt::format("(= {} 0)", match_symbol(m_, r))})};
        for (std::uint32_t const s : e_.sends_of(r)) {
            auto const& send = m_.sends()[s];
            std::vector<std::string> terms{e_.filled(r), match_term(m_, {r, s}),
                                           fmt::format("(= {} {})", e_.place(s), receive.ordinal),
                                           executed(receive.rho), executed(send.rho)};
            if (e_.is_used(cssa_.received(r)))
                terms.push_back(fmt::format("(= {} {})", cssa_.name(cssa_.received(r)), cssa_.sent(s).text));
            terms.push_back(e_.is_zero() ? before(e_.order(send.rho), e_.instant(r)) : before(send.rho, receive.nw));
            if (e_.is_zero() && !send.wait.is_none() && e_.is_possible(send.wait))
                terms.push_back(implication(executed(send.wait), before(e_.instant(r), e_.order(send.wait))));
            choices.push_back(conjunction(terms));
        }
        constrain(receive.rho, fmt::format("MATCH {}", a), disjunction(choices));
        if (!e_.is_zero()) return;
        if (e_.is_possible(receive.nw))
            bind(receive.nw, fmt::format("COMPLETES {}", a),
                 conjunction({e_.filled(r), before(e_.instant(r), e_.order(receive.nw))}));
        constrain(receive.rho, fmt::format("POSTED {}", a),
                  implication(e_.filled(r), before(e_.order(receive.rho), e_.instant(r))));
        if (receive.ordinal == 0) return;
        std::uint32_t const previous = m_.receives_at(receive.beta)[receive.ordinal - 1];
        constrain(
            receive.rho, fmt::format("ENDPOINT ORDER {}", a),
            implication(e_.filled(r), conjunction({e_.filled(previous), before(e_.instant(previous), e_.instant(r))})));
    }

    /// Its place is the ordinal of the receive that gets it, or beyond all receives; places ascend along the channel.
    void send(std::uint32_t s) {
        auto const& send = m_.sends()[s];
        std::vector<std::string> cases;
        for (std::uint32_t const r : candidates_[s])
            if (e_.is_possible(m_.receives()[r].rho)) cases.push_back(match_term(m_, {r, s}));
        cases.push_back(negation(e_.taken(s)));
        constrain(send.rho, "PLACE", disjunction(cases));
        auto const sends = m_.sends_of(send.channel);
        if (send.place > 0) constrain(send.rho, "CHANNEL ORDER", before(e_.place(sends[send.place - 1]), e_.place(s)));
        if (e_.is_zero() && !send.wait.is_none()) bind(send.wait, "TAKEN", e_.taken(s));
    }

    // ---- Switches ----

    /// Segment k begins at start_k; segment 0 at 0. It belongs to the thread running_k.
    void segments(std::uint32_t most) {
        section("context switches");
        auto const start = [](std::uint32_t k) { return k == 0 ? std::string("0") : fmt::format("start_{}", k); };
        for (std::uint32_t k = 0; k <= most; ++k) {
            integer(fmt::format("running_{}", k));
            if (k == 0) continue;
            integer(start(k));
            line(fmt::format("(assert (<= {} {}))", start(k - 1), start(k)));
        }
        for (Location rho{0}; rho.index < code_.ctp().commands.size(); ++rho.index) {
            if (!e_.has_order(rho)) continue;
            std::vector<std::string> segments;
            for (std::uint32_t k = 0; k <= most; ++k)
                segments.push_back(
                    conjunction({fmt::format("(= running_{} {})", k, code_.thread_of(rho)),
                                 k == 0 ? std::string(truth) : fmt::format("(<= {} {})", start(k), e_.order(rho)),
                                 k == most ? std::string(truth) : before(e_.order(rho), start(k + 1))}));
            bind(rho, in_a_segment, disjunction(segments));
        }
    }

    /// Segments are 1, 2, ..., and all that is executed in one is of the thread owner(segment).
    void owners(std::uint32_t most) {
        section("context switches");
        line("(declare-fun owner (Int) Int)");
        for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t) {
            Location last{}; // that has an order
            for (Location rho{code_.ctp().threads[t].first}; rho.index < e_.end(t); ++rho.index) {
                if (!e_.has_order(rho)) continue;
                bind(rho, "OWNER", fmt::format("(= (owner {}) {})", e_.order(rho), t));
                last = rho;
            }
            // What is not executed may be in the segment of what is.
            if (!last.is_none())
                constrain(last, context_bound, fmt::format("(<= {} {})", e_.order(last), most + std::uint64_t{1}));
        }
    }

    // ---- Causal models ----

    void model() {
        CausalModel const& model = *e_.model();
        section(fmt::format("the causal model {}", to_string(model.model())));
        for (Location rho{0}; rho.index < code_.ctp().commands.size(); ++rho.index) {
            if (!e_.is_possible(rho)) continue;
            for (auto const& before_it : model.before(rho)) {
                Location const other{before_it.command};
                line(fmt::format("(assert {})",
                                 implication(executed(rho), conjunction({executed(other), before(other, rho)}))));
            }
            spend(4);
            if (!model.reads(rho).empty()) pin(rho, model.reads(rho));
            for (auto const& received : model.received(rho)) {
                std::uint32_t const r = m_.receives_at(received.beta)[received.ordinal];
                bind(rho, fmt::format("AS IN THE TRACE {}", name(m_.receives()[r].a)),
                     model.model() == Model::hb
                         ? match_term(m_, {r, m_.send_number(received.a_s)})
                         : fmt::format("(= {} {})", cssa_.name(cssa_.received(r)), text_of(received.v)));
            }
        }
    }

    void pin(Location rho, std::span<CausalModel::Read const> values) {
        for (Cssa::Read const& read : cssa_.reads(rho))
            for (CausalModel::Read const& v : values) {
                spend(2);
                if (v.x != read.x) continue;
                bind(rho, fmt::format("AS IN THE TRACE {}", mangle(code_.names()(v.x))),
                     fmt::format("(= {} {})", cssa_.name(read.name), text_of(v.v)));
                break;
            }
    }
    static std::string text_of(Value const& v) {
        std::string text;
        print(v, text);
        return text;
    }

    void property() {
        if (options_.asked == Asked::any) return;
        bool const failure = options_.asked == Asked::failure;
        section(failure ? "property: not all executed assertions hold" : "property: all assertions hold");
        std::vector<std::string> terms;
        for (Cssa::Condition const& a : cssa_.assertions())
            if (e_.is_possible(a.rho))
                terms.push_back(failure ? conjunction({executed(a.rho), negation(a.term.text)}) : a.term.text);
        line(fmt::format("(assert (! {} :named |property|))", failure ? disjunction(terms) : conjunction(terms)));
    }

    SharedEvents const& e_;
    MessageIndex const& m_;
    IndexedProgram const& code_;
    Cssa const& cssa_;
    EncoderOptions const& options_;
    Lines lines_;
    std::vector<std::vector<std::uint32_t>> candidates_; // send -> the receives that may get it
};

} // namespace

SharedQuestion::SharedQuestion(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options,
                               CausalModel const* model)
    : options_(options), events_(messages, pairs, options, model) {
    if (!options.order) throw std::logic_error("SharedQuestion: what is read depends on the order");
    if (options.asked != Asked::failure && (model != nullptr || options.switches))
        throw std::logic_error("SharedQuestion: models and few switches are about failures");
    if (options.switches && options.switches_by == SwitchesBy::owner && options.buffering == Buffering::zero)
        throw std::logic_error("SharedQuestion: segments by owner are of infinite buffering");
}

void SharedQuestion::write(Sink const& sink) const { SharedProblem(events_, options_, sink).write(); }

std::string SharedQuestion::text() const {
    std::string text;
    write([&](std::string_view part) { text += part; });
    return text;
}

bool SharedQuestion::is_of_bound(std::string_view name) {
    std::string_view const what = name.substr(name.find(' ') + 1); // after the location
    return what == in_a_segment || what == context_bound;
}

} // namespace matchpoint::encode
