#include "proofs/refine.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "proofs/atomics.hpp"
#include "proofs/counterexample.hpp"

namespace matchpoint::proofs {

namespace {

using AbstractState = Abstraction::AbstractState;

class Backwards {
public:
    Backwards(Formulas& formulas, Abstraction const& system)
        : formulas_(formulas), graph_(formulas.graph()), system_(system) {}

    std::vector<Formula> atoms(rma::SearchResult::Violation const& violation) {
        std::vector<AbstractState> path(violation.path.size());
        for (std::size_t i = 0; i < path.size(); ++i) system_.unpack(violation.path[i].data(), path[i]);
        start(path.back(), violation.property);
        for (std::size_t i = path.size() - 1; i > 0 && met_.size() < most_atoms; --i) step_back(path[i - 1], path[i]);
        return std::move(met_);
    }

private:
    static constexpr std::size_t most_atoms = 300;
    static constexpr std::size_t most_live = 60; // carried over a step

    /// A property that is broken in the last state, or an assertion that a process is about to execute.
    void start(AbstractState const& last, std::optional<std::size_t> property) {
        if (property) return meet(formulas_.with_places(graph_.program().properties[*property].e));
        for (rma::ProcessIndex p = 0; p < last.pc.size(); ++p) {
            if (last.pc[p] == graph_.end(p)) continue;
            auto const& c = graph_.program().statements[graph_.at(last.pc[p]).executes].c;
            if (auto const* const a = std::get_if<rma::Assert>(&c)) meet(formulas_.with_places(a->e));
        }
    }

    /// The atoms of f matter before what follows.
    void meet(Formula f) {
        for (Formula const p : formulas_.atoms(f)) {
            if (formulas_.symbols(p).empty() || live_.size() == most_live || has_place(p)) continue;
            live_.insert(p);
            if (seen_.insert(p).second) met_.push_back(p);
        }
    }
    /// Where processes are is known.
    bool has_place(Formula p) const {
        auto const& symbols = formulas_.symbols(p);
        return std::any_of(symbols.begin(), symbols.end(), [this](Symbol x) {
            return x.index < graph_.program().variables.size() &&
                   graph_.program().variables[x.index].kind == rma::VariableInfo::Kind::place;
        });
    }

    /// What had to hold before, for each p that had to hold after.
    template <typename F>
    void change(F const& before_it) {
        std::set<Formula> const after = std::exchange(live_, {});
        for (Formula const p : after) {
            spend(10);
            meet(before_it(p));
        }
    }
    void assigned(Symbol x, Formula e) {
        change([&](Formula p) { return formulas_.replace(p, {x, e}); });
    }
    void exchanged(rma::RemoteIndex s, Exchange const& exchange) {
        auto const outcomes = outcomes_of(formulas_, s);
        change([&](Formula p) { return before(formulas_, p, outcomes, exchange); });
    }

    void step_back(AbstractState const& from, AbstractState const& to) {
        PathStep const step = step_between(from, to);
        if (step.p != rma::no_index) statement(graph_.at(from.pc[step.p]), to.active.empty());
        if (step.u != rma::no_index) executed(system_.units()[step.u]);
    }

    /// Without counts, operations are executed when they are issued.
    void statement(rma::Successors const& at, bool is_sc) {
        auto const remote = [&] {
            rma::Remote const& r = graph_.remotes()[at.remote];
            if (is_sc) assigned(Formulas::symbol(r.trg), formulas_.variable(r.src));
        };
        auto const atomic = [&] {
            rma::Remote const& r = graph_.remotes()[at.remote];
            if (is_sc) exchanged(at.remote, {r.src, r.fetches ? std::optional(r.trg) : std::nullopt});
        };
        auto const condition = [&](Expression e) { meet(formulas_.with_places(e)); };
        std::visit(
            overloaded{
                [&](rma::Load const& c) { assigned(Formulas::symbol(c.u), formulas_.variable(c.X)); },
                [&](rma::Store const& c) { assigned(Formulas::symbol(c.X), formulas_.with_places(c.e)); },
                [&](rma::Assign const& c) { assigned(Formulas::symbol(c.u), formulas_.with_places(c.e)); },
                [&](rma::Choose const& c) {
                    change([&](Formula p) {
                        Formula all = formulas_.truth(true);
                        for (std::uint32_t k = c.first; k < c.last; ++k) {
                            Formula const value = formulas_.value(graph_.program().choices[k]);
                            all = formulas_.apply(Op::and_, all, formulas_.replace(p, {Formulas::symbol(c.u), value}));
                        }
                        return all;
                    });
                },
                [&](rma::Assume const& c) { condition(c.e); },
                [&](rma::Assert const& c) { condition(c.e); },
                [&](rma::If const& c) { condition(c.e); },
                [&](rma::While const& c) { condition(c.e); },
                [&](rma::Put const&) { remote(); },
                [&](rma::Get const&) { remote(); },
                [&](rma::FetchAndOp const&) { atomic(); },
                [&](rma::CompareAndSwap const&) { atomic(); },
                [&](rma::Accumulate const&) { atomic(); },
                [](rma::Flush const&) {},
                [](rma::Skip const&) {},
                [](rma::Goto const&) {},
                [](rma::Atomic const&) {},
            },
            graph_.program().statements[at.executes].c);
    }

    void executed(rma::Unit const& u) {
        rma::Remote const& r = graph_.remotes()[u.s];
        if (!u.is_fetched && r.is_atomic()) return exchanged(u.s, {.Y = r.src});
        assigned(Formulas::symbol(r.trg), formulas_.variable(r.src));
    }

    Formulas& formulas_;
    rma::Graph const& graph_;
    Abstraction const& system_;
    std::set<Formula> live_; // what had to hold where we are
    std::set<Formula> seen_;
    std::vector<Formula> met_; // all of these
};

} // namespace

std::vector<Formula> atoms_on_path(Formulas& formulas, Abstraction const& system,
                                   rma::SearchResult::Violation const& violation) {
    return Backwards(formulas, system).atoms(violation);
}

} // namespace matchpoint::proofs
