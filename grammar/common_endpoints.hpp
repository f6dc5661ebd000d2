// Endpoints that several threads use. Rule D1 forbids them in programs without shared variables (docs/language.md).
#pragma once

#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// By endpoint, of so many: whether several threads send from it, receive at it or probe at it. Linear in the size of
/// the program.
std::vector<bool> common_endpoints(Ctp const& ctp, std::size_t endpoints);

/// Whether there are some, in a program that may have them.
bool has_common_endpoints(Ctp const& ctp, std::size_t endpoints);

} // namespace matchpoint::grammar
