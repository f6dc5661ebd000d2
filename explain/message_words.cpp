#include "explain/message_words.hpp"

#include <algorithm>

#include <fmt/format.h>

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

/// "in Q_s(0)"; of a recording "that has arrived at rank 0".
std::string in_queue(IndexedProgram const& code, Endpoint beta) {
    return ToldByPlaces::of(code) != nullptr ? "that has arrived at " + shown_endpoint(code, beta)
                                             : fmt::format("in Q_s({})", shown(code, beta));
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

std::string admitted(IndexedProgram const& code, Action a_r) {
    Selectors const* const sel = selectors_of(code.ctp(), *code.as_rcvi(a_r));
    if (!restricts(sel)) return "every message";
    if ((sel->from && sel->from->empty()) || (sel->tags && sel->tags->empty())) return "no message";
    auto const from = [&](Endpoint alpha) { return source(code, alpha); };
    auto const tag = [&](Tag n) { return shown(code, n); };
    return fmt::format("messages{}{}", sel->from ? " from " + one_of(*sel->from, from) : "",
                       sel->tags ? " with tag " + one_of(*sel->tags, tag) : "");
}

std::string without_partner(IndexedProgram const& code, reason::MessageNotThere const& r) {
    constexpr std::size_t most = 8;
    std::string const wants = fmt::format("{} admits {}", shown(code, r.a_r), admitted(code, r.a_r));
    if (r.there.empty())
        return ToldByPlaces::of(code) != nullptr
                   ? fmt::format("{}, and no message waits at {}", wants, shown_endpoint(code, r.beta))
                   : fmt::format("{}, and Q_s({}) is empty", wants, shown(code, r.beta));
    Selectors const* const sel = selectors_of(code.ctp(), *code.as_rcvi(r.a_r));
    std::string text;
    for (std::size_t i = 0; i < std::min(most, r.there.size()); ++i) {
        auto const& [a_s, other] = r.there[i];
        std::string const why =
            code.admits(r.a_r, a_s) ? "is for " + shown(code, other) : why_not_admitted(code, *sel, a_s);
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", shown(code, a_s), why);
    }
    if (r.there.size() > most) text += fmt::format(", ... ({} more)", r.there.size() - most);
    return fmt::format("{}, and no message {} is for it: {}", wants, in_queue(code, r.beta), text);
}

std::string waiting_send(IndexedProgram const& code, Action a_s) {
    if (code.as_sndi(a_s)->mode == Mode::synchronous)
        return fmt::format("{} is synchronous: the wait for it", shown(code, a_s));
    return fmt::format("with zero buffering the wait for {}", shown(code, a_s));
}

std::string not_taken(IndexedProgram const& code, State const& state, Action a_s) {
    Sndi const& send = *code.as_sndi(a_s);
    std::string const wants = waiting_send(code, a_s) + " needs the message to be taken, but ";
    bool const is_delivered = state.ordinal[a_s.index] < state.Pnd_s.taken[code.channel_of(a_s).index];
    if (ToldByPlaces::of(code) != nullptr)
        return wants + (is_delivered ? "no receive that is posted there has it" : "the message is still on its way");
    if (is_delivered) return fmt::format("{}no receive in Pnd_r({}) has it", wants, shown(code, send.beta));
    return fmt::format("{}the message is still in Pnd_s({})({})", wants, shown(code, send.beta),
                       shown(code, send.alpha));
}

} // namespace matchpoint::explain
