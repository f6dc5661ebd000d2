// Windows of long runs (docs/shared_memory.md, "By windows"): processor time for an event, of runs of 100,000 events
// and of ten times as many.
//
//   build/release/bench/windows_bench        half a minute
//
// Exit codes: 0 an event of the longer run takes at most 1.3 times as long, 1 it takes longer.
#include <cstdio>
#include <ctime>
#include <string>

#include "check/engines/engines.hpp"
#include "grammar/parse.hpp"
#include "programs/families.hpp"

namespace {

using namespace matchpoint;

/// Microseconds for an event of the run of `gen recorded-buffer 4 4 N 8 --safe`, in windows of 30 events: so small ones
/// are looked at as a whole.
double microseconds_an_event(std::uint64_t each) {
    programs::families::Arguments arguments;
    arguments.numbers = {4, 4, each, 8};
    arguments.variant = "--safe";
    auto const made = make(*programs::families::find("recorded-buffer"), arguments);
    base::Source const source("bench", programs::draft::print(made->draft));
    auto const program = grammar::parse(source);
    machine::IndexedProgram const code(*program);
    matching::MessageIndex const messages(code);
    check::CheckOptions options;
    options.window = 30;
    options.window_time = std::chrono::milliseconds(1);
    check::Context c(messages, options);
    std::clock_t const begin = std::clock();
    look_through_windows(c);
    double const seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    auto const events = static_cast<double>(program->ctp.commands.size());
    double const result = seconds * 1e6 / events;
    std::printf("%9.0f events: %7llu windows, %7llu looked at as a whole, %.1f s, %.1f us an event\n", events,
                static_cast<unsigned long long>(c.windows->all), static_cast<unsigned long long>(c.windows->whole),
                seconds, result);
    return result;
}

} // namespace

int main() {
    double const small = microseconds_an_event(1'400);
    double const ratio = microseconds_an_event(14'000) / small;
    std::printf("ratio %.2f\n", ratio);
    return ratio <= 1.3 ? 0 : 1;
}
