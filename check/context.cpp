#include "check/context.hpp"

#include <algorithm>

#include "executions/explorer.hpp"

namespace matchpoint::check {

bool Context::is_extendable() {
    if (!extendable_)
        extendable_ = !can_fault() && (all_finish() || (options().buffering == Buffering::zero && never_gets_stuck()));
    return *extendable_;
}

bool Context::never_gets_stuck() {
    Explorer::Options exploration;
    exploration.buffering = options().buffering;
    exploration.control_only = true;
    exploration.stop = [this] { return out_of_time(); };
    Explorer explorer(messages(), exploration);
    std::uint64_t const most = std::min(few_steps(), options().steps);
    while (auto const end = explorer.next(most - std::min(most, explorer.steps())))
        if (*end == End::deadlock) break;
    known.work().steps += explorer.steps();
    known.work().executions += explorer.counts().executions;
    if (explorer.done()) known.add(fact::NeverStuck{Stop::deadlock}, {"exploration"});
    return explorer.done();
}

} // namespace matchpoint::check
