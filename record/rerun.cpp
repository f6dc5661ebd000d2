#include "record/rerun.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/overloaded.hpp"
#include "machine/machine.hpp"
#include "machine/partners.hpp"
#include "machine/schedule.hpp"
#include "record/cut_short.hpp"
#include "record/envelopes.hpp"
#include "record/line_order.hpp"
#include "record/schedule.hpp"

namespace matchpoint::record {

namespace {

class Follower {
    static constexpr std::size_t most_ends = 1000;

public:
    Follower(Program const& program, IndexedProgram const& code, Recording const& recording,
             Buffering buffering = Buffering::infinite)
        : program_(program), code_(code), machine_(code, buffering), done_(program.ctp.threads.size(), 0),
          posted_(done_), sent_(sent_in(recording)), taken_(taken_in(recording)) {
        for (std::uint32_t a = 0; a < program.symbols.actions.size(); ++a)
            id_of_.push_back(recorded_call(program.symbols(Action{a})));
        find_channels();
        machine_.keep_history();
        for (Rank const& rank : recording.ranks) {
            done_[rank.number] = thread(rank.number).last - thread(rank.number).first - rank.pending;
            posted_[rank.number] = rank.posted;
            if (rank.is_gone()) gone_.insert(rank.number);
            for (FurtherThread const& f : rank.further) {
                done_[f.thread] = thread(f.thread).last - thread(f.thread).first - f.pending;
                posted_[f.thread] = f.posted;
                if (rank.is_gone()) gone_.insert(f.thread);
            }
        }
    }

    void keep_order(Recording const& recording, Order order) { order_ = LineOrder(recording, code_, done_, order); }

    /// These may do anything next that is not recorded.
    void keep_running(CutShort running) { running_ = std::move(running); }

    /// Does what the ranks have done, in ways that agree with the recording, and looks whether any can go on. A receive
    /// of which nothing is known may have any message that it can get when nothing else can happen.
    void look() {
        std::size_t const begin = path_.size();
        while (advance() || deliver_as_recorded()) {
        }
        std::vector<Channel> const ways = unknown_deliveries();
        if (!ways.empty()) {
            for (Channel const c : ways)
                if (ends_ < most_ends && apply(Deliver{c})) {
                    look();
                    undo();
                }
        } else if (++ends_; are_at_fault()) {
            stands_ = true;
        } else if (are_there()) {
            (can_move() || could_be_helped() ? moves_ : stands_) = true;
        }
        while (path_.size() != begin) undo();
    }

    /// One way to follow the recording, up to where collectives do not match. None if the machine cannot.
    std::optional<Schedule> follow() { return follow_on() ? std::optional(schedule()) : std::nullopt; }

    /// After look(): whether the machine has reached the end of the recording.
    bool has_followed() const { return moves_ || stands_; }
    Standstill result() const {
        if (!stands_) return Standstill::no;
        return moves_ || ends_ >= most_ends ? Standstill::possible : Standstill::certain;
    }

private:
    /// Whether there is a way; if not, everything is undone.
    bool follow_on() {
        std::size_t const begin = path_.size();
        while (advance() || deliver_as_recorded()) {
        }
        if (are_there() || are_at_fault()) return true;
        for (Channel const c : unknown_deliveries()) {
            if (ends_ >= most_ends || !apply(Deliver{c})) continue;
            if (follow_on()) return true;
            undo();
        }
        ++ends_;
        while (path_.size() != begin) undo();
        return false;
    }

    Schedule schedule() const {
        Schedule result;
        for (machine::Transition const& t : path_)
            std::visit(overloaded{[&](Execute const& e) { result.step(e.rho, e.peek); },
                                  [&](Deliver const& d) { result.move(d.channel); }},
                       t);
        return result;
    }

    grammar::Thread const& thread(std::uint32_t t) const { return program_.ctp.threads[t]; }

    /// Finds the channel that each receive took its message from. None if nothing is known of the receive, or if nobody
    /// sends such a message.
    void find_channels() {
        // (endpoint, envelope) -> the channel of its messages
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, Channel> channels;
        auto const key = [](Endpoint beta, Envelope const& e) { return std::tuple(beta.index, e.from, e.tag); };
        for (grammar::LocatedCommand const& at : program_.ctp.commands)
            if (auto const* const s = grammar::as_sndi(at.c))
                channels.emplace(key(s->beta, sent_.at(id_of(s->a))), code_.channel_of(s->a));
        channel_for_.resize(id_of_.size());
        auto const find = [&](Action a, Endpoint beta) {
            auto const taken = taken_.find(id_of(a));
            if (taken == taken_.end()) return;
            auto const found = channels.find(key(beta, taken->second));
            if (found != channels.end()) channel_for_[a.index] = found->second;
        };
        for (grammar::LocatedCommand const& at : program_.ctp.commands) {
            if (auto const* const r = grammar::as_rcvi(at.c)) find(r->a, r->beta);
            if (auto const* const p = as_probe(at.c)) find(p->a, p->beta);
        }
    }

