// A picture of a run whose lanes are processes, each with the lane of its network card beside it. Time runs down, and a
// row is a step. It knows nothing of what the steps mean: its maker (rma/machine/picture.hpp) says so in words.
//
//                process 1              process 2              card
//    1  2        │                      ● (put Y 1 X)          ○ 2#1        a bar of the card begins: the operation is pending
//    2  2        │                      ● (store X 3)  X = 3   ┊
//    3  r:2#1    │                      ├ X = 3 ──────────────►◆            an arrow: the card reads a variable of the process
//    4  w:2#1    ◄ Y = 3 ───────────────┼──────────────────────●            and writes one
//
//   LanePicture const picture = picture_of(machine, run);
//   std::string const text = draw_text(picture, 80, paint);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/paint.hpp"

namespace matchpoint::report {

struct LanePicture {
    static constexpr std::uint32_t none = 0xFFFF'FFFF;
    // The most that a picture shows of the texts and words of its rows, in columns.
    static constexpr std::size_t widest_text = 36;
    static constexpr std::size_t widest_word = 16;

    struct Lane {
        std::string name;
        std::string card;        // the name of the card's lane; empty if it has none
        std::uint32_t slots = 0; // so many bars are beside each other on the card's lane
    };
    /// A place of a row: a lane, or one of the slots of its card.
    struct Spot {
        std::uint32_t lane;
        std::uint32_t slot = none; // none for the lane itself
        bool on_card() const { return slot != none; }
    };
    enum class Mark : std::uint8_t {
        step,
        failed, // something that has to hold does not
        ended,  // the run cannot go on
    };
    struct Row {
        std::string word; // the name of the step
        Spot at;
        Mark mark = Mark::step;
        bool is_first = false;   // on a card: the first half of an operation
        std::string text = {};   // of a step of a process
        std::string result = {}; // what changed
        std::string story = {};  // a sentence

        std::string whole_text() const { return result.empty() ? text : text + "  " + result; }
    };
    struct Bar {
        enum class Kind : std::uint8_t {
            waits,  // on the lane itself: the process waits
            holds,  // on the lane itself, narrow: no other process steps
            first,  // on the card: the first half of an operation is pending
            second, // the second half is
        };
        Kind kind;
        Spot at;
        std::uint32_t from; // rows; none for the beginning
        std::uint32_t to;   // none for the end
        std::string story = {};
        std::string name = {}; // beside its beginning
    };
    /// In a row, between a lane and a card.
    struct Arrow {
        std::uint32_t row;
        Spot from;
        Spot to;
        std::string text; // beside its end on the lane
    };

    std::string title;
    std::vector<Lane> lanes;
    std::vector<Row> rows;
    std::vector<Bar> bars;           // in the order of their beginnings
    std::vector<Arrow> arrows;       // in the order of the rows
    std::vector<std::string> notes;  // below the rows; folded, with spaces that may be no-break spaces
    std::vector<std::string> legend; // below the notes
};

/// For a terminal of so many columns. If the lanes would be too narrow, the result is a list.
std::string draw_text(LanePicture const& picture, unsigned columns, Paint const& paint = Paint());

/// An SVG file.
std::string draw_svg(LanePicture const& picture);

} // namespace matchpoint::report
