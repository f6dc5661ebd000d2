#include "rma/search/flushes.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>

#include "base/limits.hpp"
#include "rma/programs/edit.hpp"
#include "rma/search/placements.hpp"

namespace matchpoint::rma {

namespace {

bool has(Placement const& placement, std::size_t flush) {
    return std::binary_search(placement.begin(), placement.end(), flush);
}

bool have_one_in_common(Placement const& a, Placement const& b) {
    return std::any_of(a.begin(), a.end(), [&](std::size_t f) { return has(b, f); });
}

/// Walks a run of the program with fewer flushes through the program with all of them, and notes which of the others it
/// would have had to wait for. A process passes a flush as late as it can.
class Avoided {
public:
    Avoided(Machine const& machine, std::vector<StatementIndex> const& flushes, Placement const& kept)
        : machine_(machine), flushes_(flushes), kept_(kept), state_(machine.initial()) {}

    Placement operator()(std::vector<Transition> const& run, bool fails) {
        for (Transition const& t : run) step(t);
        // A property may ask where processes are.
        for (ProcessIndex p = 0; !fails && p < state_.pc.size(); ++p) pass(p);
        return {waited_.begin(), waited_.end()};
    }

private:
    void step(Transition const& t) {
        auto const* const process = std::get_if<ProcessStep>(&t);
        if (process == nullptr) {
            machine_.apply(state_, t);
            return;
        }
        // In front of a flush a process may still be inside of an `atomic` which it has left without the flush.
        for (ProcessIndex p = 0; p < state_.pc.size(); ++p)
            if (machine_.graph().inside(p, state_.pc[p])) pass(p);
        pass(process->p);
        if (auto const flush = removed(process->p))
            go_on(process->p, *flush); // one with a location: a skip
        else
            machine_.apply(state_, t);
    }

    /// The flush that a process is about to execute, if it is not kept.
    std::optional<std::size_t> removed(ProcessIndex p) const {
        if (state_.pc[p] == machine_.graph().end(p)) return std::nullopt;
        StatementIndex const s = machine_.graph().at(state_.pc[p]).executes;
        auto const it = std::lower_bound(flushes_.begin(), flushes_.end(), s);
        if (it == flushes_.end() || *it != s) return std::nullopt;
        auto const number = static_cast<std::size_t>(it - flushes_.begin());
        return has(kept_, number) ? std::nullopt : std::optional(number);
    }

    void pass(ProcessIndex p) {
        for (auto flush = removed(p); flush; flush = removed(p)) {
            if (!machine_.program().statements[flushes_[*flush]].rho.is_none()) return;
            go_on(p, *flush);
        }
    }

    void go_on(ProcessIndex p, std::size_t flush) {
        ProcessIndex const to = std::get<Flush>(machine_.program().statements[flushes_[flush]].c).pid;
        if (flush_waits(machine_.graph(), state_, p, to)) waited_.insert(flush);
        state_.pc[p] = machine_.graph().at(state_.pc[p]).next;
    }

    Machine const& machine_;
    std::vector<StatementIndex> const& flushes_;
    Placement const& kept_;
    State state_;
    std::set<std::size_t> waited_;
};

/// All sets of at most `most` elements that have one in common with each of some sets, and of which no part has.
/// (Perhaps others.)
std::set<Placement> hitting_sets(std::vector<Placement> const& sets, std::size_t most) {
    std::set<Placement> result;
    std::set<Placement> seen{{}};
    std::vector<Placement> todo{{}};
    while (!todo.empty()) {
        spend(sets.size() + 1);
        Placement const chosen = std::move(todo.back());
        todo.pop_back();
        auto const missed = std::find_if(sets.begin(), sets.end(),
                                         [&](Placement const& set) { return !have_one_in_common(set, chosen); });
        if (missed == sets.end()) {
            result.insert(chosen);
        } else if (chosen.size() < most) {
            for (std::size_t const f : *missed) {
                Placement with = chosen;
                with.insert(std::lower_bound(with.begin(), with.end(), f), f);
                if (seen.insert(with).second) todo.push_back(std::move(with));
            }
        }
    }
    return result;
}

class FlushSearch {
public:
    FlushSearch(Program const& program, FlushOptions const& options)
        : options_(options), with_answers_(options), flushes_(flushes_of(program)), graph_(program), machine_(graph_),
          placements_(program, with_answers_) {
        with_answers_.known = [this](Placement const& placement) { return answer(placement); };
    }

    FlushResult run() {
        if (!try_all()) return std::move(result_);
        find_needed();
        if (options_.decide) {
            search_from_above();
        } else {
            for (std::size_t size = result_.needed.size(); is_open() && size <= flushes_.size(); ++size)
                if (!try_size(size)) break;
        }
        if (result_.answer == FlushResult::Answer::found) explain();
        return std::move(result_);
    }

private:
    /// Whether it makes sense to go on.
    bool try_all() {
        bool goes_on = true;
        ask({all_but(flushes_.size())}, [&](Placement const& all, Decision&& d) {
            goes_on = d.verdict == Verdict::safe || (d.verdict == Verdict::unknown && !options_.decide);
            if (d.verdict == Verdict::violated) {
                result_.answer = FlushResult::Answer::none;
                result_.missing.push_back({flushes_.size(), all, std::move(d.run)});
            } else if (!goes_on) {
                result_.is_least = false;
                undecided(all, std::move(d));
            }
        });
        return goes_on;
    }

