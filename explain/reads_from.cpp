#include "explain/reads_from.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "explain/events.hpp"
#include "machine/machine.hpp"

namespace matchpoint::explain {

ReadsFrom::ReadsFrom(IndexedProgram const& code)
    : writers(code.names().variables.size()), is_shared(code.names().variables.size()) {
    for (SharedVariable const& s : code.ctp().shared) is_shared[s.x.index] = true;
}

std::span<ReadsFrom::Read const> ReadsFrom::of(std::uint32_t step) const {
    auto const first = std::partition_point(reads.begin(), reads.end(), [&](Read const& r) { return r.step < step; });
    auto const last = std::partition_point(first, reads.end(), [&](Read const& r) { return r.step == step; });
    return {first, last};
}

std::uint32_t ReadsFrom::last_writer(Variable x, std::uint32_t steps) const {
    auto const& all = writers[x.index];
    auto const after = std::lower_bound(all.begin(), all.end(), steps);
    return after == all.begin() ? initial : *(after - 1);
}

void ReadsFromRecorder::back_to(std::uint64_t steps) {
    auto& reads = to_->reads;
    while (!reads.empty() && reads.back().step >= steps) {
        read_at_[reads.back().x.index] = ReadsFrom::initial;
        reads.pop_back();
    }
    auto& writes = to_->writes;
    while (!writes.empty() && writes.back().step >= steps) {
        to_->writers[writes.back().x.index].pop_back();
        writes.pop_back();
    }
}

void ReadsFromRecorder::read(event::VariableLookup const& e) {
    if (!to_->is_shared[e.x.index] || read_at_[e.x.index] == step_) return;
    read_at_[e.x.index] = step_;
    to_->reads.push_back({step_, e.x, to_->last_writer(e.x), e.v});
}

void ReadsFromRecorder::write(Variable x) {
    auto& writers = to_->writers[x.index];
    if (!to_->is_shared[x.index] || (!writers.empty() && writers.back() == step_)) return;
    writers.push_back(step_);
    to_->writes.push_back({step_, x});
}

void ReadsFromRecorder::on(State const&, Event const& event) {
    std::visit(overloaded{
                   [&](event::EntryTaken const& e) {
                       step_ = static_cast<std::uint32_t>(e.entry);
                       back_to(e.entry);
                   },
                   [&](event::VariableLookup const& e) { read(e); },
                   [&](event::AssignCommand const& e) { write(e.x); },
                   [&](event::GuardedAssignment const& e) {
                       for (event::Assigned const& a : e.assigned) write(a.x);
                   },
                   [&](event::WaitRcviCommand const& e) {
                       for (event::Completion const& c : e.completions) {
                           write(c.x);
                           for (auto const& [y, before, v] : c.selected) write(y);
                       }
                   },
                   [&](event::ProbeCommand const& e) {
                       for (auto const& [y, before, v] : e.selected) write(y);
                   },
                   // What an entry has read that does not complete counts for nothing.
                   [&](event::StuckAt const& e) { back_to(e.entry); },
                   [](ExpressionEvent auto const&) {},
                   [](OneOf<event::QueueMovement, event::AssumeCommand, event::AssertCommand, event::SndiCommand,
                            event::RcviCommand, event::WaitSndiCommand, event::BarrierCommand, event::StartCommand,
                            event::CollectiveStep, event::MachineStep, event::MovementsTakenBack> auto const&) {},
               },
               event);
}

ReadsFrom reads_from(IndexedProgram const& code, Buffering buffering, Schedule const& schedule) {
    ReadsFrom result(code);
    ReadsFromRecorder recorder(result);
    Machine machine(code, buffering);
    machine.observe(recorder);
    static_cast<void>(machine::run(machine, schedule, Extent::prefix));
    return result;
}

} // namespace matchpoint::explain
