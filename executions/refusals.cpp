#include "executions/refusals.hpp"

#include <algorithm>
#include <utility>

#include "machine/partners.hpp"
#include "machine/refusing_calls.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::executions {

namespace {

constexpr std::uint32_t not_decided = 0xFFFF'FFFF;

/// A number in as few bytes as it takes, so that most of a key is a byte for each thread and channel.
void add_number(std::string& key, std::uint32_t n) {
    constexpr std::uint32_t more = 0x80;
    for (; n >= more; n >>= 7U) key += static_cast<char>(n | more);
    key += static_cast<char>(n);
}

} // namespace

std::vector<bool> all_that_may_refuse(MessageIndex const& messages) {
    IndexedProgram const& code = messages.code();
    std::vector<bool> result(code.program().symbols.actions.size());
    for (MessageIndex::Send const& send : messages.sends())
        result[send.a.index] = !send.wait.is_none() && depends_on_library(code.as_sndi(send.a)->mode);
    if (code.collectives() == nullptr) return result;
    auto const& commands = code.ctp().commands;
    for (std::uint32_t c = 0; c < commands.size(); ++c) {
        Location const call = code.call_of({c});
        if (call.is_none() || awaited_at(code, {c}).is_none()) continue;
        result[awaited_at(code, {c}).index] = depends_on_library(code, call);
    }
    return result;
}

RefusalSearch::RefusalSearch(MessageIndex const& messages, Runs runs, std::vector<bool> calls)
    : Scheduler(messages, Buffering::infinite, runs), calls_(std::move(calls)),
      can_fault_(may_divide_by_zero(messages.code().ctp()) || messages.code().has_contested_calls()),
      values_steer_(may_divide_by_zero(messages.code().ctp()) ||
                    (runs == Runs::executions && has_assumptions(messages.code().ctp()))),
      stays_(messages.code().ctp().threads.size(), not_decided) {
    machine_.keep_history();
}

// ---------------------------------------------------------------------------------------------------------------------
// Which matches there are

bool RefusalSearch::can_match(Channel c) const {
    if (!in_transit(state(), c)) return false;
    Endpoint const beta = code()[c].beta;
    return code()[beta].selects ? has_match(state(), code(), c) : has_posted_partner(state(), beta);
}

bool RefusalSearch::has_two_sources(Endpoint beta, Action a_r) const {
    for (Channel const c : messages_.channels_to(beta))
        if (state().Pnd_s.taken[c.index] < code()[c].Pnd_s.capacity &&
            (!code()[beta].selects || code().admits(a_r, messages_.sends()[messages_.sends_of(c).front()].a)))
            return has_other_source(beta, a_r, code()[c].alpha);
    return false;
}

bool RefusalSearch::has_choice_left(Endpoint beta) const {
    auto const receives = messages_.receives_at(beta);
    if (messages_.channels_to(beta).size() < 2 || state().Q_s.delivered[beta.index] == receives.size()) return false;
    auto const a_r = [&](std::uint32_t n) { return messages_.receives()[receives[n]].a; };
    // Any of its receives will do where they all admit everything.
    if (!code()[beta].selects) return has_two_sources(beta, a_r(state().Q_s.delivered[beta.index]));
    for (std::uint32_t n = 0; n < receives.size(); ++n) {
        bool const is_matched = n < state().Pnd_r.issued[beta.index] && message_for(state(), code(), beta, n);
        if (!is_matched && has_two_sources(beta, a_r(n))) return true;
    }
    return false;
}

