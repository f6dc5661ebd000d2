#include "record/recording.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "importers/draft_of_calls.hpp"
#include "record/rank_reader.hpp"
#include "record/windows.hpp"

namespace matchpoint::record {

namespace {

/// A barrier that not all had reached when the run ended: those that had reached it wait for the others.
void part_meetings(Recording& r, Members const& members) {
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> times; // communicator -> rank -> times
    for (auto const& [communicator, ranks] : members)
        for (std::uint32_t const rank : ranks) times[communicator][rank] = 0;
    for (importers::Process const& p : r.calls.processes)
        for (Call const& call : p.calls)
            if (auto const* const meet = std::get_if<importers::Meet>(&call.what))
                ++times[meet->communicator][p.number];
    for (importers::Process& p : r.calls.processes) {
        // The call that it is in is followed only by waits for what is posted (RankReader::finish).
        auto last = p.calls.end();
        while (last != p.calls.begin() && std::holds_alternative<importers::Wait>((last - 1)->what)) --last;
        if (last == p.calls.begin()) continue;
        --last;
        auto const* const meet = std::get_if<importers::Meet>(&last->what);
        if (meet == nullptr) continue;
        std::string const name = r.calls.communicators.names()[meet->communicator] + "/barrier";
        std::vector<Call> waits_for;
        auto const& all = times[meet->communicator];
        for (auto const& [rank, n] : all) {
            if (n >= all.at(p.number)) continue;
            importers::Receive message;
            message.id = {p.number, rank, CallId::Kind::unmet_barrier};
            message.variable = variable_of(message.id);
            message.from = rank;
            message.communicator = r.calls.communicators(name);
            message.blocking = true;
            waits_for.push_back({std::move(message), last->place, last->original});
        }
        if (waits_for.empty()) continue;
        Rank& rank = *std::find_if(r.ranks.begin(), r.ranks.end(), [&](Rank const& x) { return x.number == p.number; });
        // Each is a receive and a wait, instead of the barrier. The rank is at the first wait.
        rank.pending += static_cast<std::uint32_t>(2 * waits_for.size()) - 2;
        last = p.calls.erase(last);
        p.calls.insert(last, waits_for.begin(), waits_for.end());
    }
}

/// All ranks of the run have to be there.
void find_missing(Recording& r, Missing missing, importers::Reports& reports) {
    if (r.ranks.empty() || r.ranks.size() >= r.ranks.front().ranks) return;
    std::uint32_t const all = r.ranks.front().ranks;
    if (missing == Missing::refused || all > importers::max_process)
        return reports.error("I3", {0, 2, no_offset, 1},
                             fmt::format("{} of {} ranks have a recording", r.ranks.size(), all));
    for (std::uint32_t number = 0; number < all; ++number) {
        if (r.ranks.size() > number && r.ranks[number].number == number) continue;
        Rank rank;
        rank.number = number;
        rank.ranks = all;
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

std::optional<std::string> harm(Recording const& run, bool failed) {
    for (Rank const& rank : run.ranks)
        if (rank.end == RankEnd::crashed)
            return fmt::format("rank {} died inside the recorder, {}", rank.number, rank.crash);
    for (Rank const& rank : run.ranks)
        if (failed && !rank.was_refused.empty())
            return fmt::format("the run failed after the recorder had refused rank {} {}", rank.number,
                               rank.was_refused);
    return std::nullopt;
}

CallId recorded_call(std::string_view action) {
    auto const id = importers::call_id_of(action);
    if (!id) throw std::logic_error("a recorded program has an action that is no call");
    return *id;
}

bool Recording::is_readable() const { return std::none_of(faults.begin(), faults.end(), has_error); }

Recording read_recording(std::span<Source const> files, Resolver& resolver, Missing missing) {
    Recording recording;
    Members members;
    importers::Reports reports(files.size());
    for (std::uint32_t i = 0; i < files.size(); ++i)
        RankReader(i, files[i], resolver, reports, members, recording).read(missing);
    std::sort(recording.ranks.begin(), recording.ranks.end(), [](auto& a, auto& b) { return a.number < b.number; });
    find_missing(recording, missing, reports);
    if (!reports.refused()) {
        part_meetings(recording, members);
        std::vector<Source> const nowhere(files.size(), Source("", "")); // places are lines of the program, or none
        recording.program = importers::draft_of_calls(recording.calls, nowhere, std::nullopt, reports);
        recording.program.comment = {};
    }
    recording.faults = reports.take();
    if (recording.windows && recording.is_readable()) read_windows(files, resolver, recording);
    return recording;
}

} // namespace matchpoint::record
