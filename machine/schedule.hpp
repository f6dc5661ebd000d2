// A trace that is being made: by the explorer, by a witness, by hand.
#pragma once

#include <optional>
#include <vector>

#include "machine/machine.hpp"

namespace matchpoint::machine {

class Schedule {
public:
    void clear();
    /// A movement; it belongs to the entry that comes next.
    void move(Channel c) { movements_.push_back(c); }
    void step(Location rho) {
        rho_.push_back(rho);
        last_movement_.push_back(static_cast<std::uint32_t>(movements_.size()));
    }
    /// Back to how it was when it had so many locations and movements.
    void cut(std::size_t locations, std::size_t movements);
    /// To its first entries.
    void cut(std::size_t entries) { cut(entries, entries == 0 ? 0 : last_movement_[entries - 1]); }

    std::size_t size() const { return rho_.size(); }
    std::size_t movements() const { return movements_.size(); }
    Channel last_movement() const { return movements_.back(); }
    Entry entry(std::size_t i) const;

    /// As a trace of the program; movements without an entry behind them are no part of it.
    Trace trace(IndexedProgram const& code) const;

private:
    std::vector<Location> rho_;
    std::vector<std::uint32_t> last_movement_;
    std::vector<Channel> movements_;
};

/// Runs it to its end or to its first error, as run() does a trace of the program. Throws LimitReached.
Outcome run(Machine& machine, Schedule const& schedule);

} // namespace matchpoint::machine
