#include "executions/scheduler.hpp"

#include <algorithm>
#include <stdexcept>

#include "machine/partners.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::executions {

namespace {

/// By location; empty if there are none.
std::vector<bool> commands_that_may_halt(IndexedProgram const& code) {
    Ctp const& ctp = code.ctp();
    std::vector<bool> result;
    auto const add = [&](std::uint32_t command) {
        result.resize(ctp.commands.size());
        result[command] = true;
    };
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        if (is_assumption(ctp.commands[i].c) || is_ready_send(code, {i})) add(i);
        if (code.has_contested_calls() && code.collectives()->is_contested({i})) add(i);
        for_each_expression(ctp, ctp.commands[i].c, [&](Expression e) {
            for (std::uint32_t n = e.first; n < e.first + e.size; ++n)
                if (divisor_may_be_zero(ctp, n)) add(i);
        });
    }
    return result;
}

} // namespace

Scheduler::Scheduler(MessageIndex const& messages, Buffering buffering, Runs runs, State from)
    : messages_(messages), machine_(messages.code(), buffering, std::move(from)), runs_(runs) {
    if (runs == Runs::executions) may_halt_ = commands_that_may_halt(messages.code());
}

bool Scheduler::leaves_path(Location rho, Status s) const { return may_halt(rho) && s >= Status::infeasible; }

bool Scheduler::halts_before(Execute next) {
    return may_halt(next.rho) && leaves_path(next.rho, machine_.preview(next).s);
}

End Scheduler::end_here() {
    End const end = end_of_restricted();
    if (end == End::pruned) throw std::logic_error("Scheduler::end_here: something can come next");
    return end;
}

End Scheduler::end_of_restricted() {
    halts_.clear();
    fault_.reset();
    if (state().finished()) return End::complete;
    bool has_command = false;
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        auto const rho = next_of(t);
        if (!rho || !is_enabled(code(), state(), buffering(), Execute{*rho})) continue;
        Machine::Preview next = machine_.preview(Execute{*rho});
        bool const halts = next.stuck || leaves_path(*rho, next.s);
        if (halts) halts_.push_back(*rho);
        has_command = has_command || !halts;
        if (next.stuck && !fault_) fault_ = RunError{state().trace, *rho, std::move(*next.stuck)};
    }
    if (fault_) return End::fault;
    if (has_command || has_delivery() || has_peek()) return End::pruned;
    return halts_.empty() ? End::deadlock : End::off_path;
}

bool Scheduler::has_delivery() const {
    spend(code().channels().size());
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta) {
        if (!is_served({beta})) continue;
        auto const channels = messages_.channels_to({beta});
        if (std::any_of(channels.begin(), channels.end(), [&](Channel c) { return can_be_delivered(c); })) return true;
    }
    return false;
}

void Scheduler::take_fault() {
    path_.step(*fault_->rho);
    static_cast<void>(machine_.apply(Execute{*fault_->rho}));
}

bool Scheduler::ends_in_fault(Location rho) {
    fault_.reset();
    if (auto stuck = machine_.why_not(Execute{rho})) fault_ = RunError{state().trace, rho, std::move(*stuck)};
    return fault_.has_value();
}

void Scheduler::execute(Location rho) {
    spend(8);
    path_.step(rho);
    ++steps_;
    if (machine_.apply(Execute{rho}).is_stuck()) throw std::logic_error("Scheduler::execute: the command cannot step");
}

void Scheduler::move(Channel c) {
    spend(8);
    if (machine_.apply(Deliver{c}).is_stuck()) throw std::logic_error("Scheduler::move: the delivery is not enabled");
    path_.move(c);
}

bool Scheduler::advance(std::uint32_t thread) {
    std::uint32_t const last = code().ctp().threads[thread].last;
    while (state().ctp[thread] < last) {
        spend(8);
        Execute const next{Location{state().ctp[thread]}};
        if (!is_enabled(code(), state(), buffering(), next) || halts_before(next) || is_held(next.rho)) return true;
        if (!take(next.rho)) return false;
    }
    return true;
}

/// Executes a command that comes next. False: a fault.
bool Scheduler::take(Location rho) {
    std::uint64_t const entry = state().trace;
    path_.step(rho);
    ++steps_;
    if (Step const step = machine_.apply(Execute{rho}); step.is_stuck()) {
        fault_ = RunError{entry, rho, step.why()};
        return false;
    }
    return true;
}

bool Scheduler::arrive(Location rho) {
    spend(8);
    fault_.reset();
    return take(rho) && advance_all();
}

bool Scheduler::advance_all() {
    std::uint64_t before = 0;
    do {
        before = state().trace;
        for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
            if (!advance(t)) return false;
    } while (!code().is_plain() && state().trace != before); // a thread can let others go on
    return true;
}

bool Scheduler::deliver(Channel c) {
    spend(8);
    fault_.reset();
    if (machine_.apply(Deliver{c}).is_stuck())
        throw std::logic_error("Scheduler::deliver: nothing in transit, or no posted partner");
    path_.move(c);
    if (!code().is_plain()) return advance_all();
    std::uint32_t const receiver = messages_.owner(code()[c].beta);
    if (receiver != MessageIndex::thread_none && !advance(receiver)) return false;
    return buffering() == Buffering::infinite || advance(messages_.owner(code()[c].alpha));
}

