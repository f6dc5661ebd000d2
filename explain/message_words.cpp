#include "explain/message_words.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::explain {

namespace {

/// "3"; of a recording "rank 3".
std::string source(IndexedProgram const& code, Endpoint alpha) {
    ToldByPlaces const* const told = ToldByPlaces::of(code);
    return told != nullptr ? told->endpoint(alpha) : shown(code, alpha);
}

/// "1, 2 or 3"
template <typename Ids>
std::string one_of(Ids const& ids, auto shown_id) {
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == ids.size() ? " or " : ", ", shown_id(ids[i]));
    return text;
}

std::string tag_of(IndexedProgram const& code, Action a_s) { return shown(code.tag_number(a_s)); }

/// "comes from 3", "has tag 1": of a message that a receive does not admit.
std::string why_not_admitted(IndexedProgram const& code, Selectors const& sel, Action a_s) {
    Sndi const& send = *code.as_sndi(a_s);
    bool const from_elsewhere =
        sel.from && std::find(sel.from->begin(), sel.from->end(), send.alpha) == sel.from->end();
    if (from_elsewhere) return fmt::format("comes from {}", source(code, send.alpha));
    return fmt::format("has tag {}", tag_of(code, a_s));
}

} // namespace

std::string shown_tag(IndexedProgram const& code, Action a_s) {
    Tag const n = code.as_sndi(a_s)->tag;
    return n.is_none() ? "" : fmt::format(" tag {}", shown(code, n));
}

std::string shown_message(IndexedProgram const& code, Action a_s, std::string const& value, bool source) {
    return fmt::format("[{} {}{}{}]", shown(code, a_s), value,
                       source ? fmt::format(" from {}", shown(code, code.as_sndi(a_s)->alpha)) : "",
                       shown_tag(code, a_s));
}

std::string shown_receive(IndexedProgram const& code, Action a_r, Variable x) {
    return fmt::format("[{}{}]", shown(code, a_r), x.is_none() ? "" : " " + shown(code, x));
}

std::string admitted(IndexedProgram const& code, Action a_r) {
    Selectors const* const sel = selectors_of(code.ctp(), *code.as_rcvi(a_r));
    if (!restricts(sel)) return "every message";
    if ((sel->from && sel->from->empty()) || (sel->tags && sel->tags->empty())) return "no message";
    auto const from = [&](Endpoint alpha) { return source(code, alpha); };
    auto const tag = [&](Tag n) { return shown(code, n); };
    return fmt::format("messages{}{}", sel->from ? " from " + one_of(*sel->from, from) : "",
                       sel->tags ? " with tag " + one_of(*sel->tags, tag) : "");
}

std::string shown_movement(IndexedProgram const& code, Movement const& m) {
    return fmt::format("({} {}{})", shown(code, m.beta), shown(code, m.alpha),
                       m.n.is_none() ? "" : " " + shown(code, m.n));
}

std::string no_match(IndexedProgram const& code, reason::NoPostedPartner const& r) {
    std::string const movement = "movement " + shown_movement(code, {r.beta, r.alpha, r.n});
    if (!r.before.is_none())
        return fmt::format("{}: {} would get {}, but it admits {}, which {} sent before", movement, shown(code, r.a_r),
                           shown(code, r.a_s), shown(code, r.before), shown(code, r.alpha));
    return fmt::format("{}: no unmatched receive that is posted at {} admits {}", movement, shown(code, r.beta),
                       r.a_s.is_none() ? fmt::format("a message in transit from {}", shown(code, r.alpha))
                                       : shown(code, r.a_s));
}

std::string without_partner(IndexedProgram const& code, reason::MessageNotThere const& r) {
    constexpr std::size_t most = 8;
    std::string const wants = fmt::format("{} admits {}", shown(code, r.a_r), admitted(code, r.a_r));
    if (r.there.empty())
        return ToldByPlaces::of(code) != nullptr
                   ? fmt::format("{}, and no message is on its way to {}", wants, shown_endpoint(code, r.beta))
                   : fmt::format("{}, and no message to {} is in transit", wants, shown(code, r.beta));
    Selectors const* const sel = selectors_of(code.ctp(), *code.as_rcvi(r.a_r));
    std::string text;
    for (std::size_t i = 0; i < std::min(most, r.there.size()); ++i) {
        auto const& [a_s, other] = r.there[i];
        std::string const why = !code.admits(r.a_r, a_s) ? why_not_admitted(code, *sel, a_s)
                                : other.is_none()        ? "is in transit"
                                                         : "is for " + shown(code, other);
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", shown(code, a_s), why);
    }
    if (r.there.size() > most) text += fmt::format(", ... ({} more)", r.there.size() - most);
    return fmt::format("{}, and got no message: {}", wants, text);
}

