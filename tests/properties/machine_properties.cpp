#include <gtest/gtest.h>
#include <rapidcheck/gtest.h> // after gtest.h: it does not include it

#include <optional>
#include <set>

#include "machine/well_formed.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/shown_case.hpp"

namespace matchpoint::naive {

namespace {

/// Every event's status, in order.
class StatusWatcher final : public Observer {
public:
    void on(matchpoint::State const& state, Event const&) override {
        moved_down_ |= state.s < last_;
        last_ = state.s;
    }
    bool moved_down() const { return moved_down_; }

private:
    matchpoint::Status last_ = matchpoint::Status::success;
    bool moved_down_ = false;
};

/// What a trace entry reads or changes, as names of state components; nothing if its command is no thread's next one.
std::optional<std::set<std::string>> footprint(Program const& program, State const& before, TraceEntry const& entry) {
    std::set<std::string> result;
    bool is_next = false;
    auto const endpoint = [&](Endpoint beta) { result.insert("at " + std::to_string(beta)); };
    auto const channel = [&](Endpoint beta, Endpoint alpha) {
        result.insert("from " + std::to_string(alpha) + " to " + std::to_string(beta));
    };
    auto const variables = [&](Expression const& e) {
        std::vector<Expression const*> rest{&e};
        while (!rest.empty()) {
            Expression const& next = *rest.back();
            rest.pop_back();
            if (next.kind == Expression::Kind::variable) result.insert("variable " + next.variable);
            for (Expression const& operand : next.operands) rest.push_back(&operand);
        }
    };
    auto const thread = [&](std::size_t t) { result.insert("thread " + std::to_string(t)); };
    for (Movement const& m : entry.movements) {
        endpoint(m.beta);
        channel(m.beta, m.alpha);
    }
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        if (before.next[t] == program.threads[t].size()) continue;
        Command const& c = program.threads[t][before.next[t]];
        if (c.location != entry.location) continue;
        is_next = true;
        thread(t);
        if (auto const* const x = std::get_if<Assume>(&c.what)) variables(x->condition);
        if (auto const* const x = std::get_if<Assert>(&c.what)) variables(x->condition);
        if (auto const* const x = std::get_if<Assign>(&c.what)) {
            variables(x->value);
            result.insert("variable " + x->variable);
        }
        if (auto const* const x = std::get_if<Sndi>(&c.what)) {
            variables(x->payload);
            channel(x->beta, x->alpha);
        }
        if (auto const* const x = std::get_if<Rcvi>(&c.what)) endpoint(x->beta);
        if (auto const* const x = std::get_if<Wait>(&c.what)) {
            ActionSite const site = find_action(program, x->action);
            if (site.sndi != nullptr) {
                // A receive that is posted can be what it waits for.
                endpoint(site.sndi->beta);
                channel(site.sndi->beta, site.sndi->alpha);
            }
            if (site.rcvi != nullptr) {
                endpoint(site.rcvi->beta);
                // Whatever it may complete.
                for (Thread const& all : program.threads)
                    for (Command const& other : all)
                        if (auto const* const r = std::get_if<Rcvi>(&other.what))
                            if (r->beta == site.rcvi->beta) {
                                result.insert("variable " + r->variable);
                                for (auto const& y : {r->sel.source, r->sel.tagged})
                                    if (y) result.insert("variable " + *y);
                            }
            }
        }
        if (auto const* const x = std::get_if<Meet>(&c.what))
            for (std::size_t u = 0; u < program.threads.size(); ++u)
                for (Command const& other : program.threads[u])
                    if (other.what == decltype(other.what)(*x)) thread(u);
    }
    if (!is_next) return std::nullopt;
    return result;
}

bool interact(std::set<std::string> const& a, std::set<std::string> const& b) {
    return std::any_of(a.begin(), a.end(), [&](std::string const& x) { return b.count(x) != 0; });
}

std::string fresh_name(std::string const& text) {
    std::string name = "fresh";
    while (text.find(name) != std::string::npos) name += "_";
    return name;
}

/// With and without selectors, modes and barriers.
rc::Gen<ShownCase> cases_of_both() { return rc::gen::oneOf(all_cases(), shown_cases(any_mpi_case)); }

Result outcome(Case const& c) { return run_on_machine(*load(c).code, buffering(c)); }

} // namespace

RC_GTEST_PROP(MachineProperties, StatusNeverMovesDown, ()) {
    ShownCase const shown = *cases_of_both();
    Loaded const loaded = load(shown.c);
    StatusWatcher watcher;
    Machine machine(*loaded.code, buffering(shown.c));
    machine.observe(watcher);
    run(machine, 0);
    RC_ASSERT(!watcher.moved_down());
}

RC_GTEST_PROP(MachineProperties, EveryStateAgreesWithNaiveRecomputation, ()) {
    // Not only the last one: A, the queues, the store and the match set after each step.
    ShownCase const shown = *cases_of_both();
    Loaded const loaded = load(shown.c);
    Machine machine(*loaded.code, buffering(shown.c));
    State naive = initial_state(shown.c.program);
    RC_ASSERT(snapshot(*loaded.code, machine.state()) == naive);
    for (std::size_t i = 0; i < shown.c.trace.size(); ++i) {
        State const before = naive;
        auto next = step(shown.c.program, naive, shown.c.trace[i], shown.c.zero);
        Step const ours = machine.step(loaded.entry(i));
        RC_ASSERT(ours.is_stuck() == std::holds_alternative<Reason>(next));
        if (ours.is_stuck()) {
            naive.s = Status::error;
            RC_ASSERT(snapshot(*loaded.code, machine.state()) == naive);
            break;
        }
        naive = std::get<State>(std::move(next));
        RC_ASSERT(snapshot(*loaded.code, machine.state()) == naive);
    }
}

