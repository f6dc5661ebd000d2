// SVG: rows have a fixed height and lanes a fixed width, so that a picture of 500 commands is as legible as one of 5.
// Tooltips have the whole of any text that is cut. Colors are CSS rules, with others for readers who prefer dark.
//
// On paper the lanes share the width of the page, and the rows go on from page to page. Texts cross the lanes beside
// theirs, which is free space: a row has one command.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "explain/told.hpp"
#include "report/draw.hpp"
#include "report/shared_diagram.hpp"
#include "report/svg_elements.hpp"
#include "report/svg_part.hpp"
#include "report/svg_style.hpp"

namespace matchpoint::report {

namespace {

using namespace svg;

constexpr double narrowest_lane_on_paper = 14;
constexpr double pixels_per_mm = 96 / 25.4;
constexpr std::size_t widest_lock = 12; // characters of the name of a lock, or of an arrow's variables

class Svg {
public:
    /// `paper`: null for a picture as large as the run.
    explicit Svg(Drawing const& drawing, Paper const* paper = nullptr, Part part = {})
        : drawing_(drawing), code_(drawing.code), part_(std::move(part)), run_(drawing.runs[part_.run]),
          d_(run_.diagram()), threads_(static_cast<std::uint32_t>(code_.ctp().threads.size())),
          shared_(shared_diagram(d_, code_)), has_shared_(!shared_.arrows.empty() || !shared_.held.empty()) {
        std::size_t const widest = has_places(code_) ? 24 : 12;
        std::size_t location = 2;
        for (Diagram::Row const& row : d_.rows)
            if (!row.rho.is_none())
                location = std::max(location, std::min(widest, display_width(shown_without_folders(code_, row.rho))));
        location_ = location;
        entry_digits_ = std::max<std::size_t>(2, std::to_string(d_.rows.size()).size());
        std::size_t lock_name = 0; // in front of the first lane
        for (SharedDiagram::Held const& h : shared_.held)
            lock_name = std::max(lock_name, std::min(widest_lock, display_width(shown(code_, h.lock))));
        gutter_ = margin + static_cast<double>(entry_digits_ + location + 3 + lock_name) * character;
        title_ = fmt::format("{}, trace {} ({} buffering): {}", drawing_.name, run_.number, to_string(run_.buffering),
                             run_.ending());
        if (paper == nullptr)
            lay_out();
        else
            lay_out(*paper);
        arrive();
        bottom_ = d_.rows.empty() ? top() : y(run_.rows() - 1) + row_height / 2;
    }

    std::string text() {
        std::vector<std::string> const below = below_rows();
        height_ = bottom_ + margin + line_height * static_cast<double>(below.size()) + margin;
        begin(fmt::format("{:.0f}", width_), fmt::format("{:.0f}", height_), height_);
        label("title", margin, margin + 10, cut(title_, columns()));
        rows_between(0, run_.rows());
        print_below(below, bottom_ + margin + 10);
        out_ += "</svg>\n";
        return std::move(out_);
    }

    DrawnPart drawn_part() {
        std::string svg = text();
        return {std::move(svg), width_, height_};
    }

    /// The height of texts on paper.
    double points(Paper const& paper) const { return 9 * paper.width_mm * pixels_per_mm / width_; }

