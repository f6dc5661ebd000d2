#include "validate/explanations.hpp"

#include <algorithm>
#include <bitset>
#include <map>
#include <optional>
#include <tuple>

namespace matchpoint::validate {

namespace {

/// How many of the best sets are kept, and extended beyond triples.
constexpr std::size_t most_kept = 16;

/// How many sets of three or more changes are tried of a size.
constexpr std::size_t most_of_a_size = 400;

/// One bit for each observation; what comes after the first so many is not used for estimates.
using Bits = std::bitset<1024>;

/// The number of changes that have no erratum. If two sets predict equally much, one from the errata is more specific.
auto unnamed(Changes const& changes) {
    return std::count_if(validate::changes().begin(), validate::changes().end(),
                         [&](ChangeInfo const& i) { return has(changes, i.change) && i.errata.empty(); });
}

Changes without_pairs(Changes const& changes) { return changes & ~only(Change::all_pairs); }

/// Single changes on top of the same base, and what the rules then say of the observations.
struct Base {
    struct Single {
        Changes change;
        Direction direction;
        Bits sat;
    };
    Changes changes;
    Bits sat;
    std::vector<Single> singles = {};
};

/// A set that has not been tried, and how many observations it will not predict if its changes do not influence each
/// other.
struct Estimated {
    Changes changes;
    std::size_t misses;
};

/// Whether a change is one of a causal model.
bool is_about(Change change, std::optional<executions::Model> model) {
    using executions::Model;
    if (!model) return false;
    if (change == Change::no_model || change == Change::not_cut)
        return change != Change::no_model || *model != Model::ctp;
    return *model == (change == Change::read_after_write ? Model::hb : Model::mcm);
}

class Search {
public:
    Search(Observations& observed, std::size_t wrong, CachingSolver& solver, SearchLimits const& limits)
        : observed_(observed), wrong_(wrong), solver_(solver), question_(observed.question()), limits_(limits) {
        order_.push_back(wrong);
        for (std::size_t i = 0; i < observed.size(); ++i)
            if (i != wrong) order_.push_back(i);
    }

    std::vector<Explanation> run(Changes const& known, std::span<Changes const> hints) {
        for (Changes const& hint : hints) consider(hint);
        if (!explains_all()) grow();
        leave_out(); // a hint may have changes that make no difference
        keep_others();
        std::vector<Explanation> result;
        std::size_t const without = kept_.empty() || kept_.front().misses == 0 ? 1 : misses_without_changes();
        for (Kept const& k : kept_)
            // An encoder that gave another answer when it was asked again needs no change.
            if (Changes const of_this = here(k.changes, known); of_this.any())
                result.push_back(
                    {k.changes, of_this, observed_.usable() - k.misses, observed_.usable(), k.misses < without});
        return result;
    }

private:
    struct Kept {
        Changes changes;
        std::size_t misses;
        auto rank() const {
            return std::tuple(misses, size(changes), unnamed(changes), has(changes, Change::all_pairs));
        }
    };

    /// Few observations are wrong, so a set of changes that has nothing to do with them predicts most of them, too.
    std::size_t misses_without_changes() {
        std::size_t misses = 0;
        for (std::size_t i = 0; i < observed_.size(); ++i)
            misses += agrees(i, Changes()) || observed_.is_too_hard(i) ? 0 : 1;
        return misses;
    }

    bool explains_all() const { return !kept_.empty() && kept_.front().misses == 0; }
    bool is_stopped() const { return limits_.stop && limits_.stop(); }
    bool is_over() const { return asked_ > limits_.effort || is_stopped(); }

    /// Whether the changed rules say what the subject says.
    bool agrees(std::size_t i, Changes const& changes) {
        ++asked_;
        return observed_.says(i, changes, solver_) == (observed_[i].sat ? Says::sat : Says::unsat);
    }

    void grow() {
        for (Changes const& base : bases()) try_singles(base);
        if (explains_all()) return;
        for (Changes const& base : bases()) add_base(base);
        std::size_t best = observed_.size() + 1, best_size = 0;
        for (std::size_t size = 2; size <= limits_.largest && !explains_all() && !is_over(); ++size) {
            bool const is_stuck = best_size + 1 < size;
            if (size <= 3)
                try_all(all_of(size), size == 2 ? SIZE_MAX : most_of_a_size);
            else
                try_all(extended(size, is_stuck), is_stuck ? most_of_a_size : SIZE_MAX);
            if (size > 3) leave_out();
            std::size_t const now = kept_.empty() ? best : kept_.front().misses;
            if (size > 3 && now >= best && is_stuck) return;
            if (now < best) best = now, best_size = size;
        }
    }

    /// Tries the best sets without one of their changes, and so on: not all smaller sets have been tried.
    void leave_out() {
        std::vector<Changes> left;
        for (Kept const& k : kept_) left.push_back(k.changes);
        while (!left.empty() && !is_over()) {
            Changes const set = left.back();
            left.pop_back();
            for (ChangeInfo const& i : validate::changes()) {
                Changes const less = set & ~only(i.change);
                if (less == set || i.change == Change::all_pairs || is_kept(less)) continue;
                consider(less);
                if (is_kept(less)) left.push_back(less);
            }
        }
    }

