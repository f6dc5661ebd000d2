#include "explain/blocked.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "explain/ahead.hpp"
#include "explain/collective_words.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "grammar/selectors.hpp"
#include "grammar/synchronisation.hpp"

namespace matchpoint::explain {

namespace {

/// "thread 1 would send S5 at 15, thread 2 would send S6 at 26"
std::string operations(IndexedProgram const& code, Ahead::Operations const& ahead, std::string_view does) {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, ahead.firsts.size()); ++i) {
        auto const& first = ahead.firsts[i];
        bool const is_told = ToldByPlaces::of(code) != nullptr; // the line says which
        std::string const what = !is_told                           ? shown(code, first.a)
                                 : code.as_rcvi(first.a) != nullptr ? "a receive"
                                                                    : "a message";
        text += fmt::format("{}{} would {} {} at {}", i == 0 ? "" : ", ", shown_thread(code, first.thread), does, what,
                            shown(code, first.rho));
    }
    return ahead.firsts.size() > most ? text + fmt::format(", ... ({} more threads)", ahead.firsts.size() - most)
                                      : text;
}

class Explanation {
public:
    Explanation(IndexedProgram const& code, State const& state) : code_(code), state_(state), ahead_(code, state) {}

    Blocked::Halted halted(std::uint32_t thread, Stuck const& stuck) {
        Location const rho{state_.ctp[thread]};
        Blocked::Halted result{thread, rho, in_words(code_, state_, stuck.reason), {}, {}, {}, {}, {}};
        if (auto const* const meet = std::get_if<Meet>(&code_.command_at(rho))) wait_at_barrier(result, *meet);
        if (auto const* const r = std::get_if<reason::GuardFalse>(&stuck.reason)) wait_for_guard(result, r->guard);
        if (auto const* const r = std::get_if<reason::NotCalled>(&stuck.reason)) wait_for_call(result, *r);
        if (Probe const* const probe = as_probe(code_.command_at(rho))) {
            result.waits = probe->a;
            if (std::holds_alternative<reason::NothingToProbe>(stuck.reason)) wait_for_admitted_message(result);
        }
        Wait const* const wait = code_.wait_for_message(rho);
        if (wait == nullptr) return result;
        result.waits = wait->a;
        if (std::holds_alternative<reason::MessageNotThere>(stuck.reason)) wait_for_message(result);
        if (std::holds_alternative<reason::SendNotTaken>(stuck.reason)) wait_for_receive(result);
        return result;
    }

private:
    void wait_at_barrier(Blocked::Halted& halted, Meet const& meet) {
        auto const meeting = code_.meeting_at(halted.at);
        auto const [absent, is_new] = absent_.try_emplace(meeting.front().index);
        if (is_new) absent->second = absent_from(meeting);
        halted.barrier = meet.b;
        halted.waits_for = absent->second.first;
        halted.why = fmt::format("the barrier {} waits{}", shown(code_, meet.b), absent->second.text);
    }

    /// One that has no such call left never calls.
    void wait_for_call(Blocked::Halted& halted, reason::NotCalled const& r) {
        halted.call = r.call;
        auto const members = code_.collectives()->members(r.call);
        bool const will_call = std::any_of(members.begin(), members.end(),
                                           [&](auto const& m) { return m.thread == r.thread && !m.rho.is_none(); });
        if (will_call) halted.waits_for = r.thread;
    }

    /// The threads that have not reached a barrier.
    struct Absent {
        std::optional<std::uint32_t> first;
        std::string text;
    };
    Absent absent_from(std::span<Location const> meeting) const {
        constexpr std::size_t most = 3;
        Absent absent;
        std::size_t count = 0;
        for (Location const rho : meeting) {
            std::uint32_t const t = code_.thread_of(rho);
            if (state_.ctp[t] >= rho.index) continue;
            if (!absent.first) absent.first = t;
            if (++count <= most)
                absent.text += fmt::format("{} {} has not reached {}", absent.text.empty() ? ":" : ",",
                                           shown_thread(code_, t), shown(code_, rho));
        }
        if (count > most) absent.text += fmt::format(", ... ({} more threads)", count - most);
        return absent;
    }

