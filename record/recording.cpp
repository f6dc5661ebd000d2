#include "record/recording.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "importers/draft_of_calls.hpp"
#include "record/rank_reader.hpp"
#include "record/rank_threads.hpp"
#include "record/windows.hpp"

namespace matchpoint::record {

namespace {

/// All ranks of the run have to be there. So many files do not say of which rank they are.
void find_missing(Recording& r, Missing missing, std::size_t lost, importers::Reports& reports) {
    if (r.ranks.empty() && lost != 0 && missing == Missing::refused)
        reports.error("I3", {0, 1, no_offset, 1}, "the file breaks off before it says of which rank it is");
    if (r.ranks.empty() || r.ranks.size() >= r.ranks.front().ranks) return;
    std::uint32_t const all = r.ranks.front().ranks;
    bool const is_refused = missing == Missing::refused && r.ranks.size() + lost < all;
    if (is_refused || all > importers::max_process)
        return reports.error("I3", {0, 2, no_offset, 1},
                             fmt::format("{} of {} ranks have a recording", r.ranks.size(), all));
    for (std::uint32_t number = 0; number < all; ++number) {
        if (r.ranks.size() > number && r.ranks[number].number == number) continue;
        Rank rank;
        rank.number = number;
        rank.ranks = all;
        rank.breaks_off = missing == Missing::refused;
        if (rank.breaks_off) r.gaps.push_back({number, {}, "recorder", "the file of this rank breaks off"});
        r.ranks.insert(r.ranks.begin() + number, std::move(rank));
        r.calls.processes.push_back({number, {}, {}});
    }
}

/// The program with remote memory access of a run with windows. The other one is incomplete.
void read_windows(std::span<Source const> files, Resolver& resolver, Recording& r) {
    std::vector<RankEvents> ranks;
    for (Source const& file : files) ranks.push_back(window_events(file, resolver));
    for (Rank const& rank : r.ranks) {
        auto const is_there = [&](RankEvents const& e) { return e.rank == rank.number; };
        if (std::none_of(ranks.begin(), ranks.end(), is_there)) ranks.push_back({rank.number, {}, {}});
    }
    std::sort(ranks.begin(), ranks.end(), [](auto& a, auto& b) { return a.rank < b.rank; });
    r.windows = window_program(ranks);
    r.windows->gaps.insert(r.windows->gaps.begin(), r.gaps.begin(), r.gaps.end());
    r.gaps.push_back({0, {}, "MPI_Win", "one-sided communication is modelled by `mpi record` only"});
}

} // namespace

std::optional<std::string> harm(Recording const& run) {
    for (Rank const& rank : run.ranks)
        if (rank.end == RankEnd::crashed)
            return fmt::format("rank {} died inside the recorder, {}", rank.number, rank.crash);
    return std::nullopt;
}

CallId recorded_call(std::string_view action) {
    auto const id = importers::call_id_of(action);
    if (!id) throw std::logic_error("a recorded program has an action that is no call");
    return *id;
}

namespace {
constexpr std::string_view of_cancel = "cancel_";
}

std::string cancellation_of(CallId const& receive) { return std::string(of_cancel) + importers::name_of(receive); }

std::optional<std::string> cancelled_by(ChoiceOfTime const& test) {
    if (test.of != ChoiceOfTime::Of::seen || !test.actions.front().starts_with(of_cancel)) return std::nullopt;
    return test.actions.front().substr(of_cancel.size());
}

bool Recording::is_readable() const { return std::none_of(faults.begin(), faults.end(), has_error); }

bool Recording::has_further_threads() const {
    return std::any_of(ranks.begin(), ranks.end(), [](Rank const& rank) { return !rank.further.empty(); });
}

Recording read_recording(std::span<Source const> files, Resolver& resolver, Missing missing, Tests tests,
                         std::size_t most, Threads threads) {
    Recording recording;
    std::map<std::uint32_t, std::vector<std::uint32_t>> members; // communicator -> its ranks
    std::vector<Mending> mending;                                // of each process
    importers::Reports reports(files.size());
    std::size_t lost = 0; // files that do not say of which rank they are
    for (std::uint32_t i = 0; i < files.size(); ++i) {
        RankReader reader(i, files[i], resolver, reports, members, tests, threads, recording);
        reader.read(missing, most / files.size());
        if (reader.is_lost()) ++lost;
        for (Mending& m : reader.take_mending()) mending.push_back(std::move(m));
    }
    std::sort(recording.ranks.begin(), recording.ranks.end(), [](auto& a, auto& b) { return a.number < b.number; });
    number_further_threads(recording, members, reports);
    if (!reports.refused()) mend_calls(recording, std::move(mending), members);
    find_missing(recording, missing, lost, reports);
    if (!reports.refused()) {
        std::vector<Source> const nowhere(files.size(), Source("", "")); // places are lines of the program, or none
        recording.program = importers::draft_of_calls(recording.calls, nowhere, std::nullopt, reports,
                                                      recording.has_further_threads() ? &recording.lines : nullptr);
        recording.program.comment = {};
    }
    recording.faults = reports.take();
    if (recording.windows && recording.is_readable()) read_windows(files, resolver, recording);
    return recording;
}

} // namespace matchpoint::record
