#include "check/domains.hpp"

#include <algorithm>

namespace matchpoint::check {

namespace {

std::optional<std::int64_t> small_integer(std::optional<Value> const& v) {
    if (!v) return std::nullopt;
    return v->is_boolean() ? std::optional<std::int64_t>(v->is_true()) : v->small();
}

} // namespace

Domains::Domains(DataFlow const& flow, Extent extent, bool follow)
    : flow_(flow), m_(flow.messages()), follow_(follow), tables_(m_.code().endpoints().size()),
      of_(m_.receives().size()), is_closed_(m_.receives().size()), evaluation_(flow) {
    for (std::uint32_t beta = 0; beta < tables_.size(); ++beta) fill(tables_[beta], {beta});
    for (std::uint32_t r = 0; r < of_.size(); ++r) {
        of_[r].hi = static_cast<std::uint32_t>(table(r).values.size());
        is_closed_[r] = table(r).is_closed && (extent == Extent::complete || !table(r).values.empty());
    }
}

void Domains::fill(Table& t, Endpoint beta) {
    std::vector<std::pair<std::int64_t, std::uint32_t>> sent;
    for (Channel const c : m_.channels_to(beta)) {
        spend(8 * m_.sends_of(c).size());
        for (std::uint32_t const s : m_.sends_of(c)) {
            auto const i = small_integer(flow_.constant(s));
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
    for (std::uint32_t r = 0; r < of_.size(); ++r)
        if (is_closed_[r] && of_[r].lo >= of_[r].hi) return false;
    std::vector<Requirement> atoms;
    if (!conjuncts(flow_, requirements, atoms)) return false;
    std::vector<Linear> constraints;
    for (Requirement const& atom : atoms)
        if (auto l = linear(flow_, atom, is_closed_, follow_)) constraints.push_back(std::move(*l));
    if (!narrow_by(constraints)) return false;
    return std::all_of(atoms.begin(), atoms.end(), [&](Requirement const& atom) { return atom_may_hold(atom); });
}

bool Domains::may_hold(Requirement const& requirement) const {
    std::vector<Requirement> atoms;
    return conjuncts(flow_, std::span(&requirement, 1), atoms) &&
           std::all_of(atoms.begin(), atoms.end(), [&](Requirement const& atom) { return atom_may_hold(atom); });
}

std::optional<std::uint32_t> Domains::only_send(std::uint32_t r) const {
    auto const& [lo, hi] = of_[r];
    Table const& t = table(r);
    bool const is_one = t.is_closed && lo < hi && t.first[hi] - t.first[lo] == 1;
    return is_one ? std::optional(t.sends[t.first[lo]]) : std::nullopt;
}

std::optional<MatchPairs> Domains::candidates(CandidateWindows const& windows, std::size_t most) const {
    MatchPairs pairs;
    std::size_t count = 0;
    for (std::uint32_t r = 0; r < of_.size(); ++r) {
        pairs.of.push_back(sends_for(r, windows));
        count += pairs.of.back().size();
        if (count > most) return std::nullopt;
    }
    return pairs;
}

/// By its interval or by the windows, whatever is likely to be shorter.
std::vector<std::uint32_t> Domains::sends_for(std::uint32_t r, CandidateWindows const& windows) const {
    std::vector<std::uint32_t> sends;
    auto const& [lo, hi] = of_[r];
    Table const& t = table(r);
    if (t.is_closed && t.first[hi] - t.first[lo] <= 2 * m_.channels_to(m_.receives()[r].beta).size()) {
        for (std::uint32_t i = t.first[lo]; i < t.first[hi]; ++i)
            if (windows.contains({r, t.sends[i]})) sends.push_back(t.sends[i]);
    } else {
        auto const may_get = [&](std::uint32_t s) {
            if (!is_closed_[r]) return true;
            std::int64_t const i = *small_integer(flow_.constant(s));
            return least(r) <= i && i <= greatest(r);
        };
        windows.for_each_send(r, [&](std::uint32_t s) {
            if (may_get(s)) sends.push_back(s);
        });
    }
    spend(8 * sends.size());
    std::sort(sends.begin(), sends.end());
    return sends;
}

} // namespace matchpoint::check
