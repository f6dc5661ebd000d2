#include "record/rerun.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "base/numbers.hpp"
#include "base/overloaded.hpp"
#include "importers/scanner.hpp"
#include "machine/machine.hpp"
#include "machine/partners.hpp"
#include "machine/schedule.hpp"
#include "record/cut_short.hpp"
#include "record/schedule.hpp"

namespace matchpoint::record {

namespace {

/// A message, or what a receive took, as far as the recording tells: receives that are complete and that the rank has
/// not learned of are not in it.
struct Envelope {
    std::uint32_t from; // as in Taken
    std::int64_t tag;
    bool operator==(Envelope const&) const = default;
};
/// Of sends, or of receives.
using Envelopes = std::map<CallId, Envelope>;

Envelopes sent_in(Recording const& recording) {
    Envelopes sent;
    auto const& threads = recording.program.threads;
    for (std::uint32_t rank = 0; rank < threads.size(); ++rank)
        for (draft::LocatedCommand const& at : threads[rank])
            if (auto const* const s = as_sndi(at.c))
                sent[recorded_call(s->a.text)] = {recording.api == Api::mpi ? rank : endpoint_number(s->alpha),
                                                  to_number<std::int64_t>(s->tag.text).value_or(0)};
    return sent;
}

Envelopes taken_in(Recording const& recording) {
    Envelopes taken;
    for (Rank const& rank : recording.ranks)
        for (Taken const& t : rank.taken) taken[t.receive] = {t.from, t.tag};
    return taken;
}

class Follower {
    static constexpr std::size_t most_ends = 1000;

public:
    Follower(Program const& program, IndexedProgram const& code, Recording const& recording,
             Buffering buffering = Buffering::infinite)
        : program_(program), code_(code), machine_(code, buffering), done_(program.ctp.threads.size(), 0),
          posted_(done_), sent_(sent_in(recording)), taken_(taken_in(recording)) {
        for (std::uint32_t a = 0; a < program.symbols.actions.size(); ++a)
            id_of_.push_back(recorded_call(program.symbols(Action{a})));
        machine_.keep_history();
        for (Rank const& rank : recording.ranks) {
            done_[rank.number] = thread(rank.number).last - thread(rank.number).first - rank.pending;
            posted_[rank.number] = rank.posted;
        }
    }

    /// These may do anything next that is not recorded.
    void keep_running(CutShort running) { running_ = std::move(running); }

    /// Does what the ranks have done, in ways that agree with the recording, and looks whether any can go on. A receive
    /// of which nothing is known takes what came first of the messages that are there already when it is posted: three
    /// orders are tried.
    void look() {
        for (Early const early : {Early::as_needed, Early::all, Early::all_backwards}) {
            early_ = early;
            look_on();
        }
    }

    /// One way to follow the recording. None if the machine cannot.
    std::optional<Schedule> follow() {
        for (Early const early : {Early::as_needed, Early::all, Early::all_backwards}) {
            early_ = early;
            if (follow_on()) return schedule();
        }
        return std::nullopt;
    }

    Standstill result() const {
        if (!stands_) return Standstill::no;
        return moves_ || ends_ >= most_ends ? Standstill::possible : Standstill::certain;
    }

private:
    /// Which messages are delivered that no receive that is posted admits.
    enum class Early {
        as_needed, // those in front of one that such a receive took
        all,
        all_backwards, // likewise, those of the last channels first
    };

    void look_on() {
        std::size_t const begin = path_.size();
        while (advance() || deliver_as_recorded()) {
        }
        std::vector<Channel> const ways = unknown_deliveries();
        if (!ways.empty()) {
            for (Channel const c : ways)
                if (ends_ < most_ends && apply(Deliver{c})) {
                    look_on();
                    undo();
                }
        } else if (++ends_; are_there()) {
            (can_move() || could_be_helped() ? moves_ : stands_) = true;
        }
        while (path_.size() != begin) undo();
    }

    /// Whether there is a way; if not, everything is undone.
    bool follow_on() {
        std::size_t const begin = path_.size();
        while (advance() || deliver_as_recorded()) {
        }
        if (are_there()) return true;
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
            std::visit(overloaded{[&](Execute const& e) { result.step(e.rho); },
                                  [&](Deliver const& d) { result.move(d.channel); }},
                       t);
        return result;
    }

    grammar::Thread const& thread(std::uint32_t t) const { return program_.ctp.threads[t]; }
    bool apply(auto const& next) {
        if (machine_.apply(next).is_stuck()) return false;
        path_.push_back(next);
        return true;
    }
    void undo() {
        machine_.undo();
        path_.pop_back();
    }

    bool are_there() const {
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            if (!is_at(t)) return false;
        return true;
    }
    bool is_at(std::uint32_t t) const { return machine_.state().ctp[t] >= thread(t).first + done_[t]; }
    CallId const& id_of(Action a) const { return id_of_[a.index]; }

