// `matchpoint mpi` and `matchpoint mcapi`: programs of MPI, and of MCAPI over threads, run, recorded and run again.
#include <memory>

#include <fmt/format.h>

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
input, 3 there is no launcher or no recorder, 10 a run failed, 11 a run
deadlocked, 13 a trace is not a run of the program, 74 the output could not be
written.
)";

constexpr auto record_examples = R"(The program is run as it is: nothing has to be compiled anew. With debug
information (cc -g) every report names lines of its source. docs/record.md says
what is recorded, and how a program can say more about its values.

Examples:
  matchpoint mpi record -o run.ctp -- mpirun -n 4 ./prog args
  matchpoint mpi record --timeout 60 -o run.ctp -- mpirun --oversubscribe -n 8 ./prog
  matchpoint mpi record --keep files -o run.ctp -- mpirun -n 2 ./prog
  matchpoint mpi merge files -o run.ctp  from the files of its ranks

Exit codes: 0 the run ended well, 1 the recording is incomplete, or the time
limit or Ctrl-C ended the run, 2 usage, 3 there is no launcher or no recorder,
10 the run failed, 11 it deadlocked, 13 --strict and there are findings, 74 the
output could not be written.
)";

constexpr auto replay_examples = R"(Examples:
  matchpoint check run.ctp -o witness.ctp
  matchpoint mpi replay witness.ctp --trace 1 -- mpirun -n 4 ./prog args
  matchpoint mpi replay witness.ctp --buffering zero -- mpirun -n 4 ./prog args
                                         standard sends wait for their receives

Exit codes: as for `mpi record`; 1 also if the run did not do what the trace
does, or does not show it (a ready send that comes before its receive), and 13
if the trace is not a run of the program, or if collective calls did not match
as in the trace, and the library let them pass.
)";

constexpr auto verify_examples = R"(Examples:
  matchpoint mpi verify -- mpirun -n 4 ./prog args
  matchpoint mpi verify --runs 1000 --jobs 2 --timeout 60 -- mpirun -n 4 ./prog
  matchpoint mpi verify --keep runs -- mpirun -n 4 ./prog
  matchpoint mpi verify --keep runs --resume -- mpirun -n 4 ./prog
                                         go on where it stopped, or with --runs
  matchpoint mpi verify -o bug.ctp -- mpirun -n 4 ./prog
  matchpoint draw bug.ctp --trace 1 --beside 2
                                         a run that goes wrong beside one that
                                         does not

Exit codes: 0 every match set and every choice of time was tried, and no run
failed; 1 some are left; 2 usage; 3 there is no launcher or no recorder; 10 a
run failed; 11 a run deadlocked; 13 collective calls do not match, or --strict
and there are findings; 74 the output could not be written.
)";

constexpr auto merge_examples = R"(Examples:
  matchpoint mpi merge files -o run.ctp

Exit codes: 0 done, 1 the recording is incomplete, 2 usage, or files that cannot
be read, 13 --strict and there are findings, 74 the output could not be written.
)";

constexpr auto mcapi_examples = R"(Examples:
  matchpoint mcapi record -o run.ctp -- ./prog
  matchpoint check run.ctp               could that run have gone wrong?
  matchpoint mcapi verify -- ./prog      all runs that it can have

docs/record.md has a program. `matchpoint mcapi COMMAND --help` describes a
command.

Exit codes: 0 the run ended well, or all runs did, 1 unknown, 2 usage or bad
input, 3 the program cannot be started, 10 a run failed, 11 a run deadlocked,
13 a trace is not a run of the program, 74 the output could not be written.
)";

constexpr auto mcapi_record_examples = R"(Every report names lines of the source. docs/record.md says what is recorded.

Examples:
  matchpoint mcapi record -o run.ctp -- ./prog args
  matchpoint mcapi record --keep files -o run.ctp -- ./prog
  matchpoint mcapi merge files -o run.ctp
                                         from the files of its threads

