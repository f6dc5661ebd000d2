#include "executions/exact_pairs.hpp"

#include <algorithm>

#include "executions/shared/classes.hpp"
#include "lowering/lowered.hpp"
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

namespace {

/// The pairs of a program that is lowered.
std::optional<MatchPairs> raised_pairs(MessageIndex const& messages, Lowered const& lowered, PairsMethod method,
                                       Budget budget, Runs runs) {
    auto const plain = pairs_by(lowered.messages(), lowered.buffering(), method, budget, runs);
    if (!plain) return std::nullopt;
    MatchPairs result;
    result.of.resize(messages.receives().size());
    for (std::uint32_t r = 0; r < plain->of.size(); ++r) {
        auto const receive = lowered.raised_receive(r);
        for (std::size_t i = 0; receive && i < plain->of[r].size(); ++i)
            result.of[*receive].push_back(*lowered.raised_send(plain->of[r][i]));
        if (receive) std::sort(result.of[*receive].begin(), result.of[*receive].end());
    }
    return result;
}

/// The pairs of all executions that a search shows. None if the budget did not allow it.
template <typename Search>
std::optional<MatchPairs> pairs_of_all(Search& search, MessageIndex const& messages, Budget& budget, Runs runs) {
    MatchPairs result;
    result.of.resize(messages.receives().size());
    for (End end{};;) {
        Searched const answer = next_end(search, budget, end);
        if (answer == Searched::none) return result;
        if (answer != Searched::found) return std::nullopt;
        if (runs == Runs::complete && end != End::complete) continue;
        Matching m(messages);
        search.matching(m);
        auto const is_completed = [&](std::uint32_t r) {
            Location const nw = messages.receives()[r].nw;
            return search.state().ctp[messages.code().thread_of(nw)] > nw.index;
        };
        for (std::uint32_t r = 0; r < m.size(); ++r)
            if (is_completed(r) && !result.contains({r, m[r]}))
                result.of[r].insert(std::upper_bound(result.of[r].begin(), result.of[r].end(), m[r]), m[r]);
    }
}

/// The pairs of a program that is not lowered: by exploration, by Figure 15, or all that the receives admit.
std::optional<MatchPairs> pairs_as_they_are(MessageIndex const& messages, Buffering buffering, PairsMethod method,
                                            Budget& budget, Runs runs) {
    if (method == PairsMethod::exact && messages.order_matters()) {
        Classes classes(messages, buffering);
        return pairs_of_all(classes, messages, budget, runs);
    }
    if (method == PairsMethod::exact) {
        Explorer::Options options;
        options.buffering = buffering;
        options.runs = runs;
        options.stop = stop_at(budget);
        Explorer explorer(messages, std::move(options));
        return pairs_of_all(explorer, messages, budget, runs);
    }
    // Shared variables only exclude executions.
    if (messages.code().has_plain_messages()) return overapprox(messages, method == PairsMethod::overapprox_all_sends);
    MatchPairs result;
    result.of.resize(messages.receives().size());
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r) {
        for (Channel const c : messages.channels_to(messages.receives()[r].beta))
            for (std::uint32_t const s : messages.sends_of(c)) {
                spend(2);
                if (messages.code().admits(messages.receives()[r].a, messages.sends()[s].a)) result.of[r].push_back(s);
            }
        std::sort(result.of[r].begin(), result.of[r].end());
    }
    return result;
}

} // namespace

std::optional<MatchPairs> pairs_by(MessageIndex const& messages, Buffering buffering, PairsMethod method, Budget budget,
                                   Runs runs) {
    if (!messages.code().is_plain()) {
        auto const lowered = Lowered::of(messages, buffering);
        return lowered ? raised_pairs(messages, **lowered, method, budget, runs)
                       : pairs_as_they_are(messages, buffering, method, budget, runs);
    }
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
