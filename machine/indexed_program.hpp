// A program indexed for the machine: its channels have numbers, and its queues have room.
//
// Every command runs at most once, so over a whole run a queue gets at most as many entries as the program has commands
// that add one. All queues of one kind share an array, and each has its own range of it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "grammar/ast.hpp"
#include "machine/collectives.hpp"

namespace matchpoint::machine {

/// What moves messages from alpha to beta: a pair (beta, alpha) that some sndi or some movement of a trace names. At an
/// endpoint that selects by tag, messages with different tags move independently: such a pair has a channel for each
/// tag, a *lane*.
using Channel = Id<struct ChannelKind>;

/// Where a queue lies in the array of all queues of its kind.
struct QueueRange {
    std::uint32_t first = 0;
    std::uint32_t capacity = 0;
};

/// sigma ::= (rho m), with the movements as channels.
struct Entry {
    Location rho;
    std::span<Channel const> m;
    Channel peek = {}; // none if it has none
};

class IndexedProgram {
public:
    struct ChannelInfo {
        enum class Kind : std::uint8_t {
            whole, // all messages from alpha to beta
            lane,  // those with tag n
            any,   // a movement that names no tag, where there are lanes: the state decides which one moves
            front, // a movement that names the tag n, where there are no lanes: the oldest message, if that is its tag
        };
        Endpoint beta;
        Endpoint alpha;
        QueueRange Pnd_s; // room for every send of the program that it has; none of the last two kinds
        Kind kind = Kind::whole;
        Tag n; // none if it is 0, and nothing names any tag
    };
    struct EndpointInfo {
        QueueRange Pnd_r; // room for every receive at it
        QueueRange Q_s;   // room for every send to it
        /// Whether some receive at it does not admit every message (partners.hpp).
        bool selects = false;
        /// Whether some receive at it names tags.
        bool selects_by_tag = false;
    };

    /// The program has to outlive it. Linear in the size of the program.
    explicit IndexedProgram(Program const& program);

    Program const& program() const { return *program_; }
    Symbols const& names() const { return program_->symbols; }
    Ctp const& ctp() const { return program_->ctp; }

    std::uint32_t thread_of(Location rho) const { return thread_of_[rho.index]; }
    /// Whether the CTP has the location. A trace may name others.
    bool has(Location rho) const { return rho.index < thread_of_.size(); }
    Command const& command_at(Location rho) const { return program_->ctp.commands[rho.index].c; }

    /// The command that issues an action: one of the two is null, or both if it is a collective.
    Sndi const* as_sndi(Action a) const { return grammar::as_sndi(command_at(issued_at(a))); }
    /// A probe counts as the receive that it would be, into the variable of its start, if it has one.
    Rcvi const* as_rcvi(Action a) const {
        if (has_probes_ && !probed_[a.index].a.is_none()) return &probed_[a.index];
        return grammar::as_rcvi(command_at(issued_at(a)));
    }
    /// The probe that issues an action; null if another command does.
    Probe const* as_probe(Action a) const {
        return has_probes_ ? grammar::as_probe(command_at(issued_at(a))) : nullptr;
    }
    /// Whether an action is matched by an mprobe.
    bool is_mprobe(Action a) const { return has_probes_ && as_probe(a) != nullptr && as_probe(a)->matches; }
    /// Where an mprobe's receive starts; none if it does not.
    Location start_of(Action a) const { return start_of_[a.index]; }
    Location issued_at(Action a) const { return {program_->ctp.issued_by[a.index]}; }
    /// The wait for a send or a receive; null if another command is there, or a wait for a collective.
    Wait const* wait_for_message(Location rho) const {
        Wait const* const wait = grammar::as_wait(command_at(rho));
        return wait == nullptr || as_collective(wait->a) == nullptr ? wait : nullptr;
    }
    /// The channel of a send.
    Channel channel_of(Action a_s) const { return channel_of_[a_s.index]; }

    std::span<ChannelInfo const> channels() const { return channels_; }
    ChannelInfo const& operator[](Channel c) const { return channels_[c.index]; }
    /// What a movement (beta alpha), or (beta alpha n), is about; none if nothing is ever sent there, and no trace
    /// names it.
    std::optional<Channel> find_channel(Endpoint beta, Endpoint alpha) const;
    std::optional<Channel> find_channel(Endpoint beta, Endpoint alpha, Tag n) const;
    /// A channel of another program with the same symbols.
    std::optional<Channel> find_channel(ChannelInfo const& other) const;
    /// The channels that have the messages from alpha to beta: the lanes, or the only one.
    std::span<Channel const> lanes(Channel c) const { return lanes_[lanes_of_[c.index]]; }
    /// The number of a channel's pair (beta, alpha), below pair_count(); and room for every send of the pair.
    std::uint32_t pair_of(Channel c) const { return lanes_of_[c.index]; }
    std::size_t pair_count() const { return lanes_.size(); }
    QueueRange room_of(std::uint32_t pair) const { return room_of_[pair]; }
    /// What stands for all messages from alpha to beta: the only channel, or the one of kind `any`.
    Channel whole(Channel c) const {
        return find_channel(channels_[c.index].beta, channels_[c.index].alpha).value_or(c);
    }
    /// A movement of a channel as traces name it: with its tag if messages with other tags go the same way.
    Movement movement_of(Channel c) const;

    std::span<EndpointInfo const> endpoints() const { return endpoints_; }
    EndpointInfo const& operator[](Endpoint beta) const { return endpoints_[beta.index]; }

