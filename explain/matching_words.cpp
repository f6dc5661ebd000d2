#include "explain/matching_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "explain/words.hpp"

namespace matchpoint::explain {

namespace {

std::vector<Match> matches(MessageIndex const& messages, Matching const& m) {
    std::vector<Match> result;
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (m[r] != unmatched) result.push_back({messages.receives()[r].a, messages.sends()[m[r]].a});
    return result;
}

} // namespace

std::string shown(MessageIndex const& messages, Pair pair) {
    IndexedProgram const& code = messages.code();
    return shown_match(code, messages.receives()[pair.r].a, messages.sends()[pair.s].a);
}

std::string shown(MessageIndex const& messages, Matching const& m, std::size_t limit) {
    return in_words(messages.code(), matches(messages, m), limit);
}

std::string shown_difference(MessageIndex const& messages, Matching const& m, Matching const& from) {
    constexpr std::size_t most = 8;
    std::string text;
    std::size_t count = 0;
    auto const name = [&](std::uint32_t s) {
        return s == unmatched ? "nothing" : explain::shown(messages.code(), messages.sends()[s].a);
    };
    for (std::uint32_t r = 0; r < m.size(); ++r) {
        if (m[r] == from[r] || count++ >= most) continue;
        Action const a_r = messages.receives()[r].a;
        std::string const match = m[r] == unmatched ? shown_receive(messages.code(), a_r) + " = nothing"
                                                    : shown_match(messages.code(), a_r, messages.sends()[m[r]].a);
        text += fmt::format("{}{} instead of {}", text.empty() ? "" : ", ", match, name(from[r]));
    }
    if (count > most) text += fmt::format(" ... and {} more", count - most);
    return text;
}

std::string shown(MessageIndex const& messages, MatchPairs const& pairs, Paint const& paint) {
    IndexedProgram const& code = messages.code();
    std::string text;
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        std::vector<Action> sends;
        spend(100 * pairs.of[r].size());
        for (std::uint32_t const s : pairs.of[r]) sends.push_back(messages.sends()[s].a);
        text +=
            fmt::format("  {}: {}\n", paint(Style::heading, shown(code, messages.receives()[r].a)),
                        sends.empty() ? paint(Style::stuck, "gets no message") : in_words(code, sends, sends.size()));
    }
    return text;
}

namespace {

/// "((0, R01), (1, R02))": receives or sends, as numbers, with their indices.
template <class Messages>
std::string with_indices(MessageIndex const& messages, Messages const& all, std::span<std::uint32_t const> numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        append_item(text, fmt::format("({}, {})", i, shown(messages.code(), all[numbers[i]].a)));
    spend(text.size());
    return "(" + text + ")";
}

} // namespace

std::string lists_of_figure_15(MessageIndex const& messages, Paint const& paint) {
    IndexedProgram const& code = messages.code();
    std::string list_r = paint(Style::heading, "list_r") + ", the receives at each endpoint (1):\n";
    std::string list_s = paint(Style::heading, "list_s") + ", the sends to each endpoint, by their source (2):\n";
    for (std::uint32_t e = 0; e < code.endpoints().size(); ++e) {
        Endpoint const beta{e};
        if (auto const receives = messages.receives_at(beta); !receives.empty())
            list_r +=
                fmt::format("  ({} -> {})\n", shown(code, beta), with_indices(messages, messages.receives(), receives));
        std::string sources;
        for (Channel const c : messages.channels_to(beta))
            append_item(sources, fmt::format("({} -> {})", shown(code, code[c].alpha),
                                             with_indices(messages, messages.sends(), messages.sends_of(c))));
        if (!sources.empty()) list_s += fmt::format("  ({} -> ({}))\n", shown(code, beta), sources);
    }
    return list_r + list_s;
}

std::string in_words(MessageIndex const& messages, Conflict const& conflict) {
    IndexedProgram const& code = messages.code();
    std::string core;
    for (Pair const& p : conflict.core) append_item(core, shown(messages, p));
    if (core.empty()) core = "whatever is matched";
    switch (conflict.kind) {
    case Conflict::Kind::endpoints: {
        Pair const p = conflict.core.front();
        bool const is_there = messages.beta_of(messages.sends()[p.s]) == messages.receives()[p.r].beta;
        return core + (is_there ? ": the receive does not admit the message" : ": the send goes to another endpoint");
    }
    case Conflict::Kind::send_twice: return core + ": a send is received once";
    case Conflict::Kind::overtaking: return core + ": the messages of a channel arrive in the order sent";
    case Conflict::Kind::left_out: {
        auto const& s = messages.sends()[*conflict.left_out];
        return fmt::format("{}: {} is left without a receive that it could have, and {}", core, shown(code, s.a),
                           s.wait.is_none() ? "a later send of its channel is received"
                                            : "it is waited for, or a later send of its channel is received");
    }
    case Conflict::Kind::cycle: break;
    }
    std::string text = core + ": each of these would have to come before the next, and the last before the first";
    for (Conflict::Edge const& e : conflict.cycle) {
        auto const moment = [&](Conflict::Moment const& at) {
            if (at.instant) return fmt::format("the rendezvous of {}", shown(code, messages.receives()[at.index].a));
            Location const rho{at.index};
            return fmt::format("{} {}", shown(code, rho), shown(code, code.command_at(rho)));
        };
        text += fmt::format("\n  {} -> {}: {}{}", moment(e.from), moment(e.to), to_string(e.why),
                            e.pair ? fmt::format(" ({})", shown(messages, *e.pair)) : "");
    }
    return text;
}

