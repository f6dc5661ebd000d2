// The rules of all executions one by one, and changes to them: without a change they are the semantics, and every
// change is noticed, in the direction that it says.

#include "validate/changes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "executions/explorer.hpp"
#include "programs/random.hpp"
#include "programs/small.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/thinning.hpp"
#include "validate/campaign.hpp"
#include "validate/explain.hpp"
#include "validate/traits.hpp"

namespace matchpoint::validate {
namespace {

using naive::cases;
using naive::every;
using naive::least;

std::string_view text(ChangeInfo const& i) { return i.name; }

class Asked {
public:
    /// Whether a run fails, with changes; nothing if there is no problem.
    std::optional<bool> operator()(Case const& c, Buffering b, Changes const& changes) {
        return predicted(c, b, changes, solver_);
    }
    CachingSolver& solver() { return solver_; }

private:
    CachingSolver solver_{solver_command("z3").value(), {.time = std::chrono::seconds(60)}};
};

constexpr std::array bufferings{Buffering::infinite, Buffering::zero};

/// Small programs, every so manyth of a level, and random ones.
std::vector<std::shared_ptr<Case const>> programs(unsigned level, std::size_t nth, std::size_t random) {
    std::vector<std::shared_ptr<Case const>> result;
    SmallPrograms small(small_bound(level), nth);
    while (auto draft = small.next()) result.push_back(make_case(*draft, false));
    RandomShape few;
    few.messages = 4, few.threads = 3, few.unwaited_receives = 50, few.orphans = 50, few.several_assertions = 60;
    for (std::size_t i = 0; i < random; ++i)
        result.push_back(make_case(random_program(7, i, i % 2 == 0 ? few : RandomShape()).draft, false));
    return result;
}

/// Those of traces/ and traces/errata/ that obey the rules.
std::vector<std::shared_ptr<Case const>> corpus() {
    std::vector<std::filesystem::path> paths;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(test::source_dir() / "traces"))
        if (entry.path().extension() == ".ctp") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::shared_ptr<Case const>> result;
    for (auto const& path : paths) {
        std::ifstream in(path);
        if (auto c = make_case({std::istreambuf_iterator<char>(in), {}}, false);
            c && !c->messages.order_matters() && !c->code.has_probes() && !c->code.has_contested_calls())
            result.push_back(std::move(c));
    }
    return result;
}

bool fails(Case const& c, Buffering b) { return *truth(c, {.buffering = b}).fails; }

TEST(Changes, WithoutAnyTheRulesAreTheSemantics) {
    Asked asked;
    std::size_t compared = 0;
    for (auto const& c : programs(6, every(19), cases(150)))
        for (Buffering const b : bufferings) {
            ASSERT_TRUE(c);
            ASSERT_EQ(asked(*c, b, {}), fails(*c, b)) << to_string(b) << '\n' << c->text();
            ++compared;
        }
    EXPECT_GE(compared, 2 * least(300));
}

/// Each change alone gives a wrong answer on some program, always in its direction.
TEST(Changes, EachIsNoticed) {
    Asked asked;
    std::vector<std::pair<Change, Buffering>> left;
    for (ChangeInfo const& i : changes())
        for (Buffering const b : bufferings)
            if (i.alone && i.about != About::shared && contains(i.bufferings, b)) left.emplace_back(i.change, b);
    auto all = corpus();
    for (auto& c : programs(6, 17, 400)) all.push_back(std::move(c));
    for (auto const& c : all) {
        if (left.empty()) break;
        for (Buffering const b : bufferings) {
            if (std::none_of(left.begin(), left.end(), [&](auto const& l) { return l.second == b; })) continue;
            bool const right = fails(*c, b);
            std::erase_if(left, [&](auto const& l) {
                if (l.second != b || (info(l.first).direction == Direction::weaker) == right) return false;
                auto const answer = asked(*c, b, only(l.first));
                return answer && *answer != right;
            });
        }
    }
    for (auto const& [change, b] : left)
        ADD_FAILURE() << to_string(only(change)) << " is not noticed with " << to_string(b) << " buffering";
}

/// Held against executions, the rules of complete runs are a flaw, and the other way round.
TEST(Changes, TheOtherReading) {
    Asked asked;
    std::size_t differ = 0;
    for (auto const& c : programs(6, 29, 100))
        for (Buffering const b : bufferings) {
            bool const complete = fails(*c, b);
            bool const executions = *truth(*c, {.buffering = b, .question = Runs::executions}).fails;
            ASSERT_EQ(predicted(*c, b, {}, asked.solver(), Runs::executions), executions) << c->text();
            ASSERT_EQ(predicted(*c, b, only(Change::executions), asked.solver()), executions) << c->text();
            ASSERT_EQ(predicted(*c, b, only(Change::complete_runs), asked.solver(), Runs::executions), complete)
                << c->text();
            ASSERT_LE(complete, executions) << c->text();
            if (complete == executions) continue;
            ++differ;
        }
    EXPECT_GE(differ, 5U);
}

/// A change never has an effect against its direction.
TEST(Changes, MoveInTheirDirection) {
    Asked asked;
    for (auto const& c : programs(5, every(23), cases(15)))
        for (Buffering const b : bufferings) {
            bool const right = fails(*c, b);
            for (ChangeInfo const& i : changes()) {
                auto const answer = asked(*c, b, only(i.change));
                if (!answer) continue;
                ASSERT_TRUE(i.direction == Direction::weaker ? *answer >= right : *answer <= right) << text(i) << '\n'
                                                                                                    << c->text();
            }
        }
}

TEST(Changes, OfOneRun) {
    // Figure 1 in the order of Figure 2, and in that of Figure 3.
    auto const c = make_case(R"(
        ( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [05 (rcvi R5 0 B)] [06 (wait R5)] [09 (assert (= A 4))] )
          ( [15 (sndi S5 1 0 1)] ) ( [24 (sndi S4 2 0 4)] ) )
        ( (24 bot) (02 bot) (03 ((0 2) bot)) (15 bot) (05 bot) (06 ((0 1) bot)) (09 bot) ))",
                             true);
    auto const d = make_case(R"(
        ( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [05 (rcvi R5 0 B)] [06 (wait R5)] [09 (assert (= A 4))] )
          ( [15 (sndi S5 1 0 1)] ) ( [24 (sndi S4 2 0 4)] ) )
        ( (24 bot) (15 bot) (02 bot) (03 ((0 1) bot)) (05 bot) (06 ((0 2) bot)) (09 bot) ))",
                             true);
    ASSERT_TRUE(c && d);
    Asked asked;
    for (auto const& [one, expected] : {std::pair(&*c, false), std::pair(&*d, true)}) {
        EXPECT_EQ(truth(*one, {}).fails, expected);
        EXPECT_EQ(asked(*one, Buffering::infinite, {}), expected);
        EXPECT_TRUE(asked(*one, Buffering::infinite, only(Change::free_values)));
    }
}