    std::vector<std::string> pages(Paper const& paper) {
        std::vector<std::string> const below = below_rows();
        double const height = paper.height_mm / paper.width_mm * width_;
        double const room = height - top() - margin - 2 * line_height; // for rows, above the number of the page
        auto const fitting = [](double space) { return static_cast<std::uint32_t>(std::max(space / row_height, 0.0)); };
        std::uint32_t const per_page = std::max<std::uint32_t>(fitting(room), 1);
        double const below_height = margin + line_height * static_cast<double>(below.size());
        std::uint32_t const last_rows = run_.rows() == 0 ? 0 : (run_.rows() - 1) % per_page + 1;
        bool const fits = last_rows <= fitting(room - below_height);
        std::uint32_t const row_pages = (run_.rows() + per_page - 1) / per_page;
        std::uint32_t const count = std::max<std::uint32_t>(row_pages + (fits && row_pages > 0 ? 0 : 1), 1);
        std::vector<std::string> result;
        for (std::uint32_t p = 0; p < count; ++p) {
            begin(fmt::format("{}mm", paper.width_mm), fmt::format("{}mm", paper.height_mm), height);
            label("title", margin, margin + 10, cut(title_, columns()));
            std::uint32_t const first = std::min(p * per_page, run_.rows());
            std::uint32_t const last = std::min(first + per_page, run_.rows());
            if (first < last) page_rows(first, last);
            if (p + 1 == count) print_below(below, top() + row_height * (last - first) + margin + 10);
            label("dim", margin, height - margin, fmt::format("page {} of {}", p + 1, count));
            out_ += "</svg>\n";
            result.push_back(std::move(out_));
            out_.clear();
        }
        return result;
    }

private:
    void lay_out() {
        lane_width_ = threads_ <= 6 ? 210 : threads_ <= 12 ? 170 : 140;
        repeat_ = std::max<std::uint32_t>(40, threads_);
        auto const title_columns = static_cast<double>(std::min<std::size_t>(display_width(title_), 110));
        width_ =
            std::max({gutter_ + threads_ * lane_width_ + margin, 640.0, 2 * margin + (title_columns + 1) * character});
    }

    /// The lanes share the width. If there are too many, all becomes smaller.
    void lay_out(Paper const& paper) {
        is_paper_ = true;
        width_ = std::max(paper.width_mm * pixels_per_mm, gutter_ + threads_ * narrowest_lane_on_paper + 2 * margin);
        lane_width_ = std::min((width_ - gutter_ - 2 * margin) / std::max<std::uint32_t>(threads_, 1), 210.0);
        repeat_ = std::numeric_limits<std::uint32_t>::max();
    }

    /// Where messages arrive: several of one entry arrive one below the other.
    void arrive() {
        arrival_.assign(d_.messages.size(), 0);
        comes_from_right_.assign(d_.rows.size(), false);
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            double last = 0;
            auto const points = d_.points_of(r);
            for (auto p = points.rbegin(); p != points.rend(); ++p) {
                if (p->kind != Diagram::Point::Kind::delivered) continue;
                arrival_[p->index] = std::min(last++ * 4, 12.0);
                Diagram::Message const& m = d_.messages[p->index];
                std::uint32_t const to = d_.receiver(code_, m);
                if (to == d_.rows[r].thread && d_.sender(code_, m) > to) comes_from_right_[r] = true;
            }
        }
        for (SharedDiagram::Arrow const& arrow : shared_.arrows)
            if (d_.rows[arrow.from].thread > d_.rows[arrow.to].thread) comes_from_right_[arrow.to] = true;
    }

    std::size_t columns() const { return static_cast<std::size_t>((width_ - 2 * margin) / character); }

    /// The notes, then the legend: its lines begin at notes_end_.
    std::vector<std::string> below_rows() {
        std::vector<std::string> below;
        auto const add = [&](std::string_view text) {
            std::istringstream wrapped_text(folded(text, columns(), 2));
            for (std::string line; std::getline(wrapped_text, line);) below.push_back(line);
        };
        for (std::string const& note : notes(d_, code_)) add(note);
        for (auto const& [t, note] : waiting_notes(d_, code_, shared_)) add(note);
        for (std::size_t i = 1; i < run_.end.size(); ++i) add(run_.end[i]);
        notes_end_ = below.size();
        add(svg::legend);
        if (has_shared_) add(svg::shared_legend);
        return below;
    }

    void print_below(std::vector<std::string> const& below, double line_y) {
        for (std::size_t i = 0; i < below.size(); ++i, line_y += line_height)
            label(i < notes_end_ ? "" : "dim", margin, line_y, below[i]);
    }