Exit codes: 0 the run ended well, 1 the recording is incomplete, or the time
limit or Ctrl-C ended the run, 2 usage, 3 the program cannot be started, 10 the
run failed, 11 it deadlocked, 74 the output could not be written.
)";

constexpr auto mcapi_replay_examples = R"(Examples:
  matchpoint check run.ctp -o witness.ctp
  matchpoint mcapi replay witness.ctp --trace 1 -- ./prog args
  matchpoint mcapi replay witness.ctp --buffering zero -- ./prog args
                                         sends wait for their receives

Exit codes: as for `mcapi record`; 1 also if the run did not do what the trace
does, and 13 if the trace is not a run of the program.
)";

constexpr auto mcapi_verify_examples = R"(Examples:
  matchpoint mcapi verify -- ./prog args
  matchpoint mcapi verify --runs 1000 --jobs 2 --timeout 60 -- ./prog
  matchpoint mcapi verify -o bug.ctp -- ./prog
  matchpoint draw bug.ctp --trace 1 --beside 2
                                         a run that goes wrong beside one that
                                         does not

Exit codes: 0 every match set was tried, and no run failed; 1 some are left;
2 usage; 3 the program cannot be started; 10 a run failed; 11 a run deadlocked;
74 the output could not be written.
)";

constexpr auto mcapi_merge_examples = R"(Examples:
  matchpoint mcapi merge files -o run.ctp

Exit codes: 0 done, 1 the recording is incomplete, 2 usage, or files that cannot
be read, 74 the output could not be written.
)";

/// What is different in the help of `mpi` and `mcapi`.
struct Texts {
    char const* name;
    char const* what;
    char const* ranks;
    char const* record;
    char const* command;
    char const* examples;
    char const* record_examples;
    char const* replay_examples;
    char const* verify_examples;
    char const* merge_examples;
};

/// Options of all commands that run a program.
void add_run_options(Command& command, MpiOptions& options, Texts const& texts, std::string_view of_keep = "",
                     std::string_view default_limit = "no limit") {
    command.text("--keep", "DIR", options.keep,
                 fmt::format("Keep the files of the {} in this folder{}", texts.ranks, of_keep));
    command.seconds("--timeout", "T", options.timeout,
                    fmt::format("Time limit for a run in seconds. Default: {}", default_limit));
    command.seconds("--patience", "T", options.patience,
                    fmt::format("Ask whether the run is stuck when none of the {} has moved for so many seconds. "
                                "Default: 0.5",
                                texts.ranks));
}

void add_memory_option(Command& command, MpiOptions& options, std::string_view also = "") {
    command.number("--memory", options.memory,
                   fmt::format("Read only the beginning of a recording that needs more than N MiB, about{}. "
                               "Default: 2048",
                               also));
}

/// Options about what is wrong beside failures and deadlocks.
void add_findings_options(Command& command, MpiOptions& options) {
    command.text("--findings", "OUT", options.findings,
                 "Write the findings to a file, as SARIF if its name ends in .sarif, otherwise as JSON");
    command.flag("--strict", options.strict, "Exit with 13 if there are findings, and nothing fails or deadlocks");
}

