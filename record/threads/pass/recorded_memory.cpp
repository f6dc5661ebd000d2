#include "record/threads/format.h"
#include "record/threads/pass/recorded.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Operator.h>

namespace matchpoint::record {
namespace {

constexpr unsigned most_objects_behind = 12;

llvm::Value const* object_behind(llvm::Value const* pointer) {
    return llvm::getUnderlyingObject(pointer, most_objects_behind);
}

/// Whether all that is done with a local variable is to access it.
bool is_only_accessed(llvm::Value const& pointer, int depth = 0) {
    if (depth > 8) return false;
    for (llvm::Use const& use : pointer.uses()) {
        auto const* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (user == nullptr) return false;
        if (llvm::isa<llvm::LoadInst>(user)) continue;
        if (llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex())
            continue;
        if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst>(user)) {
            if (!is_only_accessed(*user, depth + 1)) return false;
            continue;
        }
        auto const* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        if (intrinsic == nullptr ||
            !(intrinsic->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic)))
            return false;
    }
    return true;
}

/// The pointer to a table of virtual functions: no program changes it in a way that another thread may see.
bool is_of_virtual_table(llvm::Instruction const& i) {
    llvm::MDNode const* const type = i.getMetadata(llvm::LLVMContext::MD_tbaa);
    return type != nullptr && type->isTBAAVtableAccess();
}

unsigned order_of(llvm::AtomicOrdering order) {
    if (order == llvm::AtomicOrdering::NotAtomic) return 0;
    return order == llvm::AtomicOrdering::SequentiallyConsistent ? matchpoint_atomic : matchpoint_weak_order;
}

/// The size of an access that is recorded as one; 0 if it is recorded in pieces.
unsigned whole_size(llvm::Type& type, llvm::DataLayout const& layout) {
    if (!can_have_node(type)) return 0;
    std::uint64_t const size = layout.getTypeStoreSize(&type);
    return size == 1 || size == 2 || size == 4 || size == 8 ? static_cast<unsigned>(size) : 0;
}

/// The function of the runtime that loads so: those of usual sizes are faster.
llvm::StringRef name_of_load(unsigned how) {
    if (how == (8 | matchpoint_is_concrete << 8)) return "load8_concrete_of";
    return how == 1 ? "load1_of" : how == 4 ? "load4_of" : how == 8 ? "load8_of" : "load_of";
}

llvm::StringRef name_of_store(unsigned how) {
    return how == 1 ? "store1_of" : how == 4 ? "store4_of" : how == 8 ? "store8_of" : "store_of";
}

/// Whether all that has no node for it: floating-point arithmetic.
bool is_floating_operation(llvm::Instruction const& i) {
    if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::FCmpInst>(i)) return true;
    if (llvm::isa<llvm::IntrinsicInst>(i)) return i.getType()->isFloatingPointTy(); // fmuladd and the like
    return llvm::isa<llvm::FPExtInst, llvm::FPTruncInst, llvm::FPToSIInst, llvm::FPToUIInst>(i);
}

/// Whether the value is made concrete right after it is loaded: in the same block, and before any call. So the two are
/// one record.
bool is_concrete_at_once(llvm::LoadInst const& i) {
    if (!i.getType()->isFloatTy() && !i.getType()->isDoubleTy()) return false;
    for (llvm::Instruction const* next = i.getNextNode(); next != nullptr; next = next->getNextNode()) {
        if (llvm::is_contained(next->operands(), &i) && is_floating_operation(*next)) return true;
        if (llvm::isa<llvm::CallBase>(next) && !llvm::isa<llvm::IntrinsicInst>(next)) return false;
    }
    return false;
}

} // namespace

bool Recorded::is_private(llvm::Value const* pointer) {
    llvm::Value const* const object = object_behind(pointer);
    auto const* const local = llvm::dyn_cast<llvm::AllocaInst>(object);
    if (local == nullptr) return false;
    auto const [known, is_new] = private_.try_emplace(local, false);
    if (is_new) known->second = is_only_accessed(*local);
    return known->second;
}

bool Recorded::is_recorded(llvm::Instruction const& i, llvm::Value const* pointer) const {
    if (is_of_virtual_table(i) || pointer->getType()->getPointerAddressSpace() != 0) return false;
    auto const* const global = llvm::dyn_cast<llvm::GlobalVariable>(object_behind(pointer));
    return global == nullptr || !global->isConstant();
}

unsigned Recorded::how_number(llvm::Value const* pointer, unsigned size, unsigned flags, unsigned op) {
    unsigned const local = is_private(pointer) ? static_cast<unsigned>(matchpoint_is_local) : 0U;
    return size | (flags | local) << 8 | op << 16;
}

llvm::Value* Recorded::how(llvm::Value const* pointer, unsigned size, unsigned flags, unsigned op) {
    return runtime_.number(how_number(pointer, size, flags, op));
}

