#include "record/launch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/numbers.hpp"
#include "base/spawn.hpp"
#include "base/temporary_folder.hpp"
#include "record/growing_file.hpp"
#include "record/needed_libraries.hpp"
#include "record/rerun.hpp"

namespace matchpoint::record {

namespace {

using Clock = std::chrono::steady_clock;

/// How long no rank must have moved, as a multiple of the patience: if by their recordings nobody can ever go on;
/// if that depends on what nobody knows, or in a replay, whose messages are forced; and whatever the recordings say.
enum : std::uint8_t { if_certain = 1, if_possible = 4, in_any_case = 20 };

/// After MPI_Abort, for the launcher to end.
constexpr std::chrono::seconds time_to_abort{3};

/// Looks at the files of all ranks.
class Watch {
public:
    explicit Watch(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// For how long all ranks have waited, not all of them in MPI_Finalize. Zero if some rank moves, or has not begun.
    Clock::duration stands_still() {
        bool moves = false;
        for (auto const& file : rank_files(folder_)) moves = ranks_.try_emplace(file, file).second || moves;
        for (auto& [file, rank] : ranks_) moves = rank.advance() || moves;
        auto const now = Clock::now();
        bool all_wait = !ranks_.empty() && ranks_.size() == ranks_.begin()->second.ranks();
        for (auto& [file, rank] : ranks_) all_wait = rank.waits(now) && all_wait;
        bool const all_done = std::all_of(ranks_.begin(), ranks_.end(), [](auto& r) { return r.second.is_done(); });
        if (moves || !all_wait || all_done) since_ = now;
        return now - since_;
    }

    bool has_seen_ranks() const { return !ranks_.empty(); }
    /// The code of MPI_Abort, if some rank has called it.
    std::optional<int> aborted() const {
        for (auto const& [file, rank] : ranks_)
            if (auto const code = rank.aborted()) return code;
        return std::nullopt;
    }
    /// Which of several requests a rank waits for that tests in a loop is not known.
    bool some_test() const {
        return std::any_of(ranks_.begin(), ranks_.end(), [](auto& r) { return r.second.tests(); });
    }
    bool some_await() const {
        return std::any_of(ranks_.begin(), ranks_.end(), [](auto& r) { return r.second.awaits(); });
    }
    bool some_have_left() const {
        return std::any_of(ranks_.begin(), ranks_.end(), [](auto& r) { return r.second.has_left(); });
    }

private:
    std::filesystem::path folder_;
    std::map<std::filesystem::path, GrowingFile> ranks_; // they come in any order
    Clock::time_point since_ = Clock::now();
};

/// No lines of source: nobody reads them.
class NoLines : public Resolver {
public:
    SourceLine line(std::string const&, std::uint64_t) override { return {}; }
};

Recording recording_in(std::filesystem::path const& folder) {
    std::vector<Source> files;
    for (auto const& path : rank_files(folder)) files.emplace_back(path, read_file(path).value_or({}));
    NoLines lines;
    return read_recording(files, lines, Missing::refused, Tests::wait);
}

Standstill standstill_in(Recording const& recording) {
    return recording.is_readable() && !recording.ranks.empty() ? standstill(recording) : Standstill::no;
}

/// Whether a run is stuck in which nobody has moved for so long. Asks the machine once for each limit.
class Stuck {
public:
    explicit Stuck(Launch const& l)
        : folder_(l.folder), patience_(std::chrono::duration_cast<Clock::duration>(l.patience)),
          is_replay_(!l.schedule.empty()) {}

    /// A launcher notices by itself that ranks have left before MPI_Finalize, and ends the others.
    bool operator()(Watch& watch) {
        auto const still = watch.stands_still();
        if (still < patience_) {
            asked_ = 0;
            return false;
        }
        if (still >= after(in_any_case)) return true;
        if (watch.some_have_left()) return false;
        int const limit = still >= after(if_possible) ? if_possible : if_certain;
        if (limit == asked_ || (limit == if_certain && watch.some_test())) return false;
        asked_ = limit;
        if (is_replay_ && limit == if_possible) return true;
        Standstill const found = standstill_in(recording_in(folder_));
        // A test that waits because the schedule says so does not wait in the program.
        if (found == Standstill::certain && watch.some_await()) {
            std::ofstream(folder_ / "standing", std::ios::app) << '.'; // read by record/mpi/schedule.c
            return false;
        }
        return found == Standstill::certain || (found == Standstill::possible && limit == if_possible);
    }

private:
    /// A rank of a replay waits for some seconds for the request that the schedule has next, and then for any
    /// (record/mpi/completions.c).
    Clock::duration after(int limit) const {
        constexpr Clock::duration gives_up = std::chrono::seconds(7);
        return is_replay_ ? std::max(limit * patience_, gives_up) : limit * patience_;
    }

