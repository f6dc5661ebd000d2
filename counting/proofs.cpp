#include "counting/proofs.hpp"

#include <algorithm>

#include "executions/accesses.hpp"
#include "grammar/limits.hpp"
#include "grammar/synchronisation.hpp"

namespace matchpoint::counting {

namespace {

constexpr std::size_t most_causes = 20'000'000;  // edges between commands that wait
constexpr std::size_t most_accesses = 5'000'000; // pairs

/// Whether a graph has a cycle. Without recursion.
bool has_cycle(std::vector<std::vector<std::uint32_t>> const& to) {
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

Sum plus(Sum const& sum, Variable x, std::uint32_t at, std::int64_t factor) {
    Sum result = sum;
    auto const place = std::find_if(result.parts.begin(), result.parts.end(),
                                    [&](Sum::Part const& part) { return part.at == at && part.x == x; });
    if (place == result.parts.end())
        result.parts.push_back({at, x, factor});
    else if ((place->factor += factor) == 0)
        result.parts.erase(place);
    return result;
}

} // namespace

Proofs::Proofs(MessageIndex const& messages)
    : messages_(messages), ctp_(messages.code().ctp()), sums_(messages), counts_(messages, sums_),
      order_(messages, sums_, counts_) {
    if (!order_.is_known()) return;
    auto const between = [&](std::uint32_t write, std::uint32_t first, std::uint32_t second) {
        return comes_between(write, first, second);
    };
    while (counts_.find_more(between)) order_.find_more();
}

bool Proofs::comes_between(std::uint32_t command, std::uint32_t first, std::uint32_t second) const {
    if (!order_.is_known()) return true;
    auto const thread_of = [&](std::uint32_t c) { return messages_.code().thread_of({c}); };
    return !order_.comes_first(command, first) && !order_.comes_first(second, command) &&
           !counts_.exclude(thread_of(first), first + 1, second, thread_of(command), command);
}

// ---------------------------------------------------------------------------------------------------------------------
// Assertions

/// Of a sum of what a command and earlier ones of its thread read.
std::optional<Range> Proofs::bounds(Sum const& sum, std::uint32_t command) const {
    Range result{sum.constant, sum.constant};
    for (auto part = sum.parts.begin(); part != sum.parts.end();) {
        auto const end =
            std::find_if(part, sum.parts.end(), [&](Sum::Part const& other) { return other.at != part->at; });
        auto const here = order_.bounds({0, {part, end}}, part->at, part->at != command);
        if (!here) return std::nullopt;
        result.least += here->least;
        result.greatest += here->greatest;
        part = end;
    }
    return result;
}

Known Proofs::known(Comparison const& comparison, std::uint32_t command) const {
    auto all = bounds(comparison.sum, command);
    if (!all) return std::nullopt;
    if (auto const known = compare(*all, comparison.op)) return known;
    // A sum is at most what it is together with a semaphore, and at least what it is without one.
    for (Variable const s : counts_.semaphores()) {
        auto const more = bounds(plus(comparison.sum, s, command, 1), command);
        auto const less = bounds(plus(comparison.sum, s, command, -1), command);
        all->greatest = std::min(all->greatest, more->greatest);
        all->least = std::max(all->least, less->least);
        if (auto const known = compare(*all, comparison.op)) return known;
    }
    return std::nullopt;
}

bool Proofs::holds(std::uint32_t command, Expression e) const {
    return sums_.evaluate(command, e, [&](Comparison const& c) { return known(c, command); }) == Known(true);
}

bool Proofs::no_assertion_fails() const {
    for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i) {
        Assert const* const assertion = std::get_if<Assert>(&ctp_.commands[i].c);
        if (assertion != nullptr && !(order_.is_known() && holds(i, assertion->e))) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Deadlocks

/// The commands that wait at which some other thread stands whenever this one is blocked. False: these are not known.
bool Proofs::add_causes(std::uint32_t command, Waits const& waits, std::vector<std::uint32_t>& causes) const {
    Guarded const& guarded = *as_guarded(ctp_.commands[command].c);
    std::uint32_t const thread = messages_.code().thread_of({command});
    for (auto const& conjunct : sums_.conjuncts(command, guarded.e)) {
        if (!conjunct) return false;
        auto const& parts = conjunct->sum.parts;
        if (!std::all_of(parts.begin(), parts.end(), [&](auto const& part) { return part.at == command; }))
            return false;
        auto const all = counts_.additions(parts);
        if (!all) return false;
        Wide at_end = conjunct->sum.constant;
        for (Sum::Part const& part : parts) at_end += Wide{part.factor} * counts_.initial(part.x);
        for (Additions const& of : *all) at_end += of.thread == thread ? of.at(command) : of.at_end();
        if (compare({at_end, at_end}, conjunct->op) != Known(true)) return false;
        bool const wants_more = conjunct->op == Op::greater || conjunct->op == Op::greater_equal;
        bool const wants_less = conjunct->op == Op::less || conjunct->op == Op::less_equal;
        for (Additions const& of : *all) {
            if (of.thread == thread) continue;
            spend(1 + waits[of.thread].size());
            for (std::uint32_t const i : waits[of.thread]) {
                Wide const added = of.at(i);
                if (added == of.at_end() || (wants_more && added > of.at_end()) || (wants_less && added < of.at_end()))
                    continue;
                causes.push_back(i);
            }
        }
    }
    return true;
}

bool Proofs::no_deadlock() const {
    std::size_t edges = 0;
    Waits waits(ctp_.threads.size());
    for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i) {
        Command const& c = ctp_.commands[i].c;
        if (as_wait(c) != nullptr || std::holds_alternative<Meet>(c)) return false;
        Guarded const* const guarded = as_guarded(c);
        if (guarded != nullptr && guarded->blocks) waits[messages_.code().thread_of({i})].push_back(i);
    }
    std::vector<std::vector<std::uint32_t>> causes(ctp_.commands.size());
    for (auto const& of_thread : waits)
        for (std::uint32_t const i : of_thread) {
            if (!add_causes(i, waits, causes[i])) return false;
            edges += causes[i].size();
            if (edges > most_causes) return false;
        }
    return !has_cycle(causes);
}

// ---------------------------------------------------------------------------------------------------------------------
// Data races

bool Proofs::no_data_race() const {
    if (!order_.is_known()) return false;
    struct At {
        std::uint32_t command;
        bool writes;
    };
    std::size_t const variables = messages_.code().names().variables.size();
    std::vector<bool> const synchronises = synchronisation_variables(ctp_, variables);
    std::vector<std::vector<At>> by_variable(variables);
    auto const accesses = executions::shared_accesses(messages_);
    for (std::uint32_t i = 0; i < accesses.size(); ++i)
        for (auto const& [x, writes] : accesses[i])
            if (!synchronises[x.index]) by_variable[x.index].push_back({i, writes});
    std::size_t pairs = 0;
    auto const thread_of = [&](At const& a) { return messages_.code().thread_of({a.command}); };
    for (auto const& all : by_variable)
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                if (!(all[i].writes || all[j].writes) || thread_of(all[i]) == thread_of(all[j])) continue;
                spend(8);
                if (++pairs > most_accesses || !order_.never_together(all[j].command, all[i].command)) return false;
            }
    return true;
}

} // namespace matchpoint::counting
