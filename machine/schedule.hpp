// A trace under construction: the transitions of an execution, as entries.
#pragma once

#include <optional>
#include <vector>

#include "machine/machine.hpp"

namespace matchpoint::machine {

class Schedule {
public:
    void clear() { cut(0, 0); }
    /// A whole entry.
    void append(Entry const& sigma) {
        movements_.insert(movements_.end(), sigma.m.begin(), sigma.m.end());
        step(sigma.rho, sigma.peek);
    }
    /// A movement; it belongs to the entry that comes next.
    void move(Channel c) { movements_.push_back(c); }
    /// The command at rho; a probe with its peek.
    void step(Location rho, Channel peek = {}) {
        if (!peek.is_none()) peeks_.push_back({static_cast<std::uint32_t>(rho_.size()), peek});
        rho_.push_back(rho);
        last_movement_.push_back(static_cast<std::uint32_t>(movements_.size()));
    }
    /// Cuts it to its first locations and movements.
    void cut(std::size_t locations, std::size_t movements);
    /// Cuts it to its first entries.
    void cut(std::size_t entries) { cut(entries, entries == 0 ? 0 : last_movement_[entries - 1]); }

    std::size_t size() const { return rho_.size(); }
    std::size_t movements() const { return movements_.size(); }
    /// The movements that no entry follows.
    std::span<Channel const> trailing() const {
        return std::span(movements_).subspan(last_movement_.empty() ? 0 : last_movement_.back());
    }
    Entry entry(std::size_t i) const;

    /// As a trace of the program. It leaves out movements that no entry follows.
    Trace trace(IndexedProgram const& code) const;

private:
    struct Peek {
        std::uint32_t entry;
        Channel channel;
    };

    std::vector<Location> rho_;
    std::vector<std::uint32_t> last_movement_;
    std::vector<Channel> movements_;
    std::vector<Peek> peeks_; // by entry
};

/// Runs it to its end or to its first error, like a trace of the program. Throws LimitReached.
Outcome run(Machine& machine, Schedule const& schedule, Extent extent = Extent::complete);

} // namespace matchpoint::machine