std::string in_words(MessageIndex const& messages, Exclusion const& exclusion) {
    IndexedProgram const& code = messages.code();
    auto const& r = messages.receives()[exclusion.pair.r];
    auto const& s = messages.sends()[exclusion.pair.s];
    std::string pair = shown(messages, exclusion.pair);
    auto const nth = [](std::uint32_t ordinal) { return fmt::format("number {}", ordinal + 1); };
    switch (exclusion.why) {
    case Exclusion::Why::order: {
        // (R1 = S1 or S2), (R1 or R2 = S1)
        auto const matches = [&](std::vector<Pair> by) {
            std::sort(by.begin(), by.end());
            std::string receives = shown(code, messages.receives()[by[0].r].a);
            std::string sends = shown(code, messages.sends()[by[0].s].a);
            std::string& several = by.front().s == by.back().s ? receives : sends;
            std::size_t const count = std::min(by.size(), Exclusion::most);
            for (std::size_t i = 1; i < count; ++i)
                several += " or " + (&several == &receives ? shown(code, messages.receives()[by[i].r].a)
                                                           : shown(code, messages.sends()[by[i].s].a));
            if (count < by.size()) several += fmt::format(" or ... ({} more)", by.size() - count);
            return fmt::format("({} = {})", receives, sends);
        };
        auto const issued_at = [&](Location rho) {
            auto const* const sndi = as_sndi(code.command_at(rho));
            return sndi != nullptr ? sndi->a : std::get<Rcvi>(code.command_at(rho)).a;
        };
        std::string text;
        for (auto const& chain : exclusion.chains) {
            if (!text.empty()) text += fmt::format("; {}: ", shown(code, issued_at(chain.back().rho)));
            for (auto const& step : chain) {
                if (&step != &chain.front()) text += " -> ";
                if (!step.by.empty()) text += matches(step.by) + " -> ";
                text += shown(code, step.rho);
            }
        }
        if (exclusion.more > 0) text += fmt::format("; ... ({} more)", exclusion.more);
        auto const& chain = exclusion.chains.front();
        return fmt::format("{}: {} comes after {} in every run: {}", pair, shown(code, chain.back().rho),
                           shown(code, chain.front().rho), text);
    }
    case Exclusion::Why::too_late:
        return fmt::format("{}: {} is receive {} at its endpoint, and {} cannot be received later than as {}", pair,
                           shown(code, r.a), nth(r.ordinal), shown(code, s.a), nth(exclusion.bound));
    case Exclusion::Why::too_soon:
        return fmt::format("{}: {} is receive {} at its endpoint, and {} cannot be received sooner than as {}", pair,
                           shown(code, r.a), nth(r.ordinal), shown(code, s.a), nth(exclusion.bound));
    }
    return pair;
}

std::string in_words(MessageIndex const& messages, MatchPairs const& exact, Refuted const& refuted) {
    IndexedProgram const& code = messages.code();
    Pair const p = refuted.pair;
    std::string const r = shown(code, messages.receives()[p.r].a);
    std::string const s = shown(code, messages.sends()[p.s].a);
    std::vector<Action> sends;
    for (std::uint32_t const other : exact.of[p.r]) sends.push_back(messages.sends()[other].a);
    if (sends.empty()) return fmt::format("{} = {}: no run completes", r, s);
    std::vector<Action> receives;
    for (std::uint32_t other = 0; other < exact.of.size(); ++other)
        if (exact.contains({other, p.s})) receives.push_back(messages.receives()[other].a);
    auto const one_of = [&](std::vector<Action> const& actions) {
        return (actions.size() > 1 ? "one of " : "") + in_words(code, actions);
    };
    std::string const tried = refuted.executions == 1
                                  ? "the one execution tried for it does not complete"
                                  : fmt::format("none of {} executions tried for it completes", refuted.executions);
    return fmt::format("{} = {}: {}; in complete runs {} gets {}, and {}", r, s, tried, r, one_of(sends),
                       receives.empty() ? fmt::format("nobody gets {}", s)
                                        : fmt::format("{} goes to {}", s, one_of(receives)));
}

std::string orphans_in_words(MessageIndex const& messages, Endpoint beta, std::uint32_t orphans) {
    std::size_t const receives = messages.receives_at(beta).size();
    std::string const because =
        receives == 0 ? "no command receives there"
                      : fmt::format("only {} there", receives == 1 ? "1 command receives"
                                                                   : fmt::format("{} commands receive", receives));
    return fmt::format("every complete run leaves {} to endpoint {} unreceived, as {}", plural(orphans, "message"),
                       shown(messages.code(), beta), because);
}

} // namespace matchpoint::explain
