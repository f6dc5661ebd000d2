#include "record/threads/pass/recorded.hpp"

#include "record/threads/format.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace matchpoint::record {

bool can_have_node(llvm::Type const& type) {
    return (type.isIntegerTy() && type.getIntegerBitWidth() <= 64) ||
           (type.isPointerTy() && type.getPointerAddressSpace() == 0) || type.isFloatTy() || type.isDoubleTy();
}

unsigned width_of(llvm::Type const& type) {
    return type.isPointerTy() || type.isDoubleTy() ? 64 : type.isFloatTy() ? 32 : type.getIntegerBitWidth();
}

Recorded::Recorded(llvm::Function& function, llvm::Function& original, Runtime const& runtime, Sites& sites)
    : function_(function), original_(original), runtime_(runtime), sites_(sites) {}

void Recorded::record() {
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(function_)) // where the result of an invoke is taken
        if (auto* const invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator());
            invoke != nullptr && !invoke->getNormalDest()->getSinglePredecessor())
            llvm::SplitEdge(&block, invoke->getNormalDest());
    always_fails_ = failing_.leads_to_failure(function_.getEntryBlock());
    std::vector<llvm::Instruction*> instructions;
    for (llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
        for (llvm::Instruction& i : *block) {
            instructions.push_back(&i);
            if (auto const* const branch = llvm::dyn_cast<llvm::BranchInst>(&i))
                asserts_[&i] = failing_.asserts(*branch);
            if (auto const* const call = llvm::dyn_cast<llvm::CallBase>(&i);
                call != nullptr && is_exit(*call) && !always_fails_ && failing_.leads_to_failure(*block))
                in_failing_block_.insert(&i);
        }
    find_what_may_have_nodes();
    take_arguments();
    for (llvm::Instruction* const i : instructions) {
        record_waiting_for(*i);
        bool const is_ours = i->getMetadata("nosanitize") == nullptr;
        if (is_ours && waits(*i))
            waiting_.push_back(i);
        else if (is_ours)
            visit(*i);
    }
    fill_phis();
    if (operands_ != nullptr) operands_->setOperand(0, runtime_.number(most_operands_));
    for (llvm::Instruction* const i : replaced_) i->eraseFromParent();
}

// ---- which values ---------------------------------------------------------------------------------------------------

bool Recorded::may_begin_node(llvm::Instruction const& i) const {
    if (auto const* const load = llvm::dyn_cast<llvm::LoadInst>(&i))
        return can_have_node(*i.getType()) && is_recorded(i, load->getPointerOperand());
    if (llvm::isa<llvm::AtomicRMWInst>(i)) return can_have_node(*i.getType());
    if (auto const* const part = llvm::dyn_cast<llvm::ExtractValueInst>(&i))
        return llvm::isa<llvm::AtomicCmpXchgInst>(part->getAggregateOperand());
    if (auto const* const call = llvm::dyn_cast<llvm::CallBase>(&i))
        return !llvm::isa<llvm::IntrinsicInst>(i) && !call->isInlineAsm() && can_have_node(*i.getType());
    return false;
}

