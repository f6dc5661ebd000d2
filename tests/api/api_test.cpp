// The public face: each question gives what its room gives, and errors are values with places.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <type_traits>

#include <gtest/gtest.h>
#include <matchpoint/matchpoint.hpp>

#include "base/temporary_folder.hpp"

namespace mp = matchpoint::api;

namespace {

/// Two senders race for the receives of thread 0; the assertion fails if s1 wins.
constexpr auto race = R"(
    ( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] [04 (assert (= x 2))] )
      ( [10 (sndi s1 1 0 1)] )
      ( [20 (sndi s2 2 0 2)] ) )
    ( (00 bot) (10 bot) (20 bot) (01 ((0 2) bot)) (02 bot) (03 ((0 1) bot)) (04 bot) )
    ( (00 bot) (01 bot) ))";

mp::Program program_of(char const* text) { return *mp::Program::parse(text, "test.ctp"); }
std::string names(mp::Program const& program, std::vector<mp::Match> const& matches) {
    std::string text;
    for (mp::Match const& m : matches) text += program.at(m.receive).action + "=" + program.at(m.send).action + " ";
    return text;
}

} // namespace

TEST(Api, VersionIsThatOfTheProject) { EXPECT_EQ(mp::version(), MATCHPOINT_PROJECT_VERSION); }

TEST(Api, ProgramTellsOfItsCommands) {
    mp::Program const program = program_of(race);
    EXPECT_EQ(program.threads(), 3U);
    EXPECT_EQ(program.commands().size(), 7U);
    EXPECT_EQ(program.commands(1), std::vector{mp::Command{5}});
    EXPECT_EQ(program.traces(), 2U);
    EXPECT_EQ(program.variables(), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(program.sends(), (std::vector{*program.find("s1"), *program.find("s2")}));
    EXPECT_EQ(program.receives(), (std::vector{*program.find("00"), *program.find("r2")}));
    EXPECT_EQ(program.find("s3"), std::nullopt);
    mp::CommandInfo const wait = program.at(*program.find("01"));
    EXPECT_EQ(wait.kind, mp::CommandInfo::Kind::wait);
    EXPECT_EQ(wait.waits, program.find("r1"));
    EXPECT_EQ(wait.text, "(wait r1)");
    EXPECT_EQ(program.at(*program.find("s2")).thread, 2U);
    auto const again = mp::Program::parse(program.print());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->print(), program.print());
    EXPECT_THROW(program.at(mp::Command{7}), std::logic_error);
}

TEST(Api, BadInputHasPlaces) {
    auto const bad = mp::Program::parse("( ([00 (wait R9)] [01 (rcvi R5 0 x)]) )", "bad.ctp");
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().kind, mp::Error::Kind::input);
    mp::Message const& m = bad.error().messages.at(0);
    EXPECT_EQ(m.rule, "S3");
    EXPECT_EQ(m.file, "bad.ctp");
    EXPECT_EQ(m.line, 1U);
    EXPECT_EQ(m.column, 14U);
    EXPECT_NE(bad.error().text.find("bad.ctp:1:14: error[S3]"), std::string::npos);

    auto const missing = mp::Program::read("/nowhere/a.ctp");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, mp::Error::Kind::input);
    EXPECT_NE(missing.error().text.find("/nowhere/a.ctp"), std::string::npos);
}

TEST(Api, FilesAreRead) {
    matchpoint::base::TemporaryFolder const folder;
    auto const file = std::filesystem::path(folder.path()) / "race.ctp";
    std::ofstream(file) << race;
    auto const program = mp::Program::read(file);
    ASSERT_TRUE(program);
    EXPECT_EQ(program->name(), file.string());
    EXPECT_EQ(program->print(), program_of(race).print());
}

TEST(Api, QuestionsNeedTheDiscipline) {
    // No wait completes r.
    mp::Program const program = program_of("( ([00 (rcvi r 0 x)]) ([10 (sndi s 1 0 1)]) )");
    ASSERT_EQ(program.breaches().size(), 1U);
    EXPECT_TRUE(program.breaches()[0].rule.starts_with('D'));
    auto const refused = [](auto const& result) {
        return !result && result.error().kind == mp::Error::Kind::input && result.error().messages.size() == 1;
    };
    EXPECT_TRUE(refused(mp::check(program)));
    EXPECT_TRUE(refused(mp::explore(program)));
    EXPECT_TRUE(refused(mp::match_pairs(program)));
    EXPECT_TRUE(refused(mp::encode(program)));
    EXPECT_TRUE(refused(mp::Feasibility::of(program)));
    EXPECT_TRUE(refused(mp::at_most_match_sets(program)));
}