    /// Whether some endpoint selects, and whether some send is synchronous.
    bool selects() const { return selects_; }
    bool synchronizes() const { return synchronizes_; }
    bool has_probes() const { return has_probes_; }
    /// The collectives; null if there are none.
    Collectives const* collectives() const { return collectives_.get(); }
    /// Whether two collectives that belong together disagree.
    bool has_contested_calls() const { return collectives_ != nullptr && collectives_->are_contested(); }
    /// The collective that a command is, or waits for; none if it is about none.
    Location call_of(Location rho) const { return collectives_ == nullptr ? Location{} : collectives_->call_of(rho); }
    /// The icollective that issues an action; null if another command does.
    Collective const* as_collective(Action a) const {
        return collectives_ == nullptr ? nullptr : grammar::as_collective(command_at(issued_at(a)));
    }
    /// Whether it has shared variables or guarded assignments: commands of different threads may depend on each other.
    bool shares() const { return shares_; }
    /// Whether some send is ready.
    bool has_ready_sends() const { return has_ready_sends_; }
    /// Whether it has neither selectors nor modes nor barriers nor probes nor collectives, and shares nothing: what
    /// MCAPI has. And no conditional divisors: all divisors of a command that is executed count.
    bool is_plain() const { return has_plain_messages_ && !shares_ && !has_conditional_divisors_; }
    /// Whether it has neither selectors nor modes nor barriers nor probes nor collectives; nor shared variables and
    /// endpoints that several threads use.
    bool has_plain_messages() const { return has_plain_messages_; }
    /// The tag of a send's message.
    Tag tag_of(Action a_s) const;
    /// Whether a receive admits a send to its endpoint.
    bool admits(Action a_r, Action a_s) const;
    /// What `(source y)` and `(tagged z)` assign: the number of a send's source endpoint, and of its tag.
    Value source_of(Action a_s) const;
    Value tag_number(Action a_s) const;

    /// The occurrences of a barrier that meet with the one at rho, itself among them, in the order of the program.
    /// Empty if there is no barrier at rho.
    std::span<Location const> meeting_at(Location rho) const;

    /// Entry i of trace t of the program.
    Entry entry(std::size_t t, std::size_t i) const;

private:
    using Kind = ChannelInfo::Kind;
    Channel channel(Endpoint beta, Endpoint alpha, Kind kind, Tag n);
    std::optional<Channel> find(Endpoint beta, Endpoint alpha, Kind kind, Tag n) const;
    Channel channel_of_movement(Movement const& m);
    void selects_at(Endpoint beta, Selectors const* sel);
    void find_probes();
    void find_meetings();

    Program const* program_;
    bool selects_ = false;
    bool synchronizes_ = false;
    bool shares_ = false;
    bool has_ready_sends_ = false;
    bool has_probes_ = false;
    bool has_plain_messages_ = true;
    bool has_conditional_divisors_ = false;
    std::shared_ptr<Collectives const> collectives_;
    Tag tag_0_; // none if no command names the tag 0
    std::vector<std::uint32_t>
        meeting_of_; // command -> its place in meetings_, if it is a barrier; empty without barriers
    std::vector<std::vector<Location>> meetings_;
    std::vector<std::uint32_t> thread_of_;
    std::vector<Channel> channel_of_;
    std::vector<ChannelInfo> channels_;
    std::vector<std::uint32_t> lanes_of_; // channel -> its place in lanes_
    std::vector<std::vector<Channel>> lanes_;
    std::vector<QueueRange> room_of_; // by pair
    std::vector<EndpointInfo> endpoints_;
    std::vector<std::vector<Channel>> movements_; // trace -> its movements
    std::vector<std::vector<Channel>> peeks_;     // trace -> its peeks
    std::vector<Rcvi> probed_;                    // action -> what as_rcvi() says of a probe; empty without probes
    std::vector<Location> start_of_;              // action -> its start; empty without probes
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> pair_numbers_; // (beta, alpha) -> its place in lanes_
    boost::unordered_flat_map<std::uint64_t, std::uint32_t>
        channel_numbers_; // that place, and kind or tag -> a channel
};

/// The expression of a command, of a guarded assignment the guard; null if it has none.
Expression const* expression_of(Command const& c);

/// Calls `f` with each expression of a command: of a guarded assignment the guard, and then the right-hand sides.
template <typename F>
void for_each_expression(Ctp const& ctp, Command const& c, F f) {
    if (Expression const* const e = expression_of(c)) f(*e);
    if (Guarded const* const guarded = as_guarded(c))
        for (auto const& [x, e] : ctp.assigned(*guarded)) f(e);
}

/// Whether a node is a division by anything but a number other than zero.
bool divisor_may_be_zero(Ctp const& ctp, std::uint32_t node);
/// Whether some node is. This is the only way that a command of a program under D1 to D6 has no value.
bool may_divide_by_zero(Ctp const& ctp, Expression e);
/// Whether such a division is in a branch of `ite`, so that it is not evaluated whenever the command is, and its
/// divisor is not guarded (Ctp::has_guarded_divisors).
bool has_conditional_divisor(Ctp const& ctp, Expression e);
/// Whether some divisor is anything but a number other than zero. Under D1 to D6 there is no fault otherwise.
bool may_divide_by_zero(Ctp const& ctp);
/// Whether the command at rho is a ready send.
inline bool is_ready_send(IndexedProgram const& code, Location rho) {
    if (!code.has_ready_sends()) return false;
    Sndi const* const send = as_sndi(code.command_at(rho));
    return send != nullptr && send->mode == Mode::ready;
}

} // namespace matchpoint::machine
