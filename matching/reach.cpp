#include "matching/reach.hpp"

#include <functional>
#include <queue>
#include <span>

#include "base/overloaded.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::matching {

namespace {

constexpr std::uint32_t no_wait = 0xFFFF'FFFF;

/// What happens before each wait of a thread for a receive at one of its endpoints.
struct Held {
    Endpoint beta;
    /// Called with the wait, the ordinal of its receive, and how many messages each channel can have been sent by then.
    std::function<void(std::uint32_t wait, std::uint32_t n, std::span<std::uint32_t const> sent_in)> at;
};

class Counting {
public:
    Counting(MessageIndex const& messages, Buffering buffering, bool closely = false, Held const* held = nullptr,
             std::size_t* commands_left = nullptr)
        : m_(messages), code_(messages.code()), zero_(buffering == Buffering::zero), closely_(zero_ && closely),
          held_(held), commands_left_(commands_left), sent_(code_.endpoints().size()),
          posted_(code_.endpoints().size()), receiving_(code_.endpoints().size()), sending_(code_.endpoints().size()) {
        if (held_ != nullptr) sent_in_.resize(code_.channels().size());
        if (closely_) passing_.resize(code_.endpoints().size());
        if (closely_) received_by_.resize(code_.channels().size());
        for (Thread const& t : code_.ctp().threads) {
            runnable_.push_back(static_cast<std::uint32_t>(next_.size()));
            next_.push_back(t.first);
        }
    }

    std::vector<std::uint32_t> run() {
        do {
            while (!runnable_.empty()) {
                std::uint32_t const thread = runnable_.back();
                runnable_.pop_back();
                thread < next_.size() ? run_thread(thread) : run_ahead(ahead_[thread - next_.size()]);
            }
        } while (start_more());
        return std::move(next_);
    }

private:
    /// The owner of an endpoint in a state that is stuck while a message to the endpoint is in transit: it is not at a
    /// wait for a receive there.
    struct Ahead {
        Endpoint beta;
        std::uint32_t next;
        std::uint32_t last;
    };

    bool start_more() {
        if (held_ != nullptr) return let_go();
        return zero_ && (start_ahead() || (closely_ && look_closely()));
    }

    void run_thread(std::uint32_t thread) {
        std::uint32_t& next = next_[thread];
        while (next < code_.ctp().threads[thread].last && passes(thread, code_.command_at({next}))) ++next;
    }

    /// Lets the thread that is held go on, if enough messages can be there. False: they cannot, or it takes too long.
    bool let_go() {
        if (held_at_ == no_wait || *commands_left_ == 0) return false;
        std::uint32_t const n = m_.receive(as_wait(code_.command_at({held_at_}))->a).ordinal;
        if (sent_[held_->beta.index] <= n) return false;
        held_->at(held_at_, n, sent_in_);
        std::uint32_t const thread = m_.owner(held_->beta);
        next_[thread] = held_at_ + 1;
        held_at_ = no_wait;
        runnable_.push_back(thread);
        return true;
    }

    /// Finds out by which wait each message is received to an endpoint where threads are at waits for sends. False if
    /// nothing is new.
    bool look_closely() {
        is_close_.resize(code_.endpoints().size());
        for (std::uint32_t beta = 0; beta < sending_.size(); ++beta) {
            bool const is_of_use = !sending_[beta].empty() && !is_close_[beta] && m_.channels_to({beta}).size() > 1 &&
                                   m_.owner({beta}) != MessageIndex::thread_none && commands_left_here_ > 0;
            if (!is_of_use) continue;
            is_close_[beta] = true;
            find_received_by({beta});
            for (; !sending_[beta].empty(); sending_[beta].pop()) runnable_.push_back(sending_[beta].top().thread);
        }
        return !runnable_.empty();
    }

