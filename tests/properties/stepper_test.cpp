// The stepper against a model that keeps every state: random moves, the state compared after each.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h> // after gtest.h: it does not include it

#include "executions/stepper.hpp"
#include "machine/queue_movement.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/shown_case.hpp"

namespace matchpoint::naive {
namespace {

using Choice = Transition;

/// The rules of an entry, counted; with the state after each.
class EveryRule final : public Observer {
public:
    void on(matchpoint::State const& state, Event const& event) override {
        if (rule_of(event)) states.push_back(state);
    }
    std::vector<matchpoint::State> states;
};

/// A plan, the state before each of its entries up to the present one, and the states inside the next entry.
class Model {
public:
    struct Planned {
        matchpoint::Location rho;
        std::vector<Channel> m;
        Channel peek = {};
        bool operator==(Planned const&) const = default;
    };
    struct Overwrite {
        std::size_t steps;
        matchpoint::Variable x;
        matchpoint::Value v;
    };
    struct Mark {
        std::vector<Planned> plan;
        std::vector<Overwrite> overwrites;
        std::size_t overwritten;
        std::vector<Channel> chosen;
        bool from_trace;
        Stepper::Point at;
    };

    Model(IndexedProgram const& code, Buffering buffering) : code_(code), buffering_(buffering) {
        states_.emplace_back(code);
    }

    matchpoint::State const& state() const { return inside_.empty() ? states_.back() : inside_.back(); }
    Stepper::Point at() const { return {states_.size() - 1, inside_.size()}; }
    bool has_next() const {
        return states_.back().s != matchpoint::Status::error &&
               (overwrite_comes() || at().steps < plan_.size() || (from_trace_ && !states_.back().finished()));
    }
    std::size_t overwritten() const { return before_overwrites_.size(); }
    bool overwrite_comes() const {
        return overwritten() < overwrites_.size() && overwrites_[overwritten()].steps == at().steps;
    }
    bool came_by_overwrite() const {
        return inside_.empty() && overwritten() > 0 && overwrites_[overwritten() - 1].steps == at().steps;
    }

    void follow(std::size_t t) {
        begin_again();
        overwrites_.clear();
        chosen_.clear();
        plan_.clear();
        for (std::size_t i = 0; i < code_.program().traces[t].entries.size(); ++i) {
            Entry const sigma = code_.entry(t, i);
            plan_.push_back({sigma.rho, {sigma.m.begin(), sigma.m.end()}, sigma.peek});
        }
        from_trace_ = true;
    }
    bool step() {
        if (!has_next()) return false;
        if (overwrite_comes()) return make_overwrite();
        states_.push_back(inside(at().steps).back());
        inside_.clear();
        chosen_.clear();
        return true;
    }
    bool step_rule() {
        if (!has_next()) return false;
        if (overwrite_comes()) return make_overwrite();
        auto const all = inside(at().steps);
        if (inside_.size() + 1 >= all.size()) return step();
        inside_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(inside_.size()) + 1);
        return true;
    }
    bool back() {
        if (came_by_overwrite()) {
            states_.back() = before_overwrites_.back();
            before_overwrites_.pop_back();
            return true;
        }
        if (inside_.empty() && states_.size() == 1) return false;
        if (inside_.empty()) states_.pop_back();
        inside_.clear();
        chosen_.clear();
        return true;
    }
    bool back_rule() {
        if (!inside_.empty()) {
            inside_.pop_back();
            if (!chosen_.empty()) chosen_.pop_back();
            return true;
        }
        bool const overwritten = came_by_overwrite();
        if (!back()) return false;
        if (!overwritten && at().steps < plan_.size()) {
            inside_ = inside(at().steps);
            inside_.pop_back();
        }
        return true;
    }
    void jump(std::size_t n) {
        if (!inside_.empty()) back();
        while (at().steps > n && back()) {
        }
        while ((at().steps < n || overwrite_comes()) && step()) {
        }
    }
    bool can_overwrite() const {
        return states_.back().s != matchpoint::Status::error && inside_.size() == moved().size();
    }
    void overwrite(matchpoint::Variable x, matchpoint::Value v) {
        std::size_t const rules = inside_.size();
        overwrites_.resize(overwritten());
        overwrites_.push_back({at().steps, x, std::move(v)});
        from_trace_ = false;
        make_overwrite();
        std::vector<Channel> m = chosen_;
        if (m.empty() && rules > 0)
            m.assign(plan_[at().steps].m.begin(), plan_[at().steps].m.begin() + static_cast<std::ptrdiff_t>(rules));
        remake(m);
    }

