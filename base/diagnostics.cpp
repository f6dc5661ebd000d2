#include "base/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign.hpp"
#include "base/paint.hpp"

namespace matchpoint::base {

namespace {

constexpr std::size_t window = 100; // how many code points of a line are shown

/// Whether the byte at an offset continues a UTF-8 sequence.
bool continues(std::string_view line, std::size_t at) {
    return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
}

/// The offsets at which the code points of a line begin, and its end.
std::vector<std::size_t> boundaries(std::string_view line, std::size_t from, std::size_t limit) {
    std::vector<std::size_t> result;
    std::size_t i = from;
    while (i < line.size() && result.size() < limit) {
        result.push_back(i);
        i += std::max<std::size_t>(utf8_sequence_length(line.substr(i)), 1);
    }
    result.push_back(i);
    return result;
}

/// The width of the line's number, to the left of the text.
std::size_t gutter(Source const& source, Offset offset) {
    std::size_t const number = offset == no_offset ? 0 : std::to_string(source.line_column(offset).line).size();
    return std::max<std::size_t>(number, 6);
}

/// The source line with a caret under [offset, offset + length).
std::string excerpt(Source const& source, Offset offset, std::uint32_t length, Paint const& paint) {
    auto const [line, begin] = source.line_at(offset);
    std::size_t const place = std::min<std::size_t>(offset - begin, line.size());

    // Start far enough to the left that the position is well inside the window.
    std::size_t start = 0;
    if (count_code_points(line.substr(0, place)) > window * 2 / 3) {
        start = place;
        for (std::size_t steps = 0; start > 0 && steps < window / 2; --start)
            if (!continues(line, start)) ++steps;
        while (start > 0 && continues(line, start)) --start;
    }
    std::string text = start > 0 ? "…" : "";
    std::string carets = start > 0 ? " " : "";
    auto const points = boundaries(line, start, window);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        auto const sequence = line.substr(points[i], points[i + 1] - points[i]);
        std::string const shown = printable(sequence);
        bool const plain = shown == sequence && !find_invalid_utf8(sequence);
        text += plain ? shown : sequence == "\t" ? " " : "?";
        if (points[i] < place)
            carets += ' ';
        else if (points[i] == place)
            carets += '^';
        else if (points[i] < place + length)
            carets += '~';
    }
    if (points.back() < line.size()) text += "…";
    if (place >= points.back()) carets += '^';

    std::size_t const width = gutter(source, offset);
    return fmt::format("{:>{}} | {}\n{:>{}} | {}\n", source.line_column(offset).line, width, text, "", width,
                       paint(Style::good, carets));
}

std::string place(Source const& source, Offset offset) {
    if (offset == no_offset) return printable(source.name(), 4096);
    auto const [line, column] = source.line_column(offset);
    return fmt::format("{}:{}:{}", printable(source.name(), 4096), line, column);
}

} // namespace

std::string headline(Diagnostic const& d, Source const& source) {
    std::string_view const severity = d.severity == Severity::error ? "error" : "warning";
    return fmt::format("{}: {}[{}]: {}", place(source, d.offset), severity, d.rule, d.message);
}

std::string render(Diagnostics const& diagnostics, Source const& source, RenderOptions const& options) {
    Paint const paint(options.color);
    std::string result;
    std::size_t const shown = std::min(options.limit, diagnostics.size());
    for (std::size_t i = 0; i < shown; ++i) {
        Diagnostic const& d = diagnostics[i];
        bool const error = d.severity == Severity::error;
        std::string const label = fmt::format("{}[{}]:", error ? "error" : "warning", d.rule);
        result += fmt::format("{} {} {}\n", paint(Style::heading, place(source, d.offset) + ":"),
                              paint(error ? Style::bad : Style::stuck, label), paint(Style::heading, d.message));
        if (d.offset != no_offset) result += excerpt(source, d.offset, d.length, paint);
        for (std::string const& hint : d.hints)
            result += fmt::format("{:>{}} = {} {}\n", "", gutter(source, d.offset), paint(Style::note, "hint:"), hint);
        if (d.notes_are_for_tools) continue;
        for (Note const& note : d.notes) {
            result += fmt::format("{} {} {}\n", paint(Style::heading, place(source, note.offset) + ":"),
                                  paint(Style::note, "note:"), note.message);
            if (note.offset != no_offset) result += excerpt(source, note.offset, note.length, paint);
        }
    }
    if (shown < diagnostics.size()) {
        result += fmt::format("{}: {}{} more not shown\n", printable(source.name(), 4096),
                              diagnostics.size() < max_diagnostics ? "" : "at least ", diagnostics.size() - shown);
    }
    return result;
}

bool has_error(Diagnostics const& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](Diagnostic const& d) { return d.severity == Severity::error; });
}

std::optional<Diagnostic> encoding_fault(Source const& source) {
    auto const offset = find_invalid_utf8(source.text());
    if (!offset) return std::nullopt;
    Diagnostic d;
    d.rule = "syntax";
    d.message = fmt::format("byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(source.text()[*offset]));
    d.offset = static_cast<Offset>(*offset);
    bool const is_utf16 = source.text().starts_with("\xFF\xFE") || source.text().starts_with("\xFE\xFF");
    if (std::string const hint = hint_for_source_or_binary(source.text(), source.name()); !hint.empty())
        d.hints.emplace_back(hint);
    else
        d.hints.push_back(is_utf16 ? "this looks like UTF-16: save the file as UTF-8" : "save the file as UTF-8");
    return d;
}

} // namespace matchpoint::base
