#include "counting/deadlocks.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace matchpoint::counting {

namespace {

constexpr std::size_t most_causes = 20'000'000; // edges between commands that wait
constexpr std::size_t most_cycles = 1'000;
constexpr std::size_t most_looks = 1'000'000; // for cycles

using Causes = std::vector<std::vector<std::uint32_t>>; // by command; ascending

/// Whether a graph has a cycle. Without recursion: a chain can be as long as the program.
bool has_cycle(Causes const& to) {
    enum class Mark : std::uint8_t { fresh, open, done };
    std::vector<Mark> marks(to.size(), Mark::fresh);
    std::vector<std::pair<std::uint32_t, std::size_t>> path; // node, next edge
    for (std::uint32_t root = 0; root < to.size(); ++root) {
        if (marks[root] != Mark::fresh) continue;
        path.emplace_back(root, 0);
        marks[root] = Mark::open;
        while (!path.empty()) {
            auto& [node, next] = path.back();
            if (next == to[node].size()) {
                marks[node] = Mark::done;
                path.pop_back();
                continue;
            }
            std::uint32_t const target = to[node][next++];
            if (marks[target] == Mark::open) return true;
            if (marks[target] == Mark::done) continue;
            marks[target] = Mark::open;
            path.emplace_back(target, 0);
        }
    }
    return false;
}

class Search {
public:
    Search(MessageIndex const& messages, Sums const& sums, CountingVariables const& counts, Order const& order)
        : code_(messages.code()), ctp_(code_.ctp()), sums_(sums), counts_(counts), order_(order),
          waits_(ctp_.threads.size()), causes_(ctp_.commands.size()) {}

    DeadlockSuspects run() {
        find_waits();
        find_causes();
        if (!has_cycle(causes_)) return std::move(result_);
        leave_out_what_cannot_be();
        if (!has_cycle(causes_)) return std::move(result_);
        has_.assign(ctp_.threads.size(), false);
        find_cycles(2);
        if (ctp_.threads.size() > 2) find_cycles(ctp_.threads.size());
        return std::move(result_);
    }

private:
    std::uint32_t thread_of(std::uint32_t command) const { return code_.thread_of({command}); }

    void find_waits() {
        for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i) {
            Command const& c = ctp_.commands[i].c;
            if (as_wait(c) != nullptr || std::holds_alternative<Meet>(c) || as_collective(c) != nullptr)
                result_.are_all = false;
            Guarded const* const guarded = as_guarded(c);
            if (guarded != nullptr && guarded->blocks) waits_[thread_of(i)].push_back(i);
        }
    }

    void find_causes() {
        std::size_t edges = 0;
        for (auto const& of_thread : waits_)
            for (std::uint32_t const i : of_thread) {
                if (edges < most_causes && find_causes_of(i)) {
                    edges += causes_[i].size();
                    continue;
                }
                causes_[i].clear();
                result_.are_all = false;
            }
    }

    /// Finds commands that wait, one of which some other thread is at whenever this one is blocked. False if they are
    /// not known.
    bool find_causes_of(std::uint32_t command) {
        Guarded const& guarded = *as_guarded(ctp_.commands[command].c);
        std::vector<std::uint32_t>& causes = causes_[command];
        for (auto const& conjunct : sums_.conjuncts(command, guarded.e))
            if (!conjunct || !add_causes(command, *conjunct, causes)) return false;
        std::sort(causes.begin(), causes.end());
        causes.erase(std::unique(causes.begin(), causes.end()), causes.end());
        return true;
    }

    bool add_causes(std::uint32_t command, Comparison const& guard, std::vector<std::uint32_t>& causes) const {
        std::uint32_t const thread = thread_of(command);
        auto const& parts = guard.sum.parts;
        if (!std::all_of(parts.begin(), parts.end(), [&](auto const& part) { return part.at == command; }))
            return false;
        auto const all = counts_.additions(parts);
        if (!all) return false;
        Wide at_end = guard.sum.constant;
        for (Sum::Part const& part : parts) at_end += Wide{part.factor} * counts_.initial(part.x);
        for (Additions const& of : *all) at_end += of.thread == thread ? of.at(command) : of.at_end();
        if (compare({at_end, at_end}, guard.relation) != Known(true)) return false;
        bool const wants_more = guard.relation.greater && !guard.relation.less;
        bool const wants_less = guard.relation.less && !guard.relation.greater;
        for (Additions const& of : *all) {
            if (of.thread == thread) continue;
            spend(1 + waits_[of.thread].size());
            for (std::uint32_t const i : waits_[of.thread]) {
                Wide const added = of.at(i);
                if (added == of.at_end() || (wants_more && added > of.at_end()) || (wants_less && added < of.at_end()))
                    continue;
                causes.push_back(i);
            }
        }
        return true;
    }

