// The families: rules, verdicts, numbers of match sets, sizes, traces; and Lemma 1 on random formulas.

#include "programs/families.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <type_traits>

#include <sys/wait.h>

#include "check/check.hpp"
#include "executions/explorer.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "machine/well_formed.hpp"
#include "programs/random.hpp"
#include "programs/recorded.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::programs::families {
namespace {

constexpr Buffering both_bufferings[] = {Buffering::infinite, Buffering::zero};

/// A program of a family, read back.
struct Written {
    Made made;
    std::string text;
    Source source;
    Program program;
    IndexedProgram code;
    std::unique_ptr<MessageIndex> messages; // null if it breaks rules D1 to D6

    explicit Written(Made m)
        : made(std::move(m)), text(draft::print(made.draft)), source("family.ctp", text), program(read(source)),
          code(program) {
        Diagnostics const faults = check_discipline(program, &source);
        EXPECT_TRUE(faults.empty()) << render(faults, source) << text;
        if (faults.empty()) messages = std::make_unique<MessageIndex>(code);
    }

    static Program read(Source const& source) {
        auto program = parse(source);
        if (!program) throw std::invalid_argument(render(program.error(), source));
        return std::move(program).value();
    }
};

Written written(std::string_view family, Arguments const& arguments) {
    Family const* const f = find(family);
    if (f == nullptr) throw std::invalid_argument("no family");
    auto made = make(*f, arguments);
    if (!made) throw std::invalid_argument(made.error());
    return Written(std::move(*made));
}

std::string refused(std::string_view family, Arguments const& arguments) {
    auto made = make(*find(family), arguments);
    return made ? "" : made.error();
}

/// What exploration says, as SAT does, and what it says of deadlocks.
Promise explored(MessageIndex const& messages, Buffering buffering) {
    CheckOptions options;
    options.runs = Runs::complete; // as the promises are
    options.engine = EngineChoice::explore;
    options.buffering = buffering;
    CheckResult const result = check::check(messages, options);
    EXPECT_NE(result.verdict, Verdict::unknown);
    EXPECT_EQ(result.fault.answer, Reached::Answer::no);
    EXPECT_NE(result.deadlock.answer, Reached::Answer::unknown);
    // The other engine that is built in agrees, without a sample's help.
    options.engine = EngineChoice::sat;
    options.samples = 0;
    EXPECT_EQ(check::check(messages, options).verdict, result.verdict);
    Promise promise{Promise::Verdict::vacuous, result.deadlock.answer == Reached::Answer::yes};
    if (result.verdict == Verdict::violated) promise.verdict = Promise::Verdict::violated;
    if (result.verdict == Verdict::safe) promise.verdict = Promise::Verdict::safe;
    return promise;
}

/// The trace ends as the comment says, and the machine has nothing left to do.
void replays(Written const& w, std::string const& name) {
    ASSERT_EQ(w.program.traces.size(), 1U) << name;
    Machine machine(w.code, Buffering::infinite);
    Outcome const outcome = run(machine, 0);
    EXPECT_NE(outcome.s, Status::error) << name;
    EXPECT_TRUE(well_formedness(w.code, machine.state()).ran_to_completion) << name;
    EXPECT_NE(w.text.find("\n; trace 1, infinite buffering: " + std::string(to_string(outcome.s)) + "\n"),
              std::string::npos)
        << name;
}

/// How many match sets there are, and in how many of them an assertion fails.
struct MatchSets {
    std::uint64_t all = 0;
    std::uint64_t failures = 0;
    bool operator==(MatchSets const&) const = default;
};
std::ostream& operator<<(std::ostream& out, MatchSets const& m) {
    return out << m.all << " match sets, " << m.failures << " failures";
}

MatchSets match_sets(Written const& w, Buffering buffering = Buffering::infinite) {
    MatchSets result;
    Explorer explorer(*w.messages, {.buffering = buffering, .may_match = {}, .stop = {}});
    while (auto const end = explorer.next()) {
        if (*end != End::complete) continue;
        ++result.all;
        if (explorer.state().s == Status::failure) ++result.failures;
    }
    return result;
}
MatchSets match_sets(std::string_view family, Arguments const& arguments, Buffering buffering = Buffering::infinite) {
    return match_sets(written(family, arguments), buffering);
}

/// Sizes that exploration is done with quickly.
std::vector<std::vector<std::uint64_t>> small_sizes(Family const& family) {
    std::string_view const f = family.name;
    if (f == "leader-election") return {{11}, {12}, {13}, {14}, {20}, {33}};
    if (f == "router") return {{3}, {4}};
    if (f == "multi-m") return {{1}, {2}, {3}, {4}};
    if (f == "pktuse") return {{2, 2}, {5, 2}, {3, 3}, {9, 3}, {8, 4}, {12, 4}, {10, 5}};
    if (f == "ring-dependencies") return {{2}, {3}, {4}, {8}};
    if (f == "dense-cycles") return {{2}, {3}, {4}};
    if (family.name == "master-workers" || family.name == "monte-carlo") return {{2, 1}, {2, 2}, {3, 1}};
    if (f == "banking" || f == "counter" || f == "lock-order" || f == "hybrid-ring") return {{2, 1}, {2, 2}, {3, 1}};
    if (f == "philosophers") return {{2}, {3}, {5}};
    if (f == "ticket-lock" || f == "interest") return {{2}, {3}};
    if (f == "indexer") return {{2, 4, 128}, {3, 4, 128}, {4, 4, 128}, {2, 3, 6}, {3, 2, 6}, {2, 1, 2}, {3, 1, 3}};
    if (f == "bounded-buffer") return {{1, 1, 1}, {2, 2, 1}, {2, 2, 4}, {2, 1, 3}};
    if (f == "recorded-buffer") return {{1, 1, 2, 2}, {2, 1, 1, 1}, {2, 1, 1, 2}, {2, 2, 2, 2}, {2, 3, 1, 4}};
    if (family.name == "halo") return {{2, 1}, {2, 2}};
    return {{1}, {2}, {3}, {6}};
}

TEST(Families, KeepTheirPromises) {
    std::size_t programs = 0;
    for (Family const& family : all()) {
        if (family.reads_formula || family.name == "random") continue; // Lemma1, Random
        for (auto const& numbers : small_sizes(family))
            for (Variant const& variant : family.variants)
                for (std::uint64_t seed = 1; seed <= (family.has_seed && naive::every() == 1 ? 3U : 1U); ++seed) {
                    Arguments const arguments{
                        .numbers = numbers, .variant = std::string(variant.option), .seed = seed, .trace = true};
                    // Two messages are what these are about.
                    if (family.name == "scaling" && numbers[0] == 1 && !variant.option.empty()) continue;
                    Written const w = written(family.name, arguments);
                    std::string const name = command_line(family, arguments);
                    ASSERT_TRUE(w.messages) << name;
                    ASSERT_TRUE(w.made.infinite && (w.made.zero || variant.option == "--any")) << name;
                    EXPECT_EQ(to_string(explored(*w.messages, Buffering::infinite)), to_string(*w.made.infinite))
                        << name;
                    if (w.made.zero) {
                        EXPECT_EQ(to_string(explored(*w.messages, Buffering::zero)), to_string(*w.made.zero)) << name;
                    }
                    replays(w, name);
                    ++programs;
                }
    }
    std::cout << programs << " programs\n";
    EXPECT_GT(programs, 100U);
}

/// From 12 threads on some compare-and-swaps fail. Complete runs that fail have so many switches then that the search
/// for the fewest takes seconds.
TEST(Families, IndexerWithCollisions) {
    for (std::uint64_t k = 11; k <= 16; ++k) {
        Written const w = written("indexer", {.numbers = {k, 4, 128}, .variant = "--safe", .trace = true});
        EXPECT_EQ(w.text.find("(assume (!= ") != std::string::npos, k >= 12) << k;
        EXPECT_EQ(to_string(explored(*w.messages, Buffering::infinite)), to_string(*w.made.infinite)) << k;
        replays(w, command_line(*find("indexer"), {.numbers = {k, 4, 128}}));
    }
    Written const w = written("indexer", {.numbers = {12, 4, 128}, .trace = true});
    EXPECT_EQ(check::check(*w.messages, CheckOptions()).verdict, Verdict::violated);
    replays(w, "indexer 12");
    written("indexer", {.numbers = {32, 4, 128}}); // the table is full
    written("indexer", {.numbers = {100, 4, 400}});
    EXPECT_EQ(refused("indexer", {.numbers = {33, 4, 128}}),
              "indexer: 33 threads put 4 messages each, and the table has 128 entries");
}

// As the summaries say: exactly one.
TEST(Families, OneMatchSetFails) {
    for (Buffering const b : both_bufferings) {
        std::uint64_t factorial = 1;
        for (std::uint64_t n = 1; n <= 6; ++n) {
            factorial *= n;
            EXPECT_EQ(match_sets("scaling", {.numbers = {n}}, b), (MatchSets{factorial, 1}));
            EXPECT_EQ(match_sets("permutation-sum", {.numbers = {n}, .variant = "--violated"}, b),
                      (MatchSets{factorial, 1}));
            EXPECT_EQ(match_sets("permutation-sum", {.numbers = {n}}, b), (MatchSets{factorial, 0}));
            if (n == 1) continue;
            EXPECT_EQ(match_sets("scaling", {.numbers = {n}, .variant = "--comparisons"}, b),
                      (MatchSets{factorial, 1}));
        }
        for (std::uint64_t n = 2; n <= 8; ++n) {
            std::uint64_t const all = (std::uint64_t{1} << n) - 1;
            EXPECT_EQ(match_sets("ring-dependencies", {.numbers = {n}}, b), (MatchSets{all, 1}));
            EXPECT_EQ(match_sets("ring-dependencies", {.numbers = {n}, .variant = "--safe"}, b), (MatchSets{all, 0}));
        }
        for (std::uint64_t m = 1; m <= 3; ++m) EXPECT_EQ(match_sets("multi-m", {.numbers = {m}}, b).failures, 1U) << m;
        for (std::uint64_t seed = 1; seed <= 20; ++seed)
            EXPECT_EQ(match_sets("pktuse", {.numbers = {9, 3}, .seed = seed}, b).failures, 1U) << seed;
    }
}

TEST(Families, MatchSets) {
    for (Buffering const b : both_bufferings) {
        EXPECT_EQ(match_sets("leader-election", {.numbers = {40}, .variant = "--safe"}, b), (MatchSets{1, 0}));
        EXPECT_EQ(match_sets("ping-pong", {.numbers = {7}}, b), (MatchSets{1, 1}));
        // Figure 16 has two.
        EXPECT_EQ(match_sets("multi-m", {.numbers = {1}}, b), (MatchSets{2, 1}));
        // The others hear of a router along all but one of the ring's n edges; it gets its two answers in any order.
        EXPECT_EQ(match_sets("router", {.numbers = {3}}, b), (MatchSets{6 * 6 * 6, 6 * 2 * 2}));
        EXPECT_EQ(match_sets("router", {.numbers = {4}}, b), (MatchSets{8 * 8 * 8 * 8, 8 * 2 * 8 * 2}));
        // (n + 1)^(n - 1) forests, and each thread's later messages in any of (n - 1)! orders.
        EXPECT_EQ(match_sets("dense-cycles", {.numbers = {2}, .variant = "--safe"}, b), (MatchSets{3, 0}));
        EXPECT_EQ(match_sets("dense-cycles", {.numbers = {2}}, b), (MatchSets{3, 1}));
        EXPECT_EQ(match_sets("dense-cycles", {.numbers = {3}, .variant = "--safe"}, b), (MatchSets{16 * 8, 0}));
        EXPECT_EQ(match_sets("dense-cycles", {.numbers = {3}}, b), (MatchSets{16 * 8, 8}));
    }
    // C(3 m + 1, m) / (m + 1); with zero buffering 2 * 3^(m - 1), for some executions get stuck.
    EXPECT_EQ(match_sets("multi-m", {.numbers = {2}}), (MatchSets{7, 1}));
    EXPECT_EQ(match_sets("multi-m", {.numbers = {5}}), (MatchSets{728, 1}));
    EXPECT_EQ(match_sets("multi-m", {.numbers = {2}}, Buffering::zero), (MatchSets{6, 1}));
    EXPECT_EQ(match_sets("multi-m", {.numbers = {5}}, Buffering::zero), (MatchSets{162, 1}));
}

TEST(Families, Sizes) {
    auto const sends = [](std::string_view family, Arguments const& arguments) {
        return written(family, arguments).messages->sends().size();
    };
    for (std::uint64_t n = 11; n <= 150; ++n) EXPECT_EQ(sends("leader-election", {.numbers = {n}}), n);
    for (char const* const variant : {"", "--safe sums", "--safe order"}) {
        EXPECT_EQ(sends("pktuse", {.numbers = {100, 7}, .variant = variant}), 100U);
        EXPECT_EQ(sends("pktuse", {.numbers = {512, 5}, .variant = variant}), 512U);
    }
    for (char const* const variant : {"", "--safe"}) {
        EXPECT_EQ(sends("router", {.numbers = {10}, .variant = variant}), 200U);
        EXPECT_EQ(sends("multi-m", {.numbers = {25}, .variant = variant}), 100U);
        EXPECT_EQ(sends("ring-dependencies", {.numbers = {30}, .variant = variant}), 90U);
        EXPECT_EQ(sends("dense-cycles", {.numbers = {9}, .variant = variant}), 90U);
        EXPECT_EQ(sends("ping-pong", {.numbers = {30}, .variant = variant}), 60U);
    }
    // The table's numbers of messages are what there is without any.
    for (auto const& [family, messages] :
         {std::pair{"leader-election", 620U}, {"router", 200U}, {"multi-m", 100U}, {"pktuse", 512U}}) {
        Arguments arguments;
        for (Parameter const& p : find(family)->parameters) arguments.numbers.push_back(p.otherwise.value());
        EXPECT_EQ(sends(family, arguments), messages);
    }
}

TEST(Families, SameForSameSeed) {
    std::uint64_t const seeds = naive::every() == 1 ? 10 : 2;
    for (Family const& family : all()) {
        if (family.reads_formula) continue;
        for (Variant const& variant : family.variants) {
            std::set<std::string> texts;
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
                Arguments arguments{.numbers = {}, .variant = std::string(variant.option), .seed = seed};
                for (Parameter const& p : family.parameters) arguments.numbers.push_back(p.otherwise.value_or(12));
                if (family.name == "leader-election") arguments.numbers = {50};
                if (family.name == "pktuse") arguments.numbers = {30, 5};
                auto made = make(family, arguments);
                ASSERT_TRUE(made) << made.error();
                auto again = make(family, arguments);
                EXPECT_EQ(made->draft, again->draft);
                made->draft.comment.clear(); // it has the seed
                texts.insert(draft::print(made->draft));
            }
            if (!family.has_seed) {
                EXPECT_EQ(texts.size(), 1U) << family.name;
            }
            // The other variants leave nothing open.
            bool const chosen =
                family.has_seed && variant.option != "--comparisons" && variant.option != "--distinct" &&
                !(variant.option == "--safe" && (family.name == "ring-dependencies" || family.name == "dense-cycles"));
            if (chosen) {
                EXPECT_GE(texts.size(), seeds / 2) << family.name << variant.option;
            }
        }
    }
}

