// `matchpoint mpi`: programs of MPI, run, recorded and run again.
#include <memory>

#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/mpi_runs.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto mpi_examples = R"(Examples:
  matchpoint mpi record -o run.ctp -- mpirun -n 4 ./prog
  matchpoint check run.ctp               could that run have gone wrong?
  matchpoint draw run.ctp                what it sent to whom

docs/record.md walks through one bug. `matchpoint mpi COMMAND --help` describes
a command.

Exit codes: 0 the run ended well, or all runs did, 1 unknown, 2 usage or bad
input, 3 there is no launcher or no recorder, 10 a run failed, 11 a run stands
still, 13 a trace is no run of the program, 74 the output could not be written.
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

constexpr auto replay_examples = R"(Examples:
  matchpoint check run.ctp -o witness.ctp
  matchpoint mpi replay witness.ctp --trace 1 -- mpirun -n 4 ./prog args
  matchpoint mpi replay witness.ctp --buffering zero -- mpirun -n 4 ./prog args
                                         standard sends wait for their receives

Exit codes: as for `mpi record`; 1 also if the run did not do what the trace
does, and 13 if the trace is no run of the program.
)";

constexpr auto verify_examples = R"(Examples:
  matchpoint mpi verify -- mpirun -n 4 ./prog args
  matchpoint mpi verify --runs 1000 --jobs 2 --timeout 60 -- mpirun -n 4 ./prog

Exit codes: 0 every match set was tried, and no run failed; 1 some are left;
2 usage; 3 there is no launcher or no recorder; 10 a run failed; 11 a run stands
still.
)";

constexpr auto merge_examples = R"(Examples:
  matchpoint mpi merge files -o run.ctp

Exit codes: 0 done, 1 the recording is incomplete, 2 usage, or files that cannot
be read, 74 the output could not be written.
)";

/// Options of all commands that run a program.
void add_run_options(Command& command, MpiOptions& options) {
    command.text("--keep", "DIR", options.keep, "Keep the files of the ranks in this folder");
    command.seconds("--timeout", "T", options.timeout, "Time limit for the run in seconds. Default: no limit");
    command.seconds("--patience", "T", options.patience,
                    "Ask whether the run is stuck when no rank has moved for so many seconds. Default: 0.5");
}

} // namespace

void add_mpi(CommandLine& line) {
    auto const options = std::make_shared<MpiOptions>();
    Command command =
        line.add("mpi", "Record runs of MPI programs, and make what could have happened happen", mpi_examples);

    Command record = command.add("record", "Run an MPI program, and write what it did as a program of the language",
                                 record_examples);
    record.command_argument("COMMAND", options->command, "Behind `--`: mpirun, and what it is to run");
    record.output(options->output, "Write the program to a file, atomically");
    add_run_options(record, *options);

    Command merge = command.add("merge", "Make a program of the files that the ranks of a run wrote", merge_examples);
    merge.argument("DIR", options->folder, "The folder with the files of the ranks");
    merge.output(options->output, "Write the program to a file, atomically");

    Command replay = command.add("replay", "Run the program again, so that its receives take what they take in a trace",
                                 replay_examples);
    replay.argument("FILE", options->file, "A recorded program with traces, such as `check -o` writes");
    replay.command_argument("COMMAND", options->command, "Behind `--`: mpirun, and what it is to run");
    replay.trace(options->trace, "Trace N of the file, counted from 1. Default: the first that fails or gets stuck");
    replay.buffering(options->buffering);
    replay.output(options->output, "Write what this run did as a program, atomically");
    add_run_options(replay, *options);

    Command verify = command.add(
        "verify", "Run the program again and again, until it has taken every match set of every path", verify_examples);
    verify.command_argument("COMMAND", options->command, "Behind `--`: mpirun, and what it is to run");
    verify.count("--runs", "N", options->runs, "Run the program at most N times. Default: 100");
    verify.range("--jobs", "K", options->jobs, 1, 256, "Run it K times at once. Default: 1");
    add_run_options(verify, *options);

    command.color();
    command.action([options, command](Terminal& terminal) {
        std::string const name = command.given();
        if (name.empty()) {
            complain(terminal, "`mpi` needs a command: record, replay, verify or merge", ErrorKind::usage);
            return bad_input;
        }
        if (name == "record") return record_command(*options, terminal);
        if (name == "replay") return replay_command(*options, terminal);
        return name == "verify" ? verify_command(*options, terminal) : merge_command(*options, terminal);
    });
}

} // namespace matchpoint::cli
