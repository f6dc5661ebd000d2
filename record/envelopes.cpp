#include "record/envelopes.hpp"

#include "base/numbers.hpp"
#include "importers/scanner.hpp"
#include "record/schedule.hpp"

namespace matchpoint::record {

Envelopes sent_in(Recording const& recording) {
    Envelopes sent;
    for (draft::Thread const& thread : recording.program.threads)
        for (draft::LocatedCommand const& at : thread)
            if (auto const* const s = as_sndi(at.c))
                sent[recorded_call(s->a.text)] = {recording.api == Api::mpi ? recorded_call(s->a.text).rank
                                                                            : endpoint_number(s->alpha),
                                                  to_number<std::int64_t>(s->tag.text).value_or(0)};
    return sent;
}

Envelopes taken_in(Recording const& recording) {
    Envelopes taken;
    for (Rank const& rank : recording.ranks)
        for (Taken const& t : rank.taken) taken[t.receive] = {t.from, t.tag};
    // Messages of collective calls have receives of their own, which can take nothing else.
    auto const ranks = static_cast<std::uint32_t>(recording.program.threads.size());
    for (draft::Thread const& thread : recording.program.threads)
        for (draft::LocatedCommand const& at : thread)
            if (auto const* const r = as_rcvi(at.c); r != nullptr && r->sel.from && r->sel.from->size() == 1)
                if (CallId const id = recorded_call(r->a.text); !is_point_to_point(id))
                    taken[id] = {endpoint_number(r->sel.from->front()) % ranks, 0};
    return taken;
}

} // namespace matchpoint::record
