#include "solve/solver.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/own_processes.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace matchpoint::test {

using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

SolverCommand fake(std::string_view mode) { return {"fake", {MATCHPOINT_FAKE_SOLVER, std::string(mode)}}; }

class File {
public:
    File() {
        std::string name = std::filesystem::temp_directory_path() / "matchpoint_solver_test.XXXXXX";
        ::close(::mkstemp(name.data()));
        std::filesystem::remove(name);
        name_ = name;
    }
    File(File const&) = delete;
    File& operator=(File const&) = delete;
    ~File() { std::filesystem::remove(name_); }
    std::string const& name() const { return name_; }
    std::vector<pid_t> numbers() const {
        std::ifstream in(name_);
        std::vector<pid_t> result;
        for (pid_t n = 0; in >> n;) result.push_back(n);
        return result;
    }

private:
    std::string name_;
};

/// Zombies are gone: they wait for init, who may be slow.
bool gone_within(pid_t pid, std::chrono::milliseconds time) {
    for (auto const end = Clock::now() + time; Clock::now() < end; std::this_thread::sleep_for(2ms))
        if (char const state = process(pid).first; state == '-' || state == 'Z') return true;
    return false;
}

constexpr std::string_view problem = "(set-info :smt-lib-version 2.6)\n(set-logic QF_LIA)\n(declare-const x Int)\n";

/// No test leaks processes or descriptors.
class SolverTest : public testing::Test {
protected:
    void TearDown() override {
        EXPECT_EQ(children(), std::vector<pid_t>());
        EXPECT_EQ(open_descriptors(), descriptors_);
    }

private:
    std::size_t descriptors_ = open_descriptors();
};

struct Bad {
    char const* mode;
    char const* answer;                   // as to_string prints it; what follows a final ... is not compared
    std::chrono::milliseconds time = 20s; // limit
    Produce produce = {};
    std::size_t output = std::size_t{1} << 20U;
    std::size_t memory = 0;
};

void PrintTo(Bad const& bad, std::ostream* out) { *out << bad.mode; }

class BadSolver : public SolverTest, public testing::WithParamInterface<Bad> {};

} // namespace

// ---- A solver that misbehaves in its first life ----

TEST_P(BadSolver, IsSurvivedAndReplaced) {
    Bad const& bad = GetParam();
    File const state;
    SolverCommand command = fake(bad.mode);
    command.arguments.push_back(state.name());
    Solver solver(command, {.time = bad.time, .memory = bad.memory, .output = bad.output});

    auto const begin = Clock::now();
    std::string answer = to_string(solver.check(problem, bad.produce), command);
    EXPECT_LT(Clock::now() - begin, 15s);
    std::string expected = bad.answer;
    if (expected.ends_with("...")) {
        expected.resize(expected.size() - 3);
        answer.resize(std::min(answer.size(), expected.size()));
    }
    EXPECT_EQ(answer, expected);

    Answer const good = solver.check(problem, {.model = true});
    ASSERT_EQ(to_string(good, command), "sat");
    EXPECT_EQ(std::get<answer::Sat>(good).model, "(\n  (define-fun x () Int 7)\n)");
}

