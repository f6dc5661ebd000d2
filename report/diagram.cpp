#include "report/diagram.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "report/words.hpp"

namespace matchpoint::report {

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
    return !rho.is_none() && std::holds_alternative<Wait>(code.command_at(rho));
}

DiagramBuilder::DiagramBuilder(IndexedProgram const& code)
    : code_(&code), findings_(code), index_of_(code.ctp().issued_by.size(), Diagram::none) {
    diagram_.last.assign(code.ctp().threads.size(), Diagram::none);
    diagram_.thread_at.assign(code.endpoints().size(), Diagram::none);
    auto const& commands = code.ctp().commands;
    for (std::uint32_t rho = 0; rho < commands.size(); ++rho)
        if (auto const* const r = std::get_if<Rcvi>(&commands[rho].c))
            if (std::uint32_t& thread = diagram_.thread_at[r->beta.index]; thread == Diagram::none)
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

void DiagramBuilder::back_to(std::uint64_t entries) {
    while (diagram_.rows.size() > entries) {
        Diagram::Row const& row = diagram_.rows.back();
        while (diagram_.points.size() > row.points) {
            undo(diagram_.points.back());
            diagram_.points.pop_back();
        }
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

void DiagramBuilder::on(State const& state, Event const& event) {
    using Kind = Diagram::Point::Kind;
    IndexedProgram const& code = *code_;
    auto const row = [&] { return static_cast<std::uint32_t>(diagram_.rows.size() - 1); };
    std::size_t const kept_before = findings_.assertions().size() + findings_.assumptions().size();
    findings_.on(state, event);
    auto const failed = [&](Diagram::Kind kind, std::vector<Finding> const& kept) {
        diagram_.rows.back().kind = kind;
        bool const is_kept = findings_.assertions().size() + findings_.assumptions().size() > kept_before;
        if (is_kept) diagram_.rows.back().why = explain(code, kept.back().values);
    };
    if (auto const* const taken = std::get_if<event::EntryTaken>(&event)) {
        add_row(taken->entry, taken->rho, taken->thread, state.s);
    } else if (auto const* const moved = std::get_if<event::QueueMovement>(&event)) {
        Endpoint const beta = code[moved->channel].beta;
        std::uint32_t const ordinal = state.Q_s.delivered[beta.index] - 1;
        std::uint32_t const m = index_of_[moved->a_s.index];
        diagram_.messages[m].delivered = row();
        if (ordinal < state.Pnd_r.issued[beta.index])
            pair(m, index_of_[state.Pnd_r.entries[code[beta].Pnd_r.first + ordinal].a.index]);
        add_point(Kind::delivered, m);
    } else if (auto const* const sent = std::get_if<event::SndiCommand>(&event)) {
        auto const m = static_cast<std::uint32_t>(diagram_.messages.size());
        diagram_.messages.push_back({sent->a, sent->channel, sent->v, row(), Diagram::none, Diagram::none});
        index_of_[sent->a.index] = m;
        add_point(Kind::sent, m);
    } else if (auto const* const posted = std::get_if<event::RcviCommand>(&event)) {
        auto const r = static_cast<std::uint32_t>(diagram_.receives.size());
        diagram_.receives.push_back({posted->a, posted->beta, posted->x, row(), Diagram::none, Diagram::none});
        index_of_[posted->a.index] = r;
        std::uint32_t const ordinal = state.Pnd_r.issued[posted->beta.index] - 1;
        if (ordinal < state.Q_s.delivered[posted->beta.index])
            pair(index_of_[state.Q_s.entries[code[posted->beta].Q_s.first + ordinal].a.index], r);
        add_point(Kind::posted, r);
    } else if (auto const* const wait = std::get_if<event::WaitRcviCommand>(&event)) {
        for (event::Completion const& c : wait->completions) {
            diagram_.receives[index_of_[c.a_r.index]].completed = row();
            add_point(Kind::completed, index_of_[c.a_r.index]);
        }
    } else if (auto const* const asserted = std::get_if<event::AssertCommand>(&event)) {
        if (asserted->v.is_false()) failed(Diagram::Kind::failed_assertion, findings_.assertions());
    } else if (auto const* const assumed = std::get_if<event::AssumeCommand>(&event)) {
        if (assumed->v.is_false()) failed(Diagram::Kind::failed_assumption, findings_.assumptions());
    } else if (auto const* const step = std::get_if<event::MachineStep>(&event)) {
        Diagram::Row& r = diagram_.rows.back();
        if (r.kind == Diagram::Kind::unfinished) r.kind = Diagram::Kind::step;
        r.after = diagram_.s = state.s;
        diagram_.last[step->thread] = row();
    } else if (std::holds_alternative<event::MovementsTakenBack>(event)) {
        // They are all that an entry which does not complete has changed.
        while (diagram_.points.size() > diagram_.rows.back().points) {
            undo(diagram_.points.back());
            diagram_.points.pop_back();
        }
        diagram_.rows.back().taken_back = true;
    } else if (auto const* const stuck = std::get_if<event::StuckAt>(&event)) {
        // EntryTaken came if the location is a thread's next command.
        bool const has_row = diagram_.rows.size() == stuck->entry + 1 &&
                             diagram_.rows.back().kind == Diagram::Kind::unfinished &&
                             stuck->rho == diagram_.rows.back().rho;
        if (!has_row) {
            bool const known = stuck->rho && code.has(*stuck->rho);
            add_row(stuck->entry, stuck->rho.value_or(Location{}), known ? code.thread_of(*stuck->rho) : Diagram::none,
                    stuck->before);
        }
        Diagram::Row& r = diagram_.rows.back();
        r.kind = Diagram::Kind::stuck;
        r.after = diagram_.s = state.s;
        r.why = fmt::format("{}: {}", to_string(stuck->stuck.rule), explain(code, state, stuck->stuck.reason));
    }
}

} // namespace matchpoint::report
