// Threads that are alike: the same commands, but for the names of local variables. It does not matter which one of them
// is where: if they exchange their places and the values of their local variables, all that can follow is the same, but
// for the exchange. So a search that asks whether a state of some kind can be reached may merge such states (symmetry
// reduction; Ip and Dill, Better verification through symmetry).
//
// Threads that send, receive or meet at barriers are taken to be different: their endpoints and actions are.
#pragma once

#include <span>
#include <vector>

#include "executions/shared/causal_model.hpp"

namespace matchpoint::executions {

class Symmetry {
public:
    /// Linear in the size of the program. With a causal model no threads are alike: it tells their commands from each
    /// other.
    Symmetry(IndexedProgram const& code, CausalModel const* model);

    /// Sets of two or more threads that are alike. No thread is in two of them.
    std::vector<std::vector<std::uint32_t>> const& groups() const { return groups_; }
    bool is_in_group(std::uint32_t thread) const { return is_in_group_[thread]; }
    /// Whether a variable is local to a thread of a group.
    bool is_local_of_group(Variable x) const { return is_local_of_group_[x.index]; }
    /// The local variables of a thread of a group. Those at the same place of threads that are alike correspond to each
    /// other.
    std::span<Variable const> locals(std::uint32_t thread) const { return locals_[thread]; }

private:
    std::vector<std::vector<std::uint32_t>> groups_;
    std::vector<bool> is_in_group_;             // thread
    std::vector<bool> is_local_of_group_;       // variable
    std::vector<std::vector<Variable>> locals_; // thread
};

} // namespace matchpoint::executions
