// The values of one run, computed from its match set: along a schedule, with the operators of the reference machine,
// for the relevant commands only.
#pragma once

#include "machine/schedule.hpp"
#include "machine/state.hpp"
#include "matching/data_flow.hpp"

namespace matchpoint::matching {

class RunValues {
public:
    /// The data flow has to outlive it.
    explicit RunValues(DataFlow const& flow);

    /// The schedule has to be one with these matches. It may stop early; then what it does not get to has no value.
    void run(Schedule const& schedule, Matching const& m);
    /// The same, but a receive gets its value only if it is in `known`; otherwise it gets bot.
    void run(Schedule const& schedule, Matching const& m, std::vector<bool> const& known);

    // In the last run:
    Value operator()(std::uint32_t node) { return evaluation_(node); }
    Value const& received(std::uint32_t receive) const { return evaluation_.received(receive); }
    /// Which status the run has; none if a divisor is zero, so that it does not complete.
    std::optional<Status> status();

private:
    void step(std::uint32_t command);

    DataFlow const& flow_;
    Evaluation evaluation_;
    std::vector<Value> sent_;
    std::vector<std::vector<std::uint32_t>> completed_;
};

} // namespace matchpoint::matching
