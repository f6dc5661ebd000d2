#include "cli/dap/runner.hpp"

#include <algorithm>

#include "cli/run_end.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

/// Notes conditions that are false, and passes events on to the narrator.
class Runner::Watcher final : public Observer {
public:
    explicit Watcher(Observer* to) : to_(to) {}

    void on(State const& state, Event const& event) override {
        if (to_ != nullptr) to_->on(state, event);
        if (auto const* const a = std::get_if<event::AssertCommand>(&event); a != nullptr && a->v.is_false())
            found = Finding::Kind::assertion;
        if (auto const* const a = std::get_if<event::AssumeCommand>(&event); a != nullptr && a->v.is_false())
            found = Finding::Kind::assumption;
    }
    std::optional<Finding::Kind> found;

private:
    Observer* to_;
};

/// The stepper tells this observer as long as one of these exists.
class Runner::Watching {
public:
    Watching(Stepper& stepper, Observer& observer) : stepper_(stepper), told_(stepper.observer()) {
        stepper.observe(&observer);
    }
    Watching(Watching const&) = delete;
    Watching& operator=(Watching const&) = delete;
    ~Watching() { stepper_.observe(told_); }

private:
    Stepper& stepper_;
    Observer* told_;
};

Runner::Runner(Debuggee& debuggee, Breakpoints& breakpoints, ExceptionFilters const& filters,
               std::function<bool()> interrupted)
    : debuggee_(debuggee), breakpoints_(breakpoints), filters_(filters), interrupted_(std::move(interrupted)),
      narrator_(
          debuggee.code,
          [this](std::string_view line) {
              if (debuggee_.options.narrate) narration_ += line;
          },
          8, Narrator::Detail::brief),
      following_(debuggee.stepper().has_next()) {
    if (debuggee.options.seed) random_.emplace(*debuggee.options.seed);
}

bool Runner::at_end() { return stepper().ended() || (!stepper().has_next() && stepper().choices().empty()); }

std::optional<std::uint32_t> Runner::thread_of(std::optional<Location> rho) {
    if (!rho || !debuggee_.code.has(*rho)) return std::nullopt;
    return debuggee_.code.thread_of(*rho);
}

std::optional<std::uint32_t> Runner::thread_in_focus() {
    if (auto const& error = stepper().error())
        if (auto const t = thread_of(error->rho)) return t;
    if (auto const t = thread_of(stepper().next())) return t;
    std::size_t const threads = debuggee_.code.ctp().threads.size();
    for (std::uint32_t t = 0; t < threads; ++t)
        if (debuggee_.at(t)) return t;
    return threads == 0 ? std::nullopt : std::optional<std::uint32_t>(0);
}

Stop Runner::here(std::string reason, std::string description) {
    return {std::move(reason), std::move(description), "", thread_in_focus()};
}

// ---------------------------------------------------------------------------------------------------------------------
// Why a run stops

Stop Runner::end() {
    if (!stepper().ended() || stepper().state().s == Status::error) return halt();
    Stop stop = here("end", complete_text(debuggee_.code, stepper().state()));
    stop.is_end = true;
    return stop;
}

/// The run ended in error, or every thread waits.
Stop Runner::halt() {
    if (stepper().error()) {
        if (auto stop = fault(stepper().error()->rho)) return *stop;
        Stop stop = here("end", "the run ended in error");
        stop.is_end = true;
        return stop;
    }
    auto why = blocked(debuggee_.code, stepper().buffering(), stepper().before_command());
    if (!why) return here("end", "nothing can come next");
    CutShort const cut = provenance_of(debuggee_.loaded.source().text()).cut_short;
    end_openly(*why, debuggee_.code, cut);
    bool const is_open = why->kind == Blocked::Kind::ended;
    bool const stops = why->kind == Blocked::Kind::fault ? filters_.fault : !is_open && filters_.deadlock;
    std::string text = shown(debuggee_.code, *why);
    text.erase(text.find_last_not_of('\n') + 1);
    return {.reason = stops ? "exception" : "end",
            .description = is_open ? open_end_text(cut) : blocked_text(why->kind),
            .text = std::move(text),
            .thread = why->threads.front().thread,
            .exception = stops ? std::string(to_string(why->kind)) : "",
            .is_end = true};
}

