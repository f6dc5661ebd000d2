#include "lowering/lowered.hpp"

#include <deque>

namespace matchpoint::lowering {

void Lowered::index() {
    code_.emplace(program_);
    plain_messages_.emplace(*code_);
    // Actions of the program have their numbers, and new ones come after them.
    std::size_t const actions = messages_.code().names().actions.size();
    for (auto const& r : plain_messages_->receives())
        receive_of_.push_back(r.a.index < actions ? std::optional(messages_.receive_number(r.a)) : std::nullopt);
    for (auto const& s : plain_messages_->sends())
        send_of_.push_back(s.a.index < actions ? std::optional(messages_.send_number(s.a)) : std::nullopt);
}

namespace {

/// The steps and movements of an execution of the program, in the order of the plain one in each thread and at each
/// endpoint. Where movements need a posted receive in the program and not in the plain one, they wait for it: their
/// message is not wanted before (docs/lowering.md). The message that an mprobe gets lets it step.
class Execution {
public:
    /// Endpoints are those of the plain program.
    Execution(MessageIndex const& messages, Buffering buffering, MessageIndex const& plain,
              std::vector<std::optional<std::uint32_t>> const& receive_of, Schedule& to)
        : code_(messages.code()), plain_(plain.code()), to_(to), needs_receive_(code_.endpoints().size()),
          endpoint_of_(messages.receives().size()), waiting_(plain_.endpoints().size()),
          free_receives_(plain_.endpoints().size()), messages_(messages) {
        for (Thread const& t : code_.ctp().threads) next_.push_back(t.first);
        for (auto const& s : messages.sends()) {
            Endpoint const beta = messages.beta_of(s);
            bool const waits =
                buffering == Buffering::zero || as_sndi(code_.command_at(s.rho))->mode == Mode::synchronous;
            if (waits || code_[beta].selects) needs_receive_[beta.index] = true;
        }
        for (std::uint32_t r = 0; r < receive_of.size(); ++r)
            if (receive_of[r]) endpoint_of_[*receive_of[r]] = plain.receives()[r].beta;
    }

    std::uint32_t next(std::uint32_t thread) const { return next_[thread]; }
    /// The next command of a thread, which is not an mprobe.
    void step(std::uint32_t thread) {
        Location const rho{next_[thread]++};
        to_.step(rho);
        if (auto const* const receive = as_rcvi(code_.command_at(rho))) post(receive->a);
    }
    /// A receive was posted, or a thread is at an mprobe.
    void post(Action a) {
        std::uint32_t const r = messages_.receive_number(a);
        if (!needs_receive_[messages_.receives()[r].beta.index]) return;
        free_receives_[endpoint_of_[r].index].push_back(a);
        flush(endpoint_of_[r]);
    }

    /// A channel of the program, for one of the plain program.
    void move(Channel c, Channel of) {
        if (!needs_receive_[code_[c].beta.index]) return to_.move(c);
        waiting_[plain_[of].beta.index].push_back(c);
        flush(plain_[of].beta);
    }

private:
    void flush(Endpoint beta) {
        auto& waiting = waiting_[beta.index];
        auto& receives = free_receives_[beta.index];
        for (; !waiting.empty() && !receives.empty(); waiting.pop_front(), receives.pop_front()) {
            if (code_.is_mprobe(receives.front()))
                see(receives.front(), waiting.front());
            else
                to_.move(waiting.front());
        }
    }
    /// The step of an mprobe, and of its start if that comes next: a wait for the send may need it.
    void see(Action mprobe, Channel lane) {
        Location const rho = code_.issued_at(mprobe);
        to_.step(rho, lane);
        std::uint32_t& next = next_[code_.thread_of(rho)];
        ++next;
        if (code_.start_of(mprobe).index == next) to_.step({next++});
    }

    IndexedProgram const& code_;
    IndexedProgram const& plain_;
    Schedule& to_;
    std::vector<bool> needs_receive_;   // endpoint of the program
    std::vector<Endpoint> endpoint_of_; // receive of the program -> its endpoint
    std::vector<std::deque<Channel>> waiting_;
    std::vector<std::deque<Action>> free_receives_; // posted, without a message
    std::vector<std::uint32_t> next_;               // thread -> its next command
    MessageIndex const& messages_;
};

} // namespace

/// Commands that were left out are executed as soon as a part of a later command of their thread is.
Schedule Lowered::raised(Schedule const& schedule, bool to_the_end) const {
    IndexedProgram const& code = messages_.code();
    std::vector<std::uint32_t> moved_there(code_->channels().size());
    Schedule result;
    Execution execution(messages_, of_program_, *plain_messages_, receive_of_, result);
    auto const move = [&](Channel c) {
        auto const s = send_of_[plain_messages_->sends_of(c)[moved_there[c.index]++]];
        if (!s) return; // of a barrier
        execution.move(messages_.sends()[*s].channel, c);
    };
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        Entry const entry = schedule.entry(i);
        for (Channel const c : entry.m) move(c);
        std::uint32_t const at = part_of_[entry.rho.index];
        std::uint32_t const thread = code.thread_of({at});
        while (execution.next(thread) < at) execution.step(thread);
        Probe const* const mprobe = as_probe(code.command_at({at}));
        if (mprobe != nullptr && as_rcvi(code_->command_at(entry.rho)) != nullptr)
            execution.post(mprobe->a);
        else if (mprobe == nullptr && original_[entry.rho.index] == at)
            execution.step(thread);
    }
    for (std::uint32_t t = 0; to_the_end && t < code.ctp().threads.size(); ++t)
        while (execution.next(t) < code.ctp().threads[t].last && is_left_out_[execution.next(t)]) execution.step(t);
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
