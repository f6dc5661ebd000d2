// The reduced program as text: the program with the lines of Table 2 instead of its statements. It says all that is
// executed, so that parse_reduced.hpp reads it and reduced_run.hpp runs it.
//
//   std::cout << print_reduced(graph, {});
//
// Beside the language's own forms it has
//   (define (execute s) c ...)    one step; an `assume` in it is its guard
//   (reset set_s X)               set_s := {X}
//   (join set_s X)                X joins set_s
//   (draw Y set_s)                Y := some element of set_s
//   (step c ...)                  one step
//   (remote-ops s ... c)          any number of (execute s), then c
//   (execute-until e s ...)       (execute s) of any of these until e holds
//   (finally c ...)               what happens when all processes have finished
//   (always c ...)                what may happen at any time, again and again
// and, where nothing says what is one step (R8),
//   (define-steps (execute s) c ...)    each c is a step
//   (execute-one s ...)                 (execute s) of one of these
// 2 stands for many.
#pragma once

#include <string>

#include "rma/search/reduced.hpp"

namespace matchpoint::rma {

std::string print_reduced(Graph const& graph, Literal const& literal);

} // namespace matchpoint::rma
