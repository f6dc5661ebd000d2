// The feasibility oracle: is a guess about a program under D1 to D6 true of some run, and if not, why? It is one half
// of a refinement loop; the other half guesses with a solver.
//
//   Oracle oracle(messages, Buffering::infinite);
//   Oracle::Answer const answer = oracle.feasible({.required = {{r, s}}, .forbidden = {}});
//   if (auto const* const refusal = std::get_if<Oracle::Refusal>(&answer)) block(refusal->core);
//
// A guess is a set of matches (of all receives, or of some), an order of commands, or a trace. A set is feasible if
// some complete run has all of it. A refusal has a core: a part of the guess that no complete run has, for a blocking
// clause.
//
//   sets of all receives  rules 1 to 4 of feasibility.hpp, and the run itself, if the program divides
//   sets of some          the rules, then a budgeted search for a complete run
//   orders                order.cpp
//
// A run that is shown needs no argument: the reference machine has run it, or the plain program that it stems from. A
// refusal rests on one of these:
//
//   rules   No complete run breaks one (feasibility.hpp).
//   fault   The values that a divisor is computed from lead back, through assignments (D4, D5) and matches, to
//           constants. So every run with these matches has the same divisor, which is zero.
//   search  The explorer shows a run of each match set (explorer.hpp). The filter of its matches leaves out only runs
//           that are not as wanted, and pairs that no complete run has (match_pairs.hpp).
//
// A smaller guess asks for less, so it is feasible if a larger one is. Therefore one pass over a core is enough: leave
// out each match without which there is still no run. What was needed in a larger core is needed in a smaller one. The
// pass asks the rules or, for Means::search, searches once for each match.
//
// A set of all receives takes linear time. A search is exponential in the worst case, and the budget bounds it.
//
// In SAT modulo theories, this half is a theory solver that explains its conflicts (Nieuwenhuis, Oliveras and Tinelli,
// Solving SAT and SAT Modulo Theories). The loop around it is counterexample-guided abstraction refinement (Clarke,
// Grumberg, Jha, Lu and Veith). A minimal core is a minimal unsatisfiable subset, found by deletion.
//
// For a program with selectors, modes, barriers, mprobes or collectives, the oracle asks the plain program that it is
// lowered to (lowered.hpp); only orders are looked for in the program itself. Programs that are not lowered have no
// oracle.
//
// For a program with shared variables, the oracle searches the classes of its executions
// (executions/shared/classes.hpp). Its runs stay on the recorded path, and a match set does not determine the status:
// that of an answer is the status of the run that is shown.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.hpp"
#include "check/check.hpp"
#include "executions/exact_pairs.hpp"
#include "executions/search.hpp"
#include "executions/shared/classes.hpp"

namespace matchpoint::check {

class LoweredOracle;

class Oracle {
public:
    /// How far a core is to be minimized, and how its minimality is known.
    enum class Means : std::uint8_t {
        none,   // it may not be minimal
        rules,  // no proper part of it breaks a rule
        search, // every proper part of it is feasible
    };

    /// Matches that a run must have, and matches that it must not have.
    struct Wanted {
        std::vector<Pair> required;
        std::vector<Pair> forbidden;
        bool operator==(Wanted const&) const = default;
    };

    /// A command that divides by zero.
    struct Fault {
        Location rho;
        std::vector<std::uint32_t> on; // the receives that its divisor depends on, directly or through messages
    };

    struct Refusal {
        enum class Why : std::uint8_t {
            rules,         // rules 1 to 4: `conflict`
            two_sends,     // two sends for one receive
            contradiction, // a match is required and forbidden
            fault,         // every run with the core divides by zero: `fault`
            search,        // a search found no such run
        };
        Why why;
        Wanted core; // no complete run satisfies it
        Means minimal = Means::none;
        std::optional<Conflict> conflict;
        std::optional<Fault> fault;
    };

    struct Unknown {
        bool cancelled;               // otherwise the steps were used up, or:
        std::string why = {};         // what else ran out, or is not known, as a sentence
        bool is_of_recording = false; // no run of it fails, and `why` says why that does not answer the question
    };

    /// A complete run as wanted, or why there is none.
    using Answer = std::variant<Run, Refusal, Unknown>;

    /// Why a program has no oracle, as a sentence without a full stop; none if it has one.
    static std::optional<std::string> refuses(MessageIndex const& messages, Buffering buffering);
    /// The messages and the flag have to outlive it. Searches end when some thread sets the flag. Throws
    /// std::invalid_argument if it refuses the program.
    Oracle(MessageIndex const& messages, Buffering buffering, std::atomic<bool> const* cancelled = nullptr);
    ~Oracle();

    MessageIndex const& messages() const { return messages_; }
    Buffering buffering() const { return buffering_; }

    /// How many machine steps and deliveries all searches for one question may take together.
    void limit_steps(std::uint64_t steps);
    std::uint64_t step_limit() const { return limit_; }

    /// Matches that every run has, for the rules to count with.
    void take_for_granted(std::vector<Pair> pairs) { granted_ = std::move(pairs); }

    // Sets of matches. Every question may throw LimitReached, as the machine does.

    /// A match set of all receives, without a search; false for a program with shared variables. Linear in the size of
    /// the program. For a plain program it allocates nothing, unless the program can divide by zero.
    bool is_feasible(Matching const& m);
    /// Matches of all receives or of some. Assumptions do not count.
    Answer feasible(Wanted const& wanted, Means minimize = Means::rules);
    /// A solver's answer to get-model for a problem of encode(). The error says what cannot be read.
    Expected<Answer, std::string> feasible_model(std::string_view model, Means minimize = Means::rules);

