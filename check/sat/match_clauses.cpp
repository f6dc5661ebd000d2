#include "check/sat/match_clauses.hpp"

#include <algorithm>
#include <cmath>

namespace matchpoint::check {

namespace {

constexpr std::size_t few = 5; // candidates, for which pairwise clauses are cheaper than a chain

} // namespace

MatchClauses::MatchClauses(SatSolver& sat, MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering,
                           Extent extent)
    : sat_(sat), m_(messages), pairs_(pairs), extent_(extent), first_(pairs.of.size()),
      candidates_(messages.sends().size()), received_(messages.sends().size()) {
    add_variables();
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) add_receive(r);
    for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta)
        for (std::uint32_t const r : m_.receives_at({beta}))
            for (std::size_t i = 0; i < pairs.of[r].size(); ++i)
                candidates_[pairs.of[r][i]].push_back({m_.receives()[r].ordinal, at(r, i)});
    for (std::uint32_t s = 0; s < candidates_.size(); ++s) add_send(s, buffering);
    for (std::uint32_t c = 0; c < m_.code().channels().size(); ++c) {
        auto const sends = m_.sends_of({c});
        for (std::size_t i = 1; i < sends.size(); ++i) add_consecutive(sends[i - 1], sends[i]);
    }
}

MatchClauses::Literal MatchClauses::operator()(Pair p) const {
    auto const& sends = pairs_.of[p.r];
    auto const it = std::lower_bound(sends.begin(), sends.end(), p.s);
    return first_[p.r] + static_cast<Literal>(it - sends.begin());
}

void MatchClauses::matching(Matching& m) const {
    m.clear();
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
        for (std::size_t i = 0; i < pairs_.of[r].size(); ++i)
            if (sat_.value(at(r, i))) m[r] = pairs_.of[r][i];
}

void MatchClauses::add_variables() {
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) {
        first_[r] = sat_.variables() + 1;
        for (std::size_t i = 0; i < pairs_.of[r].size(); ++i) sat_.new_variable();
    }
}

/// It gets exactly one send, or at most one.
void MatchClauses::add_receive(std::uint32_t r) {
    clause_.clear();
    for (std::size_t i = 0; i < pairs_.of[r].size(); ++i) clause_.push_back(at(r, i));
    if (extent_ == Extent::complete) sat_.add(clause_);
    add_at_most_one(clause_);
}

/// The product encoding (Chen 2010): of literals in a rectangle, at most one row and at most one column has one. It
/// takes fewer clauses and variables than a chain.
void MatchClauses::add_at_most_one(std::vector<Literal> const& literals) {
    if (literals.size() <= few) return add_at_most_one_pairwise(literals);
    auto const width = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(literals.size()))));
    std::vector<Literal> rows((literals.size() + width - 1) / width), columns(width);
    for (auto* const lines : {&rows, &columns})
        for (Literal& line : *lines) line = sat_.new_variable();
    for (std::size_t i = 0; i < literals.size(); ++i) {
        sat_.add({-literals[i], rows[i / width]});
        sat_.add({-literals[i], columns[i % width]});
    }
    add_at_most_one(rows);
    add_at_most_one(columns);
}

void MatchClauses::add_at_most_one_pairwise(std::vector<Literal> const& literals) {
    for (std::size_t i = 0; i < literals.size(); ++i)
        for (std::size_t j = i + 1; j < literals.size(); ++j) sat_.add({-literals[i], -literals[j]});
}

bool MatchClauses::must_be_received(std::uint32_t s, Buffering buffering) const {
    if (extent_ == Extent::prefix) return false;
    if (buffering == Buffering::zero && !m_.sends()[s].wait.is_none()) return true;
    // As many sends as receives: all are received. It follows, but it helps the solver.
    Endpoint const beta = m_.beta_of(m_.sends()[s]);
    return m_.sends_to(beta) == m_.receives_at(beta).size();
}

/// At most one receive gets it; with zero buffering one does, if there is a wait for it.
void MatchClauses::add_send(std::uint32_t s, Buffering buffering) {
    auto const& send = m_.sends()[s];
    auto const& candidates = candidates_[s];
    clause_.clear();
    for (Candidate const& c : candidates) clause_.push_back(c.pair);
    if (must_be_received(s, buffering)) sat_.add(clause_);
    if (candidates.empty()) return;
    if (m_.sends_of(send.channel).size() == 1) return add_at_most_one(clause_);
    auto& received = received_[s];
    received.push_back(candidates[0].pair);
    for (std::size_t i = 1; i < candidates.size(); ++i) {
        Literal const before = received.back();
        Literal const here = sat_.new_variable();
        sat_.add({-candidates[i].pair, here});
        sat_.add({-candidates[i].pair, -before});
        sat_.add({-before, here});
        sat_.add({-here, before, candidates[i].pair});
        received.push_back(here);
    }
}

/// If the second send of two is received by then, the first one is received before then.
void MatchClauses::add_consecutive(std::uint32_t s, std::uint32_t next) {
    auto const& of_s = candidates_[s];
    auto const& of_next = candidates_[next];
    std::size_t before = 0; // candidates of s with a smaller ordinal
    for (std::size_t i = 0; i < of_next.size(); ++i) {
        while (before < of_s.size() && of_s[before].ordinal < of_next[i].ordinal) ++before;
        bool const follows =
            i + 1 < of_next.size() && (before == of_s.size() || of_s[before].ordinal >= of_next[i + 1].ordinal);
        if (follows) continue; // from the next clause
        Literal const by_now = received_[next][i];
        if (before == 0)
            sat_.add({-by_now});
        else
            sat_.add({-by_now, received_[s][before - 1]});
    }
}

} // namespace matchpoint::check