    std::vector<Channel> moved() const {
        if (!chosen_.empty() || inside_.empty()) return chosen_;
        auto const& m = plan_[at().steps].m;
        return {m.begin(), m.begin() + static_cast<std::ptrdiff_t>(std::min(inside_.size(), m.size()))};
    }
    matchpoint::State before_command() const {
        matchpoint::State s = states_.back();
        for (Channel const c : moved()) static_cast<void>(process_queue_movement(s, code_, buffering_, c, Observers()));
        return s;
    }
    /// Whether it can be taken, by a fresh copy of the state.
    bool can(Choice const& what) const {
        std::vector<Channel> m = moved();
        if (auto const* const t = std::get_if<Execute>(&what)) return !run({t->rho, m, t->peek}).second;
        m.push_back(std::get<Deliver>(what).channel);
        matchpoint::State s = states_.back();
        return std::none_of(m.begin(), m.end(), [&](Channel c) {
            return process_queue_movement(s, code_, buffering_, c, Observers()).is_stuck();
        });
    }
    void choose(Choice const& what) {
        Planned wanted{{}, moved(), {}};
        auto const* const c = std::get_if<Deliver>(&what);
        if (c != nullptr) wanted.m.push_back(c->channel);
        if (c == nullptr) wanted.rho = std::get<Execute>(what).rho;
        if (c == nullptr) wanted.peek = std::get<Execute>(what).peek;
        std::size_t const n = at().steps;
        bool same = n < plan_.size() && !overwrite_comes();
        if (same && c == nullptr) same = plan_[n] == wanted;
        if (same && c != nullptr)
            same = is_next(plan_[n].rho) && plan_[n].m.size() >= wanted.m.size() &&
                   std::equal(wanted.m.begin(), wanted.m.end(), plan_[n].m.begin());
        if (!same) {
            plan_.resize(n);
            overwrites_.resize(overwritten());
            from_trace_ = false;
        }
        if (c == nullptr) {
            if (!same) plan_.push_back(wanted);
            step();
            return;
        }
        chosen_ = same ? std::vector<Channel>() : wanted.m;
        remake(wanted.m);
    }
    Mark mark() const { return {plan_, overwrites_, overwritten(), chosen_, from_trace_, at()}; }
    void restore(Mark const& mark) {
        begin_again();
        plan_ = mark.plan;
        overwrites_ = mark.overwrites;
        from_trace_ = mark.from_trace;
        chosen_.clear();
        while (at().steps < mark.at.steps || overwritten() < mark.overwritten) step();
        chosen_ = mark.chosen;
        if (!chosen_.empty()) {
            remake(chosen_);
        } else if (mark.at.rules > 0) {
            inside_ = inside(at().steps);
            inside_.resize(mark.at.rules, states_.front());
        }
    }

private:
    /// The states after each rule of an entry, and whether it is stuck.
    std::pair<std::vector<matchpoint::State>, bool> run(Planned const& p) const {
        matchpoint::State s = states_.back();
        EveryRule rules;
        Observers observers;
        observers.add(rules);
        Workspace workspace;
        bool const stuck = machine_step(s, code_, buffering_, {p.rho, p.m, p.peek}, observers, workspace).is_stuck();
        return {std::move(rules.states), stuck};
    }
    std::vector<matchpoint::State> inside(std::size_t n) const {
        if (n < plan_.size()) return run(plan_[n]).first;
        matchpoint::State s = states_.back();
        static_cast<void>(trace_used_up(s, Observers()));
        return {s};
    }
    void begin_again() {
        states_.assign(1, matchpoint::State(code_));
        inside_.clear();
        before_overwrites_.clear();
    }
    bool make_overwrite() {
        Overwrite const& o = overwrites_[overwritten()];
        before_overwrites_.push_back(states_.back());
        states_.back().h[o.x.index] = o.v;
        return true;
    }
    bool is_next(matchpoint::Location rho) const {
        return code_.has(rho) && states_.back().ctp[code_.thread_of(rho)] == rho.index;
    }
    void remake(std::vector<Channel> const& m) {
        inside_.clear();
        for (Channel const c : m) {
            inside_.push_back(state());
            static_cast<void>(process_queue_movement(inside_.back(), code_, buffering_, c, Observers()));
        }
    }