TEST(Families, WhatIsRefused) {
    EXPECT_EQ(refused("scaling", {.numbers = {0}}), "scaling: N is a number from 1 to 1000000, not 0");
    EXPECT_EQ(refused("scaling", {.numbers = {1000001}}), "scaling: N is a number from 1 to 1000000, not 1000001");
    EXPECT_EQ(refused("scaling", {.numbers = {}}), "scaling takes 1 numbers");
    EXPECT_EQ(refused("scaling", {.numbers = {3}, .variant = "--unsafe"}), "scaling has no variant `--unsafe`");
    EXPECT_EQ(refused("scaling", {.numbers = {1}, .variant = "--safe"}),
              "scaling --safe: N is 2 at least: it is about two messages");
    EXPECT_EQ(refused("scaling", {.numbers = {2001}, .variant = "--distinct"}),
              "scaling --distinct: N is a number from 2 to 2000, not 2001, as there is an assertion for each of N (N - "
              "1) / 2 "
              "pairs");
    EXPECT_EQ(refused("pktuse", {.numbers = {4, 5}}), "pktuse: 4 messages are too few for 5 tasks");
    EXPECT_EQ(refused("leader-election", {.numbers = {10}}),
              "leader-election: MESSAGES is a number from 11 to 1000000, not 10");
    EXPECT_EQ(find("figure1"), nullptr);
}

