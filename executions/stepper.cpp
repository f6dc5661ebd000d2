#include "executions/stepper.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/overloaded.hpp"

namespace matchpoint::executions {

/// Passes on the events of some of an entry's rules, and copies the state after one of them.
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

/// Events go to an observer until this ends, even by an exception.
class Stepper::Listening {
public:
    explicit Listening(Relay& relay) : relay_(relay) {}
    Listening(Listening const&) = delete;
    Listening& operator=(Listening const&) = delete;
    ~Listening() { relay_.to = nullptr; }
    void tell(Observer* to) { relay_.to = to; }

private:
    Relay& relay_;
};

/// Deliveries that are undone when nobody needs them any longer, whatever happens in between.
class Stepper::Tentative {
public:
    explicit Tentative(Machine& machine) : machine_(machine) {}
    Tentative(Tentative const&) = delete;
    Tentative& operator=(Tentative const&) = delete;
    ~Tentative() {
        for (; made_ > 0; --made_) machine_.undo();
    }
    Step deliver(Channel c) {
        Step step = machine_.apply(Deliver{c});
        if (!step.is_stuck()) ++made_;
        return step;
    }

private:
    Machine& machine_;
    std::size_t made_ = 0;
};

namespace {

/// How many overwrites two runs have in common, from the first one on.
std::size_t same_overwrites(std::span<Stepper::Overwrite const> a, std::span<Stepper::Overwrite const> b) {
    auto const equal = [](Stepper::Overwrite const& x, Stepper::Overwrite const& y) {
        return x.steps == y.steps && x.x == y.x && x.v == y.v;
    };
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end(), equal).first - a.begin());
}

} // namespace

Stepper::Stepper(IndexedProgram const& code, Buffering buffering)
    : machine_(code, buffering), plan_(std::make_shared<Schedule>()),
      overwrites_(std::make_shared<std::vector<Overwrite>>()) {
    machine_.keep_history();
    machine_.observe(relay_);
}

void Stepper::start_again() {
    machine_.restore(State(code()));
    inside_.reset();
    chosen_.clear();
    plan_ = std::make_shared<Schedule>();
    overwrites_ = std::make_shared<std::vector<Overwrite>>();
    overwritten_ = 0;
    trace_.reset();
    at_ = {};
    error_.reset();
}

void Stepper::follow(std::size_t t, Extent extent) {
    while (back()) {
    }
    cut_overwrites();
    auto plan = std::make_shared<Schedule>();
    for (std::size_t i = 0; i < code().program().traces[t].entries.size(); ++i) plan->append(code().entry(t, i));
    plan_ = std::move(plan);
    trace_ = t;
    extent_ = extent;
}

