// `matchpoint threads`: programs in C and C++ whose threads share memory, run and recorded.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/threads_runs.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "record/provenance.hpp"
#include "record/source_lines.hpp"
#include "record/threads/reading.hpp"
#include "record/threads/standstill.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto threads_examples = R"(Examples:
  matchpoint-cc -g prog.c -pthread -o prog
  matchpoint threads record -o run.ctp -- ./prog
  matchpoint check run.ctp -o bad.ctp    could that run have gone wrong?
  matchpoint threads replay bad.ctp -- ./prog
                                         it does, for real
  matchpoint threads verify -- ./prog    all of that, on all paths

docs/threads.md says what is recorded, and what becomes of it. `matchpoint
threads COMMAND --help` describes a command.

Exit codes: 0 the run ended well, 1 the recording is incomplete, or the run was
ended, 2 usage or bad input, 3 the program cannot be started, 10 the run failed,
11 it deadlocked, 74 the output could not be written.
)";

constexpr auto threads_record_examples = R"(The program has to be compiled with matchpoint-cc or matchpoint-c++.

Examples:
  matchpoint threads record -o run.ctp -- ./prog args
  matchpoint threads record --timeout 60 -o run.ctp -- ./prog
  matchpoint threads record --keep files -o run.ctp -- ./prog
  matchpoint threads read files -o run.ctp
                                         from the files of its threads

Exit codes: 0 the run ended well, 1 the recording is incomplete, or the time
limit or Ctrl-C ended the run, 2 usage, 3 the program cannot be started, 10 the
run failed, 11 it deadlocked, 74 the output could not be written.
)";

constexpr auto threads_read_examples = R"(Examples:
  matchpoint threads read files -o run.ctp

Exit codes: 0 done, 1 the recording is incomplete, 2 usage, or files that cannot
be read, 10 the run failed, 11 it deadlocked, 74 the output could not be
written.
)";

constexpr auto threads_replay_examples =
    R"(FILE is a program that `threads record` wrote, with traces that `check -o` wrote.
The program that runs has to be the recorded one.

Examples:
  matchpoint check run.ctp -o bad.ctp
  matchpoint threads replay bad.ctp -- ./prog args
  matchpoint threads replay --trace 1 run.ctp -- ./prog args
                                         the recorded run again

Exit codes: 0 the run followed a trace that ends well, and ended well, 1 what the
trace ends in was not confirmed, or the time limit or Ctrl-C ended the run, 2
usage or bad input, 3 the program cannot be started, 10 the run failed, 11 it
deadlocked, 74 the output could not be written.
)";

constexpr auto threads_verify_examples =
    R"(The program has to be compiled with matchpoint-cc or matchpoint-c++.

Examples:
  matchpoint threads verify -- ./prog args
  matchpoint threads verify --runs 1000 --time 600 -- ./prog
  matchpoint threads verify --keep runs -- ./prog
  matchpoint threads verify --first -o bad.ctp -- ./prog
  matchpoint threads replay bad.ctp -- ./prog
                                         the run that went wrong again

Exit codes: 0 nothing is left that the schedule decides, and no run went wrong,
1 something is left, or is not known, 2 usage, or a program that is not recorded,
3 the program cannot be started, 10 a run failed, 11 a run deadlocked, 74 the
output could not be written.
)";

namespace threads = record::threads;
using End = record::LaunchResult::End;

std::string place_of(threads::CodePlace const& at) {
    return place({at.file.empty() ? "" : record::shown_file(at.file), at.line});
}

/// Whether nothing could go on by the recording of a run of which nobody knows how it ended.
bool is_stuck(threads::ThreadRecording const& r) { return !r.exit_code && !r.failure && !r.not_at_end.empty(); }

} // namespace

ExitCode end_of(threads::ThreadRecording const& r, record::LaunchResult const* result) {
    if (r.failure) return failure;
    if (result != nullptr) return code_of(*result);
    if (r.exit_code) return *r.exit_code == 0 ? holds : failure;
    return is_stuck(r) ? deadlock : unknown;
}

