// Lines that are alike but for their numbers, compactly: the rows of a long run as the page of `draw` has them.
//
//   LineTable table;
//   table.append(out, R"(["R7","R7 gets 12"])"); // out: "0,7,12"
//   table.append(out, R"(["R8","R8 gets 40"])"); // out: "0,7,120,8,40"
//   table.templates();                           // [["[\"R", 0, "\",\"R", 0, " gets ", 1, "\"]"]]
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/json.hpp"

namespace matchpoint::report {

class LineTable {
public:
    /// Appends the number of the line's template and the different numbers of the line, in the order in which they
    /// first occur, with commas between them. The line must not contain NUL. Linear in the line.
    void append(std::string& to, std::string_view line);

    /// Each template is an array of texts and of indices into the numbers of the line.
    Json templates() const;

private:
    std::uint32_t slot(std::uint32_t number);

    std::unordered_map<std::string, std::uint32_t> index_of_; // pattern -> its index; a slot is its number between NULs
    std::vector<std::string const*> patterns_;                // by index
    std::vector<std::uint32_t> numbers_;                      // of the line at hand
    std::unordered_map<std::uint32_t, std::uint32_t> slots_;  // their indices, of a line with many numbers
};

} // namespace matchpoint::report
