#include "check/sat/cycle_clauses.hpp"

#include "check/sat/order_clauses.hpp"

namespace matchpoint::check {

std::uint64_t CycleClauses::block(Matching m) {
    constexpr std::size_t most = 100;
    constexpr std::uint64_t many = 100;
    std::vector<std::vector<MatchClauses::Literal>> clauses;
    while (clauses.size() < most) {
        auto const conflict = feasibility_.conflict(m);
        // Without the matches of the cycles so far, it may be another rule that is broken.
        if (!conflict || (!clauses.empty() && conflict->kind != Conflict::Kind::cycle)) break;
        auto& clause = clauses.emplace_back();
        for (Pair const& p : conflict->core) {
            clause.push_back(-matches_(p));
            m[p.r] = unmatched;
        }
    }
    for (auto const& clause : clauses) sat_.add(clause);
    blocked_ += clauses.size();
    if (!clauses.empty() && blocked_ > many) block_all();
    return clauses.size();
}

/// Once, unless that takes too many clauses.
void CycleClauses::block_all() {
    constexpr std::size_t most = 5'000'000;
    if (all_tried_) return;
    all_tried_ = true;
    order_clauses(messages_, pairs_, buffering_, most,
                  {.match = [&](Pair p) { return matches_(p); },
                   .new_before = [&](auto, auto) { return sat_.new_variable(); },
                   .add = [&](std::vector<MatchClauses::Literal> const& clause) { sat_.add(clause); }});
}

} // namespace matchpoint::check
