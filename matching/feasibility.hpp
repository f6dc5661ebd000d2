// Which match sets some execution has, without running anything (spec: encoding, "The CTP encoder").
//
// For a receive r with ordinal n at beta, nearest-enclosing wait nw(r), and a send s:
//   1  each receive is matched with one send to its endpoint, each send with at most one receive;
//   2  the sends of a channel are matched in their order, and a send only if the one before it is;
//   3  zero buffering: a send that is waited for is matched;
//   4  the happens-before graph has no cycle:
//        program order, and for every match (r, s)
//        infinite buffering   s -> nw(r)
//        zero buffering       with t(r), the instant of r's rendezvous:
//                             s -> t(r), r -> t(r), t(r) -> nw(r), t(r) -> wait(s),
//                             and t(r) -> t(r') for consecutive receives r, r' at an endpoint.
// A match set of all receives that keeps 1 to 4 is the match set of a complete run, unless that run reaches a zero
// divisor; and only these are. For a set of some receives the same facts are necessary, not sufficient.
//
// The graph is never built. Threads run as far as their waits let them, which is a topological order of it; if some are
// left standing, each waits for another one, and following that is a cycle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/schedule.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::matching {

/// In place of the number of a send or a receive: there is none.
inline constexpr std::uint32_t unmatched = 0xFFFF'FFFF;

/// Receive -> the send it gets; both as numbers of MessageIndex.
class Matching {
public:
    explicit Matching(MessageIndex const& messages) : send_of_(messages.receives().size(), unmatched) {}

    std::uint32_t operator[](std::uint32_t receive) const { return send_of_[receive]; }
    std::uint32_t& operator[](std::uint32_t receive) { return send_of_[receive]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(send_of_.size()); }
    void clear() { std::fill(send_of_.begin(), send_of_.end(), unmatched); }
    bool is_complete() const { return std::find(send_of_.begin(), send_of_.end(), unmatched) == send_of_.end(); }

    auto operator<=>(Matching const&) const = default;

private:
    std::vector<std::uint32_t> send_of_;
};

/// Receive r matched with send s, as numbers.
struct Pair {
    std::uint32_t r;
    std::uint32_t s;
    auto operator<=>(Pair const&) const = default;
};

/// What stands against a set of matches.
struct Conflict {
    enum class Kind : std::uint8_t {
        endpoints,  // a send to another endpoint
        send_twice, // one send, two receives
        overtaking, // two sends of a channel, matched the other way round
        left_out,   // `left_out` has to be matched, and no receive is left that it could have
        cycle,      // of happens-before edges
    };
    /// A command, or the instant of a receive's rendezvous.
    struct Moment {
        bool instant;
        std::uint32_t index; // of the command; of the receive
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
        };
        Moment from;
        Moment to;
        Why why;
        std::optional<Pair> pair; // that the edge rests on; none: it is there whatever is matched
    };

    Kind kind;
    std::vector<Pair> core;                // no proper subset of it breaks rules 1 to 4
    std::vector<Edge> cycle;               // of a cycle; each edge begins where the one before it ends
    std::optional<std::uint32_t> left_out; // a send
};

std::string_view to_string(Conflict::Edge::Why why);

class Feasibility {
public:
    /// The messages have to outlive it.
    Feasibility(MessageIndex const& messages, Buffering buffering);

    MessageIndex const& messages() const { return *messages_; }
    Buffering buffering() const { return buffering_; }

    /// Whether a set of matches breaks rules 1 to 4. Linear in the size of the program; nothing is allocated.
    bool breaks_a_rule(Matching const& m);

    /// The same, with the reason; none if no rule is broken. Beside that quadratic in the length of a cycle, or in the
    /// number of receives at one endpoint.
    std::optional<Conflict> conflict(Matching const& m);

    /// An execution with these matches, for a set of all receives that breaks no rule. Movements stand with the entry
    /// that needs them.
    void schedule(Matching const& m, Schedule& out);

private:
    struct Broken {
        Conflict::Kind kind;
        Endpoint beta;             // of all but cycle
        std::uint32_t send = 0;    // the one that is matched wrongly, or is left out
        std::uint32_t receive = 0; // of what is matched wrongly
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
    std::vector<std::uint32_t> starts_; // thread -> its first command
    // What is asked of each wait, and who is served by a wait: ranges of receives_of_wait_.
    std::vector<std::uint32_t> receives_of_wait_first_;
    std::vector<std::uint32_t> receives_of_wait_;
    // Of one run.
    std::vector<std::uint32_t> received_by_; // send -> receive
    std::vector<std::uint32_t> missing_;     // command -> what it still waits for
    std::vector<std::uint32_t> next_;        // thread -> its next command
    std::vector<std::uint32_t> runnable_;
    std::vector<std::uint32_t> served_; // zero: endpoint -> how many rendezvous
    std::vector<std::uint32_t> before_; // ordinal -> how many receives before it are free
};

} // namespace matchpoint::matching
