#include "smt_machine/smt_machine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "explain/words.hpp"
#include "grammar/operators.hpp"
#include "grammar/selectors.hpp"
#include "machine/well_formed.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::smt_machine {

SmtMachine::SmtMachine(IndexedProgram const& code)
    : code_(&code), l_(code.channels().size()), versions_(code.names().variables.size()), translation_(code, p_.terms),
      nth_(code.ctp().commands.size()) {
    Ctp const& ctp = code.ctp();
    auto const name = [&](auto id) { return mangle(code.names()(id)); };

    // Declare all symbols, in program order. The sorts of values are set later, when they are known.
    for (std::uint32_t rho = 0; rho < ctp.commands.size(); ++rho)
        p_.order.push_back(p_.terms.declare("order_" + name(Location{rho}), Sort::Int));
    p_.sends.resize(ctp.issued_by.size());
    p_.receives.resize(ctp.issued_by.size());
    p_.ML.resize(ctp.issued_by.size());
    std::vector<std::uint32_t> definitions(versions_.size());
    for (SharedVariable const& s : ctp.shared) ++definitions[s.x.index];
    auto const integer = [&](std::string_view prefix, Action a) {
        return p_.terms.declare(fmt::format("{}_{}", prefix, name(a)), Sort::Int);
    };
    for (Location rho{0}; rho.index < ctp.commands.size(); ++rho.index)
        std::visit(
            overloaded{
                [](Assume const&) {},
                [](Assert const&) {},
                [&](Assign const& c) { ++definitions[c.x.index]; },
                [&](Sndi const& c) {
                    p_.sends[c.a.index] =
                        Problem::Send{rho, integer("M", c.a), integer("ep", c.a), integer("value", c.a)};
                },
                [&](Rcvi const& c) {
                    p_.receives[c.a.index] = Problem::Receive{rho, integer("M", c.a), integer("ep", c.a), {}, {}};
                    ++definitions[c.x.index];
                    Selectors const* const sel = selectors_of(ctp, c);
                    if (sel != nullptr && sel->source) ++definitions[sel->source->index];
                    if (sel != nullptr && sel->tagged) ++definitions[sel->tagged->index];
                },
                [](Probe const&) {},
                [](Start const&) {},
                [](Meet const&) {},
                [](Collective const&) {},
                [&](Guarded const& c) {
                    for (auto const& [x, e] : ctp.assigned(c)) ++definitions[x.index];
                },
                [](Wait const&) {},
            },
            code.command_at(rho));
    for (std::uint32_t x = 0; x < definitions.size(); ++x) {
        first_version_.push_back(p_.terms.symbol_count());
        for (std::uint32_t n = 1; n <= definitions[x]; ++n)
            p_.terms.declare(fmt::format("var_{}!{}", name(Variable{x}), n), Sort::Int);
    }
    for (SharedVariable const& s : ctp.shared) initial(s);
}

