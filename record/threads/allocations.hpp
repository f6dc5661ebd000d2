// Which block of memory an address is of, while a run goes on: blocks of the heap and stacks come and go, and what is
// at an address that was freed and allocated again is another location.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::record::threads {

struct Block {
    std::uint64_t address = 0, size = 0;
    std::uint32_t thread = 0; // that allocated it
    std::uint64_t place = 0;
    bool is_stack = false;    // of the thread
    std::uint32_t number = 0; // among the blocks of the heap, from 1
};

class Allocations {
public:
    void allocated(Block block) {
        live_.insert_or_assign(block.address, static_cast<std::uint32_t>(blocks_.size()));
        if (block.is_stack) {
            if (stacks_.size() <= block.thread) stacks_.resize(block.thread + 1, none);
            stacks_[block.thread] = static_cast<std::uint32_t>(blocks_.size());
        } else {
            block.number = ++heap_;
        }
        blocks_.push_back(block);
        last_ = live_.end();
    }
    void freed(std::uint64_t address) {
        live_.erase(address);
        last_ = live_.end();
    }
    /// The number of the block, from 0; none if the address is of no block. A thread that accesses its own stack does
    /// so even if another one has that stack by now: nothing orders the end of the one and the begin of the other.
    std::optional<std::uint32_t> block_of(std::uint64_t address, std::uint32_t thread) {
        if (thread < stacks_.size() && stacks_[thread] != none && is_in(address, stacks_[thread]))
            return stacks_[thread];
        if (last_ == live_.end() || !is_in(address, last_->second)) {
            auto const after = live_.upper_bound(address);
            if (after == live_.begin()) return std::nullopt;
            last_ = std::prev(after);
            if (!is_in(address, last_->second)) {
                last_ = live_.end();
                return std::nullopt;
            }
        }
        return last_->second;
    }
    /// The key of the cell at an address: the same cell of another block is another one.
    std::uint64_t cell_of(std::uint64_t address, std::uint32_t thread) {
        auto const block = block_of(address, thread);
        if (!block || blocks_[*block].size >= largest) return address / 8;
        // Cells are those of addresses, whatever a block begins at.
        return of_heap | (std::uint64_t{*block} << 32U) | ((address / 8) - (blocks_[*block].address / 8));
    }
    /// The address of a cell.
    std::uint64_t address_of(std::uint64_t cell) const {
        if ((cell & of_heap) == 0) return cell * 8;
        return (blocks_[(cell & ~of_heap) >> 32U].address / 8 + (cell & 0xffffffffU)) * 8;
    }
    /// The block of a cell, if it is of the heap.
    std::optional<std::uint32_t> block_of_cell(std::uint64_t cell) const {
        if ((cell & of_heap) == 0) return std::nullopt;
        return static_cast<std::uint32_t>((cell & ~of_heap) >> 32U);
    }
    std::vector<Block> const& blocks() const { return blocks_; }

private:
    static constexpr std::uint64_t of_heap = std::uint64_t{1} << 63U;
    static constexpr std::uint64_t largest = std::uint64_t{1} << 34U;
    static constexpr std::uint32_t none = UINT32_MAX;

    bool is_in(std::uint64_t address, std::uint32_t block) const {
        Block const& b = blocks_[block];
        return address >= b.address && address - b.address < std::max<std::uint64_t>(b.size, 1);
    }

    std::vector<Block> blocks_;
    std::vector<std::uint32_t> stacks_; // of each thread, its block
    std::uint32_t heap_ = 0;            // how many of them are of the heap
    std::map<std::uint64_t, std::uint32_t> live_;
    std::map<std::uint64_t, std::uint32_t>::iterator last_ = live_.end();
};

} // namespace matchpoint::record::threads
