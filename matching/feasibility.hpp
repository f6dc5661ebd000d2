// Which match sets some execution has, decided without running anything (docs/encoding.md, "Match sets of complete
// runs").
//
//   Feasibility feasibility(messages, Buffering::infinite);
//   if (auto const conflict = feasibility.conflict(m)) block(conflict->core);
//
// For a receive r with ordinal n at beta, nearest-enclosing wait nw(r), and a send s:
//   1  each receive is matched with one send to its endpoint, each send with at most one receive;
//   2  the sends of a channel are matched in their order, and a send only if the one before it is;
//   3  zero buffering: a send with a wait for it is matched;
//   4  the happens-before graph has no cycle:
//        program order, and for every match (r, s)
//        infinite buffering   s -> nw(r)
//        zero buffering       with t(r), the instant of r's rendezvous:
//                             s -> t(r), r -> t(r), t(r) -> nw(r), t(r) -> wait(s),
//                             and t(r) -> t(r') for consecutive receives r, r' at an endpoint.
//
// The match sets of complete runs are exactly those of all receives that keep rules 1 to 4 and whose run does not reach
// a zero divisor. For a set of some receives the same rules are necessary, not sufficient.
//
// The rules are necessary. An endpoint belongs to one thread (D1), so its n-th receive gets the n-th message that is
// delivered there. Messages leave a channel in the order in which they were sent. A complete run executes nw(r), which
// every receive has (D3), so every receive gets a message. That gives rules 1 and 2. With zero buffering, a wait for a
// send ends after its rendezvous: rule 3. An edge of rule 4 goes from an event to a later one.
//
// The rules are sufficient. Without a cycle, some sequence of all commands and instants keeps all edges. Execute it.
// With infinite buffering, deliver before each wait the messages of the receives that it completes, in the order of the
// receives; with zero buffering, deliver each message at its instant. So an endpoint gets its messages in the order of
// its receives. A delivery finds its message at the front of its channel: the message was sent, by rule 4, and the
// sends before it in the channel are matched with earlier receives, by rule 2. No wait is stuck: what it needs comes
// before it. The matches determine all values (D4, D5), so only a zero divisor can end the run early.
//
// The test runs threads as far as their waits let them, which is a topological order of the graph (Kahn, Topological
// Sorting of Large Networks). If some threads cannot finish, each of them waits for another one, and following these
// waits leads round a cycle. This takes time linear in the size of the program. A core is found by deletion, as for
// minimal unsatisfiable subsets: leave out one match after another, as long as the rest breaks a rule. Fewer matches
// never break more rules, so one pass is enough. It takes a test for each match on the cycle or at the endpoint. With
// infinite buffering a cycle needs all of its matches, so there is no test.
//
// The rules are what Section 5 of Huang, Mercer and McCarthy, Proving MCAPI Executions are Correct, encodes, with its
// errata mended. Happens-before is Lamport's (Time, Clocks, and the Ordering of Events in a Distributed System).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/extent.hpp"
#include "machine/schedule.hpp"
#include "matching/matching.hpp"

namespace matchpoint::matching {

/// Why a set of matches is infeasible.
struct Conflict {
    enum class Kind : std::uint8_t {
        endpoints,  // a send to another endpoint
        send_twice, // one send, two receives
        overtaking, // two sends of a channel, matched in the wrong order
        left_out,   // `left_out` has to be matched, and there is no receive left for it
        cycle,      // of happens-before edges
    };
    /// A command, or the instant of a receive's rendezvous.
    struct Moment {
        bool instant;
        std::uint32_t index; // the command's, or the receive's
        bool operator==(Moment const&) const = default;
    };
    struct Edge {
        enum class Why : std::uint8_t {
            program_order,  // one thread
            received,       // infinite: a send precedes the nearest-enclosing wait of its receive
            sent_before,    // zero: a send precedes its rendezvous
            posted_before,  // zero: a receive precedes its rendezvous
            completes,      // zero: a rendezvous precedes the nearest-enclosing wait of its receive
            releases,       // zero: a rendezvous precedes the wait for its send
            endpoint_order, // zero: receives at an endpoint are served in their order
            barrier,        // a thread passes a barrier when all have come; only of programs that were lowered
            collective,     // a thread passes a collective when those that it needs have called; the same
        };
        Moment from;
        Moment to;
        Why why;
        std::optional<Pair> pair; // the match that the edge rests on; none if every match set has the edge
    };

    Kind kind;
    std::vector<Pair> core;                // no proper subset of it breaks rules 1 to 4
    std::vector<Edge> cycle;               // kind cycle: each edge begins where the one before it ends
    std::optional<std::uint32_t> left_out; // a send
};

std::string_view to_string(Conflict::Edge::Why why);

class Feasibility {
public:
    /// The messages have to outlive it. `prefix`: of the match sets of executions that need not complete. No send has
    /// to be received then, so neither rule 3 counts nor, in rule 2, that the send before has to be matched. The rules
    /// are only necessary then: a channel has to deliver the send before it first all the same.
    Feasibility(MessageIndex const& messages, Buffering buffering, Extent extent = Extent::complete);

    MessageIndex const& messages() const { return *messages_; }
    Buffering buffering() const { return buffering_; }

    /// Whether a set of matches breaks rules 1 to 4. Linear in the size of the program; nothing is allocated.
    bool breaks_a_rule(Matching const& m);

    /// The same, with the reason; none if no rule is broken. If one is, the core takes as long again for each match on
    /// the cycle (only with zero buffering), or at the endpoint.
    std::optional<Conflict> conflict(Matching const& m);

    /// An execution with these matches, for a set of all receives that breaks no rule. Each movement is at the entry
    /// that needs it. For a set of some receives: all commands in an order that the matches allow, though what is
    /// received by the others is missing.
    void schedule(Matching const& m, Schedule& out);

private:
    struct Broken {
        Conflict::Kind kind;
        Endpoint beta;             // not for cycle
        std::uint32_t send = 0;    // the send that is matched wrongly, or left out
        std::uint32_t receive = 0; // its receive, if it is matched wrongly
    };

    /// Rules 1 to 3.
    std::optional<Broken> assignment(Matching const& m);
    std::optional<Broken> channel(Channel c);
    /// Rule 4: runs the threads. True if all finish.
    bool run(Matching const& m, Schedule* out);
    void wake(std::uint32_t thread, std::uint32_t rho);
    void rendezvous(Matching const& m, Endpoint beta, Schedule* out);
    void find_cycle(Matching const& m, Conflict& c);
    void shrink(Conflict& c);

    MessageIndex const* messages_;
    Buffering buffering_;
    Extent extent_;
    std::vector<std::uint32_t> starts_; // thread -> its first command
    // Wait -> the receives that it completes: ranges of receives_of_wait_.
    std::vector<std::uint32_t> receives_of_wait_first_;
    std::vector<std::uint32_t> receives_of_wait_;
    // The state of one run.
    std::vector<std::uint32_t> received_by_; // send -> receive
    std::vector<std::uint32_t> missing_;     // command -> how many events it still waits for
    std::vector<std::uint32_t> next_;        // thread -> its next command
    std::vector<std::uint32_t> runnable_;
    std::vector<std::uint32_t> served_; // zero buffering: endpoint -> how many rendezvous took place
    std::vector<std::uint32_t> before_; // ordinal -> how many receives with a smaller one are free
};

} // namespace matchpoint::matching
