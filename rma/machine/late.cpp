#include "rma/machine/late.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "rma/machine/rerun.hpp"

namespace matchpoint::rma {

namespace {

using Answer = Lateness::Answer;

constexpr std::size_t most_steps = 1'000'000; // of all changed runs together

class Blame {
public:
    Blame(Machine const& machine, std::span<Transition const> run, Operations const& operations, bool ends)
        : machine_(machine), run_(run), operations_(operations), rerun_(machine, run, operations), ends_(ends) {
        State state = machine.initial();
        for (Transition const& t : run) {
            auto const* const step = std::get_if<ProcessStep>(&t);
            statements_.push_back(step == nullptr ? no_index : machine.graph().at(state.pc[step->p]).executes);
            machine.apply(state, t);
        }
        for (std::uint32_t o = 0; o < operations.all().size(); ++o) passed_.push_back(passed(o));
    }

    Lateness found() {
        Lateness result;
        if (operations_.all().empty()) return result;
        for (std::uint32_t o = 0; o < passed_.size(); ++o)
            if (!passed_[o].empty() && mends({{o, passed_[o].front()}}))
                add(result.late, {o, last_that_mends({{o, passed_[o].front()}}, o)});
        if (!result.late.empty()) result.answer = Answer::late;
        if (result.late.empty()) together(result);
        return result;
    }

private:
    /// The steps that the process took while the operation was pending, and the first step of another one that an
    /// `atomic` has kept out until then.
    std::vector<std::size_t> passed(std::uint32_t o) const {
        Operation const& operation = operations_.all()[o];
        ProcessIndex const p = machine_.graph().remotes()[operation.s].process;
        bool keeps_out = machine_.graph().at(statements_[operation.issued]).inside;
        std::vector<std::size_t> result;
        for (std::size_t i = operation.issued + 1; i < operation.written && i < run_.size(); ++i) {
            auto const* const t = std::get_if<ProcessStep>(&run_[i]);
            if (t == nullptr || (t->p != p && !keeps_out)) continue;
            if (t->p != p) keeps_out = false;
            result.push_back(i);
        }
        return result;
    }

    /// The last step before which one of the operations has to be executed that mend the run.
    std::size_t last_that_mends(Rerun::Moved moved, std::uint32_t o) {
        for (std::size_t k = passed_[o].size(); k-- > 1;) {
            moved[o] = passed_[o][k];
            if (mends(moved)) return passed_[o][k];
        }
        return passed_[o].front();
    }

    /// The fewest of all late operations that mend the run.
    void together(Lateness& result) {
        Rerun::Moved moved;
        for (std::uint32_t o = 0; o < passed_.size(); ++o)
            if (!passed_[o].empty()) moved[o] = passed_[o].front();
        if (moved.empty() || !mends(moved)) return at_once(result);
        for (auto m = moved.begin(); m != moved.end();) {
            auto const kept = *m;
            m = moved.erase(m);
            if (!mends(moved)) m = std::next(moved.insert(kept).first);
        }
        result.answer = Answer::together;
        for (auto& [o, before] : moved) add(result.late, {o, before = last_that_mends(moved, o)});
    }

    void at_once(Lateness& result) {
        Rerun::Moved moved;
        for (std::uint32_t o = 0; o < passed_.size(); ++o) moved[o] = operations_.all()[o].issued + 1;
        switch (outcome(moved)) {
        case Rerun::Outcome::right: result.answer = Answer::in_between; break;
        case Rerun::Outcome::wrong: result.answer = Answer::as_well; break;
        case Rerun::Outcome::so_far: result.answer = ends_ ? Answer::open : Answer::in_between; break;
        case Rerun::Outcome::open: break;
        }
    }

    /// An invariant or an assertion needs no end.
    bool mends(Rerun::Moved const& moved) {
        Rerun::Outcome const found = outcome(moved);
        return found == Rerun::Outcome::right || (found == Rerun::Outcome::so_far && !ends_);
    }
    Rerun::Outcome outcome(Rerun::Moved const& moved) {
        if (steps_ > most_steps) return Rerun::Outcome::open;
        steps_ += rerun_.steps();
        return rerun_.outcome(moved);
    }

    void add(std::vector<Late>& all, Late const& late) const {
        auto const is_same = [&](Late const& other) {
            return operations_.all()[other.operation].s == operations_.all()[late.operation].s &&
                   statements_[other.passed] == statements_[late.passed];
        };
        if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(late);
    }

    Machine const& machine_;
    std::span<Transition const> run_;
    Operations const& operations_;
    Rerun rerun_;
    bool ends_;                                    // it goes wrong in a final state
    std::vector<StatementIndex> statements_;       // of each step of a process
    std::vector<std::vector<std::size_t>> passed_; // by operation
    std::size_t steps_ = 0;
};

} // namespace

Lateness lateness(Machine const& machine, std::span<Transition const> run, Operations const& operations,
                  std::optional<std::size_t> property) {
    if (machine.model() == Model::sc) return {};
    bool const ends = property && machine.program().properties[*property].is_final;
    try {
        return Blame(machine, run, operations, ends).found();
    } catch (LimitReached const&) {
        return {}; // the run is known, and is shown without it
    }
}

} // namespace matchpoint::rma