    void find_received_by(Endpoint beta) {
        auto const channels = m_.channels_to(beta);
        for (Channel const c : channels) received_by_[c.index].assign(m_.sends_of(c).size(), no_wait);
        std::vector<std::uint32_t> known(channels.size()); // of the sends of each channel, from the first on
        Held const held{beta, [&](std::uint32_t wait, std::uint32_t n, std::span<std::uint32_t const> sent_in) {
                            std::uint32_t all = 0;
                            spend(channels.size());
                            for (Channel const c : channels) all += sent_in[c.index];
                            // With so many of its channel before it, or fewer, there are not enough others.
                            for (std::size_t i = 0; i < channels.size(); ++i)
                                for (std::uint32_t const sent = sent_in[channels[i].index];
                                     known[i] < sent && all - sent + known[i] <= n; ++known[i])
                                    received_by_[channels[i].index][known[i]] = wait;
                        }};
        Counting(m_, Buffering::infinite, false, &held, &commands_left_here_).run();
    }

    /// Where threads are at waits for sends to endpoints. False if all of these were looked at before.
    bool start_ahead() {
        has_ahead_.resize(code_.endpoints().size());
        std::size_t const before = ahead_.size();
        for (std::uint32_t beta = 0; beta < sending_.size(); ++beta) {
            std::uint32_t const owner = m_.owner({beta});
            if (sending_[beta].empty() || has_ahead_[beta] || owner == MessageIndex::thread_none) continue;
            has_ahead_[beta] = true;
            runnable_.push_back(static_cast<std::uint32_t>(next_.size() + ahead_.size()));
            ahead_.push_back({{beta}, next_[owner], code_.ctp().threads[owner].last});
        }
        return ahead_.size() > before;
    }

    void run_ahead(Ahead& a) {
        auto const number = static_cast<std::uint32_t>(next_.size() + static_cast<std::size_t>(&a - ahead_.data()));
        while (a.next < a.last && steps_ahead_ > 0 && passes_ahead(a, number, code_.command_at({a.next}))) {
            --steps_ahead_;
            ++a.next;
        }
    }

    bool passes_ahead(Ahead const& a, std::uint32_t number, Command const& command) {
        if (auto const* const receive = as_rcvi(command)) {
            if (receive->beta == a.beta) post(*receive);
            return true;
        }
        auto const* const wait = as_wait(command);
        if (wait == nullptr) return true;
        auto const* const receive = code_.as_rcvi(wait->a);
        return (receive != nullptr && receive->beta == a.beta) || passes_wait(number, *wait);
    }

    /// As many receives are posted in every stuck state in which it matters.
    void post(Rcvi const& c) {
        std::uint32_t& posted = posted_[c.beta.index];
        while (posted <= m_.receive(c.a).ordinal) wake(sending_[c.beta.index], posted++);
    }

    bool passes(std::uint32_t thread, Command const& command) {
        if (held_ != nullptr && *commands_left_ == 0) return false;
        if (held_ != nullptr) --*commands_left_;
        return std::visit(overloaded{
                              [](Assume const&) { return true; },
                              [](Assert const&) { return true; },
                              [](Assign const&) { return true; },
                              [&](Sndi const& c) {
                                  if (held_ != nullptr) ++sent_in_[m_.send(c.a).channel.index];
                                  wake(receiving_[c.beta.index], sent_[c.beta.index]++);
                                  return true;
                              },
                              [&](Rcvi const& c) {
                                  post(c);
                                  return true;
                              },
                              [](Probe const&) { return true; },
                              [](Start const&) { return true; },
                              [](Meet const&) { return true; },
                              [](Collective const&) { return true; },
                              [](Guarded const&) { return true; },
                              [&](Wait const& c) { return passes_wait(thread, c); },
                          },
                          command);
    }

