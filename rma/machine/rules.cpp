#include "rma/machine/rules.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/container/flat_set.hpp>

#include "grammar/operators.hpp"
#include "machine/operation.hpp"
#include "rma/machine/evaluate.hpp"

namespace matchpoint::rma {

namespace {

/// x := [[e]]M, and on.
Effect assign(Local const& l, Variable x, Expression e) {
    auto v = evaluate(l.graph, l.state, e);
    if (!v) return Effect::faulted;
    l.state.M[x.index] = std::move(*v);
    l.move_on();
    return Effect::moved;
}

/// RS6: the operands have the sort of the operator, so there is a value.
Value applied(Op op, Value const& l, Value const& r) { return std::get<Value>(machine::apply(op, l, r)); }

Value combined(RemoteOp op, Value const& old, Value const& operand) {
    switch (op) {
    case RemoteOp::sum: return applied(Op::plus, old, operand);
    case RemoteOp::product: return applied(Op::times, old, operand);
    case RemoteOp::min: return applied(Op::less, operand, old).is_true() ? operand : old;
    case RemoteOp::max: return applied(Op::less, old, operand).is_true() ? operand : old;
    case RemoteOp::and_: return applied(Op::and_, old, operand);
    case RemoteOp::or_: return applied(Op::or_, old, operand);
    case RemoteOp::xor_: return applied(Op::xor_, old, operand);
    case RemoteOp::replace: return operand;
    case RemoteOp::no_op: break;
    }
    return old;
}

} // namespace

std::string_view to_string(Rule rule) {
    static constexpr std::array<std::string_view, 17> names{"put",   "get",   "nic_r",  "nic_w",  "load",   "store",
                                                            "flush", ":=",    "choose", "assume", "assert", "skip",
                                                            "if",    "while", "goto",   "rmw",    "nic_a"};
    return names.at(static_cast<std::size_t>(rule));
}

/// p at (put Y pid X): R(p) += r, var(r) = X, var(succ(r)) = Y, to(r) = pid; p moves on
Effect put_rule(Local const& l) {
    l.state.add_read(l.here().remote);
    l.move_on();
    return Effect::moved;
}

/// p at (get X Y pid): R(p) += r, var(r) = Y, var(succ(r)) = X, to(r) = pid; p moves on
Effect get_rule(Local const& l) { return put_rule(l); } // the graph knows which variable is read

/// r in R(p): R(p) -= r, val(succ(r)) = M(var(r)), W(p) += succ(r)
void nic_r_rule(Graph const& graph, State& state, RemoteIndex s) {
    state.remove_read(s);
    state.add_write(s, state.M[graph.remotes()[s].src.index]);
}

/// w in W(p): W(p) -= w, M(var(w)) = val(w)
void nic_w_rule(Graph const& graph, State& state, RemoteIndex s, Value val) {
    state.remove_write(s, val);
    state.M[graph.remotes()[s].trg.index] = std::move(val);
}

/// p at (fetch-and-op X Y pid op Z), and the like: A(p, Y) gets it as its last; p moves on
Effect rmw_rule(Local const& l) {
    RemoteIndex const s = l.here().remote;
    l.state.A[l.graph.remotes()[s].queue].push_back(s);
    l.move_on();
    return Effect::moved;
}

/// s first in A(p, Y): A(p, Y) -= s, M(Y) = M(Y) op M(Z); with an X, W(p) += succ(s), val(succ(s)) = the old M(Y)
void nic_a_rule(Graph const& graph, State& state, RemoteIndex s) {
    Remote const& remote = graph.remotes()[s];
    auto& queue = state.A[remote.queue];
    queue.erase(queue.begin());
    Value now = modified(graph, state, s);
    Value& Y = state.M[remote.src.index];
    if (remote.fetches) state.add_write(s, Y);
    Y = std::move(now);
}

Value modified(Graph const& graph, State const& state, RemoteIndex s) {
    Remote const& remote = graph.remotes()[s];
    Value const& Y = state.M[remote.src.index];
    StatementKind const& c = graph.program().statements[remote.statement].c;
    if (auto const* const fetch = std::get_if<FetchAndOp>(&c)) return combined(fetch->op, Y, state.M[fetch->Z.index]);
    if (auto const* const accumulate = std::get_if<Accumulate>(&c))
        return combined(accumulate->op, Y, state.M[accumulate->Z.index]);
    auto const& swap = std::get<CompareAndSwap>(c);
    return Y == state.M[swap.C.index] ? state.M[swap.Z.index] : Y;
}

/// SC: what nic_a and nic_w do, in one step
Effect atomic_assignment(Local const& l) {
    RemoteIndex const s = l.here().remote;
    Remote const& remote = l.graph.remotes()[s];
    Value const old = l.state.M[remote.src.index];
    l.state.M[remote.src.index] = modified(l.graph, l.state, s);
    if (remote.fetches) l.state.M[remote.trg.index] = old;
    l.move_on();
    return Effect::moved;
}

/// SC: Y := X of (put Y pid X), X := Y of (get X Y pid), in one step
Effect remote_assignment(Local const& l) {
    Remote const& s = l.graph.remotes()[l.here().remote];
    l.state.M[s.trg.index] = l.state.M[s.src.index];
    l.move_on();
    return Effect::moved;
}

/// M(u) = M(X)
Effect load_rule(Local const& l, Load const& c) {
    l.state.M[c.u.index] = l.state.M[c.X.index];
    l.move_on();
    return Effect::moved;
}

/// M(X) = [[e]]M
Effect store_rule(Local const& l, Store const& c) { return assign(l, c.X, c.e); }

/// p at (flush pid), no r in R(p) and no w in W(p) with to(.) = pid; p moves on    errata R1: both halves of put and
/// get
Effect flush_rule(Local const& l) {
    l.move_on();
    return Effect::moved;
}

Effect assign_rule(Local const& l, Assign const& c) { return assign(l, c.u, c.e); }

Effect choose_rule(Local const& l, Choose const& c, std::uint32_t choice) {
    l.state.M[c.u.index] = l.graph.program().choices[c.first + choice];
    l.move_on();
    return Effect::moved;
}

Effect assume_rule(Local const& l, Assume const& c) {
    auto const v = evaluate(l.graph, l.state, c.e);
    if (!v) return Effect::faulted;
    if (v->is_false()) return Effect::discarded;
    l.move_on();
    return Effect::moved;
}

/// A false assertion is a violation. The process moves on.
Effect assert_rule(Local const& l, Assert const& c) {
    auto const v = evaluate(l.graph, l.state, c.e);
    if (!v) return Effect::faulted;
    l.move_on();
    return v->is_false() ? Effect::failed : Effect::moved;
}

Effect skip_rule(Local const& l) {
    l.move_on();
    return Effect::moved;
}

Effect condition_rule(Local const& l, Expression e) {
    auto const v = evaluate(l.graph, l.state, e);
    if (!v) return Effect::faulted;
    Successors const here = l.here();
    l.state.pc[l.p] = v->is_true() ? here.next : here.otherwise;
    return Effect::moved;
}

Effect goto_rule(Local const& l) {
    l.move_on(); // the graph knows where to
    return Effect::moved;
}

bool flush_waits(Graph const& graph, State const& state, ProcessIndex p, ProcessIndex target) {
    auto const awaits = [&](RemoteIndex s) {
        return graph.remotes()[s].process == p && graph.remotes()[s].to == target;
    };
    for (auto const& [s, count] : state.R)
        if (awaits(s)) return true;
    for (auto const& queue : state.A)
        if (!queue.empty() && awaits(queue.front())) return true; // all of a queue go to one process
    return std::any_of(state.W.begin(), state.W.end(), [&](PendingWrites const& w) { return awaits(w.s); });
}

std::vector<RemoteIndex> awaited(Graph const& graph, State const& state, ProcessIndex p, ProcessIndex target) {
    boost::container::flat_set<RemoteIndex> result;
    auto const add = [&](RemoteIndex s) {
        if (graph.remotes()[s].process == p && graph.remotes()[s].to == target) result.insert(s);
    };
    for (auto const& [s, count] : state.R) add(s);
    for (auto const& queue : state.A) std::for_each(queue.begin(), queue.end(), add);
    for (PendingWrites const& w : state.W) add(w.s);
    return {result.begin(), result.end()};
}

} // namespace matchpoint::rma
