// A program that was read and keeps rules S and D, ready for exploration and encoding.
#pragma once

#include <utility>

#include "base/source.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::matching {

/// Its members refer to each other, so it cannot be copied.
struct Prepared {
    Source source;
    Program program;
    IndexedProgram code;
    MessageIndex messages;

    Prepared(Source s, Program p) : source(std::move(s)), program(std::move(p)), code(program), messages(code) {}
    Prepared(Prepared const&) = delete;
    Prepared& operator=(Prepared const&) = delete;
};

} // namespace matchpoint::matching