void Scheduler::see(Location rho, Channel lane) {
    spend(8);
    path_.step(rho, lane);
    ++steps_;
    if (machine_.apply(Execute{rho, lane}).is_stuck())
        throw std::logic_error("Scheduler::see: the probe cannot see it");
}

bool Scheduler::take(Choice const& choice) {
    if (choice.channel.is_none()) return arrive(choice.at);
    if (choice.at.is_none()) return deliver(choice.channel);
    fault_.reset();
    see(choice.at, choice.channel);
    return advance_all();
}

void Scheduler::add_choices(std::vector<Choice>& to) {
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta)
        if (is_wanted({beta})) for_each_delivery({beta}, [&](Channel c) { to.push_back({c}); });
    for_each_arrival([&](Location rho) { to.push_back({{}, rho}); });
    if (!code().has_probes()) return;
    spend(code().channels().size());
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        if (auto const rho = next_of(t))
            for_each_peek(state(), code(), *rho, [&](Channel lane) { to.push_back({lane, *rho}); });
}

bool Scheduler::has_other_source(Endpoint beta, Action a_r, Endpoint alpha) const {
    auto const channels = messages_.channels_to(beta);
    spend(channels.size());
    return std::any_of(channels.begin(), channels.end(), [&](Channel c) {
        return code()[c].alpha != alpha && state().Pnd_s.taken[c.index] < code()[c].Pnd_s.capacity &&
               (!code()[beta].selects || code().admits(a_r, messages_.sends()[messages_.sends_of(c).front()].a));
    });
}

bool Scheduler::is_forced(Channel c) const {
    auto const& [beta, alpha, sends, kind, tag] = code()[c];
    std::uint32_t n = state().Q_s.delivered[beta.index];
    if (code()[beta].selects) n = std::get<NextMatch>(next_match(state(), code(), c)).n;
    return !has_other_source(beta, messages_.receives()[messages_.receives_at(beta)[n]].a, alpha);
}

bool Scheduler::has_peek() const {
    if (!code().has_probes()) return false;
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        if (auto const rho = next_of(t); rho && can_see_some(state(), code(), *rho)) return true;
    return false;
}

void Scheduler::back_to(Mark const& mark) {
    std::size_t const transitions = path_.size() - mark.commands + path_.movements() - mark.deliveries;
    for (std::size_t i = 0; i < transitions; ++i) machine_.undo();
    path_.cut(mark.commands, mark.deliveries);
}

void Scheduler::restart(State const& from) {
    machine_.restore(from);
    path_.clear();
    fault_.reset();
}

bool Scheduler::is_served(Endpoint beta, std::span<Channel const> channels) const {
    if (!code().is_plain())
        return is_wanted(beta) && std::any_of(channels.begin(), channels.end(), [&](Channel c) {
                   return is_enabled(code(), state(), buffering(), Deliver{c});
               });
    if (buffering() == Buffering::zero) return has_posted_partner(state(), beta);
    std::uint32_t const thread = messages_.owner(beta);
    if (thread == MessageIndex::thread_none) return false;
    Rcvi const* const receive = waits_for(thread);
    if (receive == nullptr || receive->beta != beta) return false;
    std::uint32_t need = state().ordinal[receive->a.index] + 1 - state().Q_s.delivered[beta.index];
    for (Channel const c : channels) {
        std::uint32_t const there = state().Pnd_s.issued[c.index] - state().Pnd_s.taken[c.index];
        if (there >= need) return true;
        need -= there;
    }
    return false;
}

bool Scheduler::is_wanted(Endpoint beta) const {
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        if (waits_at(t) == beta) return true;
    return false;
}

Endpoint Scheduler::waits_at(std::uint32_t thread) const {
    auto const rho = next_of(thread);
    if (!rho) return {};
    if (Probe const* const probe = as_probe(code().command_at(*rho))) return probe->beta;
    if (is_ready_send(code(), *rho)) return as_sndi(code().command_at(*rho))->beta;
    Wait const* const wait = code().wait_for_message(*rho);
    if (wait == nullptr) return {};
    Rcvi const* const receive = code().as_rcvi(wait->a);
    return receive != nullptr ? receive->beta : code().as_sndi(wait->a)->beta;
}

void delivered(MessageIndex const& messages, State const& state, Matching& m) {
    IndexedProgram const& code = messages.code();
    m.clear();
    // Where several threads receive, it is known once the receive is posted.
    auto const is_ordinal_known = [&](MessageIndex::Receive const& receive) {
        return !code[receive.beta].selects && (code.ctp().shared.empty() || code.has_plain_messages());
    };
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r) {
        auto const& receive = messages.receives()[r];
        bool const is_issued = state.is_issued(receive.a);
        auto const message =
            is_issued || is_ordinal_known(receive)
                ? message_for(state, code, receive.beta, is_issued ? state.ordinal[receive.a.index] : receive.ordinal)
                : std::nullopt;
        if (!message) continue;
        Action const a_s = state.Q_s.entries[messages.code()[receive.beta].Q_s.first + *message].a;
        m[r] = messages.send_number(a_s);
    }
}

} // namespace matchpoint::executions
