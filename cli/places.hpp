// Commands and their places in the source, as a client counts lines and columns: columns in UTF-16 code units.
#pragma once

#include <optional>
#include <vector>

#include "machine/indexed_program.hpp"

namespace matchpoint::cli {

class Places {
public:
    struct Position {
        std::size_t line;
        std::size_t column;
    };
    struct Range {
        Position begin;
        Position end; // of the last character, exclusive
    };

    /// The arguments have to outlive it.
    Places(Source const& source, IndexedProgram const& code);

    /// The numbers of a client's first line and column.
    void count_from(std::size_t line, std::size_t column) { first_line_ = line, first_column_ = column; }

    /// A command, from its location to the bracket that closes it.
    Range of(Location rho) const;
    /// Where a thread has ended: its closing bracket.
    Range end_of(std::uint32_t thread) const;

    /// What a breakpoint on a line stops before: the first command of each thread on the line; with a column, the
    /// command there. If the line has no command, the next line that has one counts. Empty if no command follows.
    std::vector<Location> stops(std::size_t line, std::optional<std::size_t> column) const;
    /// The commands that begin on lines `first` to `last`.
    std::vector<Location> on_lines(std::size_t first, std::size_t last) const;

private:
    Position position(Offset offset) const;
    /// The index of a line that a client names; none if the text has no such line.
    std::optional<std::size_t> line_index(std::size_t line) const;
    std::size_t end_of_line(std::size_t index) const;
    Offset offset(std::size_t line_index, std::size_t column) const;
    /// The first command at or after an offset.
    std::uint32_t first_from(std::size_t offset) const;

    Source const& source_;
    IndexedProgram const& code_;
    std::vector<Offset> line_begins_;
    std::size_t first_line_ = 1;
    std::size_t first_column_ = 1;
};

} // namespace matchpoint::cli
