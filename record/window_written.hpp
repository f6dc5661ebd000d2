// What calls have written to an element of a window, and whether that explains how it has changed. Otherwise the rank
// that has it has stored something.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>

namespace matchpoint::record {

class Written {
public:
    /// Something that is not known.
    void add_unknown() { is_unknown_ = true; }
    void add_value(std::int64_t value) { values_.insert(value); }
    /// Somebody has added a number to it. With too many sums nothing is known.
    void add_sum(std::int64_t number) {
        has_sums_ = true;
        std::set<std::uint64_t> more;
        for (std::uint64_t const sum : sums_) more.insert(sum + static_cast<std::uint64_t>(number));
        sums_.insert(more.begin(), more.end());
        is_unknown_ = is_unknown_ || sums_.size() > most_sums;
        if (is_unknown_) sums_ = {0};
    }

    bool has_sums() const { return has_sums_; }
    /// Whether the element, of so many bytes (negative if it is signed), can have become `now` without a store.
    bool explains(std::int64_t before, std::int64_t now, int size) const {
        return is_unknown_ || is_reached(before, now, size) ||
               std::any_of(values_.begin(), values_.end(), [&](std::int64_t v) { return is_reached(v, now, size); });
    }

private:
    static constexpr std::size_t most_sums = 512;

    /// By adding some of the numbers.
    bool is_reached(std::int64_t from, std::int64_t to, int size) const {
        unsigned const unused = 64 - 8 * static_cast<unsigned>(std::clamp(std::abs(size), 1, 8));
        return std::any_of(sums_.begin(), sums_.end(), [&](std::uint64_t sum) {
            return (static_cast<std::uint64_t>(from) + sum - static_cast<std::uint64_t>(to)) << unused == 0;
        });
    }

    std::set<std::int64_t> values_;
    std::set<std::uint64_t> sums_{0}; // of some of what was added
    bool is_unknown_ = false, has_sums_ = false;
};

} // namespace matchpoint::record
