// What a program exercises, in words: "waits out of order", "several assertions", ...
#pragma once

#include <string>
#include <vector>

#include "validate/case.hpp"

namespace matchpoint::validate {

/// Sorted.
std::vector<std::string> traits(Case const& c);

} // namespace matchpoint::validate