/// The rule at which the run has ended in error.
std::optional<Stop> Runner::fault(std::optional<Location> rho) {
    auto const& error = stepper().error();
    if (!error || !filters_.fault) return std::nullopt;
    std::string where = fmt::format("entry {}", error->entry);
    if (rho) where += fmt::format(", location {}", shown(debuggee_.code, *rho));
    if (auto const t = thread_of(rho))
        where += fmt::format(", thread {}: {}", *t, shown(debuggee_.code, debuggee_.code.command_at(*rho)));
    return Stop{.reason = "exception",
                .description = "no rule applies: the run ended in error",
                .text = fmt::format("at {}\n{}", where, stuck_text(debuggee_.code, stepper().state(), *error)),
                .thread = thread_in_focus(),
                .exception = "fault",
                .is_end = true};
}

/// An assertion or assumption that was found to be false.
std::optional<Stop> Runner::found(Watcher const& watcher, std::optional<Location> rho, std::size_t entry) {
    if (!watcher.found || !thread_of(rho)) return std::nullopt;
    bool const assertion = *watcher.found == Finding::Kind::assertion;
    if (!(assertion ? filters_.failure : filters_.infeasible)) return std::nullopt;
    constexpr std::size_t most_values = 100;
    auto const& code = debuggee_.code;
    Expression const e = *expression_of(code.command_at(*rho));
    Finding const finding{*watcher.found, entry, *rho, e, bindings(code, stepper().state(), e, most_values)};
    return Stop{.reason = "exception",
                .description = assertion ? "an assertion does not hold" : "an assumption does not hold",
                .text = shown(code, finding),
                .thread = thread_of(rho),
                .exception = assertion ? "failure" : "infeasible"};
}

Stop Runner::limit(std::string const& why) {
    return {.reason = "exception",
            .description = "a limit of this implementation was reached",
            .text = why,
            .thread = thread_in_focus(),
            .exception = "limit"};
}

/// A breakpoint in front of what comes next.
std::optional<Stop> Runner::breakpoint(std::optional<Location> rho) {
    if (!rho || debuggee_.options.no_debug) return std::nullopt;
    auto const hit = breakpoints_.before(*rho);
    if (!hit) return std::nullopt;
    return Stop{.reason = hit->kind == Breakpoints::Kind::line ? "breakpoint" : "function breakpoint",
                .thread = thread_of(rho),
                .breakpoints = hit->ids};
}

// ---------------------------------------------------------------------------------------------------------------------
// Forward

std::optional<Stop> Runner::move(std::optional<Location> rho, std::function<void()> const& step) {
    std::size_t const entry = stepper().at().steps;
    Watcher watcher(&narrator_);
    try {
        Watching const watching(stepper(), watcher);
        step();
    } catch (LimitReached const& e) {
        return limit(e.what());
    }
    if (auto stop = fault(rho)) return stop;
    std::optional<Stop> stop = debuggee_.options.no_debug ? std::nullopt : found(watcher, rho, entry);
    // Data is looked at in any case: the next move compares with what it is now.
    auto const hit = debuggee_.options.no_debug ? std::nullopt : breakpoints_.after(rho);
    if (stop || !hit) return stop;
    return Stop{.reason = "data breakpoint", .text = hit->text, .thread = thread_of(rho), .breakpoints = hit->ids};
}

/// What comes where nothing is planned: the first choice, or one at random.
Transition Runner::pick() {
    auto const all = stepper().choices();
    return all[random_ ? (*random_)() % all.size() : 0].what;
}

