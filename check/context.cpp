#include "check/context.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "check/confirmed.hpp"
#include "executions/explorer.hpp"
#include "matching/reach.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::check {

using Clock = std::chrono::steady_clock;

Context::Context(MessageIndex const& messages, CheckOptions const& options, State const* from)
    : messages_(messages), options_(options), from_(from), delivered_(messages),
      runs_(options.model == nullptr && messages.code().is_plain() && all_can_complete(messages, options.buffering)
                ? Runs::complete
                : options.runs),
      can_fault_(may_divide_by_zero(messages.code().ctp())), has_assumptions_(has_assumptions(messages.code().ctp())),
      all_finish_(messages.code().is_plain() && matching::all_finish(messages, reach(messages, options.buffering))) {
    if (options.time) deadline_ = Clock::now() + *options.time;
    if (!can_fault_) rule_out(Stop::fault, {"no divisor can be zero"});
    if (from == nullptr) return;
    delivered(messages, *from, delivered_);
    is_delivered_.resize(messages.sends().size());
    for (std::uint32_t r = 0; r < delivered_.size(); ++r)
        if (delivered_[r] != unmatched) is_delivered_[delivered_[r]] = true;
}

bool Context::may_match(Pair p) const {
    if (is_delivered_.empty()) return true;
    return delivered_[p.r] == unmatched ? !is_delivered_[p.s] : delivered_[p.r] == p.s;
}

MatchPairs Context::possible_pairs() const {
    MatchPairs pairs = overapprox(messages_);
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        std::erase_if(pairs.of[r], [&](std::uint32_t s) { return !may_match({r, s}); });
    return pairs;
}

std::uint64_t Context::few_samples() const {
    if (options_.samples == 0) return 0;
    return std::clamp<std::uint64_t>(20'000'000 / (messages_.code().ctp().commands.size() + 1), 1, options_.samples);
}

