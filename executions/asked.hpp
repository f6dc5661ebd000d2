// Which complete runs a question is about.
#pragma once

#include <cstdint>

#include "rooms.hpp"

namespace matchpoint::executions {

enum class Asked : std::uint8_t {
    failure, // all assumptions hold, and some assertion does not
    success, // all assumptions and all assertions hold
    any,     // every complete run
};

} // namespace matchpoint::executions
