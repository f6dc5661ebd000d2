#include "check/oracle/lowered.hpp"

#include <algorithm>

namespace matchpoint::check {

namespace {

/// What receives of barriers and collectives get: each has an endpoint of its own. Nobody sends to one that a thread
/// without the call would have to send to.
std::vector<Pair> pairs_of_barriers(Lowered const& lowered) {
    std::vector<Pair> pairs;
    for (std::uint32_t r = 0; r < lowered.messages().receives().size(); ++r)
        if (auto const s = lowered.messages().only_send(r); s && !lowered.raised_receive(r)) pairs.push_back({r, *s});
    return pairs;
}

} // namespace

LoweredOracle::LoweredOracle(MessageIndex const& messages, std::unique_ptr<Lowered> lowered,
                             std::atomic<bool> const* cancelled)
    : lowered_(std::move(lowered)), messages_(messages), receive_of_(messages.receives().size()),
      send_of_(messages.sends().size()), plain_(lowered_->messages(), lowered_->buffering(), cancelled) {
    for (std::uint32_t r = 0; r < lowered_->messages().receives().size(); ++r)
        if (auto const raised = lowered_->raised_receive(r))
            receive_of_[*raised] = r;
        else if (!lowered_->messages().only_send(r))
            can_complete_ = false;
    for (std::uint32_t s = 0; s < lowered_->messages().sends().size(); ++s)
        if (auto const raised = lowered_->raised_send(s)) send_of_[*raised] = s;
    plain_.take_for_granted(pairs_of_barriers(*lowered_));
}

Matching LoweredOracle::lower(Matching const& m) const {
    Matching result(lowered_->messages());
    for (Pair const& p : pairs_of_barriers(*lowered_)) result[p.r] = p.s;
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (m[r] != unmatched) result[receive_of_[r]] = send_of_[m[r]];
    return result;
}

Oracle::Wanted LoweredOracle::lower(Oracle::Wanted const& wanted) const {
    Oracle::Wanted result;
    for (Pair const& p : wanted.required) result.required.push_back(lower(p));
    for (Pair const& p : wanted.forbidden) result.forbidden.push_back(lower(p));
    return result;
}

Run LoweredOracle::raise(Run run) const {
    run.schedule = lowered_->raised(run.schedule, run.extent == Extent::complete);
    run.matching = lowered_->raised(run.matching);
    return run;
}

Oracle::Answer LoweredOracle::raise(Oracle::Answer answer) const {
    if (auto* const run = std::get_if<Run>(&answer)) *run = raise(std::move(*run));
    if (auto* const refusal = std::get_if<Oracle::Refusal>(&answer)) raise(*refusal);
    return answer;
}

/// None if it is of a barrier or a collective.
std::optional<Pair> LoweredOracle::raise(Pair p) const {
    auto const r = lowered_->raised_receive(p.r);
    auto const s = lowered_->raised_send(p.s);
    return r && s ? std::optional(Pair{*r, *s}) : std::nullopt;
}

/// These matches are in every run, so a core does not need them.
void LoweredOracle::raise(std::vector<Pair>& pairs) const {
    std::vector<Pair> result;
    for (Pair const& p : pairs)
        if (auto const raised = raise(p)) result.push_back(*raised);
    pairs = std::move(result);
}

void LoweredOracle::raise(Oracle::Refusal& refusal) const {
    raise(refusal.core.required);
    raise(refusal.core.forbidden);
    if (refusal.conflict) raise(*refusal.conflict);
    if (!refusal.fault) return;
    refusal.fault->rho = lowered_->raised(refusal.fault->rho);
    std::vector<std::uint32_t> on;
    for (std::uint32_t const r : refusal.fault->on)
        if (auto const raised = lowered_->raised_receive(r)) on.push_back(*raised);
    refusal.fault->on = std::move(on);
}

Conflict::Moment LoweredOracle::raise(Conflict::Moment const& moment) const {
    if (!moment.instant) return {false, lowered_->raised(Location{moment.index}).index};
    auto const r = lowered_->raised_receive(moment.index);
    if (r) return {true, *r};
    return {false, lowered_->raised(lowered_->messages().receives()[moment.index].rho).index};
}

void LoweredOracle::raise(Conflict& conflict) const {
    using Why = Conflict::Edge::Why;
    raise(conflict.core);
    if (conflict.left_out) conflict.left_out = lowered_->raised_send(*conflict.left_out);
    IndexedProgram const& code = messages_.code();
    auto const is_of_barrier = [&](Conflict::Moment const& m) {
        return !m.instant && std::holds_alternative<Meet>(code.command_at({m.index}));
    };
    auto const is_of_call = [&](Conflict::Moment const& m) { return !m.instant && !code.call_of({m.index}).is_none(); };
    std::vector<Conflict::Edge> cycle;
    for (Conflict::Edge edge : conflict.cycle) {
        edge.from = raise(edge.from);
        edge.to = raise(edge.to);
        if (edge.from == edge.to) continue; // parts of one command
        if (edge.why != Why::program_order && is_of_barrier(edge.from) && is_of_barrier(edge.to))
            edge.why = Why::barrier;
        if (edge.why != Why::program_order && is_of_call(edge.from) && is_of_call(edge.to)) edge.why = Why::collective;
        if (edge.pair) edge.pair = raise(*edge.pair);
        cycle.push_back(edge);
    }
    conflict.cycle = std::move(cycle);
}

} // namespace matchpoint::check
