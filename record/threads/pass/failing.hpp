// Which blocks of a function lead only to the failure of the program: to a call of abort, __assert_fail,
// std::terminate, or exit with a failure, with nothing before it that could end otherwise.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace matchpoint::record {

class Failing {
public:
    bool leads_to_failure(llvm::BasicBlock const& block) { return look(block, 0); }
    /// What `asserts` of a branch record says: 2 if the program fails when the condition is true, 1 if when it is
    /// false, else 0.
    unsigned asserts(llvm::BranchInst const& branch);

private:
    bool look(llvm::BasicBlock const& block, int depth);
    bool fails(llvm::CallBase const& call, int depth);

    llvm::DenseMap<llvm::BasicBlock const*, bool>
        known_; // false while a block is looked at: a loop does not lead there
};

/// Whether the call ends the process: exit, _exit, and the like.
bool is_exit(llvm::CallBase const& call);

} // namespace matchpoint::record
