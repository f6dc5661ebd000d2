// Places of the program, as the runtime wants them: variables of the module.
#pragma once

#include "record/threads/pass/runtime.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DebugLoc.h>

#include <map>
#include <tuple>

namespace matchpoint::record {

class Sites {
public:
    explicit Sites(Runtime const& runtime) : runtime_(runtime) {}

    /// The address of the place of an instruction. Without debug information it has the function only. In code that
    /// was inlined from a header of the system it is the place that called it.
    llvm::Constant* of(llvm::Instruction const& instruction);
    /// The address of a text, which ends with a zero byte.
    llvm::Constant* text(llvm::StringRef text);

private:
    using Place = std::tuple<std::string, std::string, unsigned, unsigned>; // file, function, line, column

    Runtime const& runtime_;
    std::map<Place, llvm::Constant*> sites_;
    llvm::DenseMap<std::pair<llvm::MDNode const*, llvm::Function const*>, llvm::Constant*> known_;
    llvm::StringMap<llvm::Constant*> texts_;
};

} // namespace matchpoint::record
