// A program from its text, for tests.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "rma/language/parse.hpp"

namespace matchpoint::rma {

/// Throws std::invalid_argument with the diagnostics.
inline Program program_of(std::string_view text) {
    Source const source("test.rma", std::string(text));
    auto program = parse_rma(source);
    if (!program) throw std::invalid_argument(render(program.error(), source));
    return std::move(*program);
}

/// A process 2 with the given statements, beside a process 1 with a shared Y.
inline std::string two_processes(std::string_view of_2, std::string_view property) {
    return "(rma (process 1 (shared (Y 1) (Z 0))) (process 2 (shared (R 0) (X 2)) (local (r 0) (s 0))\n" +
           std::string(of_2) + ")\n" + std::string(property) + ")";
}

} // namespace matchpoint::rma