TEST(Api, TracesRun) {
    mp::Program const program = program_of(race);
    auto const run = mp::Execution::of_trace(program, 0);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->status(), mp::Status::success);
    EXPECT_TRUE(run->is_complete());
    EXPECT_EQ(run->length(), 7U);
    EXPECT_EQ(names(program, run->matches()), "r1=s2 r2=s1 ");
    EXPECT_EQ(run->value("x"), mp::Value(std::int64_t{2}));
    EXPECT_EQ(run->value("x")->integer(), 2);
    EXPECT_EQ(run->value("z"), std::nullopt);
    EXPECT_EQ(run->error(), "");
    EXPECT_NE(run->narrate().find("WAIT (RCVI) COMMAND"), std::string::npos);

    auto const stuck = mp::Execution::of_trace(program, 1);
    EXPECT_EQ(stuck->status(), mp::Status::error);
    EXPECT_FALSE(stuck->is_complete());
    EXPECT_NE(stuck->error().find("no message has arrived for"), std::string::npos);

    auto const none = mp::Execution::of_trace(program, 2);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().kind, mp::Error::Kind::usage);
    EXPECT_EQ(none.error().text, "there is no trace 2: test.ctp has 2, counted from 0");
}

TEST(Api, HandlesStayWholeWhenMoved) {
    mp::Program program = program_of(race);
    mp::Program const other = std::move(program);
    EXPECT_EQ(program.threads(), other.threads()); // NOLINT(bugprone-use-after-move): what is tested
    mp::Execution run = *mp::Execution::of_trace(other, 0);
    mp::Execution const moved = std::move(run);
    EXPECT_EQ(run.length(), moved.length()); // NOLINT(bugprone-use-after-move)
    std::size_t pairs = 0;
    for (mp::Match const& m : *mp::match_pairs(other)) pairs += other.at(m.receive).action.empty() ? 0 : 1;
    EXPECT_EQ(pairs, 4U); // the pairs outlive the Result
}

TEST(Api, ObserversHearEveryRule) {
    mp::Program const program = program_of(race);
    std::vector<std::string> effects;
    std::set<std::string_view> rules;
    mp::Execution::of_trace(program, 0)->replay([&](mp::Event const& e) {
        rules.insert(e.rule);
        for (mp::Effect const& effect : e.effects) {
            if (auto const* const d = std::get_if<mp::Delivered>(&effect))
                effects.push_back("deliver " + program.at(d->send).action);
            if (auto const* const r = std::get_if<mp::Received>(&effect))
                effects.push_back(program.at(*e.of).location + " " + r->variable + "=" + r->value.text());
            if (auto const* const s = std::get_if<mp::Sent>(&effect)) effects.push_back("send " + s->value.text());
            if (auto const* const j = std::get_if<mp::Judged>(&effect)) effects.push_back(j->holds ? "holds" : "false");
        }
    });
    EXPECT_EQ(effects,
              (std::vector<std::string>{"send 1", "send 2", "deliver s2", "01 x=2", "deliver s1", "03 y=1", "holds"}));
    EXPECT_TRUE(rules.contains("MACHINE STEP"));
    EXPECT_TRUE(rules.contains("BINARY OPERATION"));

    std::string why;
    mp::Execution::of_trace(program, 1)->replay([&](mp::Event const& e) {
        for (mp::Effect const& effect : e.effects)
            if (auto const* const s = std::get_if<mp::Stuck>(&effect)) why = s->why;
    });
    EXPECT_NE(why.find("no message has arrived for"), std::string::npos);
}