void Recorded::visitLoadInst(llvm::LoadInst& i) {
    llvm::Value* const pointer = i.getPointerOperand();
    if (!is_recorded(i, pointer)) return make_concrete(pointer, i, Reason::of_address);
    llvm::Type* const type = i.getType();
    unsigned const size = whole_size(*type, runtime_.layout());
    if (size == 0) return load_pieces(i);
    Builder at(&i);
    bool const is_concrete = is_concrete_at_once(i);
    unsigned const flags = order_of(i.getOrdering()) | (is_concrete ? unsigned{matchpoint_is_concrete} : 0U);
    unsigned const reason = is_concrete ? static_cast<unsigned>(Reason::of_operation) : 0U;
    llvm::Constant* const form = sites_.form(i, matchpoint_load, how_number(pointer, size, flags, reason));
    llvm::Value* const read =
        runtime_.call(at, name_of_load(how_number(pointer, size, flags)), runtime_.read_type(),
                      {form, at.CreatePointerCast(pointer, runtime_.address()), node_or_zero(pointer)});
    llvm::Value* const value = narrowed(at, at.CreateExtractValue(read, 0), type);
    llvm::Value* n = at.CreateTrunc(at.CreateExtractValue(read, 1), runtime_.bits(32));
    if (width_of(*type) != 8 * size) n = cast(at, matchpoint_trunc, 8 * size, width_of(*type), n);
    value->takeName(&i);
    i.replaceAllUsesWith(value);
    replaced_.push_back(&i);
    if (is_concrete || !may_have_node_.contains(&i)) return;
    set_node(*value, n);
    may_have_node_.insert(value);
}

void Recorded::load_pieces(llvm::LoadInst& i) {
    llvm::Value* const pointer = i.getPointerOperand();
    make_concrete(pointer, i, Reason::of_address);
    llvm::AllocaInst* const copy = buffer(i.getType());
    Builder at(&i);
    llvm::Value* const size = runtime_.number(runtime_.layout().getTypeStoreSize(i.getType()), 64);
    runtime_.call(at, "read",
                  {sites_.of(i), at.CreatePointerCast(pointer, runtime_.address()),
                   at.CreatePointerCast(copy, runtime_.address()), size, how(pointer, 0, order_of(i.getOrdering()))});
    llvm::Value* const value = at.CreateLoad(i.getType(), copy);
    i.replaceAllUsesWith(value);
    replaced_.push_back(&i);
}

void Recorded::visitStoreInst(llvm::StoreInst& i) {
    llvm::Value *const pointer = i.getPointerOperand(), *const value = i.getValueOperand();
    if (!is_recorded(i, pointer)) return visitInstruction(i);
    unsigned const size = whole_size(*value->getType(), runtime_.layout());
    if (size == 0) return store_pieces(i);
    Builder at(&i);
    llvm::Value* n = node_or_zero(value);
    llvm::Value* number = widened(at, value);
    if (unsigned const width = width_of(*value->getType()); width != 8 * size) {
        n = node(value) == nullptr ? n : cast(at, matchpoint_zext, width, 8 * size, n);
        number = at.CreateZExt(value, runtime_.bits(64));
    }
    unsigned const how = how_number(pointer, size, order_of(i.getOrdering()));
    runtime_.call(at, name_of_store(how),
                  {sites_.form(i, matchpoint_store, how), at.CreatePointerCast(pointer, runtime_.address()),
                   node_or_zero(pointer), number, n});
    replaced_.push_back(&i);
}

void Recorded::store_pieces(llvm::StoreInst& i) {
    llvm::Value *const pointer = i.getPointerOperand(), *const value = i.getValueOperand();
    visitInstruction(i);
    llvm::AllocaInst* const copy = buffer(value->getType());
    Builder at(&i);
    at.CreateStore(value, copy);
    llvm::Value* const size = runtime_.number(runtime_.layout().getTypeStoreSize(value->getType()), 64);
    runtime_.call(at, "write",
                  {sites_.of(i), at.CreatePointerCast(pointer, runtime_.address()),
                   at.CreatePointerCast(copy, runtime_.address()), size, how(pointer, 0, order_of(i.getOrdering()))});
    replaced_.push_back(&i);
}

