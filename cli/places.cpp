#include "cli/places.hpp"

#include <algorithm>

#include "cli/utf16.hpp"
#include "grammar/messages/positions.hpp"

namespace matchpoint::cli {

Places::Places(Source const& source, IndexedProgram const& code) : source_(source), code_(code), line_begins_{0} {
    std::string_view const text = source.text();
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
        line_begins_.push_back(static_cast<Offset>(end + 1));
}

Places::Position Places::position(Offset offset) const {
    auto const line = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset) - 1;
    std::size_t const column = utf16_units(source_.text().substr(*line, offset - *line));
    return {static_cast<std::size_t>(line - line_begins_.begin()) + first_line_, column + first_column_};
}

Places::Range Places::of(Location rho) const {
    Offset const begin = code_.ctp().commands[rho.index].offset;
    // The bracket that opens the command is in front of its location.
    return {position(begin),
            position(std::min(closing_bracket(source_, begin) + 1, static_cast<Offset>(source_.text().size())))};
}

Places::Range Places::end_of(std::uint32_t thread) const {
    Offset const close = code_.ctp().threads[thread].close;
    return {position(close), position(close + 1)};
}

std::optional<std::size_t> Places::line_index(std::size_t line) const {
    if (line < first_line_ || line - first_line_ >= line_begins_.size()) return std::nullopt;
    return line - first_line_;
}

std::size_t Places::end_of_line(std::size_t index) const {
    return index + 1 < line_begins_.size() ? line_begins_[index + 1] : source_.text().size() + 1;
}

Offset Places::offset(std::size_t line_index, std::size_t column) const {
    std::size_t at = line_begins_[line_index];
    std::size_t const end = std::min(end_of_line(line_index), source_.text().size());
    for (std::size_t n = first_column_; n < column && at < end;) {
        n += utf16_units(source_.text()[at++]);
        while (at < end && utf16_units(source_.text()[at]) == 0) ++at;
    }
    return static_cast<Offset>(at);
}

std::uint32_t Places::first_from(std::size_t offset) const {
    auto const& commands = code_.ctp().commands; // in the order of the text
    auto const it = std::lower_bound(commands.begin(), commands.end(), offset,
                                     [](LocatedCommand const& c, std::size_t o) { return c.offset < o; });
    return static_cast<std::uint32_t>(it - commands.begin());
}

std::vector<Location> Places::stops(std::size_t line, std::optional<std::size_t> column) const {
    auto const& commands = code_.ctp().commands;
    auto const asked = line_index(line);
    if (!asked) return {};
    std::uint32_t first = first_from(line_begins_[*asked]);
    if (first == commands.size()) return {};
    std::size_t index = *asked;
    if (commands[first].offset >= end_of_line(index)) {
        column.reset();
        index = static_cast<std::size_t>(
            std::upper_bound(line_begins_.begin(), line_begins_.end(), commands[first].offset) - line_begins_.begin() -
            1);
    }
    std::uint32_t const last = first_from(end_of_line(index));
    if (column) {
        // The bracket in front of a command belongs to it.
        std::uint32_t const behind = first_from(std::size_t{offset(index, *column)} + 2);
        return {Location{std::clamp(behind, first + 1, last) - 1}};
    }
    std::vector<Location> result;
    for (; first < last; ++first)
        if (result.empty() || code_.thread_of(result.back()) != code_.thread_of({first})) result.push_back({first});
    return result;
}

std::vector<Location> Places::on_lines(std::size_t first, std::size_t last) const {
    auto const from = line_index(std::max(first, first_line_));
    if (!from || last < first) return {};
    auto const to = line_index(last).value_or(line_begins_.size() - 1);
    std::vector<Location> result;
    for (std::uint32_t i = first_from(line_begins_[*from]), end = first_from(end_of_line(to)); i < end; ++i)
        result.push_back({i});
    return result;
}

} // namespace matchpoint::cli
