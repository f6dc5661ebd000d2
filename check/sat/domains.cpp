#include "check/sat/domains.hpp"

#include <algorithm>

namespace matchpoint::check {

Domains::Domains(DataFlow const& flow, Extent extent, bool follow)
    : flow_(flow), m_(flow.messages()), follow_(follow), cells_(flow, follow), tables_(cells_.tables()),
      of_(cells_.count()), is_closed_(cells_.count()), evaluation_(flow) {
    for (std::uint32_t t = 0; t < tables_.size(); ++t) fill(t);
    for (std::uint32_t x = 0; x < of_.size(); ++x) {
        of_[x].hi = static_cast<std::uint32_t>(table(x).values.size());
        is_closed_[x] = table(x).is_closed && (extent == Extent::complete || !table(x).values.empty());
    }
}

void Domains::fill(std::uint32_t table) {
    Table& t = tables_[table];
    std::vector<std::pair<std::int64_t, std::uint32_t>> sent;
    for (Channel const c : m_.channels_to(cells_.beta(table))) {
        spend(8 * m_.sends_of(c).size());
        for (std::uint32_t const s : m_.sends_of(c)) {
            auto const i = cells_.constant(table, s);
            if (!i || is_large(*i)) return;
            sent.emplace_back(*i, s);
        }
    }
    t.is_closed = true;
    std::sort(sent.begin(), sent.end());
    std::uint32_t const n = static_cast<std::uint32_t>(sent.size());
    for (std::uint32_t i = 0; i < n; ++i) {
        t.sends.push_back(sent[i].second);
        if (i > 0 && sent[i].first == sent[i - 1].first) continue;
        t.values.push_back(sent[i].first);
        t.first.push_back(i);
    }
    t.first.push_back(n);
    t.repeated.push_back(0);
    for (std::size_t i = 0; i < t.values.size(); ++i)
        t.repeated.push_back(t.repeated.back() + (t.first[i + 1] - t.first[i] > 1 ? 1 : 0));
}

bool Domains::require(std::span<Requirement const> requirements) {
    for (std::uint32_t x = 0; x < of_.size(); ++x)
        if (is_closed_[x] && of_[x].lo >= of_[x].hi) return false;
    std::vector<Requirement> atoms;
    if (!conjuncts(flow_, requirements, atoms)) return false;
    std::vector<Linear> constraints;
    for (Requirement const& atom : atoms)
        if (auto l = linear(flow_, atom, cells_, is_closed_, follow_)) constraints.push_back(std::move(*l));
    if (!narrow_by(constraints)) return false;
    return std::all_of(atoms.begin(), atoms.end(), [&](Requirement const& atom) { return atom_may_hold(atom); });
}

bool Domains::may_hold(Requirement const& requirement) const {
    std::vector<Requirement> atoms;
    return conjuncts(flow_, std::span(&requirement, 1), atoms) &&
           std::all_of(atoms.begin(), atoms.end(), [&](Requirement const& atom) { return atom_may_hold(atom); });
}

std::optional<std::uint32_t> Domains::only_send(std::uint32_t r) const {
    for (std::uint32_t const t : cells_.at(m_.receives()[r].beta)) {
        std::uint32_t const x = cell(t, r);
        if (tables_[t].is_closed && of_[x].lo < of_[x].hi && size(x) == 1)
            return tables_[t].sends[tables_[t].first[of_[x].lo]];
    }
    return std::nullopt;
}

std::optional<MatchPairs> Domains::candidates(CandidateWindows const& windows, std::size_t most) const {
    MatchPairs pairs;
    std::size_t count = 0;
    for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
        pairs.of.push_back(sends_for(r, windows));
        count += pairs.of.back().size();
        if (count > most) return std::nullopt;
    }
    return pairs;
}

/// The closed cell of a receive with the fewest messages in its interval.
std::optional<std::uint32_t> Domains::shortest(std::uint32_t r) const {
    std::optional<std::uint32_t> shortest;
    for (std::uint32_t const t : cells_.at(m_.receives()[r].beta)) {
        std::uint32_t const x = cell(t, r);
        if (tables_[t].is_closed && (!shortest || size(x) < size(*shortest))) shortest = x;
    }
    return shortest;
}

std::vector<std::uint32_t> Domains::some_sends(std::uint32_t r, CandidateWindows const& windows,
                                               std::size_t most) const {
    auto const x = shortest(r);
    if (!x || size(*x) == m_.sends_to(m_.receives()[r].beta)) return {};
    std::vector<std::uint32_t> const all = sends_for(r, windows);
    std::vector<std::uint32_t> some;
    std::size_t const count = std::min(most, all.size());
    for (std::size_t i = 1; i <= count; ++i) some.push_back(all[i * all.size() / count - 1]);
    return some;
}

/// By an interval or by the windows, whatever is likely to be shorter.
std::vector<std::uint32_t> Domains::sends_for(std::uint32_t r, CandidateWindows const& windows) const {
    std::vector<std::uint32_t> sends;
    Endpoint const beta = m_.receives()[r].beta;
    auto const may_get = [&](std::uint32_t s) {
        for (std::uint32_t const t : cells_.at(beta)) {
            std::uint32_t const x = cell(t, r);
            if (!is_closed_[x] || size(x) == m_.sends_to(beta)) continue;
            std::int64_t const i = *cells_.constant(t, s);
            if (i < least(x) || greatest(x) < i) return false;
        }
        return true;
    };
    if (auto const x = shortest(r); x && size(*x) <= 2 * m_.channels_to(beta).size()) {
        Table const& t = table(*x);
        for (std::uint32_t i = t.first[of_[*x].lo]; i < t.first[of_[*x].hi]; ++i)
            if (may_get(t.sends[i]) && windows.contains({r, t.sends[i]})) sends.push_back(t.sends[i]);
    } else {
        windows.for_each_send(r, [&](std::uint32_t s) {
            if (may_get(s)) sends.push_back(s);
        });
    }
    spend(8 * sends.size());
    std::sort(sends.begin(), sends.end());
    return sends;
}

} // namespace matchpoint::check