    void leave_out_what_cannot_be() {
        for (std::uint32_t i = 0; i < causes_.size(); ++i) {
            spend(8 * (1 + causes_[i].size()));
            std::erase_if(causes_[i], [&](std::uint32_t j) { return order_.never_stand_together(i, j); });
        }
    }

    bool waits_for(std::uint32_t i, std::uint32_t j) const {
        return std::binary_search(causes_[i].begin(), causes_[i].end(), j);
    }

    /// Those of two commands, or those of three up to `most`.
    void find_cycles(std::size_t most) {
        for (auto const& of_thread : waits_)
            for (std::uint32_t const root : of_thread) find_cycles(root, most);
    }

    /// Those of which `root` is the smallest command.
    void find_cycles(std::uint32_t root, std::size_t most) {
        std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}}; // command, next cause
        has_[thread_of(root)] = true;
        while (!path.empty() && looks_ < most_looks && result_.cycles.size() < most_cycles) {
            auto& [command, next] = path.back();
            if (next == causes_[command].size() || path.size() == most) {
                has_[thread_of(command)] = false;
                path.pop_back();
                continue;
            }
            std::uint32_t const cause = causes_[command][next++];
            spend(2 + path.size());
            if (++looks_ == most_looks) result_.are_all = false;
            if (cause <= root || has_[thread_of(cause)] || has_shortcut(path, cause)) continue;
            if (!waits_for(cause, root)) {
                has_[thread_of(cause)] = true;
                path.emplace_back(cause, 0);
            } else if (most == 2 || path.size() > 1) {
                add(path, cause);
            }
        }
        for (auto const& [command, next] : path) has_[thread_of(command)] = false;
    }

    /// Whether a path that goes on with a command has a shorter cycle or a shorter way in it, or cannot be.
    bool has_shortcut(std::vector<std::pair<std::uint32_t, std::size_t>> const& path, std::uint32_t with) const {
        for (std::size_t k = 0; k < path.size(); ++k) {
            std::uint32_t const i = path[k].first;
            bool const is_last = k + 1 == path.size();
            if ((!is_last && waits_for(i, with)) || (k > 0 && waits_for(with, i))) return true;
            if (!is_last && order_.never_stand_together(i, with)) return true;
        }
        return false;
    }

    void add(std::vector<std::pair<std::uint32_t, std::size_t>> const& path, std::uint32_t last) {
        DeadlockSuspects::Cycle& cycle = result_.cycles.emplace_back();
        if (result_.cycles.size() == most_cycles) result_.are_all = false;
        for (auto const& [command, next] : path) cycle.push_back({command, entry(command)});
        cycle.push_back({last, entry(last)});
    }

    std::uint32_t entry(std::uint32_t command) const {
        std::uint32_t const t = thread_of(command);
        std::uint32_t at = command;
        auto const holds_something = [&] {
            return std::any_of(counts_.semaphores().begin(), counts_.semaphores().end(), [&](Variable s) {
                auto const& all = counts_.additions(s);
                return std::any_of(all.begin(), all.end(),
                                   [&](Additions const& of) { return of.thread == t && of.at(at) < 0; });
            });
        };
        for (; at > ctp_.threads[t].first && holds_something(); --at) spend(counts_.semaphores().size());
        return at;
    }

    IndexedProgram const& code_;
    Ctp const& ctp_;
    Sums const& sums_;
    CountingVariables const& counts_;
    Order const& order_;
    std::vector<std::vector<std::uint32_t>> waits_; // by thread
    Causes causes_;
    std::vector<bool> has_; // thread: a command of the path
    std::size_t looks_ = 0;
    DeadlockSuspects result_;
};

} // namespace

DeadlockSuspects deadlock_suspects(MessageIndex const& messages, Sums const& sums, CountingVariables const& counts,
                                   Order const& order) {
    return Search(messages, sums, counts, order).run();
}

} // namespace matchpoint::counting
