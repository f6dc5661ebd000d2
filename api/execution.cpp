#include <matchpoint/execution.hpp>

#include "api/impl.hpp"
#include "base/overloaded.hpp"
#include "encode/registry.hpp"
#include "explain/events.hpp"
#include "explain/narrate.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"

namespace matchpoint::api {

namespace {

std::vector<Finding> shown_findings(IndexedProgram const& code, std::vector<explain::Finding> const& findings) {
    std::vector<Finding> result;
    for (explain::Finding const& f : findings) {
        Finding& finding = result.emplace_back(Finding{command(f.rho), {}, report::shown(code, f)});
        for (auto const& [x, v] : f.values)
            if (auto const value = of_room(v)) finding.values.emplace_back(code.names()(x), *value);
    }
    return result;
}

Assigned assigned(IndexedProgram const& code, Variable x, base::Value const& before, base::Value const& v) {
    return {std::string(code.names()(x)), of_room(before), of_room(v).value()};
}

/// Runs it on a machine, with the deliveries that no command follows.
machine::Outcome run_all(machine::Machine& machine, machine::Schedule const& schedule, Extent extent) {
    machine::Outcome outcome = machine::run(machine, schedule, extent);
    if (!outcome.error)
        for (machine::Channel const c : schedule.trailing()) static_cast<void>(machine.apply(machine::Deliver{c}));
    return outcome;
}

} // namespace

std::string_view to_string(Status s) {
    switch (s) {
    case Status::success: return "success";
    case Status::failure: return "failure";
    case Status::infeasible: return "infeasible";
    case Status::error: break;
    }
    return "error";
}

Status of_room(machine::Status s) {
    switch (s) {
    case machine::Status::success: return Status::success;
    case machine::Status::failure: return Status::failure;
    case machine::Status::infeasible: return Status::infeasible;
    case machine::Status::error: break;
    }
    return Status::error;
}

Error no_such_trace(Program const& program, std::size_t trace) {
    return usage_error(
        fmt::format("there is no trace {}: {} has {}, counted from 0", trace, program.name(), program.traces()));
}

report::Replay const& Execution::Impl::replayed() const {
    std::call_once(once_, [&] { replay_.emplace(code(), in_room(buffering), schedule, extent); });
    return *replay_;
}

Execution execution_of(Program const& program, machine::Schedule schedule, Extent extent, Buffering buffering) {
    return Execution(std::make_shared<Execution::Impl const>(program, std::move(schedule), extent, buffering));
}

Execution execution_of(Program const& program, executions::Run const& run, Buffering buffering) {
    return execution_of(program, run.schedule, run.extent, buffering);
}

Result<Execution> Execution::of_trace(Program const& program, std::size_t trace, Buffering buffering) {
    auto const& impl = program.impl();
    std::size_t const count = impl.program.traces.size();
    if (trace >= count) return no_such_trace(program, trace);
    Extent const extent = record::trace_endings(impl.source.text(), count)[trace].extent();
    return within_limits([&]() -> Result<Execution> {
        Execution result = execution_of(program, encode::schedule_of(impl.code, trace), extent, buffering);
        static_cast<void>(result.impl().replayed());
        return result;
    });
}

Program const& Execution::program() const { return impl_->program; }
Buffering Execution::buffering() const { return impl_->buffering; }
std::size_t Execution::length() const { return impl_->schedule.size(); }

std::vector<Command> Execution::commands() const {
    std::vector<Command> result;
    for (std::size_t i = 0; i < impl_->schedule.size(); ++i)
        if (Location const rho = impl_->schedule.entry(i).rho; impl_->code().has(rho)) result.push_back(command(rho));
    return result;
}

bool Execution::is_complete() const { return impl_->replayed().state().finished(); }
Status Execution::status() const { return of_room(impl_->replayed().outcome().s); }

std::vector<Match> Execution::matches() const {
    std::vector<Match> result;
    for (machine::Match const& m : machine::match_set(impl_->code(), impl_->replayed().state()))
        result.push_back(match(impl_->code(), m.a_r, m.a_s));
    return result;
}

std::vector<Finding> Execution::false_assertions() const {
    return shown_findings(impl_->code(), impl_->replayed().findings().assertions());
}
std::vector<Finding> Execution::false_assumptions() const {
    return shown_findings(impl_->code(), impl_->replayed().findings().assumptions());
}

std::vector<Halt> Execution::halts() const {
    report::Replay replay(impl_->code(), in_room(impl_->buffering), impl_->schedule, impl_->extent);
    std::vector<Halt> result;
    for (report::Replay::Halt const& halt : replay.halts()) result.push_back({halt.thread, command(halt.at), halt.why});
    return result;
}

std::string Execution::error() const {
    report::Replay const& replay = impl_->replayed();
    auto const& error = replay.outcome().error;
    return error ? explain::in_words(impl_->code(), replay.state(), error->stuck.reason) : std::string();
}

std::optional<Value> Execution::value(std::string_view variable) const {
    auto const x = impl_->code().names().variables.find(variable);
    return x ? of_room(impl_->replayed().state().h[*x]) : std::nullopt;
}

std::string Execution::trace() const { return report::shown_trace(impl_->code(), impl_->schedule); }

std::string Execution::narrate() const {
    std::string text;
    explain::Narrator narrator(impl_->code(), [&](std::string_view line) { text += line; });
    machine::Machine machine(impl_->code(), in_room(impl_->buffering));
    machine.observe(narrator);
    run_all(machine, impl_->schedule, impl_->extent);
    return text;
}

void Execution::replay(Observer const& observer) const {
    if (!observer) return;
    Telling telling(impl_->code(), observer);
    machine::Machine machine(impl_->code(), in_room(impl_->buffering));
    machine.observe(telling);
    run_all(machine, impl_->schedule, impl_->extent);
}

// ---- Events ----

void Telling::on(machine::State const& state, machine::Event const& event) {
    namespace event_of = machine::event;
    if (auto const* const taken = std::get_if<event_of::EntryTaken>(&event)) {
        step_ = taken->entry;
        at_ = code_->has(taken->rho) ? std::optional(command(taken->rho)) : std::nullopt;
        return;
    }
    auto const rule = machine::rule_of(event);
    if (!rule) return; // movements are taken back: what follows is StuckAt, or an exception
    Event told{machine::to_string(*rule), step_, at_, {}};
    auto const issued = [&](Action a) { return command(code_->issued_at(a)); };
    auto const add = [&](Effect effect) { told.effects.push_back(std::move(effect)); };
    auto const judged = [&](bool is_assertion, base::Value const& v) { add(Judged{is_assertion, v.is_true()}); };
    auto const add_assigned = [&](Variable x, base::Value const& before, base::Value const& v) {
        add(assigned(*code_, x, before, v));
    };
    std::visit(
        overloaded{
            [&](event_of::QueueMovement const& e) { add(Delivered{issued(e.a_s)}); },
            [&](event_of::AssumeCommand const& e) { judged(false, e.v); },
            [&](event_of::AssertCommand const& e) { judged(true, e.v); },
            [&](event_of::AssignCommand const& e) { add_assigned(e.x, e.before, e.v); },
            [&](event_of::SndiCommand const& e) {
                add(Sent{issued(e.a), of_room(e.v).value()});
            },
            [&](event_of::WaitRcviCommand const& e) {
                for (event_of::Completion const& c : e.completions) {
                    add(Received{issued(c.a_r), issued(c.a_s), std::string(code_->names()(c.x)), of_room(c.v).value()});
                    for (event_of::Selected const& s : c.selected) add_assigned(s.y, s.before, s.v);
                }
            },
            [&](event_of::ProbeCommand const& e) {
                if (e.matches) add(Delivered{issued(e.a_s)});
                for (event_of::Selected const& y : e.selected) add_assigned(y.y, y.before, y.v);
            },
            [&](event_of::GuardedAssignment const& e) {
                if (!e.blocks) judged(false, e.v);
                for (event_of::Assigned const& a : e.assigned) add_assigned(a.x, a.before, a.v);
            },
            [&](event_of::StuckAt const& e) { add(Stuck{explain::in_words(*code_, state, e.stuck.reason)}); },
            [](explain::ExpressionEvent auto const&) {},
            [](base::OneOf<event_of::RcviCommand, event_of::StartCommand, event_of::WaitSndiCommand,
                           event_of::BarrierCommand, event_of::CollectiveStep, event_of::EntryTaken,
                           event_of::MachineStep, event_of::MovementsTakenBack> auto const&) {},
        },
        event);
    tell_(told);
    if (std::holds_alternative<event_of::MachineStep>(event)) at_ = std::nullopt;
}

} // namespace matchpoint::api
