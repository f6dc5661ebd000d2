#include "encode/schedule.hpp"

#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "encode/formulas.hpp"
#include "encode/lines.hpp"
#include "encode/program_terms.hpp"
#include "encode/shared_events.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

/// The values of a variable that have one sort: definitions of a local variable may differ in theirs (rule D6).
struct Slot {
    Variable x;
    Sort sort;
};

/// One step of a run: the commands that it can execute. Their expressions read the copy of the state that the step
/// before it left.
struct Step {
    Step(IndexedProgram const& code, std::uint32_t number, std::size_t slots)
        : k(number), translation(code, terms), writers(slots) {}

    std::uint32_t k;
    Terms terms;
    Translation translation;
    std::vector<Symbol> before;                    // slot -> its copy before the step
    std::vector<std::vector<std::string>> writers; // slot -> for each command that assigns it, that it is executed
    std::vector<std::string> failures;             // the ways in which an assertion does not hold
};

/// A condition of a command that is executed.
struct Constraint {
    std::string what;
    std::string formula;
};

class Unrolled {
public:
    Unrolled(MessageIndex const& messages, EncoderOptions const& options, Sink const& sink)
        : code_(messages.code()), options_(options), pairs_(overapprox(messages)),
          events_(messages, pairs_, options, nullptr), lines_(sink), slots_of_(code_.names().variables.size()) {
        for (std::uint32_t t = 0; t < threads(); ++t) steps_ += length(t);
        find_slots();
    }

    void write() {
        line(preamble(options_, events_.cssa().nonlinear()));
        beginning();
        for (std::uint32_t k = 1; k <= steps_; ++k) step(k);
        if (options_.switches && *options_.switches + std::uint64_t{1} < steps_) few_switches(*options_.switches);
        line("; property: some step executes an assertion that does not hold");
        line(fmt::format("(assert (! {} :named |property|))", disjunction(failures_)));
        if (options_.check_sat) line("(check-sat)");
        lines_.finish();
    }

private:
    void line(std::string_view text) { lines_.add(text); }
    void declare(std::string_view name, Sort sort) {
        line(fmt::format("(declare-const {} {})", name, to_string(sort)));
    }
    void claim(std::string_view formula) { line(fmt::format("(assert {})", formula)); }
    void constrain(Location rho, std::string_view what, std::uint32_t k, std::string const& formula) {
        if (formula != truth) line(named_assertion(code_, rho, fmt::format("{} AT {}", what, k), formula));
    }

    std::uint32_t threads() const { return static_cast<std::uint32_t>(code_.ctp().threads.size()); }
    std::uint32_t first(std::uint32_t thread) const { return code_.ctp().threads[thread].first; }
    /// How many commands of it can matter.
    std::uint32_t length(std::uint32_t thread) const { return events_.end(thread) - first(thread); }

    static std::string turn(std::uint32_t k) { return fmt::format("turn!{}", k); }
    static std::string turn_of(std::uint32_t thread, std::uint32_t k) {
        return fmt::format("(= {} {})", turn(k), thread);
    }
    static std::string done(std::uint32_t thread, std::uint32_t k) { return fmt::format("done_{}!{}", thread, k); }
    std::string copy(Slot const& s, std::uint32_t k) const {
        return fmt::format("{}_{}!{}", s.sort == Sort::Bool ? "flag" : "var", mangle(code_.names()(s.x)), k);
    }
    std::string executed(Location rho, std::uint32_t k) const {
        return fmt::format("x_{}!{}", mangle(code_.names()(rho)), k);
    }

    // ---- Copies ----

    std::optional<std::uint32_t>& slot_of(Variable x, Sort sort) {
        return slots_of_[x.index][static_cast<std::size_t>(sort)];
    }

    /// A variable that no command reads has no copies.
    void find_slots() {
        for (Location rho{0}; rho.index < code_.ctp().commands.size(); ++rho.index) {
            spend();
            if (!events_.is_possible(rho)) continue;
            for (Cssa::Read const& read : events_.cssa().reads(rho)) {
                Slot const slot{read.x, events_.cssa().sort(read.name)};
                spend();
                auto& number = slot_of(slot.x, slot.sort);
                if (number) continue;
                number = static_cast<std::uint32_t>(slots_.size());
                slots_.push_back(slot);
            }
        }
    }

