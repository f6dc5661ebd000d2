// Helpers for the generators of families.
#pragma once

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "machine/state.hpp"
#include "programs/families.hpp"
#include "rooms.hpp"

namespace matchpoint::programs::families {

using draft::assert_;
using draft::assign;
using draft::assume;
using draft::guarded;
using draft::number;
using draft::operation;
using draft::truth;
using draft::variable;
using draft::when;

/// A program under construction. Thread t sends from endpoint t and receives there unless the call names another
/// endpoint. Actions are named by thread and number: S1.0, S1.1, R1.0.
class Threads {
public:
    explicit Threads(std::size_t count) : threads_(count), sends_(count), receives_(count), open_(count) {}

    void add(std::size_t thread, draft::Command command) { threads_[thread].push_back(std::move(command)); }

    /// A send with a tag, and its wait.
    void send(std::size_t thread, std::size_t beta, draft::Expression e, std::size_t n) {
        std::string const a = fmt::format("S{}.{}", thread, sends_[thread]++);
        add(thread, draft::sndi(Mode::standard, a, endpoint(thread), endpoint(beta), std::move(e),
                                draft::Tag(std::to_string(n))));
        add(thread, draft::wait(a));
    }
    /// A send and its wait.
    void send(std::size_t thread, std::size_t beta, draft::Expression e) {
        std::string const a = sndi(thread, beta, std::move(e));
        add(thread, draft::wait(a));
    }
    /// A send without its wait. Returns the action.
    std::string sndi(std::size_t thread, std::size_t beta, draft::Expression e) {
        return sndi(thread, thread, beta, std::move(e));
    }
    std::string sndi(std::size_t thread, std::size_t alpha, std::size_t beta, draft::Expression e) {
        std::string a = fmt::format("S{}.{}", thread, sends_[thread]++);
        add(thread, draft::sndi(a, endpoint(alpha), endpoint(beta), std::move(e)));
        return a;
    }
    /// A send whose wait wait_for_sends() adds.
    void post(std::size_t thread, std::size_t beta, draft::Expression e) { post(thread, thread, beta, std::move(e)); }
    void post(std::size_t thread, std::size_t alpha, std::size_t beta, draft::Expression e) {
        open_[thread].push_back(sndi(thread, alpha, beta, std::move(e)));
    }
    void wait_for_sends() {
        for (std::size_t t = 0; t < threads_.size(); ++t)
            for (std::string& a : open_[t]) add(t, draft::wait(std::move(a)));
        open_.clear();
    }

    /// A receive and its wait.
    void receive(std::size_t thread, std::size_t beta, std::string x, draft::Selectors sel = {}) {
        std::string const a = rcvi(thread, beta, std::move(x), std::move(sel));
        add(thread, draft::wait(a));
    }
    void receive(std::size_t thread, std::string x) { receive(thread, thread, std::move(x)); }
    /// A receive without its wait. Returns the action.
    std::string rcvi(std::size_t thread, std::size_t beta, std::string x, draft::Selectors sel = {}) {
        std::string a = fmt::format("R{}.{}", thread, receives_[thread]++);
        add(thread, draft::rcvi(a, endpoint(beta), std::move(x), std::move(sel)));
        return a;
    }

    draft::Draft take() { return {.threads = std::move(threads_)}; }
    draft::Draft copy() const { return {.threads = threads_}; }

private:
    static std::uint32_t endpoint(std::size_t number) { return static_cast<std::uint32_t>(number); }

    std::vector<draft::Thread> threads_;
    std::vector<std::size_t> sends_;
    std::vector<std::size_t> receives_;
    std::vector<std::vector<std::string>> open_;
};

/// (op (op a b) (op c d)): its depth is logarithmic in the number of terms. There is at least one term. Linear.
draft::Expression balanced(Op op, std::vector<draft::Expression> terms);
/// The conjunction; true if there are no terms.
draft::Expression conjunction(std::vector<draft::Expression> terms);
/// Some term does not hold.
draft::Expression not_all(std::vector<draft::Expression> terms);
draft::Expression sum(std::vector<draft::Expression> terms);

/// The same numbers for the same seed, whatever the standard library.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
    /// 0 to n - 1 in some order.
    std::vector<std::size_t> permutation(std::size_t n);
    std::mt19937_64& engine() { return engine_; }

private:
    std::mt19937_64 engine_;
};

/// Receive -> the send that it gets in a random execution. Both are numbered in program order.
std::vector<std::size_t> random_matches(draft::Draft const& draft, Random& random);

/// Adds one trace, of an execution as a recorder would see it. Returns its status. std::logic_error if it does not
/// complete.
Status add_recorded_trace(draft::Draft& draft);

using Make = Expected<Made, std::string>;
inline constexpr Promise violated{Promise::Verdict::violated};
inline constexpr Promise safe{Promise::Verdict::safe};
inline constexpr Promise vacuous{Promise::Verdict::vacuous};
/// A program with the same promise for both bufferings.
Made made(Threads& threads, Promise promise, std::string what);

// The families of the paper.
Make scaling(Arguments const& arguments);
Make leader_election(Arguments const& arguments);
Make router(Arguments const& arguments);
Make multi_m(Arguments const& arguments);
Make pktuse(Arguments const& arguments);
Make vamp(Arguments const& arguments);
// Families with one difficulty.
Make permutation_sum(Arguments const& arguments);
Make hall(Arguments const& arguments);
Make ring_dependencies(Arguments const& arguments);
Make dense_cycles(Arguments const& arguments);
Make ping_pong(Arguments const& arguments);
// Families with selectors.
Make master_workers(Arguments const& arguments);
Make halo(Arguments const& arguments);
Make monte_carlo(Arguments const& arguments);
// Families with shared variables.
Make banking(Arguments const& arguments);
Make counter(Arguments const& arguments);
Make philosophers(Arguments const& arguments);
Make lock_order(Arguments const& arguments);
Make ticket_lock(Arguments const& arguments);
Make interest(Arguments const& arguments);
Make bounded_buffer(Arguments const& arguments);
Make recorded_buffer(Arguments const& arguments);
Make indexer(Arguments const& arguments);
Make hybrid_ring(Arguments const& arguments);
// Random programs.
Make random_family(Arguments const& arguments);
std::vector<Knob> random_knobs();

} // namespace matchpoint::programs::families
