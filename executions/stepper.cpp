#include "executions/stepper.hpp"

#include <algorithm>

#include "machine/queue_movement.hpp"

namespace matchpoint::executions {

/// Passes on the events of some of an entry's rules, and keeps the state behind one of them.
class Stepper::Snapshot final : public Observer {
public:
    static constexpr std::size_t all = SIZE_MAX;

    Snapshot(Observer* to, bool tell_entry, std::size_t first, std::size_t last)
        : to_(to), tell_entry_(tell_entry), first_(first), last_(last) {}

    void on(State const& state, Event const& event) override {
        bool const entry = std::holds_alternative<event::EntryTaken>(event);
        bool const rule = rule_of(event).has_value();
        if (to_ != nullptr && (entry ? tell_entry_ : rule ? count_ >= first_ && count_ < last_ : last_ == all))
            to_->on(state, event);
        if (!rule) return;
        ++count_;
        if (count_ == last_) kept_ = state;
    }
    std::size_t count() const { return count_; }
    std::optional<State>& kept() { return kept_; }

private:
    Observer* to_;
    bool tell_entry_;
    std::size_t first_;
    std::size_t last_;
    std::size_t count_ = 0;
    std::optional<State> kept_;
};

Stepper::Stepper(IndexedProgram const& code, Buffering buffering)
    : code_(&code), buffering_(buffering), state_(code), history_(code), plan_(std::make_shared<Schedule>()) {}

void Stepper::follow(std::size_t t) {
    jump(0);
    auto plan = std::make_shared<Schedule>();
    for (std::size_t i = 0; i < code_->program().traces[t].entries.size(); ++i) {
        Entry const sigma = code_->entry(t, i);
        for (Channel const c : sigma.m) plan->move(c);
        plan->step(sigma.rho);
    }
    plan_ = std::move(plan);
    trace_ = t;
}

void Stepper::plan(Schedule const& rest) {
    auto plan = std::make_shared<Schedule>(path());
    std::vector<Channel> const before = moved();
    for (Channel const c : before) plan->move(c);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        for (Channel const c : rest.entry(i).m) plan->move(c);
        plan->step(rest.entry(i).rho);
    }
    plan_ = std::move(plan);
    trace_.reset();
    if (rest.size() == 0) {
        chosen_ = before;
        look_inside_chosen();
        return;
    }
    chosen_.clear();
    look_inside(before.size(), false);
}

Schedule Stepper::path() const {
    Schedule result = *plan_;
    result.cut(std::min(at_.steps, plan_->size()));
    return result;
}

bool Stepper::has_next() const {
    if (state_.s == Status::error) return false;
    return at_.steps < plan_->size() || (trace_ && !state_.finished());
}

std::optional<Location> Stepper::next() const {
    if (state_.s == Status::error || at_.steps >= plan_->size()) return std::nullopt;
    return planned().rho;
}

std::vector<Channel> Stepper::moved() const {
    if (!chosen_.empty() || at_.rules == 0) return chosen_;
    auto const m = planned().m;
    return {m.begin(), m.begin() + static_cast<std::ptrdiff_t>(std::min(at_.rules, m.size()))};
}

Step Stepper::apply(Entry const& sigma, Observers const& observers) {
    return machine_step(state_, *code_, buffering_, sigma, observers, workspace_);
}

bool Stepper::step() {
    if (!has_next()) return false;
    Snapshot snapshot(observer_, at_.rules == 0 || !chosen_.empty(), at_.rules, Snapshot::all);
    Observers observers;
    observers.add(history_);
    if (observer_ != nullptr) observers.add(snapshot);
    bool const used_up = at_.steps >= plan_->size();
    std::uint64_t const entry = state_.trace;
    std::optional<Location> const rho = used_up ? std::nullopt : std::optional(planned().rho);
    Step const step = used_up ? trace_used_up(state_, observers) : apply(planned(), observers);
    if (step.is_stuck()) error_ = RunError{entry, rho, step.why()};
    inside_.reset();
    chosen_.clear();
    at_ = {at_.steps + 1, 0};
    return true;
}

bool Stepper::step_rule() {
    if (!has_next()) return false;
    if (at_.steps >= plan_->size()) return step();
    Snapshot count(nullptr, false, 0, Snapshot::all);
    Observers observers;
    observers.add(history_);
    observers.add(count);
    static_cast<void>(apply(planned(), observers));
    history_.undo(state_);
    if (at_.rules + 1 >= count.count()) return step();
    look_inside(at_.rules + 1, true);
    return true;
}

void Stepper::look_inside(std::size_t rules, bool tell) {
    if (rules == 0) {
        inside_.reset();
    } else {
        Snapshot snapshot(tell ? observer_ : nullptr, at_.rules == 0, at_.rules, rules);
        Observers observers;
        observers.add(history_);
        observers.add(snapshot);
        static_cast<void>(apply(planned(), observers));
        history_.undo(state_);
        inside_ = std::move(snapshot.kept());
    }
    at_.rules = rules;
}

void Stepper::look_inside_chosen() {
    inside_.reset();
    at_.rules = chosen_.size();
    if (chosen_.empty()) return;
    inside_ = state_;
    for (Channel const c : chosen_)
        static_cast<void>(process_queue_movement(*inside_, *code_, buffering_, c, Observers()));
}

bool Stepper::back() {
    if (at_.rules > 0) {
        chosen_.clear();
        look_inside(0, false);
        return true;
    }
    if (!history_.undo(state_)) return false;
    error_.reset();
    --at_.steps;
    return true;
}

