#include "rma/search/check.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "rma/machine/schedule.hpp"
#include "rma/machine/words.hpp"
#include "rma/search/flushes.hpp"
#include "rma/search/races.hpp"
#include "rma/search/reduced_run.hpp"
#include "rma/search/reduced_text.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

std::string words(CheckResult const& result) {
    std::string text(to_string(result.verdict));
    if (!result.reason.empty()) text += ": " + result.reason;
    return text;
}

std::string verdict(std::string_view text, CheckOptions const& options = {}) {
    return words(check_program(program_of(text), options));
}

/// The values of a variable in the final states.
std::string finals(std::string_view text, std::string_view name, CheckOptions options = {}) {
    Program const program = program_of(text);
    options.finals = true;
    CheckResult const result = check_program(program, options);
    auto const x = *program.symbols.variables.find(name);
    std::set<std::string> values;
    for (auto const& M : result.finals) values.insert(M[x].to_string());
    std::string all;
    for (std::string const& v : values) all += (all.empty() ? "" : " ") + v;
    return all + (result.finals_are_all ? "" : " ...");
}

std::string run(std::string_view text, CheckOptions const& options = {}) {
    Program const program = program_of(text);
    CheckResult const result = check_program(program, options);
    Graph const graph(program);
    return result.violation ? print_schedule(Machine(graph, options.model), result.violation->run) : "";
}

/// Figure 2, with what follows its put, and what follows its get.
std::string figure2(std::string_view behind_put = "", std::string_view behind_get = "") {
    return fmt::format(
        "(rma (process 1 (shared (Y 1)))"
        "(process 2 (shared (R 0) (X 2)) (local (r 0)) (put Y 1 X) {} (store X 3) (get R Y 1) {} (load r R))"
        "(assert final (!= r 3)))",
        behind_put, behind_get);
}

TEST(RmaCheck, Figure2) {
    EXPECT_EQ(finals(figure2(), "r", {.model = Model::sc}), "2");
    EXPECT_EQ(finals(figure2(), "r"), "0 1 2 3");
    EXPECT_EQ(finals(figure2("(flush 1)"), "r"), "0 2");
    EXPECT_EQ(finals(figure2("(flush 1)", "(flush 1)"), "r"), "2");
    EXPECT_EQ(verdict(figure2()), "violated");
    EXPECT_EQ(run(figure2()), "2 2 2 rw:2#1 rw:2#2 2");
    EXPECT_EQ(verdict(figure2("(flush 1)")), "safe");
}

/// Both states are one step away, and the assertion fails in the next one.
TEST(RmaCheck, ABrokenInvariantIsNearerThanAFalseAssertion) {
    EXPECT_EQ(run("(rma (process 1 skip (assert false)) (process 2 (shared (X 0)) (store X 1)) (invariant (= X 0)))"),
              "2");
    EXPECT_EQ(
        run("(rma (process 1 skip (assert false)) (process 2 (shared (X 0)) skip (store X 1)) (invariant (= X 0)))"),
        "1 1");
}

/// A fault is found before the state has room for what another process would have done next.
TEST(RmaCheck, FaultsBeforeThereIsRoomForMore) {
    for (int values = 1; values <= 40; ++values) {
        std::string locals;
        for (int i = 1; i <= values; ++i) locals += fmt::format("(v{} {})", i, i);
        std::string const text = fmt::format("(rma (process 1 (local {}) (v1 := 2) (assert false))"
                                             "(process 2 (shared (X 1)) (store X 100)))",
                                             locals);
        EXPECT_EQ(run(text), "1 1") << values;
    }
}

TEST(RmaCheck, AnAssertionFailsOnTheWay) {
    std::string const text = "(rma (process 1 (shared (Y 0)) (local (y 0)) (load y Y) (assert (= y 0)))"
                             "(process 2 (shared (X 1)) (put Y 1 X)))";
    EXPECT_EQ(verdict(text), "violated");
    EXPECT_EQ(run(text), "2 rw:2#1 1 1");
}

TEST(RmaCheck, InvariantsLookAtEveryStateAndPlace) {
    std::string const text = "(rma (process 1 (shared (Y 0)) [a skip] [b skip])"
                             "(process 2 (shared (X 1)) (put Y 1 X)) (invariant (not (and (at 1 b) (= Y 1)))))";
    EXPECT_EQ(verdict(text), "violated");
    EXPECT_EQ(run(text), "1 2 rw:2#1");
}