/// `matchpoint mpi` or `matchpoint mcapi`: the same commands.
void add_runs(CommandLine& line, record::Api api, Texts const& texts) {
    auto const options = std::make_shared<MpiOptions>();
    options->api = api;
    Command command = line.add(texts.name, texts.what, texts.examples);

    Command record = command.add("record", texts.record, texts.record_examples);
    record.command_argument("COMMAND", options->command, texts.command);
    record.output(Content::program, options->output,
                  "Write the program to a file, atomically. Default: to standard output, after "
                  "what the run prints there");
    add_run_options(record, *options, texts);
    add_memory_option(record, *options);
    if (api == record::Api::mpi) add_findings_options(record, *options);

    Command merge =
        command.add("merge", fmt::format("Make a program of the files that the {} of a run wrote", texts.ranks),
                    texts.merge_examples);
    merge.argument("DIR", options->folder, fmt::format("The folder with the files of the {}", texts.ranks));
    merge.reads_in_folder({".mpirec", ".mcapirec"});
    merge.output(Content::program, options->output, "Write the program to a file, atomically");
    add_memory_option(merge, *options);
    if (api == record::Api::mpi) add_findings_options(merge, *options);

    Command replay = command.add("replay", "Run the program again, so that its receives take what they take in a trace",
                                 texts.replay_examples);
    replay.argument("FILE", options->file, "A recorded program with traces, such as `check -o` writes");
    replay.command_argument("COMMAND", options->command, texts.command);
    replay.trace(options->trace,
                 "Trace N of the file, counted from 1. Default: the first that fails, gets stuck or leads to a fault");
    replay.buffering(options->buffering);
    replay.output(Content::program, options->output, "Write what this run did as a program, atomically");
    add_run_options(replay, *options, texts);
    add_memory_option(replay, *options);

    Command verify =
        command.add("verify", "Run the program again and again, until it has taken every match set of every path",
                    texts.verify_examples);
    verify.command_argument("COMMAND", options->command, texts.command);
    verify.number("--runs", options->runs, "Run the program at most N times. Default: 100");
    if (api == record::Api::mpi)
        verify.number("--rounds", options->rounds,
                      "Let a test in a loop be false for at most N more rounds than it was. Default: 1");
    verify.range("--jobs", "K", options->jobs, 1, 256, "Run it K times at once. Default: 1");
    verify.flag("--first", options->first, "Stop at the first run that fails or deadlocks");
    verify.seconds("--time", "T", options->time, "Begin no run after so many seconds. Default: no limit");
    verify.output(Content::program, options->output,
                  "Write the first run that goes wrong, and one on its path that does not, as traces of a program; if "
                  "none goes wrong, the first that timed out or was interrupted");
    static Choices<bool> const bufferings{{"any", true}, {"infinite", false}};
    verify.choice("--buffering", options->any_buffering, bufferings,
                  "any: look for deadlocks, too, that are there only if some standard sends wait for their receives, "
                  "and make these wait; infinite: do not. Default: any");
    add_memory_option(verify, *options, ", and give up a search for match sets that does");
    add_run_options(verify, *options, texts, "; with --resume, another `verify` goes on from there", "60");
    if (api == record::Api::mpi) add_findings_options(verify, *options);
    verify.flag("--names", options->names,
                "Show the names of messages, such as R0_3 = S2_1, instead of their lines in the source");
    verify.flag("--resume", options->resume, "Go on with the runs that are in the folder of --keep");

    command.color();
    command.action([options, command](Terminal& terminal) {
        std::string const name = command.given();
        if (name.empty()) {
            complain(terminal,
                     fmt::format("`{}` needs a command: record, replay, verify or merge",
                                 options->api == record::Api::mpi ? "mpi" : "mcapi"),
                     ErrorKind::usage);
            return bad_input;
        }
        if (name == "record") return record_command(*options, terminal);
        if (name == "replay") return replay_command(*options, terminal);
        return name == "verify" ? verify_command(*options, terminal) : merge_command(*options, terminal);
    });
}

} // namespace

void add_mpi(CommandLine& line) {
    add_runs(line, record::Api::mpi,
             {"mpi", "Record runs of MPI programs, and make what could have happened happen", "ranks",
              "Run an MPI program, and write what it did as a program of the language",
              "Behind `--`: mpirun, and what it is to run", mpi_examples, record_examples, replay_examples,
              verify_examples, merge_examples});
}

void add_mcapi(CommandLine& line) {
    add_runs(line, record::Api::mcapi,
             {"mcapi", "The same for threads that send messages: programs with <matchpoint/mcapi.h>", "threads",
              "Run a program, and write what its threads did as a program of the language",
              "Behind `--`: the program, with its arguments", mcapi_examples, mcapi_record_examples,
              mcapi_replay_examples, mcapi_verify_examples, mcapi_merge_examples});
}

} // namespace matchpoint::cli
