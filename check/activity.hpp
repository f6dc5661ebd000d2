// What a check is doing, for another thread to look at while it lasts.
#pragma once

#include <atomic>
#include <cstdint>

#include "rooms.hpp"

namespace matchpoint::check {

/// The check only writes it. The counts are those of the stage, and need not be of one moment.
struct Activity {
    enum class Stage : std::uint8_t {
        sampling,  // executions
        exploring, // executions, steps
        pruning,
        sat, // pairs, calls, conflicts
        smt, // pairs, calls
        comparing,
    };
    std::atomic<Stage> stage{Stage::sampling};
    std::atomic<std::uint64_t> executions{0};
    std::atomic<std::uint64_t> steps{0};
    std::atomic<std::uint64_t> pairs{0};
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::uint64_t> conflicts{0};

    void begin(Stage s) {
        for (auto* const count : {&executions, &steps, &calls, &conflicts}) count->store(0, std::memory_order_relaxed);
        stage.store(s, std::memory_order_relaxed);
    }
    static void set(std::atomic<std::uint64_t>& count, std::uint64_t n) { count.store(n, std::memory_order_relaxed); }
};

} // namespace matchpoint::check