std::string waiting_send(IndexedProgram const& code, Action a_s) {
    if (code.as_sndi(a_s)->mode == Mode::synchronous)
        return fmt::format("{} is synchronous: the wait for it", shown(code, a_s));
    return fmt::format("with zero buffering the wait for {}", shown(code, a_s));
}

namespace {

std::string still_there(IndexedProgram const& code, Action a_s) {
    Sndi const& send = *code.as_sndi(a_s);
    if (ToldByPlaces::of(code) != nullptr) return "the message is still on its way";
    return fmt::format("the message is still in Pnd_s({})({})", shown(code, send.beta), shown(code, send.alpha));
}

} // namespace

std::string not_taken(IndexedProgram const& code, Action a_s, Action held_by) {
    if (!held_by.is_none())
        return fmt::format("{} needs the receive of {} to start, which has matched the message",
                           waiting_send(code, a_s), shown(code, held_by));
    return fmt::format("{} needs the message to be taken, but {}", waiting_send(code, a_s), still_there(code, a_s));
}

std::string may_wait(IndexedProgram const& code, Action a_s, Action held_by) {
    if (!held_by.is_none())
        return fmt::format("{} may wait until the receive of {} starts, which has matched the message",
                           shown(code, a_s), shown(code, held_by));
    return fmt::format("{} may wait for a receive, and {}", shown(code, a_s), still_there(code, a_s));
}

std::string shown_at_its_place(IndexedProgram const& code, Action a) {
    if (ToldByPlaces::of(code) != nullptr) return shown(code, a); // it is told by its place
    return fmt::format("{} at {}", shown(code, a), shown(code, code.issued_at(a)));
}

namespace {

/// "S1 at 03, S2 at 13 and 4 more sends"; `what` is what more of them are called. Empty if there are none.
std::string at_their_places(IndexedProgram const& code, std::span<Action const> calls, std::size_t most,
                            std::string_view what) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(most, calls.size()); ++i) shown.push_back(shown_at_its_place(code, calls[i]));
    if (calls.size() > most) shown.push_back(plural(calls.size() - most, what));
    if (shown.size() < 2) return shown.empty() ? std::string() : std::move(shown.front());
    return fmt::format("{} and {}", fmt::join(shown.begin(), shown.end() - 1, ", "), shown.back());
}

} // namespace

std::string refusing_in_words(IndexedProgram const& code, std::span<Action const> refusing, std::size_t most) {
    std::vector<Action> sends;
    std::vector<Action> collectives;
    for (Action const a : refusing) (code.as_collective(a) == nullptr ? sends : collectives).push_back(a);
    std::string const not_buffered = at_their_places(code, sends, most, "more send");
    std::string const waiting = at_their_places(code, collectives, most, "more collective");
    return fmt::format("{}{}{}{}{}", sends.empty() ? "" : "does not buffer ", not_buffered,
                       sends.empty() || collectives.empty() ? "" : ", and ",
                       collectives.empty() ? "" : "waits for all members in ", waiting);
}

std::string nothing_to_probe(IndexedProgram const& code, reason::NothingToProbe const& r) {
    std::string const wants = fmt::format("{} admits {}", shown(code, r.probe), admitted(code, r.probe));
    if (!r.a_s.is_none()) return fmt::format("{}, and {} is for {}", wants, shown(code, r.a_s), shown(code, r.a_r));
    return fmt::format("{}, and none is in transit to {}", wants, shown(code, code.as_probe(r.probe)->beta));
}

std::string wrong_peek(IndexedProgram const& code, reason::WrongPeek const& r) {
    if (r.probe.is_none())
        return fmt::format("(peek {} is for a probe, and this is none", shown_movement(code, r.peek).substr(1));
    if (r.peek.beta.is_none())
        return fmt::format("{} needs a peek in its entry, as in (peek beta alpha), that says what it sees",
                           shown(code, r.probe));
    return fmt::format("{} sees another message than (peek {}", shown(code, r.probe),
                       shown_movement(code, r.peek).substr(1));
}

std::vector<machine::Match> seen(IndexedProgram const& code, State const& state) {
    std::vector<machine::Match> result;
    if (!code.has_probes()) return result;
    for (LocatedCommand const& located : code.ctp().commands)
        if (Probe const* const probe = as_probe(located.c);
            probe != nullptr && !probe->matches && !state.saw[probe->a.index].is_none())
            result.push_back({probe->a, state.saw[probe->a.index]});
    return result;
}

std::string shown_seen(IndexedProgram const& code, State const& state) {
    std::string text;
    for (auto const& [probe, a_s] : seen(code, state))
        text += fmt::format("{}{} sees {}", text.empty() ? "" : ", ", shown(code, probe), shown(code, a_s));
    return text;
}

} // namespace matchpoint::explain