namespace {

bool waits(threads::ThreadRecording const& r, std::size_t thread) {
    return std::any_of(r.waiting.begin(), r.waiting.end(), [thread](auto const& w) { return w.first == thread; });
}

/// The first comment of the program.
std::string comment_of(threads::ThreadRecording const& r, MpiOptions const& options,
                       record::LaunchResult const* result) {
    std::string const command = command_of(options);
    std::string text = command.empty() ? std::string(record::provenance::merged)
                                       : fmt::format("{}{}", record::provenance::recorded, printable(command, 4096));
    text += fmt::format("\n{} that share memory", plural(r.threads, "thread"));
    ExitCode const end = end_of(r, result);
    if (r.failure) text += fmt::format("\nIt failed: {}", printable(*r.failure, 400));
    if (end == deadlock) text += fmt::format("\n{}", record::provenance::deadlocked);
    if (end == unknown)
        text += fmt::format("\n{}{}", record::provenance::ended,
                            result == nullptr                 ? "the files of its threads do not say why"
                            : result->end == End::interrupted ? "it was interrupted"
                                                              : "a time limit was reached");
    for (std::string const& line : r.not_at_end) text += "\n" + printable(line, 400);
    if (end == deadlock || end == unknown)
        for (std::size_t t = 0; t < r.paths.size(); ++t)
            if (!r.paths[t].has_ended && !waits(r, t))
                text += fmt::format("\nthread {}{}its end", t, record::provenance::not_at_end);
    for (std::string const& line : r.blocks) text += "\n" + printable(line, 400);
    for (threads::RunNote const& gap : r.gaps)
        text += fmt::format("\nIncomplete: {}{}", printable(place_of(gap.at), 400), printable(gap.what, 400));
    return text;
}

void tell_notes(Terminal& terminal, std::vector<threads::RunNote> const& notes, std::string_view kind) {
    for (threads::RunNote const& n : notes)
        tell(terminal, fmt::format("{}: {}{}", kind, printable(place_of(n.at), 400), printable(n.what, 400)));
}

void tell_recording(threads::ThreadRecording const& r, bool is_asserted, Terminal& terminal) {
    tell(terminal, fmt::format("recorded {}: {}, {} of memory", plural(r.threads, "thread"),
                               plural(r.program.commands(), "command"), plural(r.locations, "shared location")));
    for (std::size_t i = 0; i < r.concretised.size(); ++i)
        if (r.concretised[i] > 0)
            tell(terminal, fmt::format("note: {} as in this run: {}", plural(r.concretised[i], "value"),
                                       threads::words(static_cast<threads::Concretised>(i))));
    if (r.assumed_in_range > 0)
        tell(terminal, fmt::format("note: {} {} not to overflow", plural(r.assumed_in_range, "signed operation"),
                                   is_asserted ? "asserted" : "assumed"));
    if (r.outside_values > 0)
        tell(terminal, fmt::format("note: {} as in this run: written by functions that were not compiled for recording",
                                   plural(r.outside_values, "value")));
    for (std::string const& line : r.not_at_end) tell(terminal, printable(line, 400));
    tell_notes(terminal, r.errors, "error");
    tell_notes(terminal, r.gaps, "incomplete");
    if (r.gaps.empty())
        tell(terminal, r.has_weak_orders
                           ? "complete for sequential consistency: some atomic accesses have weaker orders"
                           : "complete");
}

/// A thread that a replay has not created has no file.
void add_missing_files(std::vector<threads::ThreadFile>& files) {
    static constexpr std::string_view nothing("\0\0\0\0\0\0\0\0", 8);
    for (std::size_t i = 0; i < files.size(); ++i)
        if (std::string name = fmt::format("thread-{:05}.threads", i); files[i].name > name)
            files.insert(files.begin() + static_cast<std::ptrdiff_t>(i), {std::move(name), nothing});
}

/// Writes the program, and says how the run ended, and what its recording has.
ExitCode write_thread_run(threads::ThreadRecording const& recording, MpiOptions const& options,
                          record::LaunchResult const* result, Terminal& terminal) {
    if (ExitCode const code = write_output(options.output, draft::print(recording.program), terminal); code != holds)
        return code;
    if (recording.failure) tell(terminal, "the run failed: " + printable(*recording.failure, 400));
    ExitCode const end = end_of(recording, result);
    if (end == deadlock) tell(terminal, "the run deadlocked: nobody could go on");
    if (end == unknown && result != nullptr)
        tell(terminal, result->end == End::interrupted ? "interrupted; the run was ended"
                                                       : "the time limit was reached, and the run was ended");
    tell_recording(recording, options.ub, terminal);
    return end == holds && !recording.gaps.empty() ? unknown : end;
}

ExitCode read_and_write(std::filesystem::path const& folder, MpiOptions const& options,
                        record::LaunchResult const* result, Terminal& terminal) {
    auto const recording = read_thread_run(folder, options, result, terminal);
    return recording ? write_thread_run(*recording, options, result, terminal) : recording.error();
}

ExitCode threads_record(MpiOptions const& options, Terminal& terminal) {
    Interruptible const interruptible;
    TemporaryFolder const temporary;
    auto const folder = folder_for(options, temporary, terminal);
    if (!folder) return folder.error();
    auto const result = run_threads(*folder, options, {}, terminal);
    return result ? read_and_write(*folder, options, &*result, terminal) : result.error();
}

} // namespace

