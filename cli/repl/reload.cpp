// `reload`: the program again, after it was edited. Everything that the session keeps is found again by its names.

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/repl/repl.hpp"
#include "cli/run_end.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

struct Repl::NamedPlan {
    struct Movement {
        std::string beta;
        std::string alpha;
        std::string n; // empty if it names no tag
    };
    struct Entry {
        std::string rho;
        std::vector<Movement> m;
        std::optional<Movement> peek;
    };
    struct Overwrite {
        std::size_t steps;
        std::string x;
        Value v;
    };
    std::vector<Entry> entries;
    std::vector<Overwrite> overwrites; // those that were made
    std::optional<std::size_t> trace;
};

Repl::NamedPlan Repl::named_plan() const {
    auto const& names = code_.names();
    NamedPlan result;
    result.trace = stepper_.trace();
    for (std::size_t i = 0; i < stepper_.plan().size(); ++i) {
        Entry const entry = stepper_.plan().entry(i);
        auto const named = [&](Channel c) {
            grammar::Movement const m = code_.movement_of(c);
            return NamedPlan::Movement{std::string(names(m.beta)), std::string(names(m.alpha)),
                                       m.n.is_none() ? "" : std::string(names(m.n))};
        };
        result.entries.push_back({std::string(names(entry.rho)), {}, {}});
        for (Channel const c : entry.m) result.entries.back().m.push_back(named(c));
        if (!entry.peek.is_none()) result.entries.back().peek = named(entry.peek);
    }
    for (auto const& o : stepper_.overwrites()) result.overwrites.push_back({o.steps, std::string(names(o.x)), o.v});
    return result;
}

/// The entries of a plan up to the first one that the program does not have, or at which it is stuck; and why it ends
/// there.
std::pair<Schedule, std::string> Repl::still_runs(NamedPlan const& plan) const {
    auto const& names = code_.names();
    Stepper trial(code_, stepper_.buffering());
    Schedule result;
    auto overwrite = plan.overwrites.begin();
    for (NamedPlan::Entry const& entry : plan.entries) {
        for (; overwrite != plan.overwrites.end() && overwrite->steps == result.size(); ++overwrite)
            if (auto const x = names.variables.find(overwrite->x)) trial.overwrite({*x}, overwrite->v);
        auto const rho = names.locations.find(entry.rho);
        if (!rho) return {result, fmt::format("there is no location `{}`", printable(entry.rho))};
        auto const channel = [&](NamedPlan::Movement const& m) {
            auto const beta = names.endpoints.find(m.beta);
            auto const alpha = names.endpoints.find(m.alpha);
            auto const n = names.tags.find(m.n);
            return !beta || !alpha || (!m.n.empty() && !n) ? std::nullopt
                   : m.n.empty()                           ? code_.find_channel({*beta}, {*alpha})
                                                           : code_.find_channel({*beta}, {*alpha}, Tag{*n});
        };
        auto const nothing_comes = [](NamedPlan::Movement const& m) {
            return fmt::format("nothing is ever sent to {} from {}", printable(m.beta), printable(m.alpha));
        };
        std::vector<Channel> m;
        for (NamedPlan::Movement const& movement : entry.m) {
            auto const c = channel(movement);
            if (!c) return {result, nothing_comes(movement)};
            m.push_back(*c);
        }
        std::optional<Channel> peek = entry.peek ? channel(*entry.peek) : Channel{};
        if (!peek) return {result, nothing_comes(*entry.peek)};
        try {
            Schedule next;
            next.append({{*rho}, m, *peek});
            trial.plan(next);
            trial.step();
            if (auto const& error = trial.error())
                return {result, fmt::format("{} does not run: {}", printable(entry.rho),
                                            in_words(code_, trial.state(), error->stuck.reason))};
        } catch (LimitReached const& e) {
            return {result, fmt::format("limit reached: {}", e.what())};
        }
        result.append({{*rho}, m, *peek});
    }
    return {result, {}};
}

