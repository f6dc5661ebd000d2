// SVG: rows have a fixed height, as in the pictures of draw_svg.cpp, whose style this has.

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/limits.hpp"
#include "report/draw.hpp"
#include "report/lane_picture.hpp"
#include "report/svg_elements.hpp"
#include "report/svg_style.hpp"

namespace matchpoint::report {

namespace {

using namespace svg;

constexpr double slot_width = 15;
constexpr std::uint32_t repeat = 40; // rows, after which the names of the lanes are repeated

constexpr auto lane_style = R"(.card { stroke: #b6bec8; stroke-width: 1; stroke-dasharray: 1 4; }
.pending { fill: #1a56b0; fill-opacity: 0.14; stroke: #1a56b0; stroke-width: 1; stroke-dasharray: 3 2; }
.carried { fill: #1a56b0; fill-opacity: 0.5; }
.access { stroke: #1a56b0; stroke-width: 1.5; fill: none; }
.value { fill: #1a56b0; }
.nic { fill: #ffffff; stroke: #1a56b0; stroke-width: 1.5; }
.landed { fill: #1a56b0; }
.holds { fill: #00796b; fill-opacity: 0.6; }
)";

constexpr auto dark_lane_style = R"(@media (prefers-color-scheme: dark) {
.card { stroke: #4a5361; }
.pending { fill: #7db0ff; stroke: #7db0ff; }
.carried { fill: #7db0ff; }
.access { stroke: #7db0ff; }
.value { fill: #7db0ff; }
.nic { fill: #14171c; stroke: #7db0ff; }
.landed { fill: #7db0ff; }
.holds { fill: #4db6ac; }
}
)";

class LaneSvg {
public:
    explicit LaneSvg(LanePicture const& picture) : p_(picture), x_(p_.lanes.size()), card_(p_.lanes.size()) {
        lay_out();
        bottom_ = p_.rows.empty() ? top() + row_height : y(size() - 1) + row_height / 2;
    }

    std::string text() {
        std::vector<std::string> const notes = lines(p_.notes);
        std::vector<std::string> const legend = lines(p_.legend);
        double const height =
            bottom_ + 2 * margin + line_height * static_cast<double>(notes.size() + legend.size()) + margin / 2;
        begin(height);
        label("title", margin, margin + 10, cut(p_.title, columns()));
        bands();
        lanes();
        for (auto const& bar : p_.bars) show(bar);
        for (auto const& arrow : p_.arrows) show(arrow);
        headers();
        for (std::uint32_t r = 0; r < size(); ++r) row(r);
        double at = bottom_ + margin + 10;
        for (std::string const& note : notes) label("", margin, std::exchange(at, at + line_height), note);
        for (std::string const& line : legend) label("dim", margin, std::exchange(at, at + line_height), line);
        out_ += "</svg>\n";
        return std::move(out_);
    }

private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(p_.rows.size()); }

    /// From left to right: numbers and words of the steps, and for each lane its line, its texts, its card, and names
    /// beside it.
    void lay_out() {
        std::size_t word = 1;
        for (auto const& row : p_.rows)
            word = std::max(word, std::min(LanePicture::widest_word, display_width(row.word)));
        number_ = std::max<std::size_t>(2, std::to_string(p_.rows.size()).size());
        std::vector<std::size_t> texts(p_.lanes.size(), 8);
        std::vector<std::size_t> names(p_.lanes.size(), 0);
        auto const needs = [](std::size_t& most, std::string const& text) {
            most = std::max(most, std::min(display_width(text), LanePicture::widest_text));
        };
        for (std::size_t l = 0; l < p_.lanes.size(); ++l) needs(texts[l], p_.lanes[l].name);
        for (auto const& row : p_.rows) needs(texts[row.at.lane], row.whole_text());
        for (auto const& a : p_.arrows) needs(texts[a.from.on_card() ? a.to.lane : a.from.lane], a.text);
        for (auto const& bar : p_.bars)
            if (bar.at.on_card()) needs(names[bar.at.lane], bar.name);
        double at = margin + static_cast<double>(number_ + 2 + word + 2) * character + 8;
        for (std::size_t l = 0; l < p_.lanes.size(); ++l) {
            x_[l] = at;
            at += 26 + static_cast<double>(texts[l]) * character;
            card_[l] = at;
            if (p_.lanes[l].card.empty()) continue;
            double const slots = slot_width * std::max(p_.lanes[l].slots, 1U);
            double const shown = static_cast<double>(display_width(p_.lanes[l].card)) * character;
            at += std::max(slots + static_cast<double>(names[l]) * character, shown) + 28;
        }
        double const title = static_cast<double>(std::min<std::size_t>(display_width(p_.title), 110) + 1) * character;
        width_ = std::max({at + margin, 640.0, 2 * margin + title});
    }

    std::size_t columns() const { return static_cast<std::size_t>((width_ - 2 * margin) / character); }

    std::vector<std::string> lines(std::vector<std::string> const& texts) const {
        std::vector<std::string> result;
        for (std::string const& text : texts) {
            std::istringstream in(folded(text, columns(), 2));
            for (std::string line; std::getline(in, line);) result.push_back(line);
        }
        return result;
    }

    static double top() { return title_height + header_height; }
    static double y(std::uint32_t row) {
        std::uint32_t const repeated = row / repeat;
        return top() + row_height * (row + 0.5) + header_height * repeated;
    }
    double x(LanePicture::Spot s) const { return s.on_card() ? card_[s.lane] + slot_width * s.slot : x_[s.lane]; }

    void label(std::string_view css, double at_x, double at_y, std::string_view text) {
        append_label(out_, css, at_x, at_y, text);
    }

    void begin(double height) {
        append_beginning(out_, fmt::format("{:.0f}", width_), fmt::format("{:.0f}", height), width_, height, p_.title);
        out_ += svg::style;
        out_ += lane_style;
        out_ += svg::dark_style;
        out_ += dark_lane_style;
        out_ += "</style>\n<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
                "markerHeight=\"8\" orient=\"auto-start-reverse\"><path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker>"
                "</defs>\n";
        append_background(out_, width_, height);
    }

    void bands() {
        for (std::uint32_t r = 0; r < size(); ++r) {
            LanePicture::Mark const mark = p_.rows[r].mark;
            if (mark == LanePicture::Mark::step) continue;
            out_ += fmt::format("<rect class=\"{}\" x=\"0\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{}\"/>\n",
                                mark == LanePicture::Mark::failed ? "band" : "stuckband", y(r) - row_height / 2, width_,
                                row_height);
        }
    }

    void lanes() {
        for (std::uint32_t l = 0; l < p_.lanes.size(); ++l) {
            out_ += fmt::format("<path class=\"lane\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x({l}), top() - 4, bottom_);
            for (std::uint32_t s = 0; s < p_.lanes[l].slots; ++s)
                out_ +=
                    fmt::format("<path class=\"card\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x({l, s}), top() - 4, bottom_);
        }
    }

    void headers() {
        for (std::uint32_t r = 0; r == 0 || r < size(); r += repeat) {
            double const at = (r == 0 ? top() : y(r) - row_height / 2) - 10;
            for (std::uint32_t l = 0; l < p_.lanes.size(); ++l) {
                label("title halo", x({l}) - 5, at, p_.lanes[l].name);
                if (!p_.lanes[l].card.empty()) label("title halo", x({l, 0}) - 5, at, p_.lanes[l].card);
            }
        }
    }

    void show(LanePicture::Bar const& bar) {
        spend();
        static constexpr std::string_view classes[] = {"wait", "holds", "pending", "carried"};
        static constexpr unsigned widths[] = {8, 4, 8, 8};
        auto const kind = static_cast<std::size_t>(bar.kind);
        double const begin = bar.from == LanePicture::none ? top() - 4 : y(bar.from);
        double const end = bar.to == LanePicture::none ? bottom_ : y(bar.to);
        // A process that holds the others up may wait itself: that bar is left of the line.
        double const left = bar.kind == LanePicture::Bar::Kind::holds ? x(bar.at) - 10 : x(bar.at) - widths[kind] / 2.0;
        append_bar(out_, classes[kind], {left, begin, widths[kind], std::max(end - begin, 1.0)}, bar.story);
        if (bar.name.empty()) return;
        label("dim halo", x({bar.at.lane, std::max(p_.lanes[bar.at.lane].slots, 1U)}) - 4, begin + 4, bar.name);
    }

    /// The text is to the right of the lane. A line that goes there has a gap for it.
    void show(LanePicture::Arrow const& arrow) {
        spend();
        bool const reads = !arrow.from.on_card();
        LanePicture::Spot const lane = reads ? arrow.from : arrow.to;
        double const at = y(arrow.row);
        double const side = x(arrow.from) < x(arrow.to) ? 1 : -1;
        double const from = x(arrow.from) + side * 2;
        double const to = x(arrow.to) - side * 5;
        std::string const text = cut(arrow.text, LanePicture::widest_text);
        double const begin = x(lane) + 17;
        double const end = begin + static_cast<double>(display_width(text)) * character;
        auto const line = [&](double first, double last, bool has_head) {
            out_ += fmt::format("<path class=\"access\"{} d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n",
                                has_head ? " marker-end=\"url(#head)\"" : "", first, at, last);
        };
        if (reads) out_ += fmt::format("<path class=\"access\" d=\"M{:.1f} {:.1f}v10\"/>\n", x(lane), at - 5);
        bool const has_gap = reads == (side > 0);
        if (has_gap) line(from, reads ? begin - 4 : end + 4, false);
        line(has_gap ? (reads ? end + 4 : begin - 4) : from, to, true);
        label("value halo", begin, at + 4, text);
    }

    void row(std::uint32_t r) {
        spend();
        LanePicture::Row const& row = p_.rows[r];
        double const at = y(r);
        out_ += fmt::format("<g id=\"step{}\"><title>{}</title>", r + 1, xml(fmt::format("{}: {}", r + 1, row.story)));
        label("dim", margin, at + 4,
              fmt::format("{:>{}}  {}", r + 1, number_, cut(row.word, LanePicture::widest_word)));
        mark(row, x(row.at), at);
        std::string_view const css = row.mark == LanePicture::Mark::failed  ? "bad halo"
                                     : row.mark == LanePicture::Mark::ended ? "stuck halo"
                                                                            : "halo";
        if (!row.at.on_card()) label(css, x(row.at) + 12, at + 4, cut(row.whole_text(), LanePicture::widest_text));
        out_ += "</g>\n";
    }

    /// A card's read is open, since its write follows.
    void mark(LanePicture::Row const& row, double at_x, double at_y) {
        switch (row.mark) {
        case LanePicture::Mark::step: {
            std::string_view const css = !row.at.on_card() ? "dot" : row.is_first ? "nic" : "landed";
            return append_circle(out_, css, at_x, at_y);
        }
        case LanePicture::Mark::failed: return append_cross(out_, at_x, at_y);
        case LanePicture::Mark::ended: append_square(out_, at_x, at_y);
        }
    }

    LanePicture const& p_;
    std::vector<double> x_;    // of the lanes
    std::vector<double> card_; // of the first slots of their cards
    std::size_t number_ = 2;
    double width_ = 0;
    double bottom_ = 0;
    std::string out_;
};

} // namespace

std::string draw_svg(LanePicture const& picture) { return LaneSvg(picture).text(); }

} // namespace matchpoint::report