Expected<threads::ThreadRecording, ExitCode> read_thread_run(std::filesystem::path const& folder,
                                                             MpiOptions const& options,
                                                             record::LaunchResult const* result, Terminal& terminal) {
    std::vector<std::string> texts;
    std::vector<threads::ThreadFile> files;
    for (auto const& path : threads::thread_files(folder)) {
        auto text = threads::read_thread_file(path);
        if (!text) {
            complain(terminal, fmt::format("cannot read {}", printable(path.string(), 4096)), ErrorKind::file);
            return Unexpected{bad_input};
        }
        texts.push_back(std::move(*text));
        files.push_back({path.filename().string(), {}});
    }
    if (files.empty()) {
        complain(terminal,
                 result == nullptr
                     ? fmt::format("{} has no file of a thread: they are called thread-00000.threads, ...",
                                   printable(folder.string(), 4096))
                     : std::string("no thread was recorded"),
                 ErrorKind::file, {"matchpoint-cc and matchpoint-c++ compile programs for recording"});
        return Unexpected{bad_input};
    }
    for (std::size_t i = 0; i < files.size(); ++i) files[i].bytes = texts[i];
    add_missing_files(files);
    threads::ThreadRecording recording =
        threads::read_threads(std::move(files), threads::thread_bytes_within(options.memory.value_or(0) << 20U),
                              options.ub ? threads::Overflow::asserted : threads::Overflow::assumed);
    if (recording.fault) {
        threads::Fault const& f = *recording.fault;
        complain(terminal, fmt::format("{}: at byte {}, rule {}: {}", printable(f.file), f.offset, f.rule, f.message),
                 ErrorKind::file);
        return Unexpected{bad_input};
    }
    recording.program.comment = comment_of(recording, options, result);
    return recording;
}

Expected<record::LaunchResult, ExitCode> run_threads(std::filesystem::path const& folder, MpiOptions const& options,
                                                     std::filesystem::path const& schedule, Terminal& terminal,
                                                     std::filesystem::path const& streams) {
    record::Launch l = launch_as(options, {});
    l.folder = folder;
    if (!streams.empty()) {
        l.output = streams / "output";
        l.errors = streams / "errors";
    }
    l.variables["MATCHPOINT_THREADS_RECORD"] = folder.string();
    l.variables["MATCHPOINT_THREADS_SCHEDULE"] = schedule.string(); // it may be empty, but is there
    l.has_fixed_addresses = true;
    auto const watch = std::make_shared<threads::ThreadWatch>(folder, l.patience);
    l.is_stuck = [watch] { return watch->is_stuck(); };
    terminal.flush();
    record::LaunchResult result = record::launch(l);
    if (result.end != End::not_started) return result;
    complain(terminal, result.why, ErrorKind::launcher);
    return Unexpected{solver_failed};
}

