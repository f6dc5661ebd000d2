// Sessions of one solver: random sequences of problems, limits and accidents, with real solvers and with a fake one
// that answers each problem in the way that the problem asks for. Whatever came before, a good problem gets the right
// answer, and a failure is reported as what it is. No process is left.
//
// A session is a line for each call:
//
//   solver fake reset         or z3, cvc5, cvc4; reset, push_pop, scopes or restart; the one before is gone
//   limit 20                  milliseconds; 0 is no time, `limit` alone no limit
//   check MODE VALUE ...      a problem; then model, core, large, nia, option
//   kill                      the process, while it waits
//   interrupt                 the next problem, as Ctrl-C does

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <memory>

#include <signal.h>

#include "base/child_process.hpp"
#include "programs/dice.hpp"
#include "solve/solver.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/own_processes.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::test {
namespace {

using naive::Calls;
using naive::cases;
using naive::least;
using naive::seeded;
using naive::words_of;
using programs::Dice;
using Between = SolverCommand::Between;

/// How a problem is answered, as to_string prints it; what follows a final ... is not compared.
struct FakeMode {
    char const* name;
    char const* answer;
    bool hangs = false;    // `answer` is what comes before the timeout
    char const* with = ""; // the mode is only asked with this; `alone`: with neither model nor core
};

constexpr std::array fake_modes{
    FakeMode{"good", "sat"},
    FakeMode{"unsat", "unsat"},
    FakeMode{"unknown", "unknown (no idea)"},
    FakeMode{"crlf", "sat"},
    FakeMode{"exit-3", "fake failed: exited with code 3"},
    FakeMode{"crash-before-reading", "fake failed: killed by signal 11 (SIGSEGV)"},
    FakeMode{"crash-after-reading", "fake failed: killed by signal 6 (SIGABRT)"},
    FakeMode{"crash-after-sat", "fake failed: killed by signal 7 (SIGBUS) after printing sat"},
    FakeMode{"exit-after-sat", "fake failed: exited with code 0 after printing sat"},
    FakeMode{"stderr-only", "fake failed: exited with code 2; its standard error: license \\x1b[31mexpired"},
    FakeMode{"error-only", "fake failed: exited with code 0 after printing (error \"no such logic\")"},
    FakeMode{"half-line", "fake failed: answered sa to (check-sat)"},
    FakeMode{"garbage", "fake failed: answered \\x00..."},
    FakeMode{"error-before", "fake failed: answered (error \"first\") sat to (check-sat)"},
    FakeMode{"error-after", "fake failed: answered sat (error \"second\") to (check-sat)"},
    FakeMode{"error-on-stderr", "fake failed: reported an error; its standard error: (error \"quietly\")"},
    FakeMode{"maybe", "fake failed: answered maybe to (check-sat)"},
    FakeMode{"success", "fake failed: answered success sat to (check-sat)"},
    FakeMode{"only-echoes", "fake failed: gave no answer to (check-sat)"},
    FakeMode{"flood-lines",
             "fake failed: printed more than 1048576 bytes after printing one line and another line ..."},
    FakeMode{"hang", "", true},
    FakeMode{"hang-ignoring-signals", "", true},
    FakeMode{"hang-in-answer", "", true},
    FakeMode{"never-echo", "", true},
    FakeMode{"no-newline-after-echo", "", true},
    FakeMode{"hang-in-model", "sat, without a model: ", true, "model"},
    FakeMode{"hang-in-core", "unsat, without a core: ", true, "core"},
    FakeMode{"bad-model", "sat, without a model: fake failed: answered (define-fun x () Int to (get-model)", false,
             "model"},
    FakeMode{"no-model", "sat, without a model: fake failed: answered unsupported to (get-model)", false, "model"},
    FakeMode{"crash-in-model",
             "sat, without a model: fake failed: killed by signal 11 (SIGSEGV) after printing (   (define-fun x () Int",
             false, "model"},
    FakeMode{"bad-core", "unsat, without a core: fake failed: answered ((a) b) to (get-unsat-core)", false, "core"},
    FakeMode{"error-core", "unsat, without a core: fake failed: answered (error \"no core\") to (get-unsat-core)",
             false, "core"},
    // These answer, and misbehave afterwards.
    FakeMode{"die-idle", "sat", false, "alone"},
    FakeMode{"close-output-idle", "sat", false, "alone"},
    FakeMode{"talk-idle", "sat", false, "alone"},
    FakeMode{"die-on-reset", "sat"},
    FakeMode{"error-on-reset", "sat"},
};
constexpr std::size_t good_modes = 4;

FakeMode const* fake_mode(std::string const& name) {
    auto const it = std::find_if(fake_modes.begin(), fake_modes.end(), [&](auto const& m) { return m.name == name; });
    return it == fake_modes.end() ? nullptr : &*it;
}

/// What real solvers are asked: sat, unsat, wrong (the problem has a mistake), hard (a problem that takes for ever).
constexpr std::array real_modes{"sat", "unsat", "sat", "unsat", "wrong", "hard"};

using Milliseconds = std::chrono::milliseconds;
using Tally = std::map<std::string, std::size_t>;

/// Plays a session. Says what is wrong.
class SolverPlayer {
public:
    explicit SolverPlayer(Tally& tally) : tally_(tally) { restart({"fake", "reset"}); }
    ~SolverPlayer() { base::interruption() = false; }

