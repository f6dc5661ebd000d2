#include "counting/order.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace matchpoint::counting {

namespace {

/// Commands times threads. Beyond that, programs are no recorded runs of threads.
constexpr std::size_t most_entries = 20'000'000;

/// The condition of an assumption or a guarded assignment.
std::optional<Expression> condition_of(Command const& c) {
    if (Assume const* const assume = std::get_if<Assume>(&c)) return assume->e;
    Guarded const* const guarded = as_guarded(c);
    return guarded != nullptr ? std::optional(guarded->e) : std::nullopt;
}

} // namespace

Known compare(Range const& bounds, Relation const& relation) {
    auto const& [least, greatest] = bounds;
    auto const may = [&, less = least < 0, equal = least <= 0 && greatest >= 0,
                      greater = greatest > 0](Relation const& r) {
        return (r.less && less) || (r.equal && equal) || (r.greater && greater);
    };
    if (!may(relation.negated())) return true;
    return may(relation) ? std::nullopt : Known(false);
}

Order::Order(MessageIndex const& messages, Sums const& sums, CountingVariables const& counts)
    : messages_(messages), ctp_(messages.code().ctp()), sums_(sums), counts_(counts) {
    if (ctp_.commands.size() * ctp_.threads.size() > most_entries) return;
    before_.resize(ctp_.commands.size() * ctp_.threads.size());
    for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i) {
        for (std::uint32_t u = 0; u < threads(); ++u)
            before_[i * threads() + u] = u == thread_of(i) ? i : ctp_.threads[u].first;
        auto const condition = condition_of(ctp_.commands[i].c);
        if (!condition) continue;
        for (auto& conjunct : sums_.conjuncts(i, *condition)) {
            if (!conjunct || conjunct->sum.parts.empty()) continue;
            auto const& parts = conjunct->sum.parts;
            bool const is_own = std::all_of(parts.begin(), parts.end(), [&](auto const& part) { return part.at == i; });
            if (is_own) guards_.push_back({i, std::move(*conjunct)});
        }
    }
    add_messages();
}

void Order::add_messages() {
    if (!messages_.code().has_plain_messages()) return;
    for (std::uint32_t r = 0; r < messages_.receives().size(); ++r)
        if (auto const s = messages_.only_send(r))
            sent_.push_back({messages_.receives()[r].nw.index, messages_.sends()[*s].rho.index});
    std::stable_sort(sent_.begin(), sent_.end(), [](Message const& a, Message const& b) { return a.wait < b.wait; });
}

std::uint32_t Order::before_standing_at(std::uint32_t command, std::uint32_t u) const {
    std::uint32_t const t = thread_of(command);
    if (u == t) return command;
    return command == ctp_.threads[t].first ? ctp_.threads[u].first : before(command - 1, u);
}

std::uint32_t Order::last_before(std::uint32_t command, std::uint32_t u) const {
    std::uint32_t const t = thread_of(command);
    // What needs the command also needs all before it, so they are the last ones of the thread.
    std::uint32_t from = ctp_.threads[u].first;
    std::uint32_t to = ctp_.threads[u].last;
    while (from < to) {
        std::uint32_t const middle = from + (to - from) / 2;
        if (before(middle, t) > command)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

bool Order::never_together(std::uint32_t a, std::uint32_t b) const {
    // A guard that waits is true where its command can be executed; one of an assumption may be false.
    auto const needed = [&](std::uint32_t command, std::uint32_t u) {
        Guarded const* const guarded = as_guarded(ctp_.commands[command].c);
        return guarded != nullptr && guarded->blocks ? before(command, u) : before_standing_at(command, u);
    };
    std::uint32_t const t = thread_of(a);
    std::uint32_t const u = thread_of(b);
    return needed(b, t) > a || needed(a, u) > b || counts_.exclude(t, a, a, u, b);
}

bool Order::never_stand_together(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t const t = thread_of(a);
    std::uint32_t const u = thread_of(b);
    bool const is_ordered = is_known() && (before_standing_at(b, t) > a || before_standing_at(a, u) > b);
    return is_ordered || counts_.exclude(t, a, a, u, b);
}

std::optional<Range> Order::bounds(Sum const& sum, std::uint32_t command, bool is_executed) const {
    auto const all = counts_.additions(sum.parts);
    if (!all) return std::nullopt;
    Wide constant = sum.constant;
    for (Sum::Part const& part : sum.parts) constant += Wide{part.factor} * counts_.initial(part.x);
    Range result{constant, constant};
    for (Additions const& of : *all) {
        spend(1 + of.commands.size());
        bool const is_own = of.thread == thread_of(command);
        std::uint32_t const from = is_executed ? before(command, of.thread) : before_standing_at(command, of.thread);
        std::uint32_t const to = is_own ? command : last_before(command, of.thread);
        Range const added = range(of, from, std::max(from, to));
        result.least += added.least;
        result.greatest += added.greatest;
    }
    return result;
}

/// Returns whether that is new.
bool Order::raise(std::uint32_t command, std::uint32_t u, std::uint32_t to) {
    std::uint32_t& now = before_[command * threads() + u];
    if (to <= now || u == thread_of(command)) return false;
    now = to;
    return true;
}

/// What comes before `from`, which comes before the command, and `from` itself.
bool Order::inherit(std::uint32_t command, std::uint32_t from) {
    bool changed = raise(command, thread_of(from), from + 1);
    for (std::uint32_t u = 0; u < threads(); ++u) changed |= raise(command, u, before(from, u));
    return changed;
}

bool Order::find_needs_of(std::uint32_t command, Comparison const& guard) {
    auto const all = counts_.additions(guard.sum.parts);
    if (!all) return false;
    auto const bounds = this->bounds(guard.sum, command, true);
    bool changed = false;
    for (Additions const& of : *all) {
        if (of.thread == thread_of(command)) continue;
        std::uint32_t const from = before(command, of.thread);
        std::uint32_t const to = std::max(from, last_before(command, of.thread));
        Range const added = range(of, from, to);
        // What the others can make of it.
        Range const rest{bounds->least - added.least, bounds->greatest - added.greatest};
        auto const is_possible = [&](Wide own) {
            return compare({rest.least + own, rest.greatest + own}, guard.relation) != Known(false);
        };
        // Its position until the next command that adds something.
        std::uint32_t position = from;
        auto next = std::lower_bound(of.commands.begin(), of.commands.end(), from);
        while (!is_possible(of.at(position)) && next != of.commands.end() && *next < to) position = *next++ + 1;
        changed |= raise(command, of.thread, position);
        spend(1 + of.commands.size());
    }
    return changed;
}

bool Order::find_in_one_round() {
    bool changed = false;
    auto guard = guards_.begin();
    auto message = sent_.begin();
    for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i) {
        if (i != ctp_.threads[thread_of(i)].first) changed |= inherit(i, i - 1);
        for (; guard != guards_.end() && guard->command == i; ++guard) changed |= find_needs_of(i, guard->comparison);
        for (; message != sent_.end() && message->wait == i; ++message) changed |= inherit(i, message->send);
        for (std::uint32_t u = 0; u < threads(); ++u)
            if (u != thread_of(i) && before(i, u) > ctp_.threads[u].first) changed |= inherit(i, before(i, u) - 1);
        spend(1 + static_cast<std::size_t>(threads()) * threads());
    }
    return changed;
}

void Order::find_more() {
    if (!is_known()) return;
    while (find_in_one_round()) {
    }
}

} // namespace matchpoint::counting