    /// Whether some rank can go on, once everything is delivered that can be.
    bool can_move() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
                Deliver const next{{c}};
                if (is_enabled(code_, machine_.state(), machine_.buffering(), next)) moved = apply(next) || moved;
            }
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
            while (machine_.state().ctp[t] < thread(t).last - posted_[t] &&
                   has_what_it_waits_for({machine_.state().ctp[t]}) && apply(Execute{{machine_.state().ctp[t]}})) {
            }
        auto why = explain::blocked_behind_deliveries(code_, machine_.buffering(), machine_.state());
        if (why) end_openly(*why, code_, running_);
        while (path_.size() != begin) undo();
        return !why || why->kind != explain::Blocked::Kind::deadlock;
    }

    /// Whether a rank gets all that it waits for: MPI_Waitall does not return with a part of it.
    bool can_go_on(std::uint32_t t) {
        std::uint32_t const end = thread(t).last - posted_[t];
        std::size_t const begin = path_.size();
        while (machine_.state().ctp[t] < end && has_what_it_waits_for({machine_.state().ctp[t]}) &&
               apply(Execute{{machine_.state().ctp[t]}})) {
        }
        bool const all = path_.size() != begin && machine_.state().ctp[t] == end;
        while (path_.size() != begin) undo();
        return all;
    }

    bool has_what_it_waits_for(Location rho) const {
        auto const* const wait = as_wait(code_.command_at(rho));
        if (wait != nullptr && code_.as_sndi(wait->a) != nullptr && !is_taken(wait->a)) return false;
        return is_enabled(code_, machine_.state(), machine_.buffering(), Execute{rho});
    }

    /// Every rank goes as far as it can, and no further than it has come.
    bool advance() {
        bool moved = false;
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            while (!is_at(t)) {
                Execute const next{{machine_.state().ctp[t]}};
                if (!is_enabled(code_, machine_.state(), machine_.buffering(), next) || !apply(next)) break;
                moved = true;
            }
        return moved;
    }

    /// Who gets a message.
    enum class To {
        recorded, // a receive that took it, or such a one
        nobody,   // no receive that is posted admits it
        unknown,  // a receive that the rank has not seen complete
    };

    bool deliver_as_recorded() {
        auto const channel = [&, n = static_cast<std::uint32_t>(code_.channels().size())](std::uint32_t i) {
            return Channel{early_ == Early::all_backwards ? n - 1 - i : i};
        };
        bool moved = false;
        for (std::uint32_t i = 0; i < code_.channels().size(); ++i)
            while (deliver(channel(i), To::recorded)) moved = true;
        for (std::uint32_t i = 0; i < code_.channels().size() && !moved; ++i) moved = deliver(channel(i), To::nobody);
        return moved;
    }

    /// Those that go to such receives, of one endpoint: what is delivered elsewhere does not depend on them.
    std::vector<Channel> unknown_deliveries() {
        std::vector<Channel> found;
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
            bool const is_elsewhere = !found.empty() && code_[found.front()].beta != code_[Channel{c}].beta;
            if (is_elsewhere || !deliver({c}, To::unknown)) continue;
            undo();
            found.push_back({c});
        }
        return found;
    }

    bool deliver(Channel c, To to) {
        if (!is_enabled(code_, machine_.state(), machine_.buffering(), Deliver{c})) return false;
        auto const pending = Pnd_s(code_, machine_.state(), c);
        if (to == To::nobody && early_ == Early::as_needed && !is_waited_for(pending.subspan(1), code_[c].beta))
            return false;
        Action const send = pending.front().a;
        if (!apply(Deliver{c})) return false;
        auto const receiver = receiver_of(send);
        if (receiver ? to == (is_known(*receiver) ? To::recorded : To::unknown) && may_get(*receiver, send)
                     : to == To::nobody)
            return true;
        undo();
        return false;
    }

    /// Messages of collective calls have receives of their own, which can take nothing else.
    bool is_known(Action receive) const {
        return !is_point_to_point(id_of(receive)) || taken_.contains(id_of(receive));
    }

    bool may_get(Action receive, Action send) const {
        auto const taken = taken_.find(id_of(receive));
        return taken == taken_.end() || taken->second == sent_.find(id_of(send))->second;
    }

    /// Whether a receive that is posted took one of these messages.
    bool is_waited_for(std::span<PendingSend const> messages, Endpoint beta) const {
        auto const receives = Pnd_r(code_, machine_.state(), beta);
        return std::any_of(messages.begin(), messages.end(), [&](PendingSend const& m) {
            return std::any_of(receives.begin(), receives.end(),
                               [&](PendingReceive const& r) { return is_known(r.a) && may_get(r.a, m.a); });
        });
    }

    /// The receive that has a message, if it was delivered and one that is posted takes it.
    std::optional<Action> receiver_of(Action send) const {
        State const& state = machine_.state();
        Endpoint const beta = code_[code_.channel_of(send)].beta;
        for (std::uint32_t m = state.Q_s.delivered[beta.index]; m-- > 0;) {
            if (state.Q_s.entries[code_[beta].Q_s.first + m].a != send) continue;
            auto const n = receive_for(state, code_, beta, m);
            return n ? std::optional(state.Pnd_r.entries[code_[beta].Pnd_r.first + *n].a) : std::nullopt;
        }
        return std::nullopt;
    }

    /// Whether a receive that is posted, or was complete before, has a message.
    bool is_taken(Action send) const {
        State const& state = machine_.state();
        for (PendingSend const& p : Pnd_s(code_, state, code_.channel_of(send)))
            if (p.a == send) return false;
        for (DeliveredSend const& d : Q_s(code_, state, code_[code_.channel_of(send)].beta))
            if (d.a == send) return receiver_of(send).has_value();
        return true;
    }

    Program const& program_;
    IndexedProgram const& code_;
    Machine machine_;
    std::vector<std::uint32_t> done_;   // thread -> how many commands it has done
    std::vector<std::uint32_t> posted_; // thread -> how many at its end are waits that it would come to later
    Envelopes sent_, taken_;
    std::vector<CallId> id_of_; // by action
    CutShort running_;
    Early early_ = Early::as_needed;
    std::vector<machine::Transition> path_; // from the initial state
    std::size_t ends_ = 0;
    bool moves_ = false, stands_ = false; // some rank can go on, or none, in some way
};

} // namespace

