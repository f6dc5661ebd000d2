// What has to hold in every run of interest, taken apart into atoms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "matching/data_flow.hpp"

namespace matchpoint::check {

/// A boolean node, and the value that it has in every run of interest.
struct Requirement {
    std::uint32_t node;
    bool value;
};

/// Adds to `atoms` what the requirements come to, without conjunctions:
///   - the operands of a connective that has its value in only one row of its table have the values of that row: those
///     of a true `and`, a false `or`, a false `=>`, and of `not`;
///   - an assigned variable has the value of its expression;
///   - a receive at an endpoint with a single channel gets the send at its own place, and so its payload's value.
/// Everything else is an atom. False: two requirements contradict each other, or a constant contradicts one.
bool conjuncts(DataFlow const& flow, std::span<Requirement const> requirements, std::vector<Requirement>& atoms);

} // namespace matchpoint::check
