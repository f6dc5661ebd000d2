// When breakpoints stop a run, forward and back.
//
// The same steps stop a run in both directions. A breakpoint on a location or a thread stops it before a command; its
// condition is about the state there. A watchpoint and a breakpoint on what becomes true stop it at a step that changes
// something; their condition is about the state that the step leads to. Going forward, the run stops after that step;
// going back, it stops before it.

#include <algorithm>

#include <fmt/format.h>

#include "cli/repl/repl.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

/// "step 6, thread 0: 04 (a := A)"
std::string Repl::entry_text(std::size_t i) const {
    if (i >= stepper_.plan().size())
        return fmt::format("step {}, {}", i, stepper_.trace() ? "the end of the trace" : "a delivery");
    Location const rho = stepper_.plan().entry(i).rho;
    if (!code_.has(rho)) return fmt::format("step {}, {}", i, shown(code_, rho));
    return fmt::format("step {}, {}: {} {}", i, shown_thread(code_, code_.thread_of(rho)), shown(code_, rho),
                       shown(code_, code_.command_at(rho)));
}

/// What the run, going back, has just taken back.
std::string Repl::coming_text() const {
    if (auto const o = stepper_.next_overwrite())
        return fmt::format("hand, after step {}: {} = {}", o->steps, shown(code_, o->x), shown(o->v));
    return entry_text(stepper_.at().steps);
}

/// What the run has just done.
std::string Repl::last_step_text() const {
    auto const [steps, rules] = stepper_.at();
    if (rules > 0) return entry_text(steps);
    if (auto const o = stepper_.last_overwrite())
        return fmt::format("hand, after step {}: {} = {}", o->steps, shown(code_, o->x), shown(o->v));
    return entry_text(steps - 1);
}

bool Repl::Breakpoint::is_at(Location rho) const {
    return (kind == Kind::location && subject == rho.index) ||
           (kind == Kind::source_line && std::find(calls.begin(), calls.end(), rho) != calls.end());
}

Repl::Truth Repl::judged(Breakpoint const& b) const {
    if (b.holds == nullptr) return {};
    auto const value = b.holds->evaluated(state());
    if (!value) return {false, value.error(), false};
    if (!value->is_boolean()) return {false, fmt::format("it is {}", shown(*value)), true};
    return {value->is_true(), {}, false};
}

/// Whether a breakpoint that is met stops the run. Counts it. A condition that can never hold stops the run, as users
/// would wait for it forever; one that has no value is told once.
bool Repl::stops(Breakpoint& b, Truth const& truth) {
    if (!b.enabled) return false;
    b.undecided = truth.never_decided ? truth.unknown : "";
    if (!truth.unknown.empty()) {
        ++b.unknown;
        b.why_unknown = truth.unknown;
        if (b.unknown == 1 && !truth.never_decided)
            out(fmt::format("{} {} does not stop at step {}: {}; `info breakpoints` counts this\n",
                            b.is_watch() ? "watchpoint" : "breakpoint", b.number, place(), truth.unknown));
        return truth.never_decided;
    }
    if (!truth.holds) return false;
    ++b.hits;
    if (b.ignore == 0) return true;
    --b.ignore;
    return false;
}

std::string Repl::stop_text(Breakpoint const& b, std::string const& step, std::string const& was,
                            std::string const& is) const {
    std::string const head =
        fmt::format("{} {}: {}{}", b.is_watch() ? "watchpoint" : "breakpoint", b.number, printable(b.text),
                    b.condition.empty() ? "" : fmt::format(" if {}", printable(b.condition)));
    std::string const wrong =
        b.undecided.empty() ? "" : fmt::format("  its condition is neither true nor false: {}\n", b.undecided);
    if (step.empty()) return head + '\n' + wrong;
    if (!b.is_watch()) return fmt::format("{}, by {}\n{}", head, step, wrong);
    return fmt::format("{}, changed by {}\n  was {}\n  is  {}\n{}", head, step, paint()(Style::removed, was),
                       paint()(Style::added, is), wrong);
}

namespace {

/// Those that were for one stop.
template <typename Breakpoints>
void drop(Breakpoints& breakpoints, std::vector<std::uint32_t> const& numbers) {
    std::erase_if(breakpoints, [&](auto const& b) {
        return b.temporary && std::find(numbers.begin(), numbers.end(), b.number) != numbers.end();
    });
}

} // namespace

/// The breakpoints on the command that comes next.
std::string Repl::stops_before(std::optional<Location> rho) {
    std::string text;
    if (!rho) return text;
    std::vector<std::uint32_t> stopped;
    for (Breakpoint& b : breakpoints_) {
        bool const met = b.is_at(*rho) ||
                         (b.kind == Breakpoint::Kind::thread && code_.has(*rho) && code_.thread_of(*rho) == b.subject);
        if (!met || !b.enabled || !stops(b, judged(b))) continue;
        text += stop_text(b, "", "", "");
        stopped.push_back(b.number);
    }
    drop(breakpoints_, stopped);
    return text;
}

/// The breakpoints on what the last move, forward, changed.
std::string Repl::stops_after() {
    std::string text;
    std::vector<std::uint32_t> stopped;
    for (Breakpoint& b : breakpoints_) {
        if (!b.look) continue;
        std::string const was = std::exchange(b.seen, b.look());
        if (b.seen == was || !(b.is_watch() || b.seen == b.target) || !b.enabled || !stops(b, judged(b))) continue;
        text += stop_text(b, last_step_text(), was, b.seen);
        stopped.push_back(b.number);
    }
    drop(breakpoints_, stopped);
    return text;
}

/// The breakpoints on what the move that was just taken back changed. `truths` has the conditions as they were before.
std::string Repl::stops_behind(std::vector<Truth> const& truths) {
    std::string text;
    std::vector<std::uint32_t> stopped;
    for (std::size_t i = 0; i < breakpoints_.size(); ++i) {
        Breakpoint& b = breakpoints_[i];
        if (!b.look) continue;
        std::string const is = std::exchange(b.seen, b.look());
        if (b.seen == is || !(b.is_watch() || is == b.target) || !stops(b, truths[i])) continue;
        text += stop_text(b, coming_text(), b.seen, is);
        stopped.push_back(b.number);
    }
    drop(breakpoints_, stopped);
    return text;
}

std::optional<std::string> Repl::back_once(bool (Stepper::*back)()) {
    std::vector<Truth> truths;
    truths.reserve(breakpoints_.size());
    for (Breakpoint const& b : breakpoints_) truths.push_back(b.look && b.enabled ? judged(b) : Truth{});
    if (!(stepper_.*back)()) return std::nullopt;
    std::string text = stops_behind(truths);
    if (stepper_.at().rules == 0) text += stops_before(stepper_.next());
    return text;
}

void Repl::look_again() {
    for (Breakpoint& b : breakpoints_)
        if (b.look) b.seen = b.look();
}

} // namespace matchpoint::cli
