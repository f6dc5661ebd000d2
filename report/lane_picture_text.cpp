#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/limits.hpp"
#include "base/text_line.hpp"
#include "report/lane_picture.hpp"

namespace matchpoint::report {

namespace {

constexpr std::size_t narrowest_lane_text = 12;

class LaneText {
public:
    LaneText(LanePicture const& picture, unsigned columns, Paint const& paint)
        : p_(picture), columns_(std::max<std::size_t>(columns, 40)), paint_(paint), x_(p_.lanes.size()),
          text_(p_.lanes.size(), 8), name_(p_.lanes.size(), 0) {
        number_ = std::max<std::size_t>(2, std::to_string(p_.rows.size()).size());
        for (auto const& row : p_.rows)
            word_ = std::max(word_, std::min(LanePicture::widest_word, display_width(row.word)));
        measure();
        fits_ = lay_out();
    }

    std::string text() {
        if (fits_) header();
        for (std::uint32_t r = 0; r < p_.rows.size(); ++r) {
            spend();
            fits_ ? row(r) : list(r);
        }
        for (std::string const& note : p_.notes) text_out_ += folded(note, columns_, 2);
        return std::move(text_out_);
    }

private:
    /// How wide the texts of each lane are.
    void measure() {
        auto const needs = [](std::size_t& width, std::string const& text) {
            width = std::clamp(display_width(text), width, std::max(width, LanePicture::widest_text));
        };
        for (std::size_t l = 0; l < p_.lanes.size(); ++l) needs(text_[l], p_.lanes[l].name);
        for (auto const& row : p_.rows) needs(text_[row.at.lane], row.whole_text());
        for (auto const& arrow : p_.arrows)
            needs(text_[arrow.from.on_card() ? arrow.to.lane : arrow.from.lane], arrow.text);
        for (auto const& bar : p_.bars)
            if (bar.at.on_card()) name_[bar.at.lane] = std::max(name_[bar.at.lane], display_width(bar.name));
    }

    /// `│ text  ┊┊ 2#1  `
    std::size_t card_width(std::size_t l) const {
        if (p_.lanes[l].card.empty()) return 0;
        std::size_t const slots = std::size_t{2} * std::max(p_.lanes[l].slots, 1U);
        return std::max(slots + name_[l], display_width(p_.lanes[l].card)) + 2;
    }

    /// False: there is no room for the lanes.
    bool lay_out() {
        std::size_t const gutter = number_ + 1 + word_ + 2;
        std::size_t fixed = gutter;
        for (std::size_t l = 0; l < p_.lanes.size(); ++l) fixed += card_width(l) + 4;
        // The widest texts are cut first.
        while (fixed + std::accumulate(text_.begin(), text_.end(), std::size_t{0}) > columns_) {
            auto const widest = std::max_element(text_.begin(), text_.end());
            if (widest == text_.end() || *widest <= narrowest_lane_text) return false;
            --*widest;
        }
        std::size_t at = gutter;
        for (std::size_t l = 0; l < p_.lanes.size(); ++l) {
            x_[l] = at;
            at += text_[l] + card_width(l) + 4;
        }
        return true;
    }

    std::size_t x(LanePicture::Spot s) const {
        return s.on_card() ? x_[s.lane] + text_[s.lane] + 4 + std::size_t{2} * s.slot : x_[s.lane];
    }

    void header() {
        Line line(columns_);
        for (std::uint32_t l = 0; l < p_.lanes.size(); ++l) {
            line.write(x({l}), p_.lanes[l].name, Style::heading);
            if (!p_.lanes[l].card.empty()) line.write(x({l, 0}), p_.lanes[l].card, Style::heading);
        }
        text_out_ += line.text(paint_);
    }

    bool covers(LanePicture::Bar const& bar, std::uint32_t r) const {
        return (bar.from == LanePicture::none || bar.from < r) && (bar.to == LanePicture::none || r < bar.to);
    }

    void row(std::uint32_t r) {
        LanePicture::Row const& row = p_.rows[r];
        Line line(columns_);
        line.write(0, fmt::format("{:>{}}", r + 1, number_), Style::dim);
        line.write(number_ + 1, cut(row.word, word_), Style::dim);
        for (std::uint32_t l = 0; l < p_.lanes.size(); ++l) line.put(x({l}), "│", Style::dim);
        show_bars(line, r);
        for (; arrow_ < p_.arrows.size() && p_.arrows[arrow_].row == r; ++arrow_) show(line, p_.arrows[arrow_]);
        show(line, row);
        text_out_ += line.text(paint_);
    }