    void begin(std::string_view width, std::string_view height, double units) {
        append_beginning(out_, width, height, width_, units, title_);
        out_ += svg::style;
        if (!is_paper_) out_ += svg::dark_style;
        if (has_shared_) out_ += svg::shared_style;
        if (has_shared_ && !is_paper_) out_ += svg::shared_dark_style;
        if (drawing_.beside) out_ += svg::beside_style;
        out_ += "</style>\n";
        out_ += fmt::format("<defs><marker id=\"head{}{}", part_.suffix, svg::head_marker);
        if (has_shared_) out_ += fmt::format("<marker id=\"vee{}{}", part_.suffix, svg::vee_marker);
        out_ += "</defs>\n";
        append_background(out_, width_, units);
    }

    void rows_between(std::uint32_t first, std::uint32_t last) {
        first_ = first;
        last_ = last;
        bands();
        lanes();
        waits();
        locks();
        messages();
        reads();
        if (!is_paper_) headers();
        rows();
    }

    /// A part of the sheet that all rows would make, below the heads of the lanes.
    void page_rows(std::uint32_t first, std::uint32_t last) {
        page_headers();
        double const height = row_height * (last - first);
        out_ += fmt::format("<svg x=\"0\" y=\"{0:.1f}\" width=\"{1:.0f}\" height=\"{2:.1f}\" "
                            "viewBox=\"0 {3:.1f} {1:.0f} {2:.1f}\">\n",
                            top(), width_, height, y(first) - row_height / 2);
        rows_between(first, last);
        out_ += "</svg>\n";
    }

    bool is_here(std::uint32_t row) const { return row != Diagram::none && row >= first_ && row < last_; }

    bool is_marked(std::uint32_t row) const {
        return std::binary_search(part_.marked.begin(), part_.marked.end(), row);
    }

    double x(std::uint32_t thread) const { return gutter_ + 14 + thread * lane_width_; }
    static double top() { return title_height + header_height; }
    /// Headers are repeated every `repeat_` rows.
    double y(std::uint32_t row) const {
        std::uint32_t const repeated = row / repeat_;
        return top() + row_height * (row + 0.5) + header_height * repeated;
    }

    void label(std::string_view css, double at_x, double at_y, std::string_view text, std::string_view more = "") {
        append_label(out_, css, at_x, at_y, text, more);
    }

    void headers() {
        for (std::uint32_t r = 0; r == 0 || r < run_.rows(); r += repeat_) {
            double const at = (r == 0 ? top() : y(r) - row_height / 2) - 10;
            for (std::uint32_t t = 0; t < threads_; ++t)
                label("title halo", r == 0 ? x(t) - 5 : x(t) + 7, at, shown_thread(code_, t));
        }
    }

    /// As much of "thread 12" as there is room for.
    void page_headers() {
        std::size_t const digits = std::to_string(threads_ - 1).size();
        bool const is_wide = lane_width_ >= static_cast<double>(digits + 8) * character;
        auto const every = static_cast<std::uint32_t>(
            is_wide ? 1 : std::ceil(static_cast<double>(digits + 1) * character / lane_width_));
        for (std::uint32_t t = 0; t < threads_; t += every)
            label("title", x(t) - 5, top() - 10, is_wide ? shown_thread(code_, t) : std::to_string(t));
    }

    void bands() {
        for (std::uint32_t r = first_; r < last_; ++r) {
            Diagram::Kind const kind = d_.rows[r].kind;
            if (kind == Diagram::Kind::step && !is_marked(r)) continue;
            bool const failed = kind == Diagram::Kind::failed_assertion || kind == Diagram::Kind::failed_assumption;
            out_ += fmt::format("<rect class=\"{}\" x=\"0\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{}\"/>\n",
                                kind == Diagram::Kind::step ? "differs"
                                : failed                    ? "band"
                                                            : "stuckband",
                                y(r) - row_height / 2, width_, row_height);
        }
    }

