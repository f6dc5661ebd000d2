// The SMT machine to the letter of Figures 9 and 10, for one trace. The reference machine runs the trace; this observer
// adds to smt = (defs constraints ML) what the two figures add, and nothing else.
//
// The figures' notation, and ours:
//   (define rho_0 :: int)   the constant rho_LOCATION
//   x                       the constant var_x: one, however often it is assigned or received into (errata E7)
//   (define a :: send)      the fields of Definition 5: M_a (MP in the figure), order_a, ep_a and value_a
//   (define a :: recv)      the fields of Definition 7: M_a, order_a, ep_a, value_a (var in the figure) and nw_a
//   (HB any_0 any_1)        (< any_0 any_1)
//   (MATCH a_r a_s)         the conjunction of Definition 10
//
// Nothing equates order_a, or nw_a, with the constant of a location (errata E32). Therefore the flaw of
// getlastsend/replace (errata E27) has no effect: M_a is the order_a_r of another action, and these are not ordered
// among each other.

#include <map>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "encode/literal_encoders.hpp"
#include "encode/program_terms.hpp"
#include "explain/words.hpp"
#include "grammar/discipline.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "machine/rule.hpp"
#include "smt_machine/smt_machine.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

class Figures9And10 final : public Observer {
public:
    explicit Figures9And10(IndexedProgram const& code) : code_(code), boolean_(endpoints_of_booleans(code.program())) {}

    void on(State const& /*state*/, Event const& event) override {
        std::visit(overloaded{
                       [&](event::EntryTaken const& e) { at_ = e.rho; },
                       [&](event::MachineStep const& e) { machine_step(e.rho); },
                       [&](event::AssumeExpressionsEvaluation const& e) { assume(e.e); },
                       [&](event::AssertExpressionsEvaluation const& e) { assert_(e.e); },
                       [&](event::AssignExpressionsEvaluation const& e) { assign(e.x, e.e); },
                       [&](event::SndiCommand const& e) { sndi(e.a, e.e); },
                       [&](event::RcviCommand const& e) { rcvi(e.a, e.beta, e.x); },
                       [&](event::WaitRcviCommand const& e) { wait_rcvi(e.a_r, e.a_s); },
                       // The figures add nothing to these rules.
                       [](event::QueueMovement const&) {},
                       [](event::InsideExpression auto const&) {},
                       [](event::GuardEvaluation const&) {},
                       [](event::RightHandSideEvaluation const&) {},
                       [](event::GuardedAssignment const&) {},
                       [](event::AssumeCommand const&) {},
                       [](event::AssertCommand const&) {},
                       [](event::AssignCommand const&) {},
                       [](event::SndiExpressionEvaluation const&) {},
                       [](event::WaitSndiCommand const&) {},
                       [](event::BarrierCommand const&) {},
                       [](event::ProbeCommand const&) {},
                       [](event::StartCommand const&) {},
                       [](event::CollectiveStep const&) {},
                       [](event::MovementsTakenBack const&) {},
                       [](event::StuckAt const&) {},
                   },
                   event);
    }

    Expected<std::string, std::string> text(EncoderOptions const& options) const {
        if (!ill_sorted_.empty()) return Unexpected{ill_sorted_};
        std::string out = "(set-info :smt-lib-version 2.6)\n";
        if (options.cores) out += "(set-option :produce-unsat-cores true)\n";
        if (options.models) out += "(set-option :produce-models true)\n";
        out += nonlinear_ ? "(set-logic QF_NIA)\n" : "(set-logic QF_LIA)\n";
        out += "; defs\n" + defs_ + "; constraints\n" + constraints_;
        if (options.check_sat) out += "(check-sat)\n";
        return out;
    }

private:
    /// Figure 9, MACHINE STEP
    ///   smt_p1 = addHB(smt_p0 rho_0 rho_1)
    ///   addHB(((any_d ...) (any_c ...)) rho_0 rho_1) = (((define rho_0 :: int) any_d ...) ((HB rho_0 rho_1) any_c ...))
    /// A thread's last command has no rho_1, but takes a step as well (errata E23).
    void machine_step(Location rho_0) {
        Location const rho_1{rho_0.index + 1};
        define(rho(rho_0), Sort::Int);
        if (rho_1.index < code_.ctp().threads[code_.thread_of(rho_0)].last)
            constrain(rho_0, to_string(Rule::machine_step), HB(rho(rho_0), rho(rho_1)));
    }