TEST(RmaCheck, DiscardsFaultsAndEndlessRuns) {
    CheckResult const result = check_program(
        program_of("(rma (process 1 (local (u 0)) (choose u 0 1 2) (assume (< u 2)) (u := (div 1 u)) (while true)))"),
        {});
    EXPECT_EQ(result.verdict, Verdict::safe);
    EXPECT_EQ(result.discarded, Known::yes);
    EXPECT_EQ(result.faulted, Known::yes);
    EXPECT_EQ(result.has_final, Known::no);
}

TEST(RmaCheck, AFailureBeforeTheRunIsDiscardedCounts) {
    EXPECT_EQ(verdict("(rma (process 1 (assert false) (assume false)) (process 2 (assume false)))"), "violated");
}

constexpr std::string_view counts = "(rma (process 1 (local (u 0)) (while true (u := (+ u 1)))) (invariant (< u {})))";

TEST(RmaCheck, GrowingIntegersNeedARange) {
    EXPECT_EQ(verdict(fmt::format(counts, 10), {.values = ValueRange{0, 10}}), "violated");
    EXPECT_EQ(verdict(fmt::format(counts, 20), {.values = ValueRange{0, 10}}),
              "unknown: a value leaves the range 0..10");
    EXPECT_EQ(verdict(fmt::format(counts, 70'000)), "violated") << "the states are packed anew, twice";
}

/// A loop that never waits for its puts.
constexpr std::string_view unbounded =
    "(rma (process 1 (shared (Y 0)) (local (y 0)) (while true (load y Y) (assert (!= y {}))))"
    "(process 2 (shared (X 1)) (while true (put Y 1 X))))";

TEST(RmaCheck, TheReducedProgramDecidesWhatTheSearchCannotExhaust) {
    CheckResult const result = check_program(program_of(fmt::format(unbounded, 2)), {});
    EXPECT_EQ(words(result), "safe");
    EXPECT_EQ(result.decided_by, "the reduced program");
    EXPECT_TRUE(result.was_cut);
    EXPECT_EQ(verdict(fmt::format(unbounded, 1)), "violated");
    EXPECT_EQ(verdict(fmt::format(unbounded, 2), {.engine = Engine::search}),
              "unknown: more than 3 operations of one statement can be pending");
}

/// Two puts of one statement have to be pending for the fault, so the first search does not see it. The reduced program
/// has it.
TEST(RmaCheck, AFaultIsLookedForWithMorePendingOperations) {
    CheckResult const result =
        check_program(program_of("(rma (process 1 (shared (Y 0)) (local (a 0) (b 0)) (load a Y) (load b Y)"
                                 "(if (and (= a 1) (= b 0)) ((a := (div 1 b)))))"
                                 "(process 2 (shared (X 0)) (while true (put Y 1 X) (store X 1))))"),
                      {});
    EXPECT_EQ(words(result), "safe");
    EXPECT_EQ(result.decided_by, "the reduced program");
    EXPECT_EQ(result.faulted, Known::yes);
    EXPECT_EQ(result.pending, 2U);
}

/// What is recorded of a run is a straight line.
TEST(RmaCheck, StraightLines) {
    std::string body;
    for (int i = 0; i < 5'000; ++i) body += "(put Y 1 X) (flush 1) (r := (+ r 1)) (store X r)\n";
    CheckResult const result =
        check_program(program_of("(rma (process 1 (shared (Y 1))) (process 2 (shared (X 2)) (local (r 0)) " + body +
                                 ") (assert final (= r 5000)))"),
                      {});
    EXPECT_EQ(words(result), "safe");
    EXPECT_EQ(result.states, 5U * 5'000 + 1);
}

/// Three variables with thousands of values do not fit into the key of a table.
TEST(RmaCheck, StatementsThatReadManyValues) {
    std::string const text = "(rma (process 1 (local (u 0) (v 0) (w 0)) (while (< u {0}) (u := (+ u 1))"
                             "(v := (+ u (+ v (- w v)))) (w := (- v u))) (assert (and (= u {0}) (= v {0}) (= w 0)))))";
    CheckResult const result = check_program(program_of(fmt::format(fmt::runtime(text), 5'000)), {});
    EXPECT_EQ(words(result), "safe");
    EXPECT_EQ(result.states, 1U + 4 * 5'000 + 2);
}

TEST(RmaCheck, LimitsAreNoVerdict) {
    EXPECT_EQ(verdict(fmt::format(counts, 1'000'000'000), {.max_bytes = std::uint64_t{8} << 20U}),
              "unknown: more than 8 MiB of states");
    bool is_up = false;
    Watch const watch([&is_up] { return std::exchange(is_up, true); });
    EXPECT_EQ(verdict(fmt::format(counts, 1'000'000'000)), "unknown: out of time");
}

/// Thousands of operations can be pending, and time is up before anything is prepared.
TEST(RmaCheck, PreparationMindsTheTime) {
    std::string puts;
    for (int i = 0; i < 2'000; ++i) puts += "(put Y 1 X)\n";
    Program const program = program_of("(rma (process 1 (shared (Y 1))) (process 2 (shared (X 2)) " + puts + "))");
    Watch const watch([] { return true; });
    for (Engine const engine : {Engine::search, Engine::reduced, Engine::both})
        EXPECT_EQ(words(check_program(program, {.engine = engine})), "unknown: out of time");
    EXPECT_FALSE(find_races(program, {}, 100).are_all);
    FlushResult const flushes = least_flushes(program, {});
    EXPECT_EQ(flushes.answer, FlushResult::Answer::open);
    EXPECT_EQ(flushes.reason, "out of time");
}

// ---- the reduction: what each literal variant loses

CheckOptions reduced(std::string_view literal = "") {
    CheckOptions options{.engine = Engine::reduced};
    EXPECT_TRUE(literal.empty() || set_literal(options.literal, literal));
    return options;
}

constexpr std::string_view may_go_wrong =
    "unknown: the reduced program goes wrong, which it may do although the program does not";

TEST(RmaReduced, Figure2) {
    EXPECT_EQ(verdict(figure2(), reduced()), may_go_wrong);
    EXPECT_EQ(verdict(figure2("(flush 1)"), reduced()), "safe");
    EXPECT_EQ(finals(figure2("(flush 1)"), "r", reduced()), "0 2 ...");
}

// Table 2 executes a put where somebody looks at its target, and an invariant is nobody's statement.
TEST(RmaReduced, AnInvariantLooksAtMemoryAllTheTime) {
    std::string const text = "(rma (process 1 (shared (Y 0)) [a skip] [b skip]) (process 2 (shared (X 1)) (put Y 1 X))"
                             "(invariant (or (not (at 1 b)) (= Y 0))))";
    EXPECT_EQ(verdict(text), "violated");
    EXPECT_EQ(verdict(text, reduced()), may_go_wrong);
}

TEST(RmaReduced, AsText) {
    Program const program = program_of(
        "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) [a (put Y 1 X)] [b (store X 2)] (flush 1)))");
    auto const text = [&](Literal const& literal) { return print_reduced(Graph(program), literal); };
    EXPECT_EQ(text({}), R"((reduced
  ; (put Y 1 X)
  (define (execute 2#1) (assume (> active_2#1 0)) (draw Y set_2#1) (if (= active_2#1 1) ((active_2#1 := 0)) ((choose active_2#1 1 2))))
  (process 1
    (shared (Y 0))
    bot
  )
  (process 2
    (shared (X 1))
    (shared (active_2#1 0))
    (sets set_2#1)
    ; (put Y 1 X)
    [a (step (if (= active_2#1 0) ((active_2#1 := 1) (reset set_2#1 X)) ((active_2#1 := 2) (join set_2#1 X))))]
    ; (store X 2)
    [b (step (store X 2) (if (> active_2#1 0) ((join set_2#1 X))))]
    ; (flush 1)
    (execute-until (= active_2#1 0) 2#1)
    bot
  )
  (finally (execute-until (= active_2#1 0) 2#1))
)
)");
    EXPECT_NE(text({.R7 = true}).find("(choose active_2#1 0 1)"), std::string::npos);
    EXPECT_NE(text({.R4 = true}).find("(sets set_X)"), std::string::npos);
}

TEST(RmaReduced, LiteralR2LosesWhatLandsDuringAFlush) {
    std::string const text = "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1) (R 0)) (local (r 0))"
                             "(get R Y 1) (put Y 1 X) (flush 1) (load r R)) (assert final (!= r 1)))";
    EXPECT_EQ(verdict(text), "violated");
    EXPECT_EQ(verdict(text, reduced()), may_go_wrong);
    EXPECT_EQ(verdict(text, reduced("R2")), "safe");
}

TEST(RmaReduced, LiteralR3LosesWhatALoadSees) {
    std::string const text =
        "(rma (process 1 (shared (Y 0)) (local (y 0)) (load y Y)) (process 2 (shared (X 1)) (put Y 1 X))"
        "(assert final (= y 0)))";
    EXPECT_EQ(verdict(text, reduced()), may_go_wrong);
    EXPECT_EQ(verdict(text, reduced("R3")), "safe");
}

TEST(RmaReduced, LiteralR4ResetsTheSetOfAnother) {
    std::string const text =
        "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X) (store X 2) (put Y 1 X))"
        "(assert final (= Y 2)))";
    EXPECT_EQ(verdict(text, reduced()), may_go_wrong);
    EXPECT_EQ(verdict(text, reduced("R4")), "safe");
}

TEST(RmaReduced, LiteralR5LosesWhatLandsAtTheEnd) {
    std::string const text =
        "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X)) (assert final (= Y 0)))";
    EXPECT_EQ(verdict(text, reduced()), may_go_wrong);
    EXPECT_EQ(verdict(text, reduced("R5")), "safe");
}

TEST(RmaReduced, LiteralR7ExecutesOneOperationTwice) {
    std::string const text =
        "(rma (process 1 (shared (Y 0)) (local (a 0) (b 0)) (load a Y) (store Y 0) (load b Y))"
        "(process 2 (shared (X 1)) (put Y 1 X) (flush 1)) (assert final (not (and (= a 1) (= b 1)))))";
    EXPECT_EQ(verdict(text, reduced()), "safe") << "a count knows better";
    EXPECT_EQ(verdict(text, reduced("R7")), may_go_wrong);
}

TEST(RmaReduced, LiteralR8WritesBehindAFlush) {
    std::string const text =
        "(rma (process 1 (shared (Y 0)) (local (y 0)) (load y Y)) (process 2 (shared (X 1)) (put Y 1 X) (flush 1) "
        "(store X 2) (put Y 1 X) (flush 1)) (assert final (= Y 2)))";
    EXPECT_EQ(verdict(text, reduced()), "safe");
    EXPECT_EQ(verdict(text, reduced("R8")), may_go_wrong);
    EXPECT_EQ(finals(text, "Y", reduced("R8")), "1 2 ...");
    Program const program = program_of(text);
    EXPECT_NE(print_reduced(Graph(program), {.R8 = true}).find("(define-steps (execute 2#1) "), std::string::npos);
}

TEST(RmaReduced, LiteralR8DrawsFromAnEmptySet) {
    Program const program =
        program_of("(rma (process 1 (shared (Y 0)) (local (y 0)) (load y Y)) (process 2 (shared (X 1)) (put Y 1 X)))");
    Graph const graph(program);
    EXPECT_TRUE(search(*reduced_system(graph, {.R8 = true}, {}), {}).faulted);
    EXPECT_FALSE(search(*reduced_system(graph, {}, {}), {}).faulted);
}

TEST(RmaReduced, CountersHaveNamesOfTheirOwn) {
    std::string const text =
        "(rma (process 1 (shared (Y 0))) (process 2 (shared (active_2#1 1)) (put Y 1 active_2#1)))";
    EXPECT_EQ(finals(text, "Y", reduced("R8")), "1 ...");
}

TEST(RmaReduced, LiteralR11LosesChains) {
    std::string const text =
        "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1) (R 0)) (local (r 0)) (put Y 1 X) (get R Y 1)"
        "(load r R)) (assert final (!= r 1)))";
    EXPECT_EQ(verdict(text, reduced()), may_go_wrong);
    EXPECT_EQ(verdict(text, reduced("R11")), "safe");
}

} // namespace
} // namespace matchpoint::rma
