// Names as dense indices. The parser interns locations, actions, variables and endpoints, so that the machine works on
// indices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::base {

/// The names of one kind, numbered 0, 1, 2 ... in the order in which they are interned. A short name takes about 30
/// bytes.
class Names {
public:
    /// The index of a name, new or known. Throws std::length_error beyond 4 GiB of text.
    std::uint32_t intern(std::string_view name);
    std::optional<std::uint32_t> find(std::string_view name) const;

    /// Valid until the next intern.
    std::string_view operator[](std::uint32_t index) const {
        std::uint32_t const begin = index == 0 ? 0 : ends_[index - 1];
        return std::string_view(text_).substr(begin, ends_[index] - begin);
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }

    /// The same names with the same indices.
    friend bool operator==(Names const& a, Names const& b) { return a.text_ == b.text_ && a.ends_ == b.ends_; }

private:
    struct Slot {
        std::uint32_t hash;
        std::uint32_t index; // `empty` if there is no name
    };
    static constexpr std::uint32_t empty = 0xFFFF'FFFF;

    /// The slot of the name, or the slot where it belongs.
    std::size_t slot_of(std::string_view name, std::uint32_t hash) const;
    void grow();

    std::string text_;                // all names, concatenated
    std::vector<std::uint32_t> ends_; // the end of each one in text_
    std::vector<Slot> table_;         // open addressing, a power of two, at most half full
};

} // namespace matchpoint::base
