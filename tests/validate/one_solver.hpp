// z3 for the tests of explanations, which keeps its answers.
#pragma once

#include "validate/caching_solver.hpp"

namespace matchpoint::validate {

inline CachingSolver& solver() {
    static CachingSolver one(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    return one;
}

} // namespace matchpoint::validate
