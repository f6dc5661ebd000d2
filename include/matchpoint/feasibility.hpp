// The feasibility oracle: is a guess about a program true of some run, and if not, why? It is one half of a refinement
// loop; the other half guesses with a solver (docs/cegar.py).
//
//   Result<Feasibility> oracle = Feasibility::of(program);
//   Feasibility::Answer const answer = oracle->ask({.required = {{r, s}}});
//   if (auto const* const refusal = std::get_if<Feasibility::Refusal>(&answer)) block(refusal->core);
//
// A guess is a set of matches, of all receives or of some. It is feasible if some complete run has all of it. A refusal
// has a core: a part of the guess that no complete run has, for a blocking clause. A set of all receives is decided in
// linear time by four rules (docs/oracle.md); a set of some by those rules, and then by a search.
//
// Assumptions come in levels, as in a solver. One thread uses an oracle at a time.
#pragma once

#include <atomic>

#include <matchpoint/execution.hpp>

namespace matchpoint::api {

/// One that was moved from can be assigned to or destroyed, and nothing else.
class Feasibility {
public:
    /// Matches that a run must have, and matches that it must not have.
    struct Wanted {
        std::vector<Match> required = {};
        std::vector<Match> forbidden = {};
    };
    struct Refusal {
        Wanted core;             // no complete run satisfies it
        bool is_minimal = false; // no proper part of it is refused by the same means
        std::string why;
        std::string smt; // an assertion that excludes the core, to be added to a problem of encode() with `exact`
    };
    struct Unknown {
        std::string why; // it was cancelled, or the steps, the memory or an integer's size ran out; of can_fail(), too,
                         // what a recording does not say
    };
    /// A complete run as wanted, or why there is none.
    using Answer = std::variant<Execution, Refusal, Unknown>;

    /// Searches end when some thread sets the flag, which has to outlive the oracle. Errors: `input` (breaches of the
    /// discipline), `usage` (the program has no oracle).
    static Result<Feasibility> of(Program const& program, Buffering buffering = Buffering::infinite,
                                  std::atomic<bool> const* cancelled = nullptr);
    Feasibility(Feasibility&&) noexcept;
    Feasibility& operator=(Feasibility&&) noexcept;
    ~Feasibility();

    /// How many machine steps and deliveries all searches for one question may take together. Ten million at first.
    void limit_steps(std::uint64_t steps);

    /// Throws std::logic_error if a match is not of a receive and a send.
    Answer ask(Wanted const& wanted);
    /// What (get-model) printed for a problem of encode() with `exact` and complete runs, with the order or without.
    /// Errors: `input`, what cannot be read.
    Result<Answer> ask_model(std::string_view model);
    /// A match as a term of those problems.
    std::string term(Match const& match) const;

    /// No run keeps all of the core: the first command of a pair has to come before the second.
    struct OrderRefusal {
        std::vector<std::pair<Command, Command>> core;
        bool is_minimal = false;
    };
    /// Whether the commands can run in this order, whatever is delivered: all of them or some, none twice.
    std::variant<Execution, OrderRefusal, Unknown> order(std::span<Command const> commands);
    /// A run that fails, none if no run does. Assumptions do not count. If no run of a recording fails, but
    /// its assertions were only evaluated (recording.hpp), or its run failed or was ended, the answer is Unknown.
    std::variant<std::optional<Execution>, Unknown> can_fail(bool complete_runs = false);

    void push();
    /// False: there is no level to pop.
    bool pop();
    void assume(Wanted const& wanted);
    /// Whether all assumptions together are feasible.
    Answer check();
    /// The next complete run under the assumptions, each match set once; none if there are no more. It begins again
    /// after push(), pop(), assume(), and after Unknown because of an integer's size.
    std::variant<std::optional<Execution>, Unknown> next();

private:
    class Impl;
    explicit Feasibility(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::api
