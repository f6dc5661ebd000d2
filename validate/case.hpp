// A program that a subject is asked about, and the right answer by the semantics.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "executions/scheduler.hpp"
#include "matching/prepared.hpp"
#include "programs/draft.hpp"
#include "validate/caching_solver.hpp"
#include "validate/question.hpp"

namespace matchpoint::validate {

/// A program; and its trace, if the question is about that run alone or about what a causal model predicts from it.
struct Case : Prepared {
    std::optional<Schedule> trace; // the program's first one

    using Prepared::Prepared;
    std::string_view text() const { return source.text(); }
};

/// Null if the program breaks a rule, or has no trace although `of_trace` asks for one.
std::unique_ptr<Case> make_case(std::string text, bool of_trace);
std::unique_ptr<Case> make_case(draft::Draft const& draft, bool of_trace);

/// Whether some run fails; for a case of one trace, whether that run fails, or some run that the model predicts from
/// it.
struct Truth {
    /// None if unknown, or if the trace has no causal model or is not well-formed, so that Lemma 3 does not apply.
    std::optional<bool> fails = {};
    std::string by = {};              // "exploration", "smt (z3)", "the reference machine"
    std::optional<Schedule> run = {}; // one that fails
    /// How our own two methods disagree, if they do. Then Matchpoint is wrong, not the subject.
    std::string disagreement = {};
};

struct TruthOptions {
    Buffering buffering = Buffering::infinite;
    Question question = {};          // of a case of one trace, only the model counts
    std::uint64_t steps = 200'000;   // limit of the exploration; beyond it the solver is asked
    CachingSolver* solver = nullptr; // null if there is none
    bool twice = true;               // use both methods, if possible
};

/// The causal model of the case's trace that the question is about. None if the trace has none.
std::optional<CausalModel> model_of(Case const& c, Buffering buffering, Question const& question);

/// The exact encoding of a program (encode/registry.hpp), without (check-sat). None if there is none for such programs.
std::optional<std::string> exact_problem(Case const& c, Buffering buffering, Question const& question);

/// Throws LimitReached.
Truth truth(Case const& c, TruthOptions const& options);

/// Whether the right answer is known to be another one under the other buffering.
bool depends_on_buffering(Case const& c, TruthOptions options);

} // namespace matchpoint::validate
