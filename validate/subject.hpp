// Encoders by name: `exact`, and the paper's own, each to the letter, flaws included (docs/errata.md). They are what
// `encode` and `smt` are compared with, and known subjects for a tool that finds out what is wrong with an encoder.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "executions/exact_pairs.hpp"
#include "grammar/expected.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::validate {

/// What an encoder is asked: is there an execution that fails?
struct Question {
    MessageIndex const& messages;
    Buffering buffering = Buffering::infinite;
    /// Match pairs, for those that take some: by this method, or these, which have to outlive the question.
    PairsMethod pairs = PairsMethod::tight;
    MatchPairs const* match_pairs = nullptr;
    /// The trace, for those that encode one; it has to outlive the question.
    Schedule const* trace = nullptr;
    // Of the text.
    bool check_sat = false; // (check-sat) at the end
    bool cores = false;     // (set-option :produce-unsat-cores true)
    bool models = false;    // (set-option :produce-models true)
};

struct BuiltIn {
    std::string_view name;
    std::string_view source; // "Sections 5.1 to 5.3 of the paper"
    // The bufferings that it speaks of.
    bool infinite;
    bool zero;
    bool of_trace; // of one trace, not of all executions: it takes Question::trace, and no pairs
    /// SMT-LIB 2.6, or why there is no problem: the question is not one for it, or what it wants has no meaning. Throws
    /// LimitReached.
    Expected<std::string, std::string> (*encode)(Question const&);

    bool speaks_of(Buffering b) const { return b == Buffering::zero ? zero : infinite; }
};

std::span<BuiltIn const> built_in();
/// Null if there is none of that name.
BuiltIn const* find_built_in(std::string_view name);

/// Trace t of the program, as Question takes it.
Schedule schedule_of(IndexedProgram const& code, std::size_t t);

} // namespace matchpoint::validate
