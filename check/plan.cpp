#include "check/plan.hpp"

#include <algorithm>

#include "check/engines/engines.hpp"
#include "grammar/common_endpoints.hpp"

namespace matchpoint::check {

namespace {

bool always(Context const&) { return true; }
bool is_decided(Context const& c) { return c.known.has_verdict(); }
bool is_undecided(Context const& c) { return !c.known.has_verdict(); }
bool is_unsettled(Context const& c) { return !c.known.is_settled(); }
bool is_unsettled_and_decided(Context const& c) { return is_unsettled(c) && is_decided(c); }
bool is_unsettled_and_unexplored(Context const& c) { return is_unsettled(c) && !c.is_explored; }
bool is_undecided_and_unexplored(Context const& c) { return is_undecided(c) && !c.is_explored; }

void find_by_samples(Context& c) {
    sample(c);
    conclude_from_samples(c);
}

// ---- Exploration of programs without shared variables ----

std::uint64_t steps_of_a_moment(Context const& c) { return std::min(c.options().steps, c.few_steps()); }

void explore_for_a_moment(Context& c) {
    std::uint64_t const steps = steps_of_a_moment(c);
    explore(c, {.steps = steps, .is_last = steps == c.options().steps});
}

void explore_all(Context& c) { explore(c, {.steps = c.options().steps}); }

/// What a moment left open: a verdict as long as it takes, and deadlocks and faults for a while.
bool has_more_to_explore(Context const& c) {
    return is_unsettled_and_unexplored(c) && steps_of_a_moment(c) < c.options().steps;
}

void explore_the_rest(Context& c) {
    std::uint64_t const all = c.options().steps;
    explore(c, c.known.has_verdict() ? Effort{std::min(all, beside_steps), beside_time} : Effort{all});
}

// ---- SAT: in so many calls of its solver where another engine can try next, or as many as it takes ----

void try_sat(Context& c) { decide_by_sat(c, some_calls); }
void ask_sat_alone(Context& c) { decide_by_sat(c, UINT64_MAX); }
void try_sat_of_sharing(Context& c) { decide_by_sat_of_sharing(c, some_calls); }
void ask_sat_of_sharing_alone(Context& c) { decide_by_sat_of_sharing(c, UINT64_MAX); }

// ---- Plain programs ----

constexpr PlanStep plain_automatic[] = {
    {"samples", always, find_by_samples},
    {"short-exploration", is_unsettled, explore_for_a_moment},
    {"suspects", is_undecided, sample_suspects},
    {"slow-channels", is_undecided, sample_slow_channels},
    {"sat", is_undecided, try_sat},
    {"smt", is_undecided, decide_by_smt},
    {"stops", is_unsettled_and_unexplored, look_for_stops},
    {"exploration", is_undecided_and_unexplored, explore_all},
};
constexpr PlanStep plain_explore[] = {
    {"exploration", always, explore_all},
};
// Samples show what they can beside the answer of a solver, and say whether any run completes at all. They conclude in
// case the solver did not answer.
constexpr PlanStep plain_sat[] = {
    {"samples", always, sample},
    {"sat", is_undecided, ask_sat_alone},
    {"samples", always, conclude_from_samples},
    {"stops", always, look_for_stops},
};
constexpr PlanStep plain_smt[] = {
    {"samples", always, sample},
    {"smt", is_undecided, decide_by_smt},
    {"samples", always, conclude_from_samples},
    {"stops", always, look_for_stops},
};

// ---- Programs with selectors, modes or barriers that are not lowered ----

constexpr PlanStep selecting_automatic[] = {
    {"samples", always, find_by_samples},
    {"short-exploration", is_unsettled, explore_for_a_moment},
    {"slow-channels", is_undecided, sample_slow_channels},
    {"smt", is_unsettled, decide_by_selecting},
    {"exploration", has_more_to_explore, explore_the_rest},
};
constexpr PlanStep selecting_explore[] = {
    {"samples", always, find_by_samples},
    {"exploration", is_unsettled, explore_all},
};
constexpr PlanStep selecting_smt[] = {
    {"samples", always, sample},
    {"smt", is_unsettled, decide_by_selecting},
};
// Solvers do not know collectives.
constexpr PlanStep collective_automatic[] = {
    {"samples", always, find_by_samples},
    {"short-exploration", is_unsettled, explore_for_a_moment},
    {"slow-channels", is_undecided, sample_slow_channels},
    {"exploration", has_more_to_explore, explore_the_rest},
};

// ---- Programs with probes: what a probe sees is a choice, which only the machine knows ----

constexpr PlanStep probing_automatic[] = {
    {"samples", always, find_by_samples},
    {"exploration", is_unsettled, explore_all},
};

// ---- Programs with shared variables, and models ----

/// Whether a solver can be asked.
bool needs_solver(Context const& c) {
    return is_undecided(c) && !c.is_explored && !c.out_of_time() && c.messages().code().has_plain_messages();
}

constexpr PlanStep sharing_automatic[] = {
    {"counting", always, decide_by_counting},
    {"short-exploration", is_undecided, explore_sharing_for_a_moment},
    {"interleavings", is_undecided_and_unexplored, sample_interleavings},
    {"few-switches", is_undecided_and_unexplored, explore_three_switches},
    {"windows", is_undecided_and_unexplored, look_through_windows},
    {"invariants", needs_solver, decide_by_invariants},
    {"sat", needs_solver, try_sat_of_sharing},
    {"few-switches", is_undecided_and_unexplored, explore_few_switches},
    {"exploration", is_unsettled, explore_sharing},
    {"few-switches", is_undecided_and_unexplored, explore_more_switches},
    {"races", always, decide_races},
};
/// Only the machine knows what comes of these.
constexpr PlanStep machine_automatic[] = {
    {"short-exploration", is_undecided, explore_sharing_for_a_moment},
    {"interleavings", is_undecided_and_unexplored, sample_interleavings},
    {"few-switches", is_undecided_and_unexplored, explore_three_switches},
    {"exploration", is_unsettled, explore_sharing},
    {"few-switches", is_undecided_and_unexplored, explore_more_switches},
    {"races", always, decide_races},
};
constexpr PlanStep sharing_explore[] = {
    {"exploration", is_unsettled, explore_sharing},
    {"races", always, decide_races},
};
// The machine shows deadlocks, faults and data races beside the answer of a solver, as far as it gets in a while.
constexpr PlanStep sharing_sat[] = {
    {"sat", always, ask_sat_of_sharing_alone},
    {"exploration", is_unsettled_and_decided, explore_sharing},
    {"races", is_decided, decide_races},
};
constexpr PlanStep sharing_smt[] = {
    {"smt", always, decide_by_smt_of_sharing},
    {"exploration", is_unsettled_and_decided, explore_sharing},
    {"races", is_decided, decide_races},
};
constexpr PlanStep model[] = {
    {"exploration", is_unsettled, explore_sharing},
};

constexpr PlanStep among_pairs[] = {
    {"smt", always, decide_by_smt},
};

/// Beside a verdict, for deadlocks and faults. What exploration finds soon is short.
constexpr PlanStep sharing_beside[] = {
    {"exploration", is_unsettled_and_unexplored, explore_sharing_soon},
    {"held-threads", is_unsettled_and_unexplored, sample_deadlocks},
    {"exploration", is_unsettled_and_unexplored, explore_sharing_before_deadlocks},
    {"meetings", is_unsettled_and_unexplored, decide_deadlocks},
};

// ---- Windows ----

bool may_fail(Context const& c) { return !c.known.has_verdict() && !c.known.fails_never_by() && !c.is_explored; }
bool may_race(Context const& c) { return c.known.is_race_open(); }

constexpr PlanStep of_window[] = {
    {"counting", always, decide_by_counting},
    {"exploration", may_fail, explore_window},
    {"few-switches", may_fail, explore_switches_of_window},
    {"races", may_race, decide_races_of_window},
};

// ---- All of them ----

using Plan = std::span<PlanStep const>;

/// By EngineChoice.
struct Plans {
    Plan automatic;
    Plan explore;
    Plan sat;
    Plan smt;
};

constexpr Plans plain{plain_automatic, plain_explore, plain_sat, plain_smt};
constexpr Plans selecting{selecting_automatic, selecting_explore, selecting_explore, selecting_smt};
constexpr Plans probing{probing_automatic, probing_automatic, probing_automatic, probing_automatic};
constexpr Plans with_collectives{collective_automatic, selecting_explore, selecting_explore, selecting_explore};
constexpr Plans sharing{sharing_automatic, sharing_explore, sharing_sat, sharing_smt};
/// Solvers do not know selectors, modes and barriers beside shared variables.
constexpr Plans sharing_with_selectors{sharing_automatic, sharing_explore, sharing_explore, sharing_explore};
/// Only the order of commands tells whether ready sends find receives.
constexpr Plans of_ready_sends{sharing_explore, sharing_explore, sharing_explore, sharing_explore};
/// Or what probes see beside shared variables, and who receives first at an endpoint that several threads use.
constexpr Plans sharing_on_the_machine{machine_automatic, sharing_explore, sharing_explore, sharing_explore};
constexpr Plans of_models{model, model, model, model};
constexpr Plans of_bounds{sharing_smt, sharing_smt, sharing_smt, sharing_smt};
constexpr Plans of_given_pairs{among_pairs, among_pairs, among_pairs, among_pairs};

/// Whether it shares variables, and counting and solvers do not know its messages.
bool is_for_the_machine(IndexedProgram const& code) {
    if (!code.shares()) return false;
    return code.has_probes() || grammar::has_common_endpoints(code.ctp(), code.names().endpoints.size());
}

Plans const& plans(Question const& q) {
    IndexedProgram const& code = q.messages().code();
    if (q.options().model != nullptr) return of_models;
    if (q.options().pairs != nullptr) return of_given_pairs;
    if (q.options().bound) return of_bounds;
    if (is_for_the_machine(code)) return sharing_on_the_machine;
    if (code.shares()) return code.has_plain_messages() ? sharing : sharing_with_selectors;
    if (q.messages().order_matters()) return of_ready_sends;
    if (code.has_probes()) return probing;
    if (code.collectives() != nullptr) return with_collectives;
    return code.is_plain() ? plain : selecting;
}

bool is_left_out(Context const& c, PlanStep const& step) {
    auto const& without = c.options().without;
    return std::find(without.begin(), without.end(), step.name) != without.end();
}

} // namespace

std::span<PlanStep const> plan(Context const& c) {
    Plans const& all = plans(c);
    switch (c.options().engine) {
    case EngineChoice::automatic: return all.automatic;
    case EngineChoice::explore: return all.explore;
    case EngineChoice::sat: return all.sat;
    case EngineChoice::smt: break;
    }
    return all.smt;
}

std::span<PlanStep const> plan_beside(Context const& c) {
    bool const is_automatic = c.options().engine == EngineChoice::automatic && c.options().model == nullptr;
    IndexedProgram const& code = c.messages().code();
    return is_automatic && code.shares() && !is_for_the_machine(code) ? Plan(sharing_beside) : Plan();
}

std::span<PlanStep const> plan_of_window() { return of_window; }

void run_plan(Context& c, std::span<PlanStep const> steps) {
    for (PlanStep const& step : steps) {
        if (!step.is_needed(c)) continue;
        if (!is_left_out(c, step))
            step.run(c);
        else if (std::find(c.left_out.begin(), c.left_out.end(), step.name) == c.left_out.end())
            c.left_out.push_back(step.name);
    }
}

std::vector<std::string_view> step_names() {
    std::vector<std::string_view> names;
    for (Plans const& p : {plain, selecting, probing, with_collectives, sharing, sharing_with_selectors, of_ready_sends,
                           sharing_on_the_machine, of_models})
        for (Plan const steps : {p.automatic, p.explore, p.sat, p.smt, Plan(sharing_beside)})
            for (PlanStep const& step : steps)
                if (std::find(names.begin(), names.end(), step.name) == names.end()) names.push_back(step.name);
    return names;
}

} // namespace matchpoint::check
