// SVG: rows have a fixed height and lanes a fixed width, so that a picture of 500 commands is as legible as one of 5. Tooltips
// have the whole of any text that is cut. Colors are CSS rules, with others for readers who prefer dark.

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "report/draw.hpp"

namespace matchpoint::report {

namespace {

constexpr double row_height = 22;
constexpr double character = 7.3; // the width of a character in the font below
constexpr double margin = 16;
constexpr double title_height = 34;
constexpr double header_height = 30;

constexpr auto style = R"(<style>
text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1b1f24; }
.bg { fill: #ffffff; }
.title { font-weight: bold; }
.halo { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
.dim { fill: #636c76; }
.lane { stroke: #b6bec8; stroke-width: 1.5; }
.wait { fill: #f0c04c; fill-opacity: 0.55; }
.message { stroke: #1a56b0; stroke-width: 1.5; fill: none; }
.kept { stroke-dasharray: 3 3; }
.lost { stroke-dasharray: 6 4; }
.head { fill: #1a56b0; }
.dot { fill: #1b1f24; }
.bad { fill: #b00020; }
.cross { stroke: #b00020; stroke-width: 2.5; fill: none; }
.band { fill: #ffe1e1; }
.stuck { fill: #6a1b9a; }
.stuckband { fill: #f0e2fb; }
.open { fill: #ffffff; stroke: #1b1f24; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
text { fill: #e6e9ee; }
.bg { fill: #14171c; }
.halo { stroke: #14171c; }
.dim { fill: #98a2b0; }
.lane { stroke: #4a5361; }
.wait { fill: #c8952a; }
.message { stroke: #7db0ff; }
.head { fill: #7db0ff; }
.dot { fill: #e6e9ee; }
.bad { fill: #ff8a8a; }
.cross { stroke: #ff8a8a; }
.band { fill: #4a1d22; }
.stuck { fill: #d7a6ff; }
.stuckband { fill: #36214a; }
.open { fill: #14171c; stroke: #e6e9ee; }
}
</style>
)";

constexpr auto legend = "● ran   ✗ does not hold   ■ stuck   arrow: a message, from its issue to its delivery; dashed: "
                        "until its receive is completed   bar: the thread stands at a wait";

class Svg {
public:
    explicit Svg(Drawing const& drawing)
        : drawing_(drawing), code_(drawing.code), run_(drawing.runs.front()), d_(run_.diagram()),
          threads_(static_cast<std::uint32_t>(code_.ctp().threads.size())) {
        lane_width_ = threads_ <= 6 ? 210 : threads_ <= 12 ? 170 : 140;
        repeat_ = std::max<std::uint32_t>(40, threads_);
        std::size_t location = 2;
        for (Diagram::Row const& row : d_.rows)
            if (!row.rho.is_none())
                location = std::max(location, std::min<std::size_t>(12, display_width(shown(code_, row.rho))));
        location_ = location;
        entry_digits_ = std::max<std::size_t>(2, std::to_string(d_.rows.size()).size());
        gutter_ = margin + static_cast<double>(entry_digits_ + location + 3) * character;
        title_ = fmt::format("{}, trace {} ({} buffering): {}", drawing_.name, run_.number,
                             to_string(drawing_.buffering), to_string(d_.s));
        auto const title_columns = static_cast<double>(std::min<std::size_t>(display_width(title_), 110));
        width_ =
            std::max({gutter_ + threads_ * lane_width_ + margin, 640.0, 2 * margin + (title_columns + 1) * character});
        arrival_.assign(d_.messages.size(), 0);
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            double last = 0;
            auto const points = d_.points_of(r);
            for (auto p = points.rbegin(); p != points.rend(); ++p)
                if (p->kind == Diagram::Point::Kind::delivered) arrival_[p->index] = std::min(last++ * 4, 12.0);
        }
        bottom_ = d_.rows.empty() ? top() : y(run_.rows() - 1) + row_height / 2;
    }

    std::string text() {
        auto const columns = static_cast<std::size_t>((width_ - 2 * margin) / character);
        std::vector<std::string> below;
        auto const add = [&](std::string_view text) {
            std::istringstream wrapped_text(folded(text, columns, 2));
            for (std::string line; std::getline(wrapped_text, line);) below.push_back(line);
        };
        for (std::string const& note : notes(d_, code_)) add(note);
        std::size_t const notes_end = below.size();
        add(legend);
        double const height = bottom_ + margin + 18 * static_cast<double>(below.size()) + margin;
        out_ += fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                            "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n",
                            width_, height);
        out_ += "<title>" + xml(title_) + "</title>\n";
        out_ += style;
        out_ += "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
                "markerHeight=\"8\" orient=\"auto-start-reverse\"><path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker>"
                "</defs>\n";
        out_ += fmt::format("<rect class=\"bg\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width_, height);
        label("title", margin, margin + 10, cut(title_, columns));
        bands();
        lanes();
        waits();
        messages();
        headers();
        rows();
        double line_y = bottom_ + margin + 10;
        for (std::size_t i = 0; i < below.size(); ++i, line_y += 18)
            label(i < notes_end ? "" : "dim", margin, line_y, below[i]);
        out_ += "</svg>\n";
        return std::move(out_);
    }

private:
    double x(std::uint32_t thread) const { return gutter_ + 14 + thread * lane_width_; }
    static double top() { return title_height + header_height; }
    /// Headers are repeated every `repeat_` rows.
    double y(std::uint32_t row) const {
        std::uint32_t const repeated = row / repeat_;
        return top() + row_height * (row + 0.5) + header_height * repeated;
    }

    void label(std::string_view css, double at_x, double at_y, std::string_view text) {
        out_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" xml:space=\"preserve\">", css, at_x, at_y);
        append_xml(out_, text);
        out_ += "</text>\n";
    }

    void headers() {
        for (std::uint32_t r = 0; r == 0 || r < run_.rows(); r += repeat_) {
            double const at = (r == 0 ? top() : y(r) - row_height / 2) - 10;
            for (std::uint32_t t = 0; t < threads_; ++t)
                label("title halo", r == 0 ? x(t) - 5 : x(t) + 7, at, fmt::format("thread {}", t));
        }
    }

    void bands() {
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            Diagram::Kind const kind = d_.rows[r].kind;
            if (kind == Diagram::Kind::step) continue;
            bool const failed = kind == Diagram::Kind::failed_assertion || kind == Diagram::Kind::failed_assumption;
            out_ += fmt::format("<rect class=\"{}\" x=\"0\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{}\"/>\n",
                                failed ? "band" : "stuckband", y(r) - row_height / 2, width_, row_height);
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
        out_ +=
            fmt::format("<rect class=\"wait\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"{:.1f}\" rx=\"3\"><title>",
                        x(thread) - 4, begin, std::max(end - begin, 1.0));
        append_xml(out_, what);
        out_ += "</title></rect>\n";
    }

    void waits() {
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            Diagram::Row const& row = d_.rows[r];
            if (row.kind != Diagram::Kind::step || !is_wait(code_, row)) continue;
            bar(row.thread, row.since, y(r), shown(code_, code_.command_at(row.rho)));
        }
        for (std::uint32_t t = 0; t < threads_; ++t)
            if (d_.stands_at_wait(code_, t))
                bar(t, d_.last[t], bottom_, "still at " + shown(code_, code_.command_at(d_.next(code_, t))));
    }

    void path(std::string_view css, std::string const& d, std::string_view what, bool head) {
        out_ += fmt::format("<path class=\"message{}\"{} d=\"{}\"><title>", css,
                            head ? " marker-end=\"url(#head)\"" : "", d);
        append_xml(out_, what);
        out_ += "</title></path>\n";
    }

    void messages() {
        for (std::uint32_t i = 0; i < d_.messages.size(); ++i) {
            Diagram::Message const& m = d_.messages[i];
            std::uint32_t const from = d_.sender(code_, m);
            std::uint32_t const to = d_.receiver(code_, m);
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
            // The arrow ends at the mark of a command that takes the message at once, otherwise on the lane just before the
            // command.
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
        auto const cell = static_cast<std::size_t>((lane_width_ - 20) / character);
        for (std::uint32_t r = 0; r < run_.rows(); ++r) {
            Diagram::Row const& row = d_.rows[r];
            double const at = y(r);
            std::string const what = row_text(d_, code_, r);
            std::string tip = fmt::format("entry {}", row.entry);
            if (!row.rho.is_none()) tip += fmt::format(", {}", shown(code_, row.rho));
            if (row.thread != Diagram::none) tip += fmt::format(", thread {}", row.thread);
            tip += ": " + what;
            if (!row.why.empty()) tip += "; " + row.why;
            out_ += fmt::format("<g id=\"entry{}\"><title>", row.entry);
            append_xml(out_, tip);
            out_ += "</title>";
            label("dim", margin, at + 4,
                  fmt::format("{:>{}}  ", row.entry, entry_digits_) +
                      (row.rho.is_none() ? "" : cut(shown(code_, row.rho), location_)));
            double const at_x = row.thread == Diagram::none ? gutter_ + 14 : x(row.thread);
            mark(row.kind, at_x, at);
            bool const failed =
                row.kind == Diagram::Kind::failed_assertion || row.kind == Diagram::Kind::failed_assumption;
            std::string_view const css = failed ? "bad" : row.kind == Diagram::Kind::stuck ? "stuck" : "halo";
            label(css, at_x + 12, at + 4, cut(what, cell));
            out_ += "</g>\n";
        }
    }

    void mark(Diagram::Kind kind, double at_x, double at_y) {
        switch (kind) {
        case Diagram::Kind::step:
            out_ += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", at_x, at_y);
            break;
        case Diagram::Kind::failed_assertion:
        case Diagram::Kind::failed_assumption:
            out_ += fmt::format("<path class=\"cross\" d=\"M{:.1f} {:.1f}l10 10m0 -10l-10 10\"/>", at_x - 5, at_y - 5);
            break;
        case Diagram::Kind::stuck:
            out_ += fmt::format("<rect class=\"stuck\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\"/>",
                                at_x - 5, at_y - 5);
            break;
        case Diagram::Kind::unfinished:
            out_ += fmt::format("<circle class=\"open\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", at_x, at_y);
        }
    }

    Drawing const& drawing_;
    IndexedProgram const& code_;
    Drawing::Run const& run_;
    Diagram const& d_;
    std::uint32_t threads_;
    std::uint32_t repeat_;
    double lane_width_;
    double gutter_;
    double width_;
    double bottom_;
    std::string title_;
    std::vector<double> arrival_; // message -> how far above the row it arrives, if the entry delivers several
    std::size_t location_;
    std::size_t entry_digits_;
    std::string out_;
};

} // namespace

std::string draw_svg(Drawing const& drawing) { return Svg(drawing).text(); }

} // namespace matchpoint::report
