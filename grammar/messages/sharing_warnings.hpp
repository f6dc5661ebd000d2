// Steps that are atomic here and not in a real program.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// At most one warning, of rule "atomic", about assignments that read and write the same shared variable, as in
/// `(x := (+ x 1))`, which are one step of the machine. It is at the first one; its notes are the others, up to
/// `max_diagnostics` of them.
///
/// Left out are variables that some `when` waits for or writes, and locks that threads only try to take; and
/// assignments that mean the same in two steps, as no other thread can write between them: none writes the variable, or
/// all hold a lock that this one holds, too.
///
/// Linear in the size of the program, times the locks that a thread holds.
Diagnostics warn_of_atomic_updates(Program const& program, Source const& source);

} // namespace matchpoint::grammar