void Stepper::plan(Schedule const& rest) {
    auto plan = std::make_shared<Schedule>(path());
    std::vector<Channel> const before = moved();
    for (Channel const c : before) plan->move(c);
    for (std::size_t i = 0; i < rest.size(); ++i) plan->append(rest.entry(i));
    plan_ = std::move(plan);
    trace_.reset();
    cut_overwrites();
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

void Stepper::run_again(Machine& machine) const {
    std::size_t const steps = std::min(at_.steps, plan_->size());
    auto next = overwrites().begin();
    for (std::size_t i = 0; i <= steps && machine.state().s != Status::error; ++i) {
        for (; next != overwrites().end() && next->steps == i; ++next) machine.overwrite(next->x, next->v);
        if (i < steps) static_cast<void>(machine.step(plan_->entry(i)));
    }
}

/// The plan, for a change of what comes from here on.
Schedule& Stepper::plan_to_change() {
    // A copy for each choice would make a long run of choices quadratic.
    if (plan_.use_count() > 1) plan_ = std::make_shared<Schedule>(path());
    return *plan_;
}

Schedule& Stepper::cut_plan() {
    Schedule& plan = plan_to_change();
    plan.cut(std::min(at_.steps, plan.size()));
    trace_.reset();
    cut_overwrites();
    return plan;
}

void Stepper::cut_overwrites() {
    if (overwritten_ < overwrites_->size())
        overwrites_ = std::make_shared<std::vector<Overwrite>>(overwrites().begin(), overwrites().end());
}

bool Stepper::has_next() const {
    if (base().s == Status::error) return false;
    if (next_overwrite()) return true;
    return at_.steps < plan_->size() || (trace_ && extent_ == Extent::complete && !base().finished());
}

std::optional<Location> Stepper::next() const {
    if (base().s == Status::error || at_.steps >= plan_->size() || next_overwrite()) return std::nullopt;
    return planned().rho;
}

std::optional<Stepper::Overwrite> Stepper::next_overwrite() const {
    if (overwritten_ == overwrites_->size() || (*overwrites_)[overwritten_].steps != at_.steps) return std::nullopt;
    return (*overwrites_)[overwritten_];
}

std::optional<Stepper::Overwrite> Stepper::last_overwrite() const {
    if (at_.rules > 0 || overwritten_ == 0 || (*overwrites_)[overwritten_ - 1].steps != at_.steps) return std::nullopt;
    return (*overwrites_)[overwritten_ - 1];
}

void Stepper::overwrite_next() {
    Overwrite const& next = (*overwrites_)[overwritten_];
    machine_.overwrite(next.x, next.v);
    ++overwritten_;
}

void Stepper::overwrite(Variable x, Value v) {
    if (base().s == Status::error || command_begun()) throw std::logic_error("Stepper::overwrite: too late");
    auto all = std::make_shared<std::vector<Overwrite>>(overwrites().begin(), overwrites().end());
    all->push_back({at_.steps, x, std::move(v)});
    overwrites_ = std::move(all);
    trace_.reset();
    overwrite_next();
    if (!chosen_.empty())
        look_inside_chosen();
    else
        look_inside(at_.rules, false);
}

std::vector<Channel> Stepper::moved() const {
    if (!chosen_.empty() || at_.rules == 0) return chosen_;
    auto const m = planned().m;
    return {m.begin(), m.begin() + static_cast<std::ptrdiff_t>(std::min(at_.rules, m.size()))};
}

/// The next entry of the plan; where the trace is used up, its end.
Step Stepper::apply_planned(Observer* observer) {
    Listening listening(relay_);
    listening.tell(observer);
    return at_.steps < plan_->size() ? machine_.step(planned()) : machine_.end_of_trace();
}

bool Stepper::step() {
    if (!has_next()) return false;
    if (next_overwrite()) {
        overwrite_next();
        return true;
    }
    std::uint64_t const entry = base().trace;
    std::optional<Location> const rho = at_.steps < plan_->size() ? std::optional(planned().rho) : std::nullopt;
    Snapshot snapshot(observer_, at_.rules == 0 || !chosen_.empty(), at_.rules, Snapshot::all);
    if (Step const step = apply_planned(observer_ == nullptr ? nullptr : &snapshot); step.is_stuck())
        error_ = RunError{entry, rho, step.why()};
    inside_.reset();
    chosen_.clear();
    at_ = {at_.steps + 1, 0};
    return true;
}

/// How many rules the next entry of the plan applies.
std::size_t Stepper::count_rules() {
    Snapshot count(nullptr, false, 0, Snapshot::all);
    static_cast<void>(apply_planned(&count));
    machine_.back();
    return count.count();
}

bool Stepper::step_rule() {
    if (!has_next()) return false;
    if (next_overwrite() || at_.steps >= plan_->size() || at_.rules + 1 >= count_rules()) return step();
    look_inside(at_.rules + 1, true);
    return true;
}

void Stepper::look_inside(std::size_t rules, bool tell) {
    if (rules == 0) {
        inside_.reset();
    } else {
        Snapshot snapshot(tell ? observer_ : nullptr, at_.rules == 0, at_.rules, rules);
        static_cast<void>(apply_planned(&snapshot));
        machine_.back();
        inside_ = std::move(snapshot.kept());
    }
    at_.rules = rules;
}

void Stepper::look_inside_chosen(std::size_t told) {
    inside_.reset();
    at_.rules = chosen_.size();
    if (chosen_.empty()) return;
    Tentative deliveries(machine_);
    Listening listening(relay_);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
        listening.tell(i >= told ? observer_ : nullptr);
        static_cast<void>(deliveries.deliver(chosen_[i]));
    }
    inside_ = machine_.state();
}

bool Stepper::back() {
    if (at_.rules > 0) {
        chosen_.clear();
        look_inside(0, false);
        return true;
    }
    if (last_overwrite()) {
        --overwritten_;
        return machine_.undo();
    }
    if (!machine_.back()) return false;
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
    bool const overwritten = last_overwrite().has_value();
    if (!back()) return false;
    if (!overwritten && at_.steps < plan_->size()) look_inside(count_rules() - 1, false); // else there was no entry
    return true;
}

