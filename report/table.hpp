// A table of names and numbers, as text for a terminal, as CSV, and as LaTeX for a paper.
//
//   Table const table{{"encoding", "clauses"}, {{"exact", "12"}, {"section5", "32"}}, 1};
//   std::cout << as_text(table, "  ") << as_csv(table) << as_latex(table);
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::report {

struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows; // each as long as the head
    std::size_t names = 1;                      // the first columns are names, and the others numbers
};

/// A line for the head and for each row, each after an indent: names to the left, numbers to the right.
std::string as_text(Table const& table, std::string_view indent);
std::string as_csv(Table const& table);
/// A tabular. It needs the package booktabs.
std::string as_latex(Table const& table);

} // namespace matchpoint::report
