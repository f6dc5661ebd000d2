#include "record/recording.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "import/draft_of_calls.hpp"
#include "record/rank_reader.hpp"

namespace matchpoint::record {

namespace {

/// A barrier that not all have come to when the run ended: those that have come wait for those that have not.
void part_meetings(Recording& r, Members const& members) {
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> times; // communicator -> rank -> times
    for (auto const& [communicator, ranks] : members)
        for (std::uint32_t const rank : ranks) times[communicator][rank] = 0;
    for (calls::Process const& p : r.calls.processes)
        for (Call const& call : p.calls)
            if (auto const* const meet = std::get_if<calls::Meet>(&call.what)) ++times[meet->communicator][p.number];
    for (calls::Process& p : r.calls.processes) {
        if (p.calls.empty()) continue;
        auto const* const meet = std::get_if<calls::Meet>(&p.calls.back().what);
        if (meet == nullptr) continue;
        auto const& all = times[meet->communicator];
        std::uint32_t const communicator = meet->communicator;
        Call const last = p.calls.back();
        bool is_first = true;
        for (auto const& [rank, n] : all) {
            if (n >= all.at(p.number)) continue;
            Rank& stopped =
                *std::find_if(r.ranks.begin(), r.ranks.end(), [&](Rank const& x) { return x.number == p.number; });
            if (is_first) {
                p.calls.pop_back();
                stopped.pending = 0;
            }
            // It stands at the first wait; the first receive is posted.
            stopped.pending += is_first ? 1 : 2;
            is_first = false;
            calls::Receive waits_for;
            waits_for.action = fmt::format("{}{}.{}", unmet_barrier, p.number, rank);
            waits_for.variable = fmt::format("b{}.{}", p.number, rank);
            waits_for.from = rank;
            waits_for.communicator = r.calls.communicators(r.calls.communicators.names()[communicator] + "/barrier");
            waits_for.blocking = true;
            p.calls.push_back({std::move(waits_for), last.place, last.original});
        }
    }
}

} // namespace

bool Recording::is_readable() const { return std::none_of(faults.begin(), faults.end(), has_error); }

Recording read_recording(std::span<Source const> files, Resolver& resolver) {
    Recording recording;
    Members members;
    calls::Reports reports(files.size());
    for (std::uint32_t i = 0; i < files.size(); ++i)
        RankReader(i, files[i], resolver, reports, members, recording).read();
    std::sort(recording.ranks.begin(), recording.ranks.end(), [](auto& a, auto& b) { return a.number < b.number; });
    part_meetings(recording, members);
    recording.faults = reports.take();
    return recording;
}

draft::Draft program_of(Recording const& recording) {
    calls::Reports reports(recording.faults.size());
    std::vector<Source> const files(recording.faults.size(), Source("", ""));
    draft::Draft program = calls::draft_of_calls(recording.calls, files, std::nullopt, reports);
    if (reports.refused()) throw std::logic_error("a recording is no program");
    program.comment = {};
    return program;
}

} // namespace matchpoint::record