/// Runs until there is enough (then the result is none), or until something stops it.
std::optional<Stop> Runner::along(std::function<bool()> const& enough, bool stops_at_first, bool narrates) {
    constexpr std::size_t steps_between_looks = 64;
    breakpoints_.look_again();
    for (std::size_t n = 0;; ++n) {
        std::optional<Transition> chosen;
        try {
            if (at_end()) return end();
            if (!stepper().has_next()) chosen = pick();
        } catch (LimitReached const& e) {
            return limit(e.what());
        }
        std::optional<Location> rho = stepper().next();
        if (chosen) {
            auto const* const t = std::get_if<Execute>(&*chosen);
            rho = t != nullptr ? std::optional(t->rho) : std::nullopt;
        }
        if (n > 0 || stops_at_first)
            if (auto stop = breakpoint(rho)) return stop;
        auto stop = move(rho, [&] {
            if (chosen)
                static_cast<void>(stepper().choose(*chosen));
            else
                stepper().step();
        });
        if (!narrates) narration_.clear();
        if (chosen) following_ = false;
        if (stop) return stop;
        if (enough()) return std::nullopt;
        if (n % steps_between_looks == 0 && interrupted_()) return here("pause");
    }
}

Stop Runner::go_on(bool from_beginning) {
    return *along([] { return false; }, from_beginning, false);
}

/// Whether the plan has a step of a thread.
bool Runner::comes_again(std::uint32_t thread) {
    if (!debuggee_.at(thread)) return false;
    Schedule const& plan = stepper().plan();
    for (std::size_t i = stepper().at().steps; i < plan.size(); ++i)
        if (thread_of(plan.entry(i).rho) == thread) return true;
    return false;
}

void Runner::must_be_possible(Transition const& what) {
    if (stepper().ended()) throw Refused("the run has ended");
    if (auto const why = stepper().why_not(what))
        throw Refused(fmt::format("{}: {}", debuggee_.repl.choice_text(what),
                                  in_words(debuggee_.code, stepper().state(), why->reason)));
}

Stop Runner::next(std::uint32_t thread) {
    if (!follows()) {
        auto const rho = debuggee_.at(thread);
        if (!rho) throw Refused(fmt::format("thread {} is finished", thread));
        return choose(stepper().command(*rho));
    }
    bool const one = !comes_again(thread);
    std::uint32_t const before = debuggee_.state().ctp[thread];
    if (auto stop = along([&] { return one || debuggee_.state().ctp[thread] != before; }, false, true)) return *stop;
    if (at_end()) return end();
    Stop stop = here("step");
    if (!one) stop.thread = thread;
    return stop;
}

Stop Runner::choose(Transition const& what) {
    must_be_possible(what);
    breakpoints_.look_again();
    auto const* const t = std::get_if<Execute>(&what);
    auto const rho = t != nullptr ? std::optional(t->rho) : std::nullopt;
    auto stop = move(rho, [&] { static_cast<void>(stepper().choose(what)); });
    following_ = follows(); // a choice beside the plan cuts it
    if (stop) return *stop;
    if (at_end()) return end();
    Stop step = here("step");
    if (!follows()) step.thread = thread_of(rho);
    return step;
}

Stop Runner::rule(std::uint32_t thread) {
    std::optional<Location> rho = stepper().next();
    if (!follows()) {
        auto const mine = debuggee_.at(thread);
        if (!mine) throw Refused(fmt::format("thread {} is finished", thread));
        must_be_possible(stepper().command(*mine));
        bool const begun = rho == mine && stepper().at().rules > 0;
        if (!begun) {
            Schedule one;
            one.step(*mine, stepper().command(*mine).peek);
            stepper().plan(one);
            following_ = false;
        }
        rho = mine;
    }
    breakpoints_.look_again();
    auto stop = move(rho, [&] { stepper().step_rule(); });
    if (stop) return *stop;
    if (at_end()) return end();
    Stop step = here("step");
    if (!follows() || stepper().at().rules > 0) step.thread = thread_of(rho);
    if (!step.thread) step.thread = thread;
    return step;
}

Stop Runner::out(std::uint32_t thread) {
    if (follows()) {
        if (auto stop = along([] { return true; }, false, true)) return *stop;
        return at_end() ? end() : here("step");
    }
    Stop stop = next(thread);
    while (stop.reason == "step" && !stop.is_end) {
        auto const rho = debuggee_.at(thread);
        if (!rho || stepper().why_not(stepper().command(*rho))) break;
        if (auto hit = breakpoint(rho)) return *hit;
        if (interrupted_()) return here("pause");
        stop = choose(stepper().command(*rho));
    }
    return stop;
}

