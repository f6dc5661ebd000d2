// The operations of a run: which step of a card executes what which step of a process has issued.
//
//   Operations const operations(machine, run);
//   for (Operation const& o : operations.all()) std::cout << o.issued << " " << o.written << "\n";
#pragma once

#include <span>

#include "rma/machine/machine.hpp"

namespace matchpoint::rma {

/// A put, a get or a remote atomic that was issued. Steps are counted from 0.
struct Operation {
    RemoteIndex s;
    std::size_t issued;
    std::size_t read;    // nic_r, or nic_a; the number of steps if it is pending at the end
    std::size_t written; // nic_w; the same. An atomic that fetches nothing is written where it is read
};

class Operations {
public:
    /// `run`: from the initial state on. A card executes the oldest of equal operations: the machine does not tell them
    /// apart.
    Operations(Machine const& machine, std::span<Transition const> run);

    /// In the order of their issue. There are none under SC.
    std::vector<Operation> const& all() const { return all_; }
    /// The number of the operation that a step issues or executes; no_index if it does neither.
    std::uint32_t of_step(std::size_t step) const { return of_step_[step]; }

private:
    std::vector<Operation> all_;
    std::vector<std::uint32_t> of_step_;
};

} // namespace matchpoint::rma
