#include "executions/exact_pairs.hpp"

#include <algorithm>

namespace matchpoint::executions {

std::optional<MatchPairs> exact_pairs(MessageIndex const& messages, Buffering buffering, Budget& budget,
                                      std::vector<Refuted>* refuted) {
    MatchPairs const possible = tight(messages, buffering);
    MatchPairs found;
    found.of.resize(possible.of.size());
    Matching m(messages);
    std::uint64_t executions = 0;
    // A complete run with a pair, or with none in particular. All its pairs are found then.
    auto const look_for = [&](std::optional<Pair> wanted) {
        auto const may_match = [&](Pair p) {
            return wanted && (wanted->r == p.r || wanted->s == p.s) ? p == *wanted : possible.contains(p);
        };
        return search(
            messages, buffering, may_match, budget,
            [&](Explorer const& explorer) {
                explorer.matching(m);
                for (std::uint32_t r = 0; r < m.size(); ++r) {
                    auto& sends = found.of[r];
                    auto const it = std::lower_bound(sends.begin(), sends.end(), m[r]);
                    if (it == sends.end() || *it != m[r]) sends.insert(it, m[r]);
                }
            },
            &executions);
    };
    Searched const any = look_for({});
    if (any != Searched::found && any != Searched::none) return std::nullopt;
    for (std::uint32_t r = 0; r < possible.of.size(); ++r) {
        for (std::uint32_t const s : possible.of[r]) {
            if (found.contains({r, s})) continue;
            Searched const answer = any == Searched::none ? any : look_for(Pair{r, s});
            if (answer != Searched::found && answer != Searched::none) return std::nullopt;
            if (answer == Searched::none && refuted != nullptr) refuted->push_back({{r, s}, executions});
        }
    }
    return found;
}

std::string_view to_string(PairsMethod method) {
    switch (method) {
    case PairsMethod::overapprox: return "overapprox";
    case PairsMethod::overapprox_all_sends: return "overapprox-all-sends";
    case PairsMethod::tight: return "tight";
    case PairsMethod::exact: break;
    }
    return "exact";
}

std::optional<MatchPairs> pairs_by(MessageIndex const& messages, Buffering buffering, PairsMethod method,
                                   Budget budget) {
    switch (method) {
    case PairsMethod::overapprox: return overapprox(messages);
    case PairsMethod::overapprox_all_sends: return overapprox(messages, true);
    case PairsMethod::tight: return tight(messages, buffering);
    case PairsMethod::exact: break;
    }
    return exact_pairs(messages, buffering, budget);
}

} // namespace matchpoint::executions
