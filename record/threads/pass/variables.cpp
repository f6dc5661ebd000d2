#include "record/threads/pass/variables.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <vector>

namespace matchpoint::record {
namespace {

constexpr int deepest_type = 6;
constexpr std::size_t longest_type = 3000;

/// As record/threads/format.h writes types.
class Types {
public:
    explicit Types(llvm::DataLayout const& layout) : layout_(layout) {}

    std::string of(llvm::DIType const* type, int depth = 0) const {
        if (type == nullptr) return "0";
        if (auto const* const derived = llvm::dyn_cast<llvm::DIDerivedType>(type))
            return is_transparent(derived->getTag()) ? of(derived->getBaseType(), depth) : size_of(*type);
        auto const* const whole = llvm::dyn_cast<llvm::DICompositeType>(type);
        if (whole == nullptr || depth == deepest_type) return size_of(*type);
        unsigned const tag = whole->getTag();
        if (tag == llvm::dwarf::DW_TAG_array_type) return array(*whole, depth);
        bool const is_structure = tag == llvm::dwarf::DW_TAG_structure_type || tag == llvm::dwarf::DW_TAG_class_type;
        return is_structure ? structure(*whole, depth) : size_of(*type);
    }

    /// Without debug information: the parts have no names.
    std::string of(llvm::Type* type, int depth = 0) const {
        std::uint64_t const size = type->isSized() ? layout_.getTypeAllocSize(type).getFixedSize() : 0;
        if (depth < deepest_type) {
            if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(type))
                return repeated(array->getNumElements(), layout_.getTypeAllocSize(array->getElementType()),
                                of(array->getElementType(), depth + 1));
            if (auto* const parts = llvm::dyn_cast<llvm::StructType>(type); parts != nullptr && type->isSized()) {
                std::string text = "{";
                for (unsigned i = 0; i < parts->getNumElements(); ++i)
                    text += std::to_string(layout_.getStructLayout(parts)->getElementOffset(i)) + "  " +
                            of(parts->getElementType(i), depth + 1) + "; ";
                return text + "}";
            }
        }
        return std::to_string(size);
    }

    /// What the part of a variable at an offset is called: ".items.3".
    std::string part(llvm::DIType const* type, std::uint64_t offset, int depth = 0) const {
        while (auto const* const derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
            if (!is_transparent(derived->getTag())) break;
            type = derived->getBaseType();
        }
        auto const* const whole = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
        unsigned const tag = whole == nullptr || depth == deepest_type ? 0 : whole->getTag();
        if (tag == llvm::dwarf::DW_TAG_array_type) return element(*whole, offset, depth);
        if (tag == llvm::dwarf::DW_TAG_structure_type || tag == llvm::dwarf::DW_TAG_class_type)
            return member(*whole, offset, depth);
        return offset == 0 ? "" : "+" + std::to_string(offset);
    }

private:
    std::string element(llvm::DICompositeType const& type, std::uint64_t offset, int depth) const {
        std::vector<std::uint64_t> sizes = {bytes_of(type.getBaseType())}; // from the last dimension on
        auto const dimensions = type.getElements();
        for (unsigned i = dimensions.size(); i-- > 1;) sizes.push_back(sizes.back() * count_of(dimensions[i]));
        std::string text;
        for (unsigned i = dimensions.size(); i-- > 0; offset %= sizes[i]) {
            if (sizes[i] == 0) return text + "+" + std::to_string(offset);
            text += "." + std::to_string(offset / sizes[i]);
        }
        return text + part(type.getBaseType(), offset, depth + 1);
    }
    std::string member(llvm::DICompositeType const& type, std::uint64_t offset, int depth) const {
        llvm::DIDerivedType const* found = nullptr; // the last one that begins there or before
        for (llvm::DINode const* const part : type.getElements())
            if (auto const* const m = llvm::dyn_cast_or_null<llvm::DIDerivedType>(part);
                m != nullptr && !m->isStaticMember() && m->getTag() == llvm::dwarf::DW_TAG_member &&
                m->getOffsetInBits() / 8 <= offset)
                found = m;
        if (found == nullptr) return "+" + std::to_string(offset);
        std::string const name = found->getName().empty() ? "" : "." + found->getName().str();
        return name + part(found->getBaseType(), offset - found->getOffsetInBits() / 8, depth + 1);
    }

