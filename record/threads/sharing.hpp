// Which memory threads share: locations of which two threads access one, one of them writes, and neither access has to
// come first by creating and joining threads alone. All other memory is of one thread at a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "record/threads/allocations.hpp"
#include "record/threads/cell_table.hpp"
#include "record/threads/run_order.hpp"

namespace matchpoint::record::threads {

/// What has to come first by creating and joining threads: a clock for each thread.
class Forks {
public:
    explicit Forks(std::size_t threads);
    void created(std::uint32_t by, std::uint32_t thread);
    void joined(std::uint32_t by, std::uint32_t thread);
    /// A number that grows when the thread creates another one. Not 0.
    std::uint32_t epoch(std::uint32_t thread) const { return clocks_[thread][thread]; }
    /// Whether what a thread did in an epoch comes before what `later` does now.
    bool comes_before(std::uint32_t thread, std::uint32_t epoch, std::uint32_t later) const {
        return clocks_[later][thread] >= epoch || later == thread;
    }
    std::vector<std::uint32_t> const& clock(std::uint32_t thread) const { return clocks_[thread]; }
    /// A number for the clock that a thread has now.
    std::uint32_t snapshot(std::uint32_t thread);
    std::vector<std::uint32_t> const& snapshot_of(std::uint32_t number) const { return snapshots_[number]; }

private:
    std::vector<std::vector<std::uint32_t>> clocks_;
    std::vector<std::vector<std::uint32_t>> snapshots_;
    std::vector<std::uint32_t> of_thread_; // the number of its newest snapshot; UINT32_MAX if its clock has changed
};

/// Memory that is accessed as a whole, or not at all, while it is shared: a shared variable of the program.
struct Atom {
    std::uint64_t cell = 0;
    std::uint8_t from = 0, size = 0; // bytes of the cell
    std::uint32_t owner = 0;         // the thread that accesses it first
    std::uint32_t own_epoch = 0;     // until the end of this epoch of the owner, nobody else can
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        last; // for each thread, the last epoch in which it accesses it
};

/// The atoms of a cell.
struct SharedCell {
    std::uint64_t key = 0;
    std::uint32_t first = 0, count = 0; // in Sharing::atoms()
};

class Sharing {
public:
    explicit Sharing(RunIndex const& index) : forks_(index.threads.size()) {}

    /// The records of the run, in its order.
    void record(std::uint32_t thread, Record const& r);
    /// After the last one.
    void finish();

    std::vector<Atom> const& atoms() const { return atoms_; }
    /// Null if none of the cell is shared.
    SharedCell const* find(std::uint64_t cell) const { return shared_.find(cell); }

private:
    /// The accesses of a thread to the same bytes of a cell.
    struct Access {
        std::uint32_t thread;
        std::uint32_t reads = 0, writes = 0; // the last epoch of each; 0: none
        std::uint32_t first;                 // the snapshot of its clock at the first one
        std::uint32_t next;                  // of the same cell
        std::uint8_t from, size;
    };
    struct Cell {
        std::uint64_t key = 0;
        std::uint32_t first = UINT32_MAX, last = UINT32_MAX; // in accesses_, in the order of the first one of each
        std::uint8_t shared = 0;                             // its bytes that are
    };

    void access(std::uint32_t thread, std::uint64_t address, std::uint64_t size, bool reads, bool writes);
    void access_cell(std::uint32_t thread, std::uint64_t key, unsigned from, unsigned size, bool reads, bool writes);
    void find_atoms(Cell const& cell);

    Forks forks_;
    Allocations allocations_;
    CellTable<Cell> cells_;
    std::vector<Access> accesses_;
    std::vector<Atom> atoms_;
    CellTable<SharedCell> shared_;
};

} // namespace matchpoint::record::threads