TEST(Changes, OneVersionOfTwoSorts) {
    auto const c = make_case("( ( [00 (x := 1)] [01 (x := true)] [02 (assert x)] ) )", false);
    Asked asked;
    EXPECT_EQ(asked(*c, Buffering::infinite, only(Change::one_version)), std::nullopt);
    EXPECT_EQ(asked(*c, Buffering::infinite, {}), false);
}

// ---- What an encoder answers ----

TEST(ReadAnswer, Words) {
    for (char const* word : {"sat", " sat\n", "violated", R"({"verdict": "sat"})", R"({"answer": "violated"})"})
        EXPECT_EQ(read_answer(word).sat, true) << word;
    for (char const* word : {"unsat", "safe\n", "vacuous", R"( {"status": "unsat", "x": [1]} )"})
        EXPECT_EQ(read_answer(word).sat, false) << word;
    EXPECT_EQ(read_answer("unknown").trouble, NoAnswer::solver);
    auto const said = read_answer(R"({"verdict": "sat", "matches": [["R", "S"], ["R2", "S2"]]})");
    EXPECT_EQ(said.matches, (std::vector<std::pair<std::string, std::string>>{{"R", "S"}, {"R2", "S2"}}));
}

TEST(ReadAnswer, Nonsense) {
    for (char const* text :
         {"", " \n", "yes", "sat sat", "{", "{}", "[]", R"({"verdict": 1})", R"({"verdict": "perhaps"})",
          "(check-sat)(check-sat)", "(assert true)(push 1)", "(assert", "(assert true) 7", ")"})
        EXPECT_EQ(read_answer(text).trouble, NoAnswer::nonsense) << text;
}