    IndexedProgram const& code_;
    Buffering buffering_;
    std::vector<Planned> plan_;
    bool from_trace_ = false;
    std::vector<matchpoint::State> states_;
    std::vector<matchpoint::State> inside_;
    std::vector<Channel> chosen_;
    std::vector<Overwrite> overwrites_;                // of the plan
    std::vector<matchpoint::State> before_overwrites_; // that were made
};

constexpr std::size_t kinds = 13;

void moves_agree(ShownCase const& shown) {
    Loaded const loaded = load(shown.c);
    Stepper stepper(*loaded.code, buffering(shown.c));
    Model model(*loaded.code, buffering(shown.c));
    std::vector<std::pair<Stepper::Bookmark, Model::Mark>> marks;
    std::string moves;
    std::size_t const count = 4 * shown.choices.size();
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t const argument = shown.choose(2 * i + 1, 1000);
        switch (std::size_t const kind = shown.choose(2 * i, kinds)) {
        case 0:
            moves += " follow";
            stepper.follow(0);
            model.follow(0);
            break;
        case 1:
            moves += " step";
            RC_ASSERT(stepper.step() == model.step());
            break;
        case 2:
            moves += " step_rule";
            RC_ASSERT(stepper.step_rule() == model.step_rule());
            break;
        case 3:
            moves += " back";
            RC_ASSERT(stepper.back() == model.back());
            break;
        case 4:
            moves += " back_rule";
            RC_ASSERT(stepper.back_rule() == model.back_rule());
            break;
        case 5: {
            std::size_t const to = argument % (stepper.plan().size() + 2);
            moves += " jump " + std::to_string(to);
            stepper.jump(to);
            model.jump(to);
            break;
        }
        case 6: {
            moves += " mark";
            marks.emplace_back(stepper.bookmark(), model.mark());
            break;
        }
        case 7: {
            if (marks.empty()) break;
            moves += " restore";
            auto const& [bookmark, mark] = marks[argument % marks.size()];
            stepper.restore(bookmark);
            model.restore(mark);
            break;
        }
        case 11: {
            std::size_t const variables = loaded.code->names().variables.size();
            RC_ASSERT(stepper.command_begun() == (model.at().rules > model.moved().size()));
            if (variables == 0 || !model.can_overwrite()) break;
            moves += " overwrite";
            matchpoint::Variable const x{static_cast<std::uint32_t>(argument % variables)};
            auto const v = matchpoint::Value::integer(static_cast<std::int64_t>(argument % 7));
            stepper.overwrite(x, v);
            model.overwrite(x, v);
            break;
        }
        case 12: {
            moves += " run_again";
            Machine machine(*loaded.code, buffering(shown.c));
            stepper.run_again(machine);
            if (model.at().rules == 0 && stepper.state().s != matchpoint::Status::error)
                RC_ASSERT(machine.state() == stepper.state());
            break;
        }
        default: {
            auto const choices = stepper.choices(kind == 8);
            for (auto const& c : choices) RC_ASSERT(model.can(c.what) == !c.blocked);
            if (choices.empty()) break;
            auto const& choice = choices[argument % choices.size()];
            moves += choice.what.index() == 0 ? " deliver" : " command";
            RC_ASSERT(stepper.choose(choice.what).has_value() == choice.blocked.has_value());
            if (!choice.blocked) model.choose(choice.what);
        }
        }
        RC_LOG() << moves << '\n';
        RC_ASSERT(stepper.at() == model.at());
        RC_ASSERT(stepper.state() == model.state());
        RC_ASSERT(stepper.before_command() == model.before_command());
        RC_ASSERT(stepper.has_next() == model.has_next());
        RC_ASSERT(stepper.overwrites().size() == model.overwritten());
        RC_ASSERT(stepper.next_overwrite().has_value() ==
                  (model.overwrite_comes() && model.state().s != matchpoint::Status::error));
        RC_ASSERT(stepper.at_beginning() == (model.at() == Stepper::Point{} && model.overwritten() == 0));
        RC_ASSERT(stepper.error().has_value() == (model.state().s == matchpoint::Status::error));
    }
    RC_TAG(std::string(to_string(stepper.state().s)), stepper.trace() ? "following" : "choosing");
}

RC_GTEST_PROP(Stepper, MovesAsTheModel, ()) { moves_agree(*all_cases()); }
RC_GTEST_PROP(Stepper, MovesAsTheModelInMpi, ()) { moves_agree(*shown_cases(any_mpi_case)); }
RC_GTEST_PROP(Stepper, MovesAsTheModelWithProbes, ()) { moves_agree(*shown_cases(probe_case)); }

} // namespace
} // namespace matchpoint::naive