    /// Figure 10, ASSUME EXPRESSIONS EVALUATION
    ///   (defs (any ...)) becomes (defs (e any ...))
    void assume(Expression e) { constrain(at_, to_string(Rule::assume_expressions_evaluation), term(e)); }

    /// Figure 10, ASSERT EXPRESSIONS EVALUATION
    ///   (defs (any ...)) becomes (defs ((not e) any ...))                                       errata E5, E6
    void assert_(Expression e) {
        constrain(at_, to_string(Rule::assert_expressions_evaluation), fmt::format("(not {})", term(e)));
    }

    /// Figure 10, ASSIGN EXPRESSIONS EVALUATION
    ///   (defs (any ...)) becomes (defs ((= x e) any ...))                                       errata E7
    void assign(Variable x, Expression e) {
        std::string const right = term(e);
        define(x, sort_of(e));
        constrain(at_, to_string(Rule::assign_expressions_evaluation), fmt::format("(= {} {})", var(x), right));
    }

    /// Figure 10, SNDI COMMAND
    ///   any_0 = (define a :: send)
    ///   any_1 = (and (= (select a ep) beta) (= (select a value) x))           x being any expression, as in Figure 5
    void sndi(Action a, Expression e) {
        std::string const sent = term(e);
        for (std::string_view const field : {"M", "order", "ep"}) define(select(a, field), Sort::Int);
        define(select(a, "value"), sort_of(e));
        constrain(at_, to_string(Rule::sndi_command),
                  fmt::format("(and (= {} {}) (= {} {}))", select(a, "ep"), number(code_.as_sndi(a)->beta),
                              select(a, "value"), sent));
    }

    /// Figure 10, RCVI COMMAND
    ///   any_0 = (define a :: recv)
    ///   any_1 = (and (= (select a ep) beta) (= (select a var) x_0))
    void rcvi(Action a, Endpoint beta, Variable x_0) {
        Sort const sort = boolean_[beta.index] ? Sort::Bool : Sort::Int;
        for (std::string_view const field : {"M", "order", "ep", "nw"}) define(select(a, field), Sort::Int);
        define(select(a, "value"), sort);
        define(x_0, sort);
        constrain(
            at_, to_string(Rule::rcvi_command),
            fmt::format("(and (= {} {}) (= {} {}))", select(a, "ep"), number(beta), select(a, "value"), var(x_0)));
    }

    /// Figure 10, WAIT (RCVI) COMMAND
    ///   (l_p last_as) = getlastsend/replace(l, a_s, alpha, beta)                                errata E27
    ///   (defs (any_a ...)) becomes
    ///     (defs ((HB (select last_as MP) (select a_s MP)) (MATCH a_r a_s) any_a ...))           errata E28
    void wait_rcvi(Action a_r, Action a_s) {
        Action& last_as = l_[code_.channel_of(a_s)];
        if (!last_as.is_none()) constrain(at_, "CHANNEL ORDER", HB(select(last_as, "M"), select(a_s, "M")));
        last_as = a_s;
        constrain(at_, fmt::format("MATCH {}", mangle(code_.names()(a_r))), MATCH(a_r, a_s));
    }

    /// Definition 10: M_R = order_S, M_S = order_R, e_R = e_S, value_R = value_S and order_S HB nw_R. In one trace, its
    /// disjunction (Definition 11) has one pair; a receive that no wait names has none (errata E28, E30).
    std::string MATCH(Action a_r, Action a_s) const {
        std::string const r = mangle(code_.names()(a_r));
        std::string const s = mangle(code_.names()(a_s));
        return fmt::format(
            "(and (= M_{0} order_{1}) (= M_{1} order_{0}) (= ep_{0} ep_{1}) (= value_{0} value_{1}) {2})", r, s,
            HB("order_" + s, "nw_" + r));
    }
    static std::string HB(std::string_view any_0, std::string_view any_1) {
        return fmt::format("(< {} {})", any_0, any_1);
    }
    std::string select(Action a, std::string_view field) const {
        return fmt::format("{}_{}", field, mangle(code_.names()(a)));
    }
    std::string rho(Location l) const { return "rho_" + mangle(code_.names()(l)); }
    std::string var(Variable x) const { return "var_" + mangle(code_.names()(x)); }
    std::string number(Endpoint e) const { return Value::parse_integer(code_.names()(e)).to_string(); }

