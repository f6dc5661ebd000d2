// Scripts that tell shells how to complete commands, options, their words and files.
#pragma once

#include <string>

#include "cli/describe/description.hpp"

namespace matchpoint::cli {

std::string bash_completion(CommandDescription const& top);
std::string zsh_completion(CommandDescription const& top);
std::string fish_completion(CommandDescription const& top);

} // namespace matchpoint::cli
