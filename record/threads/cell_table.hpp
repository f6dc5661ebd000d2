// A table of things with a key of 64 bits: a hash table of indices, so that a million entries take little more than
// themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::record::threads {

/// T has a member `key`.
template <typename T>
class CellTable {
public:
    /// Null if there is none. Valid until the next at().
    T* find(std::uint64_t key) {
        if (slots_.empty()) return nullptr;
        std::uint32_t const index = slots_[slot_of(key)];
        return index == none ? nullptr : &entries_[index];
    }
    T const* find(std::uint64_t key) const { return const_cast<CellTable*>(this)->find(key); }
    /// The entry, which is made if there is none.
    T& at(std::uint64_t key) {
        if ((entries_.size() + 1) * 3 > slots_.size() * 2) grow();
        std::uint32_t& index = slots_[slot_of(key)];
        if (index == none) {
            index = static_cast<std::uint32_t>(entries_.size());
            entries_.push_back(T{});
            entries_.back().key = key;
        }
        return entries_[index];
    }
    std::vector<T>& entries() { return entries_; }
    std::vector<T> const& entries() const { return entries_; }

private:
    static constexpr std::uint32_t none = UINT32_MAX;

    std::size_t slot_of(std::uint64_t key) const {
        std::uint64_t h = key * 0x9e3779b97f4a7c15U;
        h ^= h >> 29U;
        std::size_t i = h & (slots_.size() - 1);
        while (slots_[i] != none && entries_[slots_[i]].key != key) i = (i + 1) & (slots_.size() - 1);
        return i;
    }
    void grow() {
        slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), none);
        for (std::uint32_t i = 0; i < entries_.size(); ++i) slots_[slot_of(entries_[i].key)] = i;
    }

    std::vector<T> entries_;
    std::vector<std::uint32_t> slots_;
};

} // namespace matchpoint::record::threads
