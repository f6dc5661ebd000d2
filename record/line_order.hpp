#pragma once

// In which order the threads of one rank did what the recording says.

#include <cstdint>
#include <span>
#include <vector>

#include "machine/indexed_program.hpp"
#include "record/recording.hpp"

namespace matchpoint::record {

/// The file knows when a call was written down, which is not when the library did it. The first order is tried first.
enum class Order : std::uint8_t { of_file, probes_first, free };
std::span<Order const> orders_of(Recording const& recording);

/// The threads of a rank do their commands in the order of its file. Finding the next one costs no more with many
/// threads than with two.
class LineOrder {
public:
    /// Keeps no order.
    LineOrder() = default;

    /// With Order::probes_first, a probe may have been written down late, when another thread had received what it saw.
    /// `done`: how many of its commands each thread does.
    LineOrder(Recording const& recording, IndexedProgram const& code, std::span<std::uint32_t const> done, Order order);

    bool is_kept() const { return !files_.empty(); }

    /// Whether, in some rank, one of the next commands could be done: do_next(thread) does the next one of a thread if
    /// it can. pcs: the locations of the threads. Linear in the number of ranks.
    template <class Pcs, class DoNext>
    bool advance(Pcs const& pcs, DoNext&& do_next) {
        bool moved = false;
        for (File& file : files_)
            while (advance(file, pcs, do_next)) moved = true;
        return moved;
    }

    /// A command of a thread is to be done again.
    void undone(std::uint32_t thread, Location rho);

private:
    struct Entry {
        std::uint32_t line, thread, rho;
    };
    struct File {
        std::vector<Entry> entries; // sorted
        std::size_t next = 0;       // all entries before it are done
    };
    struct Place {
        std::uint32_t file, entry;
    };

    template <class Pcs, class DoNext>
    static bool advance(File& file, Pcs const& pcs, DoNext&& do_next) {
        auto const& all = file.entries;
        while (file.next < all.size() && pcs[all[file.next].thread] > all[file.next].rho) ++file.next;
        for (std::size_t i = file.next; i < all.size() && all[i].line == all[file.next].line; ++i)
            if (pcs[all[i].thread] == all[i].rho && do_next(all[i].thread)) return true;
        return false;
    }

    std::vector<File> files_;                // of the ranks; empty if no order is kept
    std::vector<Location> first_;            // of the threads
    std::vector<std::vector<Place>> places_; // thread -> of its commands
};

} // namespace matchpoint::record
