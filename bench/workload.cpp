// The workloads of generators.hpp for scripts:
//
//   workload list                  a line each: name, unit, what it is, separated by tabs
//   workload text NAME COMMANDS    its text, to standard output
//   workload time FILE             reads a program and runs its first trace; a line for each part: name, seconds
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/files.hpp"
#include "bench/generators.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "machine/machine.hpp"
#include "machine/well_formed.hpp"

namespace {

using namespace matchpoint::grammar;
using namespace matchpoint::machine;
using namespace matchpoint::report;

/// Fills the processor's caches with something else: a part then finds its input in memory, whether it would fit in a
/// cache or not.
void empty_caches() {
    static std::vector<char> something(std::size_t{1} << 26U);
    for (std::size_t i = 0; i < something.size(); i += 64) ++something[i];
}

/// Does a part a few times, and prints its name and the processor time of the best, in seconds. False if it is bad.
template <typename Part>
bool time_part(char const* name, Part part) {
    constexpr int times = 4;
    auto best = std::numeric_limits<std::clock_t>::max();
    bool good = true;
    for (int i = 0; i < times; ++i) {
        empty_caches();
        std::clock_t const begin = std::clock();
        good = part() && good;
        best = std::min(best, std::clock() - begin);
    }
    std::printf("%s\t%.6f\n", name, static_cast<double>(best) / CLOCKS_PER_SEC);
    if (!good) std::fprintf(stderr, "workload: %s does not give what it should\n", name);
    return good;
}

/// Runs the first trace on a machine that is constructed and destroyed here.
bool succeeds(Program const& program, bool history) {
    IndexedProgram const code(program);
    Machine machine(code, Buffering::infinite);
    if (history) machine.keep_history();
    return run(machine, 0).s == Status::success && well_formedness(code, machine.state());
}

int time_parts(std::string const& path) {
    // Memory that was freed is kept and used again, however large the piece: otherwise a large program pays the system
    // for new pages at every turn and a small one does not, and the ratio of their times is about that.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());

    Source const source(path, read_file(path).value_or({}));
    auto const program = parse(source);
    if (!program) {
        std::fputs(render(program.error(), source).c_str(), stderr);
        return 1;
    }
    bool good = time_part("parse", [&] { return parse(source).has_value(); });
    good = time_part("discipline", [&] { return check_discipline(*program, &source).empty(); }) && good;
    good = time_part("machine", [&] { return succeeds(*program, false); }) && good;
    good = time_part("history", [&] { return succeeds(*program, true); }) && good;
    good = time_part("print", [&] { return print(*program) == source.text(); }) && good;
    return good ? 0 : 1;
}

int usage() {
    std::fputs("usage: workload list | text NAME COMMANDS | time FILE\n", stderr);
    return 2;
}

int workload_main(std::span<char*> arguments) {
    std::string_view const what = arguments.size() > 1 ? arguments[1] : "";
    if (what == "list" && arguments.size() == 2) {
        for (matchpoint::bench::Workload const& w : matchpoint::bench::workloads())
            fmt::print("{}\t{}\t{}\n", w.name, w.unit, w.what);
        return 0;
    }
    if (what == "text" && arguments.size() == 4) {
        matchpoint::bench::Workload const* const w = matchpoint::bench::find_workload(arguments[2]);
        if (w == nullptr) return usage();
        std::string const text = w->text(std::stoul(arguments[3]));
        return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
    }
    if (what == "time" && arguments.size() == 3) return time_parts(arguments[2]);
    return usage();
}

} // namespace

int main(int argc, char** argv) {
    try {
        return workload_main(std::span(argv, static_cast<std::size_t>(argc)));
    } catch (std::exception const& e) {
        std::fprintf(stderr, "workload: %s\n", e.what());
        return 1;
    }
}