INSTANTIATE_TEST_SUITE_P(
    Fake, BadSolver,
    testing::Values(
        Bad{"exit-0", "fake failed: exited with code 0"}, Bad{"exit-3", "fake failed: exited with code 3"},
        Bad{"crash-before-reading", "fake failed: killed by signal 11 (SIGSEGV)"},
        Bad{"crash-after-reading", "fake failed: killed by signal 6 (SIGABRT)"},
        Bad{"crash-after-sat", "fake failed: killed by signal 7 (SIGBUS) after printing sat"},
        Bad{"exit-after-sat", "fake failed: exited with code 0 after printing sat"},
        Bad{"hang", "timeout after 1000 ms", 1000ms}, Bad{"hang-ignoring-signals", "timeout after 1000 ms", 1000ms},
        Bad{"hang-in-answer", "timeout after 1000 ms", 1000ms},
        Bad{"hang-in-model", "sat, without a model: timeout after 1000 ms", 1000ms, {.model = true}},
        Bad{"hang-in-core", "unsat, without a core: timeout after 1000 ms", 1000ms, {.core = true}},
        Bad{"never-echo", "timeout after 1000 ms", 1000ms},
        Bad{"no-newline-after-echo", "timeout after 1000 ms", 1000ms},
        Bad{"flood-lines", "fake failed: printed more than 1048576 bytes after printing one line and another line ..."},
        Bad{"flood-no-newline", "fake failed: printed more than 1048576 bytes after printing no newline ever no ..."},
        Bad{"flood-stderr", "fake failed: printed more than 1048576 bytes; its standard error: complaints compl..."},
        Bad{"gigabyte", "fake failed: printed more than 1048576 bytes after printing xxxxxxx..."},
        Bad{"garbage", "fake failed: answered \\x00\\xff\\xfe\\x1b[2J\"|((\\x0d \\x80 to (check-sat)"},
        Bad{"half-line", "fake failed: answered sa to (check-sat)"},
        Bad{"error-before", "fake failed: answered (error \"first\") sat to (check-sat)"},
        Bad{"error-after", "fake failed: answered sat (error \"second\") to (check-sat)"},
        Bad{"error-only", "fake failed: exited with code 0 after printing (error \"no such logic\")"},
        Bad{"error-around-echo", "fake failed: answered sat (error \"what is (echo ..."},
        Bad{"error-on-stderr", "fake failed: reported an error; its standard error: (error \"quietly\")"},
        Bad{"maybe", "fake failed: answered maybe to (check-sat)"},
        Bad{"unsupported", "fake failed: answered unsupported sat to (check-sat)"},
        Bad{"success", "fake failed: answered success sat to (check-sat)"},
        Bad{"only-echoes", "fake failed: gave no answer to (check-sat)"},
        Bad{"stderr-only", "fake failed: exited with code 2; its standard error: license \\x1b[31mexpired"},
        Bad{"close-output", "fake failed: closed its standard output"},
        Bad{"bad-model",
            "sat, without a model: fake failed: answered (define-fun x () Int to (get-model)",
            20s,
            {.model = true}},
        Bad{"error-model",
            "sat, without a model: fake failed: answered (   (error \"no model\")) to (get-model)",
            20s,
            {.model = true}},
        Bad{"no-model", "sat, without a model: fake failed: answered unsupported to (get-model)", 20s, {.model = true}},
        Bad{"crash-in-model",
            "sat, without a model: fake failed: killed by signal 11 (SIGSEGV) after printing (   (define-fun x () Int",
            20s,
            {.model = true}},
        Bad{"long-model",
            "sat, without a model: fake failed: printed more than 1048576 bytes after printing (   (define-fun...",
            20s,
            {.model = true}},
        Bad{"bad-core",
            "unsat, without a core: fake failed: answered ((a) b) to (get-unsat-core)",
            20s,
            {.core = true}},
        Bad{"error-core",
            "unsat, without a core: fake failed: answered (error \"no core\") to (get-unsat-core)",
            20s,
            {.core = true}},
        Bad{"allocate",
            "fake failed: killed by signal 6 (SIGABRT); its standard error: terminate called ...",
            20s,
            {},
            std::size_t{1} << 20U,
            std::size_t{256} << 20U},
        Bad{"print-before-reading",
            "fake failed: answered a line that nobody asked for a line...",
            20s,
            {},
            std::size_t{64} << 20U},
        Bad{"grandchild", "fake failed: exited with code 5"},
        Bad{"grandchild-escapes", "fake failed: exited with code 5"}),
    [](auto const& instance) {
        std::string name = fmt::format("{}_{}", instance.index, instance.param.mode);
        for (char& c : name)
            if (c == '-') c = '_';
        return name;
    });

// ---- Answers ----

