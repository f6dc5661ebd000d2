#include "report/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "report/latex.hpp"

namespace matchpoint::report {

namespace {

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string field = "\"";
    for (char const c : text) {
        if (c == '"') field += '"';
        field += c;
    }
    return field + '"';
}

/// The head and the rows, each made of its fields.
template <typename F>
std::string lines(Table const& table, F const& line) {
    std::string text = line(table.head);
    for (auto const& row : table.rows) text += line(row);
    return text;
}

} // namespace

std::string as_text(Table const& table, std::string_view indent) {
    std::vector<std::size_t> widths(table.head.size(), 0);
    static_cast<void>(lines(table, [&](std::vector<std::string> const& row) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], base::display_width(row[i]));
        return "";
    }));
    return lines(table, [&](std::vector<std::string> const& row) {
        std::string text(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            std::string const blanks(widths[i] - base::display_width(row[i]), ' ');
            if (i > 0) text += "  ";
            text += i < table.names ? row[i] + blanks : blanks + row[i];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text + '\n';
    });
}

std::string as_csv(Table const& table) {
    return lines(table, [](std::vector<std::string> const& row) {
        std::string text;
        for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(row[i]);
        return text + '\n';
    });
}

std::string as_latex(Table const& table) {
    auto const line = [&](std::vector<std::string> const& row, bool is_head) {
        std::string text;
        for (std::size_t i = 0; i < row.size(); ++i) {
            bool const is_name = !is_head && i < table.names && !row[i].empty();
            text += (i == 0 ? "" : " & ") + (is_name ? "\\texttt{" + latex(row[i]) + "}" : latex(row[i]));
        }
        return text + " \\\\\n";
    };
    std::string text = fmt::format("\\begin{{tabular}}{{{}{}}}\n\\toprule\n", std::string(table.names, 'l'),
                                   std::string(table.head.size() - table.names, 'r'));
    text += line(table.head, true) + "\\midrule\n";
    for (auto const& row : table.rows) text += line(row, false);
    return text + "\\bottomrule\n\\end{tabular}\n";
}

} // namespace matchpoint::report
