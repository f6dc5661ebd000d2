// Runs a program that is recorded: `mpirun -n 4 ./prog`, as the user would type it. The recorder of MPI (record/mpi/)
// is a library that is loaded before the program's own; programs of MCAPI have theirs in them (record/thread/). It
// writes a file for each rank into a folder.
//
//   Launch const l{.command = {"mpirun", "-n", "4", "./prog"}, .folder = folder};
//   LaunchResult const result = launch(l);
//
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/recording.hpp"

namespace matchpoint::record {

enum class MpiLibrary : std::uint8_t { open_mpi, mpich };
std::string_view name_of(MpiLibrary library);

/// The library that a launcher such as `mpirun` belongs to, by what its `--version` prints. None if it is neither.
std::optional<MpiLibrary> library_of(std::string const& launcher);

/// The library that a program was built for, by what it needs. None if it is neither, or unknown.
std::optional<MpiLibrary> library_needed_by(std::filesystem::path const& program);

/// The file name of the recorder for a library.
std::string recorder_name(MpiLibrary library);

/// Where recorders are looked for, in this order: beside the binary, wherever that was copied to, in `lib/matchpoint`
/// there and one folder above, in the build tree, and below the prefix that the binary was built for.
std::vector<std::filesystem::path> recorder_folders();

/// The recorder for a library, in the first of these folders that has it. Empty if none has.
std::filesystem::path recorder_of(MpiLibrary library);

struct Launch {
    std::vector<std::string> command;
    std::filesystem::path recorder;      // a library to load; empty if the program has its own
    std::filesystem::path folder;        // must exist and be empty
    std::filesystem::path schedule = {}; // for a replay; empty if the program runs freely
    /// Files for what the program prints; its input is then empty. Empty if it has our standard streams.
    std::filesystem::path output = {};
    std::filesystem::path errors = {};
    /// The longest that the run may take. None if there is no limit.
    std::optional<std::chrono::duration<double>> limit = {};
    /// How long all ranks must wait, in calls or in loops of tests, before we ask whether the run is stuck (rerun.hpp).
    /// After 20 times as long it is stuck whatever the machine says.
    std::chrono::duration<double> patience{0.5};
    std::atomic<bool> const* interrupted = nullptr;
    bool is_interrupted() const { return interrupted != nullptr && interrupted->load(); }
    /// Called once if no rank has a file after ten times the patience, and the run goes on: the recorder may not be
    /// there.
    std::function<void()> nothing_recorded = nullptr;
    /// Called often while the run goes on: whether it is stuck. If there is none, the files of ranks say so.
    std::function<bool()> is_stuck = nullptr;
    /// More variables of its environment.
    std::map<std::string, std::string> variables = {};
    /// Code, stacks and memory are at the same addresses in every run.
    bool has_fixed_addresses = false;
};

struct LaunchResult {
    enum class End : std::uint8_t {
        exited,       // with `exit_code`
        killed,       // by `signal`
        stands_still, // all ranks wait, and nothing moves: it was ended
        out_of_time,  // it was ended
        interrupted,  // it was ended
        not_started,  // `why`
    };
    End end = End::not_started;
    int exit_code = 0;
    int signal = 0;
    bool has_left = false; // the exit code is 0, and some rank ended before MPI_Finalize
    std::string why;
};

/// Whether the recording of some rank in a folder ends as its process did, before MPI_Finalize.
bool some_rank_left(std::filesystem::path const& folder);

LaunchResult launch(Launch const& l);

/// Whether the run ended by a signal, with an exit code that is not 0, or before MPI_Finalize.
bool has_failed(LaunchResult const& result);
/// Whether we have ended the run while it could have gone on.
bool was_ended(LaunchResult const& result);

/// The call of MPI in which a process ended before MPI_Init, if one did and said so in this folder.
std::optional<std::string> early_call(std::filesystem::path const& folder);

/// The files of the ranks in a folder, in order.
std::vector<std::filesystem::path> rank_files(std::filesystem::path const& folder);

} // namespace matchpoint::record
