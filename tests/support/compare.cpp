#include "tests/support/compare.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "grammar/parse.hpp"
#include "grammar/selectors.hpp"
#include "machine/partners.hpp"
#include "machine/well_formed.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

namespace {

Endpoint number_of(IndexedProgram const& code, matchpoint::Endpoint e) {
    return static_cast<Endpoint>(std::stoul(std::string(code.names()(e))));
}

Value plain(matchpoint::Value const& v) {
    if (v.is_boolean()) return v.is_true();
    return Integer(v.to_string());
}

Status plain(matchpoint::Status s) { return static_cast<Status>(s); }

std::string name(IndexedProgram const& code, auto id) { return std::string(code.names()(id)); }

Tag tag_of(IndexedProgram const& code, Action a_s) {
    auto const tag = code.as_sndi(a_s)->tag;
    return tag.is_none() ? 0 : static_cast<Tag>(std::stoul(name(code, tag)));
}

/// Those of an mprobe assign nothing when its receive completes.
Selectors selectors_of(IndexedProgram const& code, matchpoint::Rcvi const& receive) {
    Selectors result;
    bool const assigns = !code.is_mprobe(receive.a);
    auto const* const sel = matchpoint::selectors_of(code.ctp(), receive);
    if (sel == nullptr) return result;
    auto const numbers = [&](auto const& ids) -> std::optional<std::vector<unsigned>> {
        if (!ids) return std::nullopt;
        std::vector<unsigned> all;
        for (auto const id : *ids) all.push_back(static_cast<unsigned>(std::stoul(name(code, id))));
        return all;
    };
    result.from = numbers(sel->from);
    result.tags = numbers(sel->tags);
    if (sel->source && assigns) result.source = name(code, *sel->source);
    if (sel->tagged && assigns) result.tagged = name(code, *sel->tagged);
    return result;
}

/// Whether some receive at the endpoint has `(tag ...)`: then the machine has a channel for each tag.
bool selects_by_tag(IndexedProgram const& code, matchpoint::Endpoint beta) {
    for (std::uint32_t a = 0; a < code.names().actions.size(); ++a) {
        auto const* const receive = code.as_rcvi(Action{a});
        if (receive != nullptr && receive->beta == beta && selectors_of(code, *receive).tags) return true;
    }
    return false;
}

/// Pnd_s(beta)(alpha), of all tags, in the order of issue.
void add_in_transit(IndexedProgram const& code, matchpoint::State const& state, State& to) {
    std::map<std::pair<Endpoint, Endpoint>, std::map<std::uint32_t, PendingSend>> by_issue;
    for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
        auto const& info = code.channels()[c];
        bool const has_one_tag = selects_by_tag(code, info.beta);
        auto& channel = by_issue[{number_of(code, info.beta), number_of(code, info.alpha)}];
        for (auto const& [a, v] : matchpoint::Pnd_s(code, state, Channel{c})) {
            auto const place = has_one_tag ? state.partners.sent[a.index] : static_cast<std::uint32_t>(channel.size());
            channel[place] = {name(code, a), plain(v), tag_of(code, a), static_cast<Mode>(code.as_sndi(a)->mode)};
        }
    }
    for (auto const& [ends, channel] : by_issue)
        for (auto const& [place, send] : channel) to.Pnd_s[ends.first][ends.second].push_back(send);
}

} // namespace

matchpoint::Location Loaded::location(std::string const& location_name) const {
    return {program->symbols.locations.find(location_name).value()};
}

Loaded load(std::string text) {
    Source const source("case.ctp", text);
    auto parsed = parse(source);
    if (!parsed) throw std::runtime_error(render(parsed.error(), source) + text);
    Loaded loaded{std::move(text), std::make_unique<matchpoint::Program>(std::move(*parsed)), nullptr};
    loaded.code = std::make_unique<IndexedProgram>(*loaded.program);
    return loaded;
}

Loaded load(Case const& c) { return load(to_text(c)); }