    bool passes_wait(std::uint32_t thread, Wait const& c) {
        if (code_.as_rcvi(c.a) != nullptr) return passes_wait(thread, m_.receive(c.a));
        if (!zero_) return true;
        auto const& send = m_.send(c.a);
        Endpoint const beta = m_.beta_of(send);
        if (closely_ && is_received_early(thread, send, beta)) return true;
        // There have to be more posted receives than messages that can be delivered before it.
        auto const from_it_on = static_cast<std::uint32_t>(m_.sends_of(send.channel).size()) - send.place;
        return passes(thread, sending_[beta.index], posted_[beta.index], m_.sends_to(beta) - from_it_on);
    }

    bool passes_wait(std::uint32_t thread, MessageIndex::Receive const& receive) {
        bool const is_of_thread = thread < next_.size(); // and not run ahead
        if (held_ != nullptr && receive.beta == held_->beta) {
            held_at_ = next_[thread];
            return false;
        }
        if (!passes(thread, receiving_[receive.beta.index], sent_[receive.beta.index], receive.ordinal)) return false;
        if (closely_ && is_of_thread) wake(passing_[receive.beta.index], next_[thread]);
        return true;
    }

    bool is_received_early(std::uint32_t thread, MessageIndex::Send const& send, Endpoint beta) {
        auto const& by = received_by_[send.channel.index];
        if (by.empty() || by[send.place] == no_wait) return false;
        std::uint32_t const passed = next_[m_.owner(beta)]; // every wait before it
        return passes(thread, passing_[beta.index], passed, by[send.place]);
    }

    /// A thread that waits until a count is more than this.
    struct Waiting {
        std::uint32_t most;
        std::uint32_t thread;
        bool operator>(Waiting const& other) const { return most > other.most; }
    };
    using Queue = std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>;

    static bool passes(std::uint32_t thread, Queue& waiting, std::uint32_t count, std::uint32_t most) {
        if (count > most) return true;
        waiting.push({most, thread});
        return false;
    }

    /// A count was this, and is one more now.
    void wake(Queue& waiting, std::uint32_t count) {
        for (; !waiting.empty() && waiting.top().most <= count; waiting.pop())
            runnable_.push_back(waiting.top().thread);
    }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    bool zero_;
    bool closely_;
    Held const* held_;
    std::size_t* commands_left_;         // with held_
    std::uint32_t held_at_ = no_wait;    // the wait at which its thread is
    std::vector<std::uint32_t> sent_in_; // with held_, by channel
    std::vector<std::uint32_t> next_;    // by thread
    std::vector<std::uint32_t> sent_;    // by endpoint
    std::vector<std::uint32_t> posted_;  // by endpoint; in a stuck state with a message to it in transit
    // By endpoint: the threads that wait for more messages there, and for more receives.
    std::vector<Queue> receiving_;
    std::vector<Queue> sending_;
    std::vector<std::uint32_t> runnable_; // threads, followed by numbers of ahead_
    std::vector<Ahead> ahead_;
    std::vector<bool> has_ahead_; // endpoint
    // Closely:
    std::vector<bool> is_close_;                          // endpoint: received_by_ is known
    std::vector<std::vector<std::uint32_t>> received_by_; // channel -> by place: the first wait by which it is received
    std::vector<Queue> passing_; // endpoint -> threads that wait until its thread passes a wait
    std::size_t commands_left_here_ = 20'000'000;
    std::size_t steps_ahead_ = 20'000'000; // a thread that owns many endpoints is run ahead for each; stopping is sound
};

} // namespace

std::vector<std::uint32_t> reach(MessageIndex const& messages, Buffering buffering, bool closely) {
    return Counting(messages, buffering, closely).run();
}

bool all_finish(MessageIndex const& messages, std::vector<std::uint32_t> const& reach) {
    auto const& threads = messages.code().ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t)
        if (reach[t] != threads[t].last) return false;
    return true;
}

bool all_can_complete(MessageIndex const& messages, Buffering buffering) {
    Ctp const& ctp = messages.code().ctp();
    return !has_assumptions(ctp) && !may_divide_by_zero(ctp) && all_finish(messages, reach(messages, buffering));
}

} // namespace matchpoint::matching
