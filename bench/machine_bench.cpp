// What the parts of the library cost, in process: the machine (machine steps per second), the parser and the printer
// (bytes per second), the discipline (commands per second), on every workload of generators.hpp.
//
//   machine_bench --benchmark_filter='machine/mix'      the other options are Google Benchmark's: --help
//
// machine          construct a Machine, run it, destroy it; well-formedness included
// machine_run      the run alone: the machine is there already
// copy             copy the state after the run
// machine_findings as `machine`, with the observer that `matchpoint run` has
// machine_history  as `machine`, with every step kept for going back
// code             what is worked out from a program before it is run
// parse, discipline, print
//
// Rates are per second of processor time.
#include <benchmark/benchmark.h>

#include <ctime>
#include <functional>
#include <memory>
#include <stdexcept>

#include "bench/generators.hpp"
#include "explain/findings.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "machine/machine.hpp"
#include "machine/well_formed.hpp"

namespace {

using namespace matchpoint::grammar;
using namespace matchpoint::machine;
using namespace matchpoint::report;
using matchpoint::bench::Workload;

constexpr std::size_t many = 1'000'000; // the caches hold no more than a part of it
constexpr std::size_t few = 10'000;
constexpr std::size_t tiny = 16; // as the programs of campaigns, and of random searches

/// A workload, read.
struct Loaded {
    Source source;
    Program program;
    IndexedProgram code{program};

    Loaded(Workload const& w, std::size_t n) : source(std::string(w.name), w.text(n)), program(parse(source).value()) {}
};

/// The last one is kept: the benchmarks of a workload follow each other.
Loaded const& loaded(Workload const& w, std::size_t n) {
    static std::unique_ptr<Loaded> last;
    static Workload const* workload = nullptr;
    static std::size_t commands = 0;
    if (last == nullptr || workload != &w || commands != n) {
        last.reset();
        last = std::make_unique<Loaded>(w, n);
        workload = &w;
        commands = n;
    }
    return *last;
}

/// What items are counted in: machine steps, or operators where the program is one big step.
std::size_t items(Workload const& w, Loaded const& l) {
    return w.unit == "command" ? l.program.ctp.commands.size() : l.program.ctp.nodes.size() / 2;
}

void count_items(benchmark::State& state, std::size_t each) {
    state.SetItemsProcessed(static_cast<std::int64_t>(each) * state.iterations());
}

void count_bytes(benchmark::State& state, std::size_t each) {
    state.SetBytesProcessed(static_cast<std::int64_t>(each) * state.iterations());
}

void finish(Machine& machine) {
    Outcome const outcome = run(machine, 0);
    WellFormedness const w = well_formedness(machine.code(), machine.state());
    if (outcome.s != Status::success || !w) throw std::logic_error("a workload has to be a well-formed success");
}

enum class Listener { none, findings, history };

void machine(benchmark::State& state, Workload const& w, std::size_t n, Listener listener) {
    Loaded const& l = loaded(w, n);
    for (auto _ : state) {
        Machine m(l.code, Buffering::infinite);
        Findings findings(l.code);
        if (listener == Listener::findings) m.observe(findings);
        if (listener == Listener::history) m.keep_history();
        finish(m);
        benchmark::DoNotOptimize(m.state().trace);
    }
    count_items(state, items(w, l));
}

/// A copy of the state after the run, as a breadth-first search keeps it.
void copying(benchmark::State& state, Workload const& w, std::size_t n) {
    Loaded const& l = loaded(w, n);
    Machine m(l.code, Buffering::infinite);
    finish(m);
    for (auto _ : state) {
        State copy = m.state();
        benchmark::DoNotOptimize(copy.trace);
    }
    count_items(state, 1);
}

void machine_run(benchmark::State& state, Workload const& w, std::size_t n) {
    Loaded const& l = loaded(w, n);
    for (auto _ : state) {
        Machine m(l.code, Buffering::infinite);
        std::clock_t const begin = std::clock();
        finish(m);
        state.SetIterationTime(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    count_items(state, items(w, l));
}

void code(benchmark::State& state, Workload const& w, std::size_t n) {
    Loaded const& l = loaded(w, n);
    for (auto _ : state) benchmark::DoNotOptimize(IndexedProgram(l.program).channels().data());
    count_items(state, items(w, l));
}

void parsing(benchmark::State& state, Workload const& w, std::size_t n) {
    Loaded const& l = loaded(w, n);
    for (auto _ : state) benchmark::DoNotOptimize(parse(l.source).has_value());
    count_bytes(state, l.source.text().size());
    count_items(state, items(w, l));
}

void discipline(benchmark::State& state, Workload const& w, std::size_t n) {
    Loaded const& l = loaded(w, n);
    for (auto _ : state)
        if (!check_discipline(l.program, &l.source).empty())
            throw std::logic_error("a workload has to obey rules D1 to D6");
    count_items(state, items(w, l));
}

void printing(benchmark::State& state, Workload const& w, std::size_t n) {
    Loaded const& l = loaded(w, n);
    std::size_t size = 0;
    for (auto _ : state) {
        std::string const text = print(l.program);
        benchmark::DoNotOptimize(text.data());
        size = text.size();
    }
    count_bytes(state, size);
    count_items(state, items(w, l));
}

void add(std::string_view what, Workload const& w, std::size_t n,
         std::function<void(benchmark::State&, Workload const&, std::size_t)> measure) {
    std::string const name = std::string(what) + "/" + std::string(w.name) + "/" + std::to_string(n);
    auto* const b =
        benchmark::RegisterBenchmark(name.c_str(), [=, &w](benchmark::State& state) { measure(state, w, n); });
    b->Unit(n == tiny ? benchmark::kNanosecond : benchmark::kMillisecond);
    if (what == "machine_run") b->UseManualTime();
}

void add_all() {
    auto const with = [](Listener listener) {
        return [=](benchmark::State& state, Workload const& w, std::size_t n) { machine(state, w, n, listener); };
    };
    for (Workload const& w : matchpoint::bench::workloads()) {
        add("machine", w, tiny, with(Listener::none));
        add("copy", w, tiny, copying);
        add("machine", w, few, with(Listener::none));
        add("machine", w, many, with(Listener::none));
        add("machine_run", w, many, machine_run);
        add("machine_findings", w, many, with(Listener::findings));
        add("machine_history", w, many, with(Listener::history));
        if (w.unit == "command") add("code", w, many, code);
        add("parse", w, many, parsing);
        add("discipline", w, many, discipline);
        add("print", w, many, printing);
    }
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    add_all();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
