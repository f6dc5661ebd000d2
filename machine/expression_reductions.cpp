#include "machine/expression_reductions.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "machine/get_mark_remove.hpp"
#include "machine/operation.hpp"
#include "machine/partners.hpp"

namespace matchpoint::machine {

namespace {

/// assert(v, s) and assume(v, s) of Section 4.2: false lifts s to `to`, anything else leaves it; s never moves down.
void lift(Status& s, Value const& v, Status to) {
    if (s < to && v.is_false()) s = to;
}

/// A frame leaves k; its value stays in hand.
Frame pop(Estate& e) {
    Frame frame = std::move(e.k.back());
    e.k.pop_back();
    return frame;
}

} // namespace

/// Figure 8, VARIABLE LOOKUP
///   (h eta A Pnd_s Pnd_r Q_s x s k) ->e (.. h(eta(x)) s k)
Step variable_lookup(Estate& e, Variable x) {
    Value const& v = e.state.h[x.index];
    if (v.is_bot()) return Step::stuck(Rule::variable_lookup, reason::VariableWithoutValue{x});
    e.yield(v);
    e.observers.fire(e.state, [&] { return event::VariableLookup{x, e.v}; });
    return Step::reduced();
}

/// Figure 8, LEFT OPERAND
///   (.. (op e_0 e) s k) ->e (.. e_0 s (op * e -> k))
Step left_operand(Estate& e) {
    std::uint32_t const operation = e.node;
    e.k.push_back({Frame::Kind::op_left, operation, {}});
    e.focus(operand_roots(e.code.ctp(), operation).front());
    e.observers.fire(e.state, [&] { return event::LeftOperand{operation}; });
    return Step::reduced();
}

/// Figure 8, RIGHT OPERAND
///   (.. v s (op * e -> k)) ->e (.. e s (op v * -> k))
Step right_operand(Estate& e) {
    Frame& frame = e.k.back();
    frame.kind = Frame::Kind::op_right;
    frame.v = std::move(e.v);
    e.focus(frame.node - 1);
    e.observers.fire(e.state, [&] { return event::RightOperand{frame.node, frame.v}; });
    return Step::reduced();
}

/// Figure 8, BINARY OPERATION
///   (.. v_r s (op v_l * -> k)) ->e (.. op(v_l, v_r) s k)
Step binary_operation(Estate& e) {
    Frame const& frame = e.k.back();
    auto result = apply(e.code.ctp().nodes[frame.node].op, frame.v, e.v);
    if (auto* const reason = std::get_if<Reason>(&result))
        return Step::stuck(Rule::binary_operation, std::move(*reason));
    Frame const done = pop(e);
    Value const v_r = std::exchange(e.v, std::get<Value>(std::move(result)));
    e.observers.fire(e.state, [&] { return event::BinaryOperation{done.node, done.v, v_r, e.v}; });
    return Step::reduced();
}

/// Beside Figure 8, NOT OPERAND
///   (.. (not e) s k) ->e (.. e s (not * -> k))
Step not_operand(Estate& e) {
    std::uint32_t const operation = e.node;
    e.k.push_back({Frame::Kind::not_, operation, {}});
    e.focus(operation - 1);
    e.observers.fire(e.state, [&] { return event::NotOperand{operation}; });
    return Step::reduced();
}

/// Beside Figure 8, NOT OPERATION
///   (.. v s (not * -> k)) ->e (.. not(v) s k)
Step not_operation(Estate& e) {
    auto result = apply(e.code.ctp().nodes[e.k.back().node].op, e.v);
    if (auto* const reason = std::get_if<Reason>(&result)) return Step::stuck(Rule::not_operation, std::move(*reason));
    Frame const done = pop(e);
    Value const operand = std::exchange(e.v, std::get<Value>(std::move(result)));
    e.observers.fire(e.state, [&] { return event::NotOperation{done.node, operand, e.v}; });
    return Step::reduced();
}

/// Beside Figure 8, ITE CONDITION
///   (.. (ite e_0 e_1 e_2) s k) ->e (.. e_0 s (ite * e_1 e_2 -> k))
Step ite_condition(Estate& e) {
    std::uint32_t const operation = e.node;
    e.k.push_back({Frame::Kind::ite, operation, {}});
    e.focus(operand_roots(e.code.ctp(), operation).front());
    e.observers.fire(e.state, [&] { return event::IteCondition{operation}; });
    return Step::reduced();
}

/// Beside Figure 8, ITE OPERAND: the operand that is not chosen is not evaluated
///   (.. true s (ite * e_1 e_2 -> k)) ->e (.. e_1 s k)
///   (.. false s (ite * e_1 e_2 -> k)) ->e (.. e_2 s k)
Step ite_operand(Estate& e) {
    std::uint32_t const operation = e.k.back().node;
    if (!e.v.is_boolean())
        return Step::stuck(Rule::ite_operand, reason::OperandOfWrongSort{e.code.ctp().nodes[operation].op, e.v, {}});
    pop(e);
    std::size_t const k = Choice::operand(e.v.is_true());
    Value const v = std::move(e.v);
    e.focus(operand_roots(e.code.ctp(), operation)[k]);
    e.observers.fire(e.state, [&] { return event::IteOperand{operation, v, k}; });
    return Step::reduced();
}

/// Figure 8, ASSUME EXPRESSIONS EVALUATION
///   (.. (assume e) s k) ->e (.. e s (assume * -> k))
Step assume_expressions_evaluation(Estate& e, Assume const& c) {
    e.k.push_back({Frame::Kind::assume, 0, {}});
    e.focus(c.e.root());
    e.observers.fire(e.state, [&] { return event::AssumeExpressionsEvaluation{c.e}; });
    return Step::reduced();
}

/// Figure 8, ASSUME COMMAND
///   (.. v s (assume * -> k)) ->e (.. v assume(v, s) k)
Step assume_command(Estate& e, Assume const& c) {
    pop(e);
    Status const before = e.state.s;
    lift(e.state.s, e.v, Status::infeasible);
    e.observers.fire(e.state, [&] { return event::AssumeCommand{c.e, e.v, before, e.state.s}; });
    return Step::reduced();
}

/// Figure 8, ASSERT EXPRESSIONS EVALUATION
///   (.. (assert e) s k) ->e (.. e s (assert * -> k))
Step assert_expressions_evaluation(Estate& e, Assert const& c) {
    e.k.push_back({Frame::Kind::assert_, 0, {}});
    e.focus(c.e.root());
    e.observers.fire(e.state, [&] { return event::AssertExpressionsEvaluation{c.e}; });
    return Step::reduced();
}

/// Figure 8, ASSERT COMMAND
///   (.. v s (assert * -> k)) ->e (.. v assert(v, s) k)
Step assert_command(Estate& e, Assert const& c) {
    pop(e);
    Status const before = e.state.s;
    lift(e.state.s, e.v, Status::failure);
    e.observers.fire(e.state, [&] { return event::AssertCommand{c.e, e.v, before, e.state.s}; });
    return Step::reduced();
}

/// Figure 8, ASSIGN EXPRESSIONS EVALUATION
///   (.. (x := e) s k) ->e (.. e s (x := * -> k))
Step assign_expressions_evaluation(Estate& e, Assign const& c) {
    e.k.push_back({Frame::Kind::assign, 0, {}});
    e.focus(c.e.root());
    e.observers.fire(e.state, [&] { return event::AssignExpressionsEvaluation{c.x, c.e}; });
    return Step::reduced();
}

/// Figure 8, ASSIGN COMMAND
///   (h .. v s (x := * -> k)) ->e ([h | eta(x) -> v] .. v s k)
Step assign_command(Estate& e, Assign const& c) {
    pop(e);
    Value const before = std::exchange(e.state.h[c.x.index], e.v);
    e.observers.fire(e.state, [&] { return event::AssignCommand{c.x, c.e, before, e.v}; });
    return Step::reduced();
}

/// Beside Figure 8, SNDI EXPRESSION EVALUATION                                            errata E2: Figure 5 has an e
/// there
///   (.. (sndi a alpha beta e) s k) ->e (.. e s (sndi a alpha beta * -> k))
Step sndi_expression_evaluation(Estate& e, Sndi const& c) {
    e.k.push_back({Frame::Kind::sndi, 0, {}});
    e.focus(c.e.root());
    e.observers.fire(e.state, [&] { return event::SndiExpressionEvaluation{c.a, c.e}; });
    return Step::reduced();
}

/// Figure 8, SNDI COMMAND
///   Pnd_s_p = [Pnd_s | beta -> [Pnd_s(beta) | alpha -> Pnd_s(beta)(alpha) ++ [a_0 v]]]   errata E1: appends
///   (.. A Pnd_s .. v s (sndi a_0 alpha beta * -> k)) ->e (.. A[a_0 alpha] Pnd_s_p .. true s k)
Step sndi_command(Estate& e, Sndi const& c) {
    pop(e);
    State& m = e.state;
    Channel const channel = e.code.channel_of(c.a);
    std::uint32_t const n = m.Pnd_s.issued[channel.index]++;
    m.Pnd_s.entries[e.code[channel].Pnd_s.first + n] = {c.a, e.v};
    m.ordinal[c.a.index] = n;
    m.A[c.a.index] = c.alpha;
    if (e.code.selects()) note_sent(m, e.code, c.a);
    e.observers.fire(m, [&] { return event::SndiCommand{c.a, channel, c.e, e.v, c.mode == Mode::ready}; });
    e.yield(Value::boolean(true));
    return Step::reduced();
}

/// Beside Figure 8, RSNDI COMMAND
///   some posted receive could get the message
///   (.. (rsndi a_0 alpha beta * -> k)) ->e as SNDI COMMAND
Step rsndi_command(Estate& e, Sndi const& c) {
    if (!has_receive_for_next(e.state, e.code, c))
        return Step::stuck(Rule::rsndi_command, reason::NoReceiveForReadySend{c.a});
    return sndi_command(e, c);
}

/// Figure 8, RCVI COMMAND
///   Pnd_r_p = [Pnd_r | beta -> Pnd_r(beta) ++ [a_0 x_0]]                                   errata E1: appends
///   (.. A Pnd_r .. (rcvi a_0 beta x_0) s k) ->e (.. A[a_0 beta] Pnd_r_p .. true s k)
Step rcvi_command(Estate& e, Rcvi const& c) {
    State& m = e.state;
    std::uint32_t const n = m.Pnd_r.issued[c.beta.index]++;
    m.Pnd_r.entries[e.code[c.beta].Pnd_r.first + n] = {c.a, c.x};
    m.ordinal[c.a.index] = n;
    m.A[c.a.index] = c.beta;
    e.observers.fire(m, [&] { return event::RcviCommand{c.a, c.beta, c.x}; });
    e.yield(Value::boolean(true));
    return Step::reduced();
}

/// Figure 8, WAIT (SNDI) COMMAND, for a wait on a send only                               errata E34
///   with zero buffering, or if a_s is synchronous: a posted receive has a_s              errata E14
///   (.. (wait a_s) s k) ->e (.. true s k)
Step wait_sndi_command(Estate& e, Wait const& c) {
    if (waits_for_receive(e.code, e.buffering, c.a)) {
        if (!e.state.is_issued(c.a)) return Step::stuck(Rule::wait_sndi_command, reason::SendNotIssued{c.a});
        if (!is_taken(e.state, e.code, c.a)) {
            Action const held_by = e.code.has_probes() ? e.state.saw[c.a.index] : Action{};
            return Step::stuck(Rule::wait_sndi_command, reason::SendNotTaken{c.a, held_by});
        }
    }
    e.yield(Value::boolean(true));
    e.observers.fire(e.state, [&] { return event::WaitSndiCommand{c.a}; });
    return Step::reduced();
}

/// Figure 8, WAIT (RCVI) COMMAND
///   (h_p a_s Pnd_r_p Q_s_p s_p) = getMarkRemove(h, eta, Pnd_r, Q_s, beta, a_r, s)
///   A_p = A without a_r and a_s, in whatever order they appear                             errata E21: A is a map
///   (h eta A Pnd_s Pnd_r Q_s (wait a_r) s k) ->e (h_p eta A_p Pnd_s Pnd_r_p Q_s_p true s_p k)
Step wait_rcvi_command(Estate& e, Rcvi const& receive) {
    State& m = e.state;
    e.completions.clear();
    auto result = get_mark_remove(m, e.code, receive.beta, receive.a, e.observers.empty() ? nullptr : &e.completions);
    if (auto* const reason = std::get_if<Reason>(&result))
        return Step::stuck(Rule::wait_rcvi_command, std::move(*reason));
    Action const a_s = std::get<Action>(result);
    m.A[receive.a.index] = {};
    m.A[a_s.index] = {};
    e.observers.fire(m, [&] { return event::WaitRcviCommand{receive.a, a_s, receive.beta, e.completions}; });
    e.yield(Value::boolean(true));
    return Step::reduced();
}

/// Beside Figure 8, BARRIER COMMAND
///   every thread that has b is at its occurrence with the number of this one, or past it
///   (.. (barrier b) s k) ->e (.. true s k)
Step barrier_command(Estate& e, Meet const& c) {
    if (auto const thread = missing_at(e.state, e.code, e.rho))
        return Step::stuck(Rule::barrier_command, reason::NotAtBarrier{c.b, *thread});
    e.yield(Value::boolean(true));
    e.observers.fire(e.state, [&] { return event::BarrierCommand{c.b}; });
    return Step::reduced();
}

namespace {

/// A command about a call, whose premises hold.
Step take_part(Estate& e, Rule rule, Action a) {
    e.yield(Value::boolean(true));
    e.observers.fire(e.state, [&] { return event::CollectiveStep{rule, a}; });
    return Step::reduced();
}

} // namespace

/// Beside Figure 8, COLLECTIVE COMMAND
///   no member has made a call that belongs to this one and disagrees
///   every member that this call needs has called; with zero buffering, every member
///   (.. (collective a comm kind ..) s k) ->e (.. true s k)
Step collective_command(Estate& e, Collective const& c) {
    Collectives const& all = *e.code.collectives();
    if (auto const other = all.mismatch(e.state, e.rho))
        return Step::stuck(Rule::collective_command, reason::Mismatch{e.rho, *other});
    if (auto const thread = all.missing(e.state, e.rho, e.buffering))
        return Step::stuck(Rule::collective_command, reason::NotCalled{e.rho, *thread});
    return take_part(e, Rule::collective_command, c.a);
}

/// Beside Figure 8, ICOLLECTIVE COMMAND
///   no member has made a call that belongs to this one and disagrees
///   (.. (icollective a comm kind ..) s k) ->e (.. true s k)
Step icollective_command(Estate& e, Collective const& c) {
    if (auto const other = e.code.collectives()->mismatch(e.state, e.rho))
        return Step::stuck(Rule::icollective_command, reason::Mismatch{e.rho, *other});
    return take_part(e, Rule::icollective_command, c.a);
}

/// Beside Figure 8, WAIT (ICOLLECTIVE) COMMAND
///   a has been called, and no member has made a call that belongs to it and disagrees
///   every member that it needs has called; with zero buffering, every member
///   (.. (wait a) s k) ->e (.. true s k)
Step wait_icollective_command(Estate& e, Collective const& awaited) {
    Collectives const& all = *e.code.collectives();
    Location const call = e.code.issued_at(awaited.a);
    bool const is_called = e.state.ctp[e.code.thread_of(call)] > call.index;
    if (auto const other = is_called ? all.mismatch(e.state, call) : std::nullopt)
        return Step::stuck(Rule::wait_icollective_command, reason::Mismatch{call, *other});
    if (auto const thread = all.missing(e.state, call, e.buffering))
        return Step::stuck(Rule::wait_icollective_command, reason::NotCalled{call, *thread});
    return take_part(e, Rule::wait_icollective_command, awaited.a);
}

/// Beside Figure 8, GUARD EVALUATION
///   (.. (assume e (x := e_i) ...) s k) ->e (.. e s (assume * (x := e_i) ... -> k))         the same for `when`
Step guard_evaluation(Estate& e, Guarded const& c) {
    e.k.push_back({Frame::Kind::guard, 0, {}});
    e.focus(c.e.root());
    e.observers.fire(e.state, [&] { return event::GuardEvaluation{c.e, c.blocks}; });
    return Step::reduced();
}

/// Beside Figure 8, RIGHT-HAND SIDE EVALUATION: of the first assignment once the guard holds, then of each in turn
///   (.. v s (assume v_g (x_j := v_j) ... (x_i := *) (x := e) ... -> k))
///     ->e (.. e s (assume v_g (x_j := v_j) ... (x_i := v) (x := *) ... -> k))
Step right_hand_side_evaluation(Estate& e, std::uint32_t assignment) {
    auto const& [x, right] = e.code.ctp().assignments[assignment];
    if (e.k.back().kind == Frame::Kind::guard) e.k.pop_back();
    e.k.push_back({Frame::Kind::assigned, assignment, std::move(e.v)});
    e.focus(right.root());
    e.observers.fire(e.state, [&, x = x, right = right] { return event::RightHandSideEvaluation{x, right}; });
    return Step::reduced();
}

namespace {

/// All stores at once.
void store(Estate& e, Guarded const& c, Status before) {
    auto const assignments = e.code.ctp().assigned(c);
    boost::container::small_vector<event::Assigned, 4> assigned(assignments.size());
    Value v = std::move(e.v);
    for (std::size_t i = assignments.size(); i-- > 0;) {
        auto const& [x, right] = assignments[i];
        Value& now = e.state.h[x.index];
        assigned[i] = {x, right, std::exchange(now, v), v};
        v = pop(e).v;
    }
    // v is the guard's now.
    e.observers.fire(e.state, [&] {
        return event::GuardedAssignment{c.e, c.blocks, v, before, e.state.s, {assigned.data(), assigned.size()}};
    });
    e.yield(std::move(v));
}

} // namespace

/// Beside Figure 8, GUARDED ASSIGNMENT
///   e => true     (h .. s) ->e ([h | eta(x_i) -> v_i] .. s)      all at once
///   e => false    (h .. s) ->e (h .. max(s, infeasible))         no e_i is evaluated
Step guarded_assignment_command(Estate& e, Guarded const& c) {
    Status const before = e.state.s;
    if (e.k.back().kind == Frame::Kind::assigned) {
        store(e, c, before);
        return Step::reduced();
    }
    pop(e);
    e.state.s = std::max(before, Status::infeasible);
    e.observers.fire(e.state, [&] { return event::GuardedAssignment{c.e, c.blocks, e.v, before, e.state.s, {}}; });
    return Step::reduced();
}

/// Beside Figure 8, WHEN
///   e => true     (h .. s) ->e ([h | eta(x_i) -> v_i] .. s)      all at once
///   e => false    no rule applies
Step when_command(Estate& e, Guarded const& c) {
    if (e.k.back().kind == Frame::Kind::assigned) {
        store(e, c, e.state.s);
        return Step::reduced();
    }
    if (e.v.is_false()) return Step::stuck(Rule::when_command, reason::GuardFalse{c.e});
    pop(e);
    e.observers.fire(e.state, [&] { return event::GuardedAssignment{c.e, c.blocks, e.v, e.state.s, e.state.s, {}}; });
    return Step::reduced();
}

namespace {

Step reduce_command(Estate& e) {
    return std::visit(overloaded{
                          [&](Assume const& c) { return assume_expressions_evaluation(e, c); },
                          [&](Assert const& c) { return assert_expressions_evaluation(e, c); },
                          [&](Assign const& c) { return assign_expressions_evaluation(e, c); },
                          [&](Sndi const& c) { return sndi_expression_evaluation(e, c); },
                          [&](Rcvi const& c) { return rcvi_command(e, c); },
                          [&](Probe const& c) { return c.matches ? mprobe_command(e, c) : probe_command(e, c); },
                          [&](Start const& c) { return start_command(e, c); },
                          [&](Wait const& c) {
                              // Which of the rules it is, is known from the CTP.
                              if (auto const* const call = e.code.as_collective(c.a))
                                  return wait_icollective_command(e, *call);
                              Rcvi const* const receive = e.code.as_rcvi(c.a);
                              return receive != nullptr ? wait_rcvi_command(e, *receive) : wait_sndi_command(e, c);
                          },
                          [&](Meet const& c) { return barrier_command(e, c); },
                          [&](Collective const& c) {
                              bool const blocks = e.code.ctp().call(c).blocks;
                              return blocks ? collective_command(e, c) : icollective_command(e, c);
                          },
                          [&](Guarded const& c) { return guard_evaluation(e, c); },
                      },
                      e.command);
}

Step reduce_expression(Estate& e) {
    Node const node = e.code.ctp().nodes[e.node];
    switch (node.kind) {
    case Node::Kind::value: e.yield(e.code.ctp().values[node.payload]); return Step::reduced(); // e ::= v: is one
    case Node::Kind::variable: return variable_lookup(e, {node.payload});
    case Node::Kind::operation: break;
    }
    if (is_choice(node.op)) return ite_condition(e);
    return arity(node.op) == 1 ? not_operand(e) : left_operand(e);
}

/// The guard or a right-hand side has its value: the next right-hand side, or the command.
Step reduce_guarded(Estate& e, Guarded const& c) {
    Frame const& frame = e.k.back();
    bool const is_guard = frame.kind == Frame::Kind::guard;
    std::uint32_t const next = is_guard ? c.assigned.first : frame.node + 1;
    bool const goes_on = next < c.assigned.last && !(is_guard && e.v.is_false());
    if (goes_on) return right_hand_side_evaluation(e, next);
    return c.blocks ? when_command(e, c) : guarded_assignment_command(e, c);
}

Step reduce_value(Estate& e) {
    switch (e.k.back().kind) {
    case Frame::Kind::assert_: return assert_command(e, std::get<Assert>(e.command));
    case Frame::Kind::assume: return assume_command(e, std::get<Assume>(e.command));
    case Frame::Kind::assign: return assign_command(e, std::get<Assign>(e.command));
    case Frame::Kind::op_left: return right_operand(e);
    case Frame::Kind::op_right: return binary_operation(e);
    case Frame::Kind::not_: return not_operation(e);
    case Frame::Kind::ite: return ite_operand(e);
    case Frame::Kind::sndi: {
        Sndi const& c = std::get<Sndi>(e.command);
        return c.mode == Mode::ready ? rsndi_command(e, c) : sndi_command(e, c);
    }
    case Frame::Kind::guard:
    case Frame::Kind::assigned: break;
    }
    return reduce_guarded(e, std::get<Guarded>(e.command));
}

} // namespace

Step reduce(Estate& e) {
    switch (e.control) {
    case Estate::Control::command: return reduce_command(e);
    case Estate::Control::expression: return reduce_expression(e);
    case Estate::Control::value: break;
    }
    return reduce_value(e);
}

Step reduce_to_value(Estate& e) {
    while (e.control != Estate::Control::value || !e.k.empty())
        if (Step step = reduce(e); step.is_stuck()) return step;
    return Step::reduced();
}

} // namespace matchpoint::machine