    std::filesystem::path folder_;
    Clock::duration patience_;
    bool is_replay_;
    int asked_ = 0; // the last limit
};

/// Processes that have the folder in their environment: the ranks, and what they started.
std::vector<pid_t> processes_of(std::filesystem::path const& folder) {
    std::vector<pid_t> found;
    std::string const needle = fmt::format("MATCHPOINT_RECORD={}", folder.string());
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator("/proc", error)) {
        pid_t const pid = to_number<pid_t>(entry.path().filename().string()).value_or(0);
        if (pid <= 0 || pid == getpid()) continue;
        auto const text = read_file(entry.path() / "environ");
        if (text && text->find(needle + '\0') != std::string::npos) found.push_back(pid);
    }
    return found;
}

/// Kills the ranks that their launcher has left, and looks again: it may have been about to start others.
void end_processes_of(std::filesystem::path const& folder) {
    auto const deadline = Clock::now() + std::chrono::seconds(3);
    for (auto found = processes_of(folder); !found.empty() && Clock::now() < deadline; found = processes_of(folder)) {
        for (pid_t const pid : found) kill(pid, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// First politely: launchers end their ranks then.
void end_run(pid_t launcher, std::filesystem::path const& folder, int& status) {
    kill(launcher, SIGTERM);
    auto const deadline = Clock::now() + std::chrono::seconds(3);
    bool is_gone = false;
    while (!is_gone && Clock::now() < deadline) {
        is_gone = waitpid(launcher, &status, WNOHANG) == launcher;
        if (!is_gone) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (!is_gone) {
        kill(launcher, SIGKILL);
        waitpid(launcher, &status, 0);
    }
    end_processes_of(folder);
}

/// While it lives, programs that are started have fixed addresses, if that was asked for.
class FixedAddresses {
public:
    explicit FixedAddresses(bool are_wanted) {
        if (!are_wanted) return;
        before_ = personality(ask);
        if (before_ >= 0) personality(static_cast<unsigned long>(before_) | ADDR_NO_RANDOMIZE);
    }
    FixedAddresses(FixedAddresses const&) = delete;
    FixedAddresses& operator=(FixedAddresses const&) = delete;
    ~FixedAddresses() {
        if (before_ >= 0) personality(static_cast<unsigned long>(before_));
    }

private:
    static constexpr unsigned long ask = 0xffffffff;
    int before_ = -1;
};

/// Arguments and stacks are below the environment: it gets the same size in every run, unless it is very large.
void fill(std::map<std::string, std::string>& variables) {
    constexpr std::size_t whole = 1U << 14U;
    std::string& filler = variables["MATCHPOINT_FILLER"];
    filler.clear();
    std::size_t size = 0;
    for (auto const& [name, value] : variables) size += name.size() + value.size() + 2;
    filler.assign(whole - size % whole, '-');
}

/// Open MPI keeps files of a run in a folder that all runs of a user share, and that one run may remove while another
/// begins: "unable to create the desired directory: File exists". So each run has its own, for which `sessions` is
/// there, unless the user has named one. MPICH does not look at it.
std::map<std::string, std::string> environment_of(Launch const& l, std::filesystem::path const& sessions) {
    auto variables = base::environment();
    if (!sessions.empty()) variables.try_emplace("OMPI_MCA_orte_tmpdir_base", sessions);
    if (!l.recorder.empty()) {
        std::string& preload = variables["LD_PRELOAD"];
        preload = preload.empty() ? l.recorder.string() : fmt::format("{}:{}", l.recorder.string(), preload);
    }
    variables["MATCHPOINT_RECORD"] = l.folder;
    if (!l.schedule.empty()) variables["MATCHPOINT_SCHEDULE"] = l.schedule;
    for (auto const& [name, value] : l.variables) variables[name] = value;
    if (l.has_fixed_addresses) fill(variables);
    return variables;
}

} // namespace

bool has_failed(LaunchResult const& result) {
    return result.end == LaunchResult::End::killed ||
           (result.end == LaunchResult::End::exited && (result.exit_code != 0 || result.has_left));
}

bool was_ended(LaunchResult const& result) {
    return result.end == LaunchResult::End::out_of_time || result.end == LaunchResult::End::interrupted;
}

std::string_view name_of(MpiLibrary library) { return library == MpiLibrary::open_mpi ? "Open MPI" : "MPICH"; }

std::optional<MpiLibrary> library_of(std::string const& launcher) {
    base::ChildProcess process;
    if (!process.start({launcher, "--version"}, 0, 1 << 16).empty()) return std::nullopt;
    std::string const text = process.finish("", Clock::now() + std::chrono::seconds(10)).text;
    if (text.find("Open MPI") != std::string::npos || text.find("OpenRTE") != std::string::npos)
        return MpiLibrary::open_mpi;
    if (text.find("HYDRA") != std::string::npos) return MpiLibrary::mpich;
    return std::nullopt;
}

std::optional<MpiLibrary> library_needed_by(std::filesystem::path const& program) {
    for (std::string_view const needed : needed_libraries(program)) {
        // libmpi.so.12 is of several.
        if (needed == "libmpi.so.40" || needed == "libmpi.so.20") return MpiLibrary::open_mpi;
        if (needed.starts_with("libmpich.so")) return MpiLibrary::mpich;
        // A program in Fortran may need no more than the bindings.
        if (needed.starts_with("libmpi_")) return MpiLibrary::open_mpi;
        if (needed.starts_with("libmpichfort.so")) return MpiLibrary::mpich;
    }
    return std::nullopt;
}

std::string recorder_name(MpiLibrary library) {
    return fmt::format("libmatchpoint_{}.so", library == MpiLibrary::open_mpi ? "openmpi" : "mpich");
}

std::vector<std::filesystem::path> recorder_folders() {
    std::error_code error;
    auto const binary = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    std::vector<std::filesystem::path> folders;
    for (std::filesystem::path const& folder :
         {binary, binary / "lib/matchpoint", binary / "../lib/matchpoint", binary / MATCHPOINT_RECORDERS_INSTALLED,
          binary / MATCHPOINT_RECORDERS_BUILT, std::filesystem::path(MATCHPOINT_RECORDERS_OF_PREFIX)})
        if (auto const plain = folder.lexically_normal(); std::count(folders.begin(), folders.end(), plain) == 0)
            folders.push_back(plain);
    return folders;
}

std::filesystem::path recorder_of(MpiLibrary library) {
    std::string const name = recorder_name(library);
    std::error_code error;
    for (std::filesystem::path const& folder : recorder_folders())
        if (std::filesystem::is_regular_file(folder / name, error))
            return std::filesystem::canonical(folder / name, error);
    return {};
}

std::optional<std::string> early_call(std::filesystem::path const& folder) {
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator(folder, error))
        // A rank that was killed before it wrote has left an empty one.
        if (auto const text = read_file(entry.path()); text && !text->empty() && entry.path().extension() == ".early")
            return *text;
    return std::nullopt;
}

std::vector<std::filesystem::path> rank_files(std::filesystem::path const& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator(folder, error))
        if (auto const kind = entry.path().extension(); kind == ".mpirec" || kind == ".mcapirec")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool some_rank_left(std::filesystem::path const& folder) {
    auto const files = rank_files(folder);
    return std::any_of(files.begin(), files.end(), [](std::filesystem::path const& path) {
        GrowingFile file(path);
        file.advance();
        return file.has_left();
    });
}

LaunchResult launch(Launch const& l) {
    LaunchResult result;
    if (l.is_interrupted()) {
        result.end = LaunchResult::End::interrupted;
        return result;
    }
    base::TemporaryFolder const sessions;
    Spawn launcher{.command = l.command, .environment = environment_of(l, sessions.path())};
    if (!l.output.empty()) {
        launcher.input_file = "/dev/null";
        launcher.output_file = l.output;
        launcher.error_file = l.errors;
    }
    auto const started = [&] {
        FixedAddresses const fixed(l.has_fixed_addresses);
        return spawn(launcher);
    }();
    if (!started) {
        result.why = fmt::format("{}: {}", l.command.front(), std::strerror(started.error()));
        return result;
    }
    pid_t const pid = *started;
    auto const begin = Clock::now();
    Watch watch(l.folder);
    Stuck is_stuck(l);
    int status = 0;
    bool was_asked = false;
    std::optional<Clock::time_point> aborted; // when some rank was seen to have called MPI_Abort
    for (std::chrono::milliseconds pause{1};; pause = std::min(2 * pause, std::chrono::milliseconds(50))) {
        if (waitpid(pid, &status, WNOHANG) == pid) {
            if (WIFSIGNALED(status)) {
                result.end = LaunchResult::End::killed;
                result.signal = WTERMSIG(status);
            } else {
                result.end = LaunchResult::End::exited;
                result.exit_code = WEXITSTATUS(status);
                result.has_left = result.exit_code == 0 && some_rank_left(l.folder);
            }
            // Ctrl-C ends the launcher as well.
            if (l.is_interrupted()) result.end = LaunchResult::End::interrupted;
            // A launcher that was killed has not ended its ranks.
            end_processes_of(l.folder);
            return result;
        }
        bool const is_late = l.limit && Clock::now() - begin > *l.limit;
        if (l.is_interrupted())
            result.end = LaunchResult::End::interrupted;
        else if (is_late)
            result.end = LaunchResult::End::out_of_time;
        else if (l.is_stuck ? l.is_stuck() : is_stuck(watch))
            result.end = LaunchResult::End::stands_still;
        // Open MPI's launcher can forget to end then.
        auto const code = watch.aborted();
        if (code && !aborted) aborted = Clock::now();
        if (code && Clock::now() - *aborted >= time_to_abort && result.end != LaunchResult::End::interrupted) {
            result.end = LaunchResult::End::exited;
            result.exit_code = (*code & 0xff) != 0 ? *code & 0xff : 1;
        }
        if (!was_asked && l.nothing_recorded && Clock::now() - begin >= 10 * l.patience) {
            was_asked = true;
            if (!watch.has_seen_ranks()) l.nothing_recorded();
        }
        if (result.end != LaunchResult::End::not_started) {
            end_run(pid, l.folder, status);
            return result;
        }
        std::this_thread::sleep_for(pause);
    }
}

} // namespace matchpoint::record
