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
#include "tests/support/naive_outcomes.hpp"
#include "tests/support/naive_shared.hpp"
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
    for (auto const& [variable, value] : state.store) values.emplace(variable, naive::to_text(value));
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

std::set<std::pair<std::string, std::string>> as_set(suite::MatchPairs const& match_pairs) {
    std::set<std::pair<std::string, std::string>> pairs;
    for (auto const& [receive, sends] : match_pairs)
        for (std::string const& send : sends) pairs.emplace(receive, send);
    return pairs;
}

void expect_same(suite::Executions const& is, Truth const& should) {
    EXPECT_EQ(is.verdict, to_text(should.verdict));
    EXPECT_EQ(is.deadlock, should.deadlock);
    EXPECT_EQ(is.fault, should.fault);
    EXPECT_EQ(as_set(is.match_pairs), should.exact_pairs);
    std::map<Matching, std::string> sets;
    for (suite::MatchSet const& m : is.match_sets) sets.emplace(as_map(m.matches), to_string(m.status));
    EXPECT_EQ(sets.size(), is.match_sets.size());
    std::map<Matching, std::string> outcomes;
    for (auto const& [matching, status] : should.outcomes) outcomes.emplace(matching, to_text(status));
    EXPECT_EQ(sets, outcomes);
}

void expect_same(suite::SharedExecutions const& is, SharedTruth const& should) {
    EXPECT_EQ(is.verdict, to_text(should.verdict()));
    EXPECT_EQ(is.verdict_of_complete_runs, to_text(should.verdict_complete()));
    EXPECT_EQ(is.deadlock, should.deadlock);
    EXPECT_EQ(is.fault, should.fault);
    EXPECT_EQ(is.data_race, should.race);
    EXPECT_EQ(is.switches ? std::optional<std::size_t>(*is.switches) : std::nullopt, should.switches);
}

void expect_same(suite::SharedExecutions const& is, SharedOutcomes const& should) {
    EXPECT_EQ(as_set(is.match_pairs), should.pairs);
    EXPECT_EQ(as_set(is.match_pairs_of_executions), should.pairs_of_executions);
    std::map<std::pair<Matching, ReadsFrom>, std::set<std::string>> outcomes;
    for (suite::SharedOutcome const& o : is.outcomes) {
        ReadsFrom reads;
        for (auto const& [command, all] : o.reads)
            for (suite::Read const& r : all) reads[command][r.variable] = r.from;
        outcomes[{as_map(o.matches), reads}].emplace(to_string(o.status));
    }
    EXPECT_EQ(outcomes.size(), is.outcomes.size());
    std::map<std::pair<Matching, ReadsFrom>, std::set<std::string>> complete;
    for (auto const& [outcome, statuses] : should.complete)
        for (Status const s : statuses) complete[outcome].insert(to_text(s));
    EXPECT_EQ(outcomes, complete);
}

/// None if the program is too large for the naive explorations.
std::optional<std::string> compare(suite::ExpectedResults const& is, Program const& program, bool zero) {
    if (is.executions) {
        auto const truth = explore_eagerly(program, zero, 20'000);
        if (!truth) return std::nullopt;
        expect_same(*is.executions, *truth);
        return "explored";
    }
    constexpr std::size_t most_states = 6'000; // of which most are those of a few programs
    auto const truth = explore_shared(program, zero, most_states);
    auto const outcomes = outcomes_of(program, zero, most_states);
    if (truth) expect_same(*is.shared_executions, *truth);
    if (outcomes) expect_same(*is.shared_executions, *outcomes);
    return truth && outcomes ? std::optional<std::string>("explored, with shared variables") : std::nullopt;
}

} // namespace

TEST(Suite, ExpectsWhatTheOracleFinds) {
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
            EXPECT_EQ(is.shared_executions.has_value(), p.part == 3);
            EXPECT_FALSE(is.executions && is.shared_executions);
            if (!is.executions && !is.shared_executions) continue;
            auto const how = compare(is, naive.program, zero);
            ++tally[how.value_or(p.part == 3 ? "too large, with shared variables"
                                             : "too large for the naive exploration")];
        }
        if (testing::Test::HasFailure()) break;
    }
    for (auto const& [what, n] : tally) std::cout << what << ": " << n << "\n";
    // At most a tenth is too large, or one program where few are taken.
    EXPECT_GE(tally["explored"] + 9, 10 * tally["too large for the naive exploration"]);
    EXPECT_GE(tally["explored, with shared variables"] + 9, 10 * tally["too large, with shared variables"]);
}

} // namespace matchpoint::naive
