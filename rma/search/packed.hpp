// States as a few machine words, for sets of millions of them: every number of a state is in a field of some bits.
//
// A value is a number of a table that grows with the values that occur. When they no longer fit into their fields, the
// caller starts again with wider ones.
//
//   WordLayout layout;
//   Field const pc = layout.add(bits_for(7)), x = layout.add(values.bits());
//   Packed state(layout.words());
//   x.set(state.data(), values.number(v));
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/value.hpp"

namespace matchpoint::rma {

using Word = std::uint64_t;
using Packed = std::vector<Word>;

/// A field has no room for a number.
struct TooNarrow {};

/// How many bits the numbers below a limit need.
inline unsigned bits_for(std::uint64_t limit) {
    return limit <= 1 ? 0 : static_cast<unsigned>(std::bit_width(limit - 1));
}

/// The bits of a field that had too few.
inline unsigned wider(unsigned bits) { return bits < 8 ? bits + 2 : bits < 16 ? bits + 4 : 32; }

/// A number of at most 32 bits at its place in a packed state.
struct Field {
    std::uint32_t word = 0;
    std::uint16_t shift = 0;
    std::uint16_t bits = 0;
    Word mask = 0; // of the number

    std::uint32_t get(Word const* state) const { return static_cast<std::uint32_t>(state[word] >> shift & mask); }
    void set(Word* state, std::uint32_t n) const {
        state[word] = (state[word] & ~(mask << shift)) | static_cast<Word>(n) << shift;
    }
};

/// Finds places for fields. None crosses the border of a word.
class WordLayout {
public:
    Field add(unsigned bits) {
        // Words only fill up: what had no room for so many bits never gets any.
        std::size_t& word = first_with_room_[bits];
        while (word < used_.size() && used_[word] + bits > 64) ++word;
        if (word == used_.size()) used_.push_back(0);
        auto const shift = static_cast<std::uint16_t>(bits == 0 ? 0 : used_[word]);
        used_[word] += bits;
        return {static_cast<std::uint32_t>(word), shift, static_cast<std::uint16_t>(bits), (Word{1} << bits) - 1};
    }
    /// At least one.
    std::size_t words() const { return used_.empty() ? 1 : used_.size(); }

private:
    std::vector<std::uint32_t> used_;               // bits, by word
    std::array<std::size_t, 33> first_with_room_{}; // by bits
};

class ValueTable {
public:
    /// Throws TooNarrow.
    std::uint32_t number(Value const& v) {
        // Small integers are their own index into a short list, since most programs have no others.
        auto const i = v.small();
        if (i && *i >= 0 && *i < direct_size && direct_[static_cast<std::size_t>(*i)] != 0)
            return direct_[static_cast<std::size_t>(*i)] - 1;
        auto const [at, is_new] = numbers_.try_emplace(v, static_cast<std::uint32_t>(values_.size()));
        if (is_new) values_.push_back(v);
        // A field may also hold that there is no value.
        if (at->second + std::uint64_t{2} > std::uint64_t{1} << bits_) throw TooNarrow();
        if (i && *i >= 0 && *i < direct_size) direct_[static_cast<std::size_t>(*i)] = at->second + 1;
        return at->second;
    }
    Value const& operator[](std::uint32_t number) const { return values_[number]; }
    /// The width of a field with a value's number, or that number plus one.
    unsigned bits() const { return bits_; }
    void widen() { bits_ = wider(bits_); }

private:
    static constexpr std::int64_t direct_size = 64;
    struct Hash {
        std::size_t operator()(Value const& v) const { return v.hash(); }
    };
    unsigned bits_ = 3;
    std::vector<Value> values_;
    std::uint32_t direct_[direct_size] = {};
    boost::unordered_flat_map<Value, std::uint32_t, Hash> numbers_;
};

/// Numbers sets of values as they come. The empty one is 0.
class SetTable {
public:
    using Set = std::vector<std::uint32_t>; // numbers of values, sorted

    SetTable() { number({}); }
    /// Throws TooNarrow.
    std::uint32_t number(Set const& set) {
        if (set.empty() && !sets_.empty()) return 0;
        auto const [at, is_new] = numbers_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
        if (is_new) sets_.push_back(&at->first);
        if (at->second < std::uint64_t{1} << bits_) return at->second;
        are_too_many_ = true;
        throw TooNarrow();
    }
    Set const& operator[](std::uint32_t number) const { return *sets_[number]; }
    unsigned bits() const { return bits_; }
    /// After TooNarrow. False: it was not this table that had no room.
    bool widen() {
        if (are_too_many_) bits_ = wider(bits_);
        return std::exchange(are_too_many_, false);
    }

private:
    unsigned bits_ = 4;
    bool are_too_many_ = false;
    std::vector<Set const*> sets_; // the keys of `numbers_`, which stay where they are
    std::map<Set, std::uint32_t> numbers_;
};

} // namespace matchpoint::rma