bool Recorded::passes_node(llvm::Instruction const& i) const {
    auto const may = [&](llvm::Value const* v) { return may_have_node_.contains(v); };
    if (auto const* const part = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
        auto const* const overflow = llvm::dyn_cast<llvm::WithOverflowInst>(part->getAggregateOperand());
        return overflow != nullptr && part->getIndices()[0] == 0 && can_have_node(*i.getType()) &&
               (may(overflow->getLHS()) || may(overflow->getRHS()));
    }
    if (!can_have_node(*i.getType())) return false;
    for (llvm::Value const* const operand : i.operands())
        if (operand->getType()->isVectorTy()) return false;
    bool any = false;
    for (llvm::Value const* const operand : i.operands()) any = any || may(operand);
    if (!any) return false;
    if (i.isBinaryOp()) return i.getType()->isIntegerTy();
    if (auto const* const compare = llvm::dyn_cast<llvm::ICmpInst>(&i))
        return can_have_node(*compare->getOperand(0)->getType());
    if (auto const* const cast = llvm::dyn_cast<llvm::CastInst>(&i))
        return cast->isIntegerCast() || llvm::isa<llvm::BitCastInst>(i) || llvm::isa<llvm::PtrToIntInst>(i) ||
               llvm::isa<llvm::IntToPtrInst>(i);
    if (auto const* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
        switch (intrinsic->getIntrinsicID()) {
        case llvm::Intrinsic::umax:
        case llvm::Intrinsic::umin:
        case llvm::Intrinsic::smax:
        case llvm::Intrinsic::smin:
        case llvm::Intrinsic::expect: return true;
        }
        return false;
    }
    return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::GetElementPtrInst, llvm::FreezeInst>(i);
}

void Recorded::find_what_may_have_nodes() {
    for (llvm::Argument const& argument : function_.args())
        if (can_have_node(*argument.getType()) && argument.getArgNo() < passed_arguments && !argument.hasByValAttr())
            may_have_node_.insert(&argument);
    for (llvm::Instruction const& i : llvm::instructions(function_))
        if (may_begin_node(i)) may_have_node_.insert(&i);
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (llvm::Instruction const& i : llvm::instructions(function_))
            if (!may_have_node_.contains(&i) && passes_node(i)) is_changed = may_have_node_.insert(&i).second;
    }
}

llvm::Value* Recorded::node(llvm::Value* value) const { return nodes_.lookup(value); }

llvm::Value* Recorded::node_or_zero(llvm::Value* value) const {
    llvm::Value* const n = node(value);
    return n != nullptr ? n : runtime_.number(0);
}

void Recorded::set_node(llvm::Value& value, llvm::Value* node) {
    if (node != nullptr) nodes_[&value] = node;
}

// ---- arguments and phis ---------------------------------------------------------------------------------------------

void Recorded::take_arguments() {
    bool const returns = can_have_node(*function_.getReturnType());
    std::vector<llvm::Argument*> wanted;
    for (llvm::Argument& argument : function_.args())
        if (may_have_node_.contains(&argument)) wanted.push_back(&argument);
    llvm::Instruction* at = &*function_.getEntryBlock().getFirstInsertionPt();
    while (llvm::isa<llvm::AllocaInst>(at)) at = at->getNextNode();
    for (llvm::Argument& argument : function_.args())
        if (argument.hasByValAttr()) {
            Builder builder(at);
            std::uint64_t const size = runtime_.layout().getTypeAllocSize(argument.getParamByValType());
            runtime_.call(
                builder, "wrote",
                {sites_.of(*at), builder.CreatePointerCast(&argument, runtime_.address()), runtime_.number(size, 64)});
        }
    if (wanted.empty() && !returns) return;
    Builder builder(at);
    llvm::Value* const callee = runtime_.load(builder, Passed::callee);
    is_taken_ = builder.CreateICmpEQ(callee, builder.CreatePointerCast(&original_, runtime_.address()));
    runtime_.store(builder, Passed::callee, llvm::Constant::getNullValue(runtime_.address()));
    if (wanted.empty()) return;
    llvm::Value* const any = runtime_.load(builder, Passed::any);
    runtime_.store(builder, Passed::any, runtime_.number(0));
    llvm::Value* const are_passed = builder.CreateAnd(is_taken_, builder.CreateICmpNE(any, runtime_.number(0)));
    llvm::BasicBlock* const before = at->getParent();
    llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(are_passed, at, false);
    Builder inside(then), behind(&at->getParent()->front());
    for (llvm::Argument* const argument : wanted) {
        llvm::PHINode* const phi = behind.CreatePHI(runtime_.bits(32), 2);
        phi->addIncoming(runtime_.load(inside, Passed::arguments, argument->getArgNo()), then->getParent());
        phi->addIncoming(runtime_.number(0), before);
        set_node(*argument, phi);
    }
}

