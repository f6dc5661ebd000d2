#include "record/standstill.hpp"

#include <algorithm>
#include <map>

#include "machine/machine.hpp"
#include "machine/partners.hpp"
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
        while (advance() || deliver_as_recorded()) {
        }
        for (std::uint32_t t = 0; t < done_.size(); ++t)
            if (!is_at(t)) return false;
        return true;
    }

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
                moved = true;
            }
        return moved;
    }

    /// Delivers a message that its receive gets as recorded; or else one that no receive that is posted wants, in front of
    /// such a message.
    bool deliver_as_recorded() {
        for (bool const to_nobody : {false, true})
            for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
                Deliver const next{{c}};
                if (!is_enabled(code_, machine_.state(), Buffering::infinite, next)) continue;
                auto const pending = Pnd_s(code_, machine_.state(), {c});
                Action const send = pending.front().a;
                if (machine_.apply(next).is_stuck()) continue;
                if (gets(send, to_nobody)) return true;
                machine_.undo();
            }
        return false;
    }

    bool gets(Action send, bool to_nobody) const {
        auto const receiver = receiver_of(send);
        if (!receiver) return to_nobody;
        auto const wanted = receive_of_.find(program_.symbols(send));
        // Messages of collective calls have receives of their own, which can take nothing else.
        if (!names_call(program_.symbols(*receiver))) return true;
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
    std::vector<std::uint32_t> const& done_;
    std::map<std::string, std::string, std::less<>> receive_of_;
};

} // namespace

bool is_stuck(Recording const& recording) {
    draft::Draft const& program = recording.program;
    std::vector<std::uint32_t> done(program.threads.size(), 0);
    for (Rank const& rank : recording.ranks) {
        if (rank.end != RankEnd::blocked && rank.end != RankEnd::finalized) return false;
        done[rank.number] = static_cast<std::uint32_t>(program.threads[rank.number].size()) - rank.pending;
    }
    Program const p = draft::valid_program_of(program);
    IndexedProgram const code(p);
    Follower follower(p, code, matches_of(recording), done);
    return follower.follow() && !follower.can_move();
}

} // namespace matchpoint::record