    /// Other threads that have a write left to a variable of the guard could make it true. If it reads a lock that is
    /// taken, the threads that hold the lock have to give it back first.
    void wait_for_guard(Blocked::Halted& halted, Expression guard) {
        constexpr std::size_t most = 3;
        halted.guard.emplace();
        for (Finding::Binding const& b : bindings(code_, state_, guard, code_.ctp().nodes.size()))
            halted.guard->push_back({b.x, b.v, locks().is_lock(b.x), holders_of(b.x)});
        if (halted.guard->empty()) return; // it is never true
        if (wait_for_holders(halted)) return;
        std::vector<Write> writes;
        for (Write const& w : writes_left()) {
            bool const counts = w.thread != halted.thread && !waits_for_what_it_writes(w) &&
                                std::any_of(halted.guard->begin(), halted.guard->end(),
                                            [&](Blocked::Read const& r) { return r.x == w.x; });
            if (counts && (writes.empty() || writes.back().thread != w.thread)) writes.push_back(w);
        }
        if (writes.empty()) halted.why += "; no other thread has a write to it left";
        for (std::size_t i = 0; i < std::min(most, writes.size()); ++i)
            halted.why += fmt::format("{} thread {} would write {} at {}", i == 0 ? ";" : ",", writes[i].thread,
                                      shown(code_, writes[i].x), shown(code_, writes[i].rho));
        if (writes.size() > most) halted.why += fmt::format(", ... ({} more threads)", writes.size() - most);
        if (writes.empty()) return;
        halted.waits_for = writes.front().thread;
        halted.awaited = writes.front().x;
    }

    /// Names who holds the locks that are taken. False: there are none. A holder that has no command left which gives
    /// the lock back is not waited for.
    bool wait_for_holders(Blocked::Halted& halted) {
        constexpr std::size_t most = 3;
        bool is_taken = false;
        for (Blocked::Read const& r : *halted.guard) {
            if (r.holders.empty() || !locks().is_taken(r.x, r.v)) continue;
            bool const is_given_back = locks().is_given_back(r.x);
            for (std::size_t i = 0; i < std::min(most, r.holders.size()); ++i) {
                auto const end = gives_back(r.holders[i], r.x);
                halted.why += fmt::format("{} thread {} {} {} {} {}{}", i == 0 ? ";" : ",", r.holders[i].thread,
                                          is_given_back ? "has held" : "took", shown(code_, r.x),
                                          is_given_back ? "since" : "at", shown(code_, r.holders[i].since),
                                          end             ? " and would give it back at " + shown(code_, *end)
                                          : is_given_back ? " and never gives it back"
                                                          : ", and no command of the program gives it back");
            }
            if (r.holders.size() > most) halted.why += fmt::format(", ... ({} more threads)", r.holders.size() - most);
            is_taken = true;
            if (halted.waits_for) continue;
            // It waits for itself only if no other thread gives the lock back.
            for (Blocked::Holder const& h : r.holders)
                if ((!halted.waits_for || *halted.waits_for == halted.thread) && gives_back(h, r.x))
                    halted.waits_for = h.thread;
            halted.awaited = r.x;
        }
        return is_taken;
    }

    /// The next command of a holder that gives the lock back. None if it has none left.
    std::optional<Location> gives_back(Blocked::Holder const& holder, Variable lock) {
        for (Write const& w : writes_left())
            if (w.thread == holder.thread && w.x == lock && !takes(w.rho, lock)) return w.rho;
        return std::nullopt;
    }
    bool takes(Location rho, Variable lock) {
        auto const uses = locks().uses(rho);
        return std::any_of(uses.begin(), uses.end(),
                           [&](grammar::Locks::Use const& use) { return use.lock == lock && use.takes; });
    }

    grammar::Locks const& locks() {
        if (!locks_) locks_.emplace(code_.ctp(), code_.names().variables.size());
        return *locks_;
    }

