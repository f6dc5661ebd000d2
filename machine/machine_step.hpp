// Figure 6, the machine reductions ->m.
#pragma once

#include "machine/expression_reductions.hpp"

namespace matchpoint::machine {

/// What the machine reuses from step to step.
struct Workspace {
    std::vector<Frame> k;
    std::vector<event::Completion> completions;
};

/// Figure 6, MACHINE STEP
///   rho_0 is the next command of a thread t                                    errata E23: its last one too
///   (Pnd_s Q_s m s) ->q* (Pnd_s_p0 Q_s_p0 m_p s_p0)
///   (h eta A Pnd_s_p0 Pnd_r Q_s_p0 c_0 s_p0 ret) ->e* (h_p eta_p A_p Pnd_s_p1 Pnd_r_p Q_s_p1 e s_p1 ret)
///   (h eta A Pnd_s Pnd_r Q_s (.. ([rho_0 c_0] [rho_1 c_1] ..) ..) ([rho_0 m] sigma_1 ..) s) ->m
///   (h_p eta_p A_p Pnd_s_p1 Pnd_r_p Q_s_p1 (.. ([rho_1 c_1] ..) ..) (sigma_1 ..) s_p1)
///
/// Where it is stuck, the state is the one before the entry's movements, but for s = error. An exception (LimitReached,
/// std::bad_alloc) leaves the state as it was before the entry.
Step machine_step(State& state, IndexedProgram const& code, Buffering buffering, Entry const& sigma,
                  Observers const& observers, Workspace& workspace);

/// A trace that is used up while a thread still has commands has not completed: s becomes error. Some thread of
/// the state has to be unfinished.
Step trace_used_up(State& state, Observers const& observers);

} // namespace matchpoint::machine