    void declare_copies(std::uint32_t k) {
        for (std::uint32_t t = 0; t < threads(); ++t) declare(done(t, k), Sort::Int);
        for (Slot const& s : slots_) declare(copy(s, k), s.sort);
    }

    void beginning() {
        line("; the beginning");
        declare_copies(0);
        for (std::uint32_t t = 0; t < threads(); ++t) claim(fmt::format("(= {} 0)", done(t, 0)));
        for (SharedVariable const& s : code_.ctp().shared) {
            Sort const sort = s.v.is_boolean() ? Sort::Bool : Sort::Int;
            if (!slot_of(s.x, sort)) continue;
            std::string value;
            print(s.v, value);
            claim(fmt::format("(= {} {})", copy({s.x, sort}, 0), value));
        }
    }

    // ---- Steps ----

    void step(std::uint32_t k) {
        Step s(code_, k, slots_.size());
        for (Slot const& slot : slots_) s.before.push_back(s.terms.declare(copy(slot, k - 1), slot.sort));
        line("; turns");
        turns(k);
        line("; copies of the state");
        declare_copies(k);
        line("; commands");
        for (std::uint32_t t = 0; t < threads(); ++t) {
            // Before this step, k - 1 commands are executed, and no more of other threads than these have.
            std::uint32_t const others = steps_ - length(t);
            for (std::uint32_t place = k - 1 > others ? k - 1 - others : 0; place < std::min(k, length(t)); ++place)
                command(s, {first(t) + place}, place);
        }
        if (!s.failures.empty()) {
            failures_.push_back(fmt::format("fails!{}", k));
            declare(failures_.back(), Sort::Bool);
            claim(fmt::format("(= {} {})", failures_.back(), disjunction(s.failures)));
        }
        line("; what stays as it is");
        frame(s);
    }

    void turns(std::uint32_t k) {
        bool const may_stop = !events_.is_complete();
        declare(turn(k), Sort::Int);
        claim(fmt::format("(<= 0 {} {})", turn(k), may_stop ? threads() : threads() - 1));
        if (may_stop && k > 1) claim(implication(turn_of(threads(), k - 1), turn_of(threads(), k)));
        for (std::uint32_t t = 0; t < threads(); ++t)
            if (k > length(t)) claim(implication(turn_of(t, k), fmt::format("(< {} {})", done(t, k - 1), length(t))));
    }

    void command(Step& s, Location rho, std::uint32_t place) {
        std::uint32_t const thread = code_.thread_of(rho);
        std::string const x = executed(rho, s.k);
        declare(x, Sort::Bool);
        constrain(rho, "TURN", s.k,
                  fmt::format("(= {} (and {} (= {} {})))", x, turn_of(thread, s.k), done(thread, s.k - 1), place));
        for (Cssa::Read const& read : events_.cssa().reads(rho))
            s.translation.define(read.x, s.before[*slot_of(read.x, events_.cssa().sort(read.name))]);
        std::vector<Constraint> const constraints = effects(s, rho);
        divisors(s, rho, place);
        for (Constraint const& c : constraints) constrain(rho, c.what, s.k, implication(x, c.formula));
    }

    /// What a command requires and stores, with symbols for its divisors.
    std::vector<Constraint> effects(Step& s, Location rho) {
        std::vector<Constraint> result;
        auto const guard = [&](Expression e) { result.push_back({"GUARD", truth_of(s, e, rho)}); };
        auto const assign = [&](Variable x, Expression e) { assigned(s, rho, x, e, result); };
        std::visit(overloaded{
                       [&](Assume const& c) { guard(c.e); },
                       [&](Assert const& c) {
                           s.failures.push_back(conjunction({executed(rho, s.k), negation(truth_of(s, c.e, rho))}));
                       },
                       [&](Assign const& c) { assign(c.x, c.e); },
                       [&](Guarded const& c) {
                           guard(c.e);
                           for (auto const& [x, e] : code_.ctp().assigned(c)) assign(x, e);
                       },
                       [](Sndi const&) {},
                       [](Rcvi const&) {},
                       [](Probe const&) {},
                       [](Start const&) {},
                       [](Wait const&) {},
                       [](Meet const&) {},
                       [](Collective const&) {},
                   },
                   code_.command_at(rho));
        return result;
    }

