// Figure 5(b), the machine's state.
//
//   paper    here                     what
//   -------- ------------------------ --------------------------------------------------------------------------------
//   h        State::h                 store: location l -> value
//   eta      (the identity)           environment: variable x -> location l. No rule of Figures 6 to 8 changes eta, so
//                                     each variable has its location from the beginning, and l is its number.
//   A        State::A                 action -> endpoint: requests issued, not yet completed by a wait on a receive
//   Pnd_s    State::Pnd_s             channel (beta, alpha) -> FIFO of [a v], sends in transit
//   Pnd_r    State::Pnd_r             beta -> FIFO of [a x], receives issued and not yet removed
//   Q_s      State::Q_s               beta -> FIFO of [a v-bot], messages delivered and not yet removed
//   ctp      State::ctp               thread -> its next command
//   trace    State::trace             how many entries of the trace are used up
//   s        State::s                 success < failure < infeasible < error
//   e, k     Estate, Frame            expression_reductions.hpp
//
// Why the queues never move an entry. getMarkRemove works by place: entry i of Pnd_r(beta) is the partner of entry i of
// Q_s(beta), and both leave together. New entries go to the back (errata E1). So whatever has been removed in between,
// the n-th receive ever issued at beta and the n-th message ever delivered there are partners: partnership is by
// ordinal, and ordinals never change. A queue is then an array that only grows, an entry that was removed keeps its
// slot with a mark, and a receive finds its partner in constant time. A wait on the receive with ordinal n completes
// all of beta's receives up to n, so the completed ones are always those below one number, Q_s.completed. Because slots
// stay, undoing a transition only resets numbers and marks. Where receives select, a message is delivered when it is
// matched, and State::partners says to which receive (partners.hpp); slots and marks are as everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "machine/indexed_program.hpp"

namespace matchpoint::machine {

enum class Buffering : std::uint8_t { infinite, zero };
std::string_view to_string(Buffering buffering);

/// The lattice of Section 4.2; it only moves up.
enum class Status : std::uint8_t { success, failure, infeasible, error };
std::string_view to_string(Status s);

/// The arrays of a state: what a program of some eight commands needs is in the state itself, so that to make and to
/// copy one allocates nothing (docs/performance.md). clang-tidy finds a throw in their moves, which never happens:
/// elements are moved to where there is room.
template <typename T>
using Array = boost::container::small_vector<T, 8>;

/// [a v] in Pnd_s
struct PendingSend {
    Action a;
    Value v;
    bool operator==(PendingSend const&) const = default;
};

/// [a x] in Pnd_r
struct PendingReceive {
    Action a;
    Variable x; // none if an mprobe matched it, and it has not started
    bool operator==(PendingReceive const&) const = default;
};

/// [a v-bot] in Q_s
struct DeliveredSend {
    enum class Mark : std::uint8_t {
        unmarked, // [a v]
        marked,   // [a bot]: v has been copied to the partner's variable
        removed,  // no longer in Q_s, nor its partner in Pnd_r
    };
    Action a;
    Mark mark = Mark::unmarked;
    Value v; // kept under the mark, for history
    bool operator==(DeliveredSend const&) const = default;
};

/// Pnd_s: entries [taken, issued) of each channel's range.
struct PendingSends { // NOLINT(bugprone-exception-escape): see Array
    Array<PendingSend> entries;
    Array<std::uint32_t> issued; // channel -> how many sends so far
    Array<std::uint32_t> taken;  // channel -> how many of them have been moved on
    bool operator==(PendingSends const&) const = default;
};

/// Pnd_r: entries [0, issued) of each endpoint's range, without those whose partner is removed.
struct PendingReceives { // NOLINT(bugprone-exception-escape): see Array
    Array<PendingReceive> entries;
    Array<std::uint32_t> issued; // endpoint -> how many receives so far
    Array<std::uint32_t> front;  // endpoint that selects -> the first ordinal that is not removed
    bool operator==(PendingReceives const&) const = default;
};

/// Q_s: entries [0, delivered) of each endpoint's range, without the removed ones.
struct DeliveredSends { // NOLINT(bugprone-exception-escape): see Array
    Array<DeliveredSend> entries;
    Array<std::uint32_t> delivered; // endpoint -> how many messages so far
    Array<std::uint32_t> completed; // endpoint -> the first ordinal that is neither marked nor removed;
                                    // unused where an endpoint selects
    Array<std::uint32_t> front;     // endpoint -> the first ordinal that is not removed
    bool operator==(DeliveredSends const&) const = default;
};

/// Who gets what at the endpoints that select (partners.hpp). Empty if none does.
struct Partners { // NOLINT(bugprone-exception-escape): see Array
    static constexpr std::uint32_t none = 0xFFFF'FFFF;
    Array<std::uint32_t> of_receive; // slot of Pnd_r::entries -> the ordinal of its message
    Array<std::uint32_t> of_message; // slot of Q_s::entries -> the ordinal of its receive
    // The sends from alpha to beta, of all lanes, in the order in which they were issued:
    Array<std::uint32_t> sent;   // send -> its place
    Array<std::uint32_t> lane;   // place, in the pair's room -> the lane
    Array<std::uint32_t> issued; // pair -> how many
    Array<std::uint32_t> front;  // pair -> the first place whose message is in transit
    bool operator==(Partners const&) const = default;
};

struct State { // NOLINT(bugprone-exception-escape): see Array
    static constexpr std::uint32_t not_issued = 0xFFFF'FFFF;