TEST_F(SolverTest, AnswersAreTakenApart) {
    Solver sat(fake("good"));
    EXPECT_EQ(std::get<answer::Sat>(sat.check(problem)).model, "");
    EXPECT_EQ(std::get<answer::Sat>(sat.check(problem, {.model = true})).model, "(\n  (define-fun x () Int 7)\n)");
    Solver unsat(fake("unsat"));
    EXPECT_EQ(std::get<answer::Unsat>(unsat.check(problem)).core, std::vector<std::string>());
    EXPECT_EQ(std::get<answer::Unsat>(unsat.check(problem, {.core = true})).core,
              (std::vector<std::string>{"a b", "c"}));
    Solver unknown(fake("unknown"));
    EXPECT_EQ(to_string(unknown.check(problem), unknown.command()), "unknown (no idea)");
    Solver crlf(fake("crlf"));
    EXPECT_EQ(to_string(crlf.check(problem), crlf.command()), "sat");
}

TEST_F(SolverTest, AVerdictStandsWithoutItsModelOrCore) {
    for (char const* const mode : {"bad-model", "error-model", "no-model", "crash-in-model"}) {
        Solver solver(fake(mode));
        Answer const answer = solver.check(problem, {.model = true});
        EXPECT_EQ(is_sat(answer), true) << mode;
        EXPECT_EQ(is_sat(needing_model(answer)), std::nullopt) << mode;
        EXPECT_EQ("sat, without a model: " + to_string(needing_model(answer), solver.command()),
                  to_string(answer, solver.command()));
    }
    for (char const* const mode : {"bad-core", "error-core"}) {
        Solver solver(fake(mode));
        Answer const answer = solver.check(problem, {.core = true});
        EXPECT_EQ(is_sat(answer), false) << mode;
        EXPECT_EQ(is_sat(needing_model(answer)), false) << mode;
    }
    Solver good(fake("good"));
    EXPECT_EQ(std::get<answer::Sat>(needing_model(good.check(problem, {.model = true}))).model,
              "(\n  (define-fun x () Int 7)\n)");
}

TEST_F(SolverTest, AWrongModelIsNotItsBusiness) {
    Solver solver(fake("wrong-model"));
    EXPECT_EQ(std::get<answer::Sat>(solver.check(problem, {.model = true})).model,
              "((define-fun y () Bool |(error (|))");
}

TEST_F(SolverTest, ALongModelIsTakenWhole) {
    Solver solver(fake("long-model"));
    EXPECT_EQ(std::get<answer::Sat>(solver.check(problem, {.model = true})).model.size(), 10'000'000 + 27);
}

TEST_F(SolverTest, MessageIndex) {
    SolverCommand const z3{"z3", {}};
    EXPECT_EQ(to_string(answer::Unknown{""}, z3), "unknown");
    EXPECT_EQ(to_string(answer::Unknown{"incomplete"}, z3), "unknown (incomplete)");
    EXPECT_EQ(to_string(answer::Unknown{"(incomplete theory)"}, z3), "unknown (incomplete theory)");
    EXPECT_EQ(to_string(answer::Missing{"z3: No such file or directory"}, z3),
              "cannot start z3: No such file or directory");
}

// ---- Starting ----

TEST_F(SolverTest, MissingBinaries) {
    auto const answer = [](std::string const& binary) {
        Solver solver({"it", {binary}});
        std::string const first = to_string(solver.check(problem), solver.command());
        EXPECT_EQ(to_string(solver.check(problem), solver.command()), first);
        return first;
    };
    EXPECT_EQ(answer("/no/such/solver"), "cannot start /no/such/solver: No such file or directory");
    EXPECT_EQ(answer("no-such-solver"), "cannot start no-such-solver: No such file or directory");
    EXPECT_EQ(answer(""), "cannot start : No such file or directory");
    EXPECT_EQ(answer("/"), "cannot start /: Permission denied");
    File const not_executable;
    std::ofstream(not_executable.name()) << "text";
    EXPECT_EQ(answer(not_executable.name()), fmt::format("cannot start {}: Permission denied", not_executable.name()));
    std::filesystem::permissions(not_executable.name(), std::filesystem::perms::owner_all);
    EXPECT_EQ(answer(not_executable.name()), fmt::format("cannot start {}: Exec format error", not_executable.name()));
}

