// What the rules of programs with shared variables say of a program, as they are and changed (changes.hpp).
//
//   std::optional<bool> const sat = some_run_fails(c.code, question, only(Change::first_guard));
//
// No solver is asked: it is a search through all orders of the commands, one machine for all changes. The machine is
// that of the reference semantics with what an encoding has beside it, since that is where encoders go wrong:
//
//   idle commands  A thread whose guard is false is idle from then on. Its further commands are not executed. Under
//                  idle_reads they still take place somewhere in the order, as in the formula of Section 4.2 of
//                  Symbolic Predictive Analysis, and so they need writes to read.
//   times          Commands are at times 0, 1, ..., which are what a bound on context switches counts. A time belongs to one thread;
//                  under shared_times to all threads that do not interfere, as in Section 5.
//   a trace        If the question is about a causal model: threads end where they ended in it. mcm: a command that is
//                  not free is executed only if it reads what it read there. hb: only after the conflicting ones that
//                  preceded it.
//
// It shares no code with the searches of executions/, so without changes it is a second way to the truth
// (tests/validate/shared_rules_test.cpp).
#pragma once

#include <cstdint>
#include <optional>

#include "machine/schedule.hpp"
#include "validate/changes.hpp"
#include "validate/question.hpp"

namespace matchpoint::validate {

/// Whether the program has neither messages nor barriers, so that these rules say something of it.
bool is_about_shared_variables_only(IndexedProgram const& code);

/// Whether some run fails under the changed rules. None if there are more than `most_states` states, or more than 64
/// threads or assertions. The program has no messages and no barriers; changes about messages are ignored. Throws
/// LimitReached.
///
/// `trace` is what a causal model predicts from; without one, or if it cannot be executed on the path, there is no
/// answer to a question about a model.
///
/// Under total_division every division by zero has the same value, and the values tried are those around the numbers in
/// the program.
std::optional<bool> some_run_fails(IndexedProgram const& code, Question const& question, Changes const& changes,
                                   std::uint64_t most_states = 50'000, Schedule const* trace = nullptr);

} // namespace matchpoint::validate