// ---------------------------------------------------------------------------------------------------------------------
// Back

Stop Runner::back(std::uint32_t thread) {
    Stepper& s = stepper();
    if (s.at_beginning()) throw Refused("this is the beginning");
    if (s.at().rules > 0 && s.at().steps >= s.plan().size()) {
        s.back_rule(); // a delivery that was chosen
        return here("step");
    }
    // If the thread has made no step, the last one of any thread.
    auto const path = s.path();
    bool const begun = s.at().rules > 0;
    bool any = begun && thread_of(s.next()) == thread;
    for (std::size_t i = path.size(); i > 0 && !any; --i) any = thread_of(path.entry(i - 1).rho) == thread;
    bool const only_one = !any || !following_;
    while (s.back() && !only_one && thread_of(s.next()) != thread) {
    }
    Stop stop = here("step");
    if (s.at_beginning()) stop.description = "at the beginning";
    return stop;
}

Stop Runner::back_rule() {
    if (!stepper().back_rule()) throw Refused("this is the beginning");
    return here("step");
}

Stop Runner::back_on() {
    if (stepper().at_beginning()) throw Refused("this is the beginning");
    breakpoints_.look_again();
    while (breakpoints_.judge(), stepper().back()) {
        auto const rho = stepper().next();
        auto const hit = breakpoints_.behind(rho);
        if (auto stop = breakpoint(rho)) return *stop;
        if (hit)
            return {.reason = "data breakpoint", .text = hit->text, .thread = thread_of(rho), .breakpoints = hit->ids};
        if (interrupted_()) return here("pause");
    }
    return here("entry", "at the beginning");
}

Stop Runner::jump(std::size_t steps) {
    try {
        stepper().jump(steps);
    } catch (LimitReached const& e) {
        return limit(e.what());
    }
    return here("goto");
}

// ---------------------------------------------------------------------------------------------------------------------

std::optional<Stop> Runner::moved_by(std::function<void()> const& mover) {
    Stepper::Bookmark const before = stepper().bookmark(); // keeps the plan as it is, at its place
    Schedule const* const plan = &stepper().plan();
    mover();
    if (&stepper().plan() != plan) following_ = stepper().has_next();
    if (stepper().bookmark() == before) return std::nullopt;
    try {
        return moved_from(before.at());
    } catch (LimitReached const& e) {
        return limit(e.what());
    }
}

/// Why the run has stopped here, if something else has moved it.
Stop Runner::moved_from(Stepper::Point before) {
    if (stepper().state().s != Status::success && stepper().at().steps > before.steps) {
        if (auto stop = fault(stepper().error() ? stepper().error()->rho : std::nullopt)) return *stop;
        Machine machine(debuggee_.code, stepper().buffering());
        Findings findings(debuggee_.code);
        machine.observe(findings);
        stepper().run_again(machine);
        auto const& failed = findings.assertions();
        if (filters_.failure && !failed.empty() && failed.back().entry >= before.steps)
            return Stop{.reason = "exception",
                        .description = "an assertion does not hold",
                        .text = shown(debuggee_.code, failed.back()),
                        .thread = thread_of(failed.back().rho),
                        .exception = "failure"};
    }
    return at_end() ? end() : here("step");
}

ExitCode exit_code_of(Debuggee& debuggee) {
    if (debuggee.stepper().ended() || debuggee.state().s != Status::success) return exit_code(debuggee.state().s);
    try {
        auto why = blocked(debuggee.code, debuggee.stepper().buffering(), debuggee.stepper().before_command());
        if (!why) return deadlock;
        end_openly(*why, debuggee.code, provenance_of(debuggee.loaded.source().text()).cut_short);
        switch (why->kind) {
        case Blocked::Kind::deadlock: return deadlock;
        case Blocked::Kind::fault: return error;
        case Blocked::Kind::ended: break;
        }
        return unknown;
    } catch (LimitReached const&) {
        return unknown;
    }
}

} // namespace matchpoint::cli