    // Assumptions, in levels.

    void push();
    /// False: there is no level to pop.
    bool pop();
    std::size_t levels() const { return levels_.size(); }
    void assume(Wanted const& wanted);
    Wanted const& assumed() const { return assumed_; }

    /// Whether all assumptions together are feasible.
    Answer check(Means minimize = Means::rules);
    /// The next complete run under the assumptions; none if there are no more. It shows each match set once, and with
    /// shared variables each class of executions. push, pop and assume start over, and so does the next call after
    /// LimitReached.
    std::optional<std::variant<Run, Unknown>> next();

    // Orders and traces.

    /// The first command has to come before the second.
    struct Before {
        Location first;
        Location second;
        auto operator<=>(Before const&) const = default;
    };
    /// Where a thread is when no thread can go on.
    struct Standstill {
        enum class Why : std::uint8_t {
            order,    // `first` has to come before it
            messages, // a wait for a receive needs `needed` messages at `beta`, and `there` can be sent
            receives, // zero buffering: a wait for a send needs `needed` receives at `beta`, and `there` can be posted
        };
        Location at;
        Why why;
        Location first;
        Endpoint beta;
        std::uint32_t needed = 0;
        std::uint32_t there = 0;
    };
    struct OrderRefusal {
        std::vector<Before> core; // no run keeps all of these
        Means minimal = Means::none;
        std::vector<Standstill> standstill; // one for each unfinished thread; empty if found by search
    };
    using OrderAnswer = std::variant<Run, OrderRefusal, Unknown>;

    /// Whether commands (all or some, none twice) can run in this order, whatever is delivered. By counting, for
    /// infinite buffering unless the program can divide by zero, and for some refusals of zero buffering: linear or
    /// little more, and as long again for each thread in a core. Otherwise by search.
    OrderAnswer order(std::span<Location const> sequence, Means minimize = Means::rules);

    /// An entry of a trace, by names; the name of an endpoint or a tag is its number in canonical form. A trace may use
    /// names that the program does not have.
    struct TraceEntry {
        struct Movement {
            std::string beta;
            std::string alpha;
            std::string n = {}; // empty if it names no tag
        };
        std::string rho;
        std::vector<Movement> m;
        std::optional<Movement> peek = {}; // of a probe
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

    // Failures.

    struct Failing {
        std::optional<Run> run; // none if no run fails
        // What that speaks about.
        std::uint32_t assertions = 0;
        Reached::Answer leaves_path = Reached::Answer::unknown;
    };
    /// A run that fails. Assumed matches do not count. By samples and SAT. If no run fails, but
    /// `not_known` says why another run of the recorded program may (record::not_known), the answer is Unknown.
    std::variant<Failing, Unknown> can_fail(Runs runs, std::string not_known = {}) const;

    // Match pairs.

    /// The exact pairs (exact_pairs.hpp), by searching a complete run for each tight pair.
    std::variant<MatchPairs, Unknown> exact();
    /// The tight ones.
    MatchPairs const& possible();

    /// A match as a term of the problems of encode(), for a blocking clause.
    std::string term(Pair p) const;
    /// That clause: an assertion that no run with all of the core satisfies.
    std::string excluding(Wanted const& core) const;

private:
    class Filter;
    class OrderQuestion;

    Budget budget() const { return {limit_, cancelled_}; }
    Unknown unknown() const;
    bool order_matters() const { return messages_.order_matters(); }
    // Of next().
    Searched next_class(std::optional<Run>& run);
    Searched next_match_set(std::optional<Run>& run);
    Searched search_classes(Classes& classes, Filter const& filter, Budget& budget, std::optional<Run>* run);
    void begin_again();
    void clear_part();
    std::optional<Refusal> refused_by_rules(Wanted const& wanted);
    Searched search_for(Wanted const& wanted, Budget& budget, std::optional<Run>* run);
    Searched is_possible(Wanted const& wanted, Budget& budget);
    Answer ask(Wanted const& wanted, Means minimize);
    Answer decide(Wanted const& wanted, Budget& budget);
    Answer run_of_part();
    void shrink(Refusal& refusal, Budget& budget);
    Fault fault_at(Location rho) const;
    std::shared_ptr<MatchPairs const> pairs_for_search();

    MessageIndex const& messages_;
    Buffering buffering_;
    std::atomic<bool> const* cancelled_;
    std::uint64_t limit_ = 10'000'000;
    std::unique_ptr<LoweredOracle> lowered_; // null if the program is plain
    std::vector<Pair> granted_;
    Feasibility feasibility_;
    bool may_fault_;
    Matching part_;
    Schedule schedule_;
    std::shared_ptr<MatchPairs const> possible_;

    Wanted assumed_;
    std::vector<std::pair<std::size_t, std::size_t>> levels_; // how many were required and forbidden
    Budget next_budget_;
    std::unique_ptr<Explorer> explorer_; // of next()
    std::unique_ptr<Classes> classes_;   // the same, of a program with shared variables
};

/// Why no run is as wanted, in a sentence without a full stop.
std::string in_words(MessageIndex const& messages, Oracle::Refusal const& refusal);

} // namespace matchpoint::check
