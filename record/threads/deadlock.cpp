#include "record/threads/deadlock.hpp"

#include "check/confirmed.hpp"
#include "programs/draft.hpp"
#include "record/threads/leaving.hpp"

namespace matchpoint::record::threads {

check::Reached deadlock_without_failure(check::Reached found, matching::Prepared const& program,
                                        check::CheckOptions options) {
    if (found.answer != check::Reached::Answer::yes) return found;
    Machine machine(program.code, Buffering::infinite);
    bool const is_whole = check::follow(machine, found.schedule, found.schedule.size());
    if (!is_whole || machine.state().s != Status::failure) return found;
    draft::Draft draft = with_assertions_assumed(draft::draft_of(program.program));
    draft.traces.clear();
    matching::Prepared const without(Source("", ""), draft::valid_program_of(draft)); // locations are the same
    options.stops = true;
    options.leaves_path = options.switches = false;
    return check::check(without.messages, options).deadlock;
}

} // namespace matchpoint::record::threads
