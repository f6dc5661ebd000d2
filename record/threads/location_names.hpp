// What locations of memory are called in a program: by variables and their parts, else by blocks of the heap, stacks
// and modules. A place on a stack that has been that of several variables has no name of theirs.
#pragma once

#include <set>
#include <string>

#include "record/threads/allocations.hpp"
#include "record/threads/run_order.hpp"

namespace matchpoint::record::threads {

/// The part of a variable of a type (matchpoint_global) at an offset, to be appended to its name: ".items.3". "+6" if
/// the type does not say.
std::string part_of_type(std::string_view type, std::uint64_t offset);

class LocationNames {
public:
    explicit LocationNames(RunIndex const& index);

    /// The name of a location that is in this block of the heap, if it is in one.
    std::string name(std::uint64_t address, std::optional<std::uint32_t> block, Allocations const& allocations);
    /// The blocks of the heap that have names by now.
    std::set<std::uint32_t> const& blocks() const { return blocks_; }

private:
    std::optional<std::string> name_of_variable(std::uint64_t address) const;

    RunIndex const& index_;
    std::vector<Global> variables_; // by address
    std::set<std::uint32_t> blocks_;
};

} // namespace matchpoint::record::threads