    /// The initial state: empty queues and store, every thread at its first command, s = success.
    explicit State(IndexedProgram const& code);

    Array<Value> h;
    Array<Endpoint> A; // none if not in A
    PendingSends Pnd_s;
    PendingReceives Pnd_r;
    DeliveredSends Q_s;
    Partners partners;
    /// probe that has stepped -> the send whose message it saw; send whose message is matched to an mprobe -> the
    /// mprobe. Empty if there are no probes.
    Array<Action> saw;
    Array<std::uint32_t> ctp; // thread -> its next command; Thread::last when it is finished
    std::uint64_t trace = 0;
    Status s = Status::success;

    Array<std::uint32_t> ordinal;    // action -> its place among all ever put into its queue; or not_issued
    std::uint32_t commands_left = 0; // of all threads

    bool finished() const { return commands_left == 0; }
    bool is_issued(Action a) const { return ordinal[a.index] != not_issued; }

    bool operator==(State const&) const = default;
};

// The premises of the rules that look into a queue, for those who ask before they step.

/// PROCESS QUEUE MOVEMENT: there is something in transit; and, if the movement is a rendezvous, |Q_s(beta)| <
/// |Pnd_r(beta)|. At an endpoint that selects, a movement is a match instead (partners.hpp).
bool in_transit(State const& state, Channel channel);
bool has_posted_partner(State const& state, Endpoint beta);
/// Whether the movement of a channel's oldest message, of which there has to be one, to an endpoint that does not
/// select needs a receive that is posted: with zero buffering, or if the send is synchronous.
bool is_rendezvous(State const& state, IndexedProgram const& code, Buffering buffering, Channel channel);
/// WAIT (RCVI), of a receive that was issued and not removed: it has a partner and, if an mprobe matched it, has
/// started.
bool has_message(State const& state, IndexedProgram const& code, Action a_r);
/// Whether a wait for a send waits: with zero buffering unless it is buffered; always if it is synchronous.
bool waits_for_receive(IndexedProgram const& code, Buffering buffering, Action a_s);
/// Whether MPI leaves it to the library whether a wait for such a send waits.
inline bool depends_on_library(Mode mode) { return mode == Mode::standard || mode == Mode::ready; }
/// Whether an action was issued by an mprobe whose receive has not started.
bool is_held(State const& state, IndexedProgram const& code, Action a_r);
/// WAIT (SNDI), if it waits, of a send that was issued: its message has moved and, if an mprobe matched it, its receive
/// has started.
bool is_taken(State const& state, IndexedProgram const& code, Action a_s);
/// BARRIER: a thread that is neither at its occurrence of the barrier nor past it; none if the command can go on.
std::optional<std::uint32_t> missing_at(State const& state, IndexedProgram const& code, Location rho);

// The queues as the paper has them.

/// Pnd_s(beta)(alpha), oldest first; of a lane, its part of it.
std::span<PendingSend const> Pnd_s(IndexedProgram const& code, State const& state, Channel channel);
/// Pnd_s(beta)(alpha), of all lanes.
std::vector<PendingSend> whole_Pnd_s(IndexedProgram const& code, State const& state, Channel channel);

/// Pnd_r(beta) and Q_s(beta), oldest first. Looks at no more than the first `looks` of those that are left and of
/// those removed after the oldest one that is left.
std::vector<PendingReceive> Pnd_r(IndexedProgram const& code, State const& state, Endpoint beta,
                                  std::uint32_t looks = UINT32_MAX);
std::vector<DeliveredSend> Q_s(IndexedProgram const& code, State const& state, Endpoint beta,
                               std::uint32_t looks = UINT32_MAX);

/// A receive and the send that it got.
struct Match {
    Action a_r;
    Action a_s;
    auto operator<=>(Match const&) const = default;
};

/// The match set so far: the receives that a wait has completed, each with its partner, in the order of the program.
std::vector<Match> match_set(IndexedProgram const& code, State const& state);

} // namespace matchpoint::machine
