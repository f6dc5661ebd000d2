// The order that is to blame: how a run that passed and one that failed access what a failure depends on.
//
//   auto const orders = orders_to_blame(passed.program, failed.program);
//   for (std::string const& line : orders.failed) std::cout << line << '\n';   // "thread 1 reads balance, account.c:8"
#pragma once

#include <string>
#include <vector>

#include "programs/draft.hpp"

namespace matchpoint::record::threads {

struct Orders {
    std::vector<std::string> passed, failed; // accesses, in the order of the runs
};

/// The accesses, in the first traces of two recordings, of the shared variables that the last command of the second one
/// depends on; or, if threads wait at its end, of what they wait for. What both begin and end with is left out. Empty
/// if there is no difference. Linear but for the variables.
Orders orders_to_blame(draft::Draft const& passed, draft::Draft const& failed);

} // namespace matchpoint::record::threads
