// What the commands of `matchpoint threads` share: how they run a program whose threads are recorded, read what they
// did, and say so.
#pragma once

#include <filesystem>

#include "cli/commands/mpi_runs.hpp"
#include "record/threads/confirmation.hpp"
#include "record/threads/reading.hpp"

namespace matchpoint::cli {

/// Runs the program, which writes into the folder. `schedule` is a file for a replay; empty if it runs freely. What it
/// prints goes into files `output` and `errors` of the folder `streams`, unless that is empty. Or the exit code after
/// complaining that it did not start.
Expected<record::LaunchResult, ExitCode> run_threads(std::filesystem::path const& folder, MpiOptions const& options,
                                                     std::filesystem::path const& schedule, Terminal& terminal,
                                                     std::filesystem::path const& streams = {});

/// What the files of the threads in a folder say; or the exit code after complaining. `result` is null if nobody knows
/// how the run ended.
Expected<record::threads::ThreadRecording, ExitCode> read_thread_run(std::filesystem::path const& folder,
                                                                     MpiOptions const& options,
                                                                     record::LaunchResult const* result,
                                                                     Terminal& terminal);

/// How the run ended, as an exit code.
ExitCode end_of(record::threads::ThreadRecording const& r, record::LaunchResult const* result);

/// The same in words: "the run passed", "the run failed: balance == 180".
std::string end_in_words(record::threads::ThreadRecording const& run, record::LaunchResult const& result, ExitCode end);
record::threads::RunEnd run_end_of(ExitCode end);

/// Runs the program again and again, on all paths that the schedule decides.
ExitCode verify_threads_command(MpiOptions const& options, Terminal& terminal);

/// Follows a trace of a recording with the real program, and says whether what it predicts happens.
ExitCode replay_threads_command(MpiOptions const& options, Terminal& terminal);

} // namespace matchpoint::cli
