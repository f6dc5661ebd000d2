#include "record/threads/pass/sites.hpp"

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

} // namespace matchpoint::record