    static bool is_transparent(unsigned tag) {
        return tag == llvm::dwarf::DW_TAG_typedef || tag == llvm::dwarf::DW_TAG_const_type ||
               tag == llvm::dwarf::DW_TAG_volatile_type || tag == llvm::dwarf::DW_TAG_atomic_type ||
               tag == llvm::dwarf::DW_TAG_restrict_type;
    }
    static std::string size_of(llvm::DIType const& type) {
        std::uint64_t const bits = type.getSizeInBits();
        return std::to_string(bits != 0 ? bits / 8 : 8); // references have none
    }
    static std::string repeated(std::uint64_t n, std::uint64_t size, std::string const& type) {
        return "[" + std::to_string(n) + " " + std::to_string(size) + " " + type + "]";
    }
    static std::uint64_t bytes_of(llvm::DIType const* type) {
        while (type != nullptr && type->getSizeInBits() == 0) {
            auto const* const derived = llvm::dyn_cast<llvm::DIDerivedType>(type);
            if (derived == nullptr) return 0;
            type = derived->getBaseType();
        }
        return type == nullptr ? 0 : type->getSizeInBits() / 8;
    }

    /// The elements of a dimension; 0 if that is not known.
    static std::uint64_t count_of(llvm::DINode const* dimension) {
        auto const* const range = llvm::dyn_cast<llvm::DISubrange>(dimension);
        auto* const count = range == nullptr ? nullptr : range->getCount().dyn_cast<llvm::ConstantInt*>();
        return count == nullptr || count->isMinusOne() ? 0 : count->getZExtValue();
    }

    std::string array(llvm::DICompositeType const& type, int depth) const {
        std::string text = of(type.getBaseType(), depth + 1);
        std::uint64_t size = bytes_of(type.getBaseType());
        auto const dimensions = type.getElements();
        for (unsigned i = dimensions.size(); i-- > 0;) {
            std::uint64_t const n = count_of(dimensions[i]);
            text = repeated(n, size, text);
            size *= n;
        }
        return text;
    }

    std::string structure(llvm::DICompositeType const& type, int depth) const {
        std::string text = "{";
        for (llvm::DINode const* const element : type.getElements()) {
            auto const* const member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
            if (member == nullptr || member->isStaticMember()) continue;
            bool const is_base = member->getTag() == llvm::dwarf::DW_TAG_inheritance;
            if (!is_base && member->getTag() != llvm::dwarf::DW_TAG_member) continue;
            if (text.size() > longest_type) return size_of(type);
            text += std::to_string(member->getOffsetInBits() / 8) + " " + (is_base ? "" : member->getName().str()) +
                    " " + of(member->getBaseType(), depth + 1) + "; ";
        }
        return text + "}";
    }

    llvm::DataLayout const& layout_;
};

/// Its name and type.
std::pair<std::string, std::string> described(llvm::GlobalVariable const& variable, Types const& types) {
    std::string name = llvm::demangle(variable.getName().str());
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
    variable.getDebugInfo(known);
    if (known.empty()) return {name, types.of(variable.getValueType())};
    // The optimiser may have split the variable, or keep a bit of which its value can be computed.
    llvm::DIExpression const& where = *known.front()->getExpression();
    auto const fragment = where.getFragmentInfo();
    constexpr unsigned elements_of_fragment = 3;
    if (where.getNumElements() != (fragment ? elements_of_fragment : 0))
        return {name + ".bit", types.of(variable.getValueType())};
    llvm::DIGlobalVariable const& v = *known.front()->getVariable();
    if (llvm::isa_and_nonnull<llvm::DISubprogram, llvm::DILexicalBlock>(v.getScope()) || v.getLinkageName().empty())
        name = v.getName().str();
    if (fragment)
        return {v.getName().str() + types.part(v.getType(), fragment->OffsetInBits / 8),
                std::to_string(fragment->SizeInBits / 8)};
    return {name, types.of(v.getType())};
}

bool is_of_interest(llvm::GlobalVariable const& variable) {
    return !variable.isDeclaration() && !variable.isConstant() && !variable.isThreadLocal() &&
           !variable.hasAvailableExternallyLinkage() && !variable.getName().startswith("llvm.") &&
           !variable.hasSection() && variable.getAddressSpace() == 0;
}

/// The variable that is in this memory of the stack. Null if that is not known.
llvm::DILocalVariable const* variable_in(llvm::AllocaInst& memory) {
    for (llvm::DbgVariableIntrinsic const* const said : llvm::FindDbgAddrUses(&memory))
        if (said->getExpression()->getNumElements() == 0) return said->getVariable();
    llvm::SmallVector<llvm::DbgValueInst*, 4> values;
    llvm::findDbgValues(values, &memory);
    for (llvm::DbgValueInst const* const said : values)
        if (said->getExpression()->getNumElements() == 1 && said->getExpression()->startsWithDeref())
            return said->getVariable();
    return nullptr;
}

} // namespace

