#include "record/rerun.hpp"

#include <algorithm>
#include <map>

#include "machine/machine.hpp"
#include "machine/partners.hpp"
#include "machine/schedule.hpp"
#include "record/verify.hpp"

namespace matchpoint::record {

namespace {

class Follower {
public:
    Follower(Program const& program, IndexedProgram const& code, std::vector<NamedMatch> const& matches,
             std::vector<std::uint32_t> const& done)
        : program_(program), code_(code), machine_(code, Buffering::infinite), done_(done) {
        machine_.keep_history();
        for (auto const& [receive, send] : matches) receive_of_[send] = receive;
    }

    /// Does what the ranks have done. False: the machine cannot.
    bool follow() {
        while (advance() || deliver_as_recorded() || deliver_to_nobody()) {
        }
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            if (!is_at(t)) return false;
        return true;
    }

    /// What it did.
    Schedule const& schedule() const { return schedule_; }

    /// Whether some rank can go on, once everything is delivered that can be.
    bool can_move() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
                Deliver const next{{c}};
                if (is_enabled(code_, machine_.state(), Buffering::infinite, next))
                    moved = !machine_.apply(next).is_stuck() || moved;
            }
        }
        for (std::uint32_t t = 0; t < done_.size(); ++t) {
            Location const rho{machine_.state().ctp[t]};
            if (rho.index == thread(t).last) continue;
            auto const* const wait = as_wait(code_.command_at(rho));
            bool const waits_for_send = wait != nullptr && is_send(wait->a);
            if (waits_for_send ? receiver_of(wait->a).has_value()
                               : is_enabled(code_, machine_.state(), Buffering::infinite, Execute{rho}))
                return true;
        }
        return false;
    }

private:
    grammar::Thread const& thread(std::uint32_t t) const { return program_.ctp.threads[t]; }
    bool is_at(std::uint32_t t) const { return machine_.state().ctp[t] >= thread(t).first + done_[t]; }
    /// The actions of recorded programs are named so.
    bool is_send(Action a) const { return program_.symbols(a).starts_with('S'); }

    /// Every rank goes as far as it can, and no further than it has come.
    bool advance() {
        bool moved = false;
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            while (!is_at(t)) {
                Execute const next{{machine_.state().ctp[t]}};
                if (!is_enabled(code_, machine_.state(), Buffering::infinite, next) || machine_.apply(next).is_stuck())
                    break;
                schedule_.step(next.rho);
                moved = true;
            }
        return moved;
    }

    /// Delivers all messages that their receives get as recorded.
    bool deliver_as_recorded() {
        bool moved = false;
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c)
            while (deliver({c}, [&](Action send) { return gets(send); })) moved = true;
        return moved;
    }

    /// Delivers a message that no receive that is posted wants: it stands in front of one that is wanted.
    bool deliver_to_nobody() {
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c)
            if (deliver({c}, [&](Action send) { return !receiver_of(send); })) return true;
        return false;
    }

    /// Delivers the next message of a channel, unless it goes wrong.
    template <typename Right>
    bool deliver(Channel c, Right is_right) {
        Deliver const next{c};
        if (!is_enabled(code_, machine_.state(), Buffering::infinite, next)) return false;
        Action const send = Pnd_s(code_, machine_.state(), c).front().a;
        if (machine_.apply(next).is_stuck()) return false;
        if (!is_right(send)) {
            machine_.undo();
            return false;
        }
        schedule_.move(c);
        return true;
    }

    bool gets(Action send) const {
        auto const receiver = receiver_of(send);
        if (!receiver) return false;
        // Messages of collective calls have receives of their own, which can take nothing else.
        if (!names_call(program_.symbols(*receiver))) return true;
        auto const wanted = receive_of_.find(program_.symbols(send));
        return wanted != receive_of_.end() && program_.symbols(*receiver) == wanted->second;
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

    Program const& program_;
    IndexedProgram const& code_;
    Machine machine_;
    Schedule schedule_;
    std::vector<std::uint32_t> const& done_;
    std::map<std::string, std::string, std::less<>> receive_of_;
};

/// How many commands each rank has done.
std::vector<std::uint32_t> done_by(Recording const& recording) {
    std::vector<std::uint32_t> done(recording.program.threads.size(), 0);
    for (Rank const& rank : recording.ranks)
        done[rank.number] = static_cast<std::uint32_t>(recording.program.threads[rank.number].size()) - rank.pending;
    return done;
}

} // namespace

bool is_stuck(Recording const& recording) {
    if (!std::all_of(recording.ranks.begin(), recording.ranks.end(),
                     [](Rank const& r) { return r.end == RankEnd::blocked || r.end == RankEnd::finalized; }))
        return false;
    Program const program = draft::valid_program_of(recording.program);
    IndexedProgram const code(program);
    std::vector<std::uint32_t> const done = done_by(recording);
    Follower follower(program, code, matches_of(recording), done);
    return follower.follow() && !follower.can_move();
}

draft::Draft program_with_run(Recording const& recording) {
    Program program = draft::valid_program_of(recording.program);
    IndexedProgram const code(program);
    std::vector<std::uint32_t> const done = done_by(recording);
    Follower follower(program, code, matches_of(recording), done);
    if (!follower.follow()) return recording.program;
    program.traces = {follower.schedule().trace(code)};
    draft::Draft result = draft::draft_of(program);
    result.comment = recording.program.comment;
    return result;
}

} // namespace matchpoint::record
