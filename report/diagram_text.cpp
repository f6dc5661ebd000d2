#include "report/diagram_text.hpp"

#include <algorithm>
#include <queue>

#include <fmt/format.h>

#include "base/text_line.hpp"
#include "explain/message_words.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "grammar/selectors.hpp"
#include "report/shared_diagram.hpp"

namespace matchpoint::report {

namespace {

constexpr std::size_t narrowest_lane = 11;
constexpr std::size_t widest_lane = 36; // unless a command needs more
constexpr std::size_t widest_location = 8;
constexpr std::size_t widest_place = 24; // of a location with the place where its command came from
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

/// A command without its brackets: "wait R2".
std::string command_text(IndexedProgram const& code, Location rho) {
    std::string text = shown(code, code.command_at(rho));
    text.erase(0, 1);
    if (!text.empty() && text.back() == ')') text.pop_back();
    return text;
}

Style style_of(Diagram::Kind kind) {
    switch (kind) {
    case Diagram::Kind::step: return Style::plain;
    case Diagram::Kind::failed_assertion: return Style::bad;
    case Diagram::Kind::failed_assumption: return Style::broken;
    case Diagram::Kind::stuck:
    case Diagram::Kind::unfinished: break;
    }
    return Style::stuck;
}

class TextDrawing {
public:
    TextDrawing(Diagram const& diagram, IndexedProgram const& code, TextOptions const& options)
        : d_(diagram), code_(code), options_(options), columns_(std::max<std::size_t>(options.columns, 40)),
          place_(code.ctp().threads.size(), nowhere), next_(code.ctp().threads.size()), holds_(place_.size()) {
        if (options.shared) shared_ = shared_diagram(d_, code_);
        for (std::uint32_t t = 0; t < place_.size(); ++t) next_[t] = code_.ctp().threads[t].first;
        for (std::uint32_t const t : options.threads)
            if (t < place_.size()) place_[t] = 0;
        for (std::uint32_t t = 0; t < place_.size(); ++t) {
            if (!options.threads.empty() && place_[t] == nowhere) continue;
            place_[t] = threads_.size();
            threads_.push_back(t);
        }
        // The mark is in front of the entry.
        std::size_t const mark = options.marked.empty() ? 0 : 1;
        entry_ = std::max<std::size_t>(3, std::to_string(d_.rows.size()).size() + mark);
        std::size_t const widest = has_places(code_) ? widest_place : widest_location;
        for (Diagram::Row const& row : d_.rows)
            if (is_shown(row) && !row.rho.is_none())
                location_ = std::max(location_, std::min(widest, display_width(location(row.rho))));
        gutter_ = entry_ + 1 + location_ + 2;
        lane_ = threads_.empty() || columns_ < gutter_
                    ? 0
                    : std::min(useful_lane(), (columns_ - gutter_) / threads_.size());
    }

    std::string text() {
        bool const lanes = lane_ >= narrowest_lane || threads_.empty();
        if (lanes) header();
        if (options_.first > 0 && !d_.rows.empty())
            text_ += fmt::format("{:>{}} {} before\n", "...", entry_, std::min<std::uint64_t>(options_.first, size()));
        for (std::uint32_t r = 0; r < d_.rows.size(); ++r) {
            if (in_range(d_.rows[r])) lanes ? draw(r) : list(r);
            ran(r);
        }
        if (size() > 0 && options_.last < size() - 1)
            text_ += fmt::format("{:>{}} {} more\n", "...", entry_, size() - 1 - options_.last);
        if (lanes && !options_.end.empty() && options_.end.front() == "deadlock") halted();
        notes();
        return std::move(text_);
    }

private:
    static constexpr std::size_t nowhere = SIZE_MAX;

    std::uint64_t size() const { return d_.rows.size(); }
    bool in_range(Diagram::Row const& row) const { return row.entry >= options_.first && row.entry <= options_.last; }
    /// "02 (main.c:12)": the place without its folders, which the lanes need more.
    std::string location(Location rho) const {
        if (auto const* const told = ToldByPlaces::of(code_); told && code_.has(rho)) return told->short_place(rho);
        std::string const place = shown_place(code_, rho);
        std::size_t const folders = place.rfind('/') + 1; // 0: none
        return shown_name(code_, rho) + (place.empty() ? "" : fmt::format(" ({})", place.substr(folders)));
    }
    /// In a wider lane no command would be less cut.
    std::size_t useful_lane() const {
        std::size_t widest = widest_lane;
        for (std::uint32_t r = 0; r < d_.rows.size(); ++r)
            if (is_shown(d_.rows[r])) {
                std::string const from = writers(r);
                std::size_t const behind = from.empty() ? 0 : display_width(from) + 2;
                widest = std::max(widest, display_width(row_text(d_, code_, r)) + behind + 3);
            }
        return widest;
    }
    bool has_lane(std::uint32_t thread) const { return thread != Diagram::none && place_[thread] != nowhere; }
    /// An entry that is not a command of the program has no known thread.
    bool is_shown(Diagram::Row const& row) const {
        return in_range(row) && (row.thread == Diagram::none || has_lane(row.thread));
    }

