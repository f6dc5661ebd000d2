// The messages of a program, as far as they are known without running it (Definitions 4 to 7; rules D1 to D6).
//
//   MessageIndex const messages(code);
//   for (MessageIndex::Receive const& r : messages.receives())
//       for (Channel const c : messages.channels_to(r.beta)) ...
//
// An endpoint belongs to one thread (D1), so the ordinal of each receive is known, and so is its nearest-enclosing
// wait, which completes it. Only the match set is open: which send each receive gets. In a plain program the n-th
// receive issued at an endpoint gets the n-th message delivered there (machine/state.hpp).
//
// In a program with shared variables several threads may use an endpoint. Ordinals are those of the text then, and not
// of a run; and the wait of another thread may complete a receive before its own does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "machine/indexed_program.hpp"

namespace matchpoint::matching {

class MessageIndex {
public:
    /// Definition 7, without the members that a run decides. An mprobe counts as a receive.
    struct Receive {
        Action a;
        Location rho;
        Endpoint beta;
        std::uint32_t ordinal; // among the receives at beta, from 0
        Location nw;           // Definition 6, per endpoint (errata E24); of an mprobe, its own wait
    };
    /// Definition 5, without the members that a run decides.
    struct Send {
        Action a;
        Location rho;
        Channel channel;
        std::uint32_t place; // among the sends of its channel, from 0
        Location wait;       // none if there is no wait for it
    };

    /// The program has to keep rules D1 to D6; std::logic_error if a receive has no nearest-enclosing wait, or an
    /// endpoint belongs to two threads. Linear in the size of the program, but for receives with selectors: at worst,
    /// times the different selectors at their endpoint. The code has to outlive it.
    explicit MessageIndex(IndexedProgram const& code);

    IndexedProgram const& code() const { return *code_; }
    /// Whether the order of commands of different threads can matter: they share something, or it is not certain that
    /// each ready send finds a posted receive (ready_sends.hpp).
    bool order_matters() const { return code_->shares() || may_lack_receives_; }
    /// Whether a command may be one to which no rule applies, whatever the others do: a divisor may be zero, a ready
    /// send may find no receive, or collectives may disagree.
    bool may_fault() const {
        return may_lack_receives_ || may_divide_by_zero(code_->ctp()) || code_->has_contested_calls();
    }
    bool may_lack_receives() const { return may_lack_receives_; }

    /// All receives and sends, in the order of the program.
    std::span<Receive const> receives() const { return receives_; }
    std::span<Send const> sends() const { return sends_; }
    /// An action's index in receives() or sends(). It has to be a receive or a send, respectively.
    std::uint32_t receive_number(Action a_r) const { return number_[a_r.index]; }
    std::uint32_t send_number(Action a_s) const { return number_[a_s.index]; }
    Receive const& receive(Action a_r) const { return receives_[number_[a_r.index]]; }
    Send const& send(Action a_s) const { return sends_[number_[a_s.index]]; }

    /// The receives at an endpoint, as numbers, in the order of their ordinals.
    std::span<std::uint32_t const> receives_at(Endpoint beta) const { return slice(receives_at_, beta.index); }
    /// The sends of a channel, as numbers, in the order of their places.
    std::span<std::uint32_t const> sends_of(Channel c) const { return slice(sends_of_, c.index); }
    /// The channels to beta that some send uses.
    std::span<Channel const> channels_to(Endpoint beta) const {
        return std::span(channels_to_)
            .subspan(first_channel_[beta.index], first_channel_[beta.index + 1] - first_channel_[beta.index]);
    }
    /// In a plain program: the send that a receive gets wherever it gets one, as its endpoint has one channel. None if
    /// there are several channels or too few sends.
    std::optional<std::uint32_t> only_send(std::uint32_t receive) const {
        auto const& r = receives_[receive];
        if (channels_to(r.beta).size() != 1 || r.ordinal >= sends_to(r.beta)) return std::nullopt;
        return sends_of(channels_to(r.beta)[0])[r.ordinal];
    }
    std::uint32_t sends_to(Endpoint beta) const { return sends_to_[beta.index]; }
    Endpoint beta_of(Send const& s) const { return (*code_)[s.channel].beta; }

    /// The thread that receives at or sends from an endpoint (D1), one of them if there are several; thread_none if no
    /// thread does.
    static constexpr std::uint32_t thread_none = 0xFFFF'FFFF;
    std::uint32_t owner(Endpoint e) const { return owner_[e.index]; }

private:
    struct Slices {
        std::vector<std::uint32_t> first; // one more than there are slices
        std::vector<std::uint32_t> items;
    };
    static std::span<std::uint32_t const> slice(Slices const& s, std::uint32_t i) {
        return std::span(s.items).subspan(s.first[i], s.first[i + 1] - s.first[i]);
    }
    void nearest_enclosing_waits();

    IndexedProgram const* code_;
    bool may_lack_receives_ = false;
    std::vector<Receive> receives_;
    std::vector<Send> sends_;
    std::vector<std::uint32_t> number_; // action -> its index in receives_ or sends_
    Slices receives_at_;
    Slices sends_of_;
    std::vector<std::uint32_t> first_channel_;
    std::vector<Channel> channels_to_;
    std::vector<std::uint32_t> sends_to_;
    std::vector<std::uint32_t> owner_;
};

} // namespace matchpoint::matching
