#include "report/diagram_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/words.hpp"

namespace matchpoint::report {

namespace {

constexpr std::size_t narrowest_lane = 11;
constexpr std::size_t widest_lane = 36;
constexpr std::size_t widest_location = 8;
constexpr std::size_t most_notes = 20;

std::string padded(std::string_view text, std::size_t columns) {
    std::string result = cut(text, columns);
    return result + std::string(columns - display_width(result), ' ');
}

std::string_view mark_of(Diagram::Kind kind) {
    switch (kind) {
    case Diagram::Kind::step: return "●";
    case Diagram::Kind::failed_assertion:
    case Diagram::Kind::failed_assumption: return "✗";
    case Diagram::Kind::stuck: return "■";
    case Diagram::Kind::unfinished: break;
    }
    return "○";
}

/// A line of cells, one for each column.
class Line {
public:
    explicit Line(std::size_t columns) : cells_(columns, " ") {}

    void put(std::size_t column, std::string_view glyph) {
        if (column < cells_.size()) cells_[column] = glyph;
    }
    bool has(std::size_t column) const { return column < cells_.size() && cells_[column] != " "; }
    /// Writes a text, cut at the end of the line.
    void write(std::size_t column, std::string_view text) {
        while (!text.empty()) {
            std::size_t const length = std::max<std::size_t>(utf8_sequence_length(text), 1);
            std::string_view const glyph = text.substr(0, length);
            std::size_t const width = display_width(glyph);
            if (column + width > cells_.size()) return;
            cells_[column] = glyph;
            for (std::size_t i = 1; i < width; ++i) cells_[column + i].clear();
            column += width;
            text.remove_prefix(length);
        }
    }
    std::string text() const {
        std::string result;
        for (auto const& cell : cells_) result += cell;
        result.erase(result.find_last_not_of(' ') + 1);
        return result + "\n";
    }

private:
    std::vector<std::string> cells_;
};

class TextDrawing {
public:
    TextDrawing(Diagram const& diagram, IndexedProgram const& code, std::size_t columns)
        : d_(diagram), code_(code), columns_(columns), threads_(code.ctp().threads.size()) {
        entry_ = std::max<std::size_t>(3, std::to_string(d_.rows.size()).size());
        for (Diagram::Row const& row : d_.rows)
            if (!row.rho.is_none())
                location_ = std::max(location_, std::min(widest_location, display_width(shown(code_, row.rho))));
        gutter_ = entry_ + 1 + location_ + 2;
        lane_ = threads_ == 0 || columns_ < gutter_ ? 0 : std::min(widest_lane, (columns_ - gutter_) / threads_);
    }

    std::string text() {
        if (lane_ >= narrowest_lane || threads_ == 0)
            lanes();
        else
            list();
        notes();
        return std::move(text_);
    }

private:
    std::string head(Diagram::Row const& row) const {
        return fmt::format("{:>{}} ", row.entry, entry_) +
               padded(row.rho.is_none() ? "" : shown(code_, row.rho), location_) + "  ";
    }
    std::size_t column(std::uint32_t thread) const { return gutter_ + thread * lane_; }

    void lanes() {
        Line header(columns_);
        for (std::uint32_t t = 0; t < threads_; ++t)
            header.write(column(t), cut(fmt::format("thread {}", t), lane_ - 1));
        text_ += header.text();
        // The next command of each thread, like Diagram::next, but at the row that is being drawn.
        std::vector<std::uint32_t> next(threads_);
        for (std::uint32_t t = 0; t < threads_; ++t) next[t] = code_.ctp().threads[t].first;
        auto const with_lanes = [&] {
            Line line(columns_);
            for (std::uint32_t t = 0; t < threads_; ++t) {
                if (next[t] == code_.ctp().threads[t].last) continue;
                bool const waits = as_wait(code_.command_at({next[t]})) != nullptr;
                line.put(column(t), waits ? "║" : "│");
            }
            return line;
        };
        for (std::uint32_t r = 0; r < d_.rows.size(); ++r) {
            Diagram::Row const& row = d_.rows[r];
            for (Diagram::Point const& p : d_.points_of(r))
                if (p.kind == Diagram::Point::Kind::delivered) {
                    Line line = with_lanes();
                    arrow(line, d_.messages[p.index]);
                    text_ += line.text();
                }
            Line line = with_lanes();
            line.write(0, head(row));
            std::string const what = row_text(d_, code_, r);
            if (row.thread == Diagram::none) {
                line.write(gutter_, cut(fmt::format("{} {}", mark_of(row.kind), what), columns_ - gutter_));
            } else {
                line.put(column(row.thread), mark_of(row.kind));
                line.write(column(row.thread) + 2, cut(what, lane_ - 3));
            }
            text_ += line.text();
            bool const ran = row.kind != Diagram::Kind::stuck && row.kind != Diagram::Kind::unfinished;
            if (ran) next[row.thread] = row.rho.index + 1;
        }
    }