    std::string play(Calls const& calls) {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            auto const words = words_of(calls[i]);
            std::string const wrong = call(words.at(0), {words.begin() + 1, words.end()});
            if (!wrong.empty()) return fmt::format("call {}, {}: {}", i + 1, calls[i], wrong);
        }
        solver_.reset();
        if (!children().empty()) return "a process is left at the end";
        return open_descriptors() == descriptors_ ? "" : "a descriptor is left at the end";
    }

private:
    using Words = std::vector<std::string>;

    std::string call(std::string const& what, Words const& words) {
        if (what == "solver") return restart(words);
        if (what == "limit") return limit(words);
        if (what == "check") return check(words);
        if (what == "kill") return kill();
        if (what == "interrupt") return base::interruption() = true, "";
        throw std::runtime_error("no such call");
    }

    std::string restart(Words const& words) {
        solver_.reset();
        if (!children().empty()) return "a process is left of the solver before";
        fake_ = words.empty() || words[0] == "fake";
        SolverCommand command =
            fake_ ? SolverCommand{"fake", {MATCHPOINT_FAKE_SOLVER, "as-told"}} : solver_command(words[0]).value();
        if (fake_) command.between = words.size() > 1 ? between(words[1]) : Between::reset;
        solver_ = std::make_unique<Solver>(command, SolverLimits{{}, std::size_t{4} << 30U, std::size_t{1} << 20U});
        limit_ = std::nullopt;
        return {};
    }
    static Between between(std::string const& word) {
        if (word == "push_pop") return Between::push_pop;
        if (word == "scopes") return Between::scopes;
        return word == "restart" ? Between::restart : Between::reset;
    }

    std::string limit(Words const& words) {
        limit_ = words.empty() ? std::nullopt : std::optional(Milliseconds(std::stoi(words[0])));
        solver_->limit_time(limit_);
        return {};
    }

    std::string kill() {
        for (pid_t const child : children()) ::kill(child, SIGKILL);
        return {};
    }

    // Problems.