    /// None once s is infeasible, if some assumption would take the lock: it did not take the lock if it was false.
    std::vector<Blocked::Holder> holders_of(Variable x) {
        std::vector<Blocked::Holder> result;
        std::uint32_t held = 0; // how often, by the thread of the last use
        std::optional<std::uint32_t> thread;
        for (grammar::Locks::Use const& use : locks().uses()) {
            std::uint32_t const t = code_.thread_of({use.command});
            if (!(use.lock == x) || use.command >= state_.ctp[t]) continue;
            Guarded const* const guarded = as_guarded(code_.command_at({use.command}));
            if (state_.s >= Status::infeasible && guarded != nullptr && !guarded->blocks) return {};
            if (thread != t) held = 0;
            thread = t;
            bool const is_first = use.takes && held == 0;
            held = !locks().counts(x) ? static_cast<std::uint32_t>(use.takes) : use.takes ? held + 1 : held - 1;
            if (is_first) result.push_back({t, {use.command}});
            if (held == 0) result.pop_back();
        }
        return result;
    }

    struct Write {
        std::uint32_t thread;
        Location rho;
        Variable x;
    };
    /// By the commands that are left, in the order of the program.
    std::vector<Write> const& writes_left() {
        if (writes_left_) return *writes_left_;
        writes_left_.emplace();
        auto const& threads = code_.ctp().threads;
        for (std::uint32_t t = 0; t < threads.size(); ++t)
            for (Location rho{state_.ctp[t]}; rho.index < threads[t].last; ++rho.index) {
                Command const& command = code_.command_at(rho);
                auto const add = [&](Variable x) { writes_left_->push_back({t, rho, x}); };
                if (auto const* const assign = std::get_if<Assign>(&command)) add(assign->x);
                if (Guarded const* const guarded = as_guarded(command))
                    for (auto const& [x, e] : code_.ctp().assigned(*guarded)) add(x);
                if (Rcvi const* const receive = as_rcvi(command)) add(receive->x);
                // The wait for a posted receive writes its variable.
                if (Wait const* const wait = as_wait(command))
                    if (Rcvi const* const receive = code_.as_rcvi(wait->a)) add(receive->x);
            }
        return *writes_left_;
    }

    /// Whether a thread is blocked at the command, and will be until another one writes the variable: it takes what
    /// others give back.
    bool waits_for_what_it_writes(Write const& w) const {
        Guarded const* const guarded = as_guarded(code_.command_at(w.rho));
        if (guarded == nullptr || !guarded->blocks || state_.ctp[w.thread] != w.rho.index) return false;
        auto const reads = bindings(code_, state_, guarded->e, code_.ctp().nodes.size());
        return std::any_of(reads.begin(), reads.end(), [&](Finding::Binding const& b) { return b.x == w.x; });
    }

    void wait_for_message(Blocked::Halted& halted) const {
        Endpoint const beta = code_.as_rcvi(halted.waits)->beta;
        if (code_[beta].selects) return wait_for_admitted_message(halted);
        std::uint32_t const place = state_.ordinal[halted.waits.index];
        std::uint32_t const delivered = state_.Q_s.delivered[beta.index];
        halted.why =
            fmt::format("{} waits for message {} to {}; {} delivered; ", shown(code_, halted.waits), place + 1,
                        shown_endpoint(code_, beta), delivered == 1 ? "1 is" : fmt::format("{} are", delivered));
        go_on(halted, ahead_.sends(beta).any, place - delivered + 1, "send");
    }

    void wait_for_admitted_message(Blocked::Halted& halted) const {
        halted.why += "; ";
        auto const sends = ahead_.sends(code_.as_rcvi(halted.waits)->beta).only([&](Action a_s) {
            return code_.admits(halted.waits, a_s);
        });
        if (sends.count == 0)
            halted.why += none_left("send", "send that it admits", only_sender(code_, halted.waits));
        else
            go_on(halted, sends, 1, "send");
    }

