#include "rma/search/search.hpp"

#include <algorithm>
#include <array>

#include "base/limits.hpp"

namespace matchpoint::rma {

namespace {

class Search {
public:
    Search(System& system, SearchOptions const& options)
        : system_(system), options_(options), states_(system.words()) {}

    SearchResult run() {
        Packed const initial = system_.initial();
        states_.insert(initial.data(), states_.hash(initial.data()), StateTable::none);
        try {
            while (at_ < states_.size() && result_.stop == SearchResult::Stop::none) visit_some();
        } catch (OutOfTime const&) {
            result_.stop = SearchResult::Stop::time;
        }
        result_.states = states_.size();
        result_.bytes = states_.bytes();
        return std::move(result_);
    }

private:
    /// What comes of a state, and the hashes of the states there.
    struct Visit {
        Expansion next;
        std::vector<std::uint64_t> hashes;
        bool is_part = false;
    };

    /// Expands some states before it looks for what comes of them, so that memory is asked for all of that at once.
    /// What is found is the same as if it went from one state to the next.
    void visit_some() {
        auto const count = std::min<std::size_t>(visits_.size(), states_.size() - at_);
        for (std::size_t i = 0; i < count; ++i) {
            StateTable::Id const id = at_ + static_cast<StateTable::Id>(i);
            visits_[i].is_part = system_.expand(states_[id], options_.reduced, visits_[i].next);
            // About as long as so many looks into memory; what is written here is read again.
            spend(250 + visits_[i].next.words.size() / 4);
            hash(visits_[i]);
        }
        for (std::size_t i = 0; i < count; ++i)
            for (std::uint64_t const h : visits_[i].hashes) states_.fetch_state(h);
        for (std::size_t i = 0; i < count && result_.stop == SearchResult::Stop::none; ++i, ++at_) visit(visits_[i]);
    }

    void hash(Visit& visit) {
        visit.hashes.clear();
        for (Expansion::Edge const& e : visit.next.edges) {
            bool const has_next = e.effect != Effect::discarded && e.effect != Effect::faulted;
            visit.hashes.push_back(has_next ? states_.hash(visit.next.next(e)) : 0);
            states_.fetch_slot(visit.hashes.back());
        }
    }

    void visit(Visit& visit) {
        if (at_ == next_level_) next_level_ = states_.size();
        look_at_state(visit.next);
        bool const any_new = take_edges(visit);
        if (visit.is_part && !any_new) {
            system_.expand(states_[at_], false, visit.next);
            hash(visit);
            take_edges(visit);
        }
        if (states_.bytes() + states_.next_growth() > options_.max_bytes && states_.bytes() > options_.max_bytes / 2)
            result_.stop = SearchResult::Stop::memory;
        if (states_.size() >= options_.max_states) result_.stop = SearchResult::Stop::states;
        if (options_.stop_at_violation && result_.violation && !may_be_shorter())
            result_.stop = SearchResult::Stop::violation;
    }

    /// A false assertion is a step after its state, so a state of the same level that breaks a property is nearer.
    bool may_be_shorter() const { return options_.shortest && !result_.violation->property && at_ + 1 < next_level_; }

    void look_at_state(Expansion const& next) {
        result_.faulted = result_.faulted || next.faulted;
        result_.may_assert = result_.may_assert || next.may_assert;
        if (next.broken) violated(next.broken);
        if (!next.is_final) return;
        result_.has_final = true;
        if (options_.finals) result_.finals.insert(system_.memory_part(states_[at_]));
    }

    /// Whether one of the next states is new.
    bool take_edges(Visit const& visit) {
        bool any_new = false;
        result_.cuts.pending = result_.cuts.pending || visit.next.cuts.pending;
        result_.cuts.values = result_.cuts.values || visit.next.cuts.values;
        for (std::size_t i = 0; i < visit.next.edges.size(); ++i) {
            Expansion::Edge const& e = visit.next.edges[i];
            ++result_.transitions;
            if (e.effect == Effect::failed) violated(std::nullopt);
            result_.discarded = result_.discarded || e.effect == Effect::discarded;
            result_.faulted = result_.faulted || e.effect == Effect::faulted;
            if (e.effect == Effect::discarded || e.effect == Effect::faulted) continue;
            any_new = states_.insert(visit.next.next(e), visit.hashes[i], at_) || any_new;
        }
        return any_new;
    }

    void violated(std::optional<std::size_t> property) {
        bool const is_nearer = options_.shortest && property && result_.violation && !result_.violation->property;
        if (result_.violation && !is_nearer) return;
        std::vector<Packed> path;
        for (StateTable::Id id = at_; id != StateTable::none; id = states_.parent(id))
            path.emplace_back(states_[id], states_[id] + system_.words());
        std::reverse(path.begin(), path.end());
        result_.violation = SearchResult::Violation{std::move(path), property};
    }

    System& system_;
    SearchOptions options_;
    StateTable states_;
    StateTable::Id at_ = 0;
    StateTable::Id next_level_ = 0; // where the states begin that are a step further away than the one at `at_`
    std::array<Visit, 16> visits_;
    SearchResult result_;
};

} // namespace

SearchResult search(System& system, SearchOptions const& options) {
    while (true) {
        try {
            system.prepare();
            return Search(system, options).run();
        } catch (TooNarrow const&) {
            system.widen();
        } catch (OutOfTime const&) {
            SearchResult result;
            result.stop = SearchResult::Stop::time;
            return result;
        }
    }
}

} // namespace matchpoint::rma
