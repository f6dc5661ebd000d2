// Steps that are atomic here and not in a real program.
#pragma once

#include <functional>

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// Whether the program's own order keeps a write, a command of another thread or a receive into the variable, from
/// coming between the two steps of an update. Both are indices of commands.
using IsOrdered = std::function<bool(std::uint32_t write, std::uint32_t update)>;

/// At most one warning, of rule "atomic", about assignments that read and write the same shared variable, as in
/// `(x := (+ x 1))`, which are one step of the machine. It is at the first one; its notes are the others, up to
/// `max_diagnostics` of them.
///
/// Left out are variables that some `when` waits for or writes, and locks that threads only try to take; and
/// assignments that mean the same in two steps, as no other thread can write between them: none writes the variable, or
/// each other write is kept away by a lock that this thread holds, too, or by `is_ordered`, which may be empty.
///
/// Linear in the size of the program, times the locks that a thread holds; and `is_ordered` is asked about a million
/// pairs at most.
Diagnostics warn_of_atomic_updates(Program const& program, Source const& source, IsOrdered const& is_ordered = {});

} // namespace matchpoint::grammar
