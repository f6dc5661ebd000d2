// The pass as a plugin of Clang and opt: -fpass-plugin=FILE. It runs at the end of the pipeline, as sanitizers do.
#include "record/threads/pass/recorded.hpp"
#include "record/threads/pass/variables.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace matchpoint::record {
namespace {

bool has_must_tail(llvm::Function const& function) {
    for (llvm::BasicBlock const& block : function)
        if (block.getTerminatingMustTailCall() != nullptr) return true;
    return false;
}

bool is_left_out(llvm::Function const& function) {
    return function.isDeclaration() || function.hasAvailableExternallyLinkage() ||
           function.hasFnAttribute(llvm::Attribute::Naked) || function.getName().startswith("__matchpoint_") ||
           function.getName().startswith("asan.") || has_must_tail(function) || function.hasPrefixData();
}

/// Code of the function has an address: a copy would have another one.
bool has_addresses(llvm::Function const& function) {
    for (llvm::BasicBlock const& block : function)
        if (block.hasAddressTaken()) return true;
    return false;
}

bool has_by_value(llvm::Function const& function) {
    for (llvm::Argument const& argument : function.args())
        if (argument.hasPassPointeeByValueCopyAttr()) return true;
    return false;
}

/// Whether the function can go on in a copy of it.
bool can_have_copy(llvm::Function const& function) {
    return !has_addresses(function) && !(function.isVarArg() && has_by_value(function));
}

/// What the compiler knew of the function is no longer so: it writes memory of the runtime.
void forget_promises(llvm::Function& function) {
    for (auto const kind :
         {llvm::Attribute::ReadNone, llvm::Attribute::ReadOnly, llvm::Attribute::WriteOnly, llvm::Attribute::ArgMemOnly,
          llvm::Attribute::InaccessibleMemOnly, llvm::Attribute::InaccessibleMemOrArgMemOnly, llvm::Attribute::NoSync,
          llvm::Attribute::Speculatable, llvm::Attribute::WillReturn, llvm::Attribute::NoFree})
        function.removeFnAttr(kind);
    for (llvm::Argument& argument : function.args())
        for (auto const kind : {llvm::Attribute::ReadNone, llvm::Attribute::ReadOnly, llvm::Attribute::WriteOnly})
            argument.removeAttr(kind);
}

void forget_promises_of_calls(llvm::Function& function) {
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& i : block)
            if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&i);
                call != nullptr && !llvm::isa<llvm::IntrinsicInst>(i)) {
                for (auto const kind :
                     {llvm::Attribute::ReadNone, llvm::Attribute::ReadOnly, llvm::Attribute::WriteOnly,
                      llvm::Attribute::ArgMemOnly, llvm::Attribute::InaccessibleMemOnly,
                      llvm::Attribute::InaccessibleMemOrArgMemOnly, llvm::Attribute::Speculatable})
                    call->removeFnAttr(kind);
                if (auto* const direct = llvm::dyn_cast<llvm::CallInst>(call)) direct->setTailCall(false);
            }
}

/// Variables of which no address is used become values, at -O0, too: else each access of them is one of memory.
void promote_variables(llvm::Function& function) {
    if (function.callsFunctionThatReturnsTwice()) return;
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& i : function.getEntryBlock())
        if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
            variable != nullptr && llvm::isAllocaPromotable(variable))
            variables.push_back(variable);
    llvm::DominatorTree tree(function);
    llvm::PromoteMemToReg(variables, tree);
}

/// The function goes on in the copy if the run is recorded.
void choose(llvm::Function& function, llvm::Function& copy, Runtime const& runtime) {
    llvm::BasicBlock& entry = function.getEntryBlock();
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& i : entry)
        if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
            variable != nullptr && llvm::isa<llvm::ConstantInt>(variable->getArraySize()))
            variables.push_back(variable);
    llvm::BasicBlock* const body = entry.splitBasicBlock(entry.begin());
    for (llvm::AllocaInst* const variable : variables) variable->moveBefore(entry.getTerminator());
    llvm::BasicBlock* const record = llvm::BasicBlock::Create(runtime.context(), "", &function);
    llvm::IRBuilder<> at(record);
    llvm::SmallVector<llvm::Value*, 8> arguments;
    for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
    llvm::CallInst* const call = at.CreateCall(&copy, arguments);
    if (!has_by_value(function)) call->setTailCallKind(llvm::CallInst::TCK_MustTail); // LLVM 14 gets the others wrong
    call->setCallingConv(function.getCallingConv());
    call->setAttributes(function.getAttributes());
    if (llvm::DISubprogram* const where = function.getSubprogram())
        call->setDebugLoc(llvm::DILocation::get(runtime.context(), where->getLine(), 0, where));
    if (function.getReturnType()->isVoidTy())
        at.CreateRetVoid();
    else
        at.CreateRet(call);
    llvm::Instruction* const end = entry.getTerminator();
    at.SetInsertPoint(end);
    at.CreateCondBr(runtime.is_active(at), record, body);
    end->eraseFromParent();
}

void record_function(llvm::Function& function, Runtime const& runtime, Sites& sites) {
    forget_promises(function);
    function.setPrefixData(runtime.number(mark_of_compiled, 64));
    llvm::Function* recorded = &function;
    if (can_have_copy(function)) {
        llvm::ValueToValueMapTy map;
        recorded = llvm::CloneFunction(&function, map);
        recorded->setName(function.getName() + ".recorded");
        recorded->setLinkage(llvm::GlobalValue::InternalLinkage);
        recorded->setVisibility(llvm::GlobalValue::DefaultVisibility);
        recorded->setDSOLocal(true);
        recorded->setPrefixData(nullptr);
        recorded->setComdat(function.getComdat());
    }
    llvm::removeUnreachableBlocks(*recorded);
    forget_promises_of_calls(*recorded);
    promote_variables(*recorded);
    Recorded(*recorded, function, runtime, sites).record();
    if (recorded != &function) choose(function, *recorded, runtime);
}

struct RecordThreads : llvm::PassInfoMixin<RecordThreads> {
    static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
        std::vector<llvm::Function*> functions;
        for (llvm::Function& function : module)
            if (!is_left_out(function)) functions.push_back(&function);
        Runtime const runtime(module);
        Sites sites(runtime);
        record_variables(runtime, sites);
        for (llvm::Function* const function : functions) record_function(*function, runtime, sites);
        return llvm::PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

void add_pass(llvm::PassBuilder& builder) {
    builder.registerOptimizerLastEPCallback(
        [](llvm::ModulePassManager& passes, auto const&...) { passes.addPass(RecordThreads()); });
    builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& passes, auto const&...) {
        if (name != "matchpoint-threads") return false;
        passes.addPass(RecordThreads());
        return true;
    });
}

} // namespace
} // namespace matchpoint::record

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "matchpoint-threads", "1", matchpoint::record::add_pass};
}
