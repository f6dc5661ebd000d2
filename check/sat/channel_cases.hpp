// Inference `channels`: by cases, which channels two receives get their messages from.
//
//   ChannelCases cases(flow);
//   if (!cases.may_hold({assertion, false})) ... // no run of interest fails there
//
// Receives x and y at one endpoint, x before y. A channel has a shape: the interval of its values, a modulus by which
// they all have the same remainder, and whether they ascend or descend. If both get messages of one channel, x is the
// earlier message. So if its values ascend, x < y. If the channels differ, values with different remainders differ.
//
//   a requirement is a conjunction of atoms over x and y; for each pair of channels, the shapes exclude one of the atoms
//   no run satisfies the requirement
//
// This takes time quadratic in the number of channels, whatever the number of messages is.
#pragma once

#include <optional>
#include <vector>

#include "check/sat/requirement.hpp"
#include "check/sat/value_bounds.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::check {

class ChannelCases {
public:
    /// The data flow has to outlive it. Linear.
    explicit ChannelCases(DataFlow const& flow);

    /// False: some requirement cannot hold.
    bool require(std::span<Requirement const> requirements);
    /// False: no run satisfies it.
    bool may_hold(Requirement const& requirement);

    InferenceCounts const& counts() const { return counts_; }

private:
    /// Integers: those of the interval that are a modulo m; m = 0: only a. Booleans are 0 and 1.
    struct Values {
        ValueBounds::Interval interval = ValueBounds::Interval::all();
        std::int64_t m = 1;
        std::int64_t a = 0;
    };
    struct Shape {
        Values values;
        bool ascends = true;
        bool descends = true;
    };
    /// Two receives at one endpoint, the first one before the second, and the shapes of their channels.
    struct Case {
        std::uint32_t first;
        std::uint32_t second;
        Shape const* of_first;
        Shape const* of_second;
        bool is_one_channel;
    };

    static std::optional<Shape> shape(DataFlow const& flow, Channel c);
    std::optional<std::pair<std::uint32_t, std::uint32_t>> receives_of(std::vector<Requirement> const& atoms) const;
    bool is_possible(std::vector<Requirement> const& atoms, Case const& c) const;
    std::optional<std::uint32_t> received(std::uint32_t node) const;
    Values evaluate(std::uint32_t node, Case const& c, unsigned depth) const;
    Values apply(std::uint32_t node, Case const& c, unsigned depth) const;
    static void narrow(Arithmetic op, Values const& left, Values const& right, Values& result);

    DataFlow const& flow_;
    std::vector<std::optional<Shape>> shapes_; // by channel; none if not all values are small constants
    InferenceCounts counts_;
};

} // namespace matchpoint::check
