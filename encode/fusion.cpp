// Sections 4.1, 4.2 and 5 of Symbolic Predictive Analysis as printed. Above each constraint are the words of the paper
// that it is written from.

#include <stdexcept>

#include <fmt/format.h>

#include "encode/cssa.hpp"
#include "encode/formulas.hpp"
#include "encode/literal_encoders.hpp"
#include "encode/program_terms.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

class Fusion {
public:
    /// `bound` is that of Section 5; none for the strict order of Section 4.3.
    Fusion(MessageIndex const& messages, std::optional<std::uint32_t> bound, bool has_constants)
        : code_(messages.code()), cssa_(messages), bound_(bound), has_constants_(has_constants) {}

    std::string text(EncoderOptions const& options) {
        line(preamble(options, cssa_.nonlinear()));
        declare();
        path_conditions();
        program_order();
        variable_definitions();
        pi_functions();
        if (bound_) context_bound();
        assertion_property();
        if (options.check_sat) line("(check-sat)");
        return std::move(out_);
    }

private:
    /// Events are the commands and the dummies. t_first is t_0, which defines the initial values (Figure 4).
    struct Event {
        enum class Kind : std::uint8_t { first, last, command } kind;
        Location rho;
    };
    static constexpr Event t_first{Event::Kind::first, Location()};
    static constexpr Event t_last{Event::Kind::last, Location()};
    static Event event(Location rho) { return rho.is_none() ? t_first : Event{Event::Kind::command, rho}; }

    void line(std::string_view text) {
        out_ += text;
        out_ += '\n';
        spend(1 + text.size() / 16);
    }
    std::string name(Location rho) const { return mangle(code_.names()(rho)); }
    void constrain(Location rho, std::string_view what, std::string_view formula) {
        line(named_assertion(code_, rho, what, formula));
    }
    bool is_first(Location rho) const { return rho.index == code_.ctp().threads[code_.thread_of(rho)].first; }

    std::string time(Event t) const {
        if (t.kind == Event::Kind::command) return "O_" + name(t.rho);
        return t.kind == Event::Kind::first ? "O!first" : "O!last";
    }
    std::string path_condition(Event t) const {
        return t.kind == Event::Kind::first ? std::string(truth) : "g_" + name(t.rho);
    }

    void declare() {
        line("; 4.1: every definition of a variable has a unique name, and so has what a pi-function gives");
        for (std::uint32_t s = 0; s < cssa_.symbol_count(); ++s)
            line(fmt::format("(declare-const {} {})", cssa_.name({s}), to_string(cssa_.sort({s}))));
        line("; 4.3: \"for each event t a fresh integer variable O(t) denoting its execution time\"; and g(t)");
        for (Location rho{0}; rho.index < code_.ctp().commands.size(); ++rho.index) {
            line(fmt::format("(declare-const {} Int)", time(event(rho))));
            line(fmt::format("(declare-const {} Bool)", path_condition(event(rho))));
        }
        line(fmt::format("(declare-const {} Int)\n(declare-const {} Int)", time(t_first), time(t_last)));
    }

    void path_conditions() {
        line("; Path Conditions. \"If t = t_first, or t = t_first^i, let g(t) := true. Otherwise, t has a thread-local "
             "preceding "
             "event t'; if t has action (assume(c), asgn), let g(t) := c and g(t'); if assert(c), let g(t) := g(t')\"");
        std::size_t next = 0; // guards are in the order of the program
        for (Location rho{0}; rho.index < code_.ctp().commands.size(); ++rho.index) {
            std::string c(truth); // (assume(true), asgn)
            if (next < cssa_.guards().size() && cssa_.guards()[next].rho == rho) c = cssa_.guards()[next++].term.text;
            std::string const g =
                is_first(rho) ? std::string(truth) : conjunction({path_condition(event({rho.index - 1})), c});
            constrain(rho, "PATH CONDITION", fmt::format("(= {} {})", path_condition(event(rho)), g));
        }
    }

    // ---- HB ----

    /// 4.3: "HB(t, t') := O(t) < O(t')". 5.1: "HB(t, t') := O(t) <= O(t') if tid(t) = tid(t'), or t = t_first, or t' =
    /// t_last; O(t) < O(t') otherwise".
    std::string happens_before(Event t, Event u) const {
        bool const dummy = t.kind == Event::Kind::first || u.kind == Event::Kind::last;
        bool const weak = bound_ && (dummy || thread_of(t) == thread_of(u));
        return fmt::format("({} {} {})", weak ? "<=" : "<", time(t), time(u));
    }
    /// 4.2: "some HB-constraints evaluate to constant false and true -- such simplification is frequent". 5.1, footnote
    /// 3: "When HB(t, t') is a constant, we replace it with true or false".
    std::string simplified(Event t, Event u) const {
        if (!has_constants_) return happens_before(t, u);
        if (t.kind == Event::Kind::first) return std::string(truth);
        if (u.kind == Event::Kind::first) return std::string(falsehood);
        if (thread_of(t) != thread_of(u)) return happens_before(t, u);
        return std::string(t.rho.index < u.rho.index ? truth : falsehood);
    }
    /// Figure 3: t_0 is in thread 1.
    std::uint32_t thread_of(Event t) const {
        return t.kind == Event::Kind::command ? code_.thread_of(t.rho) : std::uint32_t{0};
    }