Movement plain_movement(IndexedProgram const& code, Channel channel) {
    auto const& info = code[channel];
    Movement movement{number_of(code, info.beta), number_of(code, info.alpha)};
    if (selects_by_tag(code, info.beta))
        movement.tag = info.n.is_none() ? 0 : static_cast<Tag>(std::stoul(name(code, info.n)));
    return movement;
}

State snapshot(IndexedProgram const& code, matchpoint::State const& state) {
    State result;
    for (std::uint32_t x = 0; x < state.h.size(); ++x)
        if (!state.h[x].is_bot()) result.store[name(code, Variable{x})] = plain(state.h[x]);
    for (std::uint32_t a = 0; a < state.A.size(); ++a)
        if (!state.A[a].is_none()) result.A[name(code, Action{a})] = number_of(code, state.A[a]);
    add_in_transit(code, state, result);
    for (std::uint32_t e = 0; e < code.endpoints().size(); ++e) {
        matchpoint::Endpoint const beta{e};
        for (auto const& [a, x] : matchpoint::Pnd_r(code, state, beta))
            result.Pnd_r[number_of(code, beta)].push_back({name(code, a), x.is_none() ? "" : name(code, x),
                                                           selectors_of(code, *code.as_rcvi(a)), code.is_mprobe(a)});
        for (auto const& [a, mark, v] : matchpoint::Q_s(code, state, beta)) {
            std::optional<Value> value;
            if (mark == DeliveredSend::Mark::unmarked) value = plain(v);
            result.Q_s[number_of(code, beta)].push_back(
                {name(code, a), value, number_of(code, code.as_sndi(a)->alpha), tag_of(code, a)});
        }
        for (std::uint32_t n = 0; n < state.Pnd_r.issued[e]; ++n)
            if (auto const m = message_for(state, code, beta, n))
                result.got[name(code, state.Pnd_r.entries[code[beta].Pnd_r.first + n].a)] =
                    name(code, state.Q_s.entries[code[beta].Q_s.first + *m].a);
    }
    for (std::size_t t = 0; t < state.ctp.size(); ++t)
        result.next.push_back(state.ctp[t] - code.ctp().threads[t].first);
    result.s = plain(state.s);
    for (auto const& [a_r, a_s] : match_set(code, state)) result.matches[name(code, a_r)] = name(code, a_s);
    add_seen(code, state, result.saw);
    return result;
}

void add_seen(IndexedProgram const& code, matchpoint::State const& state, std::map<std::string, std::string>& to) {
    for (std::uint32_t a = 0; a < state.saw.size(); ++a)
        if (code.as_probe({a}) != nullptr && !state.saw[a].is_none())
            to[name(code, Action{a})] = name(code, state.saw[a]);
}

Result run_on_machine(IndexedProgram const& code, Buffering buffering) {
    Machine machine(code, buffering);
    Outcome const outcome = run(machine, 0);
    WellFormedness const well = well_formedness(code, machine.state());

    Result result;
    result.status = plain(outcome.s);
    result.steps = outcome.steps;
    result.well_formed = static_cast<bool>(well);
    for (Action const a : well.in_transit) result.orphan_sends.push_back(name(code, a));
    for (Action const a : well.delivered) result.orphan_sends.push_back(name(code, a));
    for (Action const a : well.without_message) result.unmatched_receives.push_back(name(code, a));
    if (outcome.error) {
        std::optional<std::string> location;
        if (outcome.error->rho) location = name(code, *outcome.error->rho);
        // The oracle lists the reasons in the order of the machine's variant.
        result.trouble =
            Trouble{outcome.error->entry, location, static_cast<Reason>(outcome.error->stuck.reason.index())};
    }
    result.state = snapshot(code, machine.state());
    return result;
}

Result sorted(Result result) {
    std::sort(result.orphan_sends.begin(), result.orphan_sends.end());
    std::sort(result.unmatched_receives.begin(), result.unmatched_receives.end());
    return result;
}

} // namespace matchpoint::naive
