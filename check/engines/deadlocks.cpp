// Deadlocks of programs with shared variables. Where counting suspects one (counting/deadlocks.hpp), threads are held
// there. If none of some executions gets stuck, a separate problem decides whether threads can be there (meeting.hpp).
#include <array>
#include <chrono>
#include <random>

#include "check/engines/engines.hpp"
#include "check/engines/meeting.hpp"
#include "executions/shared/interleaved_sample.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;
using counting::DeadlockSuspects;

bool is_open(Context const& c) { return c.known.is_open(Stop::deadlock); }

/// Runs an execution that begins so, and keeps what it shows.
void sample(Context& c, std::mt19937_64& random, std::uint32_t turn, Schedule const& begins,
            DeadlockSuspects::Cycle const* cycle) {
    std::vector<InterleavedSample::Held> held;
    if (cycle != nullptr)
        for (DeadlockSuspects::Stand const& stand : *cycle) held.push_back({{stand.entry}, {stand.command}});
    InterleavedSample const execution(c.messages(), c.options().buffering, random, turn, begins, held);
    Activity::set(c.activity().executions, ++c.known.work().samples);
    c.known.work().steps += execution.steps();
    c.known.record(execution, execution.end());
}

/// The engine that finds that threads cannot all be at the commands of a cycle. If they can, and an execution that goes
/// on from there gets stuck, that is a deadlock; if none does, the question stays open.
std::optional<Engine> ruled_out_by(Context& c, DeadlockSuspects::Cycle const& cycle, std::chrono::milliseconds time,
                                   std::mt19937_64& random) {
    std::vector<std::uint32_t> commands;
    for (DeadlockSuspects::Stand const& stand : cycle) commands.push_back(stand.command);
    Meeting const meeting(c.messages().code(), commands);
    CheckOptions options = c.options();
    options.runs = Runs::executions;
    options.time = time;
    options.switches = false;
    options.window = 0;
    options.stops = false;
    options.activity = nullptr;
    CheckResult const found = check(meeting.messages(), options);
    c.known.work().steps += found.work.steps;
    c.known.work().solver_calls += found.work.solver_calls;
    if (found.verdict == Verdict::safe || found.verdict == Verdict::vacuous)
        return Engine{found.engine, found.rests_on_solver};
    if (found.verdict == Verdict::violated) sample(c, random, 1, meeting.raised(found.run->schedule), nullptr);
    return std::nullopt;
}

} // namespace

void sample_deadlocks(Context& c) {
    if (!is_open(c) || c.options().samples == 0) return;
    constexpr std::chrono::milliseconds most_time{300};
    Clock::time_point const end = Clock::now() + most_time;
    c.activity().begin(Activity::Stage::sampling);
    std::mt19937_64 random(2);
    // Long turns make traces that people can read.
    for (std::uint32_t const turn : {64U, 16U, 4U, 1U})
        for (DeadlockSuspects::Cycle const& cycle : c.deadlock_suspects.cycles) {
            if (!is_open(c) || c.out_of_time() || Clock::now() > end) return;
            sample(c, random, turn, Schedule(), &cycle);
        }
    // A lock that is not given back, or a signal that comes too early, is no cycle.
    std::uint64_t const count = c.few_samples();
    for (std::uint64_t i = 0; i < count && is_open(c) && !c.out_of_time() && Clock::now() < end; ++i) {
        constexpr std::array<std::uint32_t, 4> turns{64, 16, 4, 1};
        sample(c, random, turns[i % turns.size()], Schedule(), nullptr);
    }
}

void decide_deadlocks(Context& c) {
    bool const has_problem = is_open(c) && !c.deadlock_suspects.cycles.empty() && !c.can_fault() &&
                             c.messages().sends().empty() && c.messages().receives().empty() &&
                             c.messages().code().collectives() == nullptr;
    if (!has_problem) return;
    Clock::time_point const end = Clock::now() + beside_time;
    c.activity().begin(Activity::Stage::sat);
    std::mt19937_64 random(3);
    bool are_ruled_out = c.deadlock_suspects.are_all;
    Engine together{"exclusion of each suspected cycle"};
    for (DeadlockSuspects::Cycle const& cycle : c.deadlock_suspects.cycles) {
        auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (auto const all = c.time_left()) left = std::min(left, *all);
        if (left.count() <= 0) return;
        auto const by = ruled_out_by(c, cycle, left, random);
        are_ruled_out = are_ruled_out && by;
        together.is_solver = together.is_solver || (by && by->is_solver);
        if (!is_open(c)) return;
    }
    if (are_ruled_out) c.known.add(fact::NeverStuck{Stop::deadlock}, together);
}

} // namespace matchpoint::check