    void lanes() {
        for (std::uint32_t t = 0; t < threads_; ++t) {
            bool const finished = d_.next(code_, t).is_none();
            double const end = !finished ? bottom_ : d_.last[t] == Diagram::none ? top() : y(d_.last[t]) + 9;
            out_ += fmt::format("<path class=\"lane\" d=\"M{0:.1f} {1:.1f}V{2:.1f}{3}\"/>\n", x(t), top() - 4, end,
                                finished ? "m-5 0h10" : "");
        }
    }

    void bar(std::uint32_t thread, std::uint32_t since, double end, std::string_view what) {
        double const begin = since == Diagram::none ? top() - 4 : y(since);
        append_bar(out_, "wait", {x(thread) - 4, begin, 8, std::max(end - begin, 1.0)}, what);
    }

    void waits() {
        for (std::uint32_t r = first_; r < run_.rows(); ++r) {
            Diagram::Row const& row = d_.rows[r];
            if (row.kind != Diagram::Kind::step || !is_wait(code_, row)) continue;
            if (r >= last_ && row.since != Diagram::none && row.since >= last_) continue;
            bar(row.thread, row.since, y(r), shown(code_, code_.command_at(row.rho)));
        }
        for (std::uint32_t t = 0; t < threads_; ++t)
            if (d_.stands_at_wait(code_, t))
                bar(t, d_.last[t], bottom_, "still at " + shown(code_, code_.command_at(d_.next(code_, t))));
        for (std::uint32_t t = 0; t < threads_; ++t)
            if (run_.halts() && last_ >= run_.rows() && !d_.next(code_, t).is_none())
                mark(Diagram::Kind::stuck, x(t), bottom_);
    }

    /// Narrow bars left of the lane, the first lock next to it.
    void locks() {
        for (SharedDiagram::Held const& h : shared_.held) {
            if (h.from >= last_ || (h.to != Diagram::none && h.to < first_)) continue;
            double const end = h.to == Diagram::none ? bottom_ : y(h.to);
            double const left = x(h.thread) - 9 - 5 * std::min(h.slot, 3U);
            append_bar(out_, "lock", {left, y(h.from), 4, end - y(h.from), 2}, held_story(d_, code_, h));
            if (is_here(h.from))
                label("name halo", left - 3, y(h.from) + 4, cut(shown(code_, h.lock), widest_lock),
                      " text-anchor=\"end\"");
        }
    }

    /// Arrows from writes to reads. The names of the variables are to the left of the arrow's right end, where the row
    /// has no text: below the line if it ends there, above it if it begins there.
    void reads() {
        std::map<std::pair<std::uint32_t, bool>, std::vector<std::string>>
            names; // row, and whether the line ends there
        for (SharedDiagram::Arrow const& arrow : shared_.arrows) {
            if (arrow.from >= last_ || arrow.to < first_) continue;
            double const x1 = x(d_.rows[arrow.from].thread);
            double const x2 = x(d_.rows[arrow.to].thread);
            out_ += fmt::format(
                "<path class=\"reads{}\" marker-end=\"url(#vee{})\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"><title>",
                arrow.synchronises ? " thin" : "", part_.suffix, x1 + (x1 < x2 ? 5 : -5), y(arrow.from),
                x2 + (x1 < x2 ? -6 : 6), y(arrow.to) - 1);
            append_xml(out_, arrow_story(d_, code_, arrow));
            out_ += "</title></path>\n";
            auto& at_end = names[{x1 < x2 ? arrow.to : arrow.from, x1 < x2}];
            std::string const name = arrow_text(code_, arrow);
            if (std::find(at_end.begin(), at_end.end(), name) == at_end.end()) at_end.push_back(name);
        }
        for (auto const& [where, texts] : names) {
            auto const& [row, ends] = where;
            if (is_here(row))
                label("variable halo", x(d_.rows[row].thread) - 14, y(row) + (ends ? 10 : -4),
                      cut(fmt::format("{}", fmt::join(texts, ", ")), widest_lock), " text-anchor=\"end\"");
        }
    }

