#include "record/threads/confirmation.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "grammar/print.hpp"
#include "record/source_lines.hpp"

namespace matchpoint::record::threads {

namespace {

/// "t1.4 (x_1.1 := x), at account.c:8"
std::string event_in_words(matching::Prepared const& prepared, ScheduledEvent const& e) {
    Program const& program = prepared.program;
    auto const& at = program.ctp.commands[program.ctp.threads[e.thread].first + e.command];
    return fmt::format("t{}.{} {}{}", e.thread, e.event, printable(grammar::print(program, at.c), 200),
                       e.line == 0 ? "" : fmt::format(", at line {}", e.line));
}

} // namespace

WaitsAtEnd waits_of(ThreadRecording const& run) { return {run.waiting.begin(), run.waiting.end()}; }

WaitsAtEnd waits_of(matching::Prepared const& prepared, Predicted const& predicted) {
    WaitsAtEnd waits;
    Program const& program = prepared.program;
    for (Predicted::Waiting const& w : predicted.waits) {
        Location const at{program.ctp.threads[w.waits.rank].first + static_cast<std::uint32_t>(w.waits.behind)};
        if (std::uint32_t const event = ThreadSchedule::event_of(program.symbols(at)); event != 0)
            waits.emplace(w.waits.rank, event);
    }
    return waits;
}

std::string divergence_in_words(matching::Prepared const& prepared, ThreadSchedule const& schedule,
                                ReplayReport::Divergence const& d) {
    ScheduledEvent const* const planned = schedule.find(d.thread, d.event);
    std::string const trace = planned == nullptr ? "" : event_in_words(prepared, *planned);
    std::string const where = d.line == 0 ? "" : printable(fmt::format("{}:{}: ", shown_file(d.file), d.line), 400);
    if (d.what == "nothing")
        return fmt::format("diverged: nobody moves, and thread {} does not do {}", d.thread, trace);
    return fmt::format("diverged at {}thread {} does {}; the trace has {}", where, d.thread, printable(d.what), trace);
}

Confirmation confirmation(matching::Prepared const& prepared, ThreadSchedule const& schedule,
                          Predicted const& predicted, ReplayReport const& report, RunEnd end,
                          ThreadRecording const& run) {
    if (report.diverged) return Confirmation::diverged;
    if (end == RunEnd::ended) return Confirmation::cut_off;
    if (report.done < schedule.ordered()) return Confirmation::too_early;
    if (predicted.is_deadlock && end == RunEnd::deadlocked && waits_of(prepared, predicted) != waits_of(run))
        return Confirmation::other_deadlock;
    RunEnd const wanted = predicted.is_deadlock            ? RunEnd::deadlocked
                          : predicted.s == Status::failure ? RunEnd::failed
                                                           : RunEnd::passed;
    return end == wanted ? Confirmation::confirmed : Confirmation::another_end;
}

} // namespace matchpoint::record::threads
