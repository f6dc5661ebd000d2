#include "rma/search/placements.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "base/limits.hpp"
#include "rma/programs/edit.hpp"
#include "rma/search/reduced.hpp"

namespace matchpoint::rma {

namespace {

using namespace std::chrono_literals;

/// Threads that decide placements ahead of the one that uses what they find.
class Ahead {
public:
    using Decide = std::function<Decision(Placement const&)>;

    Ahead(std::vector<Placement> const& placements, DecidedInOrder::Skip const& skip, Decide const& decide)
        : placements_(placements), skip_(skip), decide_(decide), found_(placements.size()) {}
    Ahead(Ahead const&) = delete;
    Ahead& operator=(Ahead const&) = delete;
    ~Ahead() {
        {
            std::lock_guard const lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        for (std::thread& t : threads_) t.join();
    }

    void start(unsigned jobs) {
        window_ = std::size_t{2} * jobs;
        try {
            for (unsigned j = 0; j < jobs; ++j) threads_.emplace_back([this] { work(); });
        } catch (std::system_error const&) { // the stack of a thread counts as memory, which may be limited
            if (threads_.empty()) throw;
        }
    }

    void use_all(DecidedInOrder::Use const& use) {
        std::unique_lock lock(mutex_);
        for (turn_ = 0; turn_ < placements_.size(); ++turn_) {
            changed_.notify_all();
            if (skip_(placements_[turn_])) continue;
            while (!found_[turn_].is_there) {
                changed_.wait_for(lock, 20ms);
                look_at_time();
            }
            Found& found = found_[turn_];
            if (found.failure) std::rethrow_exception(found.failure);
            use(placements_[turn_], std::move(found.decision));
        }
    }

private:
    struct Found {
        bool is_there = false;
        Decision decision = {};
        std::exception_ptr failure = {};
    };

    /// When this thread's time is up, so is that of the others; what they have then is undecided.
    void look_at_time() {
        try {
            look_at_watch();
        } catch (OutOfTime const&) {
            is_late_ = true;
        }
    }

    void work() {
        Watch const watch([this] { return stop_ || is_late_; });
        std::unique_lock lock(mutex_);
        while (!stop_ && next_ < placements_.size()) {
            next_ = std::max(next_, turn_);
            if (next_ >= turn_ + window_) {
                changed_.wait(lock);
                continue;
            }
            std::size_t const mine = next_++;
            if (mine >= placements_.size() || (mine != turn_ && skip_(placements_[mine]))) continue;
            lock.unlock();
            Found found = decided(placements_[mine]);
            lock.lock();
            found_[mine] = std::move(found);
            changed_.notify_all();
        }
    }

    Found decided(Placement const& placement) const {
        Found found{true};
        try {
            found.decision = decide_(placement);
        } catch (...) {
            found.failure = std::current_exception();
        }
        return found;
    }

    std::vector<Placement> const& placements_;
    DecidedInOrder::Skip const& skip_;
    Decide decide_;
    std::vector<Found> found_;
    std::size_t turn_ = 0; // of the one that is used next
    std::size_t next_ = 0; // to be decided
    std::size_t window_ = 1;
    std::atomic<bool> stop_ = false;
    std::atomic<bool> is_late_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::thread> threads_;
};

Decision decided_in_time(Program const& whole, Placement const& placement, FlushOptions const& options) {
    look_at_watch();
    Program const program =
        with_flushes(whole, [&](std::size_t f) { return std::binary_search(placement.begin(), placement.end(), f); });
    if (options.decide) return options.decide(program);
    Graph const graph(program);
    Machine const machine(graph);
    Decision decision;
    auto const searched = [&](System& system, std::uint32_t max_states = SearchOptions().max_states) {
        SearchResult found =
            search(system, {.stop_at_violation = true, .max_bytes = options.max_bytes, .max_states = max_states});
        decision.states += found.states;
        return found;
    };
    for (std::uint32_t K = 1; K <= options.pending; ++K) {
        MachineSystem system(machine, {.fused = true, .pending = K, .values = options.values});
        SearchResult const found = searched(system);
        if (found.violation) {
            decision.verdict = Verdict::violated;
            decision.fails = !found.violation->property;
            decision.run = system.way(found.violation->path, decision.fails);
            return decision;
        }
        decision.is_late = found.stop == SearchResult::Stop::time;
        decision.reason = why_not_decided(found, {.engine = Engine::both,
                                                  .pending = options.pending,
                                                  .values = options.values,
                                                  .max_bytes = options.max_bytes,
                                                  .memory = options.memory});
        if (found.complete()) {
            decision.verdict = Verdict::safe;
            decision.reason.clear();
        }
        if (found.complete() || found.stop != SearchResult::Stop::none || found.cuts.values) return decision;
        if (K > 1) continue;
        bool const is_bounded = graph.has_atomics() && !options.values;
        ReducedSystem reduced(graph, {}, is_bounded ? values_with_atomics : options.values);
        SearchResult const upper =
            graph.has_atomics() ? searched(reduced, most_states_with_atomics) : searched(reduced);
        if (!upper.violation && upper.complete()) decision.verdict = Verdict::safe;
        if (decision.verdict != Verdict::safe) continue;
        decision.reason.clear();
        return decision;
    }
    return decision;
}

} // namespace

Decision decide(Program const& whole, Placement const& placement, FlushOptions const& options) {
    try {
        return decided_in_time(whole, placement, options);
    } catch (OutOfTime const& e) {
        return {.is_late = true, .reason = e.what()};
    }
}

Decision DecidedInOrder::decision(Placement const& placement) const {
    if (options_.known)
        if (auto known = options_.known(placement)) return std::move(*known);
    return decide(program_, placement, options_);
}

void DecidedInOrder::for_each(std::vector<Placement> const& placements, Skip const& skip, Use const& use) const {
    unsigned const jobs = static_cast<unsigned>(std::min<std::size_t>(options_.jobs, placements.size()));
    if (jobs > 1) {
        Ahead ahead(placements, skip, [this](Placement const& p) { return decision(p); });
        ahead.start(jobs);
        ahead.use_all(use);
        return;
    }
    for (Placement const& placement : placements)
        if (!skip(placement)) use(placement, decision(placement));
}

} // namespace matchpoint::rma