    /// For the start of the receive that an mprobe has matched with the message.
    void wait_for_start(Blocked::Halted& halted, Action mprobe) const {
        Location const start = code_.start_of(mprobe);
        halted.why = fmt::format("{} waits until {}, which has matched it, starts; ", shown(code_, halted.waits),
                                 shown(code_, mprobe));
        if (start.is_none()) {
            halted.why += fmt::format("no start of it {}", is_left());
            return;
        }
        std::uint32_t const thread = code_.thread_of(start);
        halted.waits_for = thread;
        halted.why += fmt::format("{} would start it at {}", shown_thread(code_, thread), shown(code_, start));
    }

    void wait_for_receive(Blocked::Halted& halted) const {
        if (Action const mprobe = code_.has_probes() ? state_.saw[halted.waits.index] : Action{}; !mprobe.is_none())
            return wait_for_start(halted, mprobe);
        Channel const c = code_.channel_of(halted.waits);
        Endpoint const beta = code_[c].beta;
        std::string const waits = code_.as_sndi(halted.waits)->mode == Mode::synchronous
                                      ? shown(code_, halted.waits) + ", which is synchronous,"
                                      : "with zero buffering " + shown(code_, halted.waits);
        if (code_[beta].selects) {
            auto const receives =
                ahead_.receives(beta).only([&](Action a_r) { return code_.admits(a_r, halted.waits); });
            halted.why =
                fmt::format("{} waits for a receive at {} that admits it; ", waits, shown_endpoint(code_, beta));
            if (receives.count == 0)
                halted.why += none_left("receive", "such receive", beta);
            else
                go_on(halted, receives, 1, "post");
            return;
        }
        std::uint32_t const before = state_.ordinal[halted.waits.index] - state_.Pnd_s.taken[c.index];
        halted.why = fmt::format("{} waits for a receive at {}{}; ", waits, shown_endpoint(code_, beta),
                                 before == 0 ? "" : fmt::format(", after {}", plural(before, "other message")));
        go_on(halted, ahead_.receives(beta).any, before + 1, "post");
    }

    /// A recording may end before what the program would do next.
    std::string_view is_left() const {
        return ToldByPlaces::of(code_) != nullptr ? "is left in the recording" : "is left";
    }

    /// No thread has such an operation left. The thread of an endpoint would do it, if one is given.
    std::string none_left(std::string_view operation, std::string_view what, std::optional<Endpoint> of) const {
        if (!owners_ && ToldByPlaces::of(code_) != nullptr) owners_ = owners_of(code_);
        auto const thread = of && owners_ ? owner_of(code_, *owners_, *of) : std::nullopt;
        return thread && only_waits(code_, state_, *thread)
                   ? fmt::format("{} had come to no such {} when it got stuck", shown_thread(code_, *thread), operation)
                   : fmt::format("no {} {}", what, is_left());
    }

    void go_on(Blocked::Halted& halted, Ahead::Operations const& ahead, std::size_t needed,
               std::string_view does) const {
        bool const sends = does == "send";
        if (ahead.count < needed) {
            std::string_view const what = sends ? "send to it" : "receive at it";
            halted.why += ahead.count == 0 ? fmt::format("no {} {}", what, is_left())
                                           : fmt::format("it takes {}, and the threads have {} left", needed,
                                                         plural(ahead.count, sends ? "send" : "receive"));
            return;
        }
        halted.why += operations(code_, ahead, does);
        halted.waits_for = ahead.firsts.front().thread;
    }

    IndexedProgram const& code_;
    State const& state_;
    Ahead ahead_;
    mutable std::optional<Owners> owners_; // of a recording, once somebody has asked
    std::optional<std::vector<Write>> writes_left_;
    std::optional<grammar::Locks> locks_;
    std::map<std::uint32_t, Absent> absent_; // the first occurrence of a barrier -> who has not come
};

