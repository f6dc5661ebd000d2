// Why a subject's answer is wrong, in words: which rules it lacks or adds, and where the machine refuses its model.
#pragma once

#include <string>

#include "validate/diagnosis.hpp"
#include "validate/subject.hpp"

namespace matchpoint::validate {

enum class Kind : std::uint8_t {
    unsound,    // it says sat, but no run fails
    incomplete, // it says unsat, but some run fails
};
std::string_view to_string(Kind kind);

/// A few lines for a stranger: what the first explanation says of the wrong answer at hand.
std::string cause(Reason const& reason);

/// Lines of text: the rules that the first explanation changes, those of explanations as good as it, and what tells it
/// from the others. If the first explanation predicts too little, only what comes closest.
std::string shown(Reason const& reason);

/// Replays the subject's model on the reference machine, and names the first step that the machine refuses. The matches
/// are read from constants named as in `exact` or Section 5, or from the answer itself. Empty if they cannot be read.
std::string replay(Case const& c, Buffering buffering, SubjectAnswer const& answer);

} // namespace matchpoint::validate
