#pragma once

/// The encoding of programs with shared variables against the naive exploration.

#include <cstdint>
#include <memory>
#include <vector>

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/together.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// What is asked of a program: failing executions and complete runs, with as few switches as the truth has and with one
/// less (P3; both forms of the bound, where there are two), and complete runs that succeed or that are any. A model has
/// to stand for an execution that the machine runs to its end, with no more switches. `number` chooses the pairs and
/// the form of the reads, and some of the questions.
std::vector<Question> shared_questions(std::shared_ptr<Subject const> const& subject, bool zero,
                                       SharedTruth const& truth, std::size_t number);

/// What `schedule` is asked of a program without messages: failing executions and complete runs, with as few switches
/// as the truth has and with one less. The turns of a model are an execution that the machine runs. Empty for a
/// program with messages.
std::vector<Question> schedule_questions(std::shared_ptr<Subject const> const& subject, SharedTruth const& truth,
                                         std::size_t number);

/// Case i of a seed: a random program under both bufferings if it has messages, and what causal models predict from a
/// random trace. What is wrong with it or with one before it.
Wrong shared_encoding_is_right(std::uint64_t seed, std::uint64_t i, Together& together, Tally& tally);

/// Whether an execution of a causal model of a trace fails, for each of the three. The trace stays on the path. Empty
/// if the program is too large for the naive search.
std::vector<Question> model_questions(Program const& program, Trace const& trace, bool zero, std::size_t number,
                                      Tally& tally);

} // namespace matchpoint::naive