/// Cycles among each thread and the first one that it waits for.
std::vector<std::vector<std::uint32_t>> cycles(std::vector<Blocked::Halted> const& threads, std::size_t count) {
    constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> next(count, none);
    for (Blocked::Halted const& h : threads)
        if (h.waits_for) next[h.thread] = *h.waits_for;
    std::vector<std::uint32_t> walk(count, none); // in which walk a thread was met
    std::vector<std::vector<std::uint32_t>> result;
    for (std::uint32_t start = 0; start < count; ++start) {
        std::uint32_t t = start;
        for (; t != none && walk[t] == none; t = next[t]) walk[t] = start;
        if (t == none || walk[t] != start) continue;
        std::vector<std::uint32_t> cycle;
        for (std::uint32_t u = t; cycle.empty() || u != t; u = next[u]) cycle.push_back(u);
        std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
        result.push_back(std::move(cycle));
    }
    return result;
}

} // namespace

std::string_view to_string(Blocked::Kind kind) {
    switch (kind) {
    case Blocked::Kind::deadlock: return "deadlock";
    case Blocked::Kind::fault: return "fault";
    case Blocked::Kind::ended: break;
    }
    return "ended";
}

std::optional<Blocked> blocked(IndexedProgram const& code, Buffering buffering, State const& state) {
    if (state.s == Status::error || state.finished()) return std::nullopt;
    for (std::uint32_t c = 0; c < code.channels().size(); ++c)
        if (is_enabled(code, state, buffering, Deliver{{c}})) return std::nullopt;
    auto const& threads = code.ctp().threads;
    Machine machine(code, buffering, state);
    Explanation explanation(code, state);
    Blocked result{Blocked::Kind::deadlock, {}, {}};
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        if (state.ctp[t] == threads[t].last) continue;
        if (can_see_some(state, code, {state.ctp[t]})) return std::nullopt;
        auto const stuck = machine.why_not(Execute{{state.ctp[t]}});
        if (!stuck) return std::nullopt;
        result.threads.push_back(explanation.halted(t, *stuck));
        if (result.threads.back().is_fault()) result.kind = Blocked::Kind::fault;
    }
    result.cycles = cycles(result.threads, threads.size());
    return result;
}

std::optional<Blocked> blocked_behind_deliveries(IndexedProgram const& code, Buffering buffering, State const& state) {
    Machine machine(code, buffering, state);
    for (std::uint32_t c = 0; c < code.channels().size(); ++c)
        while (is_enabled(code, machine.state(), buffering, Deliver{{c}}))
            static_cast<void>(machine.apply(Deliver{{c}}));
    return blocked(code, buffering, machine.state());
}

std::string why_halted(IndexedProgram const& code, State const& state, std::uint32_t thread, Stuck const& stuck) {
    return Explanation(code, state).halted(thread, stuck).why;
}

namespace {

/// For a thread that waits for a message or a receive. Told by places, the request and its wait have the same name.
std::string nobody_comes(IndexedProgram const& code, Blocked::Halted const& h) {
    std::string_view const does = code.as_rcvi(h.waits) != nullptr ? "send" : "receive";
    std::string const thread = shown_thread(code, h.thread);
    std::string const at = shown(code, h.at);
    if (ToldByPlaces::of(code) != nullptr)
        return fmt::format("in the recording, nobody will {} what {} waits for at {}", does, thread, at);
    return fmt::format("nobody will {} what {} waits for: {} at {}", does, shown(code, h.waits), thread, at);
}

/// A member that waits, and makes no call that belongs to this one.
std::optional<std::uint32_t> missing_caller(IndexedProgram const& code, Location call, std::vector<bool> const& waits) {
    for (auto const& member : code.collectives()->members(call))
        if (member.rho.is_none() && waits[member.thread]) return member.thread;
    return std::nullopt;
}

/// A recording has no command after the waits that it ends with, so no send, receive or collective is left that a
/// thread could wait for. But its receive can say which thread would send, its send which one would receive, and its
/// communicator which one would call, and that one may wait as well.
std::vector<Blocked::Halted> with_senders(IndexedProgram const& code, std::vector<Blocked::Halted> threads) {
    std::vector<bool> waits(code.ctp().threads.size());
    for (Blocked::Halted const& h : threads) waits[h.thread] = true;
    auto const owners = owners_of(code);
    for (Blocked::Halted& h : threads) {
        bool const is_send = !h.waits.is_none() && code.as_sndi(h.waits) != nullptr;
        auto const of = is_send ? std::optional(code[code.channel_of(h.waits)].beta) : only_sender(code, h.waits);
        auto const thread = of && !h.waits_for ? owner_of(code, owners, *of) : std::nullopt;
        if (thread && waits[*thread]) h.waits_for = thread;
        if (!h.waits_for && !h.call.is_none()) h.waits_for = missing_caller(code, h.call, waits);
    }
    return threads;
}

} // namespace

