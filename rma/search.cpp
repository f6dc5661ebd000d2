#include "rma/search.hpp"

#include <algorithm>

#include "grammar/limits.hpp"

namespace matchpoint::rma {

namespace {

class Search {
public:
    Search(System& system, SearchOptions const& options) : system_(system), options_(options) {}

    SearchResult run() {
        states_.insert(system_.initial(), StateTable::none);
        try {
            for (at_ = 0; at_ < states_.size() && result_.stop == SearchResult::Stop::none; ++at_) visit();
        } catch (OutOfTime const&) {
            result_.stop = SearchResult::Stop::time;
        }
        result_.states = states_.size();
        result_.bytes = states_.bytes();
        result_.cuts = system_.cuts();
        return std::move(result_);
    }

private:
    void visit() {
        // The table may move while it grows, and states do not: but they are read after an insert only through their number.
        state_.assign(states_[at_]);
        spend(1000); // about as long as so many looks into memory
        bool const is_part = system_.expand(state_, options_.reduced, next_);
        look_at_state();
        bool const any_new = take_edges();
        if (is_part && !any_new) {
            system_.expand(state_, false, next_);
            take_edges();
        }
        if (states_.bytes() + states_.next_growth() > options_.max_bytes && states_.bytes() > options_.max_bytes / 2)
            result_.stop = SearchResult::Stop::memory;
        if (states_.size() >= options_.max_states) result_.stop = SearchResult::Stop::states;
        if (options_.stop_at_violation && result_.violation) result_.stop = SearchResult::Stop::violation;
    }

    void look_at_state() {
        result_.faulted = result_.faulted || next_.faulted;
        if (next_.broken) violated(next_.broken);
        if (!next_.is_final) return;
        result_.has_final = true;
        if (options_.finals) result_.finals.emplace(system_.memory_part(state_));
    }

    /// Whether one of the next states is new.
    bool take_edges() {
        bool any_new = false;
        for (Expansion::Edge const& e : next_.edges) {
            ++result_.transitions;
            if (e.effect == Effect::failed) violated(std::nullopt);
            result_.discarded = result_.discarded || e.effect == Effect::discarded;
            result_.faulted = result_.faulted || e.effect == Effect::faulted;
            if (e.effect == Effect::discarded || e.effect == Effect::faulted) continue;
            any_new = states_.insert(next_.next(e), at_).is_new || any_new;
        }
        return any_new;
    }

    void violated(std::optional<std::size_t> property) {
        if (result_.violation) return;
        std::vector<std::string> path;
        for (StateTable::Id id = at_; id != StateTable::none; id = states_.parent(id)) path.emplace_back(states_[id]);
        std::reverse(path.begin(), path.end());
        result_.violation = SearchResult::Violation{std::move(path), property};
    }

    System& system_;
    SearchOptions options_;
    StateTable states_;
    StateTable::Id at_ = 0;
    std::string state_;
    Expansion next_;
    SearchResult result_;
};

} // namespace

SearchResult search(System& system, SearchOptions const& options) {
    while (true) {
        try {
            return Search(system, options).run();
        } catch (TooNarrow const&) {
            system.widen();
        }
    }
}

} // namespace matchpoint::rma
