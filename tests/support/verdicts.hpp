#pragma once

/// The checker and the encodings against the naive exploration, program by program.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "check/check.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/naive_explore.hpp"

namespace matchpoint::naive {

/// How often what was covered.
using Tally = std::map<std::string, std::size_t>;
void print(std::ostream& out, Tally const& tally);

/// Random program number i of a seed: half of them are made for exploration, half for single traces.
Program verdict_program(std::uint64_t seed, std::uint64_t i);

/// What is wrong, with all that is needed to see it; none if nothing is wrong.
using Wrong = std::optional<std::string>;

/// A program as what is tested has it.
struct Subject {
    explicit Subject(Program const& program);

    Loaded loaded;
    MessageIndex messages;
};

/// An execution leaves the path as the truth has it, and the way that is shown leads to an assumption that is false.
Wrong leaving_is_right(Subject const& subject, bool zero, Reached const& leaves_path, bool truth);

/// Verdict, deadlock and fault as the truth has them, nothing unknown, and every run that is shown is one.
Wrong check_is_right(Subject const& subject, bool zero, Truth const& truth, CheckOptions options);

/// The same of executions on the path.
Wrong check_on_path_is_right(Subject const& subject, bool zero, OnPath const& truth, CheckOptions options);

/// A problem, the answer that is expected of a solver, and what its model has to stand for.
struct Question {
    std::string problem; // without (check-sat)
    bool sat = false;
    std::function<Wrong(std::string const& model)> judge;
    std::function<std::string(std::string const& what)> wrong; // all that is needed to see it

    Wrong ask(Solver& solver) const;
};

/// What encoding_is_right() asks.
Question question(std::shared_ptr<Subject const> subject, bool zero, Truth truth, std::size_t number);

/// Whether some execution on the path fails, deadlocks or has a fault; `number` chooses.
Question question(std::shared_ptr<Subject const> subject, bool zero, OnPath truth, std::size_t number);

/// The exact encoding, over the pairs that `number` chooses, is satisfiable exactly when the truth has such a run
/// (Theorems 2, 3 and 5), and its model stands for one that the machine replays. `number` also chooses what is asked: a
/// failure, a success, or whether there is a deadlock or fault.
Wrong encoding_is_right(std::shared_ptr<Subject const> subject, bool zero, Truth truth, Solver& solver,
                        std::size_t number);

class Together;

/// The engines that need nobody else, on executions on the path.
Wrong engines_are_right_on_path(Subject const& subject, bool zero, OnPath const& truth);

/// Both, for one random program under both bufferings: the checker by exploration and by itself, the encoding together
/// with that of others unless `together` is null. A program too large for the naive exploration is only counted.
Wrong verdicts_are_right(std::uint64_t seed, std::uint64_t i, Together* together, Tally& tally);

} // namespace matchpoint::naive