// The sanitizers need descriptors of their own, so this is for builds without them.
#if !defined(MATCHPOINT_SANITIZED)
TEST_F(SolverTest, NoDescriptorsLeft) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    for (rlim_t limit = 3; limit < 30; ++limit) {
        Solver solver(fake("good"), {.time = 10s});
        rlimit const few{limit, before.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
        Answer answer = answer::Unknown{};
        try {
            answer = solver.check(problem);
        } catch (std::exception const& e) {
            ADD_FAILURE() << e.what();
        }
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
        if (!std::holds_alternative<answer::Sat>(answer)) {
            EXPECT_EQ(to_string(answer, solver.command()),
                      fmt::format("cannot start {}: Too many open files", MATCHPOINT_FAKE_SOLVER));
        }
        EXPECT_EQ(to_string(solver.check(problem), solver.command()), "sat") << limit;
    }
}
#endif

TEST_F(SolverTest, ClosedStandardDescriptorsAreNotMixedUp) {
    int const in = ::dup(STDIN_FILENO);
    int const err = ::dup(STDERR_FILENO);
    ::close(STDIN_FILENO);
    ::close(STDERR_FILENO);
    std::string answer;
    {
        Solver solver(fake("complain-before-reading"));
        answer = to_string(solver.check(problem, {.model = true}), solver.command());
    }
    ::dup2(in, STDIN_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::close(in);
    ::close(err);
    EXPECT_EQ(answer, "sat");
}

TEST_F(SolverTest, NothingStartsBeforeTheFirstProblem) {
    Solver const solver(fake("good"));
    EXPECT_EQ(children(), std::vector<pid_t>());
}

// ---- Keeping and replacing ----

TEST_F(SolverTest, OneProcessIsKept) {
    Solver solver(fake("good"));
    ASSERT_EQ(to_string(solver.check(problem), solver.command()), "sat");
    auto const first = children();
    ASSERT_EQ(first.size(), 1U);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(to_string(solver.check(problem), solver.command()), "sat");
    EXPECT_EQ(children(), first);
}

TEST_F(SolverTest, NoneIsKeptOfAKindThatCannotReset) {
    SolverCommand command = fake("error-on-reset");
    command.between = SolverCommand::Between::restart;
    Solver solver(command);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(to_string(solver.check(problem), command), "sat");
    EXPECT_EQ(children(), std::vector<pid_t>());
}

TEST_F(SolverTest, AProcessThatDiesIdleIsReplaced) {
    for (char const* mode : {"die-idle", "close-output-idle", "talk-idle", "die-on-reset", "error-on-reset"}) {
        Solver solver(fake(mode));
        for (int i = 0; i < 3; ++i) EXPECT_EQ(to_string(solver.check(problem), solver.command()), "sat") << mode;
        ASSERT_LE(children().size(), 1U);
        std::this_thread::sleep_for(20ms);
        EXPECT_EQ(to_string(solver.check(problem), solver.command()), "sat") << mode;
    }
    Solver solver(fake("good"));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(to_string(solver.check(problem), solver.command()), "sat");
        for (pid_t const child : children()) ::kill(child, SIGKILL);
    }
}

TEST_F(SolverTest, ItsProcessCanBeWaitedForByOthers) {
    struct sigaction ignore {};
    struct sigaction before {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGCHLD, &ignore, &before);
    {
        Solver solver(fake("exit-3"));
        EXPECT_EQ(to_string(solver.check(problem), solver.command()), "fake failed: exited");
        Solver good(fake("good"));
        EXPECT_EQ(to_string(good.check(problem), good.command()), "sat");
    }
    ::sigaction(SIGCHLD, &before, nullptr);
}

