// The explorer in process: machine steps a second, and what a remembered state takes.

#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include "executions/explorer.hpp"
#include "grammar/parse.hpp"

namespace matchpoint::bench {

using namespace executions;
using namespace grammar;
using namespace machine;
using namespace matching;

namespace {

/// Table 1's program: one thread receives n messages from n threads. It asserts that not each has a certain value, or
/// (`ordered`) that they do not ascend.
std::string race(std::size_t n, bool ordered) {
    std::string receiver;
    std::string senders;
    std::string claim = ordered ? "true" : "(= x0 0)";
    for (std::size_t i = 0; i < n; ++i) {
        receiver += fmt::format("[r{0} (rcvi R{0} 0 x{0})] [w{0} (wait R{0})] ", i);
        senders += fmt::format("([s{0} (sndi S{0} {1} 0 {0})] [v{0} (wait S{0})] bot)\n", i, i + 1);
        if (i > 0)
            claim = ordered ? fmt::format("(and {} (< x{} x{}))", claim, i - 1, i)
                            : fmt::format("(and {0} (= x{1} {1}))", claim, i);
    }
    return fmt::format("( ({}[a (assert (not {}))] bot)\n{})\n", receiver, claim, senders);
}

struct Loaded {
    Program program;
    IndexedProgram code;
    MessageIndex messages;

    explicit Loaded(std::string const& text)
        : program(parse(Source("bench", text)).value()), code(program), messages(code) {}
};

/// Every execution of Table 1's program: n! of them.
void every_execution(benchmark::State& state) {
    Loaded const loaded(race(static_cast<std::size_t>(state.range(0)), false));
    std::uint64_t steps = 0;
    std::uint64_t executions = 0;
    for (auto unused : state) {
        Explorer explorer(loaded.messages, {});
        while (explorer.next()) {
        }
        steps += explorer.steps();
        executions += explorer.counts().executions;
    }
    state.counters["steps"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
    state.counters["executions"] =
        benchmark::Counter(static_cast<double>(executions), benchmark::Counter::kAvgIterations);
}
BENCHMARK(every_execution)->Arg(8)->Unit(benchmark::kMillisecond);

/// What can differ in its verdict only. `ordered` is the case in which nothing is decided early: 2^n states.
void verdicts_only(benchmark::State& state, bool ordered) {
    Loaded const loaded(race(static_cast<std::size_t>(state.range(0)), ordered));
    std::uint64_t steps = 0;
    double states = 0;
    double bytes = 0;
    for (auto unused : state) {
        Explorer::Options options;
        options.verdicts_only = true;
        Explorer explorer(loaded.messages, options);
        while (explorer.next()) {
        }
        steps += explorer.steps();
        states = static_cast<double>(explorer.counts().states);
        bytes = static_cast<double>(explorer.counts().stored_bytes);
    }
    state.counters["steps"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
    state.counters["states"] = states;
    state.counters["bytes/state"] = bytes / states;
    state.counters["limit"] = 64.0 + 2.0 * static_cast<double>(loaded.code.ctp().commands.size());
}
BENCHMARK_CAPTURE(verdicts_only, one_permutation, false)->Arg(20)->Arg(70)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verdicts_only, ordered, true)->Arg(16)->Arg(20)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace matchpoint::bench

BENCHMARK_MAIN();
