// Collectives in words.
#pragma once

#include <string>

#include "machine/machine.hpp"

namespace matchpoint::explain {

/// "ibarrier K0 (m1.c:7)": the kind, the action, and where the call is; of a recording that is told by places,
/// "MPI_Ibarrier (m1.c:7)".
std::string shown_call(IndexedProgram const& code, Location call);
/// "collective 1 of MPI_COMM_WORLD: ibarrier K0 (m1.c:7) in thread 0, igather K1 (m1.c:8) in thread 1". If both calls
/// are of one kind, also what they say: "bcast K0 (root 0) (m1.c:7)". Told by places: "MPI_Ibarrier (m1.c:7) in rank 0,
/// MPI_Igather (m1.c:8) in rank 1".
std::string shown_mismatch(IndexedProgram const& code, Location call, Location other);
/// "bcast K2 (13) of w needs thread 0, and thread 0 is at 02"
std::string shown_need(IndexedProgram const& code, State const& state, Location call, std::uint32_t thread);
/// "bcast K0 (00) of w may wait for thread 1, and thread 1 is at 10": of a call that a library may keep. Empty if all
/// members have called.
std::string may_wait(IndexedProgram const& code, State const& state, Location call);

} // namespace matchpoint::explain
