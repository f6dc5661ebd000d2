// What the commands of `matchpoint mpi` and `matchpoint mcapi` share: how they run a program that is recorded, read
// what it did, and say so.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.hpp"
#include "base/signals.hpp"
#include "base/temporary_folder.hpp"
#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "programs/draft.hpp"
#include "record/launch.hpp"
#include "record/recording.hpp"

namespace matchpoint::cli {

struct MpiOptions {
    record::Api api = record::Api::mpi;
    std::vector<std::string> command; // of MPI, a launcher with its arguments
    std::string output;
    std::string keep; // a folder for the files of the ranks; empty if they are removed
    std::string folder;
    std::string file; // of a replay
    std::optional<std::size_t> trace;
    std::optional<Buffering> buffering; // default: what the file says
    std::optional<double> timeout;      // in seconds
    double patience = 0.5;
    std::optional<std::uint64_t> runs = 100; // of verify
    std::optional<std::uint64_t> rounds = 1; // of verify
    unsigned jobs = 1;
    bool first = false;                         // of verify
    std::optional<double> time;                 // of verify: in seconds, for all runs
    std::optional<std::uint64_t> memory = 2048; // MiB
    bool resume = false;
    bool names = false;                         // of verify
    bool any_buffering = true;                  // of verify
    std::string findings = {};                  // a file for findings; empty if none is wanted
    std::optional<std::uint64_t> switches = {}; // of verify, of threads
    bool strict = false;                        // findings count
    bool ub = false;                            // of threads: signed operations must not overflow
};

ExitCode record_command(MpiOptions const& options, Terminal& terminal);
ExitCode replay_command(MpiOptions const& options, Terminal& terminal);
ExitCode verify_command(MpiOptions const& options, Terminal& terminal);
ExitCode merge_command(MpiOptions const& options, Terminal& terminal);

/// While it lives, Ctrl-C, SIGTERM and SIGHUP end the run, and not us, however often they come: we have processes and
/// folders to remove. So it is there before them, and goes after them.
class Interruptible {
public:
    Interruptible();

private:
    SignalHandlers handlers_;
};

/// The command in one line: "mpirun -n 3 ./prog".
std::string command_of(MpiOptions const& options);
/// How a rank ended: "rank 1 ended before MPI_Finalize", "heat.c:12: rank 1 waits for a receive". With `was_ended`, we
/// have ended it: "rank 1 had not come to MPI_Finalize; its last recorded call is at heat.c:12".
std::string words_of(record::Rank const& rank, record::Api api, bool was_ended);
/// The same of all ranks, unless they came to MPI_Finalize, and of their further threads.
std::vector<std::string> ends_of(record::Recording const& run, bool was_ended);
/// The errors of MPI that ended ranks, each once:
/// "MPI_ERR_TRUNCATE: message truncated at heat.c:14, in MPI_Recv of rank 0"
std::vector<std::string> errors_in(record::Recording const& run);
/// The recorder for the given launcher; empty if the program has its own. Or the exit code after complaining that there
/// is none.
Expected<std::filesystem::path, ExitCode> find_recorder(MpiOptions const& options, Terminal& terminal);
/// The folder for the files of the ranks: that of --keep, or the temporary one.
Expected<std::filesystem::path, ExitCode> folder_for(MpiOptions const& options, TemporaryFolder const& temporary,
                                                     Terminal& terminal);
/// Says that a run that takes long has recorded nothing yet.
void tell_nothing_recorded(MpiOptions const& options, Terminal& terminal);
/// How to run the program, without folders.
record::Launch launch_as(MpiOptions const& options, std::filesystem::path const& recorder);
/// What the files of the ranks of a run say, and how it ended; or the exit code after complaining: it did not start,
/// its files cannot be read, or the recorder had a part in its end. If it failed, the program's comment says how.
Expected<record::Recording, ExitCode> read_run(std::filesystem::path const& folder, MpiOptions const& options,
                                               record::LaunchResult const& result, Terminal& terminal,
                                               record::Threads threads = record::Threads::apart);
/// What the recording does not have.
void tell_gaps(record::Recording const& run, Terminal& terminal);
/// The first comment of a recorded run after the words `head`: what it is, and how it ended. `said` is what it said
/// when it failed, if anything and if no error of MPI says it. `result` is null if nobody knows how it ended.
std::string comment_of(record::Recording const& r, MpiOptions const& options, record::LaunchResult const* result,
                       std::string head, std::string const& said = "");
/// Writes the program, and says what is to be known about the run, which we may have ended. Then its findings
/// (mpi_findings.hpp); `end` is the code for how it ended. Returns the code for all of it.
ExitCode write_run(record::Recording const& run, MpiOptions const& options, bool was_ended, ExitCode end,
                   Terminal& terminal);

/// `heat.c:12: `, or nothing.
std::string place(record::SourceLine const& at);
/// "exit code 134", "killed by signal 11 (SEGV)"
std::string words(record::LaunchResult const& result);
/// "matchpoint: ..." on standard error
void tell(Terminal& terminal, std::string const& line);
/// The same of several ranks is said once.
void tell_notes(Terminal& terminal, std::vector<record::Gap> const& notes, std::string_view kind);
/// The code for how a run ended.
ExitCode code_of(record::LaunchResult const& result);
/// The same by its recording, too: a run that we ended can have deadlocked, which is said.
ExitCode code_of(record::LaunchResult const& result, record::Recording const& run, Terminal& terminal);
/// No process has called what is recorded. `failed`: the run did, and its launcher has said why.
ExitCode complain_of_no_rank(MpiOptions const& options, bool failed, Terminal& terminal);
/// A run says nothing about the program, because the recorder had a part in how it ended.
void complain_of_harm(std::string const& why, Terminal& terminal);

} // namespace matchpoint::cli