void add_threads(CommandLine& line) {
    auto const options = std::make_shared<MpiOptions>();
    options->api = record::Api::mcapi;
    Command command =
        line.add("threads", "Record runs of C and C++ programs whose threads share memory", threads_examples);

    Command record = command.add("record", "Run a program, and write what its threads did as a program of the language",
                                 threads_record_examples);
    record.command_argument("COMMAND", options->command, "Behind `--`: the program, with its arguments");
    record.output(Content::program, options->output,
                  "Write the program to a file, atomically. Default: to standard output, after what the run prints "
                  "there");
    record.text("--keep", "DIR", options->keep, "Keep the files of the threads in this folder");
    record.seconds("--timeout", "T", options->timeout, "Time limit for the run in seconds. Default: no limit");
    record.seconds("--patience", "T", options->patience,
                   "The run is stuck if all threads have waited for each other for so many seconds. Default: 0.5");
    constexpr auto memory = "Read only the beginning of a recording that needs more than N MiB, about. Default: 2048";
    constexpr auto ub = "Assert that signed operations do not overflow, and do not assume it";
    record.flag("--ub", options->ub, ub);
    record.number("--memory", options->memory, memory);

    Command read =
        command.add("read", "Make a program of the files that the threads of a run wrote", threads_read_examples);
    read.argument("DIR", options->folder, "The folder with the files of the threads");
    read.reads_in_folder({".threads", ".window"});
    read.output(Content::program, options->output, "Write the program to a file, atomically");
    read.flag("--ub", options->ub, ub);
    read.number("--memory", options->memory, memory);

    Command replay = command.add("replay", "Run the program again, so that its threads do what they do in a trace",
                                 threads_replay_examples);
    replay.argument("FILE", options->file, "A recorded program with traces, such as `check -o` writes");
    replay.command_argument("COMMAND", options->command, "Behind `--`: the program, with its arguments");
    replay.trace(options->trace,
                 "Trace N of the file, counted from 1. Default: the first that fails or gets stuck, or the last");
    replay.output(Content::program, options->output, "Write what this run did as a program, atomically");
    replay.text("--keep", "DIR", options->keep, "Keep the files of the threads in this folder");
    replay.seconds("--timeout", "T", options->timeout, "Time limit for the run in seconds. Default: no limit");
    replay.seconds("--patience", "T", options->patience,
                   "The run is stuck if all threads have waited for each other for so many seconds, and has left the "
                   "trace if a thread does not do what comes next for ten times as long. Default: 0.5");
    replay.number("--memory", options->memory, memory);

    Command verify = command.add("verify", "Run the program again and again, on all paths that its schedule decides",
                                 threads_verify_examples);
    verify.command_argument("COMMAND", options->command, "Behind `--`: the program, with its arguments");
    verify.number("--runs", options->runs, "Run the program at most N times. Default: 100");
    verify.flag("--first", options->first, "Stop at the first run that fails or deadlocks");
    verify.seconds("--time", "T", options->time, "Stop after so many seconds. Default: no limit");
    verify.number("--switches", options->switches,
                  "Look only at executions with at most N context switches. Default: at all. Needs z3");
    verify.text("--findings", "OUT", options->findings,
                "Write what was found to a file, as SARIF if its name ends in .sarif, otherwise as JSON");
    verify.output(Content::program, options->output, "Write the first run that goes wrong as a program, atomically");
    verify.text("--keep", "DIR", options->keep, "Keep the files of all runs in this folder");
    verify.seconds("--timeout", "T", options->timeout, "Time limit for a run in seconds. Default: 60");
    verify.seconds("--patience", "T", options->patience, "As of `replay`");
    verify.number("--memory", options->memory, memory);

    command.color();
    command.action([options, command](Terminal& terminal) {
        std::string const name = command.given();
        if (name == "record") return threads_record(*options, terminal);
        if (name == "read") return read_and_write(options->folder, *options, nullptr, terminal);
        if (name == "replay") return replay_threads_command(*options, terminal);
        if (name == "verify") return verify_threads_command(*options, terminal);
        complain(terminal, "`threads` needs a command: record, read, replay or verify", ErrorKind::usage);
        return bad_input;
    });
}

} // namespace matchpoint::cli
