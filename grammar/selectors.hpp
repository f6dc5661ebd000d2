// Which messages a receive admits (docs/semantics.md, "Selectors, modes, barriers").
#pragma once

#include <algorithm>
#include <string>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// The tag of a send: 0 if it names none. None if it is 0 and nothing else names the tag 0.
Tag tag_of(Program const& program, Sndi const& send);

/// What a receive says; null if it says nothing, and admits every message.
inline Selectors const* selectors_of(Ctp const& ctp, Rcvi const& receive) {
    return receive.sel.is_none() ? nullptr : &ctp.selectors[receive.sel.index];
}

inline Selectors const* selectors_of(Ctp const& ctp, Probe const& probe) {
    return probe.sel.is_none() ? nullptr : &ctp.selectors[probe.sel.index];
}

/// Names the tag 0, which messages without a tag have, if the program names any.
void name_tag_0(Symbols& names);

/// Whether it names sources or tags.
template <typename N>
bool restricts(SelectorsOf<N> const* sel) {
    return sel != nullptr && (sel->from || sel->tags);
}

/// Whether a message from alpha with this tag (tag_of) is admitted. `sel` is null for a receive that says nothing.
bool admits(Selectors const* sel, Endpoint alpha, Tag n);

/// Whether every message that `b` admits is admitted by `a`, of a program or of a draft.
template <typename N>
bool admits_all_of(SelectorsOf<N> const* a, SelectorsOf<N> const* b) {
    if (!restricts(a)) return true;
    if (b == nullptr) return false;
    auto const is_in = [](auto const& some, auto const& name) {
        return std::find(some.begin(), some.end(), name) != some.end();
    };
    auto const has_all_of = [&](auto const& more, auto const& fewer) {
        return !more || (fewer && std::all_of(fewer->begin(), fewer->end(),
                                              [&](auto const& name) { return is_in(*more, name); }));
    };
    bool const nothing = (b->from && b->from->empty()) || (b->tags && b->tags->empty());
    return nothing || (has_all_of(a->from, b->from) && has_all_of(a->tags, b->tags));
}

/// " (from 1) (tagged z)": to a printer of names.
template <typename Printer, typename N>
void print_selectors(Printer& out, SelectorsOf<N> const& sel) {
    auto const list = [&](std::string_view kind, auto const& names) {
        out << " (" << kind;
        for (auto const& name : names) out << " " << name;
        out << ")";
    };
    if (sel.from) list("from", *sel.from);
    if (sel.tags) list("tag", *sel.tags);
    if (sel.source) out << " (source " << *sel.source << ")";
    if (sel.tagged) out << " (tagged " << *sel.tagged << ")";
}

/// A text that is the same for two receives exactly if they admit the same messages.
std::string admitted_by(Selectors const* sel);

} // namespace matchpoint::grammar
