#include "base/columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/paint.hpp"
#include "base/source.hpp"

namespace matchpoint::base {

namespace {

std::string without_colors(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        if (std::size_t const length = escape_length(text); length > 0) {
            text.remove_prefix(length);
            continue;
        }
        result += text.front();
        text.remove_prefix(1);
    }
    return result;
}

/// Where the lines go on that a line is wrapped into.
std::size_t hanging_indent(std::string const& line, std::size_t columns) {
    std::size_t const leading = std::min(line.find_first_not_of(' '), line.size());
    std::size_t indent = leading + 2;
    for (std::size_t gap = line.find("  ", leading); gap != std::string::npos; gap = line.find("  ", gap)) {
        std::size_t const next = line.find_first_not_of(' ', gap);
        if (next == std::string::npos) break;
        std::size_t const column = display_width(line.substr(0, next));
        if (column > columns / 2) break;
        indent = column;
        gap = next;
    }
    return indent <= columns / 2 ? indent : std::min<std::size_t>(2, columns / 2);
}

/// "   12 | ( [06 (wait R9)]", "      |            ^~"
bool is_quotation(std::string const& line) {
    std::size_t const mark = line.find_first_not_of(" 0123456789");
    return mark != std::string::npos && mark > 0 && line[mark - 1] == ' ' && line.compare(mark, 2, "| ") == 0;
}

std::string wrapped_line(std::string_view line, std::size_t columns) {
    if (display_width(line) <= columns || is_quotation(without_colors(line))) return std::string(line);
    std::string const indent(hanging_indent(without_colors(line), columns), ' ');
    std::string result;
    std::size_t column = 0;
    bool has_word = false; // on the line that is being written
    while (!line.empty()) {
        std::size_t const blanks = std::min(line.find_first_not_of(' '), line.size());
        std::size_t const end = std::min(line.find(' ', blanks), line.size());
        std::string_view const word = line.substr(blanks, end - blanks);
        std::size_t const width = display_width(word);
        line.remove_prefix(end);
        if (word.empty()) break; // blanks at the end
        if (has_word && column + blanks + width > columns) {
            result += "\n" + indent;
            column = indent.size();
        } else {
            result.append(blanks, ' ');
            column += blanks;
        }
        result += word;
        column += width;
        has_word = true;
    }
    return result;
}

} // namespace

std::size_t display_width(std::string_view text) {
    if (text.find('\x1b') != std::string_view::npos) {
        std::string const plain = without_colors(text);
        if (plain.size() < text.size()) return display_width(plain);
    }
    if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        return text.size();
    // fmt knows which characters are wide: the width is what it does not pad. No character is wider than its bytes.
    return text.size() - (fmt::format("{:<{}}", text, text.size()).size() - text.size());
}

std::string cut(std::string_view text, std::size_t columns) {
    if (text.size() <= columns || display_width(text) <= columns) return std::string(text);
    std::string result;
    std::size_t width = 0;
    while (true) {
        std::string_view const glyph = text.substr(0, std::max<std::size_t>(utf8_sequence_length(text), 1));
        width += display_width(glyph);
        if (width + 1 > columns) break;
        result += glyph;
        text.remove_prefix(glyph.size());
    }
    return columns == 0 ? "" : result + "…";
}

namespace {

/// With spaces instead of no-break spaces.
void append_with_spaces(std::string& result, std::string_view word) {
    for (std::size_t i = word.find(no_break_space); i != std::string_view::npos; i = word.find(no_break_space)) {
        result.append(word.substr(0, i)).push_back(' ');
        word.remove_prefix(i + no_break_space.size());
    }
    result += word;
}

} // namespace

std::string folded(std::string_view text, std::size_t columns, std::size_t indent) {
    indent = std::min(indent, columns / 2); // there is some room in any case
    std::string const next_line = "\n" + std::string(indent, ' ');
    std::string result;
    std::size_t column = 0;
    bool has_word = false; // on the line that is being written
    while (!text.empty()) {
        std::size_t const end = std::min(text.find_first_of(" \n"), text.size());
        std::string const word = cut(text.substr(0, end), std::max<std::size_t>(columns - indent, 1));
        std::size_t const width = display_width(word);
        if (has_word && column + 1 + width > columns) {
            result += next_line;
            column = indent;
        } else if (has_word) {
            result += ' ';
            ++column;
        }
        append_with_spaces(result, word);
        column += width;
        has_word = true;
        if (end < text.size() && text[end] == '\n') {
            result += next_line;
            column = indent;
            has_word = false;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result + "\n";
}

std::string wrapped(std::string_view text, std::size_t columns) {
    if (columns == 0) return std::string(text);
    std::string result;
    while (!text.empty()) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        result += wrapped_line(text.substr(0, end), columns);
        if (end < text.size()) result += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string beside(std::string_view left, std::string_view right, std::size_t columns) {
    auto const next = [](std::string_view& text) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        std::string_view const line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return line;
    };
    std::string result;
    while (!left.empty() || !right.empty()) {
        std::string_view const a = next(left);
        std::string_view const b = next(right);
        std::size_t const width = display_width(a);
        result.append(a).append(columns - std::min(width, columns), ' ').append(" ┃");
        if (!b.empty()) result.append(" ").append(b);
        result += "\n";
    }
    return result;
}

} // namespace matchpoint::base
