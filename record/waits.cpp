// Where the ranks of a run wait in the end (rerun.hpp).
#include <algorithm>

#include "record/rerun.hpp"

namespace matchpoint::record {

namespace {

/// The action that a command waits for; null if it waits for none.
draft::Action const* waited_for(draft::Command const& c) {
    if (auto const* const wait = as_wait(c)) return &wait->a;
    if (auto const* const probe = as_probe(c)) return &probe->a;
    auto const* const call = as_collective(c);
    return call != nullptr && call->call.blocks ? &call->a : nullptr;
}

} // namespace

std::vector<Waits> waits_of(Recording const& recording) {
    std::vector<Waits> result;
    for (Rank const& rank : recording.ranks) {
        if (rank.end != RankEnd::blocked) continue;
        draft::Thread const& thread = recording.program.threads[rank.number];
        Waits waits{rank.number, thread.size() - rank.pending, {}};
        for (std::size_t i = waits.behind; i < thread.size() - rank.posted; ++i)
            if (auto const* const a = waited_for(thread[i].c)) waits.calls.push_back(recorded_call(a->text));
        result.push_back(std::move(waits));
    }
    return result;
}

bool waits_there(Waits const& predicted, Waits const& run) {
    if (predicted.rank != run.rank) return false;
    if (predicted.calls.empty() || run.calls.empty()) // at a barrier
        return predicted.calls.empty() && run.calls.empty() && predicted.behind == run.behind;
    // It is not known what a probe would have been followed by.
    CallId const& wanted = predicted.calls.front();
    bool const is_probe = run.calls.front().kind == CallId::Kind::probe;
    if (is_probe && (wanted.kind == CallId::Kind::probed_receive || wanted.kind == CallId::Kind::probe))
        return predicted.behind == run.behind;
    return std::find(run.calls.begin(), run.calls.end(), wanted) != run.calls.end();
}

} // namespace matchpoint::record
