// Which changes to the rules predict a subject's answers best: a search through sets of changes.
//
//   for (Explanation const& e : explanations(observed, wrong, solver)) std::cout << to_string(e.changes) << e.agrees;
//
// A set of changes counts only if it gives the wrong answer at hand. The search takes single changes, pairs and
// triples, and then the best sets with one or two more changes. It ends with the first size of which a set predicts
// everything, or when two sizes predict no more than the one before. Every set is tried with match pairs by Figure 15
// and with all pairs.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "validate/observations.hpp"

namespace matchpoint::validate {

/// Changes to the rules that give the same wrong answer as the subject.
struct Explanation {
    Changes changes = {};
    Changes here = {};       // those of them that show in the wrong answer at hand, and were not known before
    std::size_t agrees = 0;  // with all these changes, the number of observations that they predict
    std::size_t of = 0;      // of so many
    bool is_worth_it = true; // the rules without changes predict fewer
};

inline std::size_t misses(Explanation const& e) { return e.of - e.agrees; }

/// Whether the first explanation predicts at least 95 % of the observations, and more than the rules without changes.
/// Otherwise it is only the closest one.
bool is_explained(std::span<Explanation const> explanations);

struct SearchLimits {
    std::size_t largest = 12;             // changes in a set
    std::size_t effort = 400'000;         // predictions
    std::function<bool()> stop = nullptr; // null if it never stops
};

/// The best sets of changes that give the wrong answer of observation `wrong`; best first: by the observations that
/// they predict, then by their size. `known` are changes that
/// were found before; `hints` are sets to begin with: if one predicts everything, nothing else is tried.
std::vector<Explanation> explanations(Observations& observed, std::size_t wrong, CachingSolver& solver,
                                      Changes const& known = {}, std::span<Changes const> hints = {},
                                      SearchLimits const& limits = {});

} // namespace matchpoint::validate
