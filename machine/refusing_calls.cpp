#include "machine/refusing_calls.hpp"

#include "machine/collective_needs.hpp"

namespace matchpoint::machine {

Action awaited_at(IndexedProgram const& code, Location rho) {
    Command const& command = code.command_at(rho);
    if (auto const* const wait = as_wait(command)) return wait->a;
    Collective const* const call = as_collective(command);
    return call != nullptr && code.ctp().call(*call).blocks ? call->a : Action{};
}

bool depends_on_library(IndexedProgram const& code, Location call) { return !needs_all(code, call); }

bool may_refuse(IndexedProgram const& code, State const& state, Location rho) {
    Location const call = code.call_of(rho);
    if (call.is_none() || awaited_at(code, rho).is_none()) return false;
    Collectives const& all = *code.collectives();
    return !all.missing(state, call, Buffering::infinite) && all.missing(state, call, Buffering::zero) &&
           !all.mismatch(state, call);
}

} // namespace matchpoint::machine
