#include "rma/machine/stepper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/words.hpp"

namespace matchpoint::rma {

std::vector<Choice> choices(Machine const& machine, State const& state) {
    Program const& p = machine.program();
    auto const& remotes = machine.graph().remotes();
    std::vector<Choice> result;
    auto const equation = [&](Variable x, Value const& v) {
        return fmt::format("{} = {}", p.symbols(x), v.to_string());
    };
    for (Transition const& t : machine.enabled(state)) {
        std::string const word = word_of(machine, state, t);
        std::visit(
            overloaded{
                [&](ProcessStep const& x) {
                    result.push_back(
                        {word, fmt::format("process {}: {}", p.pid(x.p), next_text(machine, state, x.p)), {t}});
                },
                [&](NicRead const& x) {
                    Remote const& s = remotes[x.s];
                    Value const& val = state.M[s.src.index];
                    std::string const text = fmt::format("{}; reads {}", print(p, s.statement), equation(s.src, val));
                    result.push_back(
                        {"rw" + word.substr(1), text + "; then " + equation(s.trg, val), {t, NicWrite{x.s, val}}});
                    result.push_back({word, text, {t}});
                },
                [&](NicAtomic const& x) {
                    Remote const& s = remotes[x.s];
                    Value const& val = state.M[s.src.index];
                    std::string const text =
                        fmt::format("{}; reads {}; {}", print(p, s.statement), equation(s.src, val),
                                    equation(s.src, modified(machine.graph(), state, x.s)));
                    if (s.fetches)
                        result.push_back(
                            {"aw" + word.substr(1), text + "; then " + equation(s.trg, val), {t, NicWrite{x.s, val}}});
                    result.push_back({word, text, {t}});
                },
                [&](NicWrite const& x) {
                    Remote const& s = remotes[x.s];
                    result.push_back({word, fmt::format("{}; {}", print(p, s.statement), equation(s.trg, x.val)), {t}});
                },
            },
            t);
    }
    return result;
}

Stepper::Stepper(Machine const& machine)
    : machine_(&machine), run_(std::make_shared<std::vector<Transition>>()), state_(machine.initial()), kept_{state_} {
    fails_.push_back(!broken().empty());
    failures_ = fails_.back() ? 1 : 0;
}

std::vector<std::size_t> Stepper::broken() const {
    auto const& properties = machine_->program().properties;
    bool const final = is_final();
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (properties[i].is_final && !final) continue;
        auto const v = evaluate(machine_->graph(), state_, properties[i].e);
        if (!v || v->is_false()) result.push_back(i);
    }
    return result;
}

std::vector<Choice> Stepper::choices() const {
    if (ended()) return {};
    return rma::choices(*machine_, state_);
}

Effect Stepper::apply() {
    spend(state_.M.size());
    Effect const effect = machine_->apply(state_, (*run_)[at_++]);
    effects_.push_back(effect);
    fails_.push_back(effect == Effect::failed || !broken().empty());
    failures_ += fails_.back() ? 1 : 0;
    if (at_ % every == 0 && kept_.size() == at_ / every) kept_.push_back(state_);
    return effect;
}

Effect Stepper::forward() { return apply(); }

Effect Stepper::take(Transition const& t) {
    if (planned() == nullptr || !(*planned() == t)) {
        if (run_.use_count() > 1) // a bookmark has it
            run_ = std::make_shared<std::vector<Transition>>(path().begin(), path().end());
        run_->erase(run_->begin() + static_cast<std::ptrdiff_t>(at_), run_->end());
        run_->push_back(t);
    }
    return apply();
}

void Stepper::back(std::size_t steps) { go_to(at_ - std::min(steps, at_)); }

void Stepper::go_to(std::size_t at) {
    std::size_t const kept = std::min(at / every, kept_.size() - 1);
    kept_.resize(kept + 1);
    state_ = kept_.back();
    at_ = kept * every;
    effects_.resize(at_);
    fails_.resize(at_ + 1);
    failures_ = static_cast<std::size_t>(std::count(fails_.begin(), fails_.end(), true));
    while (at_ < at) apply();
}

void Stepper::restore(Bookmark const& b) {
    std::size_t const common = std::min({at_, b.at, run_->size(), b.run->size()});
    auto const differs =
        std::mismatch(run_->begin(), run_->begin() + static_cast<std::ptrdiff_t>(common), b.run->begin());
    go_to(static_cast<std::size_t>(differs.first - run_->begin()));
    run_ = b.run;
    go_to(b.at);
}

void Stepper::follow(std::vector<Transition> run) {
    go_to(0);
    run_ = std::make_shared<std::vector<Transition>>(std::move(run));
}

} // namespace matchpoint::rma
