// Which complete runs a question is about.
#pragma once

#include <cstdint>

#include "machine/state.hpp"

namespace matchpoint::executions {

enum class Asked : std::uint8_t {
    failure, // all assumptions hold, and some assertion does not
    success, // all assumptions and all assertions hold
    any,     // every complete run
};

/// Whether a complete run that ends like this is one of them.
inline bool is_asked(Asked asked, Status s) {
    switch (asked) {
    case Asked::failure: return s == Status::failure;
    case Asked::success: return s == Status::success;
    case Asked::any: break;
    }
    return s < Status::error;
}

} // namespace matchpoint::executions