    /// The next step of a thread. A probe sees what it saw; if that is not known, the first message that it can.
    Execute next(std::uint32_t t) const {
        Execute step{{machine_.state().ctp[t]}};
        auto const* const probe = as_probe(code_.command_at(step.rho));
        if (probe == nullptr) return step;
        bool const is_known = taken_.contains(id_of(probe->a));
        for_each_peek(machine_.state(), code_, step.rho, [&](Channel lane) {
            if (step.peek.is_none() && (!is_known || lane == channel_for_[probe->a.index])) step.peek = lane;
        });
        return step;
    }

    bool apply(machine::Transition const& next) {
        if (std::visit([&](auto const& t) { return machine_.apply(t).is_stuck(); }, next)) return false;
        path_.push_back(next);
        note(1);
        return true;
    }
    void undo() {
        note(-1);
        if (auto const* const e = std::get_if<Execute>(&path_.back())) order_.undone(code_.thread_of(e->rho), e->rho);
        machine_.undo();
        path_.pop_back();
    }
    /// Counts the receives that wait for a channel, after a transition (1), or before it is undone (-1).
    void note(int sign) {
        auto const count = [&](Action receive, int n) {
            if (auto const c = channel_for_[receive.index]; c && (waiting_[c->index] += n) == 0)
                waiting_.erase(c->index);
        };
        std::visit(overloaded{[&](Execute const& e) {
                                  if (auto const* const r = grammar::as_rcvi(code_.command_at(e.rho)))
                                      count(r->a, sign);
                              },
                              [&](Deliver const& d) { count(last_receiver(code_[d.channel].beta), -sign); }},
                   path_.back());
    }

    bool are_there() const {
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            if (!is_at(t)) return false;
        return true;
    }
    /// Whether some rank has called a collective that disagrees with another rank's: the library went on, or hangs.
    bool are_at_fault() const {
        for (std::uint32_t t = 0; t < done_.size(); ++t) {
            Location const rho{machine_.state().ctp[t]};
            if (rho.index < thread(t).last && is_mismatch(code_, machine_.state(), rho)) return true;
        }
        return false;
    }
    bool is_at(std::uint32_t t) const { return machine_.state().ctp[t] >= thread(t).first + done_[t]; }
    CallId const& id_of(Action a) const { return id_of_[a.index]; }

