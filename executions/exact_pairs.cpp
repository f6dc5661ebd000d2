#include "executions/exact_pairs.hpp"

#include <algorithm>

#include "matching/reach.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::executions {

namespace {

/// Searches an execution on the path with a pair, among the possible ones, whose receive is completed.
Searched search_on_path(MessageIndex const& messages, Buffering buffering, MatchPairs const& possible, Pair wanted,
                        Budget& budget, std::uint64_t& executions) {
    Ctp const& ctp = messages.code().ctp();
    Explorer::Options options;
    options.buffering = buffering;
    options.runs = Runs::executions;
    options.verdicts_only = true;
    options.control_only = !may_divide_by_zero(ctp) && !has_assumptions(ctp);
    options.may_match = [&](Pair p) { return wanted.r == p.r || wanted.s == p.s ? p == wanted : possible.contains(p); };
    options.stop = stop_at(budget);
    Explorer explorer(messages, std::move(options));
    Location const wait = messages.receives()[wanted.r].nw;
    while (!budget.is_cancelled()) {
        std::uint64_t const before = explorer.steps();
        auto const end = explorer.next(budget.steps);
        budget.steps -= std::min(budget.steps, explorer.steps() - before);
        executions = explorer.counts().executions;
        // It got that send or none, and has passed the wait.
        if (end && explorer.state().ctp[messages.code().thread_of(wait)] > wait.index) return Searched::found;
        if (explorer.done()) return Searched::none;
        if (budget.steps == 0) return Searched::out_of_steps;
    }
    return Searched::cancelled;
}

std::optional<MatchPairs> exact_pairs_on_path(MessageIndex const& messages, Buffering buffering, Budget& budget,
                                              std::vector<Refuted>* refuted) {
    MatchPairs const possible = tight_on_path(messages, buffering);
    MatchPairs found;
    found.of.resize(possible.of.size());
    for (std::uint32_t r = 0; r < possible.of.size(); ++r)
        for (std::uint32_t const s : possible.of[r]) {
            std::uint64_t executions = 0;
            Searched const answer = search_on_path(messages, buffering, possible, {r, s}, budget, executions);
            if (answer == Searched::found)
                found.of[r].push_back(s);
            else if (answer != Searched::none)
                return std::nullopt;
            else if (refuted != nullptr)
                refuted->push_back({{r, s}, executions});
        }
    return found;
}

} // namespace

std::optional<MatchPairs> exact_pairs(MessageIndex const& messages, Buffering buffering, Budget& budget,
                                      std::vector<Refuted>* refuted, Runs runs) {
    if (runs == Runs::executions && !all_can_complete(messages, buffering))
        return exact_pairs_on_path(messages, buffering, budget, refuted);
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

std::optional<MatchPairs> pairs_by(MessageIndex const& messages, Buffering buffering, PairsMethod method, Budget budget,
                                   Runs runs) {
    switch (method) {
    case PairsMethod::overapprox: return overapprox(messages);
    case PairsMethod::overapprox_all_sends: return overapprox(messages, true);
    case PairsMethod::tight:
        return runs == Runs::complete ? tight(messages, buffering) : tight_on_path(messages, buffering);
    case PairsMethod::exact: break;
    }
    return exact_pairs(messages, buffering, budget, nullptr, runs);
}

} // namespace matchpoint::executions
