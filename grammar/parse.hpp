// The parser of the trace language (Figure 5(a), language.md) and rules S1 to S5, which need nothing but the text.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/diagnostics.hpp"
#include "grammar/expected.hpp"
#include "grammar/source.hpp"

namespace matchpoint::grammar {

struct ParseOptions {
    bool keep_comments = false; // for the printer
};

/// The program of a file, or what is wrong with it: the one syntax error at the deepest point reached, or all breaches
/// of rules S1 to S5 in the order of the text (no more than max_diagnostics are kept). Rules: "syntax", "S1" ... "S5",
/// and "limit" for an integer too long for this implementation (value.hpp).
Expected<Program, Diagnostics> parse(Source const& source, ParseOptions const& options = {});

} // namespace matchpoint::grammar
