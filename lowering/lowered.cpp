#include "lowering/lowered.hpp"

#include <deque>

namespace matchpoint::lowering {

void Lowered::index() {
    code_.emplace(program_);
    plain_messages_.emplace(*code_);
    for (auto const& r : plain_messages_->receives()) {
        std::uint32_t const at = original_[r.rho.index];
        Rcvi const* const receive = at == none ? nullptr : as_rcvi(messages_.code().command_at({at}));
        receive_of_.push_back(receive == nullptr ? std::nullopt : std::optional(messages_.receive_number(receive->a)));
    }
    for (auto const& s : plain_messages_->sends()) {
        std::uint32_t const at = original_[s.rho.index];
        Sndi const* const send = at == none ? nullptr : as_sndi(messages_.code().command_at({at}));
        send_of_.push_back(send == nullptr ? std::nullopt : std::optional(messages_.send_number(send->a)));
    }
}

namespace {

/// The movements of an execution of the program, in the order of the plain one at each endpoint. Where movements need a
/// posted receive in the program and not in the plain one, they wait for it: their message is not wanted before
/// (docs/lowering.md).
class Movements {
public:
    /// Endpoints are those of the plain program.
    Movements(MessageIndex const& messages, Buffering buffering, MessageIndex const& plain,
              std::vector<std::optional<std::uint32_t>> const& receive_of, Schedule& to)
        : code_(messages.code()), plain_(plain.code()), to_(to), needs_receive_(code_.endpoints().size()),
          endpoint_of_(messages.receives().size()), waiting_(plain_.endpoints().size()),
          free_receives_(plain_.endpoints().size()), messages_(messages) {
        for (auto const& s : messages.sends()) {
            Endpoint const beta = messages.beta_of(s);
            bool const waits =
                buffering == Buffering::zero || as_sndi(code_.command_at(s.rho))->mode == Mode::synchronous;
            if (waits || code_[beta].selects) needs_receive_[beta.index] = true;
        }
        for (std::uint32_t r = 0; r < receive_of.size(); ++r)
            if (receive_of[r]) endpoint_of_[*receive_of[r]] = plain.receives()[r].beta;
    }

    /// A channel of the program, for one of the plain program.
    void move(Channel c, Channel of) {
        if (!needs_receive_[code_[c].beta.index]) return to_.move(c);
        waiting_[plain_[of].beta.index].push_back(c);
        flush(plain_[of].beta);
    }

    /// A command was executed.
    void after(Location rho) {
        auto const* const receive = as_rcvi(code_.command_at(rho));
        if (receive == nullptr || !needs_receive_[receive->beta.index]) return;
        Endpoint const beta = endpoint_of_[messages_.receive_number(receive->a)];
        ++free_receives_[beta.index];
        flush(beta);
    }

private:
    void flush(Endpoint beta) {
        auto& waiting = waiting_[beta.index];
        for (; !waiting.empty() && free_receives_[beta.index] != 0; --free_receives_[beta.index]) {
            to_.move(waiting.front());
            waiting.pop_front();
        }
    }

    IndexedProgram const& code_;
    IndexedProgram const& plain_;
    Schedule& to_;
    std::vector<bool> needs_receive_;   // endpoint of the program
    std::vector<Endpoint> endpoint_of_; // receive of the program -> its endpoint
    std::vector<std::deque<Channel>> waiting_;
    std::vector<std::uint32_t> free_receives_; // posted, without a message
    MessageIndex const& messages_;
};

} // namespace

/// Commands that were left out are executed as soon as a part of a later command of their thread is.
Schedule Lowered::raised(Schedule const& schedule, bool to_the_end) const {
    IndexedProgram const& code = messages_.code();
    std::vector<std::uint32_t> next;
    for (Thread const& t : code.ctp().threads) next.push_back(t.first);
    std::vector<std::uint32_t> moved_there(code_->channels().size());
    Schedule result;
    Movements movements(messages_, of_program_, *plain_messages_, receive_of_, result);
    auto const move = [&](Channel c) {
        auto const s = send_of_[plain_messages_->sends_of(c)[moved_there[c.index]++]];
        if (!s) return; // of a barrier
        movements.move(messages_.sends()[*s].channel, c);
    };
    auto const step = [&](std::uint32_t thread) {
        Location const rho{next[thread]++};
        result.step(rho);
        movements.after(rho);
    };
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        Entry const entry = schedule.entry(i);
        for (Channel const c : entry.m) move(c);
        std::uint32_t const at = part_of_[entry.rho.index];
        std::uint32_t const thread = code.thread_of({at});
        while (next[thread] < at) step(thread);
        if (original_[entry.rho.index] == at) step(thread);
    }
    for (std::uint32_t t = 0; to_the_end && t < next.size(); ++t)
        while (next[t] < code.ctp().threads[t].last && is_left_out_[next[t]]) step(t);
    for (Channel const c : schedule.trailing()) move(c);
    return result;
}

Matching Lowered::raised(Matching const& matching) const {
    Matching result(messages_);
    for (std::uint32_t r = 0; r < matching.size(); ++r)
        if (receive_of_[r] && matching[r] != unmatched) result[*receive_of_[r]] = *send_of_[matching[r]];
    return result;
}

} // namespace matchpoint::lowering