    void arrow(Line& line, Diagram::Message const& m) const {
        std::uint32_t const from = d_.sender(code_, m);
        std::uint32_t const to = d_.receiver(code_, m);
        std::string const label = message_text(code_, m);
        if (to == Diagram::none || to == from) {
            std::string const where = to == from ? "" : fmt::format(" ► {}", shown(code_, code_[m.channel].beta));
            line.put(column(from), to == from ? "◄" : "├");
            line.write(column(from) + 1, "─");
            line.write(column(from) + 2, cut(" " + label + where, lane_ - 3));
            return;
        }
        std::size_t const left = column(std::min(from, to));
        std::size_t const right = column(std::max(from, to));
        for (std::uint32_t t = std::min(from, to) + 1; t < std::max(from, to); ++t)
            if (line.has(column(t))) line.put(column(t), "┼");
        bool const sender_is_there = line.has(column(from));
        for (std::size_t c = left + 1; c < right; ++c)
            if (!line.has(c)) line.put(c, "─");
        line.put(column(to), to < from ? "◄" : "►");
        line.put(column(from), to < from ? (sender_is_there ? "┤" : "╯") : (sender_is_there ? "├" : "╰"));
        // Within the width of the first lane, so that it hides no crossing.
        std::string const shown_label = cut(label, lane_ - 5);
        line.write(left + 1 + (lane_ - 3 - display_width(shown_label)) / 2, " " + shown_label + " ");
    }

    void list() {
        for (std::uint32_t r = 0; r < d_.rows.size(); ++r) {
            Diagram::Row const& row = d_.rows[r];
            for (Diagram::Point const& p : d_.points_of(r)) {
                if (p.kind != Diagram::Point::Kind::delivered) continue;
                Diagram::Message const& m = d_.messages[p.index];
                std::uint32_t const to = d_.receiver(code_, m);
                std::string const where = to == Diagram::none
                                              ? fmt::format("endpoint {}", shown(code_, code_[m.channel].beta))
                                              : fmt::to_string(to);
                add(std::string(gutter_, ' ') +
                    fmt::format("◄ {} from thread {} to {}", message_text(code_, m), d_.sender(code_, m), where));
            }
            std::string const thread = row.thread == Diagram::none ? "" : fmt::format("thread {}: ", row.thread);
            add(head(row) + fmt::format("{} {}{}", mark_of(row.kind), thread, row_text(d_, code_, r)));
        }
    }
    void add(std::string const& line) { text_ += cut(line, columns_) + "\n"; }

    void notes() {
        for (std::string const& note : report::notes(d_, code_)) text_ += folded(note, columns_, 2);
        text_ += fmt::format("s = {}\n", to_string(d_.s));
    }

    Diagram const& d_;
    IndexedProgram const& code_;
    std::size_t columns_;
    std::size_t threads_;
    std::size_t entry_;
    std::size_t location_ = 2;
    std::size_t gutter_;
    std::size_t lane_;
    std::string text_;
};

} // namespace

std::size_t display_width(std::string_view text) {
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

std::string folded(std::string_view text, std::size_t columns, std::size_t indent) {
    std::string result;
    std::size_t column = 0;
    while (!text.empty()) {
        std::size_t const end = std::min(text.find(' '), text.size());
        std::string const word = cut(text.substr(0, end), columns - indent);
        std::size_t const width = display_width(word);
        if (column > indent && column + 1 + width > columns) {
            result += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (column > 0) {
            result += ' ';
            ++column;
        }
        result += word;
        column += width;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result + "\n";
}

std::vector<std::string> notes(Diagram const& d, IndexedProgram const& code) {
    std::vector<std::string> result;
    std::size_t count = 0;
    for (Diagram::Row const& row : d.rows) {
        switch (row.kind) {
        case Diagram::Kind::step: break;
        case Diagram::Kind::failed_assertion:
        case Diagram::Kind::failed_assumption:
            if (++count > most_notes) break;
            result.push_back(fmt::format("✗ entry {}, {}: {}{}{}", row.entry, shown(code, row.rho),
                                         shown(code, code.command_at(row.rho)), row.why.empty() ? "" : " with ",
                                         row.why));
            break;
        case Diagram::Kind::stuck: result.push_back(fmt::format("■ entry {}: {}", row.entry, row.why)); break;
        case Diagram::Kind::unfinished:
            result.push_back(fmt::format("○ entry {}: limit reached: {}", row.entry, row.why));
        }
    }
    if (count > most_notes) result.push_back(fmt::format("... and {} more that do not hold", count - most_notes));
    return result;
}

std::string message_text(IndexedProgram const& code, Diagram::Message const& m) {
    return fmt::format("{} = {}", shown(code, m.a_s), shown(m.v));
}

std::string row_text(Diagram const& d, IndexedProgram const& code, std::uint32_t r) {
    Diagram::Row const& row = d.rows[r];
    if (row.rho.is_none()) return row.kind == Diagram::Kind::stuck ? "the trace is used up" : "";
    if (row.thread == Diagram::none) return "no such location";
    std::string text = shown(code, code.command_at(row.rho));
    text.erase(0, 1); // the brackets
    if (!text.empty() && text.back() == ')') text.pop_back();
    std::string separator = "  ";
    constexpr std::size_t most = 8;
    std::size_t count = 0;
    for (Diagram::Point const& p : d.points_of(r)) {
        if (p.kind != Diagram::Point::Kind::completed) continue;
        if (++count > most) continue;
        Diagram::Receive const& receive = d.receives[p.index];
        text += fmt::format("{}{} = {}", separator, shown(code, receive.x), shown(d.messages[receive.message].v));
        separator = ", ";
    }
    if (count > most) text += fmt::format(", ... ({} more)", count - most);
    return text;
}

std::string to_text(Diagram const& diagram, IndexedProgram const& code, unsigned columns) {
    return TextDrawing(diagram, code, std::max(columns, 40U)).text();
}

} // namespace matchpoint::report
