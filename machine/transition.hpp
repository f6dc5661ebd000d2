// What can happen next in a state, as data: the machine's nondeterminism.
//
//   machine.keep_history();
//   for (Transition const& t : enabled(code, machine.state(), machine.buffering())) {
//       Step const step = machine.apply(t);
//       ...
//       machine.undo();
//   }
//
// A trace entry (rho m) of Figure 6 is the deliveries m and then the command at rho. Taken one by one they are:
//
//   Deliver   Figure 7, PROCESS QUEUE MOVEMENT of one channel
//   Execute   Figure 6, MACHINE STEP of a thread's next command
//
// The stepper, the scheduler, the explorer and the searches choose among these. They change the state in no other way.
#pragma once

#include <variant>
#include <vector>

#include "machine/partners.hpp"

namespace matchpoint::machine {

/// The oldest message of a channel moves from Pnd_s to Q_s. Where receives select, it is matched; the channel is a
/// lane.
struct Deliver {
    Channel channel;
    bool operator==(Deliver const&) const = default;
};

/// The command at rho, which is the next one of its thread; a probe with the message that it sees.
struct Execute {
    Location rho;
    Channel peek = {}; // of the message: its channel, where there are lanes its lane; none if rho is not a probe
    bool operator==(Execute const&) const = default;
};

using Transition = std::variant<Execute, Deliver>;

/// Whether the premises about queues hold: something is in transit, and where it moves to a posted receive, there is
/// one. Not of a channel that only a trace names.
inline bool is_enabled(IndexedProgram const& code, State const& state, Buffering buffering, Deliver t) {
    if (!in_transit(state, t.channel)) return false;
    Endpoint const beta = code[t.channel].beta;
    if (code[beta].selects) return has_match(state, code, t.channel);
    return !is_rendezvous(state, code, buffering, t.channel) || has_posted_partner(state, beta);
}

/// Whether the command is the next one of its thread, and is not a wait for something that has not happened yet: the
/// message of its receive, the receive of its send if it waits for one, the other threads of its barrier or collective,
/// the guard of its `when`, or the message that its probe is to see. A probe without a peek is never enabled. An
/// enabled command can still be stuck when it is applied, for a reason that nothing will remove: a zero divisor, a
/// variable without a value, collectives that disagree, a ready send without a receive.
bool is_enabled(IndexedProgram const& code, State const& state, Buffering buffering, Execute t);

/// Whether a thread's next command can be executed: it is enabled, or it is a probe that can see some message.
inline bool can_go_on(IndexedProgram const& code, State const& state, Buffering buffering, Location rho) {
    return is_enabled(code, state, buffering, Execute{rho}) || (code.has_probes() && can_see_some(state, code, rho));
}

/// All enabled transitions: commands by thread, then deliveries by channel. A probe is there once for each message that
/// it can see.
std::vector<Transition> enabled(IndexedProgram const& code, State const& state, Buffering buffering);
/// The same, into a vector that is used again.
void enabled(IndexedProgram const& code, State const& state, Buffering buffering, std::vector<Transition>& into);

/// Which transitions depend on each other. Independent transitions commute in every state that enables both, and
/// neither enables or disables the other. So executions that differ only in the order of independent transitions are
/// equivalent (Mazurkiewicz).
///
/// The relation does not look at the state, so it may report two transitions as dependent although they commute in the
/// current state. It assumes nothing of the program: threads may share variables, endpoints and requests. Under D1 to
/// D6 commands of different threads are independent unless they access a shared variable; that is why the scheduler can
/// run a thread as far as it goes (executions/scheduler.hpp).
class DependenceRelation {
public:
    /// The code has to outlive it. Linear in the size of the program.
    DependenceRelation(IndexedProgram const& code, Buffering buffering);

    bool dependent(Transition const& t, Transition const& u) const;
    /// Two deliveries: they are at the same endpoint, whose queue orders them.
    bool dependent(Deliver t, Deliver u) const { return (*code_)[t.channel].beta == (*code_)[u.channel].beta; }
    bool dependent(Execute t, Execute u) const;
    bool dependent(Execute t, Deliver u) const;

private:
    /// A component of the state that a command reads or writes.
    struct Access {
        enum class Part : std::uint8_t { variable, sends, receives };
        Part part;
        std::uint32_t index; // variable; channel: Pnd_s; endpoint: Pnd_r and Q_s
        bool writes;
    };
    using Accesses = std::vector<Access>;

    std::uint32_t thread_of(Execute t) const { return code_->thread_of(t.rho); }
    bool brings_to(Execute t, Execute u) const;
    void probe(Probe const& c, Accesses& into) const;
    bool calls_for(Execute t, Execute u) const;
    Accesses accesses(Execute t) const;
    void read(Expression e, Accesses& into) const;
    bool conflict(Access const& a, Access const& b) const;

    IndexedProgram const* code_;
    Buffering buffering_;
    std::vector<std::vector<Variable>> received_into_; // endpoint -> the variables of its receives
};

} // namespace matchpoint::machine
