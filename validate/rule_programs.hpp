// The programs that a campaign asks about first: for each change of changes.hpp a small one on which it gives a wrong
// answer, and few other changes do. Small programs in the order of their size come to some of them late: two messages
// of one channel that overtake each other show only with five commands or more.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "validate/changes.hpp"

namespace matchpoint::validate {

struct RuleProgram {
    Change change; // it shows here, with match pairs by Figure 15 or with all pairs
    std::string_view text;
};

/// All of them; those of one kind follow each other, those that show the fewest changes come first.
std::span<RuleProgram const> rule_programs();

/// Those of programs with messages (with selectors, modes and barriers only if `mpi`), or with shared variables.
std::vector<RuleProgram> rule_programs_of(bool shared, bool mpi);

} // namespace matchpoint::validate
