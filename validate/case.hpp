// A program that a subject is asked about, and what the semantics says of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "executions/scheduler.hpp"
#include "matching/prepared.hpp"
#include "programs/draft.hpp"
#include "validate/answers.hpp"

namespace matchpoint::validate {

/// A program, with the one run that is asked about, where it is that.
struct Case : Prepared {
    std::optional<Schedule> trace; // the program's first

    using Prepared::Prepared;
    std::string_view text() const { return source.text(); }
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
    Answers* solver = nullptr;     // null: there is none
    bool twice = true;             // ask both, where both can be asked
};

/// Throws LimitReached.
Truth truth(Case const& c, TruthOptions const& options);

} // namespace matchpoint::validate
