// Whether a guess about a program under D1 to D6 can be true, and what stands against it if not: the other half of a
// loop that guesses with a solver and refines with what it is told (Section 5; encoding.md, "The CTP encoder").
//
// A guess is a set of matches (all receives', or some), an order of commands, or a trace. A set is feasible if some
// complete run has all of it. A refusal carries a core, a part of the guess that no complete run has, so that the next
// guess can avoid it.
//
//   sets of all receives   rules 1 to 4 of feasibility.hpp, linear; and the run itself, where something is divided
//   sets of some           the rules, then a search for a complete run, within a budget
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "executions/exact_pairs.hpp"
#include "executions/search.hpp"
#include "grammar/expected.hpp"

namespace matchpoint::check {

class Oracle {
public:
    /// By which means a core is to be made small, or is known to be minimal.
    enum class Means : std::uint8_t {
        none,   // not known to be minimal
        rules,  // no proper part of it breaks a rule
        search, // every proper part of it is feasible
    };

    /// Matches that a run has to have, and matches that it must not have.
    struct Wanted {
        std::vector<Pair> required;
        std::vector<Pair> forbidden;
        bool operator==(Wanted const&) const = default;
    };

    /// A command that no rule applies to, because it divides by zero.
    struct Fault {
        Location rho;
        std::vector<std::uint32_t> on; // the receives that its divisor comes from, directly or through messages
    };

    struct Refusal {
        enum class Why : std::uint8_t {
            rules,         // rules 1 to 4: `conflict`
            two_sends,     // two sends for one receive
            contradiction, // required and forbidden
            fault,         // every run with the core divides by zero: `fault`
            search,        // there is no such run
        };
        Why why;
        Wanted core; // no complete run is as it wants
        Means minimal = Means::none;
        std::optional<Conflict> conflict;
        std::optional<Fault> fault;
    };

    struct Unknown {
        bool cancelled; // else the steps were used up
    };

    /// A complete run that is as wanted, or why there is none.
    using Answer = std::variant<Run, Refusal, Unknown>;

    /// The messages have to outlive it, and so has the flag: searches end when it is set (by whatever thread).
    Oracle(MessageIndex const& messages, Buffering buffering, std::atomic<bool> const* cancelled = nullptr);
    ~Oracle();

    MessageIndex const& messages() const { return messages_; }
    Buffering buffering() const { return buffering_; }

    /// Machine steps and deliveries that the searches of one question may take, all in all.
    void limit_steps(std::uint64_t steps) { limit_ = steps; }
    std::uint64_t step_limit() const { return limit_; }

    // Sets of matches. Every question throws LimitReached, as the machine does.

    /// Of all receives. Linear in the size of the program; allocates nothing unless the program can divide by zero.
    bool is_feasible(Matching const& m);
    /// Of all receives or some; what was assumed does not count.
    Answer feasible(Wanted const& wanted, Means minimize = Means::rules);
    /// What a solver answered to get-model of encode()'s problem; the error says what cannot be read.
    Expected<Answer, std::string> feasible_model(std::string_view model, Means minimize = Means::rules);

    // Assumptions, in levels.

    void push();
    /// False: there is no level to go back to.
    bool pop();
    std::size_t levels() const { return levels_.size(); }
    void assume(Wanted const& wanted);
    Wanted const& assumed() const { return assumed_; }

    /// Whether all assumptions together are feasible.
    Answer check(Means minimize = Means::rules);
    /// The next complete run under the assumptions; each match set once. None: there is no further one. After
    /// push, pop and assume it begins anew.
    std::optional<std::variant<Run, Unknown>> next();

    // Orders and traces.

    /// One of these has to come before the other one.
    struct Before {
        Location first;
        Location second;
        auto operator<=>(Before const&) const = default;
    };
    /// Where a thread stands when nothing can go on.
    struct Standstill {
        enum class Why : std::uint8_t {
            order,    // `first` has to come before it
            messages, // a wait for a receive: `needed` messages at `beta`, and `there` can be sent
            receives, // zero buffering, a wait for a send: `needed` receives at `beta`, and `there` can be posted
        };
        Location at;
        Why why;
        Location first;
        Endpoint beta;
        std::uint32_t needed = 0;
        std::uint32_t there = 0;
    };
    struct OrderRefusal {
        std::vector<Before> core; // cannot all be true
        Means minimal = Means::none;
        std::vector<Standstill> standstill; // of every thread that is left; empty: found by search
    };
    using OrderAnswer = std::variant<Run, OrderRefusal, Unknown>;

    /// Whether commands can run in this order, whatever is delivered. All commands or some, none twice. Linear for
    /// infinite buffering unless the program can divide by zero, and for refusals by counting; else a search.
    OrderAnswer order(std::span<Location const> sequence, Means minimize = Means::rules);

    /// An entry of a trace, by names; an endpoint's is its number in canonical form. A trace may name what there is not.
    struct TraceEntry {
        std::string rho;
        std::vector<std::pair<std::string, std::string>> m; // destination first
    };
    struct Replay {
        struct Error {
            std::uint64_t entry;
            std::optional<std::string> location;
            std::string rule;
            std::string reason;
            std::string message;
        };
        Status s;
        std::uint64_t steps;
        bool well_formed;
        std::vector<Match> matches;
        std::optional<Error> error;
    };
    /// Runs a trace on the reference machine. Linear in the sizes of the program and the trace.
    Replay trace(std::span<TraceEntry const> entries) const;

    // Match pairs.

    /// The exact pairs (match_pairs.hpp), by searching a complete run for each pair that is possible.
    std::variant<MatchPairs, Unknown> exact();
    /// The tight ones.
    MatchPairs const& possible();

private:
    class Filter;

    Budget budget() const { return {limit_, cancelled_}; }
    Unknown unknown() const;
    std::optional<Refusal> refused_by_rules(Wanted const& wanted);
    Searched search_for(Wanted const& wanted, Budget& budget, std::optional<Run>* run);
    Searched is_possible(Wanted const& wanted, Budget& budget);
    Answer ask(Wanted const& wanted, Means minimize);
    Answer run_of_part();
    void shrink(Refusal& refusal, Budget& budget);
    Fault fault_at(Location rho) const;
    std::shared_ptr<MatchPairs const> pairs_for_search();

    MessageIndex const& messages_;
    Buffering buffering_;
    std::atomic<bool> const* cancelled_;
    std::uint64_t limit_ = 10'000'000;
    Feasibility feasibility_;
    bool may_fault_;
    Matching part_;
    Schedule schedule_;
    std::shared_ptr<MatchPairs const> possible_;

    Wanted assumed_;
    std::vector<std::pair<std::size_t, std::size_t>> levels_; // how many were required and forbidden
    Budget next_budget_;
    std::unique_ptr<Explorer> explorer_; // of next()
};

} // namespace matchpoint::check
