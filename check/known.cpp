#include "check/known.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "check/confirmed.hpp"

namespace matchpoint::check {

namespace {

std::string_view does(Stop stop) { return stop == Stop::deadlock ? "ends in a deadlock" : "ends in a fault"; }

} // namespace

Known::Known(Question const& question) : q_(question) {
    if (!q_.can_fault()) add(fact::NeverStuck{Stop::fault}, {"no divisor can be zero"});
    if (q_.asks_for_races()) result_.race.emplace();
}

void Known::add(Fact fact, Engine by) {
    std::visit([&](auto& found) { add_one(std::move(found), by); }, fact);
}

void Known::record(Scheduler const& execution, End end) {
    if (end == End::deadlock && reached(Stop::deadlock).answer != Reached::Answer::yes)
        add(fact::Stuck{Stop::deadlock, schedule_of(execution)});
    if (end == End::fault && reached(Stop::fault).answer != Reached::Answer::yes)
        add(fact::Stuck{Stop::fault, schedule_of(execution)});
    record_leaving(execution, end);
    Status const s =
        end == End::off_path && execution.state().s == Status::success ? Status::infeasible : execution.state().s;
    bool const has_status = end == End::complete || (q_.is_on_path() && s != Status::success);
    if (has_status && !kept(s)) add(fact::Execution{run_of(q_.messages(), execution, end)});
}

void Known::record_leaving(Scheduler const& execution, End end) {
    if (!q_.asks_for_leaving() || result_.leaves_path.answer == Reached::Answer::yes) return;
    bool const leaves = end == End::off_path || (end == End::complete && execution.state().s == Status::infeasible);
    if (!leaves) return;
    Schedule schedule = execution.schedule();
    if (end == End::off_path) schedule.step(execution.halts().front());
    Machine machine(q_.messages().code(), q_.options().buffering);
    auto way = way_off_path(machine, std::move(schedule));
    if (!way) throw std::logic_error("check: an execution that left the path does not replay");
    result_.leaves_path = {Reached::Answer::yes, std::move(*way), {}};
}

std::optional<Run>& Known::kept(Status s) {
    return s == Status::success ? success_ : s == Status::failure ? failure_ : infeasible_;
}

void Known::add_one(fact::Execution found, Engine const&) {
    kept(found.run.s) = std::move(found.run);
    withdraw_what_is_contradicted();
}

void Known::forget_proof() {
    result_.inductive.reset();
    result_.lifted_at.reset();
}

void Known::withdraw_what_is_contradicted() {
    if (failure()) forget_proof();
    if (failure() && fails_never_by_) contradict(*std::exchange(fails_never_by_, std::nullopt), "fails");
    if (success() && completes_never_) throw std::logic_error("check: an execution completes, and none can");
    Verdict const v = result_.verdict;
    bool const fails = failure() && (v == Verdict::safe || v == Verdict::vacuous);
    if (!fails && !(success() && v == Verdict::vacuous)) return;
    result_.verdict = Verdict::unknown;
    result_.run.reset();
    forget_proof();
    contradict({result_.engine, result_.rests_on_solver}, fails ? "fails" : "succeeds");
}

void Known::contradict(Engine const& engine, std::string_view does) {
    std::string const what = fmt::format("says that no execution {}, and here is one that does", does);
    if (!engine.is_solver) throw std::logic_error(fmt::format("check: {} {}", engine.name, what));
    report({Trouble::Kind::wrong_answer, fmt::format("{} {}", q_.options().solver.name, what)});
}

void Known::add_one(fact::Stuck found, Engine const&) {
    Stop const stop = found.stop;
    Reached& reached = reached_here(stop);
    if (reached.answer == Reached::Answer::yes) return;
    IndexedProgram const& code = q_.messages().code();
    Machine machine(code, q_.options().buffering, q_.from() == nullptr ? State(code) : *q_.from());
    Reached there{Reached::Answer::yes, std::move(found.schedule), {}};
    if (stop == Stop::fault) there.fault = fault_at_end(machine, there.schedule, q_.runs());
    bool const is_there =
        stop == Stop::fault ? there.fault.has_value() : ends_in_deadlock(machine, there.schedule, q_.runs());
    if (!is_there) throw std::logic_error(fmt::format("check: no execution {} where one was said to", does(stop)));
    if (reached.answer == Reached::Answer::no) contradict(ruled_out_by_[static_cast<std::size_t>(stop)], does(stop));
    reached = std::move(there);
}

void Known::add_one(fact::NeverStuck found, Engine const& by) {
    Reached& reached = reached_here(found.stop);
    if (reached.answer == Reached::Answer::yes) return contradict(by, does(found.stop));
    Engine& ruled_out_by = ruled_out_by_[static_cast<std::size_t>(found.stop)];
    if (reached.answer == Reached::Answer::unknown || ruled_out_by.is_solver) ruled_out_by = by;
    reached.answer = Reached::Answer::no;
}

void Known::add_one(fact::Races found, Engine const&) {
    Machine machine(q_.messages().code(), q_.options().buffering);
    if (!ends_in_race(q_.messages(), machine, found.race))
        throw std::logic_error("check: no data race where one was said to be");
    if (result_.race->answer == Reached::Answer::no)
        throw std::logic_error("check: a data race, where it was proved that there is none");
    found.race.answer = Reached::Answer::yes;
    result_.race = std::move(found.race);
}

void Known::add_one(fact::NeverRaces, Engine const&) {
    if (result_.race->answer == Reached::Answer::yes)
        throw std::logic_error("check: it is proved that there is no data race, and there is one");
    result_.race->answer = Reached::Answer::no;
}

void Known::add_one(fact::NeverLeaves, Engine const&) {
    if (q_.asks_for_leaving() && result_.leaves_path.answer == Reached::Answer::unknown)
        result_.leaves_path.answer = Reached::Answer::no;
}

void Known::add_one(fact::NeverFails found, Engine const& by) {
    if (failure()) return contradict(by, "fails");
    fails_never_by_ = by;
    result_.inductive = std::move(found.inductive);
}

void Known::add_one(fact::NeverCompletes, Engine const&) {
    if (success()) throw std::logic_error("check: it is proved that no execution completes, and one does");
    completes_never_ = true;
}

void Known::report(Trouble trouble) {
    auto const& known = result_.trouble;
    if (std::find(known.begin(), known.end(), trouble) == known.end()) result_.trouble.push_back(std::move(trouble));
}

CheckResult Known::take() {
    if (!has_verdict())
        for (Trouble& trouble : if_undecided_) report(std::move(trouble));
    return std::move(result_);
}

void Known::conclude(Verdict v, Engine const& engine) {
    if (v == result_.verdict) return;
    if (failure() && v != Verdict::violated) return contradict(engine, "fails");
    if (success() && v == Verdict::vacuous) return contradict(engine, "succeeds");
    if (has_verdict()) throw std::logic_error("check: two verdicts");
    auto const& run = v == Verdict::violated ? failure_ : v == Verdict::safe ? success_ : infeasible_;
    if (run && q_.replay(run->schedule, run->extent).s != run->s)
        throw std::logic_error("check: an execution does not replay");
    if (v == Verdict::violated && !run) throw std::logic_error("check: violated, and no execution fails");
    result_.verdict = v;
    result_.engine = engine.name;
    result_.rests_on_solver = engine.is_solver;
    result_.run = run;
}

void Known::show_lifted(std::uint32_t bound) {
    if (!failure()) result_.lifted_at = bound;
}

void Known::show_instead(Run run) {
    if (q_.replay(run.schedule, run.extent).s != Status::failure)
        throw std::logic_error("check: the run that was to be shown instead does not fail");
    result_.run = std::move(run);
}

bool Known::is_settled() const {
    return has_verdict() && (!q_.options().stops || (!is_open(Stop::deadlock) && !is_open(Stop::fault)));
}

Run run_of(MessageIndex const& messages, Scheduler const& execution, End end) {
    Run run{Matching(messages), execution.schedule(), execution.state().s,
            end == End::complete ? Extent::complete : Extent::prefix};
    execution.matching(run.matching);
    if (end != End::off_path || run.s != Status::success) return run;
    run.s = Status::infeasible;
    for (Location const rho : execution.halts()) run.schedule.step(rho);
    return run;
}

Schedule schedule_of(Scheduler const& execution) {
    Schedule schedule = execution.schedule();
    if (execution.runs() == Runs::executions && execution.fault()) schedule.step(*execution.fault()->rho);
    return schedule;
}

} // namespace matchpoint::check
