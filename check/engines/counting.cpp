// What counting proves of a program with shared variables (counting/proofs.hpp), and one execution that shows that it
// completes.
#include <algorithm>
#include <chrono>

#include "base/limits.hpp"
#include "check/engines/engines.hpp"
#include "counting/assertion_needs.hpp"
#include "counting/movers.hpp"
#include "executions/shared/thread_by_thread.hpp"
#include "matching/reach.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;

/// What proofs may take before there is any exploration: about assertions, about deadlocks, and about data races.
constexpr std::chrono::seconds time_for_assertions{5};
constexpr std::chrono::seconds time_for_others{3};

/// What is not proved in time is left open.
template <typename Prove>
void try_for(Context const& c, std::chrono::milliseconds time, Prove const& prove) {
    Clock::time_point const end = Clock::now() + time;
    try {
        Watch const watch([end] { return Clock::now() > end; });
        prove();
    } catch (OutOfTime const&) {
        if (c.out_of_time()) throw;
    }
}

/// Whether all threads finish in every execution, as no command waits for a value, or leaves the path because of one.
bool always_completes(Context const& c) {
    auto const& commands = c.messages().code().ctp().commands;
    bool const has_guards = std::any_of(commands.begin(), commands.end(), [](LocatedCommand const& command) {
        return std::holds_alternative<Guarded>(command.c);
    });
    return !has_guards && !c.values_steer() && c.messages().code().has_plain_messages() &&
           all_finish(c.messages(), reach(c.messages(), c.options().buffering));
}

} // namespace

void decide_by_counting(Context& c) {
    std::optional<Proofs>& proofs = c.proofs;
    try_for(c, time_for_assertions, [&] {
        proofs.emplace(c.messages());
        if (proofs->no_assertion_fails()) c.known.add(fact::NeverFails{}, {"counting"});
    });
    if (c.known.fails_never_by()) conclude_from_one_execution(c);
    if (!proofs) return;
    if (c.options().stops)
        try_for(c, time_for_others, [&] {
            c.deadlock_suspects = proofs->deadlock_suspects();
            if (c.deadlock_suspects.none() || always_completes(c))
                c.known.add(fact::NeverStuck{Stop::deadlock}, {"counting"});
        });
    try_for(c, time_for_others, [&] {
        if (proofs->no_data_race()) c.known.add(fact::NeverRaces{});
    });
    if (c.known.is_settled()) return;
    c.movers_care_for_races = c.known.is_race_open();
    try_for(c, time_for_others, [&] {
        c.movers = counting::movers(c.messages(), *proofs,
                                    {.races = c.movers_care_for_races, .assertions = !c.known.fails_never_by()});
    });
}

executions::Movers const* movers_without_races(Context& c, std::chrono::milliseconds time) {
    if (!c.proofs || !c.movers) return nullptr;
    if (!c.movers_care_for_races) return &*c.movers;
    if (!c.movers_without_races)
        try_for(c, time, [&] {
            // Solvers can be wrong.
            auto const& by = c.known.fails_never_by();
            c.movers_without_races =
                counting::movers(c.messages(), *c.proofs, {.races = false, .assertions = !by || by->is_solver});
        });
    return c.movers_without_races ? &*c.movers_without_races : &*c.movers;
}

executions::AssertionNeeds const* assertion_needs(Context& c, std::chrono::milliseconds time) {
    if (!c.proofs) return nullptr;
    if (!c.assertion_needs)
        try_for(c, time, [&] { c.assertion_needs = counting::assertion_needs(c.messages(), *c.proofs); });
    return c.assertion_needs ? &*c.assertion_needs : nullptr;
}

void conclude_from_one_execution(Context& c) {
    ThreadByThread const execution(c.messages(), c.options().buffering);
    c.known.work().steps += execution.steps();
    if (execution.end() == End::complete && execution.state().s == Status::success) {
        c.known.record(execution, execution.end());
        c.known.conclude(Verdict::safe, *c.known.fails_never_by());
    }
}

} // namespace matchpoint::check