TEST(Api, StepperGoesForwardAndBack) {
    mp::Program const program = program_of(race);
    mp::Stepper stepper(program);
    mp::Transition const deliver{mp::Transition::Kind::deliver, *program.find("s1")};
    EXPECT_TRUE(stepper.why_not(deliver)); // it is not sent yet
    auto const refused = stepper.take(deliver);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, mp::Error::Kind::usage);
    EXPECT_EQ(stepper.at(), 0U);

    std::size_t rules = 0;
    stepper.observe([&](mp::Event const&) { ++rules; });
    while (!stepper.choices().empty()) ASSERT_TRUE(stepper.take(stepper.choices().front()));
    EXPECT_GT(rules, 7U);
    EXPECT_TRUE(stepper.has_ended());
    EXPECT_EQ(stepper.at(), 7U);
    stepper.observe({});
    mp::Status const end = stepper.status();
    mp::Execution const whole = stepper.execution();
    EXPECT_TRUE(whole.is_complete());
    EXPECT_EQ(whole.status(), end);

    while (stepper.back()) {
    }
    EXPECT_EQ(stepper.at(), 0U);
    EXPECT_EQ(stepper.value("x"), std::nullopt);
    EXPECT_EQ(stepper.next(0), program.find("00"));
    while (*stepper.forward()) {
    }
    EXPECT_EQ(stepper.status(), end);
    stepper.jump(2);
    EXPECT_EQ(stepper.at(), 2U);
}

TEST(Api, ObserversDoNotMoveTheStepper) {
    mp::Stepper stepper(program_of(race));
    std::size_t refused = 0;
    auto const refuses = [&](auto move) {
        try {
            move();
        } catch (std::logic_error const&) {
            ++refused;
        }
    };
    stepper.observe([&](mp::Event const&) {
        refused = 0;
        refuses([&] { stepper.back(); });
        refuses([&] { static_cast<void>(stepper.forward()); });
        refuses([&] { static_cast<void>(stepper.take(mp::Transition{})); });
        refuses([&] { stepper.jump(0); });
        refuses([&] { static_cast<void>(stepper.choices()); });
        refuses([&] { static_cast<void>(stepper.why_not(mp::Transition{})); });
        refuses([&] { stepper.observe({}); });
    });
    ASSERT_TRUE(stepper.take(stepper.choices().front()));
    EXPECT_EQ(refused, 7U);
    EXPECT_EQ(stepper.at(), 1U);
    EXPECT_TRUE(stepper.back());
}

TEST(Api, StepperFollowsAnExecution) {
    mp::Program const program = program_of(race);
    mp::Stepper stepper(*mp::Execution::of_trace(program, 0));
    while (*stepper.forward()) {
    }
    EXPECT_EQ(names(program, stepper.matches()), "r1=s2 r2=s1 ");
    EXPECT_EQ(stepper.status(), mp::Status::success);
}

TEST(Api, CheckShowsAWitness) {
    mp::Program const program = program_of(race);
    for (mp::Engine const engine : {mp::Engine::automatic, mp::Engine::explore, mp::Engine::sat}) {
        auto const result = mp::check(program, {.engine = engine});
        ASSERT_TRUE(result);
        EXPECT_EQ(result->verdict, mp::Verdict::violated);
        EXPECT_EQ(result->shown, "violated");
        EXPECT_EQ(result->assertions, 1U);
        EXPECT_EQ(result->witness->status(), mp::Status::failure);
        EXPECT_EQ(result->witness->false_assertions().at(0).command, *program.find("04"));
        EXPECT_EQ(result->nearest_safe->status(), mp::Status::success);
        EXPECT_EQ(result->deadlock.answer, mp::Answer::no);
    }
    auto const wrong = mp::check(program, {.solver = "'"});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().kind, mp::Error::Kind::usage);
}

TEST(Api, CheckFindsDeadlocks) {
    mp::Program const program = program_of("( ( [00 (rcvi r 0 x)] [01 (wait r)] ) )");
    auto const result = mp::check(program);
    EXPECT_EQ(result->deadlock.answer, mp::Answer::yes);
    auto const halts = result->deadlock.how->halts();
    ASSERT_EQ(halts.size(), 1U);
    EXPECT_EQ(halts[0].at, *program.find("01"));
    EXPECT_FALSE(halts[0].why.empty());
    EXPECT_FALSE(result->deadlock.how->is_complete());
}

