// The static rules RS1 to RS6 of `.rma` programs (docs/rma.md), checked when the text has been read.
#pragma once

#include <array>
#include <vector>

#include "base/diagnostics.hpp"
#include "rma/language/program.hpp"

namespace matchpoint::rma {

/// Where the parts of a program are in its text, for messages.
struct ParsedTokens {
    /// The variables, process numbers, locations and operators of a statement, in the order of the text, without those
    /// in expressions.
    struct Parts {
        std::array<Offset, 5> at{no_offset, no_offset, no_offset, no_offset, no_offset};
        std::uint32_t count = 0;
        void push(Offset offset) {
            if (count < at.size()) at[count++] = offset;
        }
    };
    struct Arity {
        Op op;
        std::uint32_t count;
        Offset at;
    };
    struct Place {
        Variable x;
        std::uint32_t pid; // into Symbols::pids
        LocationName rho;
        Offset pid_at;
        Offset rho_at;
    };
    struct Declared {
        Variable x;
        ProcessIndex process;
        Offset at;
    };
    std::vector<Parts> parts;    // by statement
    std::vector<Offset> rhos;    // by statement: of its location
    std::vector<Offset> nodes;   // by node
    std::vector<Offset> choices; // by Program::choices
    std::vector<Offset> pids;    // by process
    std::vector<Declared> again; // variables that are declared a second time
    std::vector<Arity> wrong_arities;
    std::vector<Place> places;
};

/// All violations, in the order of the text and at most max_diagnostics. Numbers of processes in the statements are
/// indices into Symbols::pids before, and of processes afterwards; jumps and places get what they name.
Diagnostics resolve(Program& program, ParsedTokens const& tokens);

} // namespace matchpoint::rma
