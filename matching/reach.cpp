#include "matching/reach.hpp"

#include "grammar/overloaded.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::matching {

namespace {

class Counting {
public:
    explicit Counting(MessageIndex const& messages)
        : m_(messages), code_(messages.code()), sent_(code_.endpoints().size()), waiting_(code_.endpoints().size()) {
        for (Thread const& t : code_.ctp().threads) {
            runnable_.push_back(static_cast<std::uint32_t>(next_.size()));
            next_.push_back(t.first);
        }
    }

    std::vector<std::uint32_t> run() {
        while (!runnable_.empty()) {
            std::uint32_t const thread = runnable_.back();
            runnable_.pop_back();
            std::uint32_t& next = next_[thread];
            while (next < code_.ctp().threads[thread].last && passes(thread, code_.command_at({next}))) ++next;
        }
        return std::move(next_);
    }

private:
    bool passes(std::uint32_t thread, Command const& command) {
        return std::visit(overloaded{
                              [](Assume const&) { return true; },
                              [](Assert const&) { return true; },
                              [](Assign const&) { return true; },
                              [&](Sndi const& c) {
                                  ++sent_[c.beta.index];
                                  auto& waiting = waiting_[c.beta.index];
                                  runnable_.insert(runnable_.end(), waiting.begin(), waiting.end());
                                  waiting.clear();
                                  return true;
                              },
                              [](Rcvi const&) { return true; },
                              [&](Wait const& c) { return passes_wait(thread, c); },
                          },
                          command);
    }

    bool passes_wait(std::uint32_t thread, Wait const& c) {
        if (code_.as_rcvi(c.a) == nullptr) return true;
        auto const& receive = m_.receive(c.a);
        if (sent_[receive.beta.index] > receive.ordinal) return true;
        waiting_[receive.beta.index].push_back(thread);
        return false;
    }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    std::vector<std::uint32_t> next_;                 // by thread
    std::vector<std::uint32_t> sent_;                 // by endpoint
    std::vector<std::vector<std::uint32_t>> waiting_; // endpoint -> threads that wait for more messages there
    std::vector<std::uint32_t> runnable_;
};

} // namespace

std::vector<std::uint32_t> reach(MessageIndex const& messages) { return Counting(messages).run(); }

bool all_finish(MessageIndex const& messages, std::vector<std::uint32_t> const& reach) {
    auto const& threads = messages.code().ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t)
        if (reach[t] != threads[t].last) return false;
    return true;
}

bool all_can_complete(MessageIndex const& messages, Buffering buffering) {
    Ctp const& ctp = messages.code().ctp();
    return buffering == Buffering::infinite && !has_assumptions(ctp) && !may_divide_by_zero(ctp) &&
           all_finish(messages, reach(messages));
}

} // namespace matchpoint::matching