    /// The value is computed even if nobody reads the variable: its divisors must not be zero.
    void assigned(Step& s, Location rho, Variable x, Expression e, std::vector<Constraint>& result) {
        std::uint32_t const mark = s.terms.mark();
        Sort const sort = s.translation.translate(e, rho);
        std::string const value = text_since(s.terms, mark);
        auto const slot = slot_of(x, sort);
        if (!slot) return;
        s.writers[*slot].push_back(executed(rho, s.k));
        result.push_back({fmt::format("ASSIGN {}", mangle(code_.names()(x))),
                          fmt::format("(= {} {})", copy(slots_[*slot], s.k), value)});
    }

    static std::string truth_of(Step& s, Expression e, Location rho) {
        std::uint32_t const mark = s.terms.mark();
        s.translation.truth(e, rho);
        return text_since(s.terms, mark);
    }

    static std::string text_since(Terms const& terms, std::uint32_t mark) {
        std::string text;
        Term const term = terms.since(mark);
        spend(term.size);
        print(terms, term, text);
        return text;
    }

    /// A command is executed once, so that its divisors need no copies.
    void divisors(Step& s, Location rho, std::uint32_t place) {
        std::string const x = executed(rho, s.k);
        s.translation.divisors([&](Symbol divisor, std::string_view what, Term equation) {
            bool const is_new = s.k == place + 1;
            if (is_new) declare(s.terms.name(divisor), Sort::Int);
            std::string text;
            print(s.terms, equation, text);
            constrain(rho, what, s.k, implication(x, text));
            text.clear();
            print(s.terms, s.translation.non_zero(divisor), text);
            constrain(rho, fmt::format("{} IS NOT ZERO", what), s.k, implication(x, text));
        });
    }

    void frame(Step const& s) {
        for (std::uint32_t t = 0; t < threads(); ++t)
            claim(fmt::format("(= {} (ite {} (+ {} 1) {}))", done(t, s.k), turn_of(t, s.k), done(t, s.k - 1),
                              done(t, s.k - 1)));
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            std::vector<std::string> cases = s.writers[i];
            cases.push_back(fmt::format("(= {} {})", copy(slots_[i], s.k), copy(slots_[i], s.k - 1)));
            claim(disjunction(cases));
        }
    }

    void few_switches(std::uint32_t most) {
        line("; context switches");
        std::string sum = "0";
        for (std::uint32_t k = 2; k <= steps_; ++k) {
            spend(4);
            std::string const same = fmt::format("(= {} {})", turn(k), turn(k - 1));
            std::string const none = events_.is_complete() ? same : disjunction({same, turn_of(threads(), k)});
            sum += fmt::format(" (ite {} 0 1)", none);
        }
        line(fmt::format("(assert (! (<= (+ {}) {}) :named |CONTEXT BOUND|))", sum, most));
    }

    IndexedProgram const& code_;
    EncoderOptions const& options_;
    MatchPairs const pairs_; // none
    SharedEvents const events_;
    Lines lines_;
    std::vector<Slot> slots_;
    std::vector<std::array<std::optional<std::uint32_t>, 2>> slots_of_; // variable -> sort -> slot
    std::uint32_t steps_ = 0;
    std::vector<std::string> failures_; // fails!k
};

} // namespace

void encode_schedule(MessageIndex const& messages, EncoderOptions const& options, Sink const& sink) {
    if (options.asked != Asked::failure || !options.order)
        throw std::logic_error("encode_schedule: failure, with order");
    Unrolled(messages, options, sink).write();
}

} // namespace matchpoint::encode