void Recorded::visitAtomicRMWInst(llvm::AtomicRMWInst& i) {
    llvm::Value *const pointer = i.getPointerOperand(), *const operand = i.getValOperand();
    unsigned const size = whole_size(*i.getType(), runtime_.layout());
    using Op = llvm::AtomicRMWInst;
    unsigned op = 0;
    switch (i.getOperation()) {
    case Op::Xchg: op = matchpoint_exchanged; break;
    case Op::Add: op = matchpoint_added; break;
    case Op::Sub: op = matchpoint_subtracted; break;
    case Op::And: op = matchpoint_anded; break;
    case Op::Or: op = matchpoint_ored; break;
    case Op::Xor: op = matchpoint_xored; break;
    case Op::Nand: op = matchpoint_nanded; break;
    case Op::Max: op = matchpoint_signed_max; break;
    case Op::Min: op = matchpoint_signed_min; break;
    case Op::UMax: op = matchpoint_unsigned_max; break;
    case Op::UMin: op = matchpoint_unsigned_min; break;
    case Op::FAdd:
    case Op::FSub:
    case Op::BAD_BINOP: break;
    }
    if (op == 0 || size == 0) {
        Builder at(&i);
        runtime_.call(
            at, "gap",
            {sites_.of(i), sites_.text("atomic access"), sites_.text("an operation of a kind that is not recorded")});
        may_have_node_.erase(&i);
        return visitInstruction(i);
    }
    Builder at(&i);
    llvm::Value* const read = runtime_.call(at, "update", runtime_.read_type(),
                                            {sites_.of(i), at.CreatePointerCast(pointer, runtime_.address()),
                                             how(pointer, size, order_of(i.getOrdering()), op), node_or_zero(pointer),
                                             widened(at, operand), node_or_zero(operand)});
    llvm::Value* const value = narrowed(at, at.CreateExtractValue(read, 0), i.getType());
    i.replaceAllUsesWith(value);
    set_node(*value, at.CreateTrunc(at.CreateExtractValue(read, 1), runtime_.bits(32)));
    may_have_node_.insert(value);
    replaced_.push_back(&i);
}

void Recorded::visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst& i) {
    llvm::Value *const pointer = i.getPointerOperand(), *const expected = i.getCompareOperand(),
                       *const wanted = i.getNewValOperand();
    unsigned const size = whole_size(*expected->getType(), runtime_.layout());
    Builder at(&i);
    if (size == 0) {
        runtime_.call(at, "gap",
                      {sites_.of(i), sites_.text("atomic access"), sites_.text("a size that is not recorded")});
        return visitInstruction(i);
    }
    llvm::Value* const read =
        runtime_.call(at, "exchange", runtime_.read_type(),
                      {sites_.of(i), at.CreatePointerCast(pointer, runtime_.address()),
                       how(pointer, size, order_of(i.getSuccessOrdering())), node_or_zero(pointer),
                       widened(at, expected), node_or_zero(expected), widened(at, wanted), node_or_zero(wanted)});
    llvm::Value* const old = narrowed(at, at.CreateExtractValue(read, 0), expected->getType());
    llvm::Value* const n = at.CreateTrunc(at.CreateExtractValue(read, 1), runtime_.bits(32));
    llvm::Value* const success = at.CreateICmpEQ(old, expected);
    std::vector<llvm::ExtractValueInst*> parts;
    for (llvm::User* const user : i.users())
        if (auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(user)) parts.push_back(part);
    llvm::Value* success_node = nullptr;
    for (llvm::ExtractValueInst* const part : parts) {
        bool const is_old = part->getIndices()[0] == 0;
        if (!is_old && success_node == nullptr)
            success_node = binary(at, matchpoint_eq, 0, 8 * size, old, n, expected, node_or_zero(expected));
        llvm::Value* const value = is_old ? old : success;
        part->replaceAllUsesWith(value);
        set_node(*value, is_old ? n : success_node);
        may_have_node_.insert(value);
    }
    llvm::Value* const whole =
        at.CreateInsertValue(at.CreateInsertValue(llvm::UndefValue::get(i.getType()), old, 0), success, 1);
    i.replaceAllUsesWith(whole);
    replaced_.push_back(&i);
}

void Recorded::visitAllocaInst(llvm::AllocaInst& i) { make_concrete(i.getArraySize(), i, Reason::of_size); }

void Recorded::record_memory_intrinsic(llvm::MemIntrinsic& i) {
    make_concrete(i.getLength(), i, Reason::of_size);
    make_concrete(i.getRawDest(), i, Reason::of_address);
    Builder at(&i);
    llvm::Value* const to = at.CreatePointerCast(i.getRawDest(), runtime_.address());
    llvm::Value* const size = at.CreateZExtOrTrunc(i.getLength(), runtime_.bits(64));
    if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&i)) {
        make_concrete(copy->getRawSource(), i, Reason::of_address);
        at.SetInsertPoint(&i);
        runtime_.call(at, "copy",
                      {sites_.of(i), to, at.CreatePointerCast(copy->getRawSource(), runtime_.address()), size});
    } else {
        llvm::Value* const byte = llvm::cast<llvm::MemSetInst>(i).getValue();
        make_concrete(byte, i, Reason::of_operation);
        at.SetInsertPoint(&i);
        runtime_.call(at, "fill", {sites_.of(i), to, at.CreateZExt(byte, runtime_.bits(32)), size});
    }
    replaced_.push_back(&i);
}

} // namespace matchpoint::record
