// Operations of a block that depend on each other are one record. They wait until something needs the node of one, or
// the block ends.
#include "record/threads/format.h"
#include "record/threads/pass/recorded.hpp"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace matchpoint::record {
namespace {

enum : std::uint64_t { open_operand = 0, constant_operand = 1, first_operation = 2 };

void put_u(std::string& to, std::uint64_t n) {
    for (; n >= 0x80; n >>= 7U) to += static_cast<char>((n & 0x7fU) | 0x80U);
    to += static_cast<char>(n);
}

void put_s(std::string& to, std::int64_t n) {
    put_u(to, (static_cast<std::uint64_t>(n) << 1U) ^ static_cast<std::uint64_t>(n >> 63));
}

unsigned flags_of(llvm::Instruction const& i) {
    if (!llvm::isa<llvm::OverflowingBinaryOperator>(i)) return 0;
    return (i.hasNoSignedWrap() ? matchpoint_nsw : 0U) | (i.hasNoUnsignedWrap() ? matchpoint_nuw : 0U);
}

/// Whether its operands are exchanged: records have only "less".
bool is_exchanged(llvm::Instruction const& i) {
    auto const* const compare = llvm::dyn_cast<llvm::ICmpInst>(&i);
    return compare != nullptr && (compare->isGT(compare->getPredicate()) || compare->isGE(compare->getPredicate()));
}

unsigned operator_of_comparison(llvm::ICmpInst const& i) {
    bool const is_signed = i.isSigned();
    if (i.isEquality()) return i.getPredicate() == llvm::CmpInst::ICMP_EQ ? matchpoint_eq : matchpoint_ne;
    if (i.isStrictPredicate(i.getPredicate())) return is_signed ? matchpoint_slt : matchpoint_ult;
    return is_signed ? matchpoint_sle : matchpoint_ule;
}

/// Operator, flags and widths, as a form record has them.
void put_operator(std::string& to, llvm::Instruction const& i) {
    unsigned const before = width_of(*i.getOperand(0)->getType());
    if (auto const* const compare = llvm::dyn_cast<llvm::ICmpInst>(&i)) {
        put_u(to, operator_of_comparison(*compare));
        put_u(to, 0);
        return put_u(to, before);
    }
    bool const is_cast = llvm::isa<llvm::CastInst>(i);
    unsigned const after = width_of(*i.getType());
    put_u(to, operator_of(i.getOpcode()).value_or(before < after ? matchpoint_zext : matchpoint_trunc)); // of pointers
    put_u(to, flags_of(i));
    put_u(to, before);
    if (is_cast) put_u(to, after);
}

} // namespace

bool Recorded::waits(llvm::Instruction const& i) const {
    if (!may_have_node_.contains(&i)) return false;
    if (llvm::isa<llvm::CastInst>(i)) return width_of(*i.getOperand(0)->getType()) != width_of(*i.getType());
    return i.isBinaryOp() || llvm::isa<llvm::ICmpInst>(i);
}

void Recorded::record_waiting_for(llvm::Instruction& i) {
    if (waiting_.empty()) return;
    bool const is_full = waiting_.size() == matchpoint_most_operations;
    bool is_needed = i.isTerminator() || (llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i));
    if (!waits(i))
        for (llvm::Value const* const operand : i.operands())
            is_needed = is_needed || std::find(waiting_.begin(), waiting_.end(), operand) != waiting_.end();
    if (is_full || is_needed) record_waiting(i);
}

void Recorded::record_waiting(llvm::Instruction& at) {
    llvm::EquivalenceClasses<llvm::Instruction*> together;
    for (llvm::Instruction* const i : waiting_) {
        together.insert(i);
        for (llvm::Value* const operand : i->operands())
            if (std::find(waiting_.begin(), waiting_.end(), operand) != waiting_.end())
                together.unionSets(i, llvm::cast<llvm::Instruction>(operand));
    }
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(&at);
    if (branch != nullptr && (!branch->isConditional() || at.getMetadata("nosanitize") != nullptr)) branch = nullptr;
    std::vector<llvm::Instruction*> with_branch;
    while (!waiting_.empty()) {
        std::vector<llvm::Instruction*> now, later;
        for (llvm::Instruction* const i : waiting_)
            (together.isEquivalent(i, waiting_.front()) ? now : later).push_back(i);
        waiting_ = std::move(later);
        if (branch != nullptr && now.back() == branch->getCondition())
            with_branch = std::move(now);
        else
            record_together(now, at);
    }
    if (!with_branch.empty()) record_together(with_branch, at, branch);
}