Standstill standstill(Recording const& recording) {
    for (Rank const& rank : recording.ranks) {
        if (rank.end != RankEnd::blocked && rank.end != RankEnd::finalized) return Standstill::no;
        if (rank.end == RankEnd::blocked && rank.pending == rank.posted)
            return Standstill::no; // it has what it waits for
    }
    Program const p = draft::valid_program_of(recording.program);
    IndexedProgram const code(p);
    Follower follower(p, code, recording);
    follower.look();
    return follower.result();
}

bool has_deadlock(Recording const& recording) {
    if (!recording.is_readable() || !recording.gaps.empty()) return false;
    CutShort cut;
    bool some_wait = false;
    for (Rank const& rank : recording.ranks) {
        if (rank.end == RankEnd::aborted || rank.end == RankEnd::crashed) return false;
        some_wait = some_wait || rank.end == RankEnd::blocked;
        bool const has_all = rank.end == RankEnd::blocked && rank.pending == rank.posted;
        if (rank.end == RankEnd::elsewhere || has_all) cut.running.push_back(rank.number);
    }
    if (!some_wait) return false; // all are in MPI_Finalize, and only the launcher had not ended
    if (cut.empty()) return is_stuck(recording);
    Program const p = draft::valid_program_of(recording.program);
    IndexedProgram const code(p);
    Follower follower(p, code, recording);
    follower.keep_running(std::move(cut));
    follower.look();
    return follower.result() == Standstill::certain;
}

std::vector<Waits> waits_of(Recording const& recording) {
    std::vector<Waits> result;
    for (Rank const& rank : recording.ranks) {
        if (rank.end != RankEnd::blocked) continue;
        draft::Thread const& thread = recording.program.threads[rank.number];
        Waits waits{rank.number, thread.size() - rank.pending, {}};
        for (std::size_t i = waits.behind; i < thread.size() - rank.posted; ++i)
            if (auto const* const w = as_wait(thread[i].c)) waits.calls.push_back(recorded_call(w->a.text));
        result.push_back(std::move(waits));
    }
    return result;
}

bool waits_there(Waits const& predicted, Waits const& run) {
    if (predicted.rank != run.rank) return false;
    bool const is_other_call = run.calls.empty() || run.calls.front().kind == CallId::Kind::unmet_barrier ||
                               run.calls.front() == open_probe(run.rank);
    if (!is_other_call)
        return !predicted.calls.empty() &&
               std::find(run.calls.begin(), run.calls.end(), predicted.calls.front()) != run.calls.end();
    // Such a receive precedes its wait, and takes the place of the barrier.
    std::size_t const barrier = run.calls.empty() ? run.behind : run.behind - 1;
    return predicted.behind == (predicted.calls.empty() ? barrier : run.behind);
}

draft::Draft program_with_run(Recording const& recording, Buffering buffering) {
    Program program = draft::valid_program_of(recording.program);
    IndexedProgram const code(program);
    auto const run = Follower(program, code, recording, buffering).follow();
    if (!run) return recording.program;
    program.traces = {run->trace(code)};
    draft::Draft result = draft::draft_of(program);
    result.comment = recording.program.comment;
    return result;
}

} // namespace matchpoint::record
