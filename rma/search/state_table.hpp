// The states of a search: each a fixed number of words, numbered in the order in which they are found, with the state
// that it was found from. Some twenty bytes beside the words.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/limits.hpp"
#include "rma/search/packed.hpp"
#include "rma/search/zeroed.hpp"

namespace matchpoint::rma {

class StateTable {
public:
    using Id = std::uint32_t;
    static constexpr Id none = 0xFFFF'FFFF;

    explicit StateTable(std::size_t words) : words_(words), slots_(std::size_t{1} << first_bits) {}

    Id size() const { return size_; }
    /// Valid until the next insert.
    Word const* operator[](Id id) const { return blocks_[id / block_size].data() + id % block_size * words_; }
    Id parent(Id id) const { return parents_[id / block_size][id % block_size]; }

    std::uint64_t hash(Word const* state) const {
        std::uint64_t h = 0;
        for (std::size_t i = 0; i < words_; ++i) h = mix(h ^ state[i]);
        return h;
    }
    /// Looking for a state waits for memory twice, for its slot and for the state there. With the states of some steps
    /// in advance, that is one wait for all of them.
    void fetch_slot(std::uint64_t hash) const { __builtin_prefetch(&slots_[place(tag(hash))]); }
    void fetch_state(std::uint64_t hash) const {
        Slot const& slot = slots_[place(tag(hash))];
        if (slot.number != 0 && slot.tag == tag(hash)) __builtin_prefetch((*this)[slot.number - 1]);
    }

    /// Whether the state is new. There are below 2^32 - 1.
    bool insert(Word const* state, std::uint64_t hash, Id parent) {
        std::size_t const mask = slots_.size() - 1;
        for (std::size_t i = place(tag(hash));; i = (i + 1) & mask) {
            Slot& slot = slots_[i];
            if (slot.number == 0) {
                store(state, parent);
                slot = {tag(hash), size_};
                if (size_ > slots_.size() / 4 * 3) grow();
                return true;
            }
            if (slot.tag == tag(hash) && is_equal(state, (*this)[slot.number - 1])) return false;
        }
    }

    /// What is held.
    std::uint64_t bytes() const { return size_ * (words_ * sizeof(Word) + sizeof(Id)) + slots_.size() * sizeof(Slot); }
    /// What the next growth may take in addition.
    std::uint64_t next_growth() const { return slots_.size() * 2 * sizeof(Slot); }

private:
    struct Slot {
        std::uint32_t tag;
        std::uint32_t number; // id and 1; 0: there is none
    };
    static constexpr unsigned first_bits = 8;
    static constexpr std::uint32_t first_room = 64;
    static constexpr std::uint32_t block_size = 1U << 18U; // states

    static std::uint32_t tag(std::uint64_t h) { return static_cast<std::uint32_t>(h >> 32U); }
    static std::uint64_t mix(std::uint64_t x) {
        x *= 0xBF58'476D'1CE4'E5B9U;
        x ^= x >> 32U;
        x *= 0x94D0'49BB'1331'11EBU;
        return x ^ x >> 29U;
    }
    /// The slots are in the order of their tags, so that one walk through them fills a larger table.
    std::size_t place(std::uint32_t tag) const { return tag >> shift_; }

    bool is_equal(Word const* a, Word const* b) const {
        Word differs = 0;
        for (std::size_t i = 0; i < words_; ++i) differs |= a[i] ^ b[i];
        return differs == 0;
    }

    void store(Word const* state, Id parent) {
        if (size_ == room_) make_room();
        std::size_t const at = size_ % block_size;
        Word* const words = blocks_.back().data() + at * words_;
        for (std::size_t i = 0; i < words_; ++i) words[i] = state[i];
        parents_.back()[at] = parent;
        ++size_;
    }

    /// The first block begins small, since most searches are.
    void make_room() {
        std::uint32_t const states = room_ == 0 ? first_room : room_ < block_size ? room_ * 2 : block_size;
        spend(states * words_ / 8); // a step is a look into memory, which has eight words at a time
        Zeroed<Word> words(states * words_);
        Zeroed<Id> parents(states);
        if (room_ > 0 && room_ < block_size) {
            std::memcpy(words.data(), blocks_.back().data(), size_ * words_ * sizeof(Word));
            std::memcpy(parents.data(), parents_.back().data(), size_ * sizeof(Id));
            blocks_.clear();
            parents_.clear();
            room_ = 0;
        }
        room_ += states;
        blocks_.push_back(std::move(words));
        parents_.push_back(std::move(parents));
    }

    void grow() {
        Zeroed<Slot> old(slots_.size() * 2);
        std::swap(old, slots_);
        --shift_;
        std::size_t const mask = slots_.size() - 1;
        for (std::size_t k = 0; k < old.size(); ++k) {
            if (old[k].number == 0) continue;
            std::size_t i = place(old[k].tag);
            while (slots_[i].number != 0) i = (i + 1) & mask;
            slots_[i] = old[k];
        }
    }

    std::size_t words_;
    Id size_ = 0;
    std::uint32_t room_ = 0; // states, in all blocks
    std::vector<Zeroed<Word>> blocks_;
    std::vector<Zeroed<Id>> parents_;
    Zeroed<Slot> slots_; // open addressing, a power of two, at most three quarters full
    unsigned shift_ = 32 - first_bits;
};

} // namespace matchpoint::rma
