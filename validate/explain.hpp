// Why a subject's answer is wrong: which rule it has too little or too much of, and what its model runs into.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "validate/asked.hpp"
#include "validate/changes.hpp"

namespace matchpoint::validate {

enum class Kind : std::uint8_t {
    unsound,    // it says sat, and no run fails
    incomplete, // it says unsat, and a run fails
};
std::string_view to_string(Kind kind);

/// What a subject said of a program, right or wrong.
struct Observation {
    std::shared_ptr<Case const> c;
    Buffering buffering;
    bool sat;
};

/// Changes to the rules that give the wrong answer as the subject gives it.
struct Explanation {
    Changes changes = {};
    std::size_t agrees = 0; // with so many of the observations, with these changes
    std::size_t of = 0;
};

/// What the rules so changed say of a program: whether a run fails. None: no problem, or no answer.
std::optional<bool> predicted(Case const& c, Buffering buffering, Changes const& changes, Answers& solver);

/// All smallest sets of changes (one, two or three) with which the plain encoding gives this wrong answer on this program,
/// beside those that are known of the subject already, or else alone; those that agree with most observations first.
/// Empty: there are none.
std::vector<Explanation> explain(Case const& c, Buffering buffering, Kind kind, Changes const& known, Answers& solver,
                                 std::span<Observation const> observations);

/// The rules that the first explanation, and those that agree with as much, change; in a text's lines.
std::string shown(std::span<Explanation const> explanations);

/// What becomes of the subject's model on the reference machine, where it can be read: its matches by our names or those of
/// Section 5, or as it names them itself; and its order. Names the first step that is refused. Empty: it cannot be read.
std::string replay(Case const& c, Buffering buffering, Said const& said);

} // namespace matchpoint::validate
