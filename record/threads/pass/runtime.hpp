// The runtime as compiled code sees it: its functions, and what calls pass beside their arguments.
// record/threads/runtime/compiled.h declares the same in C.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace matchpoint::record {

/// How many nodes of arguments a call can pass.
inline constexpr unsigned passed_arguments = 14;
/// In front of each compiled function.
inline constexpr std::uint64_t mark_of_compiled = 0x6d61746368706f69;

/// A field of `struct passed`.
enum class Passed : unsigned { callee, site, any, result, arguments, fails };

class Runtime {
public:
    explicit Runtime(llvm::Module& module);

    llvm::Module& module() const { return module_; }
    llvm::LLVMContext& context() const { return module_.getContext(); }
    llvm::DataLayout const& layout() const { return module_.getDataLayout(); }
    llvm::Type* bits(unsigned n) const { return llvm::Type::getIntNTy(context(), n); }
    llvm::PointerType* address() const { return llvm::Type::getInt8PtrTy(context()); }
    llvm::Constant* number(std::uint64_t n, unsigned width = 32) const {
        return llvm::ConstantInt::get(bits(width), n);
    }
    llvm::StructType* site_type() const { return site_type_; }
    llvm::StructType* form_type() const { return form_type_; }
    /// A value, its node, and its width.
    llvm::StructType* argument_type() const { return argument_type_; }

    /// A call of __matchpoint_NAME, which has these operands and returns this type.
    llvm::Value* call(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::Type* result,
                      llvm::ArrayRef<llvm::Value*> operands) const;
    void call(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> operands) const;

    llvm::Value* load(llvm::IRBuilder<>& at, Passed field, unsigned argument = 0) const;
    void store(llvm::IRBuilder<>& at, Passed field, llvm::Value* value, unsigned argument = 0) const;
    /// Whether the run is recorded, as one bit.
    llvm::Value* is_active(llvm::IRBuilder<>& at) const;

    /// The type `struct read`.
    llvm::StructType* read_type() const { return read_type_; }

private:
    std::pair<llvm::Value*, llvm::Type*> field(llvm::IRBuilder<>& at, Passed field, unsigned argument) const;

    llvm::Module& module_;
    llvm::StructType* site_type_;
    llvm::StructType* form_type_;
    llvm::StructType* argument_type_;
    llvm::StructType* read_type_;
    llvm::StructType* passed_type_;
    llvm::GlobalVariable* passed_;
    llvm::GlobalVariable* active_;
};

} // namespace matchpoint::record