bool may_create_threads(llvm::CallBase const& call) {
    llvm::Function const* const callee = call.getCalledFunction();
    if (callee == nullptr) return false;
    llvm::StringRef const name = callee->getName();
    return llvm::StringSwitch<bool>(name)
        .Cases("pthread_create", "thrd_create", "__kmpc_fork_call", true)
        .StartsWith("_ZNSt6thread15_M_start_thread", true)
        .StartsWith("_ZNSt6threadC", true) // its constructors
        .StartsWith("_ZNSt7jthreadC", true)
        .StartsWith("_ZSt5async", true)
        .Default(false);
}

void record_locals(Runtime const& runtime, Sites& sites, llvm::CallBase& call) {
    Types const types(runtime.layout());
    llvm::IRBuilder<> at(&call);
    for (llvm::Instruction& i : call.getFunction()->getEntryBlock()) {
        auto* const memory = llvm::dyn_cast<llvm::AllocaInst>(&i);
        if (memory == nullptr || !memory->isStaticAlloca()) continue;
        llvm::DILocalVariable const* const variable = variable_in(*memory);
        if (variable == nullptr || variable->isArtificial() || variable->getName().empty()) continue;
        constexpr bool return_captures = true, store_captures = true;
        if (!llvm::PointerMayBeCaptured(memory, return_captures, store_captures)) continue;
        std::uint64_t const size = runtime.layout().getTypeAllocSize(memory->getAllocatedType());
        runtime.call(at, "local",
                     {at.CreatePointerCast(memory, runtime.address()), runtime.number(size, 64),
                      sites.text(variable->getName()), sites.text(types.of(variable->getType()))});
    }
}

void record_variables(Runtime const& runtime, Sites& sites) {
    llvm::Module& module = runtime.module();
    std::vector<llvm::GlobalVariable*> variables;
    for (llvm::GlobalVariable& variable : module.globals())
        if (is_of_interest(variable) && variable.getName() != "__matchpoint_active" &&
            variable.getName() != "__matchpoint_passed")
            variables.push_back(&variable);
    auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(runtime.context()), false);
    auto* const constructor =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "matchpoint.constructor", module);
    llvm::BasicBlock* const all = llvm::BasicBlock::Create(runtime.context(), "", constructor);
    llvm::BasicBlock* const some = llvm::BasicBlock::Create(runtime.context(), "", constructor);
    llvm::BasicBlock* const none = llvm::BasicBlock::Create(runtime.context(), "", constructor);
    llvm::IRBuilder<> at(all);
    at.CreateCondBr(runtime.is_active(at), some, none);
    at.SetInsertPoint(none);
    at.CreateRetVoid();
    at.SetInsertPoint(some);
    runtime.call(at, "begin_module", {at.CreatePointerCast(constructor, runtime.address())});
    Types const types(runtime.layout());
    for (llvm::GlobalVariable* const variable : variables) {
        auto const [name, text] = described(*variable, types);
        std::uint64_t const size = runtime.layout().getTypeAllocSize(variable->getValueType());
        runtime.call(at, "global",
                     {at.CreatePointerCast(variable, runtime.address()), runtime.number(size, 64), sites.text(name),
                      sites.text(text)});
    }
    at.CreateRetVoid();
    constexpr int first = 0;
    llvm::appendToGlobalCtors(module, constructor, first);
}

} // namespace matchpoint::record