TEST(Families, Comments) {
    Made const made = make(*find("multi-m"), {.numbers = {2}, .variant = "--safe", .trace = true}).value();
    EXPECT_EQ(made.draft.comment,
              "Figure 16, 2 times: 8 messages.\n"
              "The assertion fails if the last R04 gets the last S21: the bogus pair of Section 7, so never.\n"
              "check infinite: safe\n"
              "check zero: safe, deadlock\n"
              "trace 1, infinite buffering: success\n"
              "matchpoint gen multi-m 2 --safe --trace");
    // A file's name stays on its line, whatever it is.
    Cnf const cnf{.variables = 0, .literals = {}, .clause_ends = {}};
    auto const last_line = [&](std::string file) {
        std::string const comment =
            make(*find("vamp"), {.formula = cnf, .file = std::move(file)}).value().draft.comment;
        return comment.substr(comment.rfind('\n') + 1);
    };
    EXPECT_EQ(last_line("a/b-1.cnf"), "matchpoint gen vamp a/b-1.cnf");
    EXPECT_EQ(last_line("it's a.cnf"), R"(matchpoint gen vamp 'it'\''s a.cnf')");
    EXPECT_EQ(last_line("x\n( ) \x1b \xff.cnf"), R"(matchpoint gen vamp 'x\x0a( ) \x1b \xff.cnf')");
}

