// A run without the steps that its end does not need: threads stop earlier, as long as the run still ends as it should.
//
//   Schedule const short_one = needed_steps(machine, schedule, [&](Schedule const& s) { return leads_to_race(s); }, {});
//
// Only last steps of threads are left out, since a thread cannot do without a step in between. In the result, no thread
// can do without its last step. So none of a data race's steps is needless: what other threads did without effect on
// the two commands is gone.
#pragma once

#include <functional>

#include "machine/schedule.hpp"

namespace matchpoint::check {

/// From the state of the machine on, which stays as it was. Movements stay where they are, as far as they are possible.
/// `is_enough` runs a schedule on the reference machine; it has to be true of this one. It is asked a number of times
/// that is logarithmic in the steps of a thread, for each thread, and all again after a thread got shorter. `stop` is
/// asked before each; if it is true, the shortest so far is returned. Throws what `is_enough` throws.
Schedule needed_steps(Machine const& from, Schedule schedule, std::function<bool(Schedule const&)> const& is_enough,
                      std::function<bool()> const& stop);

} // namespace matchpoint::check