bool Stepper::back_rule() {
    if (!chosen_.empty()) {
        chosen_.pop_back();
        look_inside_chosen();
        return true;
    }
    if (at_.rules > 0) {
        look_inside(at_.rules - 1, false);
        return true;
    }
    if (!back()) return false;
    if (at_.steps >= plan_->size()) return true; // there was no entry
    Snapshot count(nullptr, false, 0, Snapshot::all);
    Observers observers;
    observers.add(history_);
    observers.add(count);
    static_cast<void>(apply(planned(), observers));
    history_.undo(state_);
    look_inside(count.count() - 1, false);
    return true;
}

void Stepper::forward(std::size_t steps) {
    Observer* const told = std::exchange(observer_, nullptr);
    try {
        while (at_.steps < steps && step()) {
        }
    } catch (...) {
        observer_ = told;
        throw;
    }
    observer_ = told;
}

void Stepper::jump(std::size_t steps) {
    if (at_.rules > 0) back();
    while (at_.steps > steps && back()) {
    }
    forward(steps);
}

std::vector<Stepper::Choice> Stepper::choices(bool blocked) {
    std::vector<Choice> result;
    if (state_.s == Status::error) return result;
    auto const consider = [&](std::variant<Channel, Location> const& what) {
        std::optional<Stuck> why = why_not(what);
        if (!why || blocked) result.push_back({what, std::move(why)});
    };
    auto const& threads = code_->ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t)
        if (state_.ctp[t] < threads[t].last) consider(Location{state_.ctp[t]});
    for (std::uint32_t c = 0; c < code_->channels().size(); ++c)
        if (in_transit(state(), {c})) consider(Channel{c});
    return result;
}

std::optional<Stuck> Stepper::why_not(std::variant<Channel, Location> const& what) {
    std::vector<Channel> const before = moved();
    std::optional<Stuck> why;
    if (auto const* const rho = std::get_if<Location>(&what)) {
        Observers observers;
        observers.add(history_);
        if (Step const step = apply({*rho, before}, observers); step.is_stuck()) why = step.why();
        history_.undo(state_);
        return why;
    }
    // On the state itself, which is put back: a copy for every channel of a large program would be slow.
    std::size_t done = 0;
    auto const move = [&](Channel c) {
        Step const step = process_queue_movement(state_, *code_, buffering_, c, Observers());
        if (step.is_stuck())
            why = step.why();
        else
            ++done;
    };
    for (Channel const c : before) move(c);
    Channel const last = std::get<Channel>(what);
    move(last);
    if (done > before.size()) take_movement_back(state_, *code_, last);
    for (std::size_t i = before.size(); i-- > 0;) take_movement_back(state_, *code_, before[i]);
    return why;
}

bool Stepper::is_next_command(Location rho) {
    auto const why = why_not(rho);
    return !why || !std::holds_alternative<reason::NotNextCommand>(why->reason);
}

std::optional<Stuck> Stepper::choose(std::variant<Channel, Location> const& what) {
    if (state_.s == Status::error) return error_->stuck;
    if (auto why = why_not(what)) return why;
    std::vector<Channel> movements = moved();
    Channel const* const channel = std::get_if<Channel>(&what);
    if (channel != nullptr) movements.push_back(*channel);
    bool const planned_so = at_.steps < plan_->size() && [&] {
        auto const m = planned().m;
        if (channel != nullptr && !is_next_command(planned().rho)) return false; // stuck before its movements
        if (channel != nullptr)
            return m.size() >= movements.size() && std::equal(movements.begin(), movements.end(), m.begin());
        return planned().rho == std::get<Location>(what) &&
               std::equal(movements.begin(), movements.end(), m.begin(), m.end());
    }();
    if (planned_so) {
        if (channel == nullptr)
            step();
        else
            look_inside(movements.size(), true);
        return std::nullopt;
    }
    auto plan = std::make_shared<Schedule>(path());
    if (channel == nullptr) {
        for (Channel const c : movements) plan->move(c);
        plan->step(std::get<Location>(what));
    }
    plan_ = std::move(plan);
    trace_.reset();
    if (channel == nullptr) {
        step();
        return std::nullopt;
    }
    // What was made before is remade untold; the new one is told.
    movements.pop_back();
    chosen_ = std::move(movements);
    look_inside_chosen();
    if (!inside_) inside_ = state_;
    Observers observers;
    if (observer_ != nullptr) observers.add(*observer_);
    static_cast<void>(process_queue_movement(*inside_, *code_, buffering_, *channel, observers));
    chosen_.push_back(*channel);
    at_.rules = chosen_.size();
    return std::nullopt;
}

Stepper::Bookmark Stepper::bookmark() const {
    Bookmark b;
    b.plan_ = plan_;
    b.chosen_ = chosen_;
    b.trace_ = trace_;
    b.at_ = at_;
    return b;
}

void Stepper::restore(Bookmark const& b) {
    std::size_t const most = std::min({at_.steps, b.at_.steps, plan_->size(), b.plan_->size()});
    std::size_t same = most;
    if (plan_ != b.plan_) {
        auto const equal = [&](std::size_t i) {
            Entry const x = plan_->entry(i);
            Entry const y = b.plan_->entry(i);
            return x.rho == y.rho && std::equal(x.m.begin(), x.m.end(), y.m.begin(), y.m.end());
        };
        same = 0;
        while (same < most && equal(same)) ++same;
    }
    jump(same);
    plan_ = b.plan_;
    trace_ = b.trace_;
    forward(b.at_.steps);
    chosen_ = b.chosen_;
    if (chosen_.empty())
        look_inside(b.at_.rules, false);
    else
        look_inside_chosen();
}

} // namespace matchpoint::executions
