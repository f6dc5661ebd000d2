#include "record/threads/pass/runtime.hpp"

namespace matchpoint::record {

Runtime::Runtime(llvm::Module& module) : module_(module) {
    llvm::Type* const word = bits(32);
    site_type_ = llvm::StructType::create(context(), {address(), address(), word, word, word, word}, "matchpoint.site");
    form_type_ = llvm::StructType::create(context(), {address(), address(), word, word, word, word, word, word},
                                          "matchpoint.form");
    argument_type_ = llvm::StructType::create(context(), {bits(64), word, word}, "matchpoint.argument");
    read_type_ = llvm::StructType::get(context(), {bits(64), bits(64)});
    passed_type_ = llvm::StructType::create(
        context(), {address(), address(), word, word, llvm::ArrayType::get(word, passed_arguments), word},
        "matchpoint.passed");
    auto const external = llvm::GlobalValue::ExternalLinkage;
    passed_ = new llvm::GlobalVariable(module, passed_type_, false, external, nullptr, "__matchpoint_passed", nullptr,
                                       llvm::GlobalValue::InitialExecTLSModel);
    active_ = new llvm::GlobalVariable(module, word, false, external, nullptr, "__matchpoint_active");
}

llvm::Value* Runtime::call(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::Type* result,
                           llvm::ArrayRef<llvm::Value*> operands) const {
    llvm::SmallVector<llvm::Type*, 8> types;
    for (llvm::Value const* const operand : operands) types.push_back(operand->getType());
    auto* const type = llvm::FunctionType::get(result, types, false);
    llvm::FunctionCallee callee = module_.getOrInsertFunction(("__matchpoint_" + name).str(), type);
    if (auto* const function = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
        for (auto const kind : {llvm::Attribute::NoUnwind, llvm::Attribute::NonLazyBind}) function->addFnAttr(kind);
    llvm::CallInst* const made = at.CreateCall(callee, operands);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    return made;
}

void Runtime::call(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> operands) const {
    call(at, name, llvm::Type::getVoidTy(context()), operands);
}

std::pair<llvm::Value*, llvm::Type*> Runtime::field(llvm::IRBuilder<>& at, Passed field, unsigned argument) const {
    unsigned const index = static_cast<unsigned>(field);
    llvm::Type* const type = passed_type_->getElementType(index);
    llvm::Value* const pointer = at.CreateStructGEP(passed_type_, passed_, index);
    if (!type->isArrayTy()) return {pointer, type};
    return {at.CreateConstInBoundsGEP2_32(type, pointer, 0, argument), bits(32)};
}

llvm::Value* Runtime::load(llvm::IRBuilder<>& at, Passed what, unsigned argument) const {
    auto const [pointer, type] = field(at, what, argument);
    return at.CreateLoad(type, pointer);
}

void Runtime::store(llvm::IRBuilder<>& at, Passed what, llvm::Value* value, unsigned argument) const {
    auto const [pointer, type] = field(at, what, argument);
    at.CreateStore(type->isPointerTy() ? at.CreatePointerCast(value, type) : value, pointer);
}

llvm::Value* Runtime::is_active(llvm::IRBuilder<>& at) const {
    return at.CreateICmpNE(at.CreateLoad(bits(32), active_), number(0));
}

} // namespace matchpoint::record
