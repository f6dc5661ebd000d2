#pragma once

/// The machine's runs in the naive oracle's terms, so that the two can be compared whole.

#include <memory>

#include "machine/machine.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_oracle.hpp"

namespace matchpoint::naive {

/// A program as the machine has it, read from the text of a plain one.
struct Loaded {
    std::string text;
    std::unique_ptr<matchpoint::Program> program;
    std::unique_ptr<IndexedProgram> code;

    matchpoint::Location location(std::string const& name) const;
    Entry entry(std::size_t i) const { return code->entry(0, i); }
};

/// Throws std::runtime_error, with the diagnostics, if the text is refused.
Loaded load(std::string text);
Loaded load(Case const& c);

inline Buffering buffering(Case const& c) { return c.zero ? Buffering::zero : Buffering::infinite; }

/// A movement of the machine as the oracle writes it. Where receives select by tag, its channels are those of one tag,
/// and the movement has the tag.
Movement plain_movement(IndexedProgram const& code, Channel channel);

/// The machine's state as the oracle writes it.
State snapshot(IndexedProgram const& code, matchpoint::State const& state);

/// Runs the first trace on the machine and reports as the oracle does, but for the order of offenders.
/// Adds the sends whose messages the probes of a run saw, by name.
void add_seen(IndexedProgram const& code, matchpoint::State const& state, std::map<std::string, std::string>& to);

Result run_on_machine(IndexedProgram const& code, Buffering buffering);

/// With the orphans and the unmatched receives in order of their names.
Result sorted(Result result);

} // namespace matchpoint::naive
