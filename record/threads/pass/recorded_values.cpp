#include "record/threads/format.h"
#include "record/threads/pass/recorded.hpp"

#include <llvm/IR/Operator.h>

namespace matchpoint::record {
std::optional<unsigned> operator_of(unsigned opcode) {
    switch (opcode) {
    case llvm::Instruction::Add: return matchpoint_add;
    case llvm::Instruction::Sub: return matchpoint_sub;
    case llvm::Instruction::Mul: return matchpoint_mul;
    case llvm::Instruction::Shl: return matchpoint_shl;
    case llvm::Instruction::UDiv: return matchpoint_udiv;
    case llvm::Instruction::SDiv: return matchpoint_sdiv;
    case llvm::Instruction::URem: return matchpoint_urem;
    case llvm::Instruction::SRem: return matchpoint_srem;
    case llvm::Instruction::LShr: return matchpoint_lshr;
    case llvm::Instruction::AShr: return matchpoint_ashr;
    case llvm::Instruction::And: return matchpoint_and;
    case llvm::Instruction::Or: return matchpoint_or;
    case llvm::Instruction::Xor: return matchpoint_xor;
    case llvm::Instruction::Trunc: return matchpoint_trunc;
    case llvm::Instruction::ZExt: return matchpoint_zext;
    case llvm::Instruction::SExt: return matchpoint_sext;
    }
    return std::nullopt;
}

llvm::Value* Recorded::binary(Builder& at, unsigned op, unsigned flags, unsigned width, llvm::Value* a,
                              llvm::Value* a_node, llvm::Value* b, llvm::Value* b_node) const {
    return runtime_.call(
        at, "binary", runtime_.bits(32),
        {runtime_.number(op | flags << 8 | width << 16), widened(at, a), a_node, widened(at, b), b_node});
}

llvm::Value* Recorded::cast(Builder& at, unsigned op, unsigned from, unsigned to, llvm::Value* node) const {
    return runtime_.call(at, "cast", runtime_.bits(32), {runtime_.number(op | from << 16 | to << 24), node});
}

llvm::Value* Recorded::compared(Builder& at, llvm::CmpInst::Predicate predicate, llvm::Value* a, llvm::Value* b) const {
    using llvm::CmpInst;
    if (predicate == CmpInst::ICMP_UGT || predicate == CmpInst::ICMP_UGE || predicate == CmpInst::ICMP_SGT ||
        predicate == CmpInst::ICMP_SGE)
        return compared(at, CmpInst::getSwappedPredicate(predicate), b, a);
    unsigned const op = predicate == CmpInst::ICMP_EQ    ? matchpoint_eq
                        : predicate == CmpInst::ICMP_NE  ? matchpoint_ne
                        : predicate == CmpInst::ICMP_ULT ? matchpoint_ult
                        : predicate == CmpInst::ICMP_ULE ? matchpoint_ule
                        : predicate == CmpInst::ICMP_SLT ? matchpoint_slt
                                                         : matchpoint_sle;
    return binary(at, op, 0, width_of(*a->getType()), a, node_or_zero(a), b, node_or_zero(b));
}

/// Of as many bits: the others wait (recorded_operations.cpp).
void Recorded::visitCastInst(llvm::CastInst& i) {
    if (!may_have_node_.contains(&i)) return visitInstruction(i);
    set_node(i, node(i.getOperand(0)));
}

void Recorded::visitFreezeInst(llvm::FreezeInst& i) {
    if (!may_have_node_.contains(&i)) return visitInstruction(i);
    set_node(i, node(i.getOperand(0)));
}

void Recorded::visitSelectInst(llvm::SelectInst& i) {
    if (!may_have_node_.contains(&i)) return visitInstruction(i);
    llvm::Value *const condition = i.getCondition(), *const a = i.getTrueValue(), *const b = i.getFalseValue();
    llvm::Instruction* const next = i.getNextNode();
    llvm::Value* chosen = nullptr;
    if (node(a) != nullptr || node(b) != nullptr) {
        Builder at(next);
        chosen = at.CreateSelect(condition, node_or_zero(a), node_or_zero(b));
    }
    unsigned const code = matchpoint_select | width_of(*i.getType()) << 16;
    set_node(i, if_any(*next, {node(condition)}, chosen, [&](Builder& at) {
                 return runtime_.call(at, "select", runtime_.bits(32),
                                      {runtime_.number(code), node(condition), widened(at, a), node_or_zero(a),
                                       widened(at, b), node_or_zero(b)});
             }));
}

void Recorded::visitGetElementPtrInst(llvm::GetElementPtrInst& i) {
    if (!may_have_node_.contains(&i)) return visitInstruction(i);
    llvm::Value* const base = i.getPointerOperand();
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt constant(64, 0);
    if (!llvm::cast<llvm::GEPOperator>(i).collectOffset(runtime_.layout(), 64, variable, constant))
        return visitInstruction(i);
    if (variable.empty() && constant == 0) return set_node(i, node(base));
    llvm::SmallVector<llvm::Value*, 4> nodes = {node(base)};
    for (auto const& part : variable) nodes.push_back(node(part.first));
    set_node(i, if_any(*i.getNextNode(), nodes, nullptr, [&](Builder& at) {
                 llvm::Value *sum = widened(at, base), *sum_node = node_or_zero(base);
                 auto const add = [&](llvm::Value* value, llvm::Value* value_node) {
                     sum_node = binary(at, matchpoint_add, 0, 64, sum, sum_node, value, value_node);
                     sum = at.CreateAdd(sum, value);
                 };
                 for (auto const& part : variable) {
                     llvm::Value* const index = part.first;
                     llvm::Value *value = at.CreateSExtOrTrunc(index, runtime_.bits(64)),
                                 *value_node = node_or_zero(index);
                     if (width_of(*index->getType()) < 64)
                         value_node = cast(at, matchpoint_sext, width_of(*index->getType()), 64, value_node);
                     llvm::Value* const size = llvm::ConstantInt::get(runtime_.bits(64), part.second);
                     if (part.second != 1) {
                         value_node = binary(at, matchpoint_mul, 0, 64, value, value_node, size, runtime_.number(0));
                         value = at.CreateMul(value, size);
                     }
                     add(value, value_node);
                 }
                 if (constant != 0) add(llvm::ConstantInt::get(runtime_.bits(64), constant), runtime_.number(0));
                 return sum_node;
             }));
}

void Recorded::record_chosen(llvm::IntrinsicInst& i, llvm::CmpInst::Predicate predicate) {
    llvm::Value *const a = i.getArgOperand(0), *const b = i.getArgOperand(1);
    unsigned const code = matchpoint_select | width_of(*i.getType()) << 16;
    set_node(i, if_any(*i.getNextNode(), {node(a), node(b)}, nullptr, [&](Builder& at) {
                 return runtime_.call(at, "select", runtime_.bits(32),
                                      {runtime_.number(code), compared(at, predicate, a, b), widened(at, a),
                                       node_or_zero(a), widened(at, b), node_or_zero(b)});
             }));
}

/// The result has a node; whether it overflows is concrete.
void Recorded::record_overflow(llvm::IntrinsicInst& i, unsigned op) {
    bool is_asked = false;
    for (llvm::User const* const user : i.users()) {
        auto const* const part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
        is_asked = is_asked || part == nullptr || part->getIndices()[0] != 0;
    }
    if (is_asked) make_operands_concrete(i, i, Reason::of_operation);
    llvm::Value *const a = i.getArgOperand(0), *const b = i.getArgOperand(1);
    set_node(i, if_any(*i.getNextNode(), {node(a), node(b)}, nullptr, [&](Builder& at) {
                 return binary(at, op, 0, width_of(*a->getType()), a, node_or_zero(a), b, node_or_zero(b));
             }));
}

void Recorded::visitExtractValueInst(llvm::ExtractValueInst& i) {
    llvm::Value* const whole = i.getAggregateOperand();
    if (!may_have_node_.contains(&i)) return;
    auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(whole);
    if (exchange == nullptr || i.getIndices()[0] == 0) return set_node(i, node(whole)); // that of the first part
    llvm::Value* const expected = exchange->getCompareOperand();
    set_node(i, if_any(*i.getNextNode(), {node(whole), node(expected)}, nullptr, [&](Builder& at) {
                 llvm::Value* const old = at.CreateExtractValue(whole, 0);
                 unsigned const width = width_of(*expected->getType());
                 return binary(at, matchpoint_eq, 0, width, old, node_or_zero(whole), expected, node_or_zero(expected));
             }));
}

void Recorded::visitBranchInst(llvm::BranchInst& i) {
    if (!i.isConditional() || with_operations_.contains(&i)) return;
    llvm::Value* const condition = i.getCondition();
    if_any(i, {node(condition)}, nullptr, [&](Builder& at) -> llvm::Value* {
        llvm::Value* const taken = at.CreateZExt(condition, runtime_.bits(32));
        runtime_.call(at, "branch_of",
                      {sites_.form(i, matchpoint_branch, asserts_.lookup(&i)), node(condition), taken});
        return nullptr;
    });
}

void Recorded::visitSwitchInst(llvm::SwitchInst& i) {
    llvm::Value* const value = i.getCondition();
    if (node(value) == nullptr) return;
    std::vector<std::uint64_t> cases;
    for (auto const& one : i.cases()) cases.push_back(static_cast<std::uint64_t>(one.getCaseValue()->getSExtValue()));
    llvm::Constant* const numbers = llvm::ConstantDataArray::get(runtime_.context(), cases);
    auto* const table = new llvm::GlobalVariable(runtime_.module(), numbers->getType(), true,
                                                 llvm::GlobalValue::PrivateLinkage, numbers, "matchpoint.cases");
    if_any(i, {node(value)}, nullptr, [&](Builder& at) -> llvm::Value* {
        llvm::Constant* const first = llvm::ConstantExpr::getPointerCast(table, runtime_.address());
        runtime_.call(at, "switch",
                      {sites_.of(i), node(value), widened(at, value), runtime_.number(cases.size(), 64), first});
        return nullptr;
    });
}

} // namespace matchpoint::record