TEST(Api, CheckEndsWhenItIsCancelled) {
    // Sixteen senders race: nothing quick decides the deadlock-free product.
    std::string text = "( (";
    for (int i = 0; i < 40; ++i)
        text += " [r" + std::to_string(i) + " (rcvi R" + std::to_string(i) + " 0 x" + std::to_string(i) + ")] [w" +
                std::to_string(i) + " (wait R" + std::to_string(i) + ")]";
    text += " [a (assert (!= (* x0 (* x1 (* x2 x3))) 7))] )";
    for (int i = 0; i < 40; ++i)
        text += " ( [s" + std::to_string(i) + " (sndi S" + std::to_string(i) + " " + std::to_string(i + 1) + " 0 " +
                std::to_string(i + 2) + ")] )";
    auto const program = mp::Program::parse(text + " )");
    ASSERT_TRUE(program);
    auto const result = mp::check(*program, {.engine = mp::Engine::explore, .cancelled = [] { return true; }});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->verdict, mp::Verdict::unknown);
    EXPECT_FALSE(result->trouble.empty());
}

TEST(Api, RacesOfSharedVariablesAreFound) {
    mp::Program const program =
        program_of("(shared [c 0]) ( ( [00 (c := 1)] ) ( [10 (t := c)] [11 (assert (= t 0))] ) )");
    auto const result = mp::check(program);
    EXPECT_EQ(result->verdict, mp::Verdict::violated);
    ASSERT_TRUE(result->race);
    EXPECT_EQ(result->race->answer, mp::Answer::yes);
    EXPECT_TRUE(result->race->how);
    ASSERT_TRUE(result->race->commands);
    auto const [first, second] = *result->race->commands;
    EXPECT_EQ((std::set{program.at(first).location, program.at(second).location}), (std::set<std::string>{"00", "10"}));
    EXPECT_EQ(result->race->variable, "c");
}

TEST(Api, ExplorerShowsEachMatchSetOnce) {
    mp::Program const program = program_of(race);
    auto explorer = mp::explore(program);
    std::multiset<std::string> found;
    while (auto const next = *explorer->next())
        found.insert(std::string(to_string(next->end)) + " " + names(program, next->execution.matches()) +
                     std::string(to_string(next->execution.status())));
    EXPECT_EQ(found, (std::multiset<std::string>{"complete r1=s1 r2=s2 failure", "complete r1=s2 r2=s1 success"}));
    EXPECT_TRUE(explorer->is_done());
    EXPECT_EQ(*mp::at_most_match_sets(program), "2");

    auto stopped = mp::explore(program);
    auto const nothing = stopped->next(1);
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().kind, mp::Error::Kind::limit);
    EXPECT_TRUE(*stopped->next()); // goes on from there
}

TEST(Api, ExplorerShowsClassesOfSharedPrograms) {
    mp::Program const program =
        program_of("(shared [c 0]) ( ( [00 (c := 1)] ) ( [10 (t := c)] [11 (assume (= t 0))] ) )");
    auto explorer = mp::explore(program);
    std::multiset<std::string_view> ends;
    while (auto const next = *explorer->next()) ends.insert(to_string(next->end));
    EXPECT_EQ(ends, (std::multiset<std::string_view>{"complete", "off the path"}));
}

TEST(Api, PairsAreSubsets) {
    // The second message of a channel is not the first to come.
    mp::Program const program = program_of(R"(
        ( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] )
          ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ) ))");
    for (mp::Pairs const method : {mp::Pairs::overapprox, mp::Pairs::tight, mp::Pairs::exact})
        EXPECT_EQ(names(program, *mp::match_pairs(program, mp::Buffering::infinite, method)), "r1=s1 r2=s2 ")
            << to_string(method);
    auto const stopped = mp::match_pairs(program_of(race), mp::Buffering::infinite, mp::Pairs::exact, 1);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, mp::Error::Kind::limit);
}

