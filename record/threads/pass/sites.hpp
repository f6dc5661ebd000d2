// Places of the program, and what records have in common, as the runtime wants them: variables of the module.
#pragma once

#include "record/threads/pass/runtime.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DebugLoc.h>

#include <array>
#include <map>
#include <tuple>

namespace matchpoint::record {

class Sites {
public:
    explicit Sites(Runtime const& runtime) : runtime_(runtime) {}

    /// The address of the place of an instruction. Without debug information it has the function only. In code that
    /// was inlined from a header of the system it is the place that called it.
    llvm::Constant* of(llvm::Instruction const& instruction);
    /// The address of the form of records of this kind about an instruction. `how` as of the runtime's accesses, or
    /// what a branch asserts.
    llvm::Constant* form(llvm::Instruction const& instruction, unsigned kind, unsigned how);
    /// The same of operations, which form records describe in these bytes: as many as there are nodes, with so many
    /// operands that each record has.
    llvm::Constant* form_of_operations(std::string const& bytes, unsigned nodes, unsigned operands);
    /// And of these operations with a branch on the last one.
    llvm::Constant* form_of_branch(llvm::Instruction const& branch, unsigned asserts, std::string const& bytes,
                                   unsigned nodes, unsigned operands);
    /// The address of a text, which ends with a zero byte.
    llvm::Constant* text(llvm::StringRef text);

private:
    using Place = std::tuple<std::string, std::string, unsigned, unsigned>; // file, function, line, column

    Runtime const& runtime_;
    std::map<Place, llvm::Constant*> sites_;
    llvm::DenseMap<std::pair<llvm::MDNode const*, llvm::Function const*>, llvm::Constant*> known_;
    llvm::Constant* make_form(llvm::Constant* site, llvm::Constant* bytes, std::array<unsigned, 5> const& numbers);

    std::map<std::tuple<llvm::Constant*, unsigned, unsigned>, llvm::Constant*> forms_;
    std::map<std::string, llvm::Constant*> operations_;
    llvm::StringMap<llvm::Constant*> texts_;
};

} // namespace matchpoint::record
