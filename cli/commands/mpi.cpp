// `matchpoint mpi`: programs of MPI, run, recorded and run again.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "record/launch.hpp"
#include "record/recording.hpp"
#include "record/source_lines.hpp"

namespace matchpoint::cli {

namespace {

struct MpiOptions {
    std::vector<std::string> command; // a launcher with its arguments
    std::string output;
    std::string keep; // a folder for the files of the ranks; empty: they are removed
    std::string folder;
    std::optional<double> timeout;
    double patience = 2;
};

constexpr auto mpi_examples = R"(Examples:
  matchpoint mpi record -o run.ctp -- mpirun -n 4 ./prog
  matchpoint check run.ctp               could that run have gone wrong?
  matchpoint draw run.ctp                what it sent to whom

docs/record.md walks through one bug. `matchpoint mpi COMMAND --help` describes a
command.
)";

constexpr auto record_examples = R"(The program is run as it is: nothing has to be compiled anew. With debug
information (cc -g) every report names lines of its source. docs/record.md says
what is recorded, and how a program can say more about its values.

Examples:
  matchpoint mpi record -o run.ctp -- mpirun -n 4 ./prog args
  matchpoint mpi record --timeout 60 -o run.ctp -- mpirun --oversubscribe -n 8 ./prog
  matchpoint mpi record --keep files -o run.ctp -- mpirun -n 2 ./prog
  matchpoint mpi merge files -o run.ctp  from the files of its ranks

Exit codes: 0 the run ended well, 1 the recording is incomplete or the time is
over, 2 usage, 3 there is no launcher or no recorder, 10 the run failed, 11 it
stands still, 74 the output could not be written.
)";

constexpr auto merge_examples = R"(Examples:
  matchpoint mpi merge files -o run.ctp

Exit codes: 0 done, 1 the recording is incomplete, 2 usage, or files that cannot
be read, 74 the output could not be written.
)";

/// A folder that goes when it is not needed any more.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "matchpoint-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    TemporaryFolder(TemporaryFolder const&) = delete;
    TemporaryFolder& operator=(TemporaryFolder const&) = delete;
    ~TemporaryFolder() {
        std::error_code error;
        if (!path_.empty()) std::filesystem::remove_all(path_, error);
    }
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::string place(record::SourceLine const& at) {
    if (at.file.empty()) return "";
    return at.line == 0 ? fmt::format("{}: ", at.file) : fmt::format("{}:{}: ", at.file, at.line);
}

std::string words(record::Rank const& rank) {
    switch (rank.end) {
    case record::End::finalized: return "came to MPI_Finalize";
    case record::End::aborted: return fmt::format("called MPI_Abort with code {}", rank.abort_code);
    case record::End::blocked: return fmt::format("waits: {}in {}", place(rank.blocked_at), rank.blocked_in);
    case record::End::elsewhere: break;
    }
    return "ended before MPI_Finalize";
}

std::string comment(record::Recording const& r, std::string const& command) {
    std::string text = command.empty() ? "A recorded run." : fmt::format("A recorded run of: {}", printable(command, 4096));
    if (!r.ranks.empty()) text += fmt::format("\n{} ranks; {}", r.ranks.size(), printable(r.ranks.front().library));
    for (record::Rank const& rank : r.ranks)
        if (rank.end != record::End::finalized) text += fmt::format("\nRank {} {}.", rank.number, words(rank));
    for (record::Gap const& gap : r.gaps)
        text += fmt::format("\nIncomplete: rank {}: {}{}: {}", gap.rank, place(gap.at), gap.function, gap.what);
    if (r.has_concrete_values) text += fmt::format("\n{}", record::recorded_values);
    return text;
}

void tell(Terminal& terminal, std::string const& line) { terminal.tell("matchpoint: " + line + "\n"); }

/// The same of several ranks is said once.
void tell_notes(Terminal& terminal, std::vector<record::Gap> const& notes, std::string_view kind) {
    std::vector<std::string> said;
    for (record::Gap const& note : notes) {
        std::string line = fmt::format("{}: {}{}: {}", kind, place(note.at), note.function, note.what);
        if (std::find(said.begin(), said.end(), line) != said.end()) continue;
        tell(terminal, line);
        said.push_back(std::move(line));
    }
}

