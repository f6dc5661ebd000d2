// What a solver answers to (get-model), z3's and cvc5's ways.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "grammar/expected.hpp"
#include "matching/feasibility.hpp"

namespace matchpoint::encode {

/// The match set that a model of an exact encoding stands for: the values of M_R; with `partial`, 0 is a receive that
/// gets nothing. The error says what is missing or cannot be read. Linear in the model's size; nothing recurses on its
/// depth.
Expected<Matching, std::string> matching_of_model(MessageIndex const& messages, std::string_view model,
                                                  bool partial = false);

} // namespace matchpoint::encode
