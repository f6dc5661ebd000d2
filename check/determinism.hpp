// Whether the outcome depends on the schedule: whether two complete runs on the path end with different values of some
// variables.
//
//   Determinism const d = determinism(messages, options, outcome_variables(messages.code()));
//   if (d.answer == Determinism::Answer::differs) show(d.one->schedule, d.other->schedule);
//
// Both of its questions are for check(), so that every engine answers them. All threads meet at a barrier in the end.
// After it, `(assert false)` fails in some complete run, if there is one; then `(= x v)` is asserted for each variable
// and its value in that run. The program's own assertions do not count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.hpp"

namespace matchpoint::check {

struct Determinism {
    enum class Answer : std::uint8_t {
        same,    // all complete runs on the path end with the same values
        differs, // two do not
        no_run,  // no run on the path completes
        unknown,
    };
    /// A complete run of the program itself, which its reference machine has executed.
    struct End {
        Schedule schedule;
        std::vector<Value> values; // of the variables
    };

    Answer answer = Answer::unknown;
    std::string engine;       // which one decided
    std::optional<End> one;   // unless no run completes, or none was found
    std::optional<End> other; // differs: some value is another one
    std::vector<Trouble> trouble = {};
};
std::string_view to_string(Determinism::Answer answer);

/// The variables that have a value at the end of every complete run: shared ones, and those that threads assign. Those
/// of a receive without a wait may have none.
std::vector<Variable> outcome_variables(IndexedProgram const& code);

/// Of `variables`, which are among those above. The options say which engines, and how long for each question.
Determinism determinism(MessageIndex const& messages, CheckOptions const& options,
                        std::vector<Variable> const& variables);

} // namespace matchpoint::check
