// What differs between two runs of a program that are drawn beside each other.
//
//   RunDifference const d = compare(here, there, code);
//   d.first                       the entry at which the order first differs
//   d.here, d.there               the entries to mark in each: that one, and those whose receives get other messages
//   d.sentences                   "R2 gets S4 here, S5 there"
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/diagram.hpp"

namespace matchpoint::report {

struct RunDifference {
    /// A row; just past the end of the shorter run if it is the beginning of the other. None if there is no difference.
    std::optional<std::uint32_t> first;
    std::vector<std::uint32_t> here; // rows to mark, in order
    std::vector<std::uint32_t> there;
    /// The receives that get one message in a run and another one, or none, in the other. Those of the first run come
    /// first.
    std::vector<std::string> sentences;
};

RunDifference compare(Diagram const& here, Diagram const& there, IndexedProgram const& code);

/// What the mark means, for those who look at the picture.
inline constexpr std::string_view legend_of_marks =
    "≠ the runs differ first here, or the receive gets another message than in the other run";

/// "the runs differ first at entry 19: t0.c7 (mw.c:19) here, t0.c8 (mw.c:19) there"; "The runs do not differ."
std::string first_difference(RunDifference const& d, Diagram const& here, Diagram const& there,
                             IndexedProgram const& code);

} // namespace matchpoint::report
