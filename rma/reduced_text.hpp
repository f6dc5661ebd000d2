// The reduced program as text, to be read: the program with the lines of Table 2 instead of its statements.
//
//   std::cout << print_reduced(graph, {});
//
// Beside the language's own forms it has
//   (define (execute s) c ...)    one step
//   (reset set_s X)               set_s := {X}
//   (join set_s X)                X joins set_s
//   (draw Y set_s)                Y := some element of set_s
//   (step c ...)                  one step
//   (remote-ops s ... c)          any number of (execute s), then c
//   (execute-one s ...)           (execute s) of one of these
// An `assume` in a definition is its guard. 2 stands for many. What is executed at the end and under an invariant has no line (docs/rma.md, "The reduction").
#pragma once

#include <string>

#include "rma/reduced.hpp"

namespace matchpoint::rma {

std::string print_reduced(Graph const& graph, Literal const& literal);

} // namespace matchpoint::rma