    std::string head(Diagram::Row const& row) const {
        return fmt::format("{:>{}} ", row.entry, entry_) +
               padded(row.rho.is_none() ? "" : location(row.rho), location_) + "  ";
    }
    void mark_difference(Line& line, std::uint32_t r) const {
        bool const is_marked = std::binary_search(options_.marked.begin(), options_.marked.end(), r);
        if (is_marked) line.put(0, "≠", Style::note);
    }
    std::size_t column(std::uint32_t thread) const { return gutter_ + place_[thread] * lane_; }
    void add(Line const& line) { text_ += line.text(options_.paint); }

    void header() {
        Line line(columns_);
        for (std::uint32_t const t : threads_)
            line.write(column(t), cut(shown_thread(code_, t), lane_ - 1), Style::heading);
        add(line);
    }

    /// Updates the next command of each thread, like Diagram::next but after the row, and how many locks it holds.
    void ran(std::uint32_t r) {
        Diagram::Row const& row = d_.rows[r];
        if (row.kind != Diagram::Kind::stuck && row.kind != Diagram::Kind::unfinished)
            next_[row.thread] = row.rho.index + 1;
        for (; taken_ < shared_.held.size() && shared_.held[taken_].from == r; ++taken_) {
            ++holds_[row.thread];
            if (std::uint32_t const to = shared_.held[taken_].to; to != Diagram::none) given_.push(to);
        }
        for (; !given_.empty() && given_.top() == r; given_.pop()) --holds_[row.thread];
    }

    Line with_lanes() const {
        Line line(columns_);
        for (std::uint32_t const t : threads_) {
            if (next_[t] == code_.ctp().threads[t].last) continue;
            bool const waits = is_wait(code_.command_at({next_[t]}));
            line.put(column(t), waits ? "║" : holds_[t] > 0 ? "┃" : "│", Style::dim);
        }
        return line;
    }

    /// "◄ b5": whose writes the row reads.
    std::string writers(std::uint32_t r) const {
        std::string text;
        for (auto arrow = std::partition_point(shared_.arrows.begin(), shared_.arrows.end(),
                                               [&](auto const& a) { return a.to < r; });
             arrow != shared_.arrows.end() && arrow->to == r; ++arrow)
            if (!arrow->synchronises)
                text += (text.empty() ? "◄ " : ", ") + shown_name(code_, d_.rows[arrow->from].rho);
        return text;
    }
    /// The text of the row, and whose writes it reads if there is room.
    std::string row_line(std::uint32_t r, std::size_t columns) {
        constexpr std::size_t least = 8; // of the text
        std::string from = writers(r);
        std::size_t const width = display_width(from);
        bool const has_room = !from.empty() && width + 2 + least <= columns;
        std::size_t const room = has_room ? columns - width - 2 : columns;
        if (display_width(row_text(d_, code_, r)) > room) ++cut_;
        return row_text(d_, code_, r, room) + (has_room ? "  " + from : "");
    }

    void draw(std::uint32_t r) {
        Diagram::Row const& row = d_.rows[r];
        for (Diagram::Point const& p : d_.points_of(r)) {
            if (p.kind != Diagram::Point::Kind::delivered || !concerns(d_.messages[p.index])) continue;
            Line line = with_lanes();
            arrow(line, d_.messages[p.index]);
            add(line);
        }
        if (!is_shown(row)) return;
        Line line = with_lanes();
        line.write(0, head(row));
        mark_difference(line, r);
        if (row.thread == Diagram::none) {
            line.write(gutter_, mark_of(row.kind), style_of(row.kind));
            line.write(gutter_ + 2, row_line(r, columns_ - gutter_ - 2));
        } else {
            line.put(column(row.thread), mark_of(row.kind), style_of(row.kind));
            line.write(column(row.thread) + 2, row_line(r, lane_ - 3));
        }
        add(line);
    }

    /// Whether it comes from or goes to a thread that is shown.
    bool concerns(Diagram::Message const& m) const {
        return has_lane(d_.sender(code_, m)) || has_lane(d_.receiver(code_, m));
    }

