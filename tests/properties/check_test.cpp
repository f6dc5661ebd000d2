// The encodings, the checker and its engines against the naive exploration.

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>

#include "grammar/discipline.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/small_boxes.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/together.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

using Judged = std::shared_ptr<Subject const>;
using Judge = std::function<Wrong(Judged const&, bool zero, Truth const&, std::size_t number)>;

/// Every k-th small program under both bufferings. Stops at the first that is judged wrong.
void on_small_programs(std::size_t nth, Judge const& judge) {
    std::size_t number = 0;
    Wrong wrong;
    for_each_small_program(every(nth), 0, [&](Program const& program) {
        auto const subject = std::make_shared<Subject const>(program);
        for (bool const zero : {false, true})
            if (!wrong) wrong = judge(subject, zero, *explore_quickly(program, zero), number++);
    });
    ASSERT_FALSE(wrong) << *wrong;
    std::cout << number << " cases\n";
}

/// So many random ones under both bufferings, and what they were.
void on_random_programs(std::size_t count, std::uint64_t seed, Judge const& judge) {
    Tally tally;
    for (std::size_t i = 0; i < cases(count); ++i) {
        Program const program = verdict_program(seed, i);
        auto const subject = std::make_shared<Subject const>(program);
        for (bool const zero : {false, true}) {
            auto const truth = explore_quickly(program, zero, 20'000);
            std::string const b = zero ? "zero: " : "infinite: ";
            ++tally[b + (truth ? to_text(truth->verdict) : "too large for the naive exploration")];
            if (!truth) continue;
            if (truth->deadlock) ++tally[b + "a deadlock"];
            if (truth->fault) ++tally[b + "a fault"];
            Wrong const wrong = judge(subject, zero, *truth, i);
            ASSERT_FALSE(wrong) << *wrong;
        }
    }
    print(std::cout, tally);
}

/// The plain programs in traces/ and traces/errata/ that obey D1 to D6, under both bufferings.
void on_traces(Judge const& judge) {
    std::size_t number = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(test::source_dir() / "traces")) {
        if (entry.path().extension() != ".ctp") continue;
        std::ifstream in(entry.path());
        std::string const text{std::istreambuf_iterator<char>(in), {}};
        if (!check_discipline(*load(text).program).empty()) continue;
        Program const program = read_program(text);
        auto const subject = std::make_shared<Subject const>(program);
        if (!subject->messages.code().is_plain()) continue; // Lowering.Traces
        for (bool const zero : {false, true}) {
            auto const truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth) << entry.path();
            Wrong const wrong = judge(subject, zero, *truth, number++);
            ASSERT_FALSE(wrong) << entry.path() << '\n' << *wrong;
        }
    }
    std::cout << number << " cases\n";
    EXPECT_GE(number, 264U);
}

Judge by_engine(EngineChoice choice, bool refine = false, bool direct = false) {
    CheckOptions options;
    if (direct) options.direct_from = 0;
    options.engine = choice;
    options.refine = refine;
    if (choice == EngineChoice::sat) options.samples = 0; // so that it finds every run itself
    options.solver = *solver_command("z3");
    return [options](Judged const& subject, bool zero, Truth const& truth, std::size_t) {
        return check_is_right(*subject, zero, truth, options);
    };
}

/// One of each solver's questions, many in one query.
class Asked {
public:
    Asked() {
        // Problems this small are solved before z3 has chosen what to solve them with.
        for (auto const* command : {"z3 -in -smt2 tactic.default_tactic=smt", "cvc5"})
            solvers_.emplace_back(*solver_command(command));
        for (Solver& solver : solvers_) together_.emplace_back(solver, 25);
    }

    Wrong ask(Question const& q) {
        for (Together& together : together_)
            if (Wrong wrong = together.ask(q)) return wrong;
        return {};
    }

