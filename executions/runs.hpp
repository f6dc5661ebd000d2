// Which executions of a program count (docs/semantics.md, "Outcomes of a program").
#pragma once

#include <cstdint>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::executions {

enum class Runs : std::uint8_t {
    executions, // every execution, as long as it stays on the recorded path: before an assumption is false
    complete,   // the paper's reading: complete runs only, judged at their end
};

constexpr std::string_view to_string(Runs runs) { return runs == Runs::executions ? "executions" : "complete"; }

} // namespace matchpoint::executions
