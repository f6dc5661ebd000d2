#include "tests/support/state_graph.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "machine/well_formed.hpp"

namespace matchpoint::test {

StateGraph::StateGraph(IndexedProgram const& code, Buffering buffering, std::size_t most)
    : code_(code), buffering_(buffering) {
    node(State(code));
    for (std::size_t n = 0; n < nodes_.size() && nodes_.size() <= most; ++n) expand(n);
    is_whole_ = nodes_.size() <= most;
    if (!is_whole_) return;
    for (std::size_t n = 0; n < nodes_.size(); ++n) judge(n);
    look_back();
}

std::optional<std::string> StateGraph::why_not(std::size_t n, std::size_t k, Schedule const& schedule) const {
    Machine machine(code_, buffering_, nodes_[n].state);
    bool is_at_fault = false;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        if (is_at_fault) return "it is stuck before its end";
        is_at_fault = machine.step(schedule.entry(i)).is_stuck();
    }
    if (is_at_fault != (goals[k] == Goal::Kind::fault)) return is_at_fault ? "it is stuck" : "it is not stuck";
    if (is_at_fault) return std::nullopt;
    auto const end = numbers_.find(key(machine.state()));
    if (end == numbers_.end()) return "no execution reaches its end";
    bool const is_there = goals[k] == Goal::Kind::deadlock ? is_nearly_stuck(end->second) : nodes_[end->second].is[k];
    return is_there ? std::nullopt : std::optional<std::string>("its end is another one");
}

std::string StateGraph::key(State const& state) const {
    std::string text = fmt::format("{} {}:", static_cast<int>(state.s), fmt::join(state.ctp, " "));
    for (std::uint32_t beta = 0; beta < code_.endpoints().size(); ++beta) {
        text += '/';
        for (std::uint32_t i = 0; i < state.Q_s.delivered[beta]; ++i)
            text += fmt::format(" {}", state.Q_s.entries[code_[Endpoint{beta}].Q_s.first + i].a.index);
    }
    return text;
}

std::size_t StateGraph::node(State state) {
    auto const [it, is_new] = numbers_.try_emplace(key(state), nodes_.size());
    if (is_new) nodes_.push_back({std::move(state), {}, {}});
    return it->second;
}

void StateGraph::expand(std::size_t n) {
    Machine machine(code_, buffering_, nodes_[n].state);
    for (Transition const& t : enabled(code_, nodes_[n].state, buffering_)) {
        machine.restore(nodes_[n].state);
        bool const is_command = std::holds_alternative<Execute>(t);
        if (machine.apply(t).is_stuck()) {
            nodes_[n].is[3] |= is_command && nodes_[n].state.s < Status::infeasible;
            continue;
        }
        std::size_t const next = node(machine.state());
        (is_command ? nodes_[n].by_command : nodes_[n].by_delivery).push_back(next);
    }
}

/// No command can follow, whatever is delivered.
bool StateGraph::is_stuck(std::size_t n) const {
    Node const& node = nodes_[n];
    return node.by_command.empty() && !node.is[3] &&
           std::all_of(node.by_delivery.begin(), node.by_delivery.end(), [&](std::size_t m) { return is_stuck(m); });
}

/// Whether deliveries alone lead to a deadlock.
bool StateGraph::is_nearly_stuck(std::size_t n) const {
    Node const& node = nodes_[n];
    return node.is[2] || std::any_of(node.by_delivery.begin(), node.by_delivery.end(),
                                     [&](std::size_t next) { return is_nearly_stuck(next); });
}

void StateGraph::judge(std::size_t n) {
    Node& node = nodes_[n];
    State const& s = node.state;
    node.is[0] = s.s == Status::failure;
    node.is[1] = s.s == Status::success && s.finished();
    node.is[2] = s.s < Status::infeasible && !s.finished() && is_stuck(n);
    auto const w = well_formedness(code_, s);
    node.is[4] = s.finished() && !(w.in_transit.empty() && w.delivered.empty());
}

void StateGraph::look_back() {
    std::vector<std::vector<std::size_t>> before(nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        for (auto const* const next : {&nodes_[n].by_command, &nodes_[n].by_delivery})
            for (std::size_t const m : *next) before[m].push_back(n);
    for (std::size_t k = 0; k < goals.size(); ++k) {
        std::vector<std::size_t> work;
        auto const add = [&](std::size_t n) {
            if (!nodes_[n].has[k]) work.push_back(n);
            nodes_[n].has[k] = true;
        };
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            if (nodes_[n].is[k]) add(n);
        while (!work.empty()) {
            std::size_t const n = work.back();
            work.pop_back();
            for (std::size_t const m : before[n]) add(m);
        }
    }
}

} // namespace matchpoint::test