TEST_F(SolverTest, AnotherThreadStopsAQuestion) {
    std::atomic<bool> stop = false;
    SolverLimits limits;
    limits.stop = &stop;
    Solver hanging(fake("hang"), limits);
    auto reply = std::async(std::launch::async, [&] { return hanging.check(problem); });
    EXPECT_EQ(reply.wait_for(50ms), std::future_status::timeout);
    stop = true;
    EXPECT_TRUE(std::holds_alternative<answer::Timeout>(reply.get()));
}

// ---- Pipes ----

TEST_F(SolverTest, MegabytesThatNobodyReads) {
    std::string const large = std::string(problem) + std::string(50'000'000, ' ');
    Solver hanging(fake("read-nothing"), {.time = 300ms});
    EXPECT_EQ(to_string(hanging.check(large), hanging.command()), "timeout after 300 ms");
    // Without SIGPIPE being ignored or handled.
    Solver exiting(fake("exit-3"));
    EXPECT_EQ(to_string(exiting.check(large), exiting.command()), "fake failed: exited with code 3");
    sigset_t pending;
    sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
    Solver deaf(fake("close-input"));
    EXPECT_EQ(to_string(deaf.check(large), deaf.command()), "fake failed: closed its standard input");
    Solver good(fake("good"));
    EXPECT_EQ(to_string(good.check(large), good.command()), "sat");
}

TEST_F(SolverTest, ASolverThatWritesBeforeItReadsDoesNotBlock) {
    std::string const large = std::string(problem) + std::string(5'000'000, ' ');
    Solver solver(fake("complain-before-reading"));
    EXPECT_EQ(to_string(solver.check(large), solver.command()), "sat");
}

TEST_F(SolverTest, FloodsEndInTime) {
    for (char const* mode : {"flood-lines", "flood-no-newline", "flood-stderr"}) {
        Solver solver(fake(mode), {.time = 30ms, .output = std::size_t{1} << 40U});
        EXPECT_EQ(to_string(solver.check(problem), solver.command()), "timeout after 30 ms");
    }
}

TEST_F(SolverTest, LimitsOfTime) {
    using Milliseconds = std::chrono::milliseconds;
    Solver none(fake("good"), {.time = 0ms});
    EXPECT_EQ(to_string(none.check(problem), none.command()), "timeout after 0 ms");
    Solver negative(fake("good"), {.time = Milliseconds::min()});
    EXPECT_TRUE(std::holds_alternative<answer::Timeout>(negative.check(problem)));
    Solver huge(fake("good"), {.time = Milliseconds::max()});
    EXPECT_EQ(to_string(huge.check(problem), huge.command()), "sat");
}

// ---- No process is left ----

TEST_F(SolverTest, GrandchildrenDieToo) {
    File const state;
    SolverCommand command = fake("grandchild");
    command.arguments.push_back(state.name());
    Solver solver(command);
    EXPECT_EQ(to_string(solver.check(problem), command), "fake failed: exited with code 5");
    auto const pids = state.numbers();
    ASSERT_EQ(pids.size(), 2U);
    EXPECT_TRUE(gone_within(pids[1], 2s));
}

TEST_F(SolverTest, ItDiesWithItsParent) {
    File const state;
    pid_t const parent = ::fork();
    if (parent == 0) {
        SolverCommand command = fake("hang-with-pid");
        command.arguments.push_back(state.name());
        Solver solver(command);
        solver.check(problem);
        ::_exit(1);
    }
    for (int i = 0; i < 5000 && state.numbers().empty(); ++i) std::this_thread::sleep_for(2ms);
    auto const pids = state.numbers();
    ASSERT_EQ(pids.size(), 1U);
    EXPECT_EQ(process(pids[0]).second, parent);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    EXPECT_TRUE(gone_within(pids[0], 2s));
}