/// If one operand has a node, each operation makes one, in their order.
void Recorded::record_together(llvm::ArrayRef<llvm::Instruction*> operations, llvm::Instruction& at,
                               llvm::BranchInst* branch) {
    llvm::DenseMap<llvm::Value const*, unsigned> number;
    llvm::SmallVector<llvm::Value*, 8> open;
    std::string bytes;
    put_u(bytes, operations.size());
    for (llvm::Instruction* const i : operations) {
        put_operator(bytes, *i);
        for (unsigned k = 0; k < i->getNumOperands(); ++k) {
            llvm::Value* const operand = i->getOperand(is_exchanged(*i) ? 1 - k : k);
            auto const* const constant = llvm::dyn_cast<llvm::ConstantInt>(operand);
            if (auto const known = number.find(operand); known != number.end()) {
                put_u(bytes, first_operation + known->second);
            } else if (constant != nullptr) {
                put_u(bytes, constant_operand);
                bool const is_bit = constant->getBitWidth() == 1;
                put_s(bytes, is_bit ? static_cast<std::int64_t>(constant->getZExtValue()) : constant->getSExtValue());
            } else {
                put_u(bytes, open_operand);
                open.push_back(operand);
            }
        }
        unsigned const next = number.size();
        number[i] = next;
    }
    Builder builder(&at);
    llvm::Value* any = nullptr;
    llvm::SmallPtrSet<llvm::Value*, 8> asked;
    for (llvm::Value* const operand : open)
        if (llvm::Value* const n = node(operand); n != nullptr && asked.insert(n).second)
            any = any == nullptr ? n : builder.CreateOr(any, n);
    if (any == nullptr) return;
    if (operands_ == nullptr) operands_ = buffer(runtime_.argument_type());
    most_operands_ = std::max<unsigned>(most_operands_, open.size());

    llvm::BasicBlock* const before = at.getParent();
    llvm::MDNode* const rarely = llvm::MDBuilder(runtime_.context()).createBranchWeights(1, 4);
    llvm::Value* const is_any = builder.CreateICmpNE(any, runtime_.number(0));
    llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(is_any, &at, false, rarely);
    Builder inside(then);
    for (unsigned k = 0; k < open.size(); ++k) {
        llvm::Value* const place = inside.CreateConstInBoundsGEP1_32(runtime_.argument_type(), operands_, k);
        inside.CreateStore(widened(inside, open[k]), inside.CreateStructGEP(runtime_.argument_type(), place, 0));
        inside.CreateStore(node_or_zero(open[k]), inside.CreateStructGEP(runtime_.argument_type(), place, 1));
    }
    unsigned const count = operations.size();
    llvm::Constant* const form = sites_.form_of_operations(bytes, count, open.size());
    llvm::Value* const list = inside.CreatePointerCast(operands_, runtime_.address());
    llvm::Value* first = nullptr;
    if (branch == nullptr) {
        first = runtime_.call(inside, "operations", runtime_.bits(32), {form, list});
    } else {
        with_operations_.insert(branch);
        llvm::Constant* const both = sites_.form_of_branch(*branch, asserts_.lookup(branch), bytes, count, open.size());
        llvm::Value* const taken = inside.CreateZExt(branch->getCondition(), runtime_.bits(32));
        first = runtime_.call(inside, "operations_and_branch", runtime_.bits(32), {form, both, list, taken});
    }
    Builder behind(&at.getParent()->front());
    for (llvm::Instruction* const i : operations) {
        auto const is_inside = [&](llvm::User const* user) { return number.count(user) != 0; };
        if (llvm::all_of(i->users(), [&](llvm::User const* u) { return u == branch || is_inside(u); })) continue;
        llvm::Value* own = first;
        if (unsigned const k = number[i]; k > 0) {
            llvm::Value* const next = inside.CreateAdd(first, runtime_.number(k));
            own = inside.CreateSelect(inside.CreateICmpEQ(first, runtime_.number(0)), first, next);
        }
        llvm::PHINode* const phi = behind.CreatePHI(runtime_.bits(32), 2);
        phi->addIncoming(own, then->getParent());
        phi->addIncoming(runtime_.number(0), before);
        set_node(*i, phi);
    }
}

} // namespace matchpoint::record