    void define(std::string_view constant, Sort sort) {
        defs_ += fmt::format("(declare-const {} {})\n", constant, to_string(sort));
    }
    /// Declares a variable's constant, unless it is known. If it then has another sort, there is no problem (errata
    /// E7).
    void define(Variable x, Sort sort) {
        auto const known = vars_.find(x);
        if (known == vars_.end()) {
            vars_.emplace(x, Var{terms_.declare(var(x), sort), at_});
            define(var(x), sort);
            return;
        }
        Var const& first = known->second;
        if (terms_.sort(first.symbol) == sort || !ill_sorted_.empty()) return;
        ill_sorted_ = fmt::format(
            "the problem is ill-sorted: {} is one constant, of sort {} at {} and of sort {} at {}", shown(code_, x),
            to_string(terms_.sort(first.symbol)), shown(code_, first.at), to_string(sort), shown(code_, at_));
    }
    void constrain(Location rho, std::string_view what, std::string_view any) {
        constraints_ += named_assertion(code_, rho, what, any) + "\n";
    }

    /// e as it is, divisors included (errata E31).
    std::string term(Expression e) {
        for (Node const& node : nodes(e)) {
            switch (node.kind) {
            case Node::Kind::value: terms_.push(code_.ctp().values[node.payload]); break;
            case Node::Kind::variable:
                // By rule D5 it has been defined; else its look-up ends the run.
                if (auto const x = vars_.find({node.payload}); x != vars_.end())
                    terms_.push(x->second.symbol);
                else
                    terms_.push(Value::integer(0));
                break;
            case Node::Kind::operation:
                nonlinear_ |= divides(node.op) || (node.op == Op::times && !terms_.last_two_have_a_value());
                terms_.apply(node.op, arity(node.op));
                break;
            }
        }
        std::string out;
        print(terms_, terms_.since(terms_.mark() - e.size), out);
        terms_.pop();
        return out;
    }
    Sort sort_of(Expression e) const {
        Node const& root = code_.ctp().nodes[sort_root(code_.ctp(), e.root())];
        bool boolean = root.kind == Node::Kind::operation && result_sort(root.op) == OperandSort::boolean;
        if (root.kind == Node::Kind::value) boolean = code_.ctp().values[root.payload].is_boolean();
        if (root.kind == Node::Kind::variable)
            if (auto const x = vars_.find({root.payload}); x != vars_.end()) return terms_.sort(x->second.symbol);
        return boolean ? Sort::Bool : Sort::Int;
    }
    std::span<Node const> nodes(Expression e) const { return std::span(code_.ctp().nodes).subspan(e.first, e.size); }

    struct Var {
        Symbol symbol;
        Location at; // where it was first defined
    };

    IndexedProgram const& code_;
    std::vector<bool> boolean_; // endpoint -> whether booleans are sent to it
    Location at_;               // of the command
    std::map<Channel, Action> l_;
    std::map<Variable, Var> vars_;
    Terms terms_; // one at a time
    std::string defs_;
    std::string constraints_;
    std::string ill_sorted_;
    bool nonlinear_ = false;
};

} // namespace

/// Definition 16: "A machine state is smt-enabled if it is well formed. The SMT problem is taken from the final SMT
/// reduced state."
Expected<std::string, std::string> encode_figures_9_10(IndexedProgram const& code, Schedule const& trace,
                                                       EncoderOptions const& options) {
    Machine machine(code, Buffering::infinite);
    Figures9And10 smt(code);
    machine.observe(smt);
    run(machine, trace);
    if (auto why_not = why_not_smt_enabled(code, machine.state())) return Unexpected{std::move(*why_not)};
    return smt.text(options);
}

} // namespace matchpoint::encode