    void program_order() {
        line("; Program Order. \"If t = t_first^i, HB(t_first, t_first^i); if t = t_last, HB(t_last^i, t_last) for "
             "each i; "
             "otherwise HB(t', t)\"");
        for (Thread const& t : code_.ctp().threads) {
            if (t.first == t.last) continue;
            for (Location rho{t.first}; rho.index < t.last; ++rho.index)
                constrain(rho, "PROGRAM ORDER",
                          happens_before(is_first(rho) ? t_first : event({rho.index - 1}), event(rho)));
            constrain({t.last - 1}, "LAST", happens_before(event({t.last - 1}), t_last));
        }
    }

    void variable_definitions() {
        line("; Variable Definitions. \"for each assignment v := exp in asgn, let Phi_VD := Phi_VD and (v = exp)\"");
        for (Cssa::Equation const& e : cssa_.equations()) {
            std::string const equality = fmt::format("(= {} {})", cssa_.name(e.name), e.term.text);
            if (e.rho.is_none())
                line(fmt::format("(assert {})", equality));
            else
                constrain(e.rho, e.what, equality);
        }
    }

    // ---- Pi-functions ----

    void pi_functions() {
        line("; The pi-Function. \"OR_i (v' = v_i) and g(t_i) and HB(t_i, t) and AND_{j /= i} (HB(t_j, t_i) or HB(t, "
             "t_j))\"");
        for (Cssa::Pi const& pi : cssa_.pis()) {
            auto const definitions = cssa_.definitions_of(pi.x);
            auto const v = cssa_.parameters(pi);
            std::vector<std::string> choices;
            for (std::uint32_t const i : v) {
                Event const t_i = event(definitions[i].rho);
                std::vector<std::string> terms{
                    fmt::format("(= {} {})", cssa_.name(pi.name), cssa_.name(definitions[i].name)), path_condition(t_i),
                    simplified(t_i, event(pi.rho))};
                for (std::uint32_t const j : v)
                    if (Event const t_j = event(definitions[j].rho); j != i)
                        terms.push_back(disjunction({simplified(t_j, t_i), simplified(event(pi.rho), t_j)}));
                choices.push_back(conjunction(terms));
            }
            constrain(pi.rho, fmt::format("PI {}", cssa_.name(pi.name).substr(3)), disjunction(choices));
        }
    }

    void context_bound() {
        line("; 5.2: \"Phi_CTP(b) := Phi_CTP and (O(t_last) - O(t_first) <= b)\"");
        line(
            fmt::format("(assert (! (<= (- {} {}) {}) :named |CONTEXT BOUND|))", time(t_last), time(t_first), *bound_));
    }

    void assertion_property() {
        line("; Assertion Property. \"Let t be the event with action assert(c): Phi_PRP := (g(t) -> c)\", negated");
        if (cssa_.assertions().empty()) line("(assert false)"); // without the event there is nothing to violate
        for (Cssa::Condition const& a : cssa_.assertions())
            constrain(a.rho, "PROPERTY", fmt::format("(not (=> {} {}))", path_condition(event(a.rho)), a.term.text));
    }

    IndexedProgram const& code_;
    Cssa const cssa_;
    std::optional<std::uint32_t> bound_;
    bool has_constants_;
    std::string out_;
};

void check_options(char const* name, EncoderOptions const& options) {
    if (options.asked != Asked::failure || !options.order)
        throw std::logic_error(fmt::format("{}: failure, with order", name));
}

} // namespace

std::string encode_fusion(MessageIndex const& messages, EncoderOptions const& options) {
    check_options("encode_fusion", options);
    return Fusion(messages, std::nullopt, true).text(options);
}

std::string encode_fusion_bounded(MessageIndex const& messages, EncoderOptions const& options, Footnote3 footnote) {
    check_options("encode_fusion_bounded", options);
    if (!options.switches) throw std::logic_error("encode_fusion_bounded: a bound on context switches");
    return Fusion(messages, options.switches, footnote == Footnote3::applied).text(options);
}

} // namespace matchpoint::encode