TEST_F(SolverTest, TwoAtOnceDoNotHoldEachOthersPipes) {
    Solver first(fake("good"));
    EXPECT_EQ(to_string(first.check(problem), first.command()), "sat");
    auto second = std::make_unique<Solver>(fake("good"));
    EXPECT_EQ(to_string(second->check(problem), second->command()), "sat");
    for (pid_t const child : children()) {
        auto const entries = std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", child));
        EXPECT_EQ(std::distance(begin(entries), end(entries)), 3);
    }
    second.reset();
    EXPECT_EQ(to_string(first.check(problem), first.command()), "sat");
}

// ---- Commands ----

TEST(SolverCommand, KnownNames) {
    EXPECT_EQ(solver_command("z3")->arguments, (std::vector<std::string>{"z3", "-in", "-smt2"}));
    EXPECT_EQ(solver_command("cvc5")->arguments, (std::vector<std::string>{"cvc5", "--lang", "smt2", "--incremental"}));
    EXPECT_EQ(solver_command("cvc4")->arguments, (std::vector<std::string>{"cvc4", "--lang", "smt2", "--incremental"}));
}

// One word, whose file name says which solver it is. With further words it is run as it is.
TEST(SolverCommand, KnownFileNames) {
    using Words = std::vector<std::string>;
    using Between = SolverCommand::Between;
    auto const is = [](std::string_view text, std::string_view name, Words const& words, Between between) {
        auto const command = solver_command(text);
        ASSERT_TRUE(command) << text;
        EXPECT_EQ(command->name, name) << text;
        EXPECT_EQ(command->arguments, words) << text;
        EXPECT_EQ(command->between, between) << text;
    };
    is("/usr/bin/z3", "z3", {"/usr/bin/z3", "-in", "-smt2"}, Between::push_pop);
    is("./cvc5", "cvc5", {"./cvc5", "--lang", "smt2", "--incremental"}, Between::reset);
    is("../old/cvc4", "cvc4", {"../old/cvc4", "--lang", "smt2", "--incremental"}, Between::restart);
    is(" '/my solvers/z3' ", "z3", {"/my solvers/z3", "-in", "-smt2"}, Between::push_pop);
    is("/usr/bin/z3 -in", "z3", {"/usr/bin/z3", "-in"}, Between::push_pop);
    is("cvc4 -v", "cvc4", {"cvc4", "-v"}, Between::restart);
    is("/usr/bin/z3-4.13", "z3-4.13", {"/usr/bin/z3-4.13"}, Between::reset);
    is("/usr/bin/z3/", "", {"/usr/bin/z3/"}, Between::reset);
    is("/z3/solve", "solve", {"/z3/solve"}, Between::reset);
}

TEST(SolverCommand, Words) {
    auto const words = [](std::string_view text) { return solver_command(text).value().arguments; };
    using Words = std::vector<std::string>;
    EXPECT_EQ(words("/opt/z3 -in"), (Words{"/opt/z3", "-in"}));
    EXPECT_EQ(words("  a\t b\n"), (Words{"a", "b"}));
    EXPECT_EQ(words("'/my solvers/a' \"b c\" d'e f'g \"it's\" ''"),
              (Words{"/my solvers/a", "b c", "de fg", "it's", ""}));
    EXPECT_EQ(words("a $HOME;|&\\ *"), (Words{"a", "$HOME;|&\\", "*"}));
    EXPECT_EQ(solver_command("'/my solvers/z3' -in")->name, "z3");
}

TEST(SolverCommand, Mistakes) {
    EXPECT_EQ(solver_command("").error(), "a command without words");
    EXPECT_EQ(solver_command(" \t").error(), "a command without words");
    EXPECT_EQ(solver_command("a 'b").error(), "the quote ' is not closed");
    EXPECT_EQ(solver_command("a \"b'").error(), "the quote \" is not closed");
}

// ---- Solvers that solve ----