    void arrow(Line& line, Diagram::Message const& m) const {
        std::uint32_t const from = d_.sender(code_, m);
        std::uint32_t const to = d_.receiver(code_, m);
        if (!has_lane(to) || !has_lane(from) || to == from) return short_arrow(line, m, from, to);
        std::size_t const left = column(std::min(from, to));
        std::size_t const right = column(std::max(from, to));
        for (std::uint32_t const t : threads_)
            if (t > std::min(from, to) && t < std::max(from, to) && line.has(column(t))) line.put(column(t), "┼");
        bool const sender_is_there = line.has(column(from));
        for (std::size_t c = left + 1; c < right; ++c)
            if (!line.has(c)) line.put(c, "─", Style::message);
        line.put(column(to), to < from ? "◄" : "►", Style::message);
        line.put(column(from), to < from ? (sender_is_there ? "┤" : "╯") : (sender_is_there ? "├" : "╰"),
                 Style::message);
        // Within the width of the first lane, so that it hides no crossing.
        std::string const label = message_text(code_, m, lane_ - 5);
        line.write(left + 1 + (lane_ - 3 - display_width(label)) / 2, " " + label + " ", Style::message);
    }

    /// For a message whose sender or receiver has no lane of its own.
    void short_arrow(Line& line, Diagram::Message const& m, std::uint32_t from, std::uint32_t to) const {
        bool const comes = has_lane(to);
        std::string where;
        if (!comes)
            where = to == Diagram::none ? fmt::format(" ► {}", shown(code_, code_[m.channel].beta))
                                        : " ► " + shown_thread(code_, to);
        else if (to != from)
            where = fmt::format(" from {}", from);
        std::size_t const at = column(comes ? to : from);
        std::size_t const room = lane_ - 4; // for the label
        std::size_t const taken = display_width(where);
        line.put(at, comes ? "◄" : "├", Style::message);
        line.write(at + 1, "─ ", Style::message);
        line.write(at + 3, cut(message_text(code_, m, room > taken + 5 ? room - taken : room) + where, room),
                   Style::message);
    }

    void list(std::uint32_t r) {
        Diagram::Row const& row = d_.rows[r];
        for (Diagram::Point const& p : d_.points_of(r)) {
            if (p.kind != Diagram::Point::Kind::delivered || !concerns(d_.messages[p.index])) continue;
            Diagram::Message const& m = d_.messages[p.index];
            std::uint32_t const to = d_.receiver(code_, m);
            std::string const where =
                to == Diagram::none ? shown_endpoint(code_, code_[m.channel].beta) : fmt::to_string(to);
            std::string const way = fmt::format(" from {} to {}", shown_thread(code_, d_.sender(code_, m)), where);
            std::size_t const room = columns_ - gutter_ - 2;
            std::string const what = message_text(code_, m, room - std::min(room, display_width(way)));
            Line line(columns_);
            line.write(gutter_, "◄ " + cut(what + way, room), Style::message);
            add(line);
        }
        if (!is_shown(row)) return;
        Line line(columns_);
        std::string const thread = row.thread == Diagram::none ? "" : shown_thread(code_, row.thread) + ": ";
        line.write(0, head(row));
        mark_difference(line, r);
        line.write(gutter_, mark_of(row.kind), style_of(row.kind));
        line.write(gutter_ + 2, thread + row_line(r, columns_ - gutter_ - 2 - thread.size()));
        add(line);
    }

    /// A mark where each thread waits for ever.
    void halted() {
        Line line(columns_);
        for (std::uint32_t const t : threads_) {
            if (next_[t] == code_.ctp().threads[t].last) continue;
            line.put(column(t), mark_of(Diagram::Kind::stuck), Style::stuck);
            line.write(column(t) + 2, cut(command_text(code_, {next_[t]}), lane_ - 3));
        }
        add(line);
    }

    void notes() {
        std::vector<Diagram::Row const*> rows;
        for (Diagram::Row const& row : d_.rows)
            if (is_shown(row) && row.kind != Diagram::Kind::step) rows.push_back(&row);
        for (std::string const& note : report::notes(rows, code_)) text_ += folded(note, columns_, 2);
        for (auto const& [t, note] : waiting_notes(d_, code_, shared_))
            if (has_lane(t)) text_ += folded(note, columns_, 2);
        if (cut_ > 0 && !options_.whole.empty())
            text_ += folded(fmt::format("{} cut: {}", cut_ == 1 ? "1 command is" : fmt::format("{} commands are", cut_),
                                        options_.whole),
                            columns_, 2);
        ending();
    }

