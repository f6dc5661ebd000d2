// How a program comes to what its reduction cannot come to.
#pragma once

#include <string>

#include "validate/reducers/outcome.hpp"

namespace matchpoint::validate::reducers {

/// A schedule (rma/machine/schedule.hpp) of the program to the first violation or final valuation that the reduced
/// program lacks. Empty if it is not found within the limits.
std::string run_to(rma::Program const& program, Outcome const& truth, Outcome const& reduced);

} // namespace matchpoint::validate::reducers
