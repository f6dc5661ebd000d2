// Why a subject's answer is wrong: which rules it lacks or adds, and where the machine refuses its model.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "validate/changes.hpp"
#include "validate/subject.hpp"

namespace matchpoint::validate {

enum class Kind : std::uint8_t {
    unsound,    // it says sat, but no run fails
    incomplete, // it says unsat, but some run fails
};
std::string_view to_string(Kind kind);

/// A subject's answer about a program, right or wrong.
struct Observation {
    std::shared_ptr<Case const> c;
    Buffering buffering;
    bool sat;
};

/// Changes to the rules that give the same wrong answer as the subject.
struct Explanation {
    Changes changes = {};
    std::size_t agrees = 0; // with these changes, the number of observations that they predict
    std::size_t of = 0;     // of so many
};

/// Whether some run of a program fails under the changed rules. None: there is no problem, or no answer.
std::optional<bool> predicted(Case const& c, Buffering buffering, Changes const& changes, CachingSolver& solver,
                              Runs runs = Runs::complete);

/// All smallest sets of changes (one, two or three) with which the plain encoding gives the same wrong answer on this program,
/// best first: those that predict most observations. The changes are added to the known flaws of the subject or, if
/// there are none such, taken alone. Empty: no changes explain it.
std::vector<Explanation> explain(Case const& c, Buffering buffering, Kind kind, Changes const& known,
                                 CachingSolver& solver, std::span<Observation const> observations,
                                 Runs runs = Runs::complete);

/// Lines of text: the rules that the first explanation changes, and those of explanations as good as it.
std::string shown(std::span<Explanation const> explanations);

/// Replays the subject's model on the reference machine, and names the first step that the machine refuses. The matches are
/// read from constants named as in `exact` or Section 5, or from the answer itself. Empty: they cannot be read.
std::string replay(Case const& c, Buffering buffering, SubjectAnswer const& answer);

} // namespace matchpoint::validate