Arguments random_arguments(std::uint64_t number, std::map<std::string, std::uint64_t, std::less<>> knobs = {}) {
    return {.numbers = {number, 6, 4, 2}, .knobs = std::move(knobs), .trace = true};
}

// Whatever comes of it: the rules are kept, no verdict is promised, and the machine does with the trace what the
// comment says.
TEST(Random, RulesAndTraces) {
    std::map<std::string, std::size_t> ends;
    for (std::uint64_t i = 1; i <= 300; ++i) {
        Arguments const arguments = random_arguments(
            i, i % 2 == 0 ? std::map<std::string, std::uint64_t, std::less<>>{{"--crossed", 100}, {"--divisions", 100}}
                          : std::map<std::string, std::uint64_t, std::less<>>{});
        Written const w = written("random", arguments);
        ASSERT_TRUE(w.messages) << w.text;
        EXPECT_FALSE(w.made.infinite || w.made.zero);
        EXPECT_EQ(w.text.find("\n; check"), std::string::npos);
        ASSERT_EQ(w.program.traces.size(), 1U);
        Machine machine(w.code, Buffering::infinite);
        Outcome const outcome = run(machine, 0);
        std::string_view const status = to_string(outcome.s);
        std::string const& said = w.made.trace;
        EXPECT_EQ(said.substr(0, said.find(':')), status) << w.text;
        EXPECT_NE(w.text.find("\n; trace 1, infinite buffering: " + said + "\n"), std::string::npos) << w.text;
        ++ends[said];
    }
    // Success, failure, infeasible, a deadlock, a fault.
    EXPECT_EQ(ends.size(), 5U);
    for (auto const& [end, count] : ends) EXPECT_GE(count, 3U) << end;
}

