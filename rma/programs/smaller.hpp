// Programs made smaller, as long as something is true of them: to show a fault with few statements.
//
//   Program const smallest = shrink(program, [](Program const& p) { return goes_wrong(p); }, 1000);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rma/language/program.hpp"

namespace matchpoint::rma {

/// Texts with a little less: without a statement, process, declaration or property; with what is inside of a statement
/// instead of it; with an operand or a small value instead of an expression. The largest differences come first. Not
/// all of them are programs.
std::vector<std::string> smaller(std::string const& text);

/// The smallest program that is found with at most so many calls of `holds`, which holds for the program itself.
Program shrink(Program const& program, std::function<bool(Program const&)> const& holds, std::size_t calls);

} // namespace matchpoint::rma