    /// Asks about all placements of a size that no run rules out; none that is smaller is left. False: the answer stays
    /// open.
    bool try_size(std::size_t size) {
        result_.least = size;
        auto sets = hitting_sets(avoided_, size);
        for (Placement const& smaller : result_.undecided) {
            sets.erase(smaller);
            if (smaller.size() + 1 == size) add_larger(smaller, sets);
        }
        ask({sets.begin(), sets.end()}, [&](Placement const& placement, Decision&& d) {
            switch (d.verdict) {
            case Verdict::safe: result_.placements.push_back(placement); break;
            case Verdict::violated: rule_out(placement, d); break;
            case Verdict::unknown: undecided(placement, std::move(d)); break;
            }
        });
        if (!result_.placements.empty()) result_.answer = FlushResult::Answer::found;
        return result_.undecided.empty();
    }

    /// The placements with one flush more.
    void add_larger(Placement const& placement, std::set<Placement>& sets) const {
        for (std::size_t f = 0; f < flushes_.size(); ++f) {
            if (has(placement, f)) continue;
            Placement larger = placement;
            larger.insert(std::lower_bound(larger.begin(), larger.end(), f), f);
            sets.insert(std::move(larger));
        }
    }

    /// First removes one flush after the other, so that there is a small placement if time is up later.
    void search_from_above() {
        Placement least = all_but(flushes_.size());
        for (std::size_t f = flushes_.size(); f-- > 0;) {
            Placement fewer = least;
            fewer.erase(std::find(fewer.begin(), fewer.end(), f));
            ask({fewer}, [&](Placement const& placement, Decision&& d) {
                if (d.verdict == Verdict::safe) least = placement;
                if (d.verdict == Verdict::violated) rule_out(placement, d);
            });
        }
        try {
            for (std::size_t size = result_.needed.size(); is_open() && size <= least.size() && !is_late_; ++size) {
                result_.is_least = result_.undecided.empty();
                try_size(size);
            }
        } catch (OutOfTime const&) {
            is_late_ = true;
        }
        if (!is_open()) return;
        result_.answer = FlushResult::Answer::found;
        result_.is_least = false;
        result_.least = least.size();
        result_.placements = {least};
    }

    bool is_open() const { return result_.answer == FlushResult::Answer::open; }
    void rule_out(Placement const& placement, Decision const& d) {
        avoided_.push_back(Avoided(machine_, flushes_, placement)(d.run, d.fails));
    }
    void undecided(Placement const& placement, Decision&& d) {
        is_late_ = is_late_ || d.is_late;
        result_.undecided.push_back(placement);
        if (result_.reason.empty()) result_.reason = std::move(d.reason);
    }

    /// With almost all flushes there are few states, so these questions are the cheapest.
    void find_needed() {
        std::vector<Placement> placements;
        for (std::size_t f = 0; f < flushes_.size(); ++f) placements.push_back(all_but(f));
        std::size_t flush = 0;
        ask(placements, [&](Placement const&, Decision&& d) {
            if (d.verdict == Verdict::violated) result_.needed.push_back(flush);
            ++flush;
        });
        for (std::size_t const f : result_.needed) avoided_.push_back({f});
    }

    /// A run for each flush that would be missing.
    void explain() {
        std::vector<Placement> placements;
        std::vector<std::size_t> missing;
        std::set<std::size_t> used;
        for (Placement const& placement : result_.placements)
            for (std::size_t const f : placement) {
                if (!used.insert(f).second) continue;
                missing.push_back(f);
                placements.push_back(placement);
                placements.back().erase(std::find(placements.back().begin(), placements.back().end(), f));
            }
        avoided_.clear(); // it is known that none of these works, but not why
        std::size_t i = 0;
        ask(placements, [&](Placement const& left, Decision&& d) {
            if (d.verdict == Verdict::violated) result_.missing.push_back({missing[i], left, std::move(d.run)});
            ++i;
        });
    }

    Placement all_but(std::size_t flush) const {
        Placement result;
        for (std::size_t f = 0; f < flushes_.size(); ++f)
            if (f != flush) result.push_back(f);
        return result;
    }

    /// Without those that a run rules out.
    void ask(std::vector<Placement> const& placements, DecidedInOrder::Use const& use) {
        auto const is_ruled_out = [&](Placement const& placement) {
            return std::any_of(avoided_.begin(), avoided_.end(),
                               [&](Placement const& set) { return !have_one_in_common(set, placement); });
        };
        placements_.for_each(placements, is_ruled_out, [&](Placement const& placement, Decision&& d) {
            if (keep(placement, d)) {
                ++result_.asked;
                result_.states += d.states;
                if (options_.decided) options_.decided(placement, d);
            }
            use(placement, std::move(d));
        });
    }

    /// A placement may be asked about twice: all flushes, which may also be the fewest; one without a flush, for a run.
    /// Whether this is the first time.
    bool keep(Placement const& placement, Decision const& d) {
        std::unique_lock const lock(mutex_);
        return answers_.emplace(placement, d).second;
    }
    std::optional<Decision> answer(Placement const& placement) const {
        {
            std::shared_lock const lock(mutex_);
            if (auto const found = answers_.find(placement); found != answers_.end()) return found->second;
        }
        return options_.known ? options_.known(placement) : std::nullopt;
    }

    FlushOptions const& options_;
    FlushOptions with_answers_; // `known` knows what was decided here, too
    std::map<Placement, Decision> answers_;
    mutable std::shared_mutex mutex_; // of the answers
    std::vector<StatementIndex> flushes_;
    Graph graph_;
    Machine machine_;
    DecidedInOrder placements_;
    std::vector<Placement> avoided_; // every placement that works has one of each
    bool is_late_ = false;
    FlushResult result_;
};

} // namespace

FlushResult least_flushes(Program const& program, FlushOptions const& options) {
    return FlushSearch(program, options).run();
}

} // namespace matchpoint::rma
