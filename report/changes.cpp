#include "report/changes.hpp"

#include <fmt/format.h>

#include "report/words.hpp"

namespace matchpoint::report {

void ChangesRecorder::on(State const& state, Event const& event) {
    using Part = Change::Part;
    IndexedProgram const& code = *code_;
    auto const name = [&](auto id) { return shown(code, id); };
    auto const entry = [&](Action a, auto const& content) { return fmt::format("[{} {}]", name(a), content); };
    auto const value = [](Value const& v) { return v.is_bot() ? std::string() : shown(v); };
    if (std::holds_alternative<event::EntryTaken>(event)) {
        changes_.resize(ends_.empty() ? 0 : ends_.back()); // of an entry that reached a limit
    } else if (auto const* const moved = std::get_if<event::QueueMovement>(&event)) {
        Endpoint const beta = code[moved->channel].beta;
        std::string const text = entry(moved->a_s, shown(moved->v));
        change(Part::Pnd_s, moved->channel.index, state.ordinal[moved->a_s.index], text, "");
        change(Part::Q_s, beta.index, state.Q_s.delivered[beta.index] - 1, "", text);
    } else if (auto const* const assigned = std::get_if<event::AssignCommand>(&event)) {
        change(Part::h, assigned->x.index, 0, value(assigned->before), shown(assigned->v));
    } else if (auto const* const sent = std::get_if<event::SndiCommand>(&event)) {
        change(Part::A, sent->a.index, 0, "", name(code[sent->channel].alpha));
        change(Part::Pnd_s, sent->channel.index, state.ordinal[sent->a.index], "", entry(sent->a, shown(sent->v)));
    } else if (auto const* const posted = std::get_if<event::RcviCommand>(&event)) {
        change(Part::A, posted->a.index, 0, "", name(posted->beta));
        change(Part::Pnd_r, posted->beta.index, state.ordinal[posted->a.index], "", entry(posted->a, name(posted->x)));
    } else if (auto const* const wait = std::get_if<event::WaitRcviCommand>(&event)) {
        std::uint32_t const beta = wait->beta.index;
        for (event::Completion const& c : wait->completions) {
            change(Part::h, c.x.index, 0, value(c.before), shown(c.v));
            change(Part::Q_s, beta, state.ordinal[c.a_r.index], entry(c.a_s, shown(c.v)), entry(c.a_s, "bot"));
            change(Part::match, c.a_r.index, 0, "", name(c.a_s));
        }
        std::uint32_t const ordinal = state.ordinal[wait->a_r.index];
        Rcvi const& receive = *code.as_rcvi(wait->a_r);
        change(Part::Pnd_r, beta, ordinal, entry(wait->a_r, name(receive.x)), "");
        change(Part::Q_s, beta, ordinal, entry(wait->a_s, "bot"), "");
        change(Part::A, wait->a_r.index, 0, name(wait->beta), "");
        change(Part::A, wait->a_s.index, 0, name(code[code.channel_of(wait->a_s)].alpha), "");
    } else if (std::holds_alternative<event::MachineStep>(event)) {
        ends_.push_back(changes_.size());
    } else if (std::holds_alternative<event::StuckAt>(event)) {
        changes_.resize(ends_.empty() ? 0 : ends_.back()); // all that the entry had done is taken back
        ends_.push_back(changes_.size());
    }
}

} // namespace matchpoint::report
