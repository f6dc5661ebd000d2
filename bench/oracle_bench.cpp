// Feasibility queries in process, on programs in which senders race for one receiver.
//
//   oracle_bench --benchmark_filter=feasible      the other options are Google Benchmark's: --help
//
// feasible        a feasible match set of all receives: the answer alone
// feasible/run    the same, with an execution and its status
// infeasible      an infeasible one: the answer alone
// infeasible/why  the same, with the core
//
// Items are queries, and `commands` are commands looked at, both per second of processor time.
#include <benchmark/benchmark.h>

#include <stdexcept>
#include <string>

#include "check/oracle/oracle.hpp"
#include "grammar/parse.hpp"

namespace {

using namespace matchpoint::grammar;
using namespace matchpoint::machine;
using namespace matchpoint::matching;
using namespace matchpoint::report;
using namespace matchpoint::executions;
using namespace matchpoint::check;
using namespace matchpoint::encode;

constexpr std::size_t senders = 5;

/// One receiver and five senders; half of the commands are the receiver's, and each waits for what it issues at once.
std::string race(std::size_t commands) {
    std::size_t const messages = commands / 4;
    std::string text = "((";
    for (std::size_t i = 0; i < messages; ++i) {
        auto const n = std::to_string(i);
        text += "[p" + n + " (rcvi r" + n + " 0 x)][w" + n + " (wait r" + n + ")]";
    }
    text += ")";
    for (std::size_t t = 0; t < senders; ++t) {
        text += "(";
        for (std::size_t i = t; i < messages; i += senders) {
            auto const n = std::to_string(i);
            text += "[q" + n + " (sndi s" + n + " " + std::to_string(t + 1) + " 0 " + n + ")][v" + n + " (wait s" + n +
                    ")]";
        }
        text += ")";
    }
    return text + ")";
}

struct Asked {
    Source source;
    Program program;
    IndexedProgram code{program};
    MessageIndex messages{code};
    Oracle oracle{messages, Buffering::infinite};
    Matching m{messages};

    /// The senders by turns; or, if it is not to be, one sender's first messages the other way round.
    Asked(std::size_t commands, bool feasible) : source("race", race(commands)), program(parse(source).value()) {
        for (std::uint32_t r = 0; r < m.size(); ++r) {
            auto const sent = code.names().actions.find("s" + std::to_string(r));
            m[r] = messages.send_number({*sent});
        }
        if (!feasible) std::swap(m[0], m[senders]);
        if (oracle.is_feasible(m) != feasible) throw std::logic_error("not as it should be");
    }
};

void count(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations());
    state.counters["commands"] =
        benchmark::Counter(static_cast<double>(state.iterations() * state.range(0)), benchmark::Counter::kIsRate);
}

void ask_all(benchmark::State& state, bool feasible) {
    Asked asked(static_cast<std::size_t>(state.range(0)), feasible);
    for (auto _ : state) benchmark::DoNotOptimize(asked.oracle.is_feasible(asked.m));
    count(state);
}

void whole(benchmark::State& state, bool feasible) {
    Asked asked(static_cast<std::size_t>(state.range(0)), feasible);
    Oracle::Wanted wanted;
    for (std::uint32_t r = 0; r < asked.m.size(); ++r) wanted.required.push_back({r, asked.m[r]});
    for (auto _ : state) {
        auto const told = asked.oracle.feasible(wanted);
        benchmark::DoNotOptimize(told.index());
    }
    count(state);
}

} // namespace

BENCHMARK_CAPTURE(ask_all, feasible, true)->Name("feasible")->RangeMultiplier(10)->Range(100, 100'000);
BENCHMARK_CAPTURE(whole, feasible, true)->Name("feasible/run")->RangeMultiplier(10)->Range(100, 100'000);
BENCHMARK_CAPTURE(ask_all, infeasible, false)->Name("infeasible")->RangeMultiplier(10)->Range(100, 100'000);
BENCHMARK_CAPTURE(whole, infeasible, false)->Name("infeasible/why")->Arg(100)->Arg(1000);

BENCHMARK_MAIN();
