#include "machine/history.hpp"

#include "base/overloaded.hpp"
#include "machine/partners.hpp"
#include "machine/queue_movement.hpp"

namespace matchpoint::machine {

namespace {

Value from(Status s) { return Value::integer(static_cast<std::int64_t>(s)); }
Status to_status(Value const& v) { return static_cast<Status>(*v.small()); }

} // namespace

void History::on(State const&, Event const& event) {
    auto const lifted = [&](Status before, Status after) {
        if (before != after) note(Record::Kind::status, 0, from(before));
    };
    std::visit(overloaded{
                   [&](event::QueueMovement const& e) { note(Record::Kind::movement, e.channel.index); },
                   [&](event::AssumeCommand const& e) { lifted(e.before, e.after); },
                   [&](event::AssertCommand const& e) { lifted(e.before, e.after); },
                   [&](event::AssignCommand const& e) { note(Record::Kind::assigned, e.x.index, e.before); },
                   [&](event::GuardedAssignment const& e) {
                       for (event::Assigned const& a : e.assigned) note(Record::Kind::assigned, a.x.index, a.before);
                       lifted(e.before, e.after);
                   },
                   [&](event::SndiCommand const& e) { note(Record::Kind::sent, e.a.index); },
                   [&](event::RcviCommand const& e) { note(Record::Kind::posted, e.a.index); },
                   [&](event::ProbeCommand const& e) {
                       for (auto const& [y, before, v] : e.selected) note(Record::Kind::assigned, y.index, before);
                       note(Record::Kind::probed, e.a.index);
                   },
                   [&](event::StartCommand const& e) { note(Record::Kind::started, e.a.index); },
                   [&](event::WaitRcviCommand const& e) {
                       for (event::Completion const& c : e.completions) {
                           note(Record::Kind::completed, c.a_r.index, c.before);
                           for (auto const& [y, before, v] : c.selected) note(Record::Kind::assigned, y.index, before);
                       }
                       note(Record::Kind::removed, e.a_r.index);
                   },
                   [&](event::MachineStep const& e) { note(Record::Kind::step, e.rho.index); },
                   [&](event::MovementsTakenBack const& e) {
                       // They are the last records: the command of an entry that is stuck has changed nothing.
                       records_.resize(records_.size() - e.m.size(), {Record::Kind::step, 0, {}});
                   },
                   [&](event::StuckAt const& e) { note(Record::Kind::error, 0, from(e.before)); },
                   [](event::EntryTaken const&) {},
                   [](event::InsideExpression auto const&) {},
                   [](event::AssumeExpressionsEvaluation const&) {},
                   [](event::AssertExpressionsEvaluation const&) {},
                   [](event::AssignExpressionsEvaluation const&) {},
                   [](event::SndiExpressionEvaluation const&) {},
                   [](event::WaitSndiCommand const&) {},
                   [](event::BarrierCommand const&) {},
                   [](event::CollectiveStep const&) {},
                   [](event::GuardEvaluation const&) {},
                   [](event::RightHandSideEvaluation const&) {},
               },
               event);
}

/// A transition's own record is its last one, after those of its reductions.
bool History::ends_transition(Record const& record) {
    return record.kind == Record::Kind::step || record.kind == Record::Kind::movement ||
           record.kind == Record::Kind::error || record.kind == Record::Kind::overwritten;
}

void History::each_write(State const& state, std::function<bool(Write const&)> const& f) const {
    std::uint64_t entry = state.trace; // that comes next
    Location rho;
    for (std::size_t i = records_.size(); i-- > 0;) {
        Record const& record = records_[i];
        switch (record.kind) {
        case Record::Kind::step:
            --entry;
            rho = {record.subject};
            break;
        case Record::Kind::assigned:
            if (!f({entry, rho, {record.subject}, {}})) return;
            break;
        case Record::Kind::completed:
            if (!f({entry, rho, state.Pnd_r.entries[slot_of(state, {record.subject})].x, {record.subject}})) return;
            break;
        case Record::Kind::overwritten:
            if (!f({entry, {}, {record.subject}, {}})) return;
            break;
        case Record::Kind::movement:
        case Record::Kind::sent:
        case Record::Kind::posted:
        case Record::Kind::probed:
        case Record::Kind::started:
        case Record::Kind::removed:
        case Record::Kind::status:
        case Record::Kind::error: break;
        }
    }
}

bool History::undo(State& state) {
    if (records_.empty()) return false;
    do {
        undo(state, records_.back());
        records_.pop_back();
    } while (!records_.empty() && !ends_transition(records_.back()));
    return true;
}

bool History::undo_entry(State& state) {
    if (!undo(state)) return false;
    while (!records_.empty() && records_.back().kind == Record::Kind::movement) undo(state);
    return true;
}

/// Where a receive that was issued is in Pnd_r::entries.
std::uint32_t History::slot_of(State const& state, Action a_r) const {
    return (*code_)[code_->as_rcvi(a_r)->beta].Pnd_r.first + state.ordinal[a_r.index];
}

void History::undo_probe(State& state, Probe const& probe) const {
    Action& a_s = state.saw[probe.a.index];
    if (probe.matches) {
        take_movement_back(state, *code_, probe.beta);
        state.Pnd_r.entries[slot_of(state, probe.a)] = {};
        --state.Pnd_r.issued[probe.beta.index];
        state.ordinal[probe.a.index] = State::not_issued;
        state.saw[a_s.index] = {};
    }
    a_s = {};
}

void History::undo(State& state, Record const& record) const {
    IndexedProgram const& code = *code_;
    switch (record.kind) {
    case Record::Kind::step:
        --state.ctp[code.thread_of({record.subject})];
        ++state.commands_left;
        --state.trace;
        break;
    case Record::Kind::movement: take_movement_back(state, code, code[Channel{record.subject}].beta); break;
    case Record::Kind::assigned:
    case Record::Kind::overwritten: state.h[record.subject] = record.before; break;
    case Record::Kind::sent: {
        Channel const channel = code.channel_of({record.subject});
        std::uint32_t const n = --state.Pnd_s.issued[channel.index];
        state.Pnd_s.entries[code[channel].Pnd_s.first + n] = {};
        if (code.selects()) forget_sent(state, code, {record.subject});
        state.ordinal[record.subject] = State::not_issued;
        state.A[record.subject] = {};
        break;
    }
    case Record::Kind::posted: {
        Endpoint const beta = code.as_rcvi({record.subject})->beta;
        std::uint32_t const n = --state.Pnd_r.issued[beta.index];
        state.Pnd_r.entries[code[beta].Pnd_r.first + n] = {};
        state.ordinal[record.subject] = State::not_issued;
        state.A[record.subject] = {};
        break;
    }
    case Record::Kind::probed: undo_probe(state, *code.as_probe({record.subject})); break;
    case Record::Kind::started:
        state.Pnd_r.entries[slot_of(state, {record.subject})].x = {};
        state.A[record.subject] = {};
        break;
    case Record::Kind::completed: {
        Rcvi const& receive = *code.as_rcvi({record.subject});
        std::uint32_t const m = code[receive.beta].selects
                                    ? *message_for(state, code, receive.beta, state.ordinal[record.subject])
                                    : --state.Q_s.completed[receive.beta.index];
        state.Q_s.entries[code[receive.beta].Q_s.first + m].mark = DeliveredSend::Mark::unmarked;
        state.h[state.Pnd_r.entries[slot_of(state, {record.subject})].x.index] = record.before;
        break;
    }
    case Record::Kind::removed: {
        Rcvi const& receive = *code.as_rcvi({record.subject});
        std::uint32_t const n = state.ordinal[record.subject];
        std::uint32_t const m = *message_for(state, code, receive.beta, n);
        DeliveredSend& send = state.Q_s.entries[code[receive.beta].Q_s.first + m];
        send.mark = DeliveredSend::Mark::marked;
        std::uint32_t& front = state.Q_s.front[receive.beta.index];
        front = std::min(front, m);
        if (code[receive.beta].selects) {
            std::uint32_t& first = state.Pnd_r.front[receive.beta.index];
            first = std::min(first, n);
        }
        state.A[record.subject] = receive.beta;
        state.A[send.a.index] = code.as_sndi(send.a)->alpha;
        break;
    }
    case Record::Kind::status:
    case Record::Kind::error: state.s = to_status(record.before); break;
    }
}

} // namespace matchpoint::machine
