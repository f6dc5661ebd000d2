#include "check/continuation.hpp"

#include <algorithm>
#include <new>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "check/confirmed.hpp"
#include "check/engines/engines.hpp"
#include "executions/sample.hpp"
#include "executions/shared/interleavings.hpp"
#include "explain/words.hpp"

namespace matchpoint::check {

namespace {

class LookAhead {
    using Kind = Goal::Kind;
    using enum Reached::Answer;

public:
    LookAhead(MessageIndex const& messages, State const& from, Kind goal, CheckOptions const& options,
              std::function<void(std::string_view)> const& enters)
        : m_(messages), from_(from), goal_(goal), options_(about(goal, options)), enters_(enters),
          c_(messages, options_, &from) {}

    Continuation run() {
        try {
            Watch const watch = c_.watch();
            decide();
        } catch (LimitReached const& e) {
            c_.known.report({Trouble::Kind::limit, e.what()});
        } catch (std::bad_alloc const&) {
            c_.known.report({Trouble::Kind::limit, "out of memory"});
        }
        if (found_.answer == yes) confirm();
        if (found_.answer == unknown) found_.trouble = c_.known.trouble();
        return std::move(found_);
    }

private:
    static constexpr char const* off_path = "an assumption is false, so the run has left the recorded path";

    /// Machine steps of an exploration where states differ in counts alone.
    static constexpr std::uint64_t steps_for_counts = 3'000'000;

    static CheckOptions about(Kind goal, CheckOptions options) {
        options.runs = goal == Kind::orphan ? Runs::complete : Runs::executions;
        return options;
    }

    bool is_known() const { return found_.answer != unknown; }
    bool is_about_stops() const { return goal_ == Kind::deadlock || goal_ == Kind::fault; }

    void conclude(Reached::Answer answer, std::string engine) {
        if (is_known()) throw std::logic_error("continuation: two answers");
        found_.answer = answer;
        found_.engine = std::move(engine);
    }
    void conclude_at_once(Reached::Answer answer, std::string why) {
        conclude(answer, {});
        found_.why = std::move(why);
    }
    void enter(std::string_view what) const {
        if (enters_) enters_(what);
    }

    void decide() {
        decide_at_once();
        if (is_known()) return;
        if (m_.order_matters()) return interleave(options_.steps);
        if (!m_.code().is_plain()) return decide_by_machine();
        switch (options_.engine) {
        case EngineChoice::automatic: return decide_automatically();
        case EngineChoice::explore: return explore(options_.steps);
        case EngineChoice::sat: return is_about_stops() ? explore(options_.steps) : ask_sat_solver(UINT64_MAX);
        case EngineChoice::smt: return ask_smt_solver();
        }
    }

    /// Decides programs with selectors, modes or barriers.
    void decide_by_machine() {
        sample();
        if (!is_known()) explore(options_.steps);
    }

    /// Cheap engines first.
    void decide_automatically() {
        sample();
        if (!is_known()) explore(std::min(c_.few_steps(), options_.steps));
        if (!is_known() && is_about_counts()) explore(std::min(steps_for_counts, options_.steps));
        if (!is_known() && !is_about_stops()) ask_sat_solver(some_calls);
        if (!is_known()) ask_smt_solver();
        if (!is_known()) explore(options_.steps);
    }

    void decide_at_once() {
        if (goal_ == Kind::orphan) {
            if (!leaves_orphans())
                conclude_at_once(no, "every complete run has a receive for each message");
            else if (m_.order_matters() && from_.s >= Status::infeasible)
                conclude_at_once(no, off_path);
        } else if (from_.s >= Status::infeasible) {
            conclude_at_once(no, off_path);
        } else if (from_.s == Status::failure && goal_ == Kind::failure) {
            conclude_at_once(yes, "an assertion has failed");
        } else if (from_.s == Status::failure && goal_ == Kind::success) {
            conclude_at_once(no, "an assertion has failed");
        } else if (goal_ == Kind::fault && !c_.can_fault()) {
            conclude_at_once(no, "no divisor can be zero");
        } else if (goal_ == Kind::deadlock && c_.all_finish()) {
            conclude_at_once(no, "by counting, every thread gets what it waits for");
        }
        bool const completes = goal_ == Kind::success || goal_ == Kind::orphan;
        if (!is_known() && completes && m_.code().is_plain() && options_.buffering == Buffering::infinite &&
            !c_.all_finish())
            conclude_at_once(no, "by counting, some thread never gets what it waits for");
    }

    /// Whether a complete run leaves messages without a receive.
    bool leaves_orphans() const {
        for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta)
            if (orphans_at(m_, {beta}) > 0) return true;
        return false;
    }

    // ---- On the machine, from the state on ----

    bool is_goal(Scheduler const& execution, End end) const {
        switch (goal_) {
        case Kind::failure: return execution.state().s == Status::failure;
        case Kind::success: return end == End::complete && execution.state().s == Status::success;
        case Kind::deadlock: return end == End::deadlock;
        case Kind::fault: return end == End::fault;
        case Kind::orphan: return end == End::complete;
        case Kind::match: break;
        }
        throw std::logic_error("continuation: matches are for breadth-first search");
    }

    void found(Scheduler const& execution, std::string engine) {
        found_.schedule = schedule_of(execution);
        conclude(yes, std::move(engine));
    }

    void sample() {
        enter("samples");
        std::mt19937_64 random(1);
        for (std::uint64_t i = 0; i < c_.few_samples() && !is_known() && !c_.out_of_time(); ++i) {
            Sample const sample(m_, options_.buffering, random, c_.runs(), from_);
            if (is_goal(sample, sample.end())) found(sample, "samples");
        }
    }

