#include "report/changes.hpp"

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "explain/events.hpp"
#include "explain/message_words.hpp"
#include "explain/words.hpp"
#include "machine/partners.hpp"

namespace matchpoint::report {

void ChangesRecorder::on(State const& state, Event const& event) {
    using Part = Change::Part;
    IndexedProgram const& code = *code_;
    auto const name = [&](auto id) { return shown(code, id); };
    auto const message = [&](Action a_r) { // of a receive that is completed: the place of its message
        return *message_for(state, code, code.as_rcvi(a_r)->beta, state.ordinal[a_r.index]);
    };
    auto const place = [&](State const& s, Channel c, Action a_s) {
        return code.lanes(c).size() > 1 ? s.partners.sent[a_s.index] : s.ordinal[a_s.index];
    };
    auto const posted = [&](Action a_r) { return shown_receive(code, a_r, code.as_rcvi(a_r)->x); };
    auto const delivered = [&](Endpoint beta, Action a_s, std::string const& content) {
        return shown_message(code, a_s, content, code[beta].selects);
    };
    auto const value = [](Value const& v) { return v.is_bot() ? std::string() : shown(v); };
    std::visit(overloaded{
                   [&](event::EntryTaken const&) { drop_unfinished(); }, // of an entry that reached a limit
                   [&](event::QueueMovement const& e) {
                       Endpoint const beta = code[e.channel].beta;
                       change(Part::Pnd_s, code.whole(e.channel).index, place(state, e.channel, e.a_s),
                              shown_message(code, e.a_s, shown(e.v)), "");
                       change(Part::Q_s, beta.index, state.Q_s.delivered[beta.index] - 1, "",
                              delivered(beta, e.a_s, shown(e.v)));
                   },
                   [&](event::AssignCommand const& e) { change(Part::h, e.x.index, 0, value(e.before), shown(e.v)); },
                   [&](event::GuardedAssignment const& e) {
                       for (event::Assigned const& a : e.assigned)
                           change(Part::h, a.x.index, 0, value(a.before), shown(a.v));
                   },
                   [&](event::SndiCommand const& e) {
                       change(Part::A, e.a.index, 0, "", name(code[e.channel].alpha));
                       change(Part::Pnd_s, code.whole(e.channel).index, place(state, e.channel, e.a), "",
                              shown_message(code, e.a, shown(e.v)));
                   },
                   [&](event::RcviCommand const& e) {
                       change(Part::A, e.a.index, 0, "", name(e.beta));
                       change(Part::Pnd_r, e.beta.index, state.ordinal[e.a.index], "", posted(e.a));
                   },
                   [&](event::ProbeCommand const& e) {
                       for (auto const& [y, before, v] : e.selected)
                           change(Part::h, y.index, 0, value(before), shown(v));
                       if (!e.matches) return;
                       change(Part::Pnd_s, code.whole(e.lane).index, place(state, e.lane, e.a_s),
                              shown_message(code, e.a_s, shown(e.v)), "");
                       change(Part::Pnd_r, e.beta.index, state.ordinal[e.a.index], "", shown_receive(code, e.a, {}));
                       change(Part::Q_s, e.beta.index, state.Q_s.delivered[e.beta.index] - 1, "",
                              delivered(e.beta, e.a_s, shown(e.v)));
                   },
                   [&](event::StartCommand const& e) {
                       change(Part::A, e.a.index, 0, "", name(e.beta));
                       change(Part::Pnd_r, e.beta.index, state.ordinal[e.a.index], shown_receive(code, e.a, {}),
                              shown_receive(code, e.a, e.x));
                   },
                   [&](event::WaitRcviCommand const& e) {
                       for (event::Completion const& c : e.completions) {
                           change(Part::h, c.x.index, 0, value(c.before), shown(c.v));
                           for (auto const& [y, before, v] : c.selected)
                               change(Part::h, y.index, 0, value(before), shown(v));
                           change(Part::Q_s, e.beta.index, message(c.a_r), delivered(e.beta, c.a_s, shown(c.v)),
                                  delivered(e.beta, c.a_s, "bot"));
                           change(Part::match, c.a_r.index, 0, "", name(c.a_s));
                       }
                       std::uint32_t const ordinal = state.ordinal[e.a_r.index];
                       change(Part::Pnd_r, e.beta.index, ordinal, posted(e.a_r), "");
                       change(Part::Q_s, e.beta.index, message(e.a_r), delivered(e.beta, e.a_s, "bot"), "");
                       change(Part::A, e.a_r.index, 0, name(e.beta), "");
                       change(Part::A, e.a_s.index, 0, name(code[code.channel_of(e.a_s)].alpha), "");
                   },
                   [&](event::MachineStep const&) { ends_.push_back(changes_.size()); },
                   [&](event::StuckAt const&) {
                       drop_unfinished(); // all that the entry had done is taken back
                       ends_.push_back(changes_.size());
                   },
                   [](ExpressionEvent auto const&) {},
                   [](OneOf<event::AssumeCommand, event::AssertCommand, event::WaitSndiCommand, event::BarrierCommand,
                            event::CollectiveStep, event::MovementsTakenBack> auto const&) {},
               },
               event);
}

} // namespace matchpoint::report