// Of 60 programs, in how many there is something if its knob is at 0, and if it is at 100.
TEST(Random, AsTheKnobsSay) {
    using draft::Text;
    using Is = std::function<bool(draft::Draft const&)>;
    auto const count = []<typename C>(draft::Draft const& d, std::type_identity<C>) {
        std::size_t n = 0;
        for (draft::Thread const& t : d.threads)
            n += static_cast<std::size_t>(std::count_if(
                t.begin(), t.end(), [](auto const& located) { return std::holds_alternative<C>(located.c); }));
        return n;
    };
    constexpr std::type_identity<SndiOf<Text>> sends;
    constexpr std::type_identity<RcviOf<Text>> receives;
    constexpr std::type_identity<AssumeOf<Text>> assumptions;
    constexpr std::type_identity<AssertOf<Text>> assertions;
    constexpr std::type_identity<AssignOf<Text>> assignments;
    auto const has = [](draft::Draft const& d, std::string_view part) {
        return draft::print(d).find(part) != std::string::npos;
    };
    struct Row {
        std::string option;
        std::string other; // a knob that has to be at 0
        Is is;
    };
    Row const rows[] = {
        {"--orphans", "--lone-receives", [&](auto const& d) { return count(d, sends) > count(d, receives); }},
        {"--lone-receives", "--orphans", [&](auto const& d) { return count(d, receives) > count(d, sends); }},
        {"--assumptions", "", [&](auto const& d) { return count(d, assumptions) > 0; }},
        {"--assignments", "", [&](auto const& d) { return count(d, assignments) > 0; }},
        {"--several-assertions", "--no-assertion", [&](auto const& d) { return count(d, assertions) > 1; }},
        {"--no-assertion", "", [&](auto const& d) { return count(d, assertions) == 0; }},
    };
    for (Row const& row : rows)
        for (std::uint64_t const percent : {0U, 100U})
            for (std::uint64_t i = 1; i <= 60; ++i) {
                Arguments arguments = random_arguments(i, {{row.option, percent}});
                if (!row.other.empty()) arguments.knobs[row.other] = 0;
                EXPECT_EQ(row.is(written("random", arguments).made.draft), percent == 100)
                    << command_line(*find("random"), arguments);
            }
    // These need an opportunity.
    Row const others[] = {
        {"--choices", "", [&](auto const& d) { return has(d, "(ite "); }},
        {"--divisions", "", [&](auto const& d) { return has(d, "(div ") || has(d, "(mod "); }},
        {"--booleans", "",
         [&](auto const& d) {
             for (draft::Thread const& t : d.threads)
                 for (draft::LocatedCommand const& c : t)
                     if (auto const* const send = as_sndi(c.c);
                         send != nullptr && (send->e == draft::truth(true) || send->e == draft::truth(false)))
                         return true;
             return false;
         }},
        {"--large-numbers", "", [&](auto const& d) { return has(d, "0000000000000000000"); }},
        {"--sources", "", [&](auto const& d) { return has(d, "(from "); }},
        {"--tags", "", [&](auto const& d) { return has(d, "(tag "); }},
        {"--selected", "", [&](auto const& d) { return has(d, "(source ") || has(d, "(tagged "); }},
        {"--modes", "", [&](auto const& d) { return has(d, "(ssndi ") || has(d, "(bsndi "); }},
        {"--barriers", "", [&](auto const& d) { return has(d, "(barrier "); }},
        {"--shared", "", [&](auto const& d) { return has(d, "(shared ") && count(d, sends) == 0; }},
        {"--arithmetic", "--divisions", [&](auto const& d) { return has(d, "(* ") || has(d, "(+ "); }},
        {"--crossed", "--lone-receives",
         [&](auto const& d) { return has(d, "trace 1, infinite buffering: error: it ends in a deadlock"); }},
    };
    for (Row const& row : others) {
        std::size_t with = 0;
        for (std::uint64_t i = 1; i <= 60; ++i) {
            Arguments arguments = random_arguments(i, {{row.option, 0}});
            if (!row.other.empty()) arguments.knobs[row.other] = 0;
            EXPECT_FALSE(row.is(written("random", arguments).made.draft)) << command_line(*find("random"), arguments);
            arguments.knobs[row.option] = 100;
            if (row.is(written("random", arguments).made.draft)) ++with;
        }
        EXPECT_GE(with, 3U) << row.option;
    }
}