    Judge judge() {
        return [this](Judged const& subject, bool zero, Truth const& truth, std::size_t number) {
            for (Together& together : together_)
                if (Wrong wrong = together.ask(question(subject, zero, truth, number++))) return wrong;
            return Wrong{};
        };
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
};

Judge both(Judge first, Judge second) {
    return [first, second](Judged const& subject, bool zero, Truth const& truth, std::size_t number) {
        Wrong wrong = first(subject, zero, truth, number);
        return wrong ? wrong : second(subject, zero, truth, number + 1);
    };
}

/// The engines that need nobody else.
Judge by_engines() {
    return both(by_engine(EngineChoice::explore),
                both(by_engine(EngineChoice::automatic),
                     both(by_engine(EngineChoice::sat), by_engine(EngineChoice::sat, false, true))));
}

/// What is asked together is judged as what is asked alone.
TEST(Together, AnswersAndModelsAreOfEach) {
    Solver solver(*solver_command("z3"));
    // `c` is greater than n, and not greater than m.
    auto const between = [](std::string const& c, int n, int m, bool sat) {
        Question q;
        q.problem = "(set-logic QF_LIA)\n; as ours\n(declare-const unused Bool)\n(declare-const |" + c +
                    "| Int)\n(assert (! (> |" + c + "| " + std::to_string(n) + ") :named |a b|))\n(assert (<= |" + c +
                    "| (- " + std::to_string(-m) + ")))\n";
        q.sat = sat;
        std::string const model = "(- " + std::to_string(-m) + ")";
        q.judge = [=](std::string const& got) -> Wrong {
            return got.find(model) != std::string::npos ? Wrong() : c + " is not in " + got;
        };
        q.wrong = [=](std::string const& what) { return c + ": " + what; };
        return q;
    };
    auto const wrong = [&](std::vector<Question> const& questions) {
        Together together(solver, 3);
        Wrong first;
        for (Question const& q : questions)
            if (!first) first = together.ask(q);
        if (!first) first = together.finish();
        EXPECT_LT(together.queries(), questions.size());
        return first.value_or("nothing");
    };
    Question const yes = between("x y", -4, -3, true);
    Question const again = between("z", -4, -3, true);
    Question const no = between("n", -1, -2, false);
    EXPECT_EQ(wrong({yes, no, again, between("w", -9, -8, true)}), "nothing");
    EXPECT_EQ(wrong({yes, no, again, between("false", -2, -3, true)}), "false: unsat");
    EXPECT_EQ(wrong({yes, no, again, between("true", -8, -7, false)}).substr(0, 9), "true: sat");
    Question strict = again;
    strict.judge = [](std::string const&) -> Wrong { return "never"; };
    EXPECT_EQ(wrong({yes, no, strict}), "z: never");
}

// With z3 and cvc5. The truth takes longer than a judgement, so there is one for both.
TEST(EncodingAgreesWithExplore, SmallPrograms) {
    Asked asked;
    on_small_programs(25, asked.judge());
    asked.finish();
}

TEST(EncodingAgreesWithExplore, RandomPrograms) {
    Asked asked;
    on_random_programs(600, seeded(1), asked.judge());
    asked.finish();
}

// With each set of pairs, asked for a failure and for a success.
TEST(EncodingAgreesWithExplore, Traces) {
    Solver solver(*solver_command("z3"));
    on_traces([&](Judged const& subject, bool zero, Truth const& truth, std::size_t) {
        Wrong wrong;
        for (std::size_t number = 0; number < 8 && !wrong; ++number)
            wrong = encoding_is_right(subject, zero, truth, solver, number);
        return wrong;
    });
}

TEST(CheckAgreesWithExplore, Traces) {
    for (EngineChoice const engine :
         {EngineChoice::explore, EngineChoice::automatic, EngineChoice::sat, EngineChoice::smt})
        on_traces(by_engine(engine));
}

TEST(CheckAgreesWithExplore, SmallPrograms) { on_small_programs(1, by_engines()); }

TEST(CheckAgreesWithExplore, RandomPrograms) { on_random_programs(6'000, seeded(3), by_engines()); }

// A solver process for each program, so fewer; what the process is asked is the subject of EncodingAgreesWithExplore.
TEST(CheckAgreesWithExplore, SmtEngineOnRandomPrograms) {
    on_random_programs(80, seeded(5), by_engine(EngineChoice::smt));
}

TEST(CheckAgreesWithExplore, RefinementOnRandomPrograms) {
    on_random_programs(80, seeded(6), by_engine(EngineChoice::smt, true));
}

// ---------------------------------------------------------------------------------------------------------------------
// Executions on the path

/// Every k-th small program, and so many random ones, under both bufferings.
void on_path(std::size_t nth, std::size_t random,
             std::function<Wrong(Judged const&, bool, OnPath const&)> const& judge) {
    Wrong wrong;
    Tally tally;
    auto const look_at = [&](Program const& program) {
        auto const subject = std::make_shared<Subject const>(program);
        for (bool const zero : {false, true}) {
            auto const truth = explore_path_quickly(program, zero, 20'000);
            std::string const b = zero ? "zero: " : "infinite: ";
            ++tally[b + (truth ? to_text(truth->verdict()) : "too large for the naive exploration")];
            if (!truth || wrong) continue;
            if (truth->deadlock) ++tally[b + "a deadlock"];
            if (truth->fault) ++tally[b + "a fault"];
            wrong = judge(subject, zero, *truth);
        }
    };
    if (nth > 0) for_each_small_program(every(nth), 0, look_at);
    for (std::size_t i = 0; i < cases(random) && !wrong; ++i) look_at(verdict_program(seeded(11), i));
    ASSERT_FALSE(wrong) << *wrong;
    print(std::cout, tally);
}

TEST(ExecutionsAgreeWithExplore, Engines) {
    on_path(6, 3'000, [](Judged const& subject, bool zero, OnPath const& truth) {
        return engines_are_right_on_path(*subject, zero, truth);
    });
}

TEST(ExecutionsAgreeWithExplore, SmtEngine) {
    CheckOptions options;
    options.engine = EngineChoice::smt;
    options.solver = *solver_command("z3");
    options.samples = 0;
    on_path(0, 80, [&](Judged const& subject, bool zero, OnPath const& truth) {
        options.refine = !options.refine;
        return check_on_path_is_right(*subject, zero, truth, options);
    });
}

// With z3 and cvc5.
TEST(ExecutionsAgreeWithExplore, Encoding) {
    Asked asked;
    std::size_t number = 0;
    on_path(60, 400, [&](Judged const& subject, bool zero, OnPath const& truth) {
        return asked.ask(question(subject, zero, truth, number++));
    });
    asked.finish();
}

} // namespace
} // namespace matchpoint::naive