    void path(std::string_view css, std::string const& d, std::string_view what, bool head) {
        out_ += fmt::format("<path class=\"message{}\"{} d=\"{}\"><title>", css,
                            head ? " marker-end=\"url(#head" + part_.suffix + ")\"" : "", d);
        append_xml(out_, what);
        out_ += "</title></path>\n";
    }

    /// Some of the message's lines is in the rows or below them.
    bool reaches(Diagram::Message const& m) const {
        if (m.delivered == Diagram::none) return m.sent >= first_;
        if (m.receive == Diagram::none) return true; // to the end
        std::uint32_t const done = d_.receives[m.receive].completed;
        return done == Diagram::none || std::max(done, m.delivered) >= first_;
    }

    void messages() {
        for (std::uint32_t i = 0; i < d_.messages.size(); ++i) {
            Diagram::Message const& m = d_.messages[i];
            std::uint32_t const from = d_.sender(code_, m);
            std::uint32_t const to = d_.receiver(code_, m);
            if (m.sent >= last_) break;
            if (!reaches(m)) continue;
            std::string what = fmt::format("{}: issued at entry {}", message_text(code_, m), m.sent);
            double const x1 = x(from);
            double const y1 = y(m.sent);
            if (m.delivered == Diagram::none) {
                double const side = to != Diagram::none && to < from ? -1 : 1;
                path(" lost", fmt::format("M{:.1f} {:.1f}l{:.1f} {}", x1, y1, side * 34, 14), what + "; in transit",
                     true);
                continue;
            }
            what += fmt::format(", delivered at entry {}", m.delivered);
            bool const posted = m.receive != Diagram::none;
            std::uint32_t const done = posted ? d_.receives[m.receive].completed : Diagram::none;
            if (done != Diagram::none)
                what += fmt::format(", {} completed at entry {}", shown(code_, d_.receives[m.receive].a_r), done);
            else
                what += "; no receive has completed";
            if (to == Diagram::none) {
                path(" lost", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x1, y1, x1 + 34, y(m.delivered) - 6), what,
                     true);
                continue;
            }
            // The arrow ends at the mark of a command that takes the message at once, otherwise on the lane just before
            // the command.
            bool const at_once = done == m.delivered && d_.rows[done].thread == to;
            double const x2 = x(to) + (to == from ? -4 : from < to ? -5 : 5);
            double const y2 = y(m.delivered) - (at_once ? 1 : 8) - arrival_[i];
            if (to == from)
                path("",
                     fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x1, y1, x1 - 26, y1,
                                 x1 - 26, y2, x2, y2),
                     what, true);
            else
                path("", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x1, y1, x2, y2), what, true);
            if (at_once) continue;
            // A dashed line until the receive completes, or to the end.
            double const side = from < to ? -7 : 7;
            std::uint32_t const lane = done == Diagram::none ? to : d_.rows[done].thread;
            double const end = done == Diagram::none ? bottom_ : y(done);
            path(" kept", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x(to) + side, y2, x(lane) + side, end), what,
                 done != Diagram::none);
        }
    }

    void rows() {
        for (std::uint32_t r = first_; r < last_; ++r) {
            Diagram::Row const& row = d_.rows[r];
            double const at = y(r);
            std::string const what = row_text(d_, code_, r);
            std::string tip =
                fmt::format("entry {}{}", row.entry, row.rho.is_none() ? "" : ", " + shown(code_, row.rho));
            if (row.thread != Diagram::none) tip += ", " + shown_thread(code_, row.thread);
            tip += ": " + what;
            if (!row.why.empty()) tip += "; " + row.why;
            out_ += fmt::format("<g id=\"entry{}{}\"><title>", row.entry, part_.suffix);
            append_xml(out_, tip);
            out_ += "</title>";
            label("dim", margin, at + 4,
                  fmt::format("{:>{}}  ", row.entry, entry_digits_) +
                      (row.rho.is_none() ? "" : cut(shown_without_folders(code_, row.rho), location_)));
            double const at_x = row.thread == Diagram::none ? gutter_ + 14 : x(row.thread);
            mark(row.kind, at_x, at);
            if (is_marked(r)) label("mark", 4, at + 4, "≠");
            bool const failed =
                row.kind == Diagram::Kind::failed_assertion || row.kind == Diagram::Kind::failed_assumption;
            std::string_view const css = failed ? "bad" : row.kind == Diagram::Kind::stuck ? "stuck" : "halo";
            row_label(css, at_x, at + 4, what, comes_from_right_[r]);
            out_ += "</g>\n";
        }
    }

    /// The text is to the right of the mark, and of the head of an arrow that comes from there. On paper it is to the
    /// left if that keeps it off the arrow, or on the page.
    void row_label(std::string_view css, double at_x, double at_y, std::string const& text, bool has_head) {
        double const begin = at_x + (has_head ? 20 : 12);
        if (!is_paper_) {
            label(css, begin, at_y, cut(text, static_cast<std::size_t>((at_x + lane_width_ - 8 - begin) / character)));
            return;
        }
        double const end = at_x - 12;
        double const width = static_cast<double>(display_width(text)) * character;
        double const behind = width_ - margin - begin;
        double const before = end - gutter_;
        bool const goes_behind = has_head && width <= before ? false : width <= behind || behind >= before;
        if (goes_behind)
            label(css, begin, at_y, cut(text, static_cast<std::size_t>(behind / character)));
        else
            label(css, end, at_y, cut(text, static_cast<std::size_t>(before / character)), " text-anchor=\"end\"");
    }

    void mark(Diagram::Kind kind, double at_x, double at_y) {
        switch (kind) {
        case Diagram::Kind::step: return append_circle(out_, "dot", at_x, at_y);
        case Diagram::Kind::failed_assertion:
        case Diagram::Kind::failed_assumption: return append_cross(out_, at_x, at_y);
        case Diagram::Kind::stuck: return append_square(out_, at_x, at_y);
        case Diagram::Kind::unfinished: append_circle(out_, "open", at_x, at_y);
        }
    }

    Drawing const& drawing_;
    IndexedProgram const& code_;
    Part part_;
    Drawing::Run const& run_;
    Diagram const& d_;
    std::uint32_t threads_;
    SharedDiagram shared_;
    bool has_shared_;         // there is some arrow or lock
    std::uint32_t repeat_;    // rows, after which the heads of the lanes are repeated
    std::uint32_t first_ = 0; // the rows that are drawn: [first_, last_)
    std::uint32_t last_ = 0;
    bool is_paper_ = false;
    double lane_width_;
    double gutter_;
    double width_;
    double height_ = 0;
    double bottom_;
    std::string title_;
    std::vector<double> arrival_;        // message -> how far above the row it arrives, if the entry delivers several
    std::vector<bool> comes_from_right_; // row -> a message arrives at its mark from the right
    std::size_t notes_end_ = 0;
    std::size_t location_;
    std::size_t entry_digits_;
    std::string out_;
};

} // namespace

std::string draw_svg(Drawing const& drawing) { return drawing.beside ? draw_svg_beside(drawing) : Svg(drawing).text(); }

svg::DrawnPart svg::draw_part(Drawing const& drawing, Part part) {
    return Svg(drawing, nullptr, std::move(part)).drawn_part();
}

std::vector<std::string> draw_pages(Drawing const& drawing, Paper const& paper) {
    return Svg(drawing, &paper).pages(paper);
}

double text_points(Drawing const& drawing, Paper const& paper) { return Svg(drawing, &paper).points(paper); }

} // namespace matchpoint::report
