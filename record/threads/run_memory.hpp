// What memory holds while a run is read: for each byte what it is, if that is known, and the terms that are stored.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "record/threads/cell_table.hpp"
#include "record/threads/operations.hpp"

namespace matchpoint::record::threads {

/// A value that was stored, in bytes of a cell.
struct StoredValue {
    std::uint8_t from = 0, size = 0;
    std::uint32_t thread = 0; // whose local variables its term has
    TermId term = 0;
    std::uint64_t at = 0; // the number of the record in the run
};

/// What the last accesses left in each byte, by their addresses, in the order of the run. Blocks do not matter: so it
/// is the memory that the runtime knows.
class LastBytes {
public:
    void put(std::uint64_t address, unsigned size, std::uint64_t bytes);
    /// None if some were not accessed.
    std::optional<std::uint64_t> at(std::uint64_t address, unsigned size) const;

private:
    struct Cell {
        std::uint64_t key = 0;
        std::uint64_t bytes = 0;
        std::uint8_t known = 0;
    };
    CellTable<Cell> cells_;
};

class RunMemory {
public:
    explicit RunMemory(Operations& operations) : operations_(operations) {}

    /// Bytes of a cell as an unsigned number, if all are known.
    std::optional<std::uint64_t> bytes(std::uint64_t cell, unsigned from, unsigned size) const;
    /// The bytes are these. False, and values that were stored are forgotten, if others were known to be there.
    bool sees(std::uint64_t cell, unsigned from, unsigned size, std::uint64_t bytes);
    /// The value is stored there, whose bits are those of the bytes.
    void put(std::uint64_t cell, unsigned from, unsigned size, Known const& value, std::uint32_t thread,
             std::uint64_t at);
    /// Values with terms in these bytes of a cell, in order. Overlapping ones are not there.
    void find(std::uint64_t cell, unsigned from, unsigned size, std::vector<StoredValue>& to) const;

private:
    struct Cell {
        std::uint64_t key = 0;
        std::uint64_t bytes = 0;
        std::uint32_t first = UINT32_MAX; // in pieces_
        std::uint8_t known = 0;           // which bytes are
    };
    struct Piece {
        StoredValue value;
        std::uint32_t next;
    };
    static std::uint64_t mask_of(unsigned from, unsigned size);
    void write(Cell& cell, unsigned from, unsigned size, std::uint64_t bytes);
    void forget(Cell& cell, unsigned from, unsigned size);
    void add(Cell& cell, StoredValue const& value);

    Operations& operations_;
    CellTable<Cell> cells_;
    std::vector<Piece> pieces_;
    std::uint32_t free_ = UINT32_MAX;
};

} // namespace matchpoint::record::threads
