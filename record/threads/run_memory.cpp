#include "record/threads/run_memory.hpp"

#include <algorithm>

namespace matchpoint::record::threads {

void LastBytes::put(std::uint64_t address, unsigned size, std::uint64_t bytes) {
    for (unsigned done = 0; done < size;) {
        auto const from = static_cast<unsigned>((address + done) % 8);
        unsigned const part = std::min(8 - from, size - done);
        Cell& cell = cells_.at((address + done) / 8);
        std::uint64_t const mask = as_unsigned(-1, 8 * part) << (8 * from);
        cell.bytes = (cell.bytes & ~mask) | ((bytes >> (8 * done)) << (8 * from) & mask);
        cell.known |= static_cast<std::uint8_t>(((1U << part) - 1U) << from);
        done += part;
    }
}

std::optional<std::uint64_t> LastBytes::at(std::uint64_t address, unsigned size) const {
    std::uint64_t result = 0;
    for (unsigned done = 0; done < size;) {
        auto const from = static_cast<unsigned>((address + done) % 8);
        unsigned const part = std::min(8 - from, size - done);
        Cell const* const cell = cells_.find((address + done) / 8);
        auto const wanted = static_cast<std::uint8_t>(((1U << part) - 1U) << from);
        if (cell == nullptr || (cell->known & wanted) != wanted) return std::nullopt;
        result |= (cell->bytes >> (8 * from) & as_unsigned(-1, 8 * part)) << (8 * done);
        done += part;
    }
    return result;
}

std::uint64_t RunMemory::mask_of(unsigned from, unsigned size) { return as_unsigned(-1, 8 * size) << (8 * from); }

std::optional<std::uint64_t> RunMemory::bytes(std::uint64_t key, unsigned from, unsigned size) const {
    Cell const* const cell = cells_.find(key);
    auto const wanted = static_cast<std::uint8_t>(((1U << size) - 1U) << from);
    if (cell == nullptr || (cell->known & wanted) != wanted) return std::nullopt;
    return (cell->bytes & mask_of(from, size)) >> (8 * from);
}

bool RunMemory::sees(std::uint64_t key, unsigned from, unsigned size, std::uint64_t bytes) {
    Cell& cell = cells_.at(key);
    bool is_as_known = true;
    for (unsigned b = 0; b < size; ++b) {
        bool const is_known = ((cell.known >> (from + b)) & 1U) != 0;
        if (is_known && ((cell.bytes >> (8 * (from + b))) & 0xffU) != ((bytes >> (8 * b)) & 0xffU)) is_as_known = false;
    }
    if (!is_as_known) forget(cell, from, size);
    write(cell, from, size, bytes);
    return is_as_known;
}

void RunMemory::write(Cell& cell, unsigned from, unsigned size, std::uint64_t bytes) {
    std::uint64_t const mask = mask_of(from, size);
    cell.bytes = (cell.bytes & ~mask) | ((bytes << (8 * from)) & mask);
    cell.known |= static_cast<std::uint8_t>(((1U << size) - 1U) << from);
}

void RunMemory::put(std::uint64_t key, unsigned from, unsigned size, Known const& value, std::uint32_t thread,
                    std::uint64_t at) {
    Cell& cell = cells_.at(key);
    forget(cell, from, size);
    write(cell, from, size, as_unsigned(value.value, 8 * size));
    if (value.term != 0)
        add(cell, {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(size), thread, value.term, at});
}

void RunMemory::add(Cell& cell, StoredValue const& value) {
    std::uint32_t index = free_;
    if (index == UINT32_MAX) {
        index = static_cast<std::uint32_t>(pieces_.size());
        pieces_.push_back({});
    } else {
        free_ = pieces_[index].next;
    }
    pieces_[index] = {value, cell.first};
    cell.first = index;
}

/// If some bytes of a value remain, they are parts of it.
void RunMemory::forget(Cell& cell, unsigned from, unsigned size) {
    std::vector<StoredValue> cut;
    for (std::uint32_t* at = &cell.first; *at != UINT32_MAX;) {
        Piece& piece = pieces_[*at];
        StoredValue const& v = piece.value;
        if (v.from >= from + size || v.from + v.size <= from) {
            at = &piece.next;
            continue;
        }
        cut.push_back(v);
        std::uint32_t const gone = *at;
        *at = piece.next;
        pieces_[gone].next = free_;
        free_ = gone;
    }
    for (StoredValue const& v : cut) {
        Known const whole{as_signed((cell.bytes & mask_of(v.from, v.size)) >> (8U * v.from), 8U * v.size), v.term,
                          static_cast<std::uint8_t>(8 * v.size)};
        auto const keep = [&](unsigned begin, unsigned end) {
            if (begin >= end) return;
            Known const part = operations_.part(whole, 8 * (begin - v.from), 8 * (end - begin));
            if (part.term != 0)
                add(cell, {static_cast<std::uint8_t>(begin), static_cast<std::uint8_t>(end - begin), v.thread,
                           part.term, v.at});
        };
        keep(v.from, std::min<unsigned>(v.from + v.size, from));
        keep(std::max<unsigned>(v.from, from + size), v.from + v.size);
    }
}

void RunMemory::find(std::uint64_t key, unsigned from, unsigned size, std::vector<StoredValue>& to) const {
    to.clear();
    Cell const* const cell = cells_.find(key);
    if (cell == nullptr) return;
    for (std::uint32_t i = cell->first; i != UINT32_MAX; i = pieces_[i].next)
        if (StoredValue const& v = pieces_[i].value; v.from < from + size && v.from + v.size > from) to.push_back(v);
    std::sort(to.begin(), to.end(), [](StoredValue const& a, StoredValue const& b) { return a.from < b.from; });
}

} // namespace matchpoint::record::threads