TEST(Api, ProblemsAreSolved) {
    mp::Program const program = program_of(race);
    auto const problem = mp::encode(program);
    ASSERT_TRUE(problem);
    mp::Solved const solved = mp::solve(*problem, "z3", {}, true);
    EXPECT_EQ(solved.answer, mp::Solved::Answer::sat) << solved.text;
    auto oracle = mp::Feasibility::of(program);
    auto const run = oracle->ask_model(solved.model);
    ASSERT_TRUE(run);
    ASSERT_TRUE(std::holds_alternative<mp::Execution>(*run));
    EXPECT_EQ(std::get<mp::Execution>(*run).status(), mp::Status::failure);
    EXPECT_FALSE(oracle->ask_model("(what"));

    // Lemma 3, of both runs.
    auto explorer = mp::explore(program);
    while (auto const next = *explorer->next()) {
        auto const of_run = mp::smt(next->execution);
        ASSERT_TRUE(of_run);
        EXPECT_EQ(mp::solve(*of_run, "z3").answer == mp::Solved::Answer::sat,
                  next->execution.status() == mp::Status::failure);
    }
    mp::Stepper stepper(program);
    auto const unfinished = mp::smt(stepper.execution());
    ASSERT_FALSE(unfinished);
    EXPECT_EQ(unfinished.error().kind, mp::Error::Kind::usage);
    EXPECT_NE(unfinished.error().text.find("not complete"), std::string::npos);
    EXPECT_EQ(mp::solve("(declare-const x Int) (assert (= x 1)) (check-sat)\r\n\t").answer, mp::Solved::Answer::sat);

    EXPECT_EQ(mp::encode(program, {.encoder = "nobody"}).error().kind, mp::Error::Kind::usage);
    EXPECT_EQ(mp::solve(*problem, "/nowhere/z3").answer, mp::Solved::Answer::failed);
    EXPECT_GE(mp::encoders().size(), 5U);
    for (mp::EncoderInfo const& e : mp::encoders()) EXPECT_TRUE(e.infinite || e.zero) << e.name;
}

TEST(Api, EncodersCountWhatTheyAreAsked) {
    // The failing execution never completes: thread 0 waits for a second message.
    mp::Program const program = program_of(R"(
        ( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (assert (= x 2))] [03 (rcvi r2 0 y)] [04 (wait r2)] )
          ( [10 (sndi s1 1 0 1)] ) ))");
    auto const says = [&](bool complete_runs) {
        return mp::solve(*mp::encode(program, {.complete_runs = complete_runs})).answer;
    };
    EXPECT_EQ(says(true), mp::Solved::Answer::unsat);
    EXPECT_EQ(says(false), mp::Solved::Answer::sat);

    // Two increments that are not atomic lose one only if the threads change places.
    mp::Program const shared = program_of(R"(
        (shared [c 0] [a false])
        ( ( [00 (x := c)] [01 (c := (+ x 1))] [02 (a := true)] )
          ( [10 (y := c)] [11 (c := (+ y 1))] [12 (assume a)] [13 (assert (= c 2))] ) ))");
    auto const with = [&](std::uint32_t switches) {
        return mp::solve(*mp::encode(shared, {.complete_runs = false, .switches = switches})).answer;
    };
    EXPECT_EQ(with(1), mp::Solved::Answer::unsat);
    EXPECT_EQ(with(3), mp::Solved::Answer::sat);
    EXPECT_EQ(mp::encode(shared, {.encoder = "fusion-bounded", .complete_runs = false}).error().kind,
              mp::Error::Kind::usage);
    EXPECT_TRUE(mp::encode(shared, {.encoder = "fusion-bounded", .complete_runs = false, .switches = 2}));
}

TEST(Api, GuessesAreRefined) {
    // x = 2 needs that s2 overtakes s1: without the order, the solver guesses so.
    mp::Program const program = program_of(R"(
        ( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 1))] )
          ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ) ))");
    auto oracle = mp::Feasibility::of(program);
    ASSERT_TRUE(oracle);
    std::string problem = *mp::encode(program, {.order = false, .check_sat = false});
    EXPECT_EQ(problem.find("(check-sat)"), std::string::npos);
    mp::Solved guess = mp::solve(problem, "z3", {}, true);
    for (int refused = 0; guess.answer == mp::Solved::Answer::sat; ++refused) {
        ASSERT_LT(refused, 3);
        auto const answer = oracle->ask_model(guess.model);
        ASSERT_TRUE(answer);
        ASSERT_TRUE(std::holds_alternative<mp::Feasibility::Refusal>(*answer));
        auto const& refusal = std::get<mp::Feasibility::Refusal>(*answer);
        EXPECT_NE(refusal.smt.find(oracle->term(refusal.core.required.front())), std::string::npos);
        problem += refusal.smt;
        guess = mp::solve(problem, "z3", {}, true);
    }
    EXPECT_EQ(guess.answer, mp::Solved::Answer::unsat) << guess.text;
    // A clause takes no more than the core away: what has a run stays.
    mp::Program const free = program_of(race);
    auto guesser = mp::Feasibility::of(free);
    auto const refusal =
        guesser->ask({.required = {{*free.find("r1"), *free.find("s1")}, {*free.find("r2"), *free.find("s1")}}});
    ASSERT_TRUE(std::holds_alternative<mp::Feasibility::Refusal>(refusal));
    std::string const blocked =
        *mp::encode(free, {.check_sat = false}) + std::get<mp::Feasibility::Refusal>(refusal).smt;
    EXPECT_EQ(mp::solve(blocked).answer, mp::Solved::Answer::sat);
}

