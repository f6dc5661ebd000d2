// A line of a picture for a terminal, written cell by cell.
//
//   Line line(80);
//   line.put(4, "│", Style::dim);
//   line.write(6, "wait R2");
//   std::cout << line.text(paint);
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/columns.hpp"
#include "base/paint.hpp"
#include "base/source.hpp"

namespace matchpoint::base {

/// A line of cells, one for each column.
class Line {
public:
    explicit Line(std::size_t columns) : cells_(columns) {}

    void put(std::size_t column, std::string_view glyph, Style style = Style::plain) {
        if (column < cells_.size()) cells_[column] = {std::string(glyph), style};
    }
    bool has(std::size_t column) const { return column < cells_.size() && cells_[column].glyph != " "; }
    /// Writes a text, cut at the end of the line.
    void write(std::size_t column, std::string_view text, Style style = Style::plain) {
        while (!text.empty()) {
            std::size_t const length = std::max<std::size_t>(utf8_sequence_length(text), 1);
            std::string_view const glyph = text.substr(0, length);
            std::size_t const width = display_width(glyph);
            if (column + width > cells_.size()) return;
            cells_[column] = {std::string(glyph), style};
            for (std::size_t i = 1; i < width; ++i) cells_[column + i].glyph.clear();
            column += width;
            text.remove_prefix(length);
        }
    }
    std::string text(Paint const& paint) const {
        std::size_t end = cells_.size();
        while (end > 0 && cells_[end - 1].glyph == " ") --end;
        std::string result;
        for (std::size_t i = 0; i < end;) {
            Style const style = cells_[i].style;
            std::string run;
            for (; i < end && cells_[i].style == style; ++i) run += cells_[i].glyph;
            result += paint(style, run);
        }
        return result + "\n";
    }

private:
    struct Cell {
        std::string glyph = " ";
        Style style = Style::plain;
    };
    std::vector<Cell> cells_;
};

} // namespace matchpoint::base
