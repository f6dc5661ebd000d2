// The inferences of Domains. x, y are cells (cells.hpp) whose tables have constants only.
#include <algorithm>
#include <queue>

#include "check/sat/domains.hpp"

namespace matchpoint::check {

// ---------------------------------------------------------------------------------------------------------------------
// Narrowing

bool Domains::narrow_by(std::vector<Linear> const& constraints) {
    std::vector<std::vector<std::uint32_t>> of_cell(of_.size());
    std::queue<std::uint32_t> queue;
    std::vector<bool> is_queued(constraints.size(), true);
    // A long sum narrows once: what others change for it is seldom enough for more.
    constexpr std::size_t few = 16;
    for (std::uint32_t i = 0; i < constraints.size(); ++i) {
        queue.push(i);
        if (constraints[i].parts.size() <= few)
            for (auto const& p : constraints[i].parts) of_cell[p.x].push_back(i);
    }
    std::size_t budget = 50'000'000; // stopping early is sound
    std::vector<std::uint32_t> changed;
    while (!queue.empty() && budget > 0) {
        std::uint32_t const i = queue.front();
        queue.pop();
        is_queued[i] = false;
        changed.clear();
        std::size_t const cost = constraints[i].parts.size() + 1;
        budget -= std::min(budget, cost);
        spend(cost);
        if (!narrow_by(constraints[i], changed)) return false;
        for (std::uint32_t const x : changed)
            for (std::uint32_t const other : of_cell[x]) {
                if (is_queued[other]) continue;
                is_queued[other] = true;
                queue.push(other);
            }
    }
    return true;
}

bool Domains::narrow_by(Linear const& l, std::vector<std::uint32_t>& changed) {
    switch (l.kind) {
    case Linear::Kind::differs: return by_disequality(l, changed);
    case Linear::Kind::at_most: return by_bounds(l, 1, changed);
    case Linear::Kind::equal: break;
    }
    return by_bounds(l, 1, changed) && by_bounds(l, -1, changed);
}

/// Inference `disequality`
///   a x + c != 0, and a v + c = 0 for the least or the greatest value v of x
///   x is not v
bool Domains::by_disequality(Linear const& l, std::vector<std::uint32_t>& changed) {
    if (l.parts.empty()) return l.c != 0;
    if (l.parts.size() > 1) return true;
    std::uint32_t const x = l.parts[0].x;
    auto& [lo, hi] = of_[x];
    auto const& values = table(x).values;
    auto const is_zero = [&](std::uint32_t v) { return static_cast<Wide>(l.parts[0].a) * values[v] + l.c == 0; };
    Interval const was = of_[x];
    if (lo < hi && is_zero(lo)) ++lo;
    if (lo < hi && is_zero(hi - 1)) --hi;
    if (of_[x] != was) {
        changed.push_back(x);
        counts_.add(Inference::disequality);
    }
    return lo < hi;
}

/// Inference `bounds`
///   a_1 x_1 + ... + a_n x_n + c <= 0, and m is the least value of the sum without a_i x_i
///   a_i x_i <= -m
/// The constraint is multiplied by sign.
bool Domains::by_bounds(Linear const& l, std::int64_t sign, std::vector<std::uint32_t>& changed) {
    auto const factor = [&](Linear::Part const& p) { return static_cast<Wide>(sign) * p.a; };
    auto const least_of = [&](Linear::Part const& p) {
        return factor(p) * (sign * p.a > 0 ? least(p.x) : greatest(p.x));
    };
    auto const least_sum = [&] {
        Wide sum = static_cast<Wide>(sign) * l.c;
        for (Linear::Part const& p : l.parts) sum += least_of(p);
        return sum;
    };
    auto const refuted = [&] {
        counts_.add(Inference::bounds);
        return false;
    };
    Wide sum = least_sum();
    if (sum > 0) return refuted();
    for (Linear::Part const& p : l.parts) {
        if (!cut(p, factor(p), least_of(p) - sum)) continue;
        counts_.add(Inference::bounds);
        if (of_[p.x].lo >= of_[p.x].hi) return false;
        changed.push_back(p.x);
        sum = least_sum();
        if (sum > 0) return refuted();
    }
    return true;
}

/// Leaves the values of x with a x <= most. True if the interval is smaller than before.
bool Domains::cut(Linear::Part const& part, Wide a, Wide most) {
    Interval& interval = of_[part.x];
    Interval const was = interval;
    auto const& values = table(part.x).values;
    auto const first_that_does_not = [&](auto const& does) {
        auto const it = std::partition_point(values.begin() + was.lo, values.begin() + was.hi, does);
        return static_cast<std::uint32_t>(it - values.begin());
    };
    if (a > 0)
        interval.hi = first_that_does_not([&](std::int64_t v) { return a * v <= most; });
    else
        interval.lo = first_that_does_not([&](std::int64_t v) { return a * v > most; });
    return interval != was;
}

// ---------------------------------------------------------------------------------------------------------------------
// Atoms

bool Domains::atom_may_hold(Requirement const& atom) const {
    if (flow_.dependence(atom.node).count() > 0)
        if (auto const l = linear(flow_, atom, cells_, is_closed_, follow_))
            return bounds_allow(*l) && injection_allows(*l) && equality_allows(*l);
    return evaluation_allows(atom);
}

namespace {

bool allows(Linear::Kind kind, Wide least, Wide greatest) {
    switch (kind) {
    case Linear::Kind::at_most: return least <= 0;
    case Linear::Kind::equal: return least <= 0 && greatest >= 0;
    case Linear::Kind::differs: break;
    }
    return least != 0 || greatest != 0;
}

} // namespace

/// The range of a sum of parts whose intervals are not empty.
Domains::Range Domains::range(std::span<Linear::Part const> parts) const {
    Range result{0, 0};
    for (Linear::Part const& p : parts) {
        result.least += static_cast<Wide>(p.a) * (p.a > 0 ? least(p.x) : greatest(p.x));
        result.greatest += static_cast<Wide>(p.a) * (p.a > 0 ? greatest(p.x) : least(p.x));
    }
    return result;
}

/// Inference `bounds`, of an atom: the range of its sum does not allow it.
bool Domains::bounds_allow(Linear const& l) const {
    Range const all = range(l.parts);
    bool const allowed = allows(l.kind, l.c + all.least, l.c + all.greatest);
    if (!allowed) counts_.add(Inference::bounds);
    return allowed;
}

/// Inference `injection`
///   a_1 x_1 + ... + a_k x_k + ... OP 0, and x_1 to x_k are different cells of one table
///   they get different sends, so the sum is at most that of the k greatest messages in their intervals, each as often
///   as it is sent, with the greatest coefficients for the greatest messages (the rearrangement inequality); at least
///   alike
bool Domains::injection_allows(Linear const& l) const {
    std::vector<Linear::Part> parts = l.parts;
    auto const of = [&](Linear::Part const& p) { return cells_.table(p.x); };
    std::sort(parts.begin(), parts.end(), [&](auto const& a, auto const& b) { return of(a) < of(b); });
    Range sum{l.c, l.c};
    bool allowed = true;
    for (auto it = parts.begin(); it != parts.end() && allowed;) {
        auto const end = std::find_if(it, parts.end(), [&](auto const& p) { return of(p) != of(*it); });
        auto const of_table = injective_range(std::span(it, end));
        allowed = of_table.has_value();
        if (of_table) sum = {sum.least + of_table->least, sum.greatest + of_table->greatest};
        it = end;
    }
    allowed = allowed && allows(l.kind, sum.least, sum.greatest);
    if (!allowed) counts_.add(Inference::injection);
    return allowed;
}

/// The range of a sum over cells of one table. None if there are fewer messages than receives.
std::optional<Domains::Range> Domains::injective_range(std::span<Linear::Part const> parts) const {
    Table const& t = table(parts[0].x);
    Interval all = of_[parts[0].x];
    std::vector<std::int64_t> up, down; // coefficients that are positive, and the others without their sign
    for (Linear::Part const& p : parts) {
        all.lo = std::min(all.lo, of_[p.x].lo);
        all.hi = std::max(all.hi, of_[p.x].hi);
        (p.a > 0 ? up : down).push_back(p.a > 0 ? p.a : -p.a);
    }
    if (t.first[all.hi] - t.first[all.lo] < parts.size()) return std::nullopt;
    Range const plain = range(parts);
    if (parts.size() == 1) return plain;
    std::sort(up.rbegin(), up.rend());
    std::sort(down.rbegin(), down.rend());
    std::vector<std::int64_t> smallest, greatest; // messages in the intervals
    for (std::uint32_t v = all.lo; v < all.hi && smallest.size() < parts.size(); ++v)
        smallest.insert(smallest.end(), t.first[v + 1] - t.first[v], t.values[v]);
    for (std::uint32_t v = all.hi; v-- > all.lo && greatest.size() < parts.size();)
        greatest.insert(greatest.end(), t.first[v + 1] - t.first[v], t.values[v]);
    Range sum{0, 0};
    for (std::size_t i = 0; i < up.size(); ++i) {
        sum.least += static_cast<Wide>(up[i]) * smallest[i];
        sum.greatest += static_cast<Wide>(up[i]) * greatest[i];
    }
    for (std::size_t i = 0; i < down.size(); ++i) {
        sum.least -= static_cast<Wide>(down[i]) * greatest[i];
        sum.greatest -= static_cast<Wide>(down[i]) * smallest[i];
    }
    return Range{std::max(sum.least, plain.least), std::min(sum.greatest, plain.greatest)};
}

/// Inference `equality`
///   x = y in one table, and no value that both can have is sent twice
///   no run
bool Domains::equality_allows(Linear const& l) const {
    if (l.kind != Linear::Kind::equal || l.c != 0 || l.parts.size() != 2 || l.parts[0].a != -l.parts[1].a) return true;
    std::uint32_t const x = l.parts[0].x, y = l.parts[1].x;
    if (cells_.table(x) != cells_.table(y)) return true;
    std::uint32_t const lo = std::max(of_[x].lo, of_[y].lo);
    std::uint32_t const hi = std::min(of_[x].hi, of_[y].hi);
    bool const allowed = lo < hi && table(x).repeated[hi] > table(x).repeated[lo];
    if (!allowed) counts_.add(Inference::equality);
    return allowed;
}

/// Inference `evaluation`
///   an atom depends on at most one receive, and has the wrong value for every value of it
///   no run
bool Domains::evaluation_allows(Requirement const& atom) const {
    Dependence const& d = flow_.dependence(atom.node);
    auto const is_allowed = [&](Value const& v) { return v.is_bot() || v.is_true() == atom.value; };
    bool allowed = true;
    if (d.count() == 0) {
        allowed = is_allowed(evaluation_(flow_.cone(atom.node), atom.node));
    } else if (d.count() == 1 && is_closed_[d.first]) {
        constexpr std::size_t most = 1000;
        auto const [lo, hi] = of_[d.first];
        if (hi - lo > most) return true;
        Table const& t = table(d.first);
        auto const cone = flow_.cone(atom.node);
        allowed = false;
        for (std::uint32_t v = lo; v < hi && !allowed; ++v) {
            evaluation_.receive(d.first, *flow_.constant(t.sends[t.first[v]]));
            allowed = is_allowed(evaluation_(cone, atom.node));
        }
        evaluation_.receive(d.first, Value());
    }
    if (!allowed) counts_.add(Inference::evaluation);
    return allowed;
}

// ---------------------------------------------------------------------------------------------------------------------
// Matchings

/// Inference `hall`
///   the intervals of k cells of a table have fewer than k messages together
///   no run
bool Domains::has_matching() const {
    for (std::uint32_t t = 0; t < tables_.size(); ++t)
        if (!has_matching(t)) {
            counts_.add(Inference::hall);
            return false;
        }
    return true;
}

/// Greedily, value by value: of the cells that can get it, the one whose interval ends first does.
bool Domains::has_matching(std::uint32_t table) const {
    Table const& t = tables_[table];
    auto const& cells = cells_.of_table(table);
    if (!t.is_closed) return m_.sends_to(cells_.beta(table)) >= cells.size();
    std::vector<std::uint32_t> by_lo = cells;
    std::sort(by_lo.begin(), by_lo.end(), [&](auto a, auto b) { return of_[a].lo < of_[b].lo; });
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ends;
    auto next = by_lo.begin();
    spend(8 * cells.size());
    for (std::uint32_t v = 0; v < t.values.size(); ++v) {
        for (; next != by_lo.end() && of_[*next].lo <= v; ++next) ends.push(of_[*next].hi);
        for (std::uint32_t i = t.first[v]; i < t.first[v + 1] && !ends.empty(); ++i) {
            if (ends.top() <= v) return false;
            ends.pop();
        }
    }
    return next == by_lo.end() && ends.empty();
}

std::optional<Domains::HallViolator> Domains::hall_violator() const {
    for (std::uint32_t t = 0; t < tables_.size(); ++t)
        if (!has_matching(t))
            if (auto violator = hall_violator(t)) return violator;
    return std::nullopt;
}

std::optional<Domains::HallViolator> Domains::hall_violator(std::uint32_t table) const {
    Table const& t = tables_[table];
    auto const& cells = cells_.of_table(table);
    HallViolator violator;
    auto const add = [&](std::uint32_t x) { violator.receives.push_back(cells_.receive(x)); };
    if (!t.is_closed) { // more receives than sends
        std::for_each(cells.begin(), cells.end(), add);
        for (Channel const c : m_.channels_to(cells_.beta(table)))
            for (std::uint32_t const s : m_.sends_of(c)) violator.sends.push_back(s);
        return violator;
    }
    std::vector<std::uint32_t> by_hi = cells;
    std::sort(by_hi.begin(), by_hi.end(), [&](auto a, auto b) { return of_[a].hi < of_[b].hi; });
    for (std::uint32_t const least : cells) {
        std::uint32_t const lo = of_[least].lo;
        spend(by_hi.size());
        violator.receives.clear();
        for (std::uint32_t const x : by_hi) {
            if (of_[x].lo < lo) continue;
            add(x);
            std::uint32_t const hi = std::max(lo, of_[x].hi);
            if (violator.receives.size() <= t.first[hi] - t.first[lo]) continue;
            violator.sends.assign(t.sends.begin() + t.first[lo], t.sends.begin() + t.first[hi]);
            return violator;
        }
    }
    return std::nullopt;
}

} // namespace matchpoint::check