namespace {

class RealSolver : public SolverTest, public testing::WithParamInterface<char const*> {
protected:
    SolverCommand const command_ = solver_command(GetParam()).value();
};

/// Satisfiable if `x` is more than 4.
std::string small_problem(int x, bool core = false) {
    return fmt::format("(set-info :smt-lib-version 2.6)\n{}(set-logic QF_LIA)\n(declare-const |x y| Int)\n"
                       "(declare-const |%7c@1| Int)\n(assert (! (< |x y| {}) :named |p 1|))\n"
                       "(assert (! (> |x y| 3) :named |q%20|))\n(assert (! (= |%7c@1| (* 2 |x y|)) :named r))\n",
                       core ? "(set-option :produce-unsat-cores true)\n" : "", x);
}

} // namespace

TEST_P(RealSolver, SatWithModel) {
    Solver solver(command_);
    for (int i = 0; i < 3; ++i) {
        Answer const answer = solver.check(small_problem(5), {.model = true});
        ASSERT_EQ(to_string(answer, command_), "sat");
        std::string const& model = std::get<answer::Sat>(answer).model;
        EXPECT_TRUE(model.starts_with('(') && model.ends_with(')')) << model;
        EXPECT_NE(model.find("(define-fun |x y| () Int"), std::string::npos) << model;
        EXPECT_NE(model.find("8"), std::string::npos) << model;
    }
}

TEST_P(RealSolver, UnsatWithCore) {
    Solver solver(command_);
    for (int i = 0; i < 3; ++i) {
        Answer const answer = solver.check(small_problem(4, true), {.core = true});
        ASSERT_EQ(to_string(answer, command_), "unsat");
        auto core = std::get<answer::Unsat>(answer).core;
        std::sort(core.begin(), core.end());
        EXPECT_EQ(core, (std::vector<std::string>{"p 1", "q%20"}));
    }
}

TEST_P(RealSolver, EveryKindInTurn) {
    Solver solver(command_);
    std::string const large = small_problem(5) + std::string(10'000, ' ');
    std::string nonlinear = small_problem(5) + "(assert (= (* |x y| |x y|) 16))";
    nonlinear.replace(nonlinear.find("QF_LIA"), 6, "QF_NIA");
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(to_string(solver.check(small_problem(5)), command_), "sat");
        EXPECT_EQ(to_string(solver.check(small_problem(5), {.model = true}), command_), "sat");
        EXPECT_EQ(to_string(solver.check(large, {.model = true}), command_), "sat");
        EXPECT_EQ(to_string(solver.check(nonlinear, {.model = true}), command_), "sat");
        EXPECT_EQ(to_string(solver.check(small_problem(4, true), {.core = true}), command_), "unsat");
        EXPECT_EQ(to_string(solver.check(small_problem(4)), command_), "unsat");
    }
}

TEST_P(RealSolver, HardProblemsEndInTime) {
    std::string const hard = "(set-logic QF_NIA)\n(declare-const x Int)(declare-const y Int)(declare-const z Int)\n"
                             "(assert (= 42 (+ (* x x x) (* y y y) (* z z z))))\n(assert (> (* x x) 1000000))\n";
    Solver solver(command_, {.time = 200ms});
    for (int i = 0; i < 2; ++i) {
        auto const begin = Clock::now();
        Answer const answer = solver.check(hard);
        EXPECT_LT(Clock::now() - begin, 2s);
        EXPECT_TRUE(std::holds_alternative<answer::Timeout>(answer) || std::holds_alternative<answer::Unknown>(answer))
            << to_string(answer, command_);
        Solver patient(command_);
        EXPECT_EQ(to_string(patient.check(small_problem(5)), command_), "sat");
    }
}