Owners owners_of(IndexedProgram const& code) {
    Owners owners(code.endpoints().size());
    for (std::uint32_t i = 0; i < code.ctp().commands.size(); ++i) {
        if (Sndi const* const send = as_sndi(code.command_at({i}))) owners[send->alpha.index] = code.thread_of({i});
        if (Rcvi const* const receive = as_rcvi(code.command_at({i})))
            owners[receive->beta.index] = code.thread_of({i});
        if (Probe const* const probe = as_probe(code.command_at({i}))) owners[probe->beta.index] = code.thread_of({i});
    }
    return owners;
}

std::vector<std::string> causes(IndexedProgram const& code, Blocked const& blocked) {
    std::vector<std::string> result;
    if (blocked.kind == Blocked::Kind::ended) return result;
    bool const is_recording = ToldByPlaces::of(code) != nullptr;
    auto const threads = is_recording ? with_senders(code, blocked.threads) : blocked.threads;
    for (Blocked::Halted const& h : threads) {
        if (h.waits_for) continue;
        std::string const where = fmt::format("{} at {}", shown_thread(code, h.thread), shown(code, h.at));
        if (h.is_fault())
            result.push_back("a fault: " + where);
        else if (h.guard && h.guard->empty())
            result.push_back("a guard that is never true: " + where);
        else if (h.guard && h.awaited)
            result.push_back(fmt::format("nobody will give back {}: {}", shown(code, *h.awaited), where));
        else if (h.guard)
            result.push_back("nobody will write what the guard reads: " + where);
        else if (!h.call.is_none())
            result.push_back(fmt::format("{} needs a call that nobody makes: {}", shown_call(code, h.call), where));
        else
            result.push_back(nobody_comes(code, h));
    }
    for (auto const& cycle : is_recording ? cycles(threads, code.ctp().threads.size()) : blocked.cycles) {
        std::string text = "a cycle: ";
        for (std::size_t i = 0; i < cycle.size(); ++i)
            text += fmt::format("{}{} waits for {}", i == 0 ? "" : ", ", shown_thread(code, cycle[i]),
                                cycle.size() == 1 ? "itself" : shown_thread(code, cycle[(i + 1) % cycle.size()]));
        result.push_back(std::move(text));
    }
    return result;
}

std::vector<std::string> sentences(IndexedProgram const& code, Blocked const& blocked) {
    std::vector<std::string> result;
    for (Blocked::Halted const& h : blocked.threads)
        result.push_back(fmt::format("{} at {} {}: {}", shown_thread(code, h.thread), shown(code, h.at),
                                     shown(code, code.command_at(h.at)), h.why));
    for (std::string& cause : causes(code, blocked)) result.push_back(std::move(cause));
    return result;
}

std::string shown(IndexedProgram const& code, Blocked const& blocked) {
    std::string text;
    for (Blocked::Halted const& h : blocked.threads)
        text += fmt::format("  {}: at {} {}\n            {}\n", shown_thread(code, h.thread), shown(code, h.at),
                            shown(code, code.command_at(h.at)), h.why);
    for (std::string const& cause : causes(code, blocked)) text += "  " + cause + '\n';
    return text;
}

} // namespace matchpoint::explain
