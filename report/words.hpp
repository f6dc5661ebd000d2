// The machine's findings in words.
#pragma once

#include <string>

#include "machine/machine.hpp"
#include "report/findings.hpp"

namespace matchpoint::report {

/// A name, value or piece of program as messages show it: escaped (source.hpp) and cut at `limit` code points.
std::string shown(IndexedProgram const& code, Location rho);
std::string shown(IndexedProgram const& code, Action a);
std::string shown(IndexedProgram const& code, Variable x);
std::string shown(IndexedProgram const& code, Endpoint beta);
std::string shown(Value const& v);
std::string shown(IndexedProgram const& code, Command const& c);
std::string shown(IndexedProgram const& code, Expression e);

/// "1 state", "2 states"
std::string plural(std::uint64_t n, std::string_view what);

/// Why the machine is stuck, in a sentence: "S4 is still in transit ...". The state is the
/// one before the entry.
std::string explain(IndexedProgram const& code, State const& state, Reason const& reason);

/// "a = 1, b = 4"
std::string explain(IndexedProgram const& code, std::vector<Finding::Binding> const& values);

/// "R2 = S5, R5 = S4"; no more than `limit`, then how many more there are.
std::string explain(IndexedProgram const& code, std::vector<Match> const& matches, std::size_t limit = 20);

/// "S1, S2"; as above.
std::string explain(IndexedProgram const& code, std::vector<Action> const& actions, std::size_t limit = 20);

} // namespace matchpoint::report