TEST(ReadAnswer, ProblemWithoutItsQuestions) {
    auto const said =
        read_answer("; a comment\n(set-option :produce-models true)\n(set-logic QF_LIA)\n(declare-const |a "
                    "(check-sat)| Int)\n(assert (= |a (check-sat)| 1)) ; (check-sat)\n(check-sat)\n(get-model)\n"
                    "(exit)\n; the end");
    EXPECT_EQ(said.trouble, NoAnswer::none) << said.what;
    EXPECT_EQ(said.sat, std::nullopt);
    EXPECT_EQ(said.problem,
              "(set-logic QF_LIA)\n(declare-const |a (check-sat)| Int)\n(assert (= |a (check-sat)| 1))\n");
}

// ---- What a model runs into ----

constexpr char const* two_sends = R"(
    ( ( [00 (rcvi R0 0 x)] [01 (wait R0)] [02 (rcvi R1 0 y)] [03 (wait R1)] [04 (assert (< x y))] )
      ( [10 (sndi S0 1 0 1)] [11 (sndi S1 1 0 2)] ) ))";

TEST(Replay, NamesWhatIsRefused) {
    auto const c = make_case(two_sends, false);
    SubjectAnswer said;
    said.sat = true;
    said.matches = {{"R0", "S1"}, {"R1", "S0"}};
    std::string const overtaking = replay(*c, Buffering::infinite, said);
    EXPECT_EQ(overtaking.substr(0, overtaking.find('\n')), "Its matches: R0 = S1, R1 = S0");
    EXPECT_NE(overtaking.find("No run has them: "), std::string::npos) << overtaking;
    said.matches = {{"R0", "S0"}, {"R1", "S1"}};
    EXPECT_EQ(replay(*c, Buffering::infinite, said),
              "Its matches: R0 = S0, R1 = S1\nWith them the reference machine ends in success.\n");
    said.matches = {{"R0", "S0"}};
    EXPECT_EQ(replay(*c, Buffering::infinite, said),
              "Its matches: R0 = S0, R1 = nothing\nA complete run has a message for every receive.\n");
    said.matches = {{"R0", "nobody"}};
    EXPECT_EQ(replay(*c, Buffering::infinite, said), "");
}

TEST(Replay, HasNoMatchesWithoutReceives) {
    auto const c = make_case("( ( [00 (assert false)] bot ) )", false);
    SubjectAnswer said;
    said.sat = true;
    EXPECT_EQ(replay(*c, Buffering::infinite, said), "The reference machine ends in failure.\n");
}

TEST(Truth, DependsOnBufferingIfSendsWait) {
    auto const waits = make_case("( ( [00 (sndi S0 0 1 0)] [01 (wait S0)] [02 (assert false)] bot ) )", false);
    auto const without = make_case("( ( [00 (assert false)] bot ) )", false);
    for (Buffering const b : {Buffering::infinite, Buffering::zero}) {
        EXPECT_TRUE(depends_on_buffering(*waits, {.buffering = b}));
        EXPECT_FALSE(depends_on_buffering(*without, {.buffering = b}));
    }
}

TEST(Replay, ReadsModels) {
    auto const c = make_case(two_sends, false);
    SubjectAnswer said;
    said.sat = true;
    // Our own: the numbers of sends. Section 5: the orders of sends.
    said.model = "((define-fun M_R0 () Int 2) (define-fun |M_R1| () Int 1))";
    EXPECT_EQ(replay(*c, Buffering::infinite, said).substr(0, 30), "Its matches: R0 = S1, R1 = S0\n");
    said.model = "((define-fun M_R0 () Int (- 7)) (define-fun M_R1 () Int 30) (define-fun order_10 () Int 30)\n"
                 "(define-fun order_11 () Int (- 7)) (define-fun order_01 () Int 31) (define-fun order_03 () Int 40))";
    std::string const refused = replay(*c, Buffering::infinite, said);
    EXPECT_EQ(refused.substr(0, 30), "Its matches: R0 = S1, R1 = S0\n");
    EXPECT_NE(refused.find("In its order, the machine refuses step"), std::string::npos) << refused;
    said.model = "((define-fun f () Int 1))";
    EXPECT_EQ(replay(*c, Buffering::infinite, said), "");
}

TEST(Traits, OfPrograms) {
    auto const c = make_case(two_sends, false);
    EXPECT_EQ(traits(*c), (std::vector<std::string>{"one assertion"}));
}

} // namespace
} // namespace matchpoint::validate