/// An endpoint that has none left has none in all that follows.
bool RefusalSearch::has_choice_left() {
    if (code().has_probes()) return true;
    for (; first_choice_ < code().endpoints().size(); ++first_choice_) {
        spend(1);
        if (has_choice_left(Endpoint{first_choice_})) return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Running

void RefusalSearch::deliver(Channel c) {
    move(c);
    ++deliveries_;
}

/// Whether a library may keep a thread at a command that comes next: a collective that some member has not called; or a
/// wait for a send whose message is unmatched, or matched to an mprobe whose receive has not started. It is unmatched
/// while it is in transit, since messages move to posted receives only.
bool RefusalSearch::may_refuse(Location rho) const {
    Action const a = awaited_at(code(), rho);
    if (a.is_none() || !calls_[a.index]) return false;
    return code().as_sndi(a) != nullptr ? !is_taken(state(), code(), a) : machine::may_refuse(code(), state(), rho);
}

/// Whether a thread has stopped for good: in front of an assumption that is false, or at a fault, such as a mismatch of
/// collectives. There is no deadlock to come then.
bool RefusalSearch::is_at_end(Location rho) { return halts_before(Execute{rho}) || (can_fault_ && ends_in_fault(rho)); }

/// Runs a thread up to a command that waits or may refuse. False: it has stopped for good.
bool RefusalSearch::run(std::uint32_t thread, bool& has_moved) {
    while (auto const rho = next_of(thread)) {
        spend(8);
        if (may_refuse(*rho) || !is_enabled(code(), state(), buffering(), Execute{*rho})) return true;
        if (is_at_end(*rho)) return false;
        execute(*rho);
        has_moved = true;
    }
    return true;
}

bool RefusalSearch::match_what_is_forced() {
    spend(code().channels().size());
    bool has_moved = false;
    for (std::uint32_t c = 0; c < code().channels().size(); ++c)
        while (can_match({c}) && is_forced({c})) {
            deliver({c});
            has_moved = true;
        }
    return has_moved;
}

/// Runs all threads up to commands that wait or may refuse. False: one has stopped for good.
bool RefusalSearch::run_on() {
    bool has_moved = true;
    while (has_moved) {
        has_moved = false;
        for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
            if (!run(t, has_moved)) return false;
        has_moved = match_what_is_forced() || has_moved;
    }
    return true;
}

/// In a deadlock: what nobody waits for.
void RefusalSearch::match_the_rest() {
    for (std::uint32_t c = 0; c < code().channels().size();) {
        if (!can_match({c})) {
            ++c;
            continue;
        }
        deliver({c});
        c = 0; // a match can make one of another channel possible
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Branching

/// Whether a thread is at a command that may refuse, and it is not decided whether it stays there.
bool RefusalSearch::is_undecided(std::uint32_t thread) const {
    auto const rho = next_of(thread);
    return rho && stays_[thread] != rho->index && may_refuse(*rho);
}

/// The deliveries that some thread waits for, and what probes can see.
std::vector<RefusalSearch::Choice> RefusalSearch::moves() const {
    std::vector<bool> is_wanted(code().endpoints().size());
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
        if (Endpoint const beta = waits_at(t); !beta.is_none()) is_wanted[beta.index] = true;
    std::vector<Choice> result;
    spend(code().channels().size());
    for (std::uint32_t c = 0; c < code().channels().size(); ++c)
        if (is_wanted[code()[Channel{c}].beta.index] && can_match({c})) result.push_back({Choice::Kind::deliver, c});
    for (std::uint32_t t = 0; code().has_probes() && t < state().ctp.size(); ++t)
        if (auto const rho = next_of(t))
            for_each_peek(state(), code(), *rho, [&](Channel lane) {
                result.push_back({Choice::Kind::see, lane.index, *rho});
            });
    return result;
}

/// Whether the state is new.
bool RefusalSearch::remember() {
    key_.clear();
    for (std::uint32_t const next : state().ctp) add_number(key_, next);
    for (std::uint32_t b = 0; b < code().endpoints().size(); ++b) {
        Endpoint const beta{b};
        std::uint32_t const count = code()[beta].selects ? state().Pnd_r.issued[b] : state().Q_s.delivered[b];
        if (!code()[beta].selects && !values_steer_) continue;
        add_number(key_, count);
        for (std::uint32_t n = 0; n < count; ++n) {
            auto const m = message_for(state(), code(), beta, n);
            Action const a_s = m ? state().Q_s.entries[code()[beta].Q_s.first + *m].a : Action{};
            add_number(key_, values_steer_ && m ? a_s.index + 1 : m.has_value() ? 1 : 0);
        }
    }
    if (!values_steer_)
        for (std::uint32_t const taken : state().Pnd_s.taken) add_number(key_, taken);
    for (Action const a : state().saw) add_number(key_, a.index + 1); // a message that is held keeps its sender
    spend(8 + key_.size());
    bool const is_new = seen_.insert(key_);
    if (!is_new) ++merged_;
    return is_new;
}

void RefusalSearch::open(std::vector<Choice> choices) {
    frames_.push_back({mark(), stays_, first_choice_, std::move(choices), 0});
}

void RefusalSearch::take(Choice const& choice) {
    switch (choice.kind) {
    case Choice::Kind::stay: return stay(choice.index);
    case Choice::Kind::pass: return execute(*next_of(choice.index));
    case Choice::Kind::deliver: return deliver({choice.index});
    case Choice::Kind::see: return see(choice.rho, {choice.index});
    }
}

/// Goes on to the next choice, and opens a frame for it. True: to a deadlock.
bool RefusalSearch::visit() {
    if (!run_on() || state().finished()) return false;
    for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
        if (!is_undecided(t)) continue;
        if (!has_choice_left()) {
            stay(t);
            continue;
        }
        open({{Choice::Kind::stay, t}, {Choice::Kind::pass, t}});
        return false;
    }
    if (!remember()) return false;
    std::vector<Choice> choices = moves();
    if (choices.empty()) {
        match_the_rest();
        return true;
    }
    open(std::move(choices));
    return false;
}

void RefusalSearch::begin_after(Schedule const& schedule) {
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        Entry const entry = schedule.entry(i);
        for (Channel const c : entry.m) deliver(c);
        entry.peek.is_none() ? execute(entry.rho) : see(entry.rho, entry.peek);
    }
    for (Channel const c : schedule.trailing()) deliver(c);
}

RefusalSearch::Answer RefusalSearch::search(std::uint64_t steps) {
    std::uint64_t const most = steps > UINT64_MAX - this->steps() ? UINT64_MAX : this->steps() + steps;
    if (!std::exchange(started_, true) && visit()) return Answer::deadlock;
    while (!frames_.empty()) {
        Frame& f = frames_.back();
        back_to(f.mark);
        stays_ = f.stays;
        first_choice_ = f.first_choice;
        if (f.next == f.choices.size()) {
            frames_.pop_back();
            continue;
        }
        if (this->steps() >= most) return Answer::out_of_steps;
        take(f.choices[f.next++]);
        if (visit()) return Answer::deadlock;
    }
    return Answer::none;
}

} // namespace matchpoint::executions