TEST(Api, SearchesGoOnAfterALimit) {
    // One of the executions computes an integer that is too large.
    constexpr auto program_text = R"(
        ( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] {} )
          ( [10 (sndi s1 1 0 1)] ) ( [20 (sndi s2 2 0 100000000000000000000)] ) ))";
    std::string squares;
    for (int i = 0; i < 40; ++i) {
        std::string const at = std::to_string(100 + i);
        squares += "[" + at + " (x := (* x x))] ";
    }
    std::string text = program_text;
    text.replace(text.find("{}"), 2, squares);
    mp::Program const program = program_of(text.c_str());
    auto explorer = mp::explore(program);
    bool is_limited = false;
    for (int calls = 0; calls < 4; ++calls) {
        auto const found = explorer->next();
        if (found) {
            EXPECT_FALSE(is_limited);
            continue;
        }
        is_limited = true;
        EXPECT_EQ(found.error().kind, mp::Error::Kind::limit);
        EXPECT_FALSE(explorer->is_done());
    }
    EXPECT_TRUE(is_limited);

    // The same with shared variables, which the classes of executions are searched for.
    std::string shared = text;
    shared.insert(0, "(shared [v 0]) ");
    shared.replace(shared.find("[10 "), 0, "[09 (v := 1)] ");
    shared.replace(shared.find("[20 "), 0, "[19 (v := 2)] ");
    for (auto const& t : {text, shared}) {
        auto oracle = mp::Feasibility::of(program_of(t.c_str()));
        ASSERT_TRUE(oracle);
        std::vector<std::string> said;
        for (int calls = 0; calls < 6; ++calls) {
            auto const next = oracle->next();
            auto const* const unknown = std::get_if<mp::Feasibility::Unknown>(&next);
            said.push_back(unknown != nullptr ? unknown->why : std::get<0>(next) ? "run" : "done");
        }
        EXPECT_EQ(std::count(said.begin(), said.end(), "done"), 0); // it begins again, and never says that it is done
        EXPECT_GT(said.size() - static_cast<std::size_t>(std::count(said.begin(), said.end(), "run")), 1U);
    }
}

TEST(Api, FeasibilityHasCores) {
    mp::Program const program = program_of(R"(
        ( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] )
          ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] )
          ( [20 (sndi s3 2 0 3)] ) ))");
    auto const match = [&](char const* r, char const* s) { return mp::Match{*program.find(r), *program.find(s)}; };
    auto oracle = mp::Feasibility::of(program);
    auto const overtakes = oracle->ask({.required = {match("r1", "s2"), match("r2", "s3")}});
    ASSERT_TRUE(std::holds_alternative<mp::Feasibility::Refusal>(overtakes));
    auto const& refusal = std::get<mp::Feasibility::Refusal>(overtakes);
    EXPECT_EQ(refusal.core.required, std::vector{match("r1", "s2")});
    EXPECT_TRUE(refusal.is_minimal);
    EXPECT_FALSE(refusal.why.empty());

    oracle->push();
    oracle->assume({.forbidden = {match("r1", "s1")}});
    auto const other = oracle->check();
    ASSERT_TRUE(std::holds_alternative<mp::Execution>(other));
    EXPECT_EQ(std::get<mp::Execution>(other).matches().at(0), match("r1", "s3"));
    std::size_t runs = 0;
    while (std::get<0>(oracle->next())) ++runs;
    EXPECT_EQ(runs, 1U);
    EXPECT_TRUE(oracle->pop());
    EXPECT_FALSE(oracle->pop());

    auto const order = oracle->order(std::vector{*program.find("02"), *program.find("10")});
    EXPECT_TRUE(std::holds_alternative<mp::Execution>(order) ||
                std::holds_alternative<mp::Feasibility::OrderRefusal>(order));
    auto const wrong_way = oracle->order(std::vector{*program.find("11"), *program.find("10")});
    ASSERT_TRUE(std::holds_alternative<mp::Feasibility::OrderRefusal>(wrong_way));
    EXPECT_EQ(std::get<mp::Feasibility::OrderRefusal>(wrong_way).core.size(), 1U);
    EXPECT_FALSE(std::get<0>(oracle->can_fail()));
    EXPECT_THROW(oracle->ask({.required = {{*program.find("s1"), *program.find("r1")}}}), std::logic_error);
}

