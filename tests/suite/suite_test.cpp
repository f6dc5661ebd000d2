// What the suite expects, against the naive oracle and its exploration.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "suite/expected.hpp"
#include "suite/programs.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_explore.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

std::map<std::string, std::string> as_map(suite::Matches const& matches) { return {matches.begin(), matches.end()}; }

std::map<std::string, std::string> values_of(suite::TraceEnd const& end) {
    std::map<std::string, std::string> values;
    for (auto const& [variable, value] : end.store) values.emplace(variable, value.to_string());
    return values;
}
std::map<std::string, std::string> values_of(State const& state) {
    std::map<std::string, std::string> values;
    for (auto const& [variable, value] : state.store) values.emplace(variable, to_text(value));
    return values;
}

/// "division_by_zero" and "division by zero" are the same; the oracle has longer names for some.
std::string reason_of(Reason reason) {
    switch (reason) {
    case Reason::not_next_command: return "not next";
    case Reason::variable_without_value: return "no value";
    case Reason::operand_of_wrong_sort: return "wrong sort";
    default: break;
    }
    std::string text = to_text(reason);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

void expect_same(suite::TraceEnd const& is, Result const& should) {
    EXPECT_EQ(std::string(to_string(is.status)), to_text(should.status));
    EXPECT_EQ(is.well_formed, should.well_formed);
    EXPECT_EQ(is.steps, should.steps);
    EXPECT_EQ(as_map(is.matches), should.state.matches);
    EXPECT_EQ(values_of(is), values_of(should.state));
    EXPECT_EQ(values_of(is).size(), is.store.size());
    ASSERT_EQ(is.error.has_value(), should.trouble.has_value());
    if (!is.error) return;
    EXPECT_EQ(is.error->entry, should.trouble->entry);
    EXPECT_EQ(is.error->location, should.trouble->location);
    EXPECT_EQ(is.error->reason, reason_of(should.trouble->reason));
}

void expect_same(suite::Executions const& is, Truth const& should) {
    EXPECT_EQ(is.verdict, to_text(should.verdict));
    EXPECT_EQ(is.deadlock, should.deadlock);
    EXPECT_EQ(is.fault, should.fault);
    std::set<std::pair<std::string, std::string>> pairs;
    for (auto const& [receive, sends] : is.match_pairs)
        for (std::string const& send : sends) pairs.emplace(receive, send);
    EXPECT_EQ(pairs, should.exact_pairs);
    std::map<Matching, std::string> sets;
    for (suite::MatchSet const& m : is.match_sets) sets.emplace(as_map(m.matches), to_string(m.status));
    EXPECT_EQ(sets.size(), is.match_sets.size());
    std::map<Matching, std::string> outcomes;
    for (auto const& [matching, status] : should.outcomes) outcomes.emplace(matching, to_text(status));
    EXPECT_EQ(sets, outcomes);
}

} // namespace

TEST(Suite, ExpectsWhatTheOracleFinds) {
    constexpr std::size_t most_states = 20'000;
    std::map<std::string, std::size_t> tally;
    std::size_t number = 0;
    for (suite::SuiteProgram const& p : suite::programs()) {
        if (number++ % every() != 0) continue;
        SCOPED_TRACE(p.id);
        Source const source(p.id, p.text);
        auto const parsed = parse(source);
        ASSERT_TRUE(parsed);
        IndexedProgram const code(*parsed);
        auto const naive = plain(draft::draft_of(*parsed));
        for (bool const zero : {false, true}) {
            suite::ExpectedResults const is = suite::expected(code, zero ? Buffering::zero : Buffering::infinite);
            ASSERT_EQ(is.traces.size(), naive.traces.size());
            for (std::size_t t = 0; t < is.traces.size(); ++t)
                expect_same(is.traces[t], run(naive.program, naive.traces[t], zero));
            tally["traces"] += is.traces.size();
            if (!is.executions) continue;
            auto const truth = explore_eagerly(naive.program, zero, most_states);
            ++tally[truth ? "explored" : "too large for the naive exploration"];
            if (truth) expect_same(*is.executions, *truth);
        }
        if (testing::Test::HasFailure()) break;
    }
    for (auto const& [what, n] : tally) std::cout << what << ": " << n << "\n";
    EXPECT_GE(tally["explored"], 10 * tally["too large for the naive exploration"]);
}

} // namespace matchpoint::naive