void Recorded::visitPHINode(llvm::PHINode& i) {
    if (!may_have_node_.contains(&i)) return;
    llvm::PHINode* const phi = llvm::PHINode::Create(runtime_.bits(32), i.getNumIncomingValues(), "", &i);
    set_node(i, phi);
    phis_.emplace_back(&i, phi);
}

void Recorded::fill_phis() {
    for (auto const& [phi, nodes] : phis_)
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
            nodes->addIncoming(node_or_zero(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
}

// ---- code -----------------------------------------------------------------------------------------------------------

llvm::Value* Recorded::if_any(llvm::Instruction& at, llvm::ArrayRef<llvm::Value*> nodes, llvm::Value* otherwise,
                              llvm::function_ref<llvm::Value*(Builder&)> make) {
    Builder builder(&at);
    llvm::Value* any = nullptr;
    for (llvm::Value* const node : nodes)
        if (node != nullptr) any = any == nullptr ? node : builder.CreateOr(any, node);
    if (any == nullptr) return otherwise;
    llvm::MDNode* const rarely = llvm::MDBuilder(runtime_.context()).createBranchWeights(1, 4);
    llvm::Value* const is_any = builder.CreateICmpNE(any, runtime_.number(0));
    llvm::BasicBlock* const before = at.getParent();
    llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(is_any, &at, false, rarely);
    Builder inside(then);
    llvm::Value* const made = make(inside);
    if (made == nullptr) return otherwise;
    Builder behind(&at.getParent()->front());
    llvm::PHINode* const phi = behind.CreatePHI(runtime_.bits(32), 2);
    phi->addIncoming(made, then->getParent());
    phi->addIncoming(otherwise != nullptr ? otherwise : runtime_.number(0), before);
    return phi;
}

llvm::Value* Recorded::widened(Builder& at, llvm::Value* value) const {
    llvm::Type* const type = value->getType();
    if (type->isPointerTy()) return at.CreatePtrToInt(value, runtime_.bits(64));
    if (type->isFloatingPointTy()) value = at.CreateBitCast(value, runtime_.bits(width_of(*type)));
    return type->isIntegerTy(1) ? at.CreateZExt(value, runtime_.bits(64))
                                : at.CreateSExtOrTrunc(value, runtime_.bits(64));
}

llvm::Value* Recorded::narrowed(Builder& at, llvm::Value* number, llvm::Type* type) const {
    if (type->isPointerTy()) return at.CreateIntToPtr(number, type);
    llvm::Value* const bits = at.CreateTrunc(number, runtime_.bits(width_of(*type)));
    return type->isFloatingPointTy() ? at.CreateBitCast(bits, type) : bits;
}

void Recorded::make_concrete(llvm::Value* value, llvm::Instruction& at, Reason reason) {
    llvm::Value* const n = node(value);
    if (n == nullptr) return;
    if_any(at, {n}, nullptr, [&](Builder& builder) -> llvm::Value* {
        unsigned const why = static_cast<unsigned>(reason) | width_of(*value->getType()) << 8;
        runtime_.call(builder, "concrete_of", {sites_.form(at, matchpoint_concrete, why), n, widened(builder, value)});
        return nullptr;
    });
}

void Recorded::make_operands_concrete(llvm::User& of, llvm::Instruction& at, Reason reason) {
    for (llvm::Value* const operand : of.operands()) make_concrete(operand, at, reason);
}

void Recorded::visitInstruction(llvm::Instruction& i) { make_operands_concrete(i, i, Reason::of_operation); }

llvm::AllocaInst* Recorded::buffer(llvm::Type* type) {
    return new llvm::AllocaInst(type, 0, "", &*function_.getEntryBlock().getFirstInsertionPt());
}

} // namespace matchpoint::record
