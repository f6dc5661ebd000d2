// Deciding many placements of flushes, in threads, with a result that does not depend on how many threads there are.
//
//   DecidedInOrder(program, options).for_each(placements, skip, [&](Placement const& p, Decision&& d) { ... });
#pragma once

#include "rma/search/flushes.hpp"

namespace matchpoint::rma {

/// Decides whether a placement works: as FlushOptions::decide or check_program decides it.
Decision decide(Program const& program, Placement const& placement, FlushOptions const& options);

class DecidedInOrder {
public:
    using Skip = std::function<bool(Placement const&)>;
    using Use = std::function<void(Placement const&, Decision&&)>;

    /// The arguments have to outlive it.
    DecidedInOrder(Program const& program, FlushOptions const& options) : program_(program), options_(options) {}

    /// Calls `use` with the placements in their order, in this thread, without those that `skip` leaves out at their
    /// turn. What `use` has learned may leave out more of them, so some decisions are wasted.
    /// Throws what deciding throws.
    void for_each(std::vector<Placement> const& placements, Skip const& skip, Use const& use) const;

private:
    Decision decision(Placement const& placement) const;

    Program const& program_;
    FlushOptions const& options_;
};

} // namespace matchpoint::rma