/// Reads the files of the ranks and writes the program.
ExitCode merge(std::filesystem::path const& folder, MpiOptions const& options, Terminal& terminal) {
    std::vector<Source> files;
    for (auto const& file : record::rank_files(folder)) {
        auto source = read_or_complain(file.string(), terminal);
        if (!source) return source.error();
        files.push_back(std::move(*source));
    }
    if (files.empty()) {
        complain(terminal,
                 fmt::format("no rank was recorded: no process called MPI_Init with the MPI library that `{}` belongs to",
                             options.command.empty() ? "mpirun" : options.command.front()),
                 ErrorKind::file);
        return bad_input;
    }
    record::SourceLines lines;
    record::Recording const recording = record::read_recording(files, lines);
    for (std::size_t i = 0; i < files.size(); ++i) show(terminal, recording.faults[i], files[i]);
    if (!recording.is_readable()) return bad_input;

    draft::Draft program = record::program_of(recording);
    program.comment = comment(recording, fmt::format("{}", fmt::join(options.command, " ")));
    ExitCode const written = write_output(options.output, draft::print(program), terminal);
    if (written != holds) return written;

    std::size_t commands = 0;
    for (draft::Thread const& thread : program.threads) commands += thread.size();
    tell(terminal, fmt::format("recorded {} ranks of {}: {} commands", recording.ranks.size(),
                               recording.ranks.front().ranks, commands));
    for (record::Rank const& rank : recording.ranks)
        if (rank.end != record::End::finalized) tell(terminal, fmt::format("rank {} {}", rank.number, words(rank)));
    tell_notes(terminal, recording.gaps, "incomplete");
    tell_notes(terminal, recording.remarks, "note");
    bool const all = recording.ranks.size() == recording.ranks.front().ranks;
    if (!all) tell(terminal, fmt::format("incomplete: {} ranks have no file", recording.ranks.front().ranks - recording.ranks.size()));
    return recording.gaps.empty() && all ? holds : unknown;
}

ExitCode merge_command(MpiOptions const& options, Terminal& terminal) {
    return merge(options.folder, options, terminal);
}

/// How the run ended, and the code for it.
ExitCode tell_end(record::LaunchResult const& result, Terminal& terminal) {
    using End = record::LaunchResult::End;
    switch (result.end) {
    case End::exited:
        if (result.exit_code == 0) return holds;
        tell(terminal, fmt::format("the run failed: exit code {}", result.exit_code));
        return failure;
    case End::killed:
        tell(terminal, fmt::format("the run failed: killed by signal {} ({})", result.signal, sigabbrev_np(result.signal)));
        return failure;
    case End::stands_still: tell(terminal, "the run stands still: every rank waits; it was ended"); return deadlock;
    case End::out_of_time: tell(terminal, "the time is over; the run was ended"); return unknown;
    case End::interrupted: tell(terminal, "interrupted; the run was ended"); return unknown;
    case End::not_started: break;
    }
    complain(terminal, result.why, ErrorKind::launcher);
    return solver_failed;
}

ExitCode record_command(MpiOptions const& options, Terminal& terminal) {
    auto const library = record::library_of(options.command.front());
    if (!library) {
        complain(terminal,
                 fmt::format("`{}` is not the mpirun or mpiexec of Open MPI or MPICH", printable(options.command.front())),
                 ErrorKind::launcher);
        return solver_failed;
    }
    auto const recorder = record::recorder_of(*library);
    if (recorder.empty()) {
        complain(terminal, fmt::format("there is no recorder for {}: it was not there when matchpoint was built",
                                       record::name_of(*library)),
                 ErrorKind::launcher);
        return solver_failed;
    }
    TemporaryFolder const temporary;
    std::filesystem::path folder = temporary.path();
    std::error_code error;
    if (!options.keep.empty()) {
        std::filesystem::create_directories(options.keep, error);
        folder = std::filesystem::canonical(options.keep, error);
        if (error || !std::filesystem::is_empty(folder, error)) {
            complain(terminal, fmt::format("{}: it has to be an empty folder, or not to exist", printable(options.keep, 4096)),
                     ErrorKind::file);
            return bad_input;
        }
    }
    record::Launch l{.command = options.command, .recorder = recorder, .folder = folder};
    if (options.timeout) l.limit = std::chrono::duration<double>(*options.timeout);
    l.patience = std::chrono::duration<double>(options.patience);
    terminal.flush();
    record::LaunchResult const result = record::launch(l);
    ExitCode const end = tell_end(result, terminal);
    if (end == solver_failed) return end;
    ExitCode const merged = merge(folder, options, terminal);
    return merged == holds || (merged == unknown && end != holds) ? end : merged;
}

} // namespace

void add_mpi(CommandLine& line) {
    auto const options = std::make_shared<MpiOptions>();
    Command command = line.add("mpi", "Record runs of MPI programs, and make what could have happened happen", mpi_examples);

    Command record = command.add("record", "Run an MPI program, and write what it did as a program of the language", record_examples);
    record.command_argument("COMMAND", options->command, "Behind `--`: mpirun, and what it is to run");
    record.output(options->output, "Write the program to a file, atomically");
    record.text("--keep", "DIR", options->keep, "Keep the files of the ranks in this folder");
    record.seconds("--timeout", "T", options->timeout, "Time limit for the run in seconds. Default: no limit");
    record.seconds("--patience", "T", options->patience,
                   "End the run when all ranks have waited for each other for so many seconds. Default: 2");

    Command merge = command.add("merge", "Make a program of the files that the ranks of a run wrote", merge_examples);
    merge.argument("DIR", options->folder, "The folder with the files of the ranks");
    merge.output(options->output, "Write the program to a file, atomically");

    command.color();
    command.action([options, command](Terminal& terminal) {
        return command.given() == "record" ? record_command(*options, terminal) : merge_command(*options, terminal);
    });
}

} // namespace matchpoint::cli