// Programs are what validate's are, and a trace changes nothing in them.
TEST(Random, AreThoseOfRandomPrograms) {
    for (std::uint64_t i = 1; i <= 50; ++i) {
        Arguments arguments{.numbers = {i, 9, 5, 3}, .knobs = {{"--orphans", 60}}, .seed = 7};
        RandomShape shape{.threads = 5, .endpoints = 3, .messages = 9};
        shape.orphans = 60;
        auto made = make(*find("random"), arguments).value();
        EXPECT_EQ(made.draft.threads, random_program(7, i, shape).draft.threads);
        arguments.trace = true;
        auto traced = make(*find("random"), arguments).value();
        draft::name_locations(made.draft);
        EXPECT_EQ(made.draft.threads, traced.draft.threads);
    }
}

TEST(Random, WhatIsRefused) {
    EXPECT_EQ(refused("random", random_arguments(1, {{"--orphan", 5}})), "random has no knob `--orphan`");
    EXPECT_EQ(refused("random", random_arguments(1, {{"--orphans", 101}})),
              "random: --orphans is a number from 0 to 100, not 101");
    EXPECT_EQ(refused("scaling", {.numbers = {2}, .knobs = {{"--orphans", 5}}}), "scaling has no knob `--orphans`");
    EXPECT_EQ(refused("random", {.numbers = {1, 1001, 4, 2}}), "random: MESSAGES is a number from 1 to 1000, not 1001");
    EXPECT_EQ(command_line(*find("random"), random_arguments(3, {{"--large-numbers", 5}, {"--crossed", 0}})),
              "matchpoint gen random 3 6 4 2 --crossed 0 --large-numbers 5 --seed 1 --trace");
}

