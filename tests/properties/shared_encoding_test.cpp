// The encodings of programs with shared variables, `exact` and `schedule`: against the naive exploration, with z3 and
// cvc5, and as an engine of the checker against exploration.

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <iostream>

#include "programs/random.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_questions.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/together.hpp"

namespace matchpoint::naive {
namespace {

/// Both solvers, in turns.
class TwoSolvers {
public:
    TwoSolvers() {
        for (auto const* command : {"z3 -in -smt2 tactic.default_tactic=smt", "cvc5"})
            solvers_.emplace_back(*solver_command(command));
        for (Solver& solver : solvers_) together_.emplace_back(solver, 25);
    }

    Wrong ask(Question question) { return together_[asked_++ % together_.size()].ask(std::move(question)); }
    Wrong ask(std::vector<Question> questions) {
        for (Question& q : questions)
            if (Wrong wrong = ask(std::move(q))) return wrong;
        return std::nullopt;
    }

    void finish() {
        for (Together& together : together_) {
            Wrong const wrong = together.finish();
            ASSERT_FALSE(wrong) << *wrong;
            std::cout << together.asked() << " questions, " << together.problems() << " problems in "
                      << together.queries() << " queries\n";
        }
    }

private:
    std::deque<Solver> solvers_;
    std::deque<Together> together_;
    std::size_t asked_ = 0;
};

class SharedEncoding : public testing::Test {
protected:
    /// P1, P3: of one program under one buffering.
    void expect_right(Program const& program, bool zero) {
        expect_right(program, zero, [&](auto const& subject, SharedTruth const& truth) {
            return shared_questions(subject, zero, truth, number_++);
        });
    }
    /// The same of `schedule`.
    void expect_schedule_right(Program const& program) {
        expect_right(program, false, [&](auto const& subject, SharedTruth const& truth) {
            return schedule_questions(subject, truth, number_++);
        });
    }

    void expect_right(Program const& program, bool zero, auto questions) {
        auto const truth = explore_shared(program, zero);
        ++tally_[truth ? to_string_of(truth->verdict()) : "too large for the naive exploration"];
        if (!truth) return;
        if (truth->switches) ++tally_[std::to_string(*truth->switches) + " switches"];
        Wrong const wrong = solvers_.ask(questions(std::make_shared<Subject const>(program), *truth));
        ASSERT_FALSE(wrong) << *wrong;
    }

    /// All programs of two threads with two and three commands; a part of the larger ones.
    static void for_each_program(std::function<void(Program const&)> const& visit) {
        for (auto const& [threads, commands, thinned] : {std::tuple(2U, 2U, 1U),
                                                         {2U, 3U, 4U},
                                                         {2U, 4U, 50U},
                                                         {2U, 5U, 1500U},
                                                         {2U, 6U, 20000U},
                                                         {3U, 3U, 8U},
                                                         {3U, 4U, 50U},
                                                         {3U, 5U, 2000U}})
            for_each_small_shared_program(threads, commands, thinned * every(), [&](Program const& program) {
                if (!HasFatalFailure()) visit(program);
            });
    }

    void expect_all_kinds() {
        if (every() > 1) return; // in a few programs, no rare kind is sure
        for (char const* const what : {"violated", "safe", "vacuous", "0 switches", "1 switches", "2 switches"})
            EXPECT_GT(tally_[what], 0U) << what;
    }

    void finish() {
        solvers_.finish();
        print(std::cout, tally_);
    }

    TwoSolvers solvers_;
    Tally tally_;
    std::size_t number_ = 0;

private:
    static std::string to_string_of(Verdict v) {
        return v == Verdict::violated ? "violated" : v == Verdict::safe ? "safe" : "vacuous";
    }
};

TEST_F(SharedEncoding, SmallPrograms) {
    for_each_program([&](Program const& program) { expect_right(program, false); });
    if (!HasFatalFailure()) finish();
    expect_all_kinds();
}

TEST_F(SharedEncoding, RandomPrograms) {
    for (std::size_t i = 0; i < cases(600); ++i) {
        expect_right(shared_program(seeded(23), i), i % 2 == 1);
        ASSERT_FALSE(HasFatalFailure()) << "case " << i << " of seed " << seeded(23);
    }
    finish();
    expect_all_kinds();
}

TEST_F(SharedEncoding, ScheduleOfSmallPrograms) {
    for_each_program([&](Program const& program) { expect_schedule_right(program); });
    if (!HasFatalFailure()) finish();
    expect_all_kinds();
}

/// Programs with messages are not asked about, and not counted. Some kinds are too rare to be sure in so few programs:
/// ScheduleOfSmallPrograms has them.
TEST_F(SharedEncoding, ScheduleOfRandomPrograms) {
    for (std::size_t i = 0, asked = 0; asked < cases(300); ++i) {
        Program const program = shared_program(seeded(37), i);
        Subject const subject(program);
        if (!subject.messages.sends().empty() || !subject.messages.receives().empty()) continue;
        ++asked;
        expect_schedule_right(program);
        ASSERT_FALSE(HasFatalFailure()) << "case " << i << " of seed " << seeded(37);
    }
    finish();
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what : {"violated", "safe", "vacuous", "0 switches"}) EXPECT_GT(tally_[what], 0U) << what;
}

/// P2, as the truth has it.
TEST_F(SharedEncoding, CausalModelsOfRandomTraces) {
    for (std::size_t i = 0; i < cases(300); ++i) {
        Case const c = shared_case(seeded(29), i);
        Wrong const wrong = solvers_.ask(model_questions(c.program, on_path(c), c.zero, i, tally_));
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(29) << '\n' << *wrong;
    }
    finish();
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what : {"ctp fails", "ctp does not fail", "mcm fails", "hb fails", "hb does not fail"})
        EXPECT_GT(tally_[what], 0U) << what;
    EXPECT_GT(tally_["ctp fails"], tally_["hb fails"]);
}

/// Larger programs: the engine, and exploration.
TEST(SharedEncodingEngine, AgreesWithExploration) {
    Tally tally;
    for (std::size_t i = 0; i < cases(60); ++i) {
        programs::RandomShape shape{
            .threads = 3, .messages = 4, .divisions = 25, .assumptions = 50, .several_assertions = 50};
        if (i % 4 == 3) shape.choices = 80;
        shape.shared = 50 + 10 * static_cast<unsigned>(i % 6);
        Subject const subject(plain(programs::random_program(seeded(31), i, shape).draft).program);
        if (!subject.loaded.code->shares()) continue;
        CheckOptions options;
        options.buffering = i % 2 == 0 ? Buffering::infinite : Buffering::zero;
        options.runs = i % 4 < 2 ? Runs::executions : Runs::complete;
        options.solver = *solver_command("z3");
        options.engine = EngineChoice::explore;
        CheckResult const explored = check::check(subject.messages, options);
        options.engine = EngineChoice::smt;
        CheckResult const solved = check::check(subject.messages, options);
        ASSERT_EQ(to_string(solved.verdict), to_string(explored.verdict))
            << "program " << i << " of seed " << seeded(31) << '\n'
            << subject.loaded.text;
        EXPECT_EQ(solved.engine, "smt (z3)");
        EXPECT_TRUE(solved.trouble.empty()) << solved.trouble[0].what;
        EXPECT_EQ(solved.run.has_value(), solved.verdict != check::Verdict::vacuous);
        ++tally[std::string(to_string(solved.verdict))];
    }
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what : {"violated", "safe", "vacuous"}) EXPECT_GT(tally[what], 0U) << what;
}

} // namespace
} // namespace matchpoint::naive
