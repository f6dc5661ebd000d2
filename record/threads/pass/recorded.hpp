// A function with its recording: each value that may depend on memory gets a node, a number of 32 bits which is 0
// for a constant; accesses, branches and calls become calls of the runtime.
#pragma once

#include "record/threads/pass/failing.hpp"
#include "record/threads/pass/runtime.hpp"
#include "record/threads/pass/sites.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/InstVisitor.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <utility>
#include <vector>

namespace matchpoint::record {

/// What a reason says: enum matchpoint_reason.
enum class Reason : unsigned { of_operation = 1, of_address, of_size, of_call, of_pointer_call };

class Recorded : public llvm::InstVisitor<Recorded> {
public:
    /// `original` is the function that others call.
    Recorded(llvm::Function& function, llvm::Function& original, Runtime const& runtime, Sites& sites);
    void record();

    // Called by InstVisitor.
    void visitCastInst(llvm::CastInst& i);
    void visitSelectInst(llvm::SelectInst& i);
    void visitPHINode(llvm::PHINode& i);
    void visitGetElementPtrInst(llvm::GetElementPtrInst& i);
    void visitFreezeInst(llvm::FreezeInst& i);
    void visitExtractValueInst(llvm::ExtractValueInst& i);
    void visitBranchInst(llvm::BranchInst& i);
    void visitSwitchInst(llvm::SwitchInst& i);
    void visitReturnInst(llvm::ReturnInst& i);
    void visitLoadInst(llvm::LoadInst& i);
    void visitStoreInst(llvm::StoreInst& i);
    void visitAtomicRMWInst(llvm::AtomicRMWInst& i);
    void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst& i);
    void visitAllocaInst(llvm::AllocaInst& i);
    void visitIntrinsicInst(llvm::IntrinsicInst& i);
    void visitCallBase(llvm::CallBase& i);
    void visitFenceInst(llvm::FenceInst&) {}
    void visitLandingPadInst(llvm::LandingPadInst&) {}
    /// All else: what goes into it is concrete, and so is its result.
    void visitInstruction(llvm::Instruction& i);

private:
    using Builder = llvm::IRBuilder<>;

    // ---- recorded.cpp
    void find_what_may_have_nodes();
    bool may_begin_node(llvm::Instruction const& i) const;
    bool passes_node(llvm::Instruction const& i) const;
    void take_arguments();
    void fill_phis();
    /// Null if it is a constant in any case.
    llvm::Value* node(llvm::Value* value) const;
    /// The same, where an operand is wanted.
    llvm::Value* node_or_zero(llvm::Value* value) const;
    void set_node(llvm::Value& value, llvm::Value* node);
    /// Code in front of `at` that is executed if one of the nodes is not 0, and its result; `otherwise` if none is.
    /// Nulls are no nodes.
    llvm::Value* if_any(llvm::Instruction& at, llvm::ArrayRef<llvm::Value*> nodes, llvm::Value* otherwise,
                        llvm::function_ref<llvm::Value*(Builder&)> make);
    void make_concrete(llvm::Value* value, llvm::Instruction& at, Reason reason);
    void make_operands_concrete(llvm::User& of, llvm::Instruction& at, Reason reason);
    /// A value of up to 64 bits as a number of 64 bits: signed, or 0 and 1.
    llvm::Value* widened(Builder& at, llvm::Value* value) const;
    /// And back.
    llvm::Value* narrowed(Builder& at, llvm::Value* number, llvm::Type* type) const;
    llvm::AllocaInst* buffer(llvm::Type* type);

    // ---- recorded_operations.cpp
    /// Whether the instruction is an operation that waits for others, to be recorded with them.
    bool waits(llvm::Instruction const& i) const;
    /// Before the instruction is recorded: what has to be before it.
    void record_waiting_for(llvm::Instruction& i);
    /// Records the operations that wait, in front of `at`.
    void record_waiting(llvm::Instruction& at);
    /// `branch`: a branch on the last of them, which is recorded with them; null if there is none.
    void record_together(llvm::ArrayRef<llvm::Instruction*> operations, llvm::Instruction& at,
                         llvm::BranchInst* branch = nullptr);

    // ---- recorded_values.cpp
    llvm::Value* binary(Builder& at, unsigned op, unsigned flags, unsigned width, llvm::Value* a, llvm::Value* a_node,
                        llvm::Value* b, llvm::Value* b_node) const;
    llvm::Value* cast(Builder& at, unsigned op, unsigned from, unsigned to, llvm::Value* node) const;
    llvm::Value* compared(Builder& at, llvm::CmpInst::Predicate predicate, llvm::Value* a, llvm::Value* b) const;
    void record_chosen(llvm::IntrinsicInst& i, llvm::CmpInst::Predicate predicate);
    void record_overflow(llvm::IntrinsicInst& i, unsigned op);

    // ---- recorded_memory.cpp
    bool is_private(llvm::Value const* pointer);
    bool is_recorded(llvm::Instruction const& i, llvm::Value const* pointer) const;
    unsigned how_number(llvm::Value const* pointer, unsigned size, unsigned flags, unsigned op = 0);
    llvm::Value* how(llvm::Value const* pointer, unsigned size, unsigned flags, unsigned op = 0);
    void load_pieces(llvm::LoadInst& i);
    void store_pieces(llvm::StoreInst& i);
    void record_memory_intrinsic(llvm::MemIntrinsic& i);

    // ---- recorded_calls.cpp
    void record_call(llvm::CallBase& i);
    void pass_arguments(llvm::CallBase& i);
    void take_result(llvm::CallBase& i);
    void record_assembly(llvm::CallBase& i);
    void record_known_function(llvm::CallBase& i);

    llvm::Function& function_;
    llvm::Function& original_;
    Runtime const& runtime_;
    Sites& sites_;
    Failing failing_;
    bool always_fails_ = false;
    llvm::DenseMap<llvm::Instruction const*, unsigned> asserts_; // of branches
    llvm::DenseSet<llvm::Instruction const*> in_failing_block_;  // calls of exit
    llvm::DenseSet<llvm::Value const*> may_have_node_;
    llvm::DenseMap<llvm::Value const*, llvm::Value*> nodes_;
    llvm::DenseMap<llvm::Value const*, bool> private_;
    std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis_;
    std::vector<llvm::Instruction*> waiting_;                  // operations of a block
    llvm::DenseSet<llvm::Instruction const*> with_operations_; // branches that are recorded with them
    llvm::AllocaInst* operands_ = nullptr;                     // for calls
    unsigned most_operands_ = 0;
    llvm::Value* is_taken_ = nullptr; // one bit: the caller takes the node of the result
    std::vector<llvm::Instruction*> replaced_;
};

/// Integers and pointers of up to 64 bits, float and double: what can have a node.
bool can_have_node(llvm::Type const& type);
/// The operator of a binary operation or a cast, as records have it.
std::optional<unsigned> operator_of(unsigned opcode);
/// The number of bits of such a type.
unsigned width_of(llvm::Type const& type);

} // namespace matchpoint::record