TEST_P(RealSolver, MistakesInAProblemAreReportedWithItsLines) {
    Solver solver(command_);
    std::string answers;
    for (int i = 0; i < 3; ++i) {
        std::string const answer = to_string(solver.check(small_problem(5) + "(assert (= |x y| nobody))"), command_);
        EXPECT_TRUE(answer.starts_with(fmt::format("{} failed: ", command_.name))) << answer;
        EXPECT_NE(answer.find("(error \""), std::string::npos) << answer;
        // cvc5 and cvc4 count lines from 0.
        EXPECT_NE(answer.find(command_.name == "z3" ? "line 8 " : ":7."), std::string::npos) << answer;
        EXPECT_EQ(to_string(solver.check(small_problem(5)), command_), "sat");
    }
}

// A solver that is told the answer contradicts it only with an error, if at all.
TEST_P(RealSolver, TheStatusOfAProblemIsNotBelieved) {
    std::string const large(10'000, ' '); // not in a scope
    Solver solver(command_);
    for (std::string const& end : {std::string(), large})
        for (int const x : {4, 5})
            for (char const* const status : {"sat", "unsat", "unknown"}) {
                std::string const line = fmt::format("(set-info :status {})\n", status);
                std::string in_the_middle = small_problem(x);
                in_the_middle.insert(in_the_middle.find("(declare"),
                                     "(set-info ; what it is:\n :status " + line.substr(18));
                for (std::string const& text : {line + small_problem(x), in_the_middle, small_problem(x) + line})
                    EXPECT_EQ(to_string(solver.check(text + end), command_), x == 4 ? "unsat" : "sat") << text;
            }
}

// Only the command is kept from the solver, not what looks like it, and the lines keep their numbers.
TEST_P(RealSolver, WhatLooksLikeAStatusStays) {
    Solver solver(command_);
    std::string const looks = "(declare-const |(set-info :status sat)| Bool) ; (set-info :status sat)\n"
                              "(assert (not |(set-info :status sat)|))\n";
    EXPECT_EQ(to_string(solver.check(small_problem(5) + looks), command_), "sat");
    std::string const answer =
        to_string(solver.check("(set-info\n:status\nsat)" + small_problem(5) + "(assert (= |x y| nobody))"), command_);
    EXPECT_NE(answer.find(command_.name == "z3" ? "line 10 " : ":9."), std::string::npos) << answer;
}

TEST_P(RealSolver, AThousandProblemsInARow) {
    Solver solver(command_);
    auto const begin = Clock::now();
    ASSERT_EQ(to_string(solver.check(small_problem(5)), command_), "sat");
    auto const first = children();
    bool const kept = command_.between != SolverCommand::Between::restart;
    for (int i = 0; i < (kept ? 1000 : 50); ++i)
        ASSERT_EQ(to_string(solver.check(small_problem(i % 10)), command_), i % 10 > 4 ? "sat" : "unsat");
    RecordProperty("milliseconds", static_cast<int>((Clock::now() - begin) / 1ms));
    EXPECT_EQ(children(), first);
}

TEST_P(RealSolver, AProblemOfSeveralMegabytes) {
    std::string large = small_problem(5);
    for (int i = 0; large.size() < 4'000'000; ++i)
        large += fmt::format("(declare-const |v {0}| Int)(assert (< |v {0}| {0})) ; {1}\n", i, std::string(500, '('));
    Solver solver(command_, {.time = 60s});
    Answer const answer = solver.check(large, {.model = true});
    ASSERT_EQ(to_string(answer, command_), "sat");
    EXPECT_GT(std::get<answer::Sat>(answer).model.size(), 100'000U);
    EXPECT_EQ(to_string(solver.check(small_problem(4)), command_), "unsat");
}

TEST_P(RealSolver, TooLittleMemoryIsNoAnswer) {
    Solver solver(command_, {.time = 20s, .memory = std::size_t{30} << 20U});
    Answer const answer = solver.check(small_problem(5));
    EXPECT_TRUE(std::holds_alternative<answer::Crashed>(answer)) << to_string(answer, command_);
}

INSTANTIATE_TEST_SUITE_P(Installed, RealSolver, testing::Values("z3", "cvc5", "cvc4"),
                         [](auto const& instance) { return std::string(instance.param); });

} // namespace matchpoint::test
