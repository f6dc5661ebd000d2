// A program that a subject is asked about, and what the semantics says of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "grammar/source.hpp"
#include "machine/driver.hpp"
#include "programs/draft.hpp"
#include "smt_machine/solver.hpp"

namespace matchpoint::validate {

/// A program under rules S and D, ready to be asked about; with the one run that is asked about, where it is that.
struct Case {
    std::string text;
    Source source;
    Program program;
    Code code;
    Messages messages;
    std::optional<Schedule> trace; // the program's first

    Case(std::string t, Source s, Program p);
    Case(Case const&) = delete;
    Case& operator=(Case const&) = delete;
};

/// Null if the text breaks a rule, or has no trace though one is asked about.
std::unique_ptr<Case> make_case(std::string text, bool of_trace);

/// Whether there is a failing run; of a trace, whether it fails.
struct Truth {
    /// None: it could not be settled, or the trace is not well-formed (Lemma 3 says nothing of it).
    std::optional<bool> fails = {};
    std::string by = {};              // "exploration", "smt (z3)", "the reference machine"
    std::optional<Schedule> run = {}; // that fails
    /// Two of our own ways say different things: what each says. A fault of this program, not of the subject.
    std::string disagreement = {};
};

struct TruthOptions {
    Buffering buffering = Buffering::infinite;
    std::uint64_t steps = 200'000; // of explorations; beyond that the solver is asked
    Solver* solver = nullptr;      // null: there is none
    bool twice = true;             // ask both, where both can be asked
};

/// Throws LimitReached.
Truth truth(Case const& c, TruthOptions const& options);

} // namespace matchpoint::validate