    void ending() {
        if (options_.end.empty()) {
            text_ += fmt::format("s = {}\n", shown(d_.s, options_.paint));
            return;
        }
        std::string const& first = options_.end.front();
        text_ += options_.paint(first.starts_with("failed") ? Style::bad : Style::stuck, first) + "\n";
        for (std::size_t i = 1; i < options_.end.size(); ++i) text_ += folded(options_.end[i], columns_, 2);
    }

    Diagram const& d_;
    IndexedProgram const& code_;
    TextOptions const& options_;
    std::size_t columns_;
    std::vector<std::size_t> place_;     // thread -> its place among those shown, or nowhere
    std::vector<std::uint32_t> threads_; // those shown
    std::vector<std::uint32_t> next_;    // thread -> its next command at the row that is being drawn
    SharedDiagram shared_;
    std::vector<std::uint32_t> holds_; // thread -> how many locks it holds at the row that is being drawn
    std::size_t taken_ = 0;            // so many have been taken
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> given_; // rows that give locks back
    std::size_t entry_;
    std::size_t location_ = 2;
    std::size_t cut_ = 0; // so many commands do not fit
    std::size_t gutter_;
    std::size_t lane_;
    std::string text_;
};

/// "S4"; of a recording, the line of the send without folders, as the lane says the rank: "mw.c:15".
std::string sent_name(IndexedProgram const& code, Action a_s) {
    ToldByPlaces const* const told = ToldByPlaces::of(code);
    return told == nullptr ? shown(code, a_s) : told->action(a_s);
}

/// A row's command without its brackets: "wait R2".
std::string command_text(Diagram const& d, IndexedProgram const& code, std::uint32_t r) {
    Diagram::Row const& row = d.rows[r];
    if (row.rho.is_none()) return row.kind == Diagram::Kind::stuck ? "the trace is used up" : "";
    return row.thread == Diagram::none ? "no such location" : command_text(code, row.rho);
}

/// A name and its value: "A = 4". The recorder's names mean nothing to users: a recording says "got 4".
struct Binding {
    std::string name;
    std::string value;
    std::string_view joint = " = ";
};
Binding done(std::string what, std::string value) { return {std::move(what), std::move(value), " "}; }

std::string text_of(Binding const& b) { return fmt::format("{}{}{}", b.name, b.joint, b.value); }

/// In so many columns: the name is cut before the value.
std::string fitted(Binding const& b, std::size_t columns) {
    std::string text = text_of(b);
    if (display_width(text) <= columns) return text;
    std::size_t const width = display_width(b.value) + b.joint.size();
    return width + 2 <= columns ? cut(b.name, columns - width) + std::string(b.joint) + b.value : cut(b.value, columns);
}

/// What a row's wait received, or its probe saw.
std::vector<Binding> received(Diagram const& d, IndexedProgram const& code, std::uint32_t r) {
    std::vector<Binding> result;
    if (Action const a_s = d.rows[r].sees; !a_s.is_none()) result.push_back(done("sees", shown(code, a_s)));
    for (Diagram::Point const& p : d.points_of(r)) {
        if (p.kind != Diagram::Point::Kind::completed) continue;
        Diagram::Receive const& receive = d.receives[p.index];
        Diagram::Message const& message = d.messages[receive.message];
        if (ToldByPlaces::of(code) != nullptr) { // the arrow says from whom
            result.push_back(done("got", shown(message.v)));
            continue;
        }
        result.push_back({shown(code, receive.x), shown(message.v)});
        Selectors const* const sel = selectors_of(code.ctp(), *code.as_rcvi(receive.a_r));
        if (sel == nullptr || code.as_probe(receive.a_r) != nullptr) continue; // a probe has assigned them
        if (sel->source) result.push_back({shown(code, *sel->source), shown(code.source_of(message.a_s))});
        if (sel->tagged) result.push_back({shown(code, *sel->tagged), shown(code.tag_number(message.a_s))});
    }
    return result;
}

/// What a row sent or assigned.
std::optional<Binding> computed(Diagram const& d, IndexedProgram const& code, std::uint32_t r) {
    Diagram::Row const& row = d.rows[r];
    if (row.thread == Diagram::none) return std::nullopt;
    if (auto const* const assign = std::get_if<Assign>(&code.command_at(row.rho)); assign && !row.assigned.is_bot())
        return Binding{shown(code, assign->x), shown(row.assigned)};
    for (Diagram::Point const& p : d.points_of(r))
        if (p.kind == Diagram::Point::Kind::sent)
            return ToldByPlaces::of(code) != nullptr
                       ? done("send", shown(d.messages[p.index].v))
                       : Binding{shown(code, d.messages[p.index].a_s), shown(d.messages[p.index].v)};
    return std::nullopt;
}

std::string joined(std::vector<Binding> const& values) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, values.size()); ++i) text += (i == 0 ? "" : ", ") + text_of(values[i]);
    return values.size() > most ? text + fmt::format(", ... ({} more)", values.size() - most) : text;
}

