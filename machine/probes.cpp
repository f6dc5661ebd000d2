// The rules of probes (docs/semantics.md, "Probes").
#include "grammar/selectors.hpp"
#include "machine/expression_reductions.hpp"
#include "machine/partners.hpp"
#include "machine/queue_movement.hpp"

namespace matchpoint::machine {

namespace {

/// The message that the entry's peek says.
struct Seen {
    Channel lane;
    Action a_s;
    Value v;
};

std::optional<Seen> seen(Estate const& e, Probe const& c) {
    if (e.peek.is_none()) return std::nullopt;
    auto const lane = peeked_lane(e.state, e.code, c.a, e.peek);
    if (!lane) return std::nullopt;
    PendingSend const& m = Pnd_s(e.code, e.state, *lane).front();
    return Seen{*lane, m.a, m.v};
}

/// The probe has seen it: `source` and `tagged` get their values.
void note_seen(Estate& e, Probe const& c, Seen const& m) {
    e.state.saw[c.a.index] = m.a_s;
    std::vector<event::Selected> selected;
    Selectors const* const sel = selectors_of(e.code.ctp(), c);
    auto const assign = [&](std::optional<Variable> y, Value const& v) {
        if (!y) return;
        selected.push_back({*y, e.state.h[y->index], v});
        e.state.h[y->index] = v;
    };
    if (sel != nullptr) assign(sel->source, e.code.source_of(m.a_s));
    if (sel != nullptr) assign(sel->tagged, e.code.tag_number(m.a_s));
    e.observers.fire(
        e.state, [&] { return event::ProbeCommand{c.a, c.beta, m.lane, m.a_s, m.v, c.matches, std::move(selected)}; });
    e.yield(Value::boolean(true));
}

} // namespace

/// Beside Figure 8, PROBE COMMAND
///   m is in transit to beta, and the entry's peek says m
///   the probe's selectors admit m, and no earlier message in transit in m's channel
///   no receive in Pnd_r(beta) without a partner admits m
///   (h .. (probe a beta sel ...) s k) ->e ([h | y -> source(m), z -> tag(m)] .. true s k)
Step probe_command(Estate& e, Probe const& c) {
    auto const m = seen(e, c);
    if (!m) return Step::stuck(Rule::probe_command, why_not_seen(e.state, e.code, c.a, e.peek));
    note_seen(e, c, *m);
    return Step::reduced();
}

/// Beside Figure 8, MPROBE COMMAND
///   as PROBE COMMAND
///   Pnd_r_p = [Pnd_r | beta -> Pnd_r(beta) ++ [a]], m moves to Q_s(beta), and the two are partners
Step mprobe_command(Estate& e, Probe const& c) {
    auto const m = seen(e, c);
    if (!m) return Step::stuck(Rule::mprobe_command, why_not_seen(e.state, e.code, c.a, e.peek));
    State& state = e.state;
    std::uint32_t const n = state.Pnd_r.issued[c.beta.index]++;
    state.Pnd_r.entries[e.code[c.beta].Pnd_r.first + n] = {c.a, {}};
    state.ordinal[c.a.index] = n;
    move_to_partner(state, e.code, m->lane, n);
    state.saw[m->a_s.index] = c.a;
    note_seen(e, c, *m);
    return Step::reduced();
}

/// Beside Figure 8, START COMMAND
///   a is in Pnd_r(beta), put there by an mprobe, and has not started
///   ([a] in Pnd_r(beta) .. (start a x) s k) ->e ([a x] in Pnd_r(beta), A(a) = beta .. true s k)
Step start_command(Estate& e, Start const& c) {
    State& state = e.state;
    if (!is_held(state, e.code, c.a))
        return Step::stuck(Rule::start_command, reason::NotMatched{c.a, e.code.is_mprobe(c.a) && state.is_issued(c.a)});
    Endpoint const beta = e.code.as_probe(c.a)->beta;
    state.Pnd_r.entries[e.code[beta].Pnd_r.first + state.ordinal[c.a.index]].x = c.x;
    state.A[c.a.index] = beta;
    e.observers.fire(state, [&] { return event::StartCommand{c.a, beta, c.x, state.saw[c.a.index]}; });
    e.yield(Value::boolean(true));
    return Step::reduced();
}

} // namespace matchpoint::machine
