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

/// The calls that refuse are enough, and no part of them is.
Wrong refusing_is_wrong(Subject const& subject, DeadlocksByModes const& truth, CheckOptions const& options,
                        Reached const& deadlock, Tally& tally) {
    std::vector<std::string> calls;
    for (Action const a : deadlock.refusing) calls.emplace_back(subject.loaded.code->names()(a));
    if (!is_there(truth.with(calls), options.runs))
        return fmt::format("there is no deadlock in which {} refuse", fmt::join(calls, ", "));
    Machine machine(*subject.loaded.code, Buffering::infinite);
    bool const some_collective = std::any_of(deadlock.refusing.begin(), deadlock.refusing.end(), [&](Action a) {
        return subject.loaded.code->as_collective(a) != nullptr;
    });
    if (some_collective) ++tally[deadlock.engine == "sat" ? "collectives refuse, by sat" : "collectives refuse"];
    if (check::refusing_at_end(machine, deadlock.schedule, options.runs) != deadlock.refusing)
        return "the way to the deadlock does not lead there";
    if (deadlock.is_fewer_possible) return std::nullopt;
    for (std::size_t part = 0; part + 1 < std::size_t{1} << calls.size(); ++part) {
        std::vector<std::string> fewer;
        for (std::size_t i = 0; i < calls.size(); ++i)
            if ((part >> i & 1U) != 0) fewer.push_back(calls[i]);
        if (is_there(truth.with(fewer), options.runs))
            return fmt::format("of {}, {} are enough", fmt::join(calls, ", "), fmt::join(fewer, ", "));
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
        auto const may_refuse = executions::all_that_may_refuse(subject.messages);
        bool const can_none = std::find(may_refuse.begin(), may_refuse.end(), true) == may_refuse.end();
        bool const is_of_infinite = can_none && !options.without.empty();
        return is_limited || is_of_infinite ? std::nullopt : Wrong("trouble: " + any.trouble.front().what);
    }
    ++tally[fmt::format("any: {} by {}", to_string(answer), any.deadlock.engine)];
    if (any.deadlock.is_fewer_possible) ++tally["any: perhaps fewer are enough"];
    if ((answer == Reached::Answer::yes) != is_there(truth.some(), options.runs))
        return fmt::format("check says of a deadlock: {}, by {}", to_string(answer), any.deadlock.engine);
    if (any.deadlock.engine.empty()) return "nobody decided";
    if (any.deadlock.is_fewer_possible && !is_limited) return "it is not known whether fewer are enough";
    if (answer == Reached::Answer::no) return std::nullopt;
    if (!any.deadlock.refusing.empty()) return refusing_is_wrong(subject, truth, options, any.deadlock, tally);
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

Program with_early_calls(std::uint64_t seed, std::uint64_t i) {
    programs::Dice dice(seed ^ 0xEA21'CA11U, i);
    struct Part {
        enum class Kind : std::uint8_t { send, receive, collective };
        Kind kind;
        std::size_t number; // of a collective: which of the communicator
    };
    using Kind = Part::Kind;
    std::vector<std::vector<Part>> parts = {{{Kind::collective, 0}, {Kind::send, 0}},
                                            {{Kind::receive, 0}, {Kind::collective, 0}, {Kind::receive, 1}},
                                            {{Kind::send, 0}, {Kind::collective, 0}}};
    for (std::uint32_t swaps = dice.below(3U); swaps > 0; --swaps) {
        auto& thread = parts[dice.below(3U)];
        std::size_t const at = dice.below(thread.size() - 1);
        std::swap(thread[at], thread[at + 1]);
    }
    bool const has_second = dice.percent(30);
    if (has_second)
        for (auto& thread : parts) {
            if (dice.percent(10)) continue; // it never makes this call
            std::size_t const call = static_cast<std::size_t>(
                std::find_if(thread.begin(), thread.end(), [](Part const& p) { return p.kind == Kind::collective; }) -
                thread.begin());
            std::size_t const at = call + 1 + dice.below(thread.size() - call);
            thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(at), Part{Kind::collective, 1});
        }
    if (dice.percent(15)) parts[dice.below(3U)].push_back({Kind::send, 0}); // to nobody, or to thread 1
    std::array<Collective, 2> meant;
    for (Collective& c : meant) {
        static constexpr std::array<char const*, 8> kinds{"bcast",   "gather", "scatter",   "reduce",
                                                          "barrier", "scan",   "allgather", "alltoallv"};
        c.kind = dice.one_of(kinds);
        c.communicator = "w";
        c.blocks = !dice.percent(25);
        if (c.kind == "bcast" || c.kind == "gather" || c.kind == "scatter" || c.kind == "reduce")
            c.root = dice.below(3U);
    }
    Program program;
    std::size_t calls = 0;
    for (Endpoint t = 0; t < parts.size(); ++t) {
        Thread& thread = program.threads.emplace_back();
        std::vector<std::string> late; // waits at the end
        auto const add = [&](auto command) {
            thread.push_back({fmt::format("{}_{}", t, thread.size()), std::move(command)});
        };
        for (Part const& part : parts[t]) {
            std::string const name = fmt::format("{}{}", part.kind == Kind::collective ? "K" : "M", calls++);
            if (part.kind == Kind::send) {
                Endpoint const to = dice.percent(85) ? 1 : 7;
                Sndi send{name, t, to, number(static_cast<int>(calls))};
                if (dice.percent(35)) send.mode = dice.percent(50) ? Mode::synchronous : Mode::buffered;
                add(std::move(send));
            } else if (part.kind == Kind::receive) {
                Rcvi receive{name, t, "x" + name};
                if (dice.percent(30)) receive.sel.from = {{dice.percent(50) ? 0U : 2U}};
                add(std::move(receive));
            } else {
                Collective c = meant[part.number];
                c.action = name;
                if (c.root && dice.percent(5)) c.root = dice.below(3U); // a mismatch
                if (c.kind == "allgather" && dice.percent(40)) c.counts = {0};
                add(c);
                if (!c.blocks && dice.percent(90)) late.push_back(name);
                if (c.blocks || dice.percent(50)) continue;
                if (!late.empty() && late.back() == name) {
                    late.pop_back();
                    add(Wait{name});
                }
                continue;
            }
            add(Wait{name});
        }
        for (std::string const& name : late) add(Wait{name});
    }
    return program;
}

Wrong any_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    Program const program = i % 6 == 0   ? program_to_explore(seed, i, 3, 5)
                            : i % 6 == 1 ? mpi_program_to_explore(seed, i, 4, 4)
                            : i % 6 < 4  ? nearly_mixed(seed, i, i % 6 == 3)
                            : i % 6 == 4 ? with_early_calls(seed, i)
                                         : collective_program_to_explore(seed, i, 3, 2);
    if (count_that_may_refuse(program) > 6) {
        ++tally["too many calls"];
        return std::nullopt;
    }
    if (i % 6 >= 4) ++tally["with collectives"];
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
