#include "matching/ready_sends.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "machine/collective_needs.hpp"

namespace matchpoint::matching {

namespace {

/// For each thread, a location up to which its commands come before something.
using Clock = std::vector<std::uint32_t>;

class ReadySends {
public:
    explicit ReadySends(MessageIndex const& messages)
        : messages_(messages), code_(messages.code()), threads_(static_cast<std::uint32_t>(code_.ctp().threads.size())),
          sent_for_(code_.ctp().commands.size()), before_(code_.ctp().commands.size()) {
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c) pair_only_partners({c});
        for (Thread const& t : code_.ctp().threads) next_.push_back(t.first);
        now_.assign(threads_, next_);
        while (advance_all(false) || advance_all(true)) {
        }
    }

    bool all_find_receives() const {
        return std::all_of(messages_.sends().begin(), messages_.sends().end(), [&](MessageIndex::Send const& send) {
            return code_.as_sndi(send.a)->mode != Mode::ready || finds_receive(send);
        });
    }

private:
    bool admits(std::uint32_t r, MessageIndex::Send const& send) const {
        return code_.admits(messages_.receives()[r].a, send.a);
    }

    /// Whether a receive admits no messages but those of a channel.
    bool is_only_for(std::uint32_t r, Channel channel) const {
        for (Channel const c : messages_.channels_to(code_[channel].beta)) {
            spend(1);
            if (c != channel && admits(r, messages_.sends()[messages_.sends_of(c).front()])) return false;
        }
        return true;
    }

    /// If all receives that admit the messages of a channel admit no others, the n-th of them gets the n-th message.
    void pair_only_partners(Channel channel) {
        auto const sends = messages_.sends_of(channel);
        if (sends.empty()) return;
        std::vector<std::uint32_t> receives;
        for (std::uint32_t const r : messages_.receives_at(code_[channel].beta)) {
            spend(1);
            if (!admits(r, messages_.sends()[sends.front()])) continue;
            if (!is_only_for(r, channel)) return;
            receives.push_back(r);
        }
        for (std::size_t n = 0; n < std::min(sends.size(), receives.size()); ++n)
            if (Location const nw = messages_.receives()[receives[n]].nw; !nw.is_none()) // an mprobe may have no wait
                sent_for_[nw.index].push_back(messages_.sends()[sends[n]].rho);
    }

    /// Goes on in each thread. A command whose predecessors have no clock yet is passed over at first; `anyway`: it
    /// is taken without them. False if all threads have finished.
    bool advance_all(bool anyway) {
        bool moved = false;
        for (std::uint32_t t = 0; t < threads_ && !(anyway && moved); ++t)
            while (next_[t] < code_.ctp().threads[t].last && (anyway || has_predecessors({next_[t]}))) {
                advance(t);
                moved = true;
                if (anyway) break;
            }
        return moved;
    }

    bool is_known(Location rho) const { return next_[code_.thread_of(rho)] > rho.index; }
    /// An occurrence of a barrier has its clock as soon as it is its thread's next command.
    bool is_reached(Location rho) const { return next_[code_.thread_of(rho)] >= rho.index; }

    bool has_predecessors(Location rho) const {
        auto const& sends = sent_for_[rho.index];
        auto const met = met_at(rho);
        return std::all_of(sends.begin(), sends.end(), [&](Location s) { return is_known(s); }) &&
               std::all_of(met.begin(), met.end(), [&](Location other) { return is_reached(other); });
    }

    /// The occurrences of a barrier that have to be reached before this one is passed, or the collectives that have to
    /// be called before a thread is done with this one.
    std::vector<Location> met_at(Location rho) const {
        auto const meeting = code_.meeting_at(rho);
        std::vector<Location> met(meeting.begin(), meeting.end());
        Location const call = code_.call_of(rho);
        if (call.is_none() || code_.collectives()->end_of(call) != rho) return met;
        bool const waits = rho != call || code_.ctp().call(std::get<Collective>(code_.command_at(call))).blocks;
        if (!waits) return met; // nobody waits for it
        for (Collectives::Member const& m : code_.collectives()->members(call)) {
            spend(1);
            if (!m.rho.is_none() && needs(code_, call, m, Buffering::infinite)) met.push_back(m.rho);
        }
        return met;
    }

    void advance(std::uint32_t thread) {
        Location const rho{next_[thread]};
        spend(threads_);
        before_[rho.index] = now_[thread];
        for (Location const s : sent_for_[rho.index])
            if (is_known(s)) join(now_[thread], before_[s.index], code_.thread_of(s), s.index + 1);
        for (Location const other : met_at(rho)) {
            std::uint32_t const u = code_.thread_of(other);
            if (u != thread && is_reached(other))
                join(now_[thread], is_known(other) ? before_[other.index] : now_[u], u, other.index);
        }
        now_[thread][thread] = ++next_[thread];
    }

    /// Adds what another clock has, and a thread up to `end`.
    void join(Clock& clock, Clock const& other, std::uint32_t thread, std::uint32_t end) const {
        for (std::uint32_t u = 0; u < threads_; ++u) clock[u] = std::max(clock[u], other[u]);
        clock[thread] = std::max(clock[thread], end);
    }

    bool finds_receive(MessageIndex::Send const& send) const {
        Endpoint const beta = messages_.beta_of(send);
        std::uint32_t const owner = messages_.owner(beta);
        if (owner == MessageIndex::thread_none) return false;
        std::vector<std::uint32_t> receives; // R
        for (std::uint32_t const r : messages_.receives_at(beta)) {
            spend(1);
            if (messages_.receives()[r].rho.index < before_[send.rho.index][owner] && admits(r, send))
                receives.push_back(r);
        }
        std::size_t others = 0; // |M|
        for (Channel const c : messages_.channels_to(beta)) {
            auto const sends = messages_.sends_of(c);
            spend(1 + receives.size());
            MessageIndex::Send const& first = messages_.sends()[sends.front()];
            if (std::none_of(receives.begin(), receives.end(), [&](std::uint32_t r) { return admits(r, first); }))
                continue;
            others += static_cast<std::size_t>(std::count_if(sends.begin(), sends.end(), [&](std::uint32_t s) {
                MessageIndex::Send const& other = messages_.sends()[s];
                bool const is_later =
                    code_.thread_of(other.rho) == code_.thread_of(send.rho) && other.rho.index >= send.rho.index;
                return !is_later;
            }));
        }
        return receives.size() > others;
    }

    MessageIndex const& messages_;
    IndexedProgram const& code_;
    std::uint32_t threads_;
    std::vector<std::vector<Location>> sent_for_; // wait -> the sends whose messages it certainly needs
    std::vector<Clock> before_;                   // command -> what comes before it, once it is known
    std::vector<std::uint32_t> next_;             // thread -> its next command
    std::vector<Clock> now_;                      // thread -> what comes before its next command
};

} // namespace

bool all_find_receives(MessageIndex const& messages) { return ReadySends(messages).all_find_receives(); }

} // namespace matchpoint::matching
