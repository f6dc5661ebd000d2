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

} // namespace matchpoint::rma
