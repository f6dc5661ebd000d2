// Parts of programs and runs in words, as messages show them.
#pragma once

#include <string>

#include "base/paint.hpp"
#include "explain/findings.hpp"
#include "machine/machine.hpp"
#include "machine/well_formed.hpp"

namespace matchpoint::explain {

/// A name, a value or a piece of program: escaped (`printable`, base/source.hpp), and cut if it is long.
std::string shown(IndexedProgram const& code, Action a);
/// "R2 = S5"; of a recording that is told by places (explain/told.hpp), "mw.c:19 gets mw.c:28 of rank 3".
std::string shown_match(IndexedProgram const& code, Action a_r, Action a_s);
/// The same of a receive alone: "R2", "mw.c:19".
std::string shown_receive(IndexedProgram const& code, Action a_r);
/// "thread 3"; of a recording, "rank 3".
std::string shown_thread(IndexedProgram const& code, std::uint32_t thread);
std::string shown(IndexedProgram const& code, Variable x);
std::string shown(IndexedProgram const& code, Barrier b);
std::string shown(IndexedProgram const& code, Endpoint beta);
std::string shown(IndexedProgram const& code, Tag n);
std::string shown(Value const& v);
std::string shown(IndexedProgram const& code, Command const& c);
std::string shown(IndexedProgram const& code, Expression e);

/// "02"; with the place where its command came from, if the program says one: "02 (main.c:12)".
std::string shown(IndexedProgram const& code, Location rho);
/// The name alone: what users type.
std::string shown_name(IndexedProgram const& code, Location rho);
/// "main.c:12", or "main+0x1234" where line 0 says that the line is not known; empty if the program does not say.
std::string shown_place(IndexedProgram const& code, Location rho);
/// Whether some command says where it came from.
bool has_places(IndexedProgram const& code);

/// "success", in its color.
Style style_of(Status s);
std::string shown(Status s, Paint const& paint);

/// Why the machine is stuck, in a sentence: "x has no value". The state is the one before the entry.
std::string in_words(IndexedProgram const& code, State const& state, Reason const& reason);

/// "a = 1, b = 4"
std::string in_words(IndexedProgram const& code, std::vector<Finding::Binding> const& values);

/// "R2 = S5, R5 = S4"; no more than `limit` matches, then how many more there are.
std::string in_words(IndexedProgram const& code, std::vector<Match> const& matches, std::size_t limit = 20);

/// "S1, S2"; the same for actions.
std::string in_words(IndexedProgram const& code, std::vector<Action> const& actions, std::size_t limit = 20);

/// "  orphans, sent but never delivered: S1, S2", a line for each kind of orphan that there is
std::string shown_orphans(IndexedProgram const& code, WellFormedness const& w);

} // namespace matchpoint::explain