TEST(Api, FeasibilityOfMprobesAndCollectives) {
    mp::Program const program = program_of(R"(
        ( ( [00 (mprobe p 0)] [01 (start p x)] [02 (wait p)] [03 (collective K C bcast (root 0))] [04 (rcvi r 0 y)]
            [05 (wait r)] [06 (assert (= x 1))] )
          ( [10 (sndi s 1 0 1)] ) ( [20 (collective L C bcast (root 0))] [21 (sndi t 2 0 2)] ) )
        ( (10 bot) (00 ((peek 0 1) bot)) (01 bot) (02 bot) (03 bot) (20 bot) (21 bot) (04 bot) (05 ((0 2) bot)) (06 bot) ))");
    auto const match = [&](char const* r, char const* s) { return mp::Match{*program.find(r), *program.find(s)}; };
    auto const run = mp::Execution::of_trace(program, 0);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->matches(), (std::vector{match("p", "s"), match("r", "t")}));
    auto oracle = mp::Feasibility::of(program);
    ASSERT_TRUE(oracle);
    EXPECT_TRUE(std::holds_alternative<mp::Execution>(oracle->ask({.required = {match("r", "t")}})));
    auto const early = oracle->ask({.required = {match("p", "t")}});
    ASSERT_TRUE(std::holds_alternative<mp::Feasibility::Refusal>(early));
    EXPECT_EQ(std::get<mp::Feasibility::Refusal>(early).core.required, std::vector{match("p", "t")});
    EXPECT_FALSE(std::get<0>(oracle->can_fail()));
    EXPECT_FALSE(mp::Feasibility::of(program_of("( ( [0 (probe p 0)] ) ( [1 (sndi s 1 0 1)] ) )")));
}

TEST(Api, RecordingsKnowTheirRun) {
    mp::Program const program = program_of("; A recorded run of: mpirun -n 2 ./a\n; 2 ranks; Open MPI\n"
                                           "; This run failed: exit code 3\n; It said: no\n"
                                           "( ( [00 (rcvi R0_0 0 x) (at \"a.c\" 4)] [01 (wait R0_0) (at \"a.c\" 5)] )\n"
                                           "  ( [10 (sndi S1_0 1 0 7) (at \"a.c\" 9)] ) )");
    auto const recording = mp::recording_of(program);
    ASSERT_TRUE(recording);
    EXPECT_EQ(recording->command, "mpirun -n 2 ./a");
    EXPECT_EQ(recording->thread, "rank");
    EXPECT_EQ(recording->failed, "exit code 3");
    EXPECT_EQ(recording->said, "no");
    EXPECT_FALSE(recording->ended);
    EXPECT_FALSE(recording->has_deadlocked);
    mp::Match const match{*program.find("R0_0"), *program.find("S1_0")};
    EXPECT_EQ(mp::in_source(program, match), "a.c:4 gets a.c:9 of rank 1");
    EXPECT_EQ(program.at(match.receive).origin, "a.c:4");

    mp::Program const ended = program_of("; A recorded run of: ./a\n; This run was ended: it was interrupted\n"
                                         "( ( [a (assert true)] ) )");
    EXPECT_EQ(mp::recording_of(ended)->ended, "it was interrupted");
    auto oracle = mp::Feasibility::of(ended);
    ASSERT_TRUE(oracle);
    auto const fails = oracle->can_fail(); // the assertion was only evaluated
    ASSERT_TRUE(std::holds_alternative<mp::Feasibility::Unknown>(fails));
    EXPECT_TRUE(std::get<mp::Feasibility::Unknown>(fails).why.starts_with("1 assertion was only evaluated"));

    mp::Program const open = program_of("; A recorded run of: ./a\n; This run was ended: it was interrupted\n"
                                        "; thread 1 had not come to its end\n"
                                        "( ( [0 (rcvi R 0 x)] [1 (wait R)] bot ) ( bot ) )");
    auto const checked = mp::check(open);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->deadlock.answer, mp::Answer::unknown);
    EXPECT_EQ(checked->verdict, mp::Verdict::unknown);
    ASSERT_EQ(checked->trouble.size(), 1U);
    EXPECT_TRUE(checked->trouble[0].starts_with("thread 1 was still running"));

    mp::Program const other = program_of(race);
    EXPECT_FALSE(mp::recording_of(other));
    EXPECT_EQ(mp::in_source(other, {*other.find("r1"), *other.find("s1")}), "r1 = s1");
}

