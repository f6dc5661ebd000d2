#include "rma/machine/machine.hpp"

#include <algorithm>

#include "base/overloaded.hpp"

namespace matchpoint::rma {

State initial_state(Graph const& graph) {
    State state;
    for (Process const& p : graph.program().processes) {
        auto const process = static_cast<ProcessIndex>(state.pc.size());
        state.pc.push_back(p.first == p.last ? graph.end(process) : p.first);
    }
    for (VariableInfo const& x : graph.program().variables)
        state.M.push_back(x.kind == VariableInfo::Kind::place ? Value() : x.initial);
    state.A.resize(graph.queues().size());
    return state;
}

std::optional<ProcessIndex> Machine::inside_atomic(State const& state) const {
    for (ProcessIndex p = 0; p < state.pc.size(); ++p)
        if (graph_->inside(p, state.pc[p])) return p;
    return std::nullopt;
}

std::optional<Blocked> Machine::blocked(State const& state, ProcessIndex p) const {
    if (state.pc[p] == graph_->end(p)) return Blocked{Blocked::Why::finished};
    if (auto const inside = inside_atomic(state); inside && *inside != p) return Blocked{Blocked::Why::atomic, *inside};
    auto const* const flush = std::get_if<Flush>(&next(state, p).c);
    if (flush == nullptr || model_ == Model::sc || !flush_waits(*graph_, state, p, flush->pid)) return std::nullopt;
    auto waits = awaited(*graph_, state, p, flush->pid);
    return Blocked{Blocked::Why::flush, no_index, std::move(waits)};
}

bool Machine::steps(State const& state, ProcessIndex p, std::optional<ProcessIndex> inside) const {
    if (state.pc[p] == graph_->end(p) || (inside && *inside != p)) return false;
    auto const* const flush = std::get_if<Flush>(&next(state, p).c);
    return flush == nullptr || model_ == Model::sc || !flush_waits(*graph_, state, p, flush->pid);
}

void Machine::enabled(State const& state, std::vector<Transition>& result) const {
    result.clear();
    auto const inside = inside_atomic(state);
    for (ProcessIndex p = 0; p < state.pc.size(); ++p) {
        if (!steps(state, p, inside)) continue;
        auto const* const choose = std::get_if<Choose>(&next(state, p).c);
        std::uint32_t const choices = choose == nullptr ? 1 : choose->last - choose->first;
        for (std::uint32_t k = 0; k < choices; ++k) result.emplace_back(ProcessStep{p, k});
    }
    for (auto const& [s, count] : state.R) result.emplace_back(NicRead{s});
    for (PendingWrites const& w : state.W) result.emplace_back(NicWrite{w.s, w.val});
    for (auto const& queue : state.A)
        if (!queue.empty()) result.emplace_back(NicAtomic{queue.front()});
}

std::vector<Transition> Machine::enabled(State const& state) const {
    std::vector<Transition> result;
    enabled(state, result);
    return result;
}

Effect Machine::apply(State& state, Transition const& t) const {
    return std::visit(overloaded{
                          [&](ProcessStep const& x) { return step(state, x); },
                          [&](NicRead const& x) {
                              nic_r_rule(*graph_, state, x.s);
                              return Effect::moved;
                          },
                          [&](NicWrite const& x) {
                              nic_w_rule(*graph_, state, x.s, x.val);
                              return Effect::moved;
                          },
                          [&](NicAtomic const& x) {
                              nic_a_rule(*graph_, state, x.s);
                              return Effect::moved;
                          },
                      },
                      t);
}

Effect Machine::step(State& state, ProcessStep const& t) const {
    Local const l{*graph_, state, t.p};
    bool const sc = model_ == Model::sc;
    auto const atomic = [&] { return sc ? atomic_assignment(l) : rmw_rule(l); };
    return std::visit(overloaded{
                          [&](Load const& c) { return load_rule(l, c); },
                          [&](Store const& c) { return store_rule(l, c); },
                          [&](Put const&) { return sc ? remote_assignment(l) : put_rule(l); },
                          [&](Get const&) { return sc ? remote_assignment(l) : get_rule(l); },
                          [&](Flush const&) { return sc ? skip_rule(l) : flush_rule(l); },
                          [&](Assign const& c) { return assign_rule(l, c); },
                          [&](Choose const& c) { return choose_rule(l, c, t.choice); },
                          [&](Assume const& c) { return assume_rule(l, c); },
                          [&](Assert const& c) { return assert_rule(l, c); },
                          [&](Skip const&) { return skip_rule(l); },
                          [&](If const& c) { return condition_rule(l, c.e); },
                          [&](While const& c) { return condition_rule(l, c.e); },
                          [&](Goto const&) { return goto_rule(l); },
                          [&](Atomic const&) { return skip_rule(l); }, // an empty one
                          [&](FetchAndOp const&) { return atomic(); },
                          [&](CompareAndSwap const&) { return atomic(); },
                          [&](Accumulate const&) { return atomic(); },
                      },
                      next(state, t.p).c);
}

Rule Machine::rule(State const& state, Transition const& t) const {
    if (std::holds_alternative<NicRead>(t)) return Rule::nic_r;
    if (std::holds_alternative<NicWrite>(t)) return Rule::nic_w;
    if (std::holds_alternative<NicAtomic>(t)) return Rule::nic_a;
    return std::visit(overloaded{
                          [](Load const&) { return Rule::load; },
                          [](Store const&) { return Rule::store; },
                          [](Put const&) { return Rule::put; },
                          [](Get const&) { return Rule::get; },
                          [](Flush const&) { return Rule::flush; },
                          [](Assign const&) { return Rule::assign; },
                          [](Choose const&) { return Rule::choose; },
                          [](Assume const&) { return Rule::assume; },
                          [](Assert const&) { return Rule::assert_; },
                          [](Skip const&) { return Rule::skip; },
                          [](If const&) { return Rule::if_; },
                          [](While const&) { return Rule::while_; },
                          [](Goto const&) { return Rule::goto_; },
                          [](Atomic const&) { return Rule::skip; },
                          [](FetchAndOp const&) { return Rule::rmw; },
                          [](CompareAndSwap const&) { return Rule::rmw; },
                          [](Accumulate const&) { return Rule::rmw; },
                      },
                      next(state, std::get<ProcessStep>(t).p).c);
}

bool Machine::is_final(State const& state) const {
    for (ProcessIndex p = 0; p < state.pc.size(); ++p)
        if (state.pc[p] != graph_->end(p)) return false;
    return state.R.empty() && state.W.empty() &&
           std::all_of(state.A.begin(), state.A.end(), [](auto const& queue) { return queue.empty(); });
}

} // namespace matchpoint::rma
