// What a user may have meant by a name that the program does not have.
#pragma once

#include <string>
#include <string_view>

#include "base/names.hpp"

namespace matchpoint::cli {

/// "; did you mean `R2`?", or nothing, for a word that is not among the first `count` names. Names that would have to
/// be escaped are not suggested, for nobody can type them.
std::string name_suggestion(std::string_view word, Names const& names, std::uint32_t count = UINT32_MAX);

} // namespace matchpoint::cli