    bool is_kept(Changes const& changes) const {
        return std::any_of(kept_.begin(), kept_.end(), [&](Kept const& k) { return k.changes == changes; });
    }

    /// The most promising first.
    void try_all(std::vector<Estimated> sets, std::size_t most) {
        std::stable_sort(sets.begin(), sets.end(),
                         [](Estimated const& a, Estimated const& b) { return a.misses < b.misses; });
        if (sets.size() > most) sets.resize(most);
        for (Estimated const& set : sets) {
            if (is_over()) return;
            consider(set.changes);
        }
    }

    std::vector<Changes> bases() const {
        // Of shared variables there are neither pairs nor a reading in which the rules cannot be changed.
        if (question_.shared) return {Changes()};
        Changes const first = question_.runs == Runs::executions ? only(Change::complete_runs) : Changes();
        return {first, first | only(Change::all_pairs)};
    }

    /// Whether the change makes a difference in some case.
    bool is_relevant(ChangeInfo const& i) const {
        if (i.about == (question_.shared ? About::messages : About::shared)) return false;
        bool const executions = question_.runs == Runs::executions;
        if (i.change == Change::all_pairs || (i.change == Change::complete_runs && !(question_.shared && executions)))
            return false;
        if (i.change == Change::executions && executions) return false;
        if (i.rule == Rule::bound && !question_.switches) return false;
        if (i.rule == Rule::causality && !is_about(i.change, question_.model)) return false;
        if (i.direction == Direction::either && !question_.shared && !observed_.has_mpi()) return false;
        for (std::size_t o = 0; o < observed_.size(); ++o)
            if (contains(i.bufferings, observed_[o].buffering)) return true;
        return false;
    }

    void try_singles(Changes const& base) {
        if (has(base, Change::complete_runs)) consider(base);
        for (ChangeInfo const& i : validate::changes())
            if (is_relevant(i)) consider(base | only(i.change));
    }

    /// What single changes say of all observations: most of the work, and only sets of more changes need it.
    void add_base(Changes const& changes) {
        Base base{changes, said(changes)}; // first: it implies much of what the others say
        for (ChangeInfo const& i : validate::changes())
            // Of executions the other rules cannot be changed.
            if (is_relevant(i) && (i.change != Change::executions || question_.shared))
                base.singles.push_back({only(i.change), i.direction, said(changes | only(i.change))});
        bases_.push_back(std::move(base));
    }

    std::size_t estimated() const { return std::min(observed_.size(), Bits().size()); }

    Bits said(Changes const& changes) {
        Bits result;
        for (std::size_t i = 0; i < estimated() && !is_over(); ++i) result[i] = agrees(i, changes) == observed_[i].sat;
        return result;
    }

    /// Each weaker change alone makes some problems satisfiable, each stronger one makes some unsatisfiable. If they do
    /// not influence each other, all of them together make the same ones so.
    std::size_t estimate(Base const& base, Changes const& set) const {
        Bits weaker, stronger;
        stronger.set();
        for (Base::Single const& s : base.singles) {
            if ((set & s.change).none()) continue;
            if (s.direction != Direction::stronger) weaker |= s.sat;
            if (s.direction != Direction::weaker) stronger &= s.sat;
        }
        Bits const sat = (base.sat & stronger) | (~base.sat & weaker);
        std::size_t misses = 0;
        for (std::size_t i = 0; i < estimated(); ++i) misses += sat[i] != observed_[i].sat && !observed_.is_too_hard(i);
        return misses;
    }

    /// All sets of two or three changes.
    std::vector<Estimated> all_of(std::size_t size) const {
        std::vector<Estimated> result;
        for (Base const& base : bases_) {
            std::size_t const n = base.singles.size();
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = i + 1; j < n; ++j) {
                    Changes const pair = base.changes | base.singles[i].change | base.singles[j].change;
                    if (size == 2) result.push_back({pair, estimate(base, pair)});
                    for (std::size_t k = j + 1; size == 3 && k < n; ++k) {
                        Changes const triple = pair | base.singles[k].change;
                        result.push_back({triple, estimate(base, triple)});
                    }
                }
        }
        return result;
    }

    /// The best sets, each with one more change or, if `by_two`, with two.
    std::vector<Estimated> extended(std::size_t size, bool by_two) const {
        std::vector<Estimated> result;
        for (Kept const& k : kept_)
            for (Base const& base : bases_)
                for (std::size_t i = 0; i < base.singles.size(); ++i)
                    for (std::size_t j = i; j < (by_two ? base.singles.size() : i + 1); ++j) {
                        Changes const set =
                            base.changes | without_pairs(k.changes) | base.singles[i].change | base.singles[j].change;
                        if (validate::size(set) == size) result.push_back({set, estimate(base, set)});
                    }
        return result;
    }