    void show_bars(Line& line, std::uint32_t r) {
        auto const begins = [this](std::uint32_t at) {
            std::uint32_t const from = p_.bars[at].from;
            return from == LanePicture::none ? 0 : from;
        };
        while (bar_ < p_.bars.size() && begins(bar_) <= r) open_.push_back(bar_++);
        std::erase_if(open_, [&](std::uint32_t b) { return p_.bars[b].to != LanePicture::none && p_.bars[b].to < r; });
        for (std::uint32_t const b : open_) show(line, p_.bars[b], r);
    }

    void show(Line& line, LanePicture::Bar const& bar, std::uint32_t r) {
        if (bar.from == r && bar.at.on_card() && bar.kind == LanePicture::Bar::Kind::first) {
            line.put(x(bar.at), "○", Style::message);
            line.write(x({bar.at.lane, std::max(p_.lanes[bar.at.lane].slots, 1U)}), bar.name, Style::dim);
        }
        if (!covers(bar, r)) return;
        static constexpr std::string_view glyphs[] = {"║", "┃", "┊", "┃"};
        bool const is_wait = bar.kind == LanePicture::Bar::Kind::waits;
        line.put(x(bar.at), glyphs[static_cast<std::size_t>(bar.kind)],
                 is_wait            ? Style::stuck
                 : bar.at.on_card() ? Style::message
                                    : Style::dim);
    }

    void show(Line& line, LanePicture::Arrow const& arrow) {
        std::size_t const from = x(arrow.from);
        std::size_t const to = x(arrow.to);
        for (std::size_t c = std::min(from, to) + 1; c < std::max(from, to); ++c)
            line.put(c, line.has(c) ? "┼" : "─", Style::message);
        bool const right = from < to;
        LanePicture::Spot const lane = arrow.from.on_card() ? arrow.to : arrow.from;
        line.put(x(lane), !arrow.from.on_card() ? (right ? "├" : "┤") : right ? "►" : "◄", Style::message);
        std::string const label = " " + cut(arrow.text, text_[lane.lane]) + " ";
        line.write(x(lane) + 1, label, Style::message);
    }

    void show(Line& line, LanePicture::Row const& row) {
        static constexpr std::string_view marks[] = {"●", "✗", "■"};
        static constexpr Style styles[] = {Style::plain, Style::bad, Style::stuck};
        auto const mark = static_cast<std::size_t>(row.mark);
        line.put(x(row.at), row.is_first && mark == 0 ? "◆" : marks[mark],
                 row.at.on_card() && mark == 0 ? Style::message : styles[mark]);
        if (!row.at.on_card()) line.write(x(row.at) + 2, fitted(row, text_[row.at.lane]), styles[mark]);
    }

    /// What changed is worth more than the statement.
    static std::string fitted(LanePicture::Row const& row, std::size_t columns) {
        std::string const text = row.whole_text();
        std::size_t const result = display_width(row.result);
        if (row.result.empty() || display_width(text) <= columns || result + 6 > columns) return cut(text, columns);
        return cut(row.text, columns - result - 2) + "  " + row.result;
    }

    void list(std::uint32_t r) {
        LanePicture::Row const& row = p_.rows[r];
        text_out_ += folded(fmt::format("{:>{}} {:<{}}  {}", r + 1, number_, cut(row.word, word_), word_, row.story),
                            columns_, number_ + word_ + 3);
    }

    LanePicture const& p_;
    std::size_t columns_;
    Paint const& paint_;
    std::vector<std::size_t> x_;    // of the lanes
    std::vector<std::size_t> text_; // how wide their texts are
    std::vector<std::size_t> name_; // and the names on their cards
    std::size_t number_ = 2;
    std::size_t word_ = 1;
    bool fits_ = true;
    std::size_t arrow_ = 0;           // the next one
    std::uint32_t bar_ = 0;           // the next one
    std::vector<std::uint32_t> open_; // the bars of the row
    std::string text_out_;
};

} // namespace

std::string draw_text(LanePicture const& picture, unsigned columns, Paint const& paint) {
    return LaneText(picture, columns, paint).text();
}

} // namespace matchpoint::report