    /// Whether some rank can go on, once everything is delivered that can be.
    bool can_move() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::uint32_t c = 0; c < code_.channels().size(); ++c)
                if (has_receiver({c})) moved = apply(Deliver{{c}}) || moved;
        }
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            if (can_go_on(t)) return true;
        return false;
    }

    /// Whether ranks that were still running could end all waits.
    bool could_be_helped() {
        if (running_.empty()) return false;
        std::size_t const begin = path_.size();
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            while (!gone_.contains(t) && machine_.state().ctp[t] < thread(t).last - posted_[t] && goes_on(next(t))) {
            }
        auto why = explain::blocked_behind_deliveries(code_, machine_.buffering(), machine_.state());
        if (why) end_openly(*why, code_, running_);
        while (path_.size() != begin) undo();
        return !why || why->kind != explain::Blocked::Kind::deadlock;
    }

    /// Whether a rank gets all that it waits for: MPI_Waitall does not return with a part of it.
    bool can_go_on(std::uint32_t t) {
        if (gone_.contains(t)) return false;
        std::uint32_t const end = thread(t).last - posted_[t];
        std::size_t const begin = path_.size();
        while (machine_.state().ctp[t] < end && goes_on(next(t))) {
        }
        bool const all = path_.size() != begin && machine_.state().ctp[t] == end;
        while (path_.size() != begin) undo();
        return all;
    }

    /// Whether the machine would end in error: a ready send has no receive yet, or a collective disagrees with another
    /// rank's.
    bool is_fault(Location rho) const {
        return is_mismatch(code_, machine_.state(), rho) ||
               (is_ready_send(code_, rho) &&
                !has_receive_for_next(machine_.state(), code_, *grammar::as_sndi(code_.command_at(rho))));
    }

    /// The next step of a rank, if the machine allows it whatever the library buffers, and whichever members of a
    /// collective it waits for.
    bool goes_on(Execute const& step) {
        if (is_fault(step.rho)) return false;
        auto const* const wait = as_wait(code_.command_at(step.rho));
        if (wait != nullptr && code_.as_sndi(wait->a) != nullptr && !is_taken(machine_.state(), code_, wait->a))
            return false;
        bool const is_call = !code_.call_of(step.rho).is_none();
        return is_enabled(code_, machine_.state(), is_call ? Buffering::zero : machine_.buffering(), step) &&
               apply(step);
    }

    /// Every rank goes as far as it can, and no further than it has come.
    bool advance() {
        auto const do_next = [&](std::uint32_t t) {
            if (is_at(t)) return false;
            Execute const step = next(t);
            return !is_fault(step.rho) && is_enabled(code_, machine_.state(), machine_.buffering(), step) &&
                   apply(step);
        };
        if (order_.is_kept()) return order_.advance(machine_.state().ctp, do_next);
        bool moved = false;
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            while (do_next(t)) moved = true;
        return moved;
    }

    /// Messages go to receives that took such messages.
    bool deliver_as_recorded() {
        std::vector<Channel> waited_for;
        for (auto const& [c, n] : waiting_) waited_for.push_back({c});
        bool moved = false;
        for (Channel const c : waited_for)
            while (deliver(c, true)) moved = true;
        return moved;
    }

    /// The deliveries to receives of which nothing is known, at one endpoint: those elsewhere do not depend on them.
    std::vector<Channel> unknown_deliveries() {
        std::vector<Channel> found;
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
            bool const is_elsewhere = !found.empty() && code_[found.front()].beta != code_[Channel{c}].beta;
            if (is_elsewhere || !deliver({c}, false)) continue;
            undo();
            found.push_back({c});
        }
        return found;
    }

    /// Whether a receive that is posted gets the oldest message of a channel if that moves next. At an endpoint that
    /// does not select, it could move before its receive is posted, but need not.
    bool has_receiver(Channel c) const {
        Endpoint const beta = code_[c].beta;
        return is_enabled(code_, machine_.state(), machine_.buffering(), Deliver{c}) &&
               (code_[beta].selects || has_posted_partner(machine_.state(), beta));
    }

    /// Delivers the oldest message of a channel if the receive that gets it took such a message, or if nothing is known
    /// of it.
    bool deliver(Channel c, bool is_known) {
        if (!has_receiver(c)) return false;
        Action const send = Pnd_s(code_, machine_.state(), c).front().a;
        if (!apply(Deliver{c})) return false;
        Action const receive = last_receiver(code_[c].beta);
        if (taken_.contains(id_of(receive)) == is_known && may_get(receive, send)) return true;
        undo();
        return false;
    }

    /// The receive that got the message that was delivered last to an endpoint.
    Action last_receiver(Endpoint beta) const {
        State const& state = machine_.state();
        std::uint32_t const n = *receive_for(state, code_, beta, state.Q_s.delivered[beta.index] - 1);
        return state.Pnd_r.entries[code_[beta].Pnd_r.first + n].a;
    }

    bool may_get(Action receive, Action send) const {
        auto const taken = taken_.find(id_of(receive));
        return taken == taken_.end() || taken->second == sent_.find(id_of(send))->second;
    }

    Program const& program_;
    IndexedProgram const& code_;
    Machine machine_;
    std::vector<std::uint32_t> done_;   // thread -> how many commands it has done
    std::vector<std::uint32_t> posted_; // thread -> how many at its end are waits that it would come to later
    LineOrder order_;
    std::set<std::uint32_t> gone_; // threads that do nothing more
    Envelopes sent_, taken_;
    std::vector<CallId> id_of_;                       // by action
    std::vector<std::optional<Channel>> channel_for_; // by action
    std::map<std::uint32_t, int> waiting_; // channel -> how many receives for its messages are posted and have none
    CutShort running_;
    std::vector<machine::Transition> path_; // from the initial state
    std::size_t ends_ = 0;
    bool moves_ = false, stands_ = false; // some rank can go on, or none, in some way
};

} // namespace

bool is_mismatch(IndexedProgram const& code, State const& state, Location rho) {
    Location const call = code.call_of(rho);
    return !call.is_none() && code.collectives()->mismatch(state, call).has_value();
}

