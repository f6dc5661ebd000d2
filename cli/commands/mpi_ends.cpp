#include "cli/commands/mpi_ends.hpp"

#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands/mpi_runs.hpp"

namespace matchpoint::cli {

namespace {

/// As programs in Fortran end, after what they say: `#1  0x55dc0 in main` and the place of it, below a heading.
bool is_of_backtrace(std::string_view line) {
    bool const is_frame = line.size() > 1 && line[0] == '#' && line[1] >= '0' && line[1] <= '9';
    return is_frame || line.starts_with("\tat ") || line == "Error termination. Backtrace:";
}

} // namespace

std::string outcome(record::Tried const& t) {
    using End = record::LaunchResult::End;
    switch (t.result.end) {
    case End::exited:
    case End::killed: return t.failed() ? fmt::format("failed, {}", words(t.result)) : std::string("ended well");
    case End::stands_still: return t.defies_machine ? "got stuck" : "deadlocked";
    case End::out_of_time:
        return t.deadlocked() ? "deadlocked when the time limit was reached" : "the time limit was reached";
    case End::interrupted: return t.deadlocked() ? "deadlocked when it was interrupted" : "interrupted";
    case End::not_started: break;
    }
    return "did not start: " + t.result.why;
}

// Leaves out lines in brackets, but for errors in calls of MPI; paragraphs between two lines of dashes, MPICH's
// `Abort(7) on node 0`, backtraces, and everything after a line of equals signs.
std::string said(record::Tried const& t) {
    std::ifstream file(t.folder / "errors");
    std::string last;
    bool is_launcher = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("====")) break;
        if (std::size_t const at = line.find("Caught signal "); line.starts_with('[') && at != std::string::npos)
            last = line.substr(at); // as UCX of MPICH says it
        // An assertion of UCX: "[host:9525 :0:9525]      rcache.c:409  Assertion `...' failed".
        if (std::size_t const at = line.find("] ");
            line.starts_with('[') && line.find(" Assertion `", at) != std::string::npos)
            last = line.substr(line.find_first_not_of(' ', at + 1));
        // Open MPI, of an error before MPI_Init has returned.
        if (std::size_t const at = line.find("*** MPI_ERR_"); at != std::string::npos) last = line.substr(at + 4);
        if (is_of_backtrace(line) || (line.find("[0x") != std::string::npos && line.ends_with(']'))) continue;
        if (line.starts_with("-----"))
            is_launcher = !is_launcher;
        else if (!is_launcher && !line.empty() && line[0] != '[' && !line.starts_with("Abort("))
            last = line;
    }
    return printable(last, 200);
}

std::string still_running(record::Tried const& t) {
    std::string text;
    for (record::Rank const& rank : t.recording.ranks)
        if (rank.end == record::RankEnd::elsewhere)
            text += fmt::format("  {}\n", words_of(rank, t.recording.api, true));
    return text;
}

std::string how_failed(record::Tried const& t) {
    std::string text;
    for (std::string const& error : errors_in(t.recording)) text += fmt::format("  | {}\n", error);
    std::string const last = text.empty() ? said(t) : "";
    if (!last.empty()) text = fmt::format("  | {}\n", last);
    std::string others;
    std::string waiting;
    bool some_left = false;
    for (record::Rank const& rank : t.recording.ranks) {
        if (rank.end == record::RankEnd::finalized || rank.error) continue;
        bool const waits = rank.end == record::RankEnd::blocked && !rank.has_left;
        some_left = some_left || rank.has_left;
        if (text.empty() || rank.is_gone() || waits)
            (waits ? waiting : others) += fmt::format("  {}\n", words_of(rank, t.recording.api, false));
    }
    bool const is_all = (text.empty() && others.empty()) || (last.empty() && some_left);
    return text + others + (is_all ? waiting : "");
}

std::string unfinished(record::Tried const& t) {
    std::string where;
    for (record::Rank const& rank : t.recording.ranks)
        if (rank.end != record::RankEnd::finalized)
            where += fmt::format("  {}\n", words_of(rank, t.recording.api, true));
    return where;
}

} // namespace matchpoint::cli
