// Parses the trace language (Figure 5(a), docs/language.md), and checks the static rules.
//
//   Source const source("figure1.ctp", text);
//   Expected<Program, Diagnostics> const program = parse(source);
//   if (!program) std::cerr << render(program.error(), source);
//   for (LocatedCommand const& c : program->ctp.commands) std::cout << print(*program, c.c) << "\n";
//
// ast.hpp has the syntax tree, discipline.hpp rules D1 to D6, print.hpp the inverse of parse().
#pragma once

#include "base/diagnostics.hpp"
#include "base/expected.hpp"
#include "base/source.hpp"
#include "grammar/ast.hpp"

namespace matchpoint::grammar {

struct ParseOptions {
    bool keep_comments = false; // for the printer
};

/// The program of a file, or what is wrong with it: its syntax errors, or else all violations of the static rules, in
/// the order of the text and at most max_diagnostics. The first syntax error is at the deepest position that the parser
/// reached. It goes on at the next command, thread, trace entry or trace, and leaves out what may only be a consequence
/// of an earlier error. The diagnostics' rules are "syntax", "S1" ... "S9", and "limit" for an integer that is too long
/// for this implementation (value.hpp).
Expected<Program, Diagnostics> parse(Source const& source, ParseOptions const& options = {});

} // namespace matchpoint::grammar