TEST(Api, RemoteMemoryAccess) {
    auto const program = mp::rma::Program::parse(R"(
        (rma (process 1 (shared (X 1)) (put Y 2 X) (store X 2) bot)
             (process 2 (shared (Y 0)) bot)
             (assert final (= Y 1))))");
    ASSERT_TRUE(program);
    EXPECT_EQ(program->processes(), 2U);
    auto const result = mp::rma::check(*program);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->verdict, mp::Verdict::violated);

    mp::rma::Stepper stepper(*program);
    std::string schedule = result->run;
    while (!schedule.empty()) { // the run, word by word
        std::size_t const end = schedule.find(' ');
        ASSERT_TRUE(stepper.take(schedule.substr(0, end)));
        schedule = end == std::string::npos ? "" : schedule.substr(end + 1);
    }
    EXPECT_TRUE(stepper.is_final());
    EXPECT_TRUE(stepper.is_violated());
    EXPECT_EQ(stepper.schedule(), result->run);
    std::size_t const steps = stepper.at();
    EXPECT_TRUE(stepper.back(steps));
    EXPECT_FALSE(stepper.back());
    EXPECT_FALSE(stepper.is_violated());
    EXPECT_TRUE(stepper.forward());
    EXPECT_EQ(stepper.take("9").error().kind, mp::Error::Kind::usage);

    auto const bad = mp::rma::Program::parse("(rma (process 1 (load u X) bot))", "bad.rma");
    ASSERT_FALSE(bad);
    EXPECT_TRUE(bad.error().messages.at(0).rule.starts_with("RS"));
    EXPECT_EQ(mp::rma::check(*program, {.pending = 0}).error().kind, mp::Error::Kind::usage);
    EXPECT_EQ(mp::rma::check(*program, {.pending = 251}).error().kind, mp::Error::Kind::usage);
    auto const stopped = mp::rma::check(*program, {.cancelled = [] { return true; }});
    EXPECT_TRUE(stopped && (stopped->verdict == mp::Verdict::unknown || stopped->verdict == mp::Verdict::violated));
}

TEST(Api, LargeIntegersAreDigits) {
    mp::Program const program = program_of("( ( [00 (x := 340282366920938463463374607431768211456)] ) ) ( (00 bot) )");
    auto const x = mp::Execution::of_trace(program, 0)->value("x");
    ASSERT_TRUE(x);
    EXPECT_EQ(x->text(), "340282366920938463463374607431768211456");
    EXPECT_EQ(x->integer(), std::nullopt);
    EXPECT_FALSE(x->is_boolean());
    EXPECT_EQ(mp::Value(true).boolean(), true);
    EXPECT_EQ(mp::Value(true).integer(), std::nullopt);
    EXPECT_EQ(mp::Value(-5).text(), "-5");
    EXPECT_EQ(mp::Value(UINT64_MAX).text(), "18446744073709551615");
    EXPECT_EQ(mp::Value::of_digits("-18446744073709551616").text(), "-18446744073709551616");
    for (char const* const text : {"", "-", "+1", "01", "-0", "1a", "true"})
        EXPECT_THROW(mp::Value::of_digits(text), std::logic_error) << text;
    static_assert(!std::is_constructible_v<mp::Value, char const*>); // not the boolean that a pointer converts to
}
