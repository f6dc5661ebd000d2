#include "record/threads/pass/failing.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>

namespace matchpoint::record {
namespace {

constexpr int deepest_call = 4;

llvm::StringRef callee_name(llvm::CallBase const& call) {
    llvm::Function const* const callee = call.getCalledFunction();
    return callee == nullptr ? llvm::StringRef() : callee->getName();
}

bool is_failure(llvm::StringRef name) {
    static llvm::StringSet<> const names = {
        "abort",           "__assert_fail",          "__assert_perror_fail", "__assert",
        "_ZSt9terminatev", "__clang_call_terminate", "__cxa_pure_virtual",   "llvm.trap",
        "llvm.ubsantrap",  "__stack_chk_fail",       "__chk_fail",           "_ZSt21__glibcxx_assert_failPKciS0_S0_"};
    return names.contains(name) || (name.startswith("__ubsan_handle_") && name.endswith("_abort"));
}

} // namespace

bool is_exit(llvm::CallBase const& call) {
    static llvm::StringSet<> const names = {"exit", "_exit", "_Exit", "quick_exit"};
    return call.arg_size() == 1 && names.contains(callee_name(call));
}

bool Failing::fails(llvm::CallBase const& call, int depth) {
    if (is_failure(callee_name(call))) return true;
    if (is_exit(call)) {
        auto const* const code = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
        return code != nullptr && !code->isZero();
    }
    llvm::Function const* const callee = call.getCalledFunction();
    return callee != nullptr && callee->doesNotReturn() && !callee->isDeclaration() && !callee->isInterposable() &&
           depth < deepest_call && look(callee->getEntryBlock(), depth + 1);
}

bool Failing::look(llvm::BasicBlock const& block, int depth) {
    if (auto const [known, is_new] = known_.try_emplace(&block, false); !is_new) return known->second;
    for (llvm::Instruction const& i : block) {
        auto const* const call = llvm::dyn_cast<llvm::CallBase>(&i);
        if (call == nullptr) continue;
        if (fails(*call, depth)) {
            known_[&block] = true;
            return true;
        }
        if (llvm::isa<llvm::IntrinsicInst>(call)) continue;
        llvm::Function const* const callee = call->getCalledFunction();
        if (callee == nullptr || !callee->isDeclaration() || call->doesNotReturn())
            return false; // it may end otherwise
    }
    bool leads = llvm::succ_size(&block) > 0;
    for (llvm::BasicBlock const* const next : llvm::successors(&block)) leads = leads && look(*next, depth);
    known_[&block] = leads;
    return leads;
}

unsigned Failing::asserts(llvm::BranchInst const& branch) {
    if (!branch.isConditional()) return 0;
    bool const if_true = leads_to_failure(*branch.getSuccessor(0)),
               if_false = leads_to_failure(*branch.getSuccessor(1));
    return if_true == if_false ? 0 : if_true ? 2 : 1;
}

} // namespace matchpoint::record
