// Windows of a long run (check/shared/window.hpp): each is checked like a program, in a part of the time.
#include <algorithm>
#include <chrono>
#include <new>

#include "check/confirmed.hpp"
#include "check/engines/engines.hpp"
#include "check/plan.hpp"
#include "check/shared/window.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;

/// The commands of the first trace of the program, or of an execution that completes, in their order. The first entry
/// that cannot be one of an execution, and all after it, are left out.
std::vector<Location> events_of_run(Context const& c) {
    IndexedProgram const& code = c.messages().code();
    std::vector<Location> result;
    if (!code.program().traces.empty()) {
        Trace const& trace = code.program().traces.front();
        result.reserve(trace.entries.size());
        for (Sigma const& sigma : trace.entries) {
            if (sigma.last_movement > 0 || sigma.rho.index >= code.ctp().commands.size()) break;
            result.push_back(sigma.rho);
        }
    } else if (c.known.success()) {
        Schedule const& schedule = c.known.success()->schedule;
        for (std::size_t i = 0; i < schedule.size(); ++i) result.push_back(schedule.entry(i).rho);
    }
    return result;
}

/// How many events a window has. 0: no windows are looked at.
std::uint32_t window_size(Context const& c) {
    std::uint32_t const by_default = c.messages().code().ctp().commands.size() < 1'000 ? 0 : 100;
    return c.options().window.value_or(by_default);
}

/// What is known of a window.
struct Seen {
    CheckResult result;
    bool all = false;                           // executions were looked at, and none fails
    std::optional<std::uint32_t> switches = {}; // none fails with so many context switches
};

class WindowSearch {
public:
    WindowSearch(Context& c, std::vector<Location> events, std::uint32_t size)
        : c_(c), code_(c.messages().code()), tables_(c.messages()), machine_(code_, c.options().buffering),
          events_(std::move(events)), starts_(window_starts(c.messages(), events_, size)),
          commands_(code_.ctp().threads.size()), begin_(Clock::now()),
          time_(c.options().window_time * static_cast<std::int64_t>(size)) {
        found_.events = size;
        found_.all = starts_.size();
        if (auto const left = c.time_left())
            time_ = std::min<Clock::duration>(time_, *left / 3 / static_cast<std::int64_t>(found_.all));
    }

    /// Until some execution fails, or time is up.
    void run() {
        std::size_t counted = 0; // events
        for (std::size_t w = 0; w < starts_.size(); ++w) {
            if (w > 0 && !go_on(starts_[w - 1], starts_[w])) break;
            for (; counted < std::min(starts_[w] + found_.events, events_.size()); ++counted)
                ++commands_[code_.thread_of(events_[counted])];
            if (Clock::now() > end_of(starts_.size() - 1) || c_.out_of_time()) break;
            look_at(w);
            if (c_.known.failure()) break;
            if (w + 1 == starts_.size()) go_on(starts_[w], events_.size());
        }
        if (found_.looked_at > 0) c_.windows = found_;
    }

private:
    /// When a window has to be done. What earlier ones have left, it may take.
    Clock::time_point end_of(std::size_t window) const {
        return begin_ + time_ * static_cast<std::int64_t>(window + 1);
    }

