#include "machine/transition.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "grammar/selectors.hpp"
#include "machine/expression_reductions.hpp"

namespace matchpoint::machine {

namespace {

/// Whether a call, or the wait for it, needs a thread that has not called. If it disagrees with another one that was
/// made, it is stuck, and does not wait.
bool has_to_wait(IndexedProgram const& code, State const& state, Buffering buffering, Location rho, Location call) {
    Collectives const& all = *code.collectives();
    bool const is_called = call == rho || state.ctp[code.thread_of(call)] > call.index;
    return all.missing(state, call, buffering) && !(is_called && all.mismatch(state, call));
}

/// Whether the premise of a wait does not hold yet.
bool has_to_wait(IndexedProgram const& code, State const& state, Buffering buffering, Location rho, Wait const& c) {
    if (code.as_collective(c.a) != nullptr) return has_to_wait(code, state, buffering, rho, code.issued_at(c.a));
    if (code.as_rcvi(c.a) != nullptr) return !has_message(state, code, c.a);
    return waits_for_receive(code, buffering, c.a) && !is_taken(state, code, c.a);
}

/// Whether a guard is false. One that has no value is not: the command is stuck, and does not wait. The rules that
/// evaluate an expression only read the state.
bool is_false(IndexedProgram const& code, State const& state, Buffering buffering, Execute t, Expression guard) {
    Observers const nobody;
    std::vector<Frame> k;
    std::vector<event::Completion> completions;
    Estate e{
        const_cast<State&>(state), code, buffering, nobody, code.command_at(t.rho), {}, {}, {}, k, completions, t.rho};
    e.focus(guard.root());
    return !reduce_to_value(e).is_stuck() && e.v.is_false();
}

} // namespace

bool is_enabled(IndexedProgram const& code, State const& state, Buffering buffering, Execute t) {
    if (state.ctp[code.thread_of(t.rho)] != t.rho.index) return false;
    return std::visit(overloaded{
                          [](Assume const&) { return true; },
                          [](Assert const&) { return true; },
                          [](Assign const&) { return true; },
                          [](Sndi const&) { return true; },
                          [](Rcvi const&) { return true; },
                          [&](Probe const& c) { return can_see(state, code, c.a, t.peek); },
                          [&](Start const& c) { return state.is_issued(c.a); },
                          [&](Wait const& c) { return !has_to_wait(code, state, buffering, t.rho, c); },
                          [&](Meet const&) { return !missing_at(state, code, t.rho); },
                          [&](Collective const& c) {
                              return !code.ctp().call(c).blocks || !has_to_wait(code, state, buffering, t.rho, t.rho);
                          },
                          [&](Guarded const& c) { return !c.blocks || !is_false(code, state, buffering, t, c.e); },
                      },
                      code.command_at(t.rho));
}

void enabled(IndexedProgram const& code, State const& state, Buffering buffering, std::vector<Transition>& into) {
    into.clear();
    auto const& threads = code.ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        if (state.ctp[t] == threads[t].last) continue;
        Execute const next{Location{state.ctp[t]}};
        if (is_enabled(code, state, buffering, next)) into.emplace_back(next);
        if (code.has_probes())
            for_each_peek(state, code, next.rho, [&](Channel lane) { into.emplace_back(Execute{next.rho, lane}); });
    }
    for (std::uint32_t c = 0; c < code.channels().size(); ++c)
        if (Deliver const next{Channel{c}}; is_enabled(code, state, buffering, next)) into.emplace_back(next);
}

std::vector<Transition> enabled(IndexedProgram const& code, State const& state, Buffering buffering) {
    std::vector<Transition> result;
    enabled(code, state, buffering, result);
    return result;
}

DependenceRelation::DependenceRelation(IndexedProgram const& code, Buffering buffering)
    : code_(&code), buffering_(buffering), received_into_(code.endpoints().size()) {
    for (std::uint32_t const issued : code.ctp().issued_by)
        if (Rcvi const* const receive = as_rcvi(code.command_at({issued}))) {
            auto& variables = received_into_[receive->beta.index];
            variables.push_back(receive->x);
            Selectors const* const sel = selectors_of(code.ctp(), *receive);
            if (sel != nullptr && sel->source) variables.push_back(*sel->source);
            if (sel != nullptr && sel->tagged) variables.push_back(*sel->tagged);
        } else if (Probe const* const probe = as_probe(code.command_at({issued}))) {
            Variable const x = code.as_rcvi(probe->a)->x;
            if (!x.is_none()) received_into_[probe->beta.index].push_back(x);
        }
}

bool DependenceRelation::dependent(Transition const& t, Transition const& u) const {
    return std::visit(overloaded{
                          [&](Execute a, Execute b) { return dependent(a, b); },
                          [&](Execute a, Deliver b) { return dependent(a, b); },
                          [&](Deliver a, Execute b) { return dependent(b, a); },
                          [&](Deliver a, Deliver b) { return dependent(a, b); },
                      },
                      t, u);
}

void DependenceRelation::read(Expression e, Accesses& into) const {
    Ctp const& ctp = code_->ctp();
    for (std::uint32_t i = e.first; i < e.first + e.size; ++i)
        if (ctp.nodes[i].kind == Node::Kind::variable)
            into.push_back({Access::Part::variable, ctp.nodes[i].payload, false});
}

