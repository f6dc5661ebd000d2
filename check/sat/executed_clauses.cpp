#include "check/sat/executed_clauses.hpp"

#include "base/overloaded.hpp"

namespace matchpoint::check {

ExecutedClauses::ExecutedClauses(SatSolver& sat, DataFlow const& flow, MatchPairs const& pairs,
                                 MatchClauses const& matches, Buffering buffering, Extent extent,
                                 std::vector<bool> may_return)
    : sat_(sat), flow_(flow), m_(flow.messages()), pairs_(pairs), matches_(matches),
      zero_(buffering == Buffering::zero), is_point_(flow.ctp().commands.size()),
      executed_(flow.ctp().commands.size(), always), may_return_(std::move(may_return)) {
    for (std::uint32_t const n : flow.assumptions()) is_point_[flow.command_of(n)] = true;
    bool const few = extent == Extent::complete && !zero_;
    few ? find_bound_waits() : find_all_points();
    add_order();
    if (few)
        add_sent();
    else if (extent == Extent::complete)
        add_rendezvous();
    else
        add_partial_matches();
}

void ExecutedClauses::implies(std::uint32_t command, Literal literal) {
    if (Literal const x = executed_[command]; x == always)
        sat_.add({literal});
    else
        sat_.add({-x, literal});
}

/// A wait is a point if one of its matches can be with a send after a point. Each send is looked at once.
void ExecutedClauses::find_bound_waits() {
    auto const& threads = flow_.ctp().threads;
    std::vector<std::vector<std::uint32_t>> receives_of(m_.sends().size());
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
        for (std::uint32_t const s : pairs_.of[r]) receives_of[s].push_back(r);
    std::vector<std::vector<std::uint32_t>> sends_left(threads.size()); // in program order; looked at from the back
    for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
        sends_left[m_.code().thread_of(m_.sends()[s].rho)].push_back(s);
    std::vector<std::uint32_t> first; // thread -> its first point
    std::vector<std::uint32_t> work;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        std::uint32_t at = threads[t].first;
        while (at < threads[t].last && !is_point_[at]) ++at;
        first.push_back(at);
        if (at < threads[t].last) work.push_back(t);
    }
    while (!work.empty()) {
        std::uint32_t const t = work.back();
        work.pop_back();
        auto& sends = sends_left[t];
        while (!sends.empty() && m_.sends()[sends.back()].rho.index > first[t]) {
            for (std::uint32_t const r : receives_of[sends.back()]) {
                Location const wait = m_.receives()[r].nw;
                is_point_[wait.index] = true;
                std::uint32_t const u = m_.code().thread_of(wait);
                if (wait.index >= first[u]) continue;
                first[u] = wait.index;
                work.push_back(u);
            }
            sends.pop_back();
        }
    }
}

void ExecutedClauses::find_all_points() {
    for (std::uint32_t const n : flow_.divisors()) is_point_[flow_.command_of(n)] = true;
    auto const& commands = flow_.ctp().commands;
    for (std::uint32_t c = 0; c < commands.size(); ++c)
        std::visit(overloaded{
                       [](Assume const&) {}, // they are points in both cases
                       [&](Assert const&) { is_point_[c] = true; },
                       [](Assign const&) {},
                       [&](Sndi const&) { is_point_[c] = true; },
                       [&](Rcvi const&) { is_point_[c] = true; },
                       [](Probe const&) {},
                       [](Start const&) {},
                       [](Meet const&) {},
                       [](Collective const&) {},
                       [](Guarded const&) {},
                       [&](Wait const&) { is_point_[c] = true; },
                   },
                   commands[c].c);
}

void ExecutedClauses::add_order() {
    for (Thread const& t : flow_.ctp().threads) {
        Literal last = always;
        for (std::uint32_t c = t.first; c < t.last; ++c) {
            if (is_point_[c]) {
                Literal const here = sat_.new_variable();
                if (last != always) sat_.add({-here, last});
                last = here;
            }
            executed_[c] = last;
        }
    }
}

void ExecutedClauses::add_sent() {
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) {
        Literal const wait = executed_[m_.receives()[r].nw.index];
        if (wait == always) continue;
        for (std::size_t i = 0; i < pairs_.of[r].size(); ++i)
            if (Literal const sent = executed_[m_.sends()[pairs_.of[r][i]].rho.index]; sent != always)
                sat_.add({-wait, -matches_.at(r, i), sent});
    }
}

void ExecutedClauses::add_rendezvous() {
    std::vector<Literal> met(pairs_.of.size());
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) {
        auto const& receive = m_.receives()[r];
        met[r] = sat_.new_variable();
        sat_.add({-met[r], executed_[receive.rho.index]});
        sat_.add({-executed_[receive.nw.index], met[r]});
        for (std::size_t i = 0; i < pairs_.of[r].size(); ++i) {
            auto const& send = m_.sends()[pairs_.of[r][i]];
            Literal const match = matches_.at(r, i);
            sat_.add({-met[r], -match, executed_[send.rho.index]});
            if (!send.wait.is_none()) sat_.add({-executed_[send.wait.index], -match, met[r]});
        }
    }
    add_endpoint_order(met);
}

/// Receives at an endpoint are served in their order.
void ExecutedClauses::add_endpoint_order(std::vector<Literal> const& served) {
    for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta) {
        auto const at = m_.receives_at({beta});
        for (std::size_t n = 1; n < at.size(); ++n) sat_.add({-served[at[n]], served[at[n - 1]]});
    }
}

void ExecutedClauses::add_partial_matches() {
    std::vector<std::vector<Literal>> taken(m_.sends().size()); // by send: its matches
    has_match_.resize(pairs_.of.size());
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) {
        auto const& receive = m_.receives()[r];
        has_match_[r] = sat_.new_variable();
        std::vector<Literal> some{-has_match_[r]};
        for (std::size_t i = 0; i < pairs_.of[r].size(); ++i) {
            std::uint32_t const s = pairs_.of[r][i];
            Literal const match = matches_.at(r, i);
            some.push_back(match);
            taken[s].push_back(match);
            sat_.add({-match, has_match_[r]});
            sat_.add({-match, executed_[m_.sends()[s].rho.index]});
        }
        sat_.add(some);
        sat_.add({-executed_[receive.nw.index], has_match_[r]});
        if (zero_) sat_.add({-has_match_[r], executed_[receive.rho.index]});
    }
    add_endpoint_order(has_match_);
    if (!zero_) return;
    for (std::uint32_t s = 0; s < taken.size(); ++s)
        if (Location const wait = m_.sends()[s].wait; !wait.is_none() && (may_return_.empty() || !may_return_[s])) {
            taken[s].push_back(-executed_[wait.index]);
            sat_.add(taken[s]);
        }
}

} // namespace matchpoint::check
