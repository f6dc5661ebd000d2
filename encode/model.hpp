// From a solver's model back to a match set.
#pragma once

#include <string>
#include <string_view>

#include "base/expected.hpp"
#include "matching/feasibility.hpp"

namespace matchpoint::encode {

/// The match set of a model of the exact encoding (exact.hpp), read from the values of M_R. With `partial` the model is
/// one of encode_stop(), and 0 stands for a receive without a message. The error says which value is missing or not a
/// send's number. Linear in the model's size.
Expected<Matching, std::string> matching_of_model(MessageIndex const& messages, std::string_view model,
                                                  bool partial = false);

} // namespace matchpoint::encode