RC_GTEST_PROP(MachineProperties, SteppingBackAndForthEndsInEqualStates, ()) {
    ShownCase const shown = *cases_of_both();
    Loaded const loaded = load(shown.c);
    Machine machine(*loaded.code, buffering(shown.c));
    machine.keep_history();
    std::vector<matchpoint::State> states{machine.state()};
    std::size_t const length = shown.c.trace.size();
    std::size_t at = 0; // index into states
    std::size_t turns = 0;
    for (std::size_t i = 0; i < 4 * length + 8; ++i) {
        bool const ended = machine.state().s == matchpoint::Status::error || machine.state().trace == length;
        // The second half of the walk goes forward only, so that it ends where the run ends.
        bool const forward = !ended && (i > 2 * length || shown.choose(i, 3) != 0);
        if (forward) {
            [[maybe_unused]] Step const step = machine.step(loaded.entry(machine.state().trace));
            ++at;
            if (at == states.size()) states.push_back(machine.state());
        } else if (i <= 2 * length) {
            RC_ASSERT(machine.back() == (at > 0));
            if (at > 0) --at;
            ++turns;
        }
        RC_ASSERT(machine.state() == states[at]);
    }
    RC_CLASSIFY(turns > 0 && states.size() > 3, "went back in a run of more than two steps");
    while (machine.back()) --at;
    RC_ASSERT(at == 0U);
    RC_ASSERT(machine.state() == states[0]);
}

RC_GTEST_PROP(MachineProperties, ZeroBufferingOnlyRefuses, ()) {
    // What completes with zero buffering ends in the same state with infinite buffering.
    ShownCase const shown = *cases_of_both();
    Case infinite = shown.c;
    infinite.zero = false;
    Result const with_zero = outcome({shown.c.program, shown.c.trace, true});
    RC_CLASSIFY(with_zero.status != Status::error, "completes with zero buffering");
    if (with_zero.status != Status::error) RC_ASSERT(outcome(infinite) == with_zero);
}

RC_GTEST_PROP(MachineProperties, AddingACommandThatCannotMatterChangesNothing, ()) {
    ShownCase const shown = *cases_of_both();
    Case more = shown.c;
    std::string const fresh = fresh_name(to_text(shown.c));
    Result const before = outcome(shown.c);
    std::size_t const executed = before.trouble ? before.trouble->entry : shown.c.trace.size();

    // Either in a thread of its own, at any time up to the error if there is one; or in the middle of a thread that is
    // not disturbed by an error, in the trace just before that thread's next command.
    // A thread that has one more command before a barrier reaches it later.
    bool const may_be_late = std::any_of(more.program.threads.begin(), more.program.threads.end(), [](Thread const& t) {
        return std::any_of(t.begin(), t.end(), [](Command const& c) { return std::holds_alternative<Meet>(c.what); });
    });
    bool const own_thread =
        before.trouble.has_value() || more.program.threads.empty() || may_be_late || shown.choose(0, 2) == 0;
    Command const command = shown.choose(1, 2) == 0 ? Command{fresh, Assign{fresh, number(Integer(7))}}
                                                    : Command{fresh, Assume{truth(true)}};
    std::size_t at = 0;
    if (own_thread) {
        more.program.threads.push_back({command});
        at = shown.choose(2, executed + 1);
    } else {
        std::size_t const t = shown.choose(3, more.program.threads.size());
        Thread& thread = more.program.threads[t];
        std::size_t const place = shown.choose(4, thread.size() + 1);
        at = more.trace.size();
        if (place < thread.size())
            at = static_cast<std::size_t>(
                std::find_if(more.trace.begin(), more.trace.end(),
                             [&](TraceEntry const& e) { return e.location == thread[place].location; }) -
                more.trace.begin());
        thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(place), command);
    }
    more.trace.insert(more.trace.begin() + static_cast<std::ptrdiff_t>(at), {fresh, {}});
    RC_LOG() << "with the command added:\n" << to_text(more);

    Result after = outcome(more);
    RC_ASSERT(after.steps == before.steps + 1);
    after.steps = before.steps;
    if (after.trouble) --after.trouble->entry;
    after.state.store.erase(fresh);
    after.state.next = before.state.next;
    RC_ASSERT(after == before);
}

RC_GTEST_PROP(MachineProperties, InterchangingEntriesThatDoNotInteractChangesNothing, ()) {
    ShownCase const shown = *cases_of_both();
    Result const before = outcome(shown.c);

    // Adjacent entries, both executed, whose footprints have nothing in common.
    std::vector<std::size_t> candidates;
    State state = initial_state(shown.c.program);
    for (std::size_t i = 0; i + 1 < before.steps; ++i) {
        auto const first = footprint(shown.c.program, state, shown.c.trace[i]);
        auto const second = footprint(shown.c.program, state, shown.c.trace[i + 1]);
        if (second && !interact(*first, *second)) candidates.push_back(i);
        state = std::get<State>(step(shown.c.program, state, shown.c.trace[i], shown.c.zero));
    }
    RC_CLASSIFY(!candidates.empty(), "some entries can be interchanged");
    if (candidates.empty()) return;

    Case other = shown.c;
    std::size_t const i = candidates[shown.choose(0, candidates.size())];
    std::swap(other.trace[i], other.trace[i + 1]);
    RC_LOG() << "with entries " << i << " and " << i + 1 << " interchanged:\n" << to_text(other);
    RC_ASSERT(outcome(other) == before);
}

} // namespace matchpoint::naive
