// Which messages a receive admits (docs/semantics.md, "Selectors, modes, barriers").
#pragma once

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// The tag of a send: 0 if it says none. None: it is 0, and no other command names the tag 0.
Tag tag_of(Program const& program, Sndi const& send);

/// What a receive says; null if it says nothing, and admits every message.
inline Selectors const* selectors_of(Ctp const& ctp, Rcvi const& receive) {
    return receive.sel.is_none() ? nullptr : &ctp.selectors[receive.sel.index];
}

/// Whether it names sources or tags.
bool restricts(Selectors const* sel);

/// Whether a message from alpha with this tag (tag_of) is admitted. Null: by a receive that says nothing.
bool admits(Selectors const* sel, Endpoint alpha, Tag n);

/// Whether every message that `b` admits is admitted by `a`.
bool admits_all_of(Selectors const* a, Selectors const* b);

} // namespace matchpoint::grammar