// An execution chosen at random can be any.
TEST(Recorded, AnyMatchSet) {
    Written const w = written("scaling", {.numbers = {3}});
    std::set<Matching> seen;
    std::mt19937_64 random(1);
    for (int i = 0; i < 200; ++i) {
        Recorded const run(*w.messages, random);
        ASSERT_EQ(run.end(), End::complete);
        Matching m(*w.messages);
        run.matching(m);
        seen.insert(m);
        Machine machine(w.code, Buffering::infinite);
        EXPECT_EQ(matchpoint::run(machine, run.schedule()).s, run.state().s);
        EXPECT_EQ(match_set(w.code, machine.state()).size(), 3U);
    }
    EXPECT_EQ(seen.size(), 6U);
}

TEST(Recorded, ChannelsStayInOrderAndCyclesAreNone) {
    Written const w = written("pktuse", {.numbers = {40, 4}, .variant = "--safe order"});
    Feasibility feasibility(*w.messages, Buffering::infinite);
    std::mt19937_64 random(1);
    for (int i = 0; i < 100; ++i) {
        Recorded const run(*w.messages, random);
        ASSERT_EQ(run.end(), End::complete);
        Matching m(*w.messages);
        run.matching(m);
        EXPECT_TRUE(m.is_complete());
        EXPECT_FALSE(feasibility.breaks_a_rule(m));
    }
}

TEST(Recorded, EndsOfOtherPrograms) {
    auto const end = [](char const* text) {
        Source const source("x.ctp", text);
        Program const program = Written::read(source);
        IndexedProgram const code(program);
        MessageIndex const messages(code);
        return Recorded(messages).end();
    };
    EXPECT_EQ(end("( ( [00 (rcvi r 0 x)] [01 (wait r)] ) )"), End::deadlock);
    EXPECT_EQ(end("( ( [00 (rcvi r 0 x)] [01 (wait r)] ) ( [10 (sndi s 1 0 1)] ) )"), End::complete);
    EXPECT_EQ(end("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (y := (div 1 x))] ) ( [10 (sndi s 1 0 0)] ) )"), End::fault);
    EXPECT_EQ(end("( ( [00 (x := (div 1 0))] ) )"), End::fault);
    // Two messages are needed at once, and one is too many.
    EXPECT_EQ(end("( ( [00 (rcvi r 0 x)] [01 (rcvi q 0 y)] [02 (wait q)] [03 (wait r)] )"
                  "  ( [10 (sndi s 1 0 0)] [11 (sndi t 1 0 0)] [12 (sndi u 1 0 0)] ) )"),
              End::complete);
}

/// What another solver says of a formula.
bool minisat_says_satisfiable(std::string const& text, std::string const& file) {
    std::ofstream(file) << text;
    int const status = std::system(("minisat -verb=0 '" + file + "' >/dev/null 2>&1").c_str());
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 10 && WEXITSTATUS(status) != 20))
        throw std::runtime_error("minisat is missing or failed (scripts/bootstrap installs it)");
    return WEXITSTATUS(status) == 10;
}

class Formulas {
public:
    explicit Formulas(std::size_t variables) : variables_(variables) {}
    void add(std::vector<int> const& clause) {
        for (int const l : clause) clauses_ += std::to_string(l) + " ";
        clauses_ += "0\n";
        ++count_;
    }
    std::string text() const {
        return "p cnf " + std::to_string(variables_) + " " + std::to_string(count_) + "\n" + clauses_;
    }

private:
    std::size_t variables_;
    std::size_t count_ = 0;
    std::string clauses_;
};