void Stepper::forward(std::size_t steps, std::size_t overwritten) {
    Observer* const told = std::exchange(observer_, nullptr);
    try {
        while ((at_.steps < steps || (next_overwrite() && overwritten_ < overwritten)) && step()) {
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
    forward(steps, SIZE_MAX);
}

std::vector<Stepper::Choice> Stepper::choices(bool blocked) {
    std::vector<Choice> result;
    if (base().s == Status::error) return result;
    auto const consider = [&](Transition const& what) {
        std::optional<Stuck> why = why_not(what);
        if (!why || blocked) result.push_back({what, std::move(why)});
    };
    // A probe: each message that it can see, or why there is none.
    auto const consider_next = [&](Location rho) {
        bool sees = false;
        for_each_peek(state(), code(), rho, [&](Channel lane) {
            sees = true;
            consider(Execute{rho, lane});
        });
        if (!sees) consider(Execute{rho});
    };
    auto const& threads = code().ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t)
        if (base().ctp[t] < threads[t].last) consider_next({base().ctp[t]});
    for (std::uint32_t c = 0; c < code().channels().size(); ++c)
        if (in_transit(state(), {c})) consider(Deliver{{c}});
    return result;
}

Execute Stepper::command(Location rho) const {
    Execute result{rho};
    if (!code().has_probes() || !code().has(rho)) return result;
    for_each_peek(state(), code(), rho, [&](Channel lane) {
        if (result.peek.is_none()) result.peek = lane;
    });
    return result;
}

State Stepper::before_command() {
    Tentative deliveries(machine_);
    for (Channel const c : moved()) static_cast<void>(deliveries.deliver(c));
    return machine_.state();
}

std::optional<Stuck> Stepper::why_not(Transition const& what) {
    try {
        return tried(what);
    } catch (OutOfTime const&) {
        throw;
    } catch (LimitReached const&) {
        return std::nullopt;
    }
}

std::optional<Stuck> Stepper::tried(Transition const& what) {
    // On the machine's own state: a copy for every channel of a large program would be slow.
    Tentative deliveries(machine_);
    for (Channel const c : moved())
        if (Step const step = deliveries.deliver(c); step.is_stuck()) return step.why();
    return machine_.why_not(what);
}

bool Stepper::is_next_command(Location rho) {
    return code().has(rho) && base().ctp[code().thread_of(rho)] == rho.index;
}

/// Whether the plan goes on with a transition, after the deliveries made so far (which include it).
bool Stepper::is_planned(Transition const& what, std::vector<Channel> const& deliveries) {
    if (at_.steps >= plan_->size() || next_overwrite()) return false;
    Entry const next = planned();
    return std::visit(overloaded{
                          [&](Deliver) {
                              return is_next_command(next.rho) // otherwise it is stuck before its deliveries
                                     && next.m.size() >= deliveries.size() &&
                                     std::equal(deliveries.begin(), deliveries.end(), next.m.begin());
                          },
                          [&](Execute t) {
                              return next.rho == t.rho && next.peek == t.peek &&
                                     std::equal(deliveries.begin(), deliveries.end(), next.m.begin(), next.m.end());
                          },
                      },
                      what);
}

std::optional<Stuck> Stepper::choose(Transition const& what) {
    if (base().s == Status::error) return error_->stuck;
    if (auto why = tried(what)) return why;
    std::vector<Channel> deliveries = moved();
    if (auto const* const t = std::get_if<Deliver>(&what)) deliveries.push_back(t->channel);
    bool const planned_so = is_planned(what, deliveries);
    std::visit(overloaded{
                   [&](Deliver) {
                       if (planned_so) {
                           look_inside(deliveries.size(), true);
                           return;
                       }
                       cut_plan();
                       chosen_ = std::move(deliveries);
                       look_inside_chosen(chosen_.size() - 1);
                   },
                   [&](Execute t) {
                       if (!planned_so) cut_plan().append({t.rho, deliveries, t.peek});
                       step();
                   },
               },
               what);
    return std::nullopt;
}

Stepper::Bookmark Stepper::bookmark() const {
    Bookmark b;
    b.plan_ = plan_;
    b.overwrites_ = overwrites_;
    b.overwritten_ = overwritten_;
    b.chosen_ = chosen_;
    b.trace_ = trace_;
    b.extent_ = extent_;
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
            return x.rho == y.rho && x.peek == y.peek && std::equal(x.m.begin(), x.m.end(), y.m.begin(), y.m.end());
        };
        same = 0;
        while (same < most && equal(same)) ++same;
    }
    std::span const overwrites(*b.overwrites_);
    std::size_t const kept = same_overwrites(this->overwrites(), overwrites.first(b.overwritten_));
    if (kept < overwritten_) same = std::min(same, (*overwrites_)[kept].steps);
    if (kept < b.overwritten_) same = std::min(same, overwrites[kept].steps);
    if (at_.rules > 0) back();
    while ((at_.steps > same || overwritten_ > kept) && back()) {
    }
    plan_ = b.plan_;
    overwrites_ = b.overwrites_;
    trace_ = b.trace_;
    extent_ = b.extent_;
    forward(b.at_.steps, b.overwritten_);
    chosen_ = b.chosen_;
    if (chosen_.empty())
        look_inside(b.at_.rules, false);
    else
        look_inside_chosen();
}

} // namespace matchpoint::executions