    std::string check(Words const& words) {
        auto const has = [&](char const* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
        if (words.size() < 2 || !std::isdigit(words[1][0])) return {}; // of a shrunk session
        Produce const produce{has("model"), has("core")};
        std::string head = has("option") ? "(set-option :produce-assignments true)\n" : "";
        if (produce.core) head += "(set-option :produce-unsat-cores true)\n";
        std::string const logic = has("nia") ? "(set-logic QF_NIA)\n" : "(set-logic QF_LIA)\n";
        std::string const tail = has("large") ? std::string(5'000, ' ') : "";
        auto const ask = [&](std::string const& infos, std::string const& body) {
            return answer_to(head + infos + logic + body + tail, produce);
        };
        std::string const wrong =
            fake_ ? judge_fake(words[0], words[1], produce, ask) : judge_real(words[0], words[1], produce, ask);
        base::interruption() = false;
        return wrong.empty() ? wrong_processes() : wrong;
    }

    Answer answer_to(std::string const& problem, Produce produce) {
        answer_ = solver_->check(problem, produce);
        return answer_;
    }

    /// Whether the time limit excuses whatever is not answered.
    bool is_late(std::string const& answer) {
        if (!limit_ && !base::interruption()) return false;
        bool const late = answer.find("timeout after ") != std::string::npos;
        if (late) ++tally_["timeout"];
        return late;
    }

    template <typename Ask>
    std::string judge_fake(std::string const& name, std::string const& value, Produce produce, Ask const& ask) {
        FakeMode const* const mode = fake_mode(name);
        if (mode == nullptr) return "no such mode";
        std::string const with = mode->with;
        if ((with == "model" && !produce.model) || (with == "core" && !produce.core) ||
            (with == "alone" && (produce.model || produce.core)))
            return {};
        if (mode->hangs && !limit_ && !base::interruption()) limit({"20"});
        Answer const answer =
            ask(fmt::format("(set-info :fake {})\n(set-info :value {})\n", name, value), "(declare-const x Int)\n");
        std::string got = to_string(answer, solver_->command());
        ++tally_[name];
        if (mode->hangs) {
            bool const ends =
                got.starts_with(mode->answer) && got.ends_with(fmt::format("timeout after {} ms", shown_limit()));
            return ends || is_late(got) ? "" : "hangs, and the answer is " + got;
        }
        if (is_late(got)) return {};
        if (limit_ == Milliseconds(0) || base::interruption()) return "no time, and the answer is " + got;
        std::string expected = mode->answer;
        if (expected.ends_with("...")) {
            expected.resize(expected.size() - 3);
            got.resize(std::min(got.size(), expected.size()));
        }
        if (got != expected) return fmt::format("{}, and not {}", got, expected);
        return wrong_parts(answer, produce, fmt::format("(\n  (define-fun x () Int {})\n)", value), {"a b", "c"});
    }
    std::size_t shown_limit() const { return limit_ ? static_cast<std::size_t>(limit_->count()) : 0; }

    template <typename Ask>
    std::string judge_real(std::string const& mode, std::string const& value, Produce produce, Ask const& ask) {
        bool const hard = mode == "hard";
        if (hard && !limit_ && !base::interruption()) limit({"20"});
        std::string const body =
            hard ? "(declare-const x Int)(declare-const y Int)(declare-const z Int)\n"
                   "(assert (= 42 (+ (* x x x) (* y y y) (* z z z))))\n(assert (> (* x x) 1000000))\n"
                 : fmt::format("(declare-const x Int)(declare-const y Int)\n(assert (! (> x {0}) :named |p 1|))\n"
                               "(assert (! (< x {1}) :named q))\n(assert (! (= y 0) :named r))\n{2}",
                               value, std::stoi(value) + (mode == "unsat" ? 1 : 2),
                               mode == "wrong" ? "(assert (= x nobody))\n" : "");
        Answer const answer = ask("", body);
        std::string const got = to_string(answer, solver_->command());
        ++tally_[mode];
        if (is_late(got)) return {};
        if (limit_ == Milliseconds(0) || base::interruption()) return "no time, and the answer is " + got;
        if (hard)
            return got.starts_with("unknown") || got.find(" failed: ") != std::string::npos
                       ? ""
                       : "hard, and the answer is " + got;
        if (mode == "wrong")
            return got.find(" failed: ") != std::string::npos && got.find("nobody") != std::string::npos
                       ? ""
                       : "wrong, and the answer is " + got;
        if (got != mode) return fmt::format("{}, and not {}", got, mode);
        return wrong_parts(answer, produce, std::to_string(std::stoi(value) + 1) + ")", {"p 1", "q"});
    }

    std::string wrong_parts(Answer const& answer, Produce produce, std::string const& model,
                            std::vector<std::string> const& core) {
        if (auto const* const sat = std::get_if<answer::Sat>(&answer)) {
            bool const has_model = produce.model && std::holds_alternative<std::monostate>(sat->no_model);
            if (has_model ? sat->model.find(model) == std::string::npos : !sat->model.empty())
                return "the model is " + sat->model;
            ++tally_[has_model ? "sat with a model" : "sat"];
        }
        if (auto const* const unsat = std::get_if<answer::Unsat>(&answer)) {
            bool const has_core = produce.core && std::holds_alternative<std::monostate>(unsat->no_core);
            auto found = unsat->core;
            std::sort(found.begin(), found.end());
            if (found != (has_core ? core : std::vector<std::string>())) return "another core";
            ++tally_[has_core ? "unsat with a core" : "unsat"];
        }
        return {};
    }

    /// At most one process is kept, and none that failed or hangs.
    std::string wrong_processes() {
        std::size_t const count = children().size();
        if (count > 1) return "several processes";
        bool const is_spent = is_sat(answer_) ? needing_model(answer_).index() != answer_.index()
                                              : !std::holds_alternative<answer::Unknown>(answer_);
        if (count == 1 && (is_spent || solver_->command().between == Between::restart)) return "a process is left";
        return {};
    }

    Tally& tally_;
    bool fake_ = true;
    std::optional<Milliseconds> limit_;
    std::size_t descriptors_ = open_descriptors();
    std::unique_ptr<Solver> solver_;
    Answer answer_ = answer::Unknown{};
};

std::string play_solver(Calls const& calls, Tally& tally) {
    try {
        return SolverPlayer(tally).play(calls);
    } catch (std::exception const& error) {
        return error.what();
    }
}

/// The first call, which makes the solver, stays.
std::vector<Calls> shorter_after_first(Calls const& calls) {
    std::vector<Calls> result = naive::shorter({calls.begin() + 1, calls.end()});
    for (Calls& c : result) c.insert(c.begin(), calls.front());
    return result;
}

std::string session_text(Calls const& calls) {
    std::string text;
    for (std::string const& call : calls) text += call + '\n';
    return text;
}

Calls read_calls(std::string const& text) {
    Calls calls;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) calls.push_back(line);
    return calls;
}

std::string random_solver_call(bool fake, Dice& dice) {
    std::uint32_t const kind = dice.below(100);
    if (kind < 4) return "kill";
    if (kind < 6) return "interrupt";
    if (kind < 24) {
        static constexpr std::array limits{"limit", "limit", "limit 20", "limit 0"};
        return dice.one_of(limits);
    }
    std::string mode = "good";
    if (!fake)
        mode = dice.one_of(real_modes);
    else
        mode = dice.percent(50) ? fake_modes[dice.below(good_modes)].name : dice.one_of(fake_modes).name;
    std::string text = fmt::format("check {} {}", mode, dice.below(1'000));
    FakeMode const* const known = fake_mode(mode);
    std::string const with = known == nullptr ? "" : known->with;
    if (with == "model" || (with != "alone" && dice.percent(40))) text += " model";
    if (with == "core" || (with != "alone" && dice.percent(20))) text += " core";
    if (dice.percent(15)) text += " large";
    if (dice.percent(10) || mode == "hard") text += " nia";
    if (dice.percent(10)) text += " option";
    return text;
}

void sessions_are_right(std::string const& solver, std::uint64_t stream, std::size_t count,
                        std::vector<char const*> const& expected) {
    Tally tally;
    for (std::size_t i = 0; i < cases(count); ++i) {
        Dice dice(seeded(stream), i);
        static constexpr std::array ways{"reset", "push_pop", "scopes", "restart"};
        Calls calls{fmt::format("solver {} {}", solver, dice.one_of(ways))};
        for (std::uint32_t n = 2 + dice.below(16); n > 0; --n)
            calls.push_back(random_solver_call(solver == "fake", dice));
        std::string wrong = play_solver(calls, tally);
        if (wrong.empty()) continue;
        Tally none;
        auto const [smallest, why] = naive::smallest(std::move(calls), std::move(wrong), shorter_after_first,
                                                     [&](Calls const& c) { return play_solver(c, none); });
        FAIL() << "session " << i << " of seed " << seeded(stream) << ", shrunk: " << why << '\n'
               << session_text(smallest);
    }
    for (auto const& [what, n] : tally) std::cout << n << ' ' << what << '\n';
    for (char const* const what : expected) EXPECT_GE(tally[what], least(count / 10)) << what;
}

TEST(SolverSessions, Fake) { sessions_are_right("fake", 31, 20, {"sat with a model", "sat", "unsat", "timeout"}); }
TEST(SolverSessions, Z3) { sessions_are_right("z3", 32, 8, {}); }
TEST(SolverSessions, Cvc5) { sessions_are_right("cvc5", 33, 5, {}); }
TEST(SolverSessions, Cvc4) { sessions_are_right("cvc4", 34, 4, {}); }

/// Sessions that are worth having in every run.
constexpr char const* written[] = {
    // A limit of time is for the problems after it, until it is removed.
    "solver fake scopes\nlimit 0\ncheck good 1\nlimit\ncheck good 2 model\nlimit 20\ncheck hang 3\ncheck good 4 "
    "model\n",
    // Without a limit, a problem can be interrupted, too.
    "solver fake reset\ninterrupt\ncheck good 1\ncheck good 2 model\n",
    // No problem is blamed for an earlier one.
    "solver fake reset\ncheck error-on-reset 1\ncheck good 2\ncheck die-on-reset 3\ncheck unsat 4 core\n"
    "check talk-idle 5\ncheck good 6\nkill\ncheck unknown 7\n",
};

/// These, and the one that MATCHPOINT_REPLAY names.
TEST(SolverSessions, Replay) {
    std::vector<std::string> texts(std::begin(written), std::end(written));
    if (auto given = naive::given_session("solver ")) texts.push_back(std::move(*given));
    for (std::string const& text : texts) {
        Tally tally;
        EXPECT_EQ(play_solver(read_calls(text), tally), "") << text;
    }
}

} // namespace
} // namespace matchpoint::test