    /// Whether neither the goal nor how far threads get depends on values.
    bool is_about_counts() const { return (goal_ == Kind::deadlock || goal_ == Kind::orphan) && !c_.values_steer(); }

    Explorer::Options exploration() const {
        Explorer::Options options;
        options.buffering = options_.buffering;
        options.runs = c_.runs();
        options.from = &from_;
        options.stop = [this] { return c_.out_of_time(); };
        return options;
    }

    void explore(std::uint64_t steps) {
        auto options = exploration();
        options.verdicts_only = true;
        options.control_only = is_about_counts();
        Explorer explorer(m_, std::move(options));
        while (explorer.steps() < steps && !c_.out_of_time()) {
            enter(fmt::format("exploration, {}", plural(explorer.steps(), "machine step")));
            auto const end = explorer.next(std::min(c_.few_steps(), steps - explorer.steps()));
            if (end && is_goal(explorer, *end)) return found(explorer, "exploration");
            if (explorer.done()) return conclude(no, "exploration");
        }
        if (steps == options_.steps) report_end_of(explorer);
    }

    /// Explores a program with shared variables. Only runs on the recorded path count.
    void interleave(std::uint64_t steps) {
        Interleavings all(m_, options_.buffering, nullptr, &from_);
        while (all.steps() < steps && !c_.out_of_time()) {
            enter(fmt::format("exploration, {}", plural(all.steps(), "machine step")));
            auto const end = all.next(std::min(c_.few_steps(), steps - all.steps()));
            if (end && is_goal(all, *end)) return found(all, "exploration");
            if (all.done()) return conclude(no, "exploration");
        }
        report_end_of(all);
    }

    void report_end_of(Scheduler const& exploration) {
        c_.known.report(
            {Trouble::Kind::limit, fmt::format("exploration {} after {}", c_.out_of_time() ? "out of time" : "stopped",
                                               plural(exploration.steps(), "machine step"))});
    }

    // ---- Solvers, from the initial state on ----

    Asked asked() const {
        return goal_ == Kind::failure ? Asked::failure : goal_ == Kind::success ? Asked::success : Asked::any;
    }

    void take(RunAnswer answer, std::string const& name) {
        std::visit(overloaded{
                       [&](FoundRun const& run) { go_on_with(run.run.matching, name); },
                       [&](NoRun) { conclude(no, name); },
                       [&](Unanswered& none) {
                           if (none.trouble) c_.known.report(std::move(*none.trouble));
                       },
                   },
                   answer);
    }

    /// Runs the execution with these matches from the state on, as far as they do not contradict what was delivered.
    /// They may do so after the failure. The execution has no choice.
    void go_on_with(Matching const& m, std::string const& name) {
        auto options = exploration();
        options.stop = {};
        options.may_match = [&](Pair p) { return m[p.r] == p.s && c_.may_match(p); };
        Explorer explorer(m_, std::move(options));
        auto const end = explorer.next();
        if (!end || !is_goal(explorer, *end))
            throw std::logic_error("continuation: the matches of a run do not lead there from here");
        found(explorer, name);
    }

    void ask_sat_solver(std::uint64_t most_calls) {
        enter("sat");
        take(ask_sat(c_, asked(), most_calls), "sat");
    }

    void ask_smt_solver() {
        std::string const name = fmt::format("smt ({})", options_.solver.name);
        enter(name);
        if (!is_about_stops()) return take(ask_smt(c_, asked()), name);
        Stop const stop = goal_ == Kind::deadlock ? Stop::deadlock : Stop::fault;
        ask_for_stop(c_, stop);
        if (c_.known.is_open(stop)) return;
        found_.schedule = c_.known.reached(stop).schedule;
        conclude(c_.known.reached(stop).answer, name);
    }

    // ---- Before it is shown ----

    /// Runs the schedule on the reference machine. To a failure, cuts it there.
    void confirm() {
        Machine machine(m_.code(), options_.buffering, from_);
        if (!is_there(machine)) throw std::logic_error("continuation: the way found does not replay");
    }

    bool is_there(Machine& machine) {
        switch (goal_) {
        case Kind::failure: return fails(machine);
        case Kind::success: return completes(machine) && machine.state().s == Status::success;
        case Kind::deadlock: return ends_in_deadlock(machine, found_.schedule, Runs::executions);
        case Kind::fault: return fault_at_end(machine, found_.schedule, Runs::executions).has_value();
        case Kind::orphan: return completes(machine);
        case Kind::match: break;
        }
        return false;
    }

    bool fails(Machine& machine) {
        std::size_t steps = 0;
        while (steps < found_.schedule.size() && machine.state().s != Status::failure)
            static_cast<void>(machine.step(found_.schedule.entry(steps++)));
        found_.schedule.cut(steps);
        return machine.state().s == Status::failure;
    }
    bool completes(Machine& machine) const {
        return follow(machine, found_.schedule, found_.schedule.size()) && machine.state().finished();
    }

    MessageIndex const& m_;
    State const& from_;
    Kind goal_;
    CheckOptions options_;
    std::function<void(std::string_view)> const& enters_;
    Context c_;
    Continuation found_;
};

} // namespace

Continuation continuation(MessageIndex const& messages, State const& from, Goal::Kind goal, CheckOptions const& options,
                          std::function<void(std::string_view)> const& enters) {
    return LookAhead(messages, from, goal, options, enters).run();
}

} // namespace matchpoint::check
