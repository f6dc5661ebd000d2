// The states of a search: byte strings, numbered in the order in which they are found, each with the state it was found from.
// About twenty bytes beside the string.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::rma {

class StateTable {
public:
    using Id = std::uint32_t;
    static constexpr Id none = 0xFFFF'FFFF;

    StateTable() : slots_(1024) {}

    Id size() const { return static_cast<Id>(places_.size()); }
    std::string_view operator[](Id id) const {
        char const* const p = at(places_[id]);
        std::uint16_t length = 0;
        std::memcpy(&length, p + sizeof(Id), sizeof length);
        return {p + header, length};
    }
    Id parent(Id id) const {
        Id parent = none;
        std::memcpy(&parent, at(places_[id]), sizeof parent);
        return parent;
    }

    struct Inserted {
        Id id;
        bool is_new;
    };
    /// States are below 64 KiB, and below 2^32 - 1 in number.
    Inserted insert(std::string_view state, Id parent) {
        std::uint64_t const h = hash(state);
        std::size_t const mask = slots_.size() - 1;
        for (std::size_t i = h & mask;; i = (i + 1) & mask) {
            Slot& slot = slots_[i];
            if (slot.id == none) {
                auto const id = size();
                slot = {tag(h), id};
                store(state, parent);
                if (size() > slots_.size() / 4 * 3) grow();
                return {id, true};
            }
            if (slot.tag == tag(h) && (*this)[slot.id] == state) return {slot.id, false};
        }
    }

    /// What is held.
    std::uint64_t bytes() const {
        return held_ + places_.capacity() * sizeof(std::uint64_t) + slots_.size() * sizeof(Slot);
    }
    /// What the next growth may take in addition.
    std::uint64_t next_growth() const {
        return slots_.size() * 2 * sizeof(Slot) + places_.capacity() * 2 * sizeof(std::uint64_t);
    }

private:
    struct Slot {
        std::uint32_t tag = 0;
        Id id = none;
    };
    static constexpr std::size_t header = sizeof(Id) + sizeof(std::uint16_t);
    static constexpr std::size_t block_size = std::size_t{1} << 20U;

    static std::uint32_t tag(std::uint64_t h) { return static_cast<std::uint32_t>(h >> 32U); }
    static std::uint64_t hash(std::string_view s) {
        std::uint64_t h = s.size() * 0x9E37'79B9'7F4A'7C15U;
        std::size_t i = 0;
        for (; i + 8 <= s.size(); i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, s.data() + i, 8);
            h = mix(h ^ word);
        }
        std::uint64_t word = 0;
        if (i < s.size()) std::memcpy(&word, s.data() + i, s.size() - i);
        return mix(h ^ word);
    }
    static std::uint64_t mix(std::uint64_t x) {
        x *= 0xBF58'476D'1CE4'E5B9U;
        x ^= x >> 32U;
        x *= 0x94D0'49BB'1331'11EBU;
        return x ^ x >> 29U;
    }

    char const* at(std::uint64_t place) const { return blocks_[place >> 32U].get() + (place & 0xFFFF'FFFFU); }

    void store(std::string_view state, Id parent) {
        std::size_t const need = header + state.size();
        if (blocks_.empty() || used_ + need > block_size) {
            blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size));
            held_ += block_size;
            used_ = 0;
        }
        char* const p = blocks_.back().get() + used_;
        auto const length = static_cast<std::uint16_t>(state.size());
        std::memcpy(p, &parent, sizeof parent);
        std::memcpy(p + sizeof parent, &length, sizeof length);
        std::memcpy(p + header, state.data(), state.size());
        places_.push_back((std::uint64_t{blocks_.size() - 1} << 32U) | used_);
        used_ += need;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        std::size_t const mask = slots_.size() - 1;
        for (Slot const& slot : old) {
            if (slot.id == none) continue;
            std::size_t i = hash((*this)[slot.id]) & mask;
            while (slots_[i].id != none) i = (i + 1) & mask;
            slots_[i] = slot;
        }
    }

    std::vector<std::unique_ptr<char[]>> blocks_;
    std::size_t used_ = 0;
    std::uint64_t held_ = 0;
    std::vector<std::uint64_t> places_; // block and offset, by state
    std::vector<Slot> slots_;           // open addressing, a power of two, at most three quarters full
};

} // namespace matchpoint::rma