void SmtMachine::on(State const& /*state*/, Event const& event) {
    if (code_->has_probes()) return; // getSMT() says that there is no problem
    std::visit(overloaded{
                   [&](event::EntryTaken const& e) { at_ = e.rho; },
                   [&](event::MachineStep const& e) { machine_step(e.rho); },
                   [&](event::AssumeExpressionsEvaluation const& e) { assume(e.e); },
                   [&](event::AssertExpressionsEvaluation const& e) { assert_(e.e); },
                   [&](event::AssignExpressionsEvaluation const& e) { assign(e.x, e.e); },
                   [&](event::SndiCommand const& e) { sndi(e); },
                   [&](event::RcviCommand const& e) { rcvi(e); },
                   [&](event::WaitRcviCommand const& e) { wait_rcvi(e); },
                   [&](event::GuardEvaluation const& e) { guard(e.guard); },
                   [&](event::GuardedAssignment const& e) { store(e); },
                   // Figures 9 and 10 add nothing to these rules.
                   [](event::QueueMovement const&) {},
                   [](event::InsideExpression auto const&) {},
                   [](event::RightHandSideEvaluation const&) {},
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

/// Figure 9, MACHINE STEP: addHB(smt rho_0 rho_1), where rho_1 is the thread's next location.
void SmtMachine::machine_step(Location rho) {
    Location const next{rho.index + 1};
    bool const last = next.index == code_->ctp().threads[code_->thread_of(rho)].last;
    if (!last) happens_before(rho, to_string(Rule::machine_step), order(rho), order(next));
}

/// Figure 10, ASSUME EXPRESSIONS EVALUATION: (e any ...)
void SmtMachine::assume(Expression e) {
    std::uint32_t const mark = p_.terms.mark();
    translation_.truth(e, at_);
    constrain(at_, to_string(Rule::assume_expressions_evaluation), p_.terms.since(mark));
    divisor_is_not_zero();
}

/// Figure 10, ASSERT EXPRESSIONS EVALUATION: e is a conjunct; the property negates them all   errata E5
void SmtMachine::assert_(Expression e) {
    std::uint32_t const mark = p_.terms.mark();
    translation_.truth(e, at_);
    p_.assertions.push_back({at_, 0, {}, p_.terms.since(mark)});
    divisor_is_not_zero();
}

/// Figure 10, ASSIGN EXPRESSIONS EVALUATION: (= x e), where x is a new version             errata E7
void SmtMachine::assign(Variable x, Expression e) {
    std::uint32_t const mark = p_.terms.mark();
    // The new version is the first operand, but e refers to the previous version.
    p_.terms.push(Symbol{first_version_[x.index] + versions_[x.index]});
    Sort const sort = translation_.translate(e, at_);
    new_version(x, sort);
    p_.terms.apply(Op::equal, 2);
    constrain(at_, to_string(Rule::assign_expressions_evaluation), p_.terms.since(mark));
    divisor_is_not_zero();
}

/// Figure 10, SNDI COMMAND: (and (= (select a ep) beta) (= (select a value) e))
void SmtMachine::sndi(event::SndiCommand const& e) {
    Problem::Send const& send = *p_.sends[e.a.index];
    Sndi const& c = *code_->as_sndi(e.a);
    std::uint32_t const mark = p_.terms.mark();
    p_.terms.push(send.ep);
    p_.terms.push(Value::parse_integer(code_->names()(c.beta)));
    p_.terms.apply(Op::equal, 2);
    p_.terms.push(send.value);
    p_.terms.set_sort(send.value, translation_.translate(e.e, at_));
    p_.terms.apply(Op::equal, 2);
    p_.terms.apply(Op::and_, 2);
    constrain(at_, to_string(Rule::sndi_command), p_.terms.since(mark));
    divisor_is_not_zero();
}

/// Figure 10, RCVI COMMAND: (= (select a ep) beta); its variable's version comes with its completion
void SmtMachine::rcvi(event::RcviCommand const& e) {
    std::uint32_t const mark = p_.terms.mark();
    p_.terms.push(p_.receives[e.a.index]->ep);
    p_.terms.push(Value::parse_integer(code_->names()(e.beta)));
    p_.terms.apply(Op::equal, 2);
    constrain(at_, to_string(Rule::rcvi_command), p_.terms.since(mark));
}

/// Figure 10, WAIT (RCVI) COMMAND, for every receive that the wait completes             errata E28
///   (l_p last_as) = getlastsend/replace(l, a_s, alpha, beta)
///   (HB (select last_as MP) (select a_s MP)), (MATCH a_r a_s)
/// Receives complete in the order of their places, and so a channel's sends in the order in which they were sent
///                                                                                      errata E27
void SmtMachine::wait_rcvi(event::WaitRcviCommand const& e) {
    for (event::Completion const& c : e.completions) {
        Problem::Receive& receive = *p_.receives[c.a_r.index];
        receive.nw = at_;
        receive.value = new_version(c.x, c.v.is_boolean() ? Sort::Bool : Sort::Int);
        p_.ML[c.a_r.index] = {c.a_s};
        for (auto const& [y, before, v] : c.selected) select(y, v);

        Action& last_as = l_[code_->channel_of(c.a_s).index];
        Problem::Send const& send = *p_.sends[c.a_s.index];
        if (!last_as.is_none()) happens_before(send.rho, "CHANNEL ORDER", p_.sends[last_as.index]->M, send.M);
        last_as = c.a_s;
    }
}

/// Beside Figure 10: `(source y)` and `(tagged z)` of a receive, whose match is that of the run
void SmtMachine::select(Variable y, Value const& v) {
    std::uint32_t const mark = p_.terms.mark();
    Symbol const version = new_version(y, Sort::Int);
    p_.terms.push(version);
    p_.terms.push(v);
    p_.terms.apply(Op::equal, 2);
    constrain(at_, fmt::format("SELECTED {}", p_.terms.name(version)),
              p_.terms.since(mark)); // a wait can select several
}

/// Beside Figure 10: a shared variable's first version is its initial value
void SmtMachine::initial(SharedVariable const& s) {
    if (code_->ctp().commands.empty()) return;
    std::uint32_t const mark = p_.terms.mark();
    p_.terms.push(new_version(s.x, s.v.is_boolean() ? Sort::Bool : Sort::Int));
    p_.terms.push(s.v);
    p_.terms.apply(Op::equal, 2);
    constrain(Location{0}, fmt::format("SHARED {}", mangle(code_->names()(s.x))), p_.terms.since(mark));
}

/// Beside Figure 10, GUARD EVALUATION: the guard holds, as an assumption
void SmtMachine::guard(Expression e) {
    std::uint32_t const mark = p_.terms.mark();
    translation_.truth(e, at_);
    constrain(at_, to_string(Rule::guard_evaluation), p_.terms.since(mark));
    divisor_is_not_zero();
}

/// Beside Figure 10, GUARDED ASSIGNMENT and WHEN: new versions along the trace, all over the versions before the
/// command
void SmtMachine::store(event::GuardedAssignment const& e) {
    Rule const rule = e.blocks ? Rule::when_command : Rule::guarded_assignment_command;
    std::vector<Sort> sorts;
    for (event::Assigned const& a : e.assigned) {
        std::uint32_t const mark = p_.terms.mark();
        p_.terms.push(Symbol{first_version_[a.x.index] + versions_[a.x.index]});
        sorts.push_back(translation_.translate(a.e, at_));
        p_.terms.apply(Op::equal, 2);
        constrain(at_, fmt::format("{} {}", to_string(rule), mangle(code_->names()(a.x))), p_.terms.since(mark));
        divisor_is_not_zero();
    }
    for (std::size_t i = 0; i < sorts.size(); ++i) new_version(e.assigned[i].x, sorts[i]);
}

void SmtMachine::divisor_is_not_zero() {
    translation_.divisors([&](Symbol divisor, std::string_view what, Term equation) {
        constrain(at_, what, equation);
        constrain(at_, fmt::format("{} IS NOT ZERO", what), translation_.non_zero(divisor));
    });
}

Symbol SmtMachine::new_version(Variable x, Sort sort) {
    Symbol const s{first_version_[x.index] + versions_[x.index]++};
    p_.terms.set_sort(s, sort);
    translation_.define(x, s);
    return s;
}

void SmtMachine::constrain(Location rho, std::string_view what, Term t) {
    std::uint32_t const nth = nth_[rho.index]++;
    p_.constraints.push_back({rho, nth, fmt::format("|{} {}|", mangle(code_->names()(rho)), what), t});
}

void SmtMachine::happens_before(Location rho, std::string_view what, Symbol before, Symbol after) {
    std::uint32_t const mark = p_.terms.mark();
    p_.terms.push(before);
    p_.terms.push(after);
    p_.terms.apply(Op::less, 2);
    constrain(rho, what, p_.terms.since(mark));
}

std::optional<std::string> why_not_smt_enabled(IndexedProgram const& code, State const& state) {
    // The receives of mprobes complete in any order, so a channel's sends do, too.
    if (code.has_probes()) return std::string("the program has probes");
    WellFormedness const w = well_formedness(code, state);
    if (!w.ran_to_completion)
        return std::string(state.s == Status::error ? "the run ended in error" : "the run has not ended");
    if (!w.in_transit.empty())
        return fmt::format("the run is not well-formed: sent but never delivered: {}", in_words(code, w.in_transit));
    if (!w.delivered.empty())
        return fmt::format("the run is not well-formed: delivered but never received: {}", in_words(code, w.delivered));
    if (!w.without_message.empty())
        return fmt::format("the run is not well-formed: receives that nothing completed: {}",
                           in_words(code, w.without_message));
    return std::nullopt;
}

Expected<Problem, std::string> SmtMachine::getSMT(State const& state) {
    if (auto why_not = why_not_smt_enabled(*code_, state)) return Unexpected{std::move(*why_not)};
    auto const by_program = [](Problem::Constraint const& a, Problem::Constraint const& b) {
        return std::pair(a.rho, a.nth) < std::pair(b.rho, b.nth);
    };
    std::sort(p_.constraints.begin(), p_.constraints.end(), by_program);
    std::sort(p_.assertions.begin(), p_.assertions.end(), by_program);
    p_.nonlinear = translation_.nonlinear();
    p_.satisfiable = state.s == Status::failure; // Lemma 3
    return std::move(p_);
}

Expected<Problem, std::string> getSMT(IndexedProgram const& code, std::size_t t, Buffering buffering) {
    Machine machine(code, buffering);
    SmtMachine smt(code);
    machine.observe(smt);
    run(machine, t);
    return smt.getSMT(machine.state());
}

} // namespace matchpoint::smt_machine