namespace {

Standstill standstill_as_recorded(Recording const& recording) {
    Program const p = draft::valid_program_of(recording.program);
    IndexedProgram const code(p);
    for (Order const order : orders_of(recording)) {
        Follower follower(p, code, recording);
        follower.keep_order(recording, order);
        follower.look();
        if (follower.has_followed()) return follower.result();
    }
    return Standstill::no;
}

/// The recording in which a rank, which waits for one of several calls, waits for another one of them.
Recording waiting_for(Recording recording, std::size_t r, CallId const& other) {
    Rank& rank = recording.ranks[r];
    draft::Thread& thread = recording.program.threads[rank.number];
    if (rank.pending == 0) return recording;
    auto const first = thread.end() - rank.pending;
    auto const later = std::find_if(first, thread.end(), [&](draft::LocatedCommand const& c) {
        auto const* const wait = as_wait(c.c);
        return wait != nullptr && wait->a.text == name_of(other);
    });
    if (later != thread.end()) { // it is posted
        std::swap(first->c, later->c);
        return recording;
    }
    draft::LocatedCommand rest = *first;
    rest.rho.clear();
    first->c = draft::wait(name_of(other));
    thread.push_back(std::move(rest));
    ++rank.pending;
    ++rank.posted;
    return recording;
}

/// Whether a call for windows may still be at work: it moves much, or all ranks make it together.
bool may_be_at_work(Recording const& recording) {
    constexpr std::uint64_t soon_moved = 1U << 24U; // bytes
    constexpr std::string_view together[] = {"in MPI_Win_create",          "in MPI_Win_allocate",
                                             "in MPI_Win_allocate_shared", "in MPI_Win_create_dynamic",
                                             "in MPI_Win_fence",           "in MPI_Win_free"};
    std::string const& first = recording.ranks.front().blocked_in;
    bool const is_together = std::find(std::begin(together), std::end(together), first) != std::end(together);
    return (is_together && std::all_of(recording.ranks.begin(), recording.ranks.end(),
                                       [&](Rank const& r) { return r.is_in_window && r.blocked_in == first; })) ||
           std::any_of(recording.ranks.begin(), recording.ranks.end(),
                       [](Rank const& r) { return r.is_in_window && r.on_the_way > soon_moved; });
}

} // namespace

Standstill standstill(Recording const& recording) {
    bool some_in_window = false;
    bool some_wait_for_any = false; // of several calls
    for (Rank const& rank : recording.ranks) {
        if (rank.is_gone()) continue;
        if (rank.end != RankEnd::blocked && rank.end != RankEnd::finalized) return Standstill::no;
        some_in_window = some_in_window || rank.is_in_window;
        if (rank.end == RankEnd::blocked && rank.pending == rank.posted && !rank.is_in_window && !rank.has_ended)
            return Standstill::no; // it has what it waits for
        for (FurtherThread const& f : rank.further) {
            if (!f.blocked_in.empty() && f.pending == f.posted) return Standstill::no;
            some_wait_for_any = some_wait_for_any || f.waits_for_any;
        }
    }
    if (some_in_window && may_be_at_work(recording)) return Standstill::no;
    Standstill result = standstill_as_recorded(recording);
    // What windows wait for is not known: such a call may return.
    if ((some_in_window || some_wait_for_any) && result == Standstill::certain) result = Standstill::possible;
    for (std::size_t r = 0; r < recording.ranks.size() && result != Standstill::no; ++r)
        for (CallId const& other : recording.ranks[r].or_for) {
            Recording const instead = waiting_for(recording, r, other);
            if (Standstill const found = standstill_as_recorded(instead); found != Standstill::certain) result = found;
            if (result == Standstill::no) break;
        }
    return result;
}

bool has_deadlock(Recording const& recording) {
    if (!recording.is_readable() || !recording.gaps.empty()) return false;
    CutShort cut;
    bool some_wait = false;
    for (Rank const& rank : recording.ranks) {
        if (rank.end == RankEnd::aborted || rank.end == RankEnd::crashed) return false;
        if (rank.is_gone()) continue;
        some_wait = some_wait || rank.end == RankEnd::blocked;
        bool const has_all = rank.end == RankEnd::blocked && rank.pending == rank.posted;
        if (rank.end == RankEnd::elsewhere || has_all) cut.running.push_back(rank.number);
        for (FurtherThread const& f : rank.further)
            if (rank.end == RankEnd::elsewhere || (!f.blocked_in.empty() && f.pending == f.posted))
                cut.running.push_back(f.thread);
    }
    if (!some_wait) return false; // all are in MPI_Finalize, and only the launcher had not ended
    if (cut.empty()) return is_stuck(recording);
    Program const p = draft::valid_program_of(recording.program);
    IndexedProgram const code(p);
    for (Order const order : orders_of(recording)) {
        Follower follower(p, code, recording);
        follower.keep_running(cut);
        follower.keep_order(recording, order);
        follower.look();
        if (follower.has_followed()) return follower.result() == Standstill::certain;
    }
    return false;
}

draft::Draft program_with_run(Recording const& recording, Buffering buffering) {
    Program program = draft::valid_program_of(recording.program);
    IndexedProgram const code(program);
    std::optional<Schedule> run;
    for (Order const order : orders_of(recording)) {
        Follower follower(program, code, recording, buffering);
        follower.keep_order(recording, order);
        run = follower.follow();
        if (run) break;
    }
    if (!run) return recording.program;
    program.traces = {run->trace(code)};
    draft::Draft result = draft::draft_of(program);
    result.comment = recording.program.comment;
    return result;
}

} // namespace matchpoint::record
