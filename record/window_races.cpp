#include "record/window_races.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace matchpoint::record {

namespace {

using Kind = WindowStep::Kind;
using Clock = std::vector<std::uint32_t>; // for each rank: how many of its steps come before

struct Access {
    std::uint32_t rank;
    std::uint32_t issued; // the how manieth step
    std::uint32_t completed;
    Clock before;
    std::map<std::string, bool> locks; // those that are held, and whether together with others
    WindowStep const* step;
};

/// Goes through the steps of all ranks in an order in which they can have been.
class Order {
public:
    explicit Order(WindowSteps const& ranks)
        : ranks_(ranks), clocks_(ranks.size(), Clock(ranks.size(), 0)), at_(ranks.size(), 0), locks_(ranks.size()) {
        for (std::uint32_t r = 0; r < ranks.size(); ++r)
            for (WindowStep const& s : ranks[r])
                if (s.kind == Kind::signal) signals_[s.name].try_emplace(r);
    }

    std::map<std::string, std::vector<Access>> run() {
        for (bool moves = true; moves;) {
            moves = false;
            for (std::uint32_t r = 0; r < ranks_.size(); ++r)
                while (at_[r] < ranks_[r].size() && step(r, ranks_[r][at_[r]])) moves = true;
        }
        return std::move(accesses_);
    }

private:
    /// False if the rank has to wait.
    bool step(std::uint32_t r, WindowStep const& s) {
        spend();
        Clock& clock = clocks_[r];
        if (s.kind == Kind::await && !await(clock, s)) return false;
        clock[r] = ++at_[r];
        switch (s.kind) {
        case Kind::access: access(r, s); break;
        case Kind::flush: flush(r, s.rank); break;
        case Kind::signal: signals_[s.name][r].push_back(clock); break;
        case Kind::acquire: locks_[r][s.name] = false; break;
        case Kind::acquire_shared: locks_[r][s.name] = true; break;
        case Kind::release: locks_[r].erase(s.name); break;
        case Kind::await: break;
        }
        return true;
    }

    /// Each of those who signal has done so equally often.
    bool await(Clock& clock, WindowStep const& s) {
        auto const found = signals_.find(s.name);
        if (found == signals_.end()) return s.n == 0;
        std::size_t const each = (s.n + found->second.size() - 1) / found->second.size();
        for (auto const& [rank, sent] : found->second)
            if (sent.size() < each) return false;
        for (auto const& [rank, sent] : found->second)
            for (std::size_t i = 0; each > 0 && i < clock.size(); ++i) clock[i] = std::max(clock[i], sent[each - 1][i]);
        return true;
    }

    void access(std::uint32_t r, WindowStep const& s) {
        auto& all = accesses_[s.name];
        all.push_back({r, at_[r], s.is_remote ? UINT32_MAX : at_[r], clocks_[r], locks_[r], &s});
        if (s.is_remote) pending_[{r, s.rank}].emplace_back(&all, all.size() - 1);
    }

    void flush(std::uint32_t r, std::uint32_t target) {
        for (auto const& [all, i] : pending_[{r, target}]) (*all)[i].completed = at_[r];
        pending_[{r, target}].clear();
    }

    WindowSteps const& ranks_;
    std::vector<Clock> clocks_;
    std::vector<std::uint32_t> at_; // steps that were taken
    std::vector<std::map<std::string, bool>> locks_;
    std::map<std::string, std::map<std::uint32_t, std::vector<Clock>>> signals_; // name -> rank -> its clock at each
    std::map<std::string, std::vector<Access>> accesses_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::vector<Access>*, std::size_t>>>
        pending_;
};

bool comes_before(Access const& a, Access const& b) {
    return a.rank == b.rank ? a.completed < b.issued || (a.issued < b.issued && !a.step->is_remote)
                            : a.completed <= b.before[a.rank];
}

bool exclude_each_other(Access const& a, Access const& b) {
    if (a.rank == b.rank) return false;
    return std::any_of(a.locks.begin(), a.locks.end(), [&](auto const& lock) {
        auto const found = b.locks.find(lock.first);
        return found != b.locks.end() && !(lock.second && found->second);
    });
}

bool race(Access const& a, Access const& b) {
    WindowStep const &s = *a.step, &t = *b.step;
    if (!(s.writes || t.writes) || (s.is_atomic && t.is_atomic) || !(s.is_remote || t.is_remote)) return false;
    return !comes_before(a, b) && !comes_before(b, a) && !exclude_each_other(a, b);
}

RacingAccess side(Access const& a) { return {a.rank, a.step->at, a.step->function, a.step->writes}; }

} // namespace

Finding race_between(RacingAccess first, RacingAccess second, std::uint32_t rank) {
    if (first.function.empty()) std::swap(first, second); // the place of a store is that of a later call
    Finding f{FindingKind::window_race, first.rank, first.at, first.function, ""};
    f.other = {second.rank, second.at};
    bool const is_store = second.function.empty();
    f.text = fmt::format("it {} memory of rank {} while {} of rank {} may {} it{}", first.writes ? "writes" : "reads",
                         rank, is_store ? "a store" : second.function, second.rank, second.writes ? "write" : "read",
                         is_store ? ", before the call that is named here" : "");
    return f;
}

std::vector<Finding> races_by_order(WindowSteps const& ranks) {
    std::vector<Finding> found;
    std::set<std::tuple<std::uint32_t, SourceLine, std::uint32_t, SourceLine>> said;
    for (auto const& [name, all] : Order(ranks).run())
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = i + 1; k < all.size(); ++k) {
                spend();
                if (!race(all[i], all[k])) continue;
                if (!said.emplace(all[i].rank, all[i].step->at, all[k].rank, all[k].step->at).second) continue;
                found.push_back(race_between(side(all[i]), side(all[k]), all[i].step->rank));
            }
    return found;
}

} // namespace matchpoint::record