    /// Executes these events, and takes them out of the window. False if the run ends with one of them.
    bool go_on(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            spend(8);
            if (machine_.step({events_[i], {}}).is_stuck() || machine_.state().s != Status::success) break;
            --commands_[code_.thread_of(events_[i])];
        }
        if (machine_.state().s == Status::failure) add_failure(begun(machine_.state().trace));
        return machine_.state().s == Status::success;
    }

    /// The first events of the run.
    Schedule begun(std::size_t events) const {
        Schedule result;
        for (std::size_t i = 0; i < events; ++i) result.step(events_[i]);
        return result;
    }
    Schedule raised(std::size_t first, Window const& window, Schedule const& schedule) const {
        Schedule result = begun(first);
        window.append_raised(schedule, result);
        return result;
    }
    void add_failure(Schedule schedule) {
        Run run{Matching(c_.messages()), std::move(schedule), Status::failure, Extent::prefix};
        c_.known.add(fact::Execution{std::move(run)});
        c_.known.conclude(Verdict::violated, {"windows"});
    }

    CheckOptions options_of_window(std::size_t window) const {
        CheckOptions options;
        options.buffering = c_.options().buffering;
        options.steps = c_.options().steps;
        options.cancelled = c_.options().cancelled;
        options.memory = c_.options().memory;
        options.stops = options.leaves_path = false;
        auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end_of(window) - Clock::now());
        options.time = std::max(left, std::chrono::milliseconds(1));
        return options;
    }

    Seen seen(Window const& window, CheckOptions const& options) {
        Context w(window.messages(), options);
        // Where nobody asks for data races, steps are longer.
        if (!c_.known.is_race_open()) w.known.add(fact::NeverRaces{});
        try {
            Watch const watch = w.watch();
            run_plan(w, plan_of_window());
        } catch (LimitReached const&) {
            // What is known by then counts.
        } catch (std::bad_alloc const&) {
            // The same.
        }
        bool const fails = w.known.failure().has_value();
        Seen result{{}, !fails && (w.is_explored || w.known.fails_never_by()), w.explored_switches};
        c_.known.work().steps += w.known.work().steps + (w.interleavings ? w.interleavings->steps() : 0);
        result.result = w.known.take();
        return result;
    }

    void look_at(std::size_t w) {
        std::size_t const first = starts_[w];
        Window const window(tables_, machine_.state(), commands_);
        // If nobody writes what another thread reads, every order ends as the run does, which is executed in any case.
        if (!window.messages().code().shares()) {
            ++found_.looked_at;
            ++found_.whole;
            return;
        }
        Seen const seen = this->seen(window, options_of_window(w));
        CheckResult const& r = seen.result;
        if (seen.all) ++found_.whole;
        if (seen.all || seen.switches) ++found_.looked_at;
        if (!seen.all && seen.switches)
            found_.switches = std::min(found_.switches.value_or(*seen.switches), *seen.switches);
        if (r.verdict == Verdict::violated) add_failure(raised(first, window, r.run->schedule));
        if (r.fault.answer == Reached::Answer::yes && c_.known.is_open(Stop::fault))
            c_.known.add(fact::Stuck{Stop::fault, raised(first, window, r.fault.schedule)});
        if (r.deadlock.answer == Reached::Answer::yes && c_.known.is_open(Stop::deadlock))
            add_if_deadlock(raised(first, window, r.deadlock.schedule), first);
        if (r.race && r.race->answer == Reached::Answer::yes && c_.known.is_race_open())
            c_.known.add(
                fact::Races{{Reached::Answer::yes, window.original(r.race->first), window.original(r.race->second),
                             window.original(r.race->x), raised(first, window, r.race->schedule)}});
    }

    /// Threads that wait at the end of an execution of the window may go on once others have done what comes after it.
    void add_if_deadlock(Schedule schedule, std::size_t first) {
        Machine machine(code_, machine_.buffering(), machine_.state());
        for (std::size_t i = first; i < schedule.size(); ++i)
            if (machine.step(schedule.entry(i)).is_stuck()) return;
        if (is_deadlock(machine)) c_.known.add(fact::Stuck{Stop::deadlock, std::move(schedule)});
    }

    Context& c_;
    IndexedProgram const& code_;
    WindowTables tables_;
    Machine machine_; // in front of the window
    std::vector<Location> events_;
    std::vector<std::size_t> starts_;     // of windows
    std::vector<std::uint32_t> commands_; // thread -> how many the window has
    CheckResult::Windows found_;
    Clock::time_point begin_;
    Clock::duration time_; // of a window
};

} // namespace

void look_through_windows(Context& c) {
    std::uint32_t const size = window_size(c);
    bool const is_long = size > 0 && c.messages().code().ctp().commands.size() > size;
    if (!is_long || !c.is_on_path() || !has_windows(c.messages())) return;
    std::vector<Location> events = events_of_run(c);
    if (events.empty()) return;
    c.activity().begin(Activity::Stage::exploring);
    WindowSearch(c, std::move(events), size).run();
}

} // namespace matchpoint::check