/// What matters of a row whose text does not fit into so many columns: what it received, computed, or why it does not
/// hold.
std::string essence(Diagram const& d, IndexedProgram const& code, std::uint32_t r, std::size_t columns) {
    std::vector<Binding> values = received(d, code, r);
    if (auto const value = computed(d, code, r)) values.push_back(*value);
    if (values.size() == 1) return fitted(values[0], columns);
    if (!values.empty()) return cut(joined(values), columns);
    return d.rows[r].kind == Diagram::Kind::stuck ? "" : cut(d.rows[r].why, columns);
}

} // namespace

std::vector<std::string> notes(Diagram const& d, IndexedProgram const& code) {
    std::vector<Diagram::Row const*> rows;
    for (Diagram::Row const& row : d.rows)
        if (row.kind != Diagram::Kind::step) rows.push_back(&row);
    return notes(rows, code);
}

std::vector<std::string> notes(std::vector<Diagram::Row const*> const& rows, IndexedProgram const& code) {
    std::vector<std::string> result;
    std::size_t count = 0;
    for (Diagram::Row const* const row : rows) {
        switch (row->kind) {
        case Diagram::Kind::step: break;
        case Diagram::Kind::failed_assertion:
        case Diagram::Kind::failed_assumption:
            if (++count > most_notes) break;
            result.push_back(fmt::format("✗ entry {}, {}: {}{}{}", row->entry, shown(code, row->rho),
                                         shown(code, code.command_at(row->rho)), row->why.empty() ? "" : " with ",
                                         row->why));
            break;
        case Diagram::Kind::stuck: result.push_back(fmt::format("■ entry {}: {}", row->entry, row->why)); break;
        case Diagram::Kind::unfinished:
            result.push_back(fmt::format("○ entry {}: limit reached: {}", row->entry, row->why));
        }
    }
    if (count > most_notes) result.push_back(fmt::format("... and {} more that do not hold", count - most_notes));
    return result;
}

std::string message_text(IndexedProgram const& code, Diagram::Message const& m) {
    return fmt::format("{} = {}{}", sent_name(code, m.a_s), shown(m.v), shown_tag(code, m.a_s));
}

std::string message_text(IndexedProgram const& code, Diagram::Message const& m, std::size_t columns) {
    std::string const tag = shown_tag(code, m.a_s);
    bool const has_room = display_width(tag) + 8 <= columns;
    std::size_t const room = has_room ? columns - display_width(tag) : columns;
    Binding const sent{sent_name(code, m.a_s), shown(m.v)};
    // The row of the send says its line, and a part of it says nothing.
    bool const has_line = ToldByPlaces::of(code) == nullptr || display_width(text_of(sent)) <= room;
    return (has_line ? fitted(sent, room) : cut(sent.value, room)) + (has_room ? tag : "");
}

std::string row_text(Diagram const& d, IndexedProgram const& code, std::uint32_t r) {
    std::string const values = joined(received(d, code, r));
    return command_text(d, code, r) + (values.empty() ? "" : "  " + values);
}

std::string row_text(Diagram const& d, IndexedProgram const& code, std::uint32_t r, std::size_t columns) {
    std::string text = row_text(d, code, r);
    if (display_width(text) <= columns) return text;
    std::string values = essence(d, code, r, columns);
    if (values.empty()) return cut(text, columns);
    constexpr std::size_t least = 3; // of a command
    std::size_t const width = display_width(values);
    bool const is_sent = ToldByPlaces::of(code) != nullptr && values.starts_with("send "); // the command begins with it
    if (width + 2 + least > columns || is_sent) {
        std::string const more = is_sent ? values + " …" : "…  " + values;
        return display_width(more) <= columns ? more : values;
    }
    return cut(command_text(d, code, r), columns - width - 2) + "  " + values;
}

std::string to_text(Diagram const& diagram, IndexedProgram const& code, TextOptions const& options) {
    return TextDrawing(diagram, code, options).text();
}

std::string to_text(Diagram const& diagram, IndexedProgram const& code, unsigned columns) {
    TextOptions options;
    options.columns = columns;
    return to_text(diagram, code, options);
}

} // namespace matchpoint::report