DependenceRelation::Accesses DependenceRelation::accesses(Execute t) const {
    using Part = Access::Part;
    Accesses result;
    auto const wait_for_receive = [&](Rcvi const& receive) {
        // getMarkRemove completes earlier receives, too.
        result.push_back({Part::receives, receive.beta.index, true});
        for (Variable const x : received_into_[receive.beta.index]) result.push_back({Part::variable, x.index, true});
    };
    std::visit(overloaded{
                   [&](Assume const& c) { read(c.e, result); },
                   [&](Assert const& c) { read(c.e, result); },
                   [&](Assign const& c) {
                       read(c.e, result);
                       result.push_back({Part::variable, c.x.index, true});
                   },
                   [&](Sndi const& c) {
                       read(c.e, result);
                       result.push_back({Part::sends, code_->channel_of(c.a).index, true});
                       if (c.mode == Mode::ready) result.push_back({Part::receives, c.beta.index, false});
                   },
                   [&](Rcvi const& c) {
                       result.push_back({Part::receives, c.beta.index, true});
                   },
                   [&](Probe const& c) { probe(c, result); },
                   [&](Start const& c) {
                       // A wait of the send whose message it receives can go on.
                       if (Rcvi const* const receive = code_->as_rcvi(c.a))
                           result.push_back({Part::receives, receive->beta.index, true});
                   },
                   [&](Wait const& c) {
                       if (code_->as_collective(c.a) != nullptr) return;
                       if (Rcvi const* const receive = code_->as_rcvi(c.a)) return wait_for_receive(*receive);
                       if (code_->has_probes())
                           result.push_back({Part::receives, code_->as_sndi(c.a)->beta.index, false});
                       result.push_back({Part::sends, code_->channel_of(c.a).index, false});
                   },
                   [](Meet const&) {},
                   [](Collective const&) {},
                   [&](Guarded const& c) {
                       read(c.e, result);
                       for (auto const& [x, e] : code_->ctp().assigned(c)) {
                           read(e, result);
                           result.push_back({Part::variable, x.index, true});
                       }
                   },
               },
               code_->command_at(t.rho));
    return result;
}

/// What is in transit and what is posted decide what it sees.
void DependenceRelation::probe(Probe const& c, Accesses& into) const {
    using Part = Access::Part;
    into.push_back({Part::receives, c.beta.index, true});
    for (std::uint32_t i = 0; i < code_->channels().size(); ++i)
        if (code_->channels()[i].beta == c.beta) into.push_back({Part::sends, i, c.matches});
    Selectors const* const sel = selectors_of(code_->ctp(), c);
    if (sel != nullptr && sel->source) into.push_back({Part::variable, sel->source->index, true});
    if (sel != nullptr && sel->tagged) into.push_back({Part::variable, sel->tagged->index, true});
}

bool DependenceRelation::conflict(Access const& a, Access const& b) const {
    return a.part == b.part && a.index == b.index && (a.writes || b.writes);
}

/// Whether u is a barrier, and t the last command in front of an occurrence that meets with it.
bool DependenceRelation::brings_to(Execute t, Execute u) const {
    auto const meeting = code_->meeting_at(u.rho);
    return std::find(meeting.begin(), meeting.end(), Location{t.rho.index + 1}) != meeting.end();
}

/// Whether t brings its thread to a call that belongs together with the one that u is, or waits for: it can be what u
/// needs, or disagree with it.
bool DependenceRelation::calls_for(Execute t, Execute u) const {
    Location const call = code_->call_of(u.rho);
    if (call.is_none()) return false;
    if (t.rho == call) return true; // u waits for it in another thread
    auto const all = code_->collectives()->members(call);
    return std::any_of(all.begin(), all.end(), [&](Collectives::Member const& m) {
        return m.thread == thread_of(t) && m.rho == Location{t.rho.index + 1};
    });
}

bool DependenceRelation::dependent(Execute t, Execute u) const {
    if (thread_of(t) == thread_of(u) || brings_to(t, u) || brings_to(u, t)) return true;
    if (calls_for(t, u) || calls_for(u, t)) return true;
    Accesses const a = accesses(t);
    Accesses const b = accesses(u);
    return std::any_of(a.begin(), a.end(), [&](Access const& x) {
        return std::any_of(b.begin(), b.end(), [&](Access const& y) { return conflict(x, y); });
    });
}

bool DependenceRelation::dependent(Execute t, Deliver u) const {
    IndexedProgram::ChannelInfo const& channel = (*code_)[u.channel];
    bool const may_meet = buffering_ == Buffering::zero || code_->synchronizes() || (*code_)[channel.beta].selects;
    return std::visit(overloaded{
                          [](Assume const&) { return false; },
                          [](Assert const&) { return false; },
                          [](Assign const&) { return false; },
                          // What it sends can be delivered. A ready send needs a receive that a delivery can take.
                          [&](Sndi const& c) {
                              return code_->channel_of(c.a) == u.channel ||
                                     (c.mode == Mode::ready && c.beta == channel.beta);
                          },
                          // What it posts can be delivered to, if that is a rendezvous or a match.
                          [&](Rcvi const& c) { return may_meet && c.beta == channel.beta; },
                          // What is delivered completes it.
                          [&](Probe const& c) { return c.beta == channel.beta; },
                          [](Start const&) { return false; },
                          [&](Wait const& c) {
                              if (code_->as_collective(c.a) != nullptr) return false;
                              if (Rcvi const* const receive = code_->as_rcvi(c.a)) return receive->beta == channel.beta;
                              return waits_for_receive(*code_, buffering_, c.a) && code_->channel_of(c.a) == u.channel;
                          },
                          [](Meet const&) { return false; },
                          [](Collective const&) { return false; },
                          [](Guarded const&) { return false; },
                      },
                      code_->command_at(t.rho));
}

} // namespace matchpoint::machine
