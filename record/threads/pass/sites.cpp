#include "record/threads/pass/sites.hpp"

#include "record/threads/format.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/Path.h>

namespace matchpoint::record {
namespace {

std::string path_of(llvm::DIScope const& scope) {
    llvm::StringRef const name = scope.getFilename();
    if (llvm::sys::path::is_absolute(name) || scope.getDirectory().empty()) return name.str();
    llvm::SmallString<256> path(scope.getDirectory());
    llvm::sys::path::append(path, name);
    return path.str().str();
}

bool is_of_system(llvm::StringRef path) { return path.startswith("/usr/include/") || path.startswith("/usr/lib/"); }

/// The innermost place that is not in a header of the system, or else the outermost one.
llvm::DILocation const* place_of_user(llvm::DILocation const* place) {
    while (is_of_system(path_of(*place->getScope()))) {
        llvm::DILocation const* const caller = place->getInlinedAt();
        if (caller == nullptr) return place;
        place = caller;
    }
    return place;
}

std::string name_of(llvm::DILocation const& place) {
    llvm::DISubprogram const* const function = place.getScope()->getSubprogram();
    if (function == nullptr) return "";
    return function->getLinkageName().empty() ? function->getName().str()
                                              : llvm::demangle(function->getLinkageName().str());
}

} // namespace

llvm::Constant* Sites::text(llvm::StringRef text) {
    llvm::Constant*& made = texts_[text];
    if (made != nullptr) return made;
    llvm::Constant* const bytes = llvm::ConstantDataArray::getString(runtime_.context(), text);
    auto* const variable = new llvm::GlobalVariable(runtime_.module(), bytes->getType(), true,
                                                    llvm::GlobalValue::PrivateLinkage, bytes, "matchpoint.text");
    variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    made = llvm::ConstantExpr::getPointerCast(variable, runtime_.address());
    return made;
}

llvm::Constant* Sites::of(llvm::Instruction const& instruction) {
    llvm::DILocation const* const place = instruction.getDebugLoc().get();
    llvm::Function const* const in = place == nullptr ? instruction.getFunction() : nullptr;
    llvm::Constant*& known = known_[{place, in}];
    if (known != nullptr) return known;
    Place key;
    if (place == nullptr) {
        key = {"", llvm::demangle(in->getName().str()), 0, 0};
    } else {
        llvm::DILocation const* const users = place_of_user(place);
        key = {path_of(*users->getScope()), name_of(*users), users->getLine(), users->getColumn()};
    }
    llvm::Constant*& made = sites_[key];
    if (made == nullptr) {
        auto const& [file, function, line, column] = key;
        llvm::Constant* const parts[] = {
            text(file),         text(function),    runtime_.number(line), runtime_.number(column),
            runtime_.number(0), runtime_.number(0)};
        auto* const variable =
            new llvm::GlobalVariable(runtime_.module(), runtime_.site_type(), false, llvm::GlobalValue::PrivateLinkage,
                                     llvm::ConstantStruct::get(runtime_.site_type(), parts), "matchpoint.site");
        made = llvm::ConstantExpr::getPointerCast(variable, runtime_.address());
    }
    known = made;
    return known;
}

llvm::Constant* Sites::make_form(llvm::Constant* site, llvm::Constant* bytes, std::array<unsigned, 5> const& numbers) {
    llvm::SmallVector<llvm::Constant*, 8> parts = {site, bytes};
    for (unsigned const n : numbers) parts.push_back(runtime_.number(n));
    parts.push_back(runtime_.number(0)); // the runtime numbers it
    auto* const variable =
        new llvm::GlobalVariable(runtime_.module(), runtime_.form_type(), false, llvm::GlobalValue::PrivateLinkage,
                                 llvm::ConstantStruct::get(runtime_.form_type(), parts), "matchpoint.form");
    return llvm::ConstantExpr::getPointerCast(variable, runtime_.address());
}

llvm::Constant* Sites::form(llvm::Instruction const& instruction, unsigned kind, unsigned how) {
    llvm::Constant* const site = of(instruction);
    llvm::Constant*& made = forms_[{site, kind, how}];
    if (made == nullptr) made = make_form(site, llvm::Constant::getNullValue(runtime_.address()), {0, 0, 0, kind, how});
    return made;
}

llvm::Constant* Sites::form_of_operations(std::string const& bytes, unsigned nodes, unsigned operands) {
    llvm::Constant*& made = operations_[bytes];
    if (made == nullptr)
        made = make_form(llvm::Constant::getNullValue(runtime_.address()), text(bytes),
                         {static_cast<unsigned>(bytes.size()), nodes, operands, matchpoint_operation, 0});
    return made;
}

llvm::Constant* Sites::form_of_branch(llvm::Instruction const& branch, unsigned asserts, std::string const& bytes,
                                      unsigned nodes, unsigned operands) {
    return make_form(of(branch), text(bytes),
                     {static_cast<unsigned>(bytes.size()), nodes, operands, matchpoint_branch, asserts});
}

} // namespace matchpoint::record
