#include "report/diagram.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "explain/events.hpp"
#include "explain/words.hpp"
#include "machine/partners.hpp"

namespace matchpoint::report {

Diagram::Diagram(IndexedProgram const& code)
    : last(code.ctp().threads.size(), none), thread_at(code.endpoints().size(), none), reads_from(code) {}

std::span<Diagram::Point const> Diagram::points_of(std::uint32_t row) const {
    std::size_t const end = row + 1 < rows.size() ? rows[row + 1].points : points.size();
    return std::span(points).subspan(rows[row].points, end - rows[row].points);
}

std::uint32_t Diagram::receiver(IndexedProgram const& code, Message const& m) const {
    if (m.receive != none) return code.thread_of(code.issued_at(receives[m.receive].a_r));
    return thread_at[code[m.channel].beta.index];
}

Location Diagram::next(IndexedProgram const& code, std::uint32_t thread) const {
    Thread const& t = code.ctp().threads[thread];
    std::uint32_t const rho = last[thread] == none ? t.first : rows[last[thread]].rho.index + 1;
    return rho < t.last ? Location{rho} : Location{};
}

bool Diagram::stands_at_wait(IndexedProgram const& code, std::uint32_t thread) const {
    Location const rho = next(code, thread);
    return !rho.is_none() && is_wait(code.command_at(rho));
}

bool is_wait(Command const& command) {
    Guarded const* const guarded = as_guarded(command);
    return as_wait(command) != nullptr || as_probe(command) != nullptr || std::holds_alternative<Meet>(command) ||
           as_collective(command) != nullptr || (guarded != nullptr && guarded->blocks);
}

bool is_wait(IndexedProgram const& code, Diagram::Row const& row) {
    return row.thread != Diagram::none && is_wait(code.command_at(row.rho));
}

namespace {

/// The endpoint of a receive or a probe; none for other commands.
Endpoint receives_at(Command const& c) {
    if (auto const* const r = as_rcvi(c)) return r->beta;
    auto const* const p = as_probe(c);
    return p != nullptr ? p->beta : Endpoint{};
}

} // namespace

DiagramBuilder::DiagramBuilder(IndexedProgram const& code)
    : code_(&code), diagram_(code), reads_(diagram_.reads_from), findings_(code),
      index_of_(code.ctp().issued_by.size(), Diagram::none) {
    auto const& commands = code.ctp().commands;
    for (std::uint32_t rho = 0; rho < commands.size(); ++rho)
        if (Endpoint const beta = receives_at(commands[rho].c); !beta.is_none())
            if (std::uint32_t& thread = diagram_.thread_at[beta.index]; thread == Diagram::none)
                thread = code.thread_of({rho});
}

void DiagramBuilder::add_row(std::uint64_t entry, Location rho, std::uint32_t thread, Status s) {
    back_to(entry);
    if (diagram_.rows.size() != entry)
        throw std::logic_error("DiagramBuilder: it has not listened from the beginning of the run");
    Diagram::Row row{};
    row.entry = entry;
    row.rho = rho;
    row.thread = thread;
    row.since = thread == Diagram::none ? Diagram::none : diagram_.last[thread];
    row.points = static_cast<std::uint32_t>(diagram_.points.size());
    row.kind = Diagram::Kind::unfinished;
    row.before = row.after = s;
    diagram_.rows.push_back(std::move(row));
}

void DiagramBuilder::pair(std::uint32_t message, std::uint32_t receive) {
    diagram_.messages[message].receive = receive;
    diagram_.receives[receive].message = message;
}

void DiagramBuilder::undo(Diagram::Point const& point) {
    using Kind = Diagram::Point::Kind;
    switch (point.kind) {
    case Kind::sent:
        index_of_[diagram_.messages.back().a_s.index] = Diagram::none;
        diagram_.messages.pop_back();
        break;
    case Kind::delivered: {
        auto& m = diagram_.messages[point.index];
        if (m.receive != Diagram::none) diagram_.receives[m.receive].message = Diagram::none;
        m.delivered = m.receive = Diagram::none;
        break;
    }
    case Kind::posted: {
        auto const& r = diagram_.receives.back();
        if (r.message != Diagram::none) diagram_.messages[r.message].receive = Diagram::none;
        index_of_[r.a_r.index] = Diagram::none;
        diagram_.receives.pop_back();
        break;
    }
    case Kind::completed: diagram_.receives[point.index].completed = Diagram::none; break;
    }
}

void DiagramBuilder::drop_points(Diagram::Row const& row) {
    while (diagram_.points.size() > row.points) {
        undo(diagram_.points.back());
        diagram_.points.pop_back();
    }
}

void DiagramBuilder::back_to(std::uint64_t entries) {
    reads_.back_to(entries);
    while (diagram_.rows.size() > entries) {
        Diagram::Row const& row = diagram_.rows.back();
        drop_points(row);
        auto const index = static_cast<std::uint32_t>(diagram_.rows.size() - 1);
        if (row.thread != Diagram::none && diagram_.last[row.thread] == index) diagram_.last[row.thread] = row.since;
        diagram_.s = row.before;
        diagram_.rows.pop_back();
    }
}

void DiagramBuilder::limit_reached(std::string why) {
    if (diagram_.rows.empty() || diagram_.rows.back().kind != Diagram::Kind::unfinished)
        add_row(diagram_.rows.size(), {}, Diagram::none, diagram_.s);
    diagram_.rows.back().why = std::move(why);
}

std::uint32_t DiagramBuilder::row() const { return static_cast<std::uint32_t>(diagram_.rows.size() - 1); }

void DiagramBuilder::sent(event::SndiCommand const& e) {
    auto const m = static_cast<std::uint32_t>(diagram_.messages.size());
    diagram_.messages.push_back({e.a, e.channel, e.v, row(), Diagram::none, Diagram::none});
    index_of_[e.a.index] = m;
    add_point(Diagram::Point::Kind::sent, m);
}

void DiagramBuilder::delivered(State const& state, event::QueueMovement const& e) {
    IndexedProgram const& code = *code_;
    Endpoint const beta = code[e.channel].beta;
    std::uint32_t const ordinal = state.Q_s.delivered[beta.index] - 1;
    std::uint32_t const m = index_of_[e.a_s.index];
    diagram_.messages[m].delivered = row();
    if (auto const n = receive_for(state, code, beta, ordinal))
        pair(m, index_of_[state.Pnd_r.entries[code[beta].Pnd_r.first + *n].a.index]);
    add_point(Diagram::Point::Kind::delivered, m);
}

void DiagramBuilder::posted(State const& state, event::RcviCommand const& e) {
    IndexedProgram const& code = *code_;
    auto const r = static_cast<std::uint32_t>(diagram_.receives.size());
    diagram_.receives.push_back({e.a, e.beta, e.x, row(), Diagram::none, Diagram::none});
    index_of_[e.a.index] = r;
    std::uint32_t const ordinal = state.Pnd_r.issued[e.beta.index] - 1;
    if (auto const m = message_for(state, code, e.beta, ordinal))
        pair(index_of_[state.Q_s.entries[code[e.beta].Q_s.first + *m].a.index], r);
    add_point(Diagram::Point::Kind::posted, r);
}

/// An mprobe posts its receive, which gets its message in the same row.
void DiagramBuilder::probed(event::ProbeCommand const& e) {
    diagram_.rows.back().sees = e.a_s;
    if (!e.matches) return;
    auto const r = static_cast<std::uint32_t>(diagram_.receives.size());
    diagram_.receives.push_back({e.a, e.beta, code_->as_rcvi(e.a)->x, row(), Diagram::none, Diagram::none});
    index_of_[e.a.index] = r;
    add_point(Diagram::Point::Kind::posted, r);
    std::uint32_t const m = index_of_[e.a_s.index];
    diagram_.messages[m].delivered = row();
    pair(m, r);
    add_point(Diagram::Point::Kind::delivered, m);
}

void DiagramBuilder::completed(event::WaitRcviCommand const& e) {
    for (event::Completion const& c : e.completions) {
        diagram_.receives[index_of_[c.a_r.index]].completed = row();
        add_point(Diagram::Point::Kind::completed, index_of_[c.a_r.index]);
    }
}

void DiagramBuilder::failed(Diagram::Kind kind, std::vector<Finding> const& findings, bool is_kept) {
    diagram_.rows.back().kind = kind;
    if (is_kept) diagram_.rows.back().why = in_words(*code_, findings.back().values);
}

void DiagramBuilder::stuck(State const& state, event::StuckAt const& e) {
    // There has been an EntryTaken if the location is the next command of a thread.
    bool const has_row = diagram_.rows.size() == e.entry + 1 &&
                         diagram_.rows.back().kind == Diagram::Kind::unfinished && e.rho == diagram_.rows.back().rho;
    if (!has_row) {
        bool const known = e.rho && code_->has(*e.rho);
        add_row(e.entry, e.rho.value_or(Location{}), known ? code_->thread_of(*e.rho) : Diagram::none, e.before);
    }
    Diagram::Row& r = diagram_.rows.back();
    r.kind = Diagram::Kind::stuck;
    r.after = diagram_.s = state.s;
    r.why = fmt::format("{}: {}", to_string(e.stuck.rule), in_words(*code_, state, e.stuck.reason));
}

void DiagramBuilder::on(State const& state, Event const& event) {
    std::size_t const kept_before = findings_.assertions().size() + findings_.assumptions().size();
    findings_.on(state, event);
    if (code_->shares()) reads_.on(state, event);
    bool const is_kept = findings_.assertions().size() + findings_.assumptions().size() > kept_before;
    std::visit(overloaded{
                   [&](event::EntryTaken const& e) { add_row(e.entry, e.rho, e.thread, state.s); },
                   [&](event::QueueMovement const& e) { delivered(state, e); },
                   [&](event::SndiCommand const& e) { sent(e); },
                   [&](event::RcviCommand const& e) { posted(state, e); },
                   [&](event::WaitRcviCommand const& e) { completed(e); },
                   [&](event::AssignCommand const& e) { diagram_.rows.back().assigned = e.v; },
                   [&](event::AssertCommand const& e) {
                       if (e.v.is_false()) failed(Diagram::Kind::failed_assertion, findings_.assertions(), is_kept);
                   },
                   [&](event::AssumeCommand const& e) {
                       if (e.v.is_false()) failed(Diagram::Kind::failed_assumption, findings_.assumptions(), is_kept);
                   },
                   [&](event::GuardedAssignment const& e) {
                       if (e.v.is_false()) failed(Diagram::Kind::failed_assumption, findings_.assumptions(), is_kept);
                   },
                   [&](event::MachineStep const& e) {
                       Diagram::Row& r = diagram_.rows.back();
                       if (r.kind == Diagram::Kind::unfinished) r.kind = Diagram::Kind::step;
                       r.after = diagram_.s = state.s;
                       diagram_.last[e.thread] = row();
                   },
                   [&](event::MovementsTakenBack const&) {
                       // An entry that does not complete has changed nothing else.
                       drop_points(diagram_.rows.back());
                       diagram_.rows.back().taken_back = true;
                   },
                   [&](event::StuckAt const& e) { stuck(state, e); },
                   [](ExpressionEvent auto const&) {},
                   [](event::WaitSndiCommand const&) {},
                   [](event::BarrierCommand const&) {},
                   [&](event::ProbeCommand const& e) { probed(e); },
                   [&](event::StartCommand const& e) { diagram_.receives[index_of_[e.a.index]].x = e.x; },
                   [](event::CollectiveStep const&) {},
               },
               event);
}

} // namespace matchpoint::report
