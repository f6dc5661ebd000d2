#pragma once

/// Rules 1 to 4 of match sets (matching/feasibility.hpp) once more, for tests: by trying every way to serve a channel,
/// and by the transitive closure of the happens-before graph. It shares no code with what it checks.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// Receive -> send, by action; a receive may occur twice.
using Matches = std::set<std::pair<std::string, std::string>>;

/// Whether a set of matches, of all receives or some, breaks one of rules 1 to 4 in a program under D1 to D6. Rules 2
/// and 3 of a part, channel by channel: there is no way to match the channel's other sends with receives that are free.
bool breaks_a_rule(Program const& program, bool zero, Matches const& matches);

/// D3: "a later wait, in its thread, for itself or for a later receive at the same endpoint", "that admits no more than
/// it": the location of the first; none if the receive has none.
std::optional<std::string> nearest_enclosing_wait(Program const& program, std::string const& receive);

/// Every order of all commands, by location, in which no thread is out of order, and in which every wait for a receive
/// comes after as many sends to the endpoint as the receive's place says (zero buffering: and every wait for a send
/// after as many receives at its endpoint as the send's place in its channel says).
std::set<std::vector<std::string>> counted_orders(Program const& program, bool zero);

} // namespace matchpoint::naive
