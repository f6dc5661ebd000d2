// What has to be executed before an assertion can fail (executions/shared/assertion_needs.hpp), by what counting knows:
// which assertions hold in all executions, and which commands come before the others (order.hpp).
//
//   auto const needs = counting::assertion_needs(messages, proofs);
#pragma once

#include <optional>

#include "counting/proofs.hpp"
#include "executions/shared/assertion_needs.hpp"

namespace matchpoint::counting {

/// None if the program is too large. About as long as Proofs::no_assertion_fails(). Throws OutOfTime.
std::optional<executions::AssertionNeeds> assertion_needs(MessageIndex const& messages, Proofs const& proofs);

} // namespace matchpoint::counting