std::uint64_t Context::few_steps() const {
    return std::clamp<std::uint64_t>(2'000'000 / (messages_.code().ctp().commands.size() + 1), 1000, 300'000);
}

std::optional<std::chrono::milliseconds> Context::time_left() const {
    if (!deadline_) return std::nullopt;
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
    return std::max(left, std::chrono::milliseconds(0));
}

bool Context::out_of_time(std::chrono::nanoseconds reserve) const {
    return is_cancelled() || (deadline_ && *time_left() <= reserve);
}

bool Context::is_cancelled() const { return options_.cancelled && options_.cancelled(); }

bool Context::is_extendable() {
    if (!extendable_)
        extendable_ = !can_fault_ && (all_finish_ || (options_.buffering == Buffering::zero && never_gets_stuck()));
    return *extendable_;
}

bool Context::never_gets_stuck() {
    Explorer::Options options;
    options.buffering = options_.buffering;
    options.control_only = true;
    options.stop = [this] { return out_of_time(); };
    Explorer explorer(messages_, options);
    std::uint64_t const most = std::min(few_steps(), options_.steps);
    while (auto const end = explorer.next(most - std::min(most, explorer.steps())))
        if (*end == End::deadlock) break;
    result.steps += explorer.steps();
    result.executions += explorer.counts().executions;
    if (explorer.done()) rule_out(Stop::deadlock, {"exploration"});
    return explorer.done();
}

Watch Context::watch() {
    return Watch(is_limited() ? [this] { return out_of_time(); } : std::function<bool()>());
}

void Context::record(Scheduler const& execution, End end) {
    if (end == End::deadlock && reached(Stop::deadlock).answer != Reached::Answer::yes)
        found(Stop::deadlock, schedule_of(execution));
    if (end == End::fault && reached(Stop::fault).answer != Reached::Answer::yes)
        found(Stop::fault, schedule_of(execution));
    record_leaving(execution, end);
    Status const s =
        end == End::off_path && execution.state().s == Status::success ? Status::infeasible : execution.state().s;
    bool const has_status = end == End::complete || (is_on_path() && s != Status::success);
    if (has_status && !kept(s)) keep(run_of(execution, end));
}

bool Context::asks_for_leaving() const { return options_.leaves_path && options_.model == nullptr && from_ == nullptr; }

void Context::rule_out_leaving() {
    if (asks_for_leaving() && result.leaves_path.answer == Reached::Answer::unknown)
        result.leaves_path.answer = Reached::Answer::no;
}

void Context::record_leaving(Scheduler const& execution, End end) {
    if (!asks_for_leaving() || result.leaves_path.answer == Reached::Answer::yes) return;
    bool const leaves = end == End::off_path || (end == End::complete && execution.state().s == Status::infeasible);
    if (!leaves) return;
    Schedule schedule = execution.schedule();
    if (end == End::off_path) schedule.step(execution.halts().front());
    Machine machine(messages_.code(), options_.buffering);
    auto way = way_off_path(machine, std::move(schedule));
    if (!way) throw std::logic_error("check: an execution that left the path does not replay");
    result.leaves_path = {Reached::Answer::yes, std::move(*way), {}};
}

std::optional<Run>& Context::kept(Status s) {
    return s == Status::success ? success : s == Status::failure ? failure : infeasible;
}

void Context::keep(Run run) {
    kept(run.s) = std::move(run);
    withdraw_what_is_contradicted();
}

void Context::withdraw_what_is_contradicted() {
    if (failure && fails_never_by) contradict(*std::exchange(fails_never_by, std::nullopt), "fails");
    if (success && none_completes) throw std::logic_error("check: an execution completes, and none can");
    Verdict const v = result.verdict;
    bool const fails = failure && (v == Verdict::safe || v == Verdict::vacuous);
    if (!fails && !(success && v == Verdict::vacuous)) return;
    result.verdict = Verdict::unknown;
    result.run.reset();
    result.inductive.reset();
    contradict({result.engine, result.rests_on_solver}, fails ? "fails" : "succeeds");
}

void Context::contradict(Engine const& engine, std::string_view does) {
    std::string const what = fmt::format("says that no execution {}, and here is one that does", does);
    if (!engine.is_solver) throw std::logic_error(fmt::format("check: {} {}", engine.name, what));
    report({Trouble::Kind::wrong_answer, fmt::format("{} {}", options_.solver.name, what)});
}

Run Context::run_of(Scheduler const& execution, End end) const {
    Run run{Matching(messages_), execution.schedule(), execution.state().s,
            end == End::complete ? Extent::complete : Extent::prefix};
    execution.matching(run.matching);
    if (end != End::off_path || run.s != Status::success) return run;
    run.s = Status::infeasible;
    for (Location const rho : execution.halts()) run.schedule.step(rho);
    return run;
}

Schedule Context::schedule_of(Scheduler const& execution) {
    Schedule schedule = execution.schedule();
    if (execution.runs() == Runs::executions && execution.fault()) schedule.step(*execution.fault()->rho);
    return schedule;
}

namespace {

std::string_view does(Stop stop) { return stop == Stop::deadlock ? "ends in a deadlock" : "ends in a fault"; }

} // namespace

void Context::found(Stop stop, Schedule schedule) {
    Reached& reached = stop == Stop::deadlock ? result.deadlock : result.fault;
    if (reached.answer == Reached::Answer::yes) return;
    Machine machine(messages_.code(), options_.buffering, from_ == nullptr ? State(messages_.code()) : *from_);
    Reached there{Reached::Answer::yes, std::move(schedule), {}};
    if (stop == Stop::fault) there.fault = fault_at_end(machine, there.schedule, runs_);
    bool const is_there =
        stop == Stop::fault ? there.fault.has_value() : ends_in_deadlock(machine, there.schedule, runs_);
    if (!is_there) throw std::logic_error(fmt::format("check: no execution {} where one was said to", does(stop)));
    if (reached.answer == Reached::Answer::no) contradict(ruled_out_by_[static_cast<std::size_t>(stop)], does(stop));
    reached = std::move(there);
}

void Context::rule_out(Stop stop, Engine const& by) {
    Reached& reached = stop == Stop::deadlock ? result.deadlock : result.fault;
    if (reached.answer == Reached::Answer::yes) return contradict(by, does(stop));
    Engine& ruled_out_by = ruled_out_by_[static_cast<std::size_t>(stop)];
    if (reached.answer == Reached::Answer::unknown || ruled_out_by.is_solver) ruled_out_by = by;
    reached.answer = Reached::Answer::no;
}

void Context::found(Race race) {
    Machine machine(messages_.code(), options_.buffering);
    if (!ends_in_race(messages_, machine, race)) throw std::logic_error("check: no data race where one was said to be");
    if (result.race->answer == Reached::Answer::no)
        throw std::logic_error("check: a data race, where it was proved that there is none");
    race.answer = Reached::Answer::yes;
    result.race = std::move(race);
}

void Context::rule_out_race() {
    if (result.race->answer == Reached::Answer::yes)
        throw std::logic_error("check: it is proved that there is no data race, and there is one");
    result.race->answer = Reached::Answer::no;
}

void Context::rule_out_failure(Engine by) {
    if (failure) return contradict(by, "fails");
    fails_never_by = std::move(by);
}

Outcome Context::replay(Schedule const& schedule, Extent extent) const {
    Machine machine(messages_.code(), options_.buffering);
    return run(machine, schedule, extent);
}

void Context::report(Trouble trouble) {
    auto const& known = result.trouble;
    if (std::find(known.begin(), known.end(), trouble) == known.end()) result.trouble.push_back(std::move(trouble));
}

void Context::conclude(Verdict v, Engine const& engine) {
    if (v == result.verdict) return;
    if (failure && v != Verdict::violated) return contradict(engine, "fails");
    if (success && v == Verdict::vacuous) return contradict(engine, "succeeds");
    if (has_verdict()) throw std::logic_error("check: two verdicts");
    auto const& run = v == Verdict::violated ? failure : v == Verdict::safe ? success : infeasible;
    if (run && replay(run->schedule, run->extent).s != run->s)
        throw std::logic_error("check: an execution does not replay");
    if (v == Verdict::violated && !run) throw std::logic_error("check: violated, and no execution fails");
    result.verdict = v;
    result.engine = engine.name;
    result.rests_on_solver = engine.is_solver;
    result.run = run;
}

bool Context::is_settled() const { return has_verdict() && (!options_.stops || knows_stops()); }

bool Context::knows_stops() const {
    return result.deadlock.answer != Reached::Answer::unknown && result.fault.answer != Reached::Answer::unknown;
}

} // namespace matchpoint::check
