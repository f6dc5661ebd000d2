// What is wrong with the arguments of a command line, in our words, with the name that was perhaps meant.
#pragma once

#include <string>
#include <vector>

#include "rooms.hpp"

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace matchpoint::cli {

/// For arguments that CLI11 refused with `e`; the first is the program's name. Nothing that a user passed is in it raw:
/// control characters are escaped.
std::string usage_error(CLI::App const& app, CLI::ParseError const& e, std::vector<std::string> const& arguments);

} // namespace matchpoint::cli
