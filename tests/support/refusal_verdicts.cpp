#include "tests/support/refusal_verdicts.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <memory>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/confirmed.hpp"
#include "executions/refusals.hpp"
#include "programs/dice.hpp"
#include "tests/support/generate.hpp"

namespace matchpoint::naive {

namespace {

/// What the search finds under one reading: "no deadlock", "a deadlock" or "a deadlock that depends on the library".
/// Wrong if the definition does not hold at the end.
std::string searched(Subject const& subject, Runs runs) {
    executions::RefusalSearch search(subject.messages, runs);
    if (search.search() == executions::RefusalSearch::Answer::none) return "no deadlock";
    Machine machine(*subject.loaded.code, Buffering::infinite);
    auto const refusing = check::refusing_at_end(machine, search.schedule(), runs);
    return !refusing           ? "a deadlock that is none"
           : refusing->empty() ? "a deadlock"
                               : "a deadlock that depends on the library";
}

std::string expected(std::string const& found, bool deadlock) {
    return deadlock ? (found.starts_with("a deadlock") && !found.ends_with("none") ? found : "a deadlock")
                    : "no deadlock";
}

bool is_there(AnyDeadlock const& deadlock, Runs runs) {
    return runs == Runs::executions ? deadlock.on_path : deadlock.anywhere;
}

/// The sends that refuse are enough, and no part of them is.
Wrong refusing_is_wrong(Subject const& subject, DeadlocksByModes const& truth, CheckOptions const& options,
                        Reached const& deadlock) {
    std::vector<std::string> sends;
    for (Action const a : deadlock.refusing) sends.emplace_back(subject.loaded.code->names()(a));
    if (!is_there(truth.with(sends), options.runs))
        return fmt::format("there is no deadlock in which {} refuse", fmt::join(sends, ", "));
    Machine machine(*subject.loaded.code, Buffering::infinite);
    if (check::refusing_at_end(machine, deadlock.schedule, options.runs) != deadlock.refusing)
        return "the way to the deadlock does not lead there";
    if (deadlock.is_fewer_possible) return std::nullopt;
    for (std::size_t part = 0; part + 1 < std::size_t{1} << sends.size(); ++part) {
        std::vector<std::string> fewer;
        for (std::size_t i = 0; i < sends.size(); ++i)
            if ((part >> i & 1U) != 0) fewer.push_back(sends[i]);
        if (is_there(truth.with(fewer), options.runs))
            return fmt::format("of {}, {} are enough", fmt::join(sends, ", "), fmt::join(fewer, ", "));
    }
    return std::nullopt;
}

std::string in_words(CheckOptions const& o) {
    static std::map<EngineChoice, std::string_view> const engines{{EngineChoice::automatic, "auto"},
                                                                  {EngineChoice::explore, "explore"},
                                                                  {EngineChoice::sat, "sat"},
                                                                  {EngineChoice::smt, "smt"}};
    return fmt::format("{}, --engine {}, without {}, {} steps, {} ms\n", executions::to_string(o.runs),
                       engines.at(o.engine), fmt::join(o.without, ", "), o.steps, o.time ? o.time->count() : -1);
}

/// What a check says under any buffering. Unless it is limited, everything is known.
Wrong check_is_wrong(Subject const& subject, DeadlocksByModes const& truth, CheckOptions options, bool is_limited,
                     Tally& tally) {
    options.refusals = check::Refusals::any;
    options.leaves_path = false;
    CheckResult const any = check::check(subject.messages, options);
    Reached::Answer const answer = any.deadlock.answer;
    if (answer == Reached::Answer::unknown) {
        ++tally["any: unknown"];
        if (any.trouble.empty() && options.without.empty()) return "unknown without a reason";
        // Infinite buffering is asked about with the same steps left out, and without an SMT solver.
        bool const is_of_infinite = truth.sends.empty() && !options.without.empty();
        return is_limited || is_of_infinite ? std::nullopt : Wrong("trouble: " + any.trouble.front().what);
    }
    ++tally[fmt::format("any: {} by {}", to_string(answer), any.deadlock.engine)];
    if (any.deadlock.is_fewer_possible) ++tally["any: perhaps fewer are enough"];
    if ((answer == Reached::Answer::yes) != is_there(truth.some(), options.runs))
        return fmt::format("check says of a deadlock: {}, by {}", to_string(answer), any.deadlock.engine);
    if (any.deadlock.engine.empty()) return "nobody decided";
    if (any.deadlock.is_fewer_possible && !is_limited) return "it is not known whether fewer are enough";
    if (answer == Reached::Answer::no) return std::nullopt;
    if (!any.deadlock.refusing.empty()) return refusing_is_wrong(subject, truth, options, any.deadlock);
    return is_there(truth.with({}), options.runs) ? std::nullopt : Wrong("it is said not to depend on the library");
}

/// Verdict and faults are those of infinite buffering.
Wrong verdict_is_wrong(Subject const& subject) {
    CheckOptions options;
    options.leaves_path = false;
    CheckResult const infinite = check::check(subject.messages, options);
    options.refusals = check::Refusals::any;
    CheckResult const any = check::check(subject.messages, options);
    if (any.verdict != infinite.verdict || any.fault.answer != infinite.fault.answer) return "another verdict";
    bool const depends = !any.deadlock.refusing.empty();
    bool const is_new = any.deadlock.answer == Reached::Answer::yes && infinite.deadlock.answer == Reached::Answer::no;
    return depends == is_new ? std::nullopt : Wrong("whether it depends on the library");
}

struct Limits {
    CheckOptions options;
    bool is_limited;
};

/// Engines alone, or few steps for exploration, or little of anything.
Limits some_limits(programs::Dice& dice) {
    Limits limits{{}, dice.percent(50)};
    CheckOptions& o = limits.options;
    o.runs = dice.percent(70) ? Runs::executions : Runs::complete;
    static constexpr std::array engines{EngineChoice::automatic, EngineChoice::automatic, EngineChoice::sat,
                                        EngineChoice::explore};
    if (!limits.is_limited) {
        if (dice.percent(80)) o.without.emplace_back("short-exploration"); // so that SAT decides
        if (dice.percent(50)) o.without.emplace_back("counting");
        if (dice.percent(20)) o.without.emplace_back("sat");
        return limits;
    }
    o.engine = dice.one_of(engines);
    static constexpr std::array<std::uint64_t, 5> steps{0, 1, 10, 30, 100};
    o.steps = dice.one_of(steps);
    o.samples = dice.percent(50) ? 1 : 20;
    for (char const* const step : {"short-exploration", "counting", "sat", "exploration"})
        if (dice.percent(25)) o.without.emplace_back(step);
    if (dice.percent(10)) o.time = std::chrono::milliseconds(dice.below(3U));
    if (dice.percent(5)) o.memory = dice.percent(50) ? 500 : 5'000;
    if (dice.percent(20))
        o.cancelled = [most = dice.below(std::size_t{1} << dice.below(10U)), polls = std::make_shared<std::size_t>(0)] {
            return ++*polls > most;
        };
    return limits;
}

} // namespace

Wrong refusals_are_wrong(Program const& program, std::size_t limit, bool by_definition, Tally& tally) {
    auto const by_modes = deadlocks_by_modes(program, limit);
    if (!by_modes) {
        ++tally["too large"];
        return std::nullopt;
    }
    AnyDeadlock const truth = by_modes->some();
    auto const wrong = [&](std::string const& what) {
        return fmt::format("{}of some modes: {}, on the path {}\n{}", to_text(program, {}), truth.anywhere,
                           truth.on_path, what);
    };
    if (by_definition) {
        auto const defined = deadlock_by_definition(program, limit);
        if (defined && *defined != truth)
            return wrong(fmt::format("by definition: {}, on the path {}", defined->anywhere, defined->on_path));
        if (defined) ++tally["by definition"];
    }
    if (truth.on_path && !by_modes->of.front().on_path && !by_modes->of.back().on_path) ++tally["mixed buffering only"];
    Subject const subject(program);
    for (Runs const runs : {Runs::executions, Runs::complete}) {
        std::string const found = searched(subject, runs);
        ++tally[found];
        if (found != expected(found, is_there(truth, runs))) return wrong(found);
        for (char const* const left_out : {"", "short-exploration"}) {
            CheckOptions options;
            options.runs = runs;
            if (*left_out != '\0') options.without = {left_out, "counting"};
            if (Wrong const w = check_is_wrong(subject, *by_modes, options, false, tally))
                return wrong(in_words(options) + *w);
        }
    }
    if (Wrong const w = verdict_is_wrong(subject)) return wrong(*w);
    return std::nullopt;
}

Program nearly_mixed(std::uint64_t seed, std::uint64_t i, bool mpi) {
    struct Call {
        std::string message;
        bool sends;
    };
    std::mt19937_64 random(seed * 1'000'003 + i);
    auto const below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::vector<std::vector<Call>> calls = {{{"A", true}, {"B", true}},
                                            {{"C", true}, {"D", true}, {"A", false}},
                                            {{"1", false}, {"D", false}, {"2", false}}};
    for (std::size_t swaps = below(3); swaps > 0; --swaps) {
        auto& thread = calls[below(3)];
        std::size_t const at = below(thread.size() - 1);
        std::swap(thread[at], thread[at + 1]);
    }
    if (below(3) == 0)
        calls[below(3)].push_back({"E", true}); // to nobody, or to a thread that may have its last receive from it
    struct Ends {
        Endpoint alpha;
        Endpoint beta;
    };
    std::map<std::string, Ends> const ends = {{"A", {0, 1}}, {"B", {0, 2}}, {"C", {1, 2}}, {"D", {1, 12}}};
    Program program;
    for (Endpoint t = 0; t < calls.size(); ++t) {
        Thread& thread = program.threads.emplace_back();
        auto const add = [&](auto command) {
            thread.push_back({fmt::format("{}_{}", t, thread.size()), std::move(command)});
        };
        for (auto const& [message, sends] : calls[t]) {
            if (mpi && below(12) == 0) add(Wait{""}); // a place for the barrier
            auto const it = ends.find(message);
            std::string const action = (sends ? "S" : "R") + message;
            if (sends) {
                Sndi send{action, t, it == ends.end() ? Endpoint{2} : it->second.beta,
                          number(static_cast<int>(thread.size()))};
                if (mpi && below(6) == 0) send.mode = below(2) == 0 ? Mode::synchronous : Mode::buffered;
                add(std::move(send));
            } else {
                Rcvi receive{action, it == ends.end() ? t : it->second.beta, "x" + action};
                if (mpi && below(4) == 0) receive.sel.from = {{static_cast<Endpoint>(below(2))}};
                add(std::move(receive));
            }
            add(Wait{action});
        }
    }
    // One barrier at most, once in a thread.
    for (Thread& thread : program.threads) {
        bool is_there = false;
        std::erase_if(thread, [&](Command& c) {
            auto const* const wait = std::get_if<Wait>(&c.what);
            if (wait == nullptr || !wait->action.empty()) return false;
            if (std::exchange(is_there, true)) return true;
            c.what = Meet{"b"};
            return false;
        });
    }
    return program;
}

Wrong any_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    Program const program = i % 4 == 0   ? program_to_explore(seed, i, 3, 5)
                            : i % 4 == 1 ? mpi_program_to_explore(seed, i, 4, 4)
                                         : nearly_mixed(seed, i, i % 4 == 3);
    if (standard_waits(program) > 5) {
        ++tally["too many sends"];
        return std::nullopt;
    }
    auto const truth = deadlocks_by_modes(program, 5000);
    ++tally[!truth ? "too large" : truth->some().on_path ? "a deadlock" : "no deadlock"];
    if (!truth) return std::nullopt;
    Subject const subject(program);
    programs::Dice dice(seed, i);
    for (std::size_t n = 0; n < 4; ++n) {
        Limits const limits = some_limits(dice);
        Wrong wrong;
        try {
            wrong = check_is_wrong(subject, *truth, limits.options, limits.is_limited, tally);
        } catch (std::exception const& e) {
            wrong = fmt::format("throws: {}", e.what());
        }
        if (wrong) return to_text(program, {}) + in_words(limits.options) + *wrong;
    }
    return std::nullopt;
}

} // namespace matchpoint::naive