/// The programs of formulas, with both bufferings, and how many were satisfiable.
class Lemma1 : public testing::Test {
protected:
    /// By exploration, or by `check`.
    enum class By : std::uint8_t { exploration, check };
    void judge(std::string const& text, By by = By::exploration) {
        bool const satisfiable =
            minisat_says_satisfiable(text, testing::TempDir() + "lemma1." + std::to_string(getpid()) + ".cnf");
        Source const source("formula.cnf", text);
        auto cnf = parse_dimacs(source);
        ASSERT_TRUE(cnf) << render(cnf.error(), source);
        Written const w = written("vamp", {.formula = *cnf, .file = "formula.cnf", .trace = true});
        Promise const promise{satisfiable ? Promise::Verdict::violated : Promise::Verdict::safe};
        for (Buffering const b : both_bufferings) {
            if (by == By::exploration) {
                ASSERT_EQ(to_string(explored(*w.messages, b)), to_string(promise)) << text << w.text;
                continue;
            }
            for (EngineChoice const engine : {EngineChoice::automatic, EngineChoice::sat}) {
                CheckOptions options;
                options.buffering = b;
                options.engine = engine;
                auto const result = check::check(*w.messages, options);
                ASSERT_EQ(to_string(result.verdict), satisfiable ? "violated" : "safe") << text << w.text;
            }
        }
        EXPECT_EQ(w.messages->sends().size(), 4 * cnf->variables);
        replays(w, text);
        ++(satisfiable ? satisfiable_ : unsatisfiable_);
    }
    /// Clauses of three literals, repeated ones and opposite ones among them, and of one. As many for a variable as
    /// make about half of the formulas satisfiable: 4.27 if these are large and have no others.
    void judge_random(std::size_t count, std::size_t least, std::size_t most, std::size_t percent, By by) {
        std::mt19937_64 random(1);
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t const variables = least + random() % (most - least + 1);
            Formulas formula(variables);
            std::size_t const clauses = variables * percent / 100 + random() % (variables + 1);
            for (std::size_t c = 0; c < clauses; ++c) {
                std::vector<int> clause;
                for (std::size_t l = random() % 16 == 0 ? 2 : 0; l < 3; ++l)
                    clause.push_back(static_cast<int>(1 + random() % variables) * (random() % 2 == 0 ? 1 : -1));
                formula.add(clause);
            }
            judge(formula.text(), by);
            if (HasFatalFailure()) return;
        }
        if (naive::every() > 1) return; // too few
        EXPECT_GE(5 * satisfiable_, count / 2);
        EXPECT_GE(5 * unsatisfiable_, count / 2);
    }
    void TearDown() override {
        std::cout << satisfiable_ << " satisfiable, " << unsatisfiable_ << " unsatisfiable\n";
        std::remove((testing::TempDir() + "lemma1." + std::to_string(getpid()) + ".cnf").c_str());
    }

    std::size_t satisfiable_ = 0;
    std::size_t unsatisfiable_ = 0;
};

TEST_F(Lemma1, Corners) {
    for (char const* const text :
         {"p cnf 0 0\n", "p cnf 3 0\n", "p cnf 0 1\n0\n", "p cnf 2 2\n1 0 0\n", "p cnf 1 1\n1 0\n", "p cnf 1 1\n-1 0\n",
          "p cnf 1 2\n1 0 -1 0\n", "p cnf 2 2\n1 1 1 0 -1 -1 2 2 0\n", "p cnf 1 1\n1 -1 0\n",
          "p cnf 3 2\n1 -1 2 -2 0 3 0\n", "p cnf 5 1\n5 0\n", "p cnf 2 4\n1 2 0 1 -2 0 -1 2 0 -1 -2 0\n",
          "p cnf 2 3\n1 2 0 1 -2 0 -1 2 0\n"})
        judge(text);
    EXPECT_EQ(satisfiable_, 9U);
    EXPECT_EQ(unsatisfiable_, 4U);
}

TEST_F(Lemma1, RandomFormulas) { judge_random(naive::cases(300), 3, 8, 427, By::exploration); }

TEST_F(Lemma1, LargerRandomFormulas) { judge_random(naive::cases(200), 10, 40, 290, By::check); }

/// So many pigeons, each in one of the holes, no two in the same one.
std::string pigeons(int count, int holes) {
    Formulas formula(static_cast<std::size_t>(count * holes));
    auto const is_in = [&](int pigeon, int hole) { return pigeon * holes + hole + 1; };
    for (int p = 0; p < count; ++p) {
        std::vector<int> somewhere;
        for (int h = 0; h < holes; ++h) somewhere.push_back(is_in(p, h));
        formula.add(somewhere);
        for (int q = 0; q < p; ++q)
            for (int h = 0; h < holes; ++h) formula.add({-is_in(p, h), -is_in(q, h)});
    }
    return formula.text();
}

TEST_F(Lemma1, Pigeons) {
    for (int holes = 1; holes <= 3; ++holes)
        for (int count = 1; count <= holes + 1; ++count) judge(pigeons(count, holes));
    EXPECT_EQ(satisfiable_, 6U);
    EXPECT_EQ(unsatisfiable_, 3U);
}

TEST_F(Lemma1, MorePigeons) {
    for (int holes = 4; holes <= 6; ++holes)
        for (int const count : {holes, holes + 1}) judge(pigeons(count, holes), By::check);
    EXPECT_EQ(satisfiable_, 3U);
    EXPECT_EQ(unsatisfiable_, 3U);
}

} // namespace
} // namespace matchpoint::programs::families
