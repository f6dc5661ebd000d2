// What inductive invariants prove of a program with shared variables (invariants.hpp).
#include <chrono>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "check/shared/invariants.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;

/// What they may take, all problems together. Then SAT is asked.
constexpr std::chrono::milliseconds time_for_invariants{10'000};

} // namespace

void decide_by_invariants(Context& c) {
    Clock::time_point const end = Clock::now() + time_for_invariants;
    try {
        Watch const watch([end] { return Clock::now() > end; });
        Proofs const proofs(c.messages());
        auto const ask = [&](std::string const& problem) {
            auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
            if (left.count() <= 0) return ModelAnswer(Unanswered{});
            return ask_solver(c, problem, left);
        };
        Invariants invariants(c.messages(), proofs, ask, c.options().solver.name);
        if (invariants.no_assertion_fails())
            c.known.add(fact::NeverFails{invariants.found()},
                        {fmt::format("invariants ({})", c.options().solver.name), true});
        // A wrong answer is reported whichever engine decides then.
        if (auto trouble = invariants.trouble(); trouble && trouble->kind == Trouble::Kind::wrong_answer)
            c.known.report(std::move(*trouble));
        else if (trouble && !c.known.fails_never_by())
            c.known.report_if_undecided(std::move(*trouble));
    } catch (OutOfTime const&) {
        if (c.out_of_time()) throw;
    }
    if (!c.known.fails_never_by()) return;
    if (c.known.success())
        c.known.conclude(Verdict::safe, *c.known.fails_never_by());
    else
        conclude_from_one_execution(c);
}

} // namespace matchpoint::check
