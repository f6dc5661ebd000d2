// `matchpoint threads replay`: a trace of a recording, followed by the real program.
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/threads_runs.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "record/predicted.hpp"
#include "record/provenance.hpp"
#include "record/threads/confirmation.hpp"

namespace matchpoint::cli {

namespace {

using record::Predicted;
using record::threads::Confirmation;
using record::threads::ReplayReport;
using record::threads::ThreadRecording;
using record::threads::ThreadSchedule;

/// What the trace ends in; none after complaining.
std::optional<Predicted> predict_end(Prepared const& prepared, std::size_t t, Terminal& terminal) {
    auto predicted = record::predict(prepared, t, Buffering::infinite, {});
    if (predicted) return std::move(*predicted);
    complain(terminal, predicted.error(), ErrorKind::trace);
    return std::nullopt;
}

/// The trace that was asked for, or the first one that fails or gets stuck, or the last one.
Expected<std::size_t, ExitCode> trace_of(Prepared const& prepared, MpiOptions const& options, Terminal& terminal) {
    std::size_t const traces = prepared.program.traces.size();
    std::size_t const number = options.trace.value_or(traces);
    if (number < 1 || number > traces) {
        std::string const file = printable(options.file, 4096);
        complain(terminal, fmt::format("{} has no trace{}", file, number == 0 ? "" : fmt::format(" {}", number)),
                 ErrorKind::trace,
                 {fmt::format("`matchpoint check {} -o witness.ctp` writes traces that fail or get stuck", file)});
        return Unexpected{bad_input};
    }
    if (options.trace) return number - 1;
    Terminal nowhere([](std::string_view) {});
    for (std::size_t t = 0; t < traces; ++t)
        if (auto const p = predict_end(prepared, t, nowhere); p && (p->is_deadlock || p->s == Status::failure)) {
            tell(terminal, fmt::format("trace {}, which {}", t + 1, p->is_deadlock ? "gets stuck" : "fails"));
            return t;
        }
    return number - 1;
}

Expected<ThreadSchedule, ExitCode> schedule_of(Prepared const& prepared, std::size_t t, bool fails,
                                               MpiOptions const& options, Terminal& terminal) {
    auto schedule = ThreadSchedule::of(prepared, t, fails);
    std::string const file = printable(options.file, 4096);
    if (!schedule) {
        complain(terminal,
                 fmt::format("{} is not a program that `matchpoint threads record` wrote: {}", file, schedule.error()),
                 ErrorKind::file);
        return Unexpected{bad_input};
    }
    auto const recorded = record::provenance_of(prepared.source.text()).command;
    if (recorded && *recorded != printable(command_of(options), 4096))
        warn(terminal, fmt::format("{} is a recording of another command: {}", file, printable(*recorded, 4096)),
             ErrorKind::usage);
    return std::move(*schedule);
}

/// Whether what the trace ends in has happened, in words, and the code for it.
ExitCode tell_confirmation(Predicted const& predicted, std::string const& ending, ExitCode end, Terminal& terminal) {
    ExitCode const wanted = predicted.is_deadlock ? deadlock : predicted.s == Status::failure ? failure : holds;
    if (wanted == holds) {
        if (end != holds) tell(terminal, ending + "; the trace does not");
        return end;
    }
    tell(terminal, fmt::format("{}confirmed: {}", end == wanted ? "" : "not ", ending));
    return end == wanted ? wanted : unknown;
}

ExitCode tell_replay(Prepared const& prepared, ThreadSchedule const& schedule, Predicted const& predicted,
                     ReplayReport const& report, record::LaunchResult const& result, ThreadRecording const& run,
                     Terminal& terminal) {
    ExitCode const end = end_of(run, &result);
    std::string const ending = end_in_words(run, result, end);
    Confirmation const c = confirmation(prepared, schedule, predicted, report, run_end_of(end), run);
    if (c == Confirmation::diverged) {
        tell(terminal, "not confirmed: " + divergence_in_words(prepared, schedule, *report.diverged));
        tell(terminal, "then it went on freely: " + ending);
        return unknown;
    }
    tell(terminal, fmt::format("{} of {} done as in the trace", report.done, plural(schedule.ordered(), "event")));
    if (c == Confirmation::cut_off) {
        tell(terminal, "the run was ended before it confirmed or refuted anything");
        return unknown;
    }
    if (c == Confirmation::too_early) {
        tell(terminal, fmt::format("not confirmed: {} before the end of the trace", ending));
        return unknown;
    }
    if (end == deadlock)
        for (std::string const& line : run.not_at_end) tell(terminal, printable(line, 400));
    if (c == Confirmation::other_deadlock) {
        tell(terminal, "another deadlock than that of the trace");
        return deadlock;
    }
    return tell_confirmation(predicted, ending, end, terminal);
}

} // namespace

std::string end_in_words(ThreadRecording const& run, record::LaunchResult const& result, ExitCode end) {
    if (end == deadlock) return "the run deadlocked";
    if (end != failure) return was_ended(result) ? "the run was ended" : "the run passed";
    return fmt::format("the run failed: {}", run.failure ? printable(*run.failure, 400) : words(result));
}

record::threads::RunEnd run_end_of(ExitCode end) {
    using record::threads::RunEnd;
    return end == holds      ? RunEnd::passed
           : end == failure  ? RunEnd::failed
           : end == deadlock ? RunEnd::deadlocked
                             : RunEnd::ended;
}

ExitCode replay_threads_command(MpiOptions const& options, Terminal& terminal) {
    auto const prepared = read_prepared(options.file, terminal, KnowsSharing::yes);
    if (!prepared) return prepared.error();
    auto const t = trace_of(**prepared, options, terminal);
    if (!t) return t.error();
    auto const predicted = predict_end(**prepared, *t, terminal);
    if (!predicted) return error;
    auto const schedule = schedule_of(**prepared, *t, predicted->s == Status::failure, options, terminal);
    if (!schedule) return schedule.error();

    Interruptible const interruptible;
    TemporaryFolder const temporary;
    TemporaryFolder const with_schedule;
    auto const folder = folder_for(options, temporary, terminal);
    if (!folder) return folder.error();
    if (with_schedule.path().empty()) {
        complain(terminal, with_schedule.error(), ErrorKind::file);
        return output_failed;
    }
    std::string const file = with_schedule.path() / "schedule";
    auto const patience = 10 * std::chrono::duration<double>(options.patience);
    if (ExitCode const code = replace_or_complain(file, schedule->text(patience), terminal); code != holds) return code;
    auto const result = run_threads(*folder, options, file, terminal);
    if (!result) return result.error();
    auto const report = record::threads::replay_report(*folder);
    auto const run = read_thread_run(*folder, options, &*result, terminal);
    if (!run) return run.error();
    if (!report) {
        complain(terminal, "the program has not read the schedule", ErrorKind::file,
                 {"matchpoint-cc and matchpoint-c++ compile programs for recording and replay"});
        return bad_input;
    }
    if (is_file(options.output))
        if (ExitCode const code = write_output(options.output, draft::print(run->program), terminal); code != holds)
            return code;
    return tell_replay(**prepared, *schedule, *predicted, *report, *result, *run, terminal);
}

} // namespace matchpoint::cli