/// Plans what still runs of a plan, and goes to the step where the session was, or as near as that gets.
void Repl::take_up(NamedPlan const& plan, std::size_t steps) {
    if (plan.trace && *plan.trace < code_.program().traces.size()) {
        follow(*plan.trace);
        stepper_.jump(std::min(steps, stepper_.plan().size()));
        std::string why = "this is the end of the trace";
        if (auto const& error = stepper_.error()) {
            why = stuck_text(code_, state(), *error);
            stepper_.back(); // the run up to there is what still runs
        }
        if (std::size_t const at = stepper_.at().steps; at < std::min(steps, plan.entries.size()))
            out(fmt::format("the run gets no further than step {}: {}\n", at, why));
        return;
    }
    auto const [runs, why] = still_runs(plan);
    if (runs.size() < std::min(steps, plan.entries.size()))
        out(fmt::format("the run gets no further than step {}: {}\n", runs.size(), why));
    stepper_.plan(runs);
    for (NamedPlan::Overwrite const& o : plan.overwrites) {
        auto const x = code_.names().variables.find(o.x);
        if (!x) out(fmt::format("the value set by hand is gone: there is no variable `{}`\n", printable(o.x)));
        if (!x || o.steps > runs.size()) continue;
        stepper_.jump(o.steps);
        stepper_.overwrite({*x}, o.v);
    }
    stepper_.jump(std::min(steps, runs.size()));
}

void Repl::renew_breakpoints() {
    std::vector<Breakpoint> kept;
    for (Breakpoint& old : breakpoints_) {
        try {
            // A location that is gone must not become a line.
            if (old.kind == Breakpoint::Kind::location) static_cast<void>(location(old.text));
            Breakpoint b = old.is_watch() ? watchpoint(old.text) : breakpoint_at(old.text);
            give(b, old.condition);
            b.number = old.number;
            b.temporary = old.temporary;
            b.enabled = old.enabled;
            b.ignore = old.ignore;
            b.hits = old.hits;
            kept.push_back(std::move(b));
        } catch (Refused const& e) {
            out(fmt::format("{} {} is gone ({}): {}\n", old.is_watch() ? "watchpoint" : "breakpoint", old.number,
                            printable(old.text), e.what()));
        }
    }
    breakpoints_ = std::move(kept);
    look_again();
    decltype(displays_) displays;
    for (auto const& [text, look] : displays_) {
        try {
            displays.emplace_back(text, watched(text));
        } catch (Refused const& e) {
            out(fmt::format("display {} is gone: {}\n", printable(text), e.what()));
        }
    }
    displays_ = std::move(displays);
}

void Repl::reload(std::string const& arguments) {
    none(arguments, "reload");
    if (loaded_.path() == "-") throw Refused("the program came from standard input: it cannot be read again");
    auto source = read_source(loaded_.path());
    if (!source) throw Refused(source.error() + "; the old program stays");
    ProgramInput input = examine(std::move(*source), Discipline::as_warnings);
    show(screen_.terminal(), input.diagnostics, input.source);
    if (!input.program) throw Refused("the new text is faulty; the old program stays");
    NamedPlan const plan = named_plan();
    std::size_t const steps = stepper_.at().steps;
    auto const next = stepper_.next();
    std::string const came_next = next ? std::string(code_.names()(*next)) : "";
    bool const dropped = forget_moves() || !checkpoints_.empty();
    loaded_.replace(std::move(input));
    if (told_) tell_by_places();
    stepper_.start_again();
    ++reloads_;
    checkpoints_.clear();
    listed_.clear();
    listed_at_ = {};
    last_trace_ = last_trace_ < code_.program().traces.size() ? last_trace_ : 0;
    out(fmt::format("{}: {}, {}\n", printable(loaded_.source().name(), 4096),
                    plural(code_.ctp().threads.size(), word_for_thread(code_)),
                    plural(code_.program().traces.size(), "trace")));
    // First of all: what looks at the state must not do so by the indices of the old program.
    renew_breakpoints();
    try {
        take_up(plan, steps);
    } catch (LimitReached const& e) {
        out(fmt::format("the run gets no further than step {}: limit reached: {}\n", stepper_.at().steps, e.what()));
    }
    if (next && !code_.names().locations.find(came_next))
        out(fmt::format("`{}`, which came next, is gone\n", printable(came_next)));
    if (dropped) out("checkpoints, undo and redo start anew\n");
    say_where();
}

} // namespace matchpoint::cli
