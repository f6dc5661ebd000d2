#include "matching/reach.hpp"

#include <queue>

#include "base/overloaded.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::matching {

namespace {

class Counting {
public:
    Counting(MessageIndex const& messages, Buffering buffering)
        : m_(messages), code_(messages.code()), zero_(buffering == Buffering::zero), sent_(code_.endpoints().size()),
          posted_(code_.endpoints().size()), receiving_(code_.endpoints().size()), sending_(code_.endpoints().size()) {
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
        } while (zero_ && start_ahead());
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

    void run_thread(std::uint32_t thread) {
        std::uint32_t& next = next_[thread];
        while (next < code_.ctp().threads[thread].last && passes(thread, code_.command_at({next}))) ++next;
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
        return std::visit(overloaded{
                              [](Assume const&) { return true; },
                              [](Assert const&) { return true; },
                              [](Assign const&) { return true; },
                              [&](Sndi const& c) {
                                  wake(receiving_[c.beta.index], sent_[c.beta.index]++);
                                  return true;
                              },
                              [&](Rcvi const& c) {
                                  post(c);
                                  return true;
                              },
                              [](Meet const&) { return true; },
                              [](Guarded const&) { return true; },
                              [&](Wait const& c) { return passes_wait(thread, c); },
                          },
                          command);
    }

    bool passes_wait(std::uint32_t thread, Wait const& c) {
        if (code_.as_rcvi(c.a) != nullptr) {
            auto const& receive = m_.receive(c.a);
            return passes(thread, receiving_[receive.beta.index], sent_[receive.beta.index], receive.ordinal);
        }
        if (!zero_) return true;
        // There have to be more posted receives than messages that can be delivered before it.
        auto const& send = m_.send(c.a);
        Endpoint const beta = m_.beta_of(send);
        auto const from_it_on = static_cast<std::uint32_t>(m_.sends_of(send.channel).size()) - send.place;
        return passes(thread, sending_[beta.index], posted_[beta.index], m_.sends_to(beta) - from_it_on);
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
    std::vector<std::uint32_t> next_;   // by thread
    std::vector<std::uint32_t> sent_;   // by endpoint
    std::vector<std::uint32_t> posted_; // by endpoint; in a stuck state with a message to it in transit
    // By endpoint: the threads that wait for more messages there, and for more receives.
    std::vector<Queue> receiving_;
    std::vector<Queue> sending_;
    std::vector<std::uint32_t> runnable_; // threads, followed by numbers of ahead_
    std::vector<Ahead> ahead_;
    std::vector<bool> has_ahead_;          // endpoint
    std::size_t steps_ahead_ = 20'000'000; // a thread that owns many endpoints is run ahead for each; stopping is sound
};

} // namespace

std::vector<std::uint32_t> reach(MessageIndex const& messages, Buffering buffering) {
    return Counting(messages, buffering).run();
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