    /// Keeps the set if it is one of the best. The rules as they are explain no wrong answer, though a subject that
    /// answers at random may agree with them when it is asked again.
    void consider(Changes const& changes) {
        if (size(changes) == 0) return;
        auto const misses = count(changes, kept_.size() < most_kept ? observed_.size() : kept_.back().misses);
        if (misses) keep({changes, *misses});
    }

    /// How many observations the set does not predict. None if more than `bound`, or the wrong answer is one of them,
    /// or there is no time left.
    std::optional<std::size_t> count(Changes const& changes, std::size_t bound) {
        std::size_t misses = 0;
        for (std::size_t n = 0; n < order_.size(); ++n) {
            std::size_t const i = order_[n];
            if (is_stopped()) return std::nullopt;
            if (agrees(i, changes) || (observed_.is_too_hard(i) && i != wrong_)) continue;
            if (i == wrong_) return std::nullopt;
            if (++misses <= bound) continue;
            // The next set is likely to go wrong here, too.
            std::rotate(order_.begin() + 1, order_.begin() + static_cast<std::ptrdiff_t>(n),
                        order_.begin() + static_cast<std::ptrdiff_t>(n) + 1);
            return std::nullopt;
        }
        return misses;
    }

    /// A set of which a part predicts as much says nothing new.
    void keep(Kept const& one) {
        auto const is_more = [](Kept const& more, Kept const& less) {
            Changes const a = without_pairs(more.changes), b = without_pairs(less.changes);
            return a != b && (a & b) == b && more.misses >= less.misses;
        };
        for (Kept const& k : kept_)
            if (k.changes == one.changes || is_more(one, k)) return;
        std::erase_if(kept_, [&](Kept const& k) { return is_more(k, one); });
        auto const [it, is_first] = best_of_size_.emplace(size(one.changes), one);
        if (!is_first && one.rank() < it->second.rank()) it->second = one;
        insert(one);
        if (kept_.size() > most_kept) kept_.pop_back();
    }

    /// With enough changes, one observation more can always be predicted. So smaller sets that miss one more are kept,
    /// too; and if there are none, a part of the first set, to compare it with.
    void keep_others() {
        if (kept_.empty()) return;
        Kept const first = kept_.front();
        for (auto const& [size, best] : best_of_size_)
            if (best.misses <= first.misses + 1 && !is_kept(best.changes)) insert(best);
        if (kept_.back().misses > first.misses) return;
        std::optional<Kept> next;
        for (ChangeInfo const& i : validate::changes()) {
            Changes const less = first.changes & ~only(i.change);
            if (less == first.changes || less.none() || is_kept(less)) continue;
            auto const misses = count(less, observed_.size());
            if (misses && *misses > first.misses && (!next || *misses < next->misses)) next = Kept{less, *misses};
        }
        if (next) insert(*next);
    }

    void insert(Kept const& one) {
        kept_.insert(std::upper_bound(kept_.begin(), kept_.end(), one,
                                      [](Kept const& a, Kept const& b) { return a.rank() < b.rank(); }),
                     one);
    }

    /// A part of the changes that gives the wrong answer at hand and from which no more can be left out, apart from
    /// what is known, and what goes with it.
    Changes here(Changes const& changes, Changes const& known) {
        Changes const rest = without(changes & ~known, changes & known);
        return with_the_other(rest.any() ? rest : without(changes, {}), changes);
    }

    /// Who lets a message overtake another one does so whether or not that is received later: one cause, of two rules.
    static Changes with_the_other(Changes const& here, Changes const& changes) {
        Changes const both = only(Change::no_channel_order) | only(Change::overtaken_orphans);
        return (changes & both) == both && (here & both).any() ? here | both : here;
    }

    /// What is left of the changes, beside those that stay, if as many as possible are left out.
    Changes without(Changes changes, Changes const& staying) {
        auto const leave_out = [&](Change change) {
            Changes const less = changes & ~only(change);
            if (less != changes && agrees(wrong_, less | staying)) changes = less;
        };
        leave_out(Change::all_pairs);
        for (ChangeInfo const& i : validate::changes()) leave_out(i.change);
        return changes;
    }

    Observations& observed_;
    std::size_t wrong_;
    CachingSolver& solver_;
    Question const& question_;
    SearchLimits const& limits_;
    std::vector<std::size_t> order_; // the wrong answer at hand, and then those on which sets failed lately
    std::vector<Base> bases_;
    std::vector<Kept> kept_; // the best first
    std::map<std::size_t, Kept> best_of_size_;
    std::size_t asked_ = 0;
};

} // namespace

bool is_explained(std::span<Explanation const> explanations) {
    if (explanations.empty()) return false;
    Explanation const& first = explanations.front();
    return first.is_worth_it && first.agrees * 100 >= first.of * 95;
}

std::vector<Explanation> explanations(Observations& observed, std::size_t wrong, CachingSolver& solver,
                                      Changes const& known, std::span<Changes const> hints,
                                      SearchLimits const& limits) {
    return Search(observed, wrong, solver, limits).run(known, hints);
}

} // namespace matchpoint::validate
