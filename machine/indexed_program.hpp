// A program indexed for the machine: its channels have numbers, and its queues have room.
//
// Every command runs at most once, so over a whole run a queue gets at most as many entries as the program has commands
// that add one. All queues of one kind share an array, and each has its own range of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "grammar/ast.hpp"

namespace matchpoint::machine {

/// A pair (beta, alpha) that some sndi or some movement of a trace names.
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
};

class IndexedProgram {
public:
    struct ChannelInfo {
        Endpoint beta;
        Endpoint alpha;
        QueueRange Pnd_s; // room for every send of the program from alpha to beta
    };
    struct EndpointInfo {
        QueueRange Pnd_r; // room for every receive at it
        QueueRange Q_s;   // room for every send to it
        /// Whether some receive at it does not admit every message (partners.hpp).
        bool selects = false;
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

    /// The command that issues an action: one of the two is null.
    Sndi const* as_sndi(Action a) const { return grammar::as_sndi(command_at(issued_at(a))); }
    Rcvi const* as_rcvi(Action a) const { return grammar::as_rcvi(command_at(issued_at(a))); }
    Location issued_at(Action a) const { return {program_->ctp.issued_by[a.index]}; }
    /// The channel of a send.
    Channel channel_of(Action a_s) const { return channel_of_[a_s.index]; }

    std::span<ChannelInfo const> channels() const { return channels_; }
    ChannelInfo const& operator[](Channel c) const { return channels_[c.index]; }
    std::optional<Channel> find_channel(Endpoint beta, Endpoint alpha) const;

    std::span<EndpointInfo const> endpoints() const { return endpoints_; }
    EndpointInfo const& operator[](Endpoint beta) const { return endpoints_[beta.index]; }

    /// Whether some endpoint selects, and whether some send is synchronous.
    bool selects() const { return selects_; }
    bool synchronizes() const { return synchronizes_; }
    /// Whether it has shared variables or guarded assignments: commands of different threads may depend on each other.
    bool shares() const { return shares_; }
    /// Whether it has neither selectors nor modes nor barriers, and shares nothing: what MCAPI has. And no conditional
    /// divisors: all divisors of a command that is executed count.
    bool is_plain() const { return has_plain_messages_ && !shares_ && !has_conditional_divisors_; }
    /// Whether it has neither selectors nor modes nor barriers.
    bool has_plain_messages() const { return has_plain_messages_; }
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
    Channel channel(Endpoint beta, Endpoint alpha);
    void find_meetings();

    Program const* program_;
    bool selects_ = false;
    bool synchronizes_ = false;
    bool shares_ = false;
    bool has_plain_messages_ = true;
    bool has_conditional_divisors_ = false;
    Tag tag_0_; // none if no command names the tag 0
    std::vector<std::uint32_t>
        meeting_of_; // command -> its place in meetings_, if it is a barrier; empty without barriers
    std::vector<std::vector<Location>> meetings_;
    std::vector<std::uint32_t> thread_of_;
    std::vector<Channel> channel_of_;
    std::vector<ChannelInfo> channels_;
    std::vector<EndpointInfo> endpoints_;
    std::vector<std::vector<Channel>> movements_; // trace -> its movements
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> channel_numbers_;
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

} // namespace matchpoint::machine
