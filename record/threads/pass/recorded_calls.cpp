#include "record/threads/format.h"
#include "record/threads/pass/recorded.hpp"
#include "record/threads/pass/variables.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/InlineAsm.h>

namespace matchpoint::record {

void Recorded::visitIntrinsicInst(llvm::IntrinsicInst& i) {
    using llvm::CmpInst;
    if (llvm::isa<llvm::DbgInfoIntrinsic>(i) || i.isLifetimeStartOrEnd() || i.isAssumeLikeIntrinsic()) return;
    if (auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(&i)) return record_memory_intrinsic(*memory);
    bool const has_node = may_have_node_.contains(&i);
    switch (i.getIntrinsicID()) {
    case llvm::Intrinsic::umax:
        if (has_node) return record_chosen(i, CmpInst::ICMP_UGT);
        break;
    case llvm::Intrinsic::umin:
        if (has_node) return record_chosen(i, CmpInst::ICMP_ULT);
        break;
    case llvm::Intrinsic::smax:
        if (has_node) return record_chosen(i, CmpInst::ICMP_SGT);
        break;
    case llvm::Intrinsic::smin:
        if (has_node) return record_chosen(i, CmpInst::ICMP_SLT);
        break;
    case llvm::Intrinsic::expect:
        if (has_node) return set_node(i, node(i.getArgOperand(0)));
        break;
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::sadd_with_overflow:
        if (can_have_node(*i.getArgOperand(0)->getType())) return record_overflow(i, matchpoint_add);
        break;
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::ssub_with_overflow:
        if (can_have_node(*i.getArgOperand(0)->getType())) return record_overflow(i, matchpoint_sub);
        break;
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::smul_with_overflow:
        if (can_have_node(*i.getArgOperand(0)->getType())) return record_overflow(i, matchpoint_mul);
        break;
    case llvm::Intrinsic::vastart: {
        Builder at(i.getNextNode());
        constexpr std::uint64_t size_of_list = 24;
        runtime_.call(at, "wrote", {sites_.of(i), i.getArgOperand(0), runtime_.number(size_of_list, 64)});
        return;
    }
    }
    visitInstruction(i);
}

void Recorded::visitCallBase(llvm::CallBase& i) {
    if (i.isInlineAsm()) return record_assembly(i);
    record_call(i);
}

/// Assembly without text is a barrier for the compiler; some instructions only wait or order.
void Recorded::record_assembly(llvm::CallBase& i) {
    make_operands_concrete(i, i, Reason::of_operation);
    llvm::StringRef const text = llvm::cast<llvm::InlineAsm>(i.getCalledOperand())->getAsmString();
    bool const is_harmless = text.trim().empty() || text.contains("pause") || text.contains("rep; nop") ||
                             text.contains("rep;nop") || text.contains("fence") || text.trim() == "nop" ||
                             text.contains("rdtsc") || text.contains("cpuid");
    if (is_harmless || !i.mayReadOrWriteMemory()) return;
    Builder at(&i);
    runtime_.call(
        at, "gap",
        {sites_.of(i), sites_.text("inline assembly"), sites_.text("it may access memory, which is not recorded")});
}

void Recorded::pass_arguments(llvm::CallBase& i) {
    llvm::SmallVector<llvm::Value*, 8> nodes;
    for (llvm::Value* const argument : i.args()) nodes.push_back(node(argument));
    unsigned const n = i.arg_size();
    if_any(i, nodes, nullptr, [&](Builder& at) -> llvm::Value* {
        llvm::AllocaInst* const list = buffer(llvm::ArrayType::get(runtime_.argument_type(), n));
        for (unsigned k = 0; k < n; ++k) {
            llvm::Value* const argument = i.getArgOperand(k);
            llvm::Value* const place = at.CreateConstInBoundsGEP2_32(list->getAllocatedType(), list, 0, k);
            bool const has = nodes[k] != nullptr;
            at.CreateStore(has ? widened(at, argument) : runtime_.number(0, 64),
                           at.CreateStructGEP(runtime_.argument_type(), place, 0));
            at.CreateStore(has ? nodes[k] : runtime_.number(0), at.CreateStructGEP(runtime_.argument_type(), place, 1));
            at.CreateStore(runtime_.number(has ? width_of(*argument->getType()) : 64),
                           at.CreateStructGEP(runtime_.argument_type(), place, 2));
        }
        runtime_.call(at, "arguments",
                      {sites_.of(i), at.CreatePointerCast(i.getCalledOperand(), runtime_.address()), runtime_.number(n),
                       runtime_.number(i.getFunctionType()->getNumParams()),
                       at.CreatePointerCast(list, runtime_.address())});
        return nullptr;
    });
}

namespace {

/// A call that only shows values to the user: what the program does next does not depend on them.
bool only_prints(llvm::CallBase const& i) {
    static llvm::StringSet<> const names = {"printf",  "fprintf", "vprintf", "vfprintf",     "puts",         "fputs",
                                            "putchar", "putc",    "fputc",   "perror",       "fwrite",       "write",
                                            "dprintf", "fflush",  "syslog",  "__printf_chk", "__fprintf_chk"};
    llvm::Function const* const callee = i.getCalledFunction();
    return callee != nullptr && callee->isDeclaration() && i.use_empty() && names.contains(callee->getName());
}

/// Why a recording with a call of this function does not have all; null if it has.
char const* why_incomplete(llvm::CallBase const& i) {
    constexpr char const* channel = "what goes through it orders threads, which is not recorded";
    constexpr char const* memory = "memory that processes share; what others do with it is not recorded";
    constexpr char const* jump = "a jump over frames, which is not recorded";
    constexpr char const* handler = "when a handler of signals runs is not recorded";
    static llvm::StringMap<char const*> const functions = {
        {"pipe", channel},
        {"pipe2", channel},
        {"socketpair", channel},
        {"eventfd", channel},
        {"msgget", channel},
        {"semget", channel},
        {"mq_open", channel},
        {"sem_open", channel},
        {"shm_open", memory},
        {"shmat", memory},
        {"vfork", "what the new process does is not recorded"},
        {"longjmp", jump},
        {"_longjmp", jump},
        {"siglongjmp", jump},
        {"swapcontext", jump},
        {"makecontext", jump},
        {"setcontext", jump},
        {"sigaction", handler},
        {"signal", handler},
        {"syscall", "what a system call does is not recorded"},
        {"__atomic_compare_exchange", "an atomic access of a size that is not recorded"},
        {"__atomic_load", "an atomic access of a size that is not recorded"},
        {"__atomic_store", "an atomic access of a size that is not recorded"},
    };
    llvm::Function const* const callee = i.getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration()) return nullptr;
    bool const resets = callee->getName() == "signal" && i.arg_size() == 2 &&
                        llvm::isa<llvm::Constant>(i.getArgOperand(1)) &&
                        !llvm::isa<llvm::Function>(i.getArgOperand(1)->stripPointerCasts()); // SIG_IGN, SIG_DFL
    bool const asks = callee->getName() == "sigaction" && i.arg_size() == 3 &&
                      llvm::isa<llvm::ConstantPointerNull>(i.getArgOperand(1));
    return resets || asks ? nullptr : functions.lookup(callee->getName());
}

/// Whether a call waits at a barrier, and nobody looks which thread is the serial one.
bool only_waits_at_barrier(llvm::CallBase const& i) {
    llvm::Function const* const callee = i.getCalledFunction();
    return callee != nullptr && callee->isDeclaration() && callee->getName() == "pthread_barrier_wait" &&
           i.arg_size() == 1 && i.use_empty();
}

} // namespace

void Recorded::take_result(llvm::CallBase& i) {
    if (!may_have_node_.contains(&i)) return;
    auto* const invoke = llvm::dyn_cast<llvm::InvokeInst>(&i);
    Builder at(invoke != nullptr ? &*invoke->getNormalDest()->getFirstInsertionPt() : i.getNextNode());
    set_node(i, runtime_.load(at, Passed::result));
    runtime_.store(at, Passed::result, runtime_.number(0));
}

void Recorded::record_call(llvm::CallBase& i) {
    if (llvm::Function const* const callee = i.getCalledFunction();
        callee != nullptr && callee->getName().startswith("__matchpoint_"))
        return;
    make_concrete(i.getCalledOperand(), i, Reason::of_pointer_call);
    for (unsigned k = 0; k < i.arg_size(); ++k)
        if (i.isByValArgument(k)) {
            make_concrete(i.getArgOperand(k), i, Reason::of_address);
            Builder at(&i);
            std::uint64_t const size = runtime_.layout().getTypeAllocSize(i.getParamByValType(k));
            runtime_.call(at, "reads",
                          {sites_.of(i), at.CreatePointerCast(i.getArgOperand(k), runtime_.address()),
                           runtime_.number(size, 64)});
        }
    record_known_function(i);
    if (may_create_threads(i)) record_locals(runtime_, sites_, i);
    if (only_waits_at_barrier(i))
        i.setCalledFunction(runtime_.module().getOrInsertFunction("__matchpoint_barrier_wait", i.getFunctionType()));
    Builder at(&i);
    if (char const* const why = why_incomplete(i))
        runtime_.call(at, "gap", {sites_.of(i), sites_.text(i.getCalledFunction()->getName()), sites_.text(why)});
    runtime_.store(at, Passed::site, sites_.of(i));
    runtime_.store(at, Passed::callee, i.getCalledOperand());
    if (in_failing_block_.contains(&i)) runtime_.store(at, Passed::fails, runtime_.number(1));
    if (!only_prints(i)) pass_arguments(i);
    take_result(i);
}

void Recorded::visitReturnInst(llvm::ReturnInst& i) {
    llvm::Value* const value = i.getReturnValue();
    if (value == nullptr || node(value) == nullptr || is_taken_ == nullptr) return;
    if_any(i, {node(value)}, nullptr, [&](Builder& at) -> llvm::Value* {
        runtime_.call(at, "result",
                      {sites_.of(i), at.CreateZExt(is_taken_, runtime_.bits(32)), node(value), widened(at, value)});
        return nullptr;
    });
}

// ---- functions of the C library that access memory -----------------------------------------------------------------

namespace {

constexpr int result = -1, string = -2;

/// An argument that points to memory, and what says how much of it: an argument that is a size, a result, or the
/// zero byte that ends a string.
struct Range {
    int pointer;
    int size; // an argument; `result`, or `string`
    bool is_written;
    int most = string; // the argument that is the largest length of a string that is read
};

llvm::StringMap<std::vector<Range>> const& known_functions() {
    static llvm::StringMap<std::vector<Range>> const functions = {
        {"strlen", {{0, string, false}}},
        {"strcmp", {{0, string, false}, {1, string, false}}},
        {"strncmp", {{0, string, false, 2}, {1, string, false, 2}}},
        {"strcasecmp", {{0, string, false}, {1, string, false}}},
        {"strchr", {{0, string, false}}},
        {"strrchr", {{0, string, false}}},
        {"strstr", {{0, string, false}, {1, string, false}}},
        {"atoi", {{0, string, false}}},
        {"atol", {{0, string, false}}},
        {"strtol", {{0, string, false}}},
        {"strtoul", {{0, string, false}}},
        {"memcmp", {{0, 2, false}, {1, 2, false}}},
        {"bcmp", {{0, 2, false}, {1, 2, false}}},
        {"memchr", {{0, 2, false}}},
        {"read", {{1, result, true}}},
        {"recv", {{1, result, true}}},
        {"getrandom", {{0, result, true}}},
        {"strcpy", {{1, string, false}, {0, string, true}}},
        {"stpcpy", {{1, string, false}, {0, string, true}}},
        {"strcat", {{0, string, false}, {1, string, false}, {0, string, true}}},
        {"strncpy", {{1, string, false, 2}, {0, 2, true}}},
        {"sprintf", {{0, string, true}}},
    };
    return functions;
}

} // namespace

void Recorded::record_known_function(llvm::CallBase& i) {
    llvm::Function const* const callee = i.getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration() || llvm::isa<llvm::InvokeInst>(i)) return;
    auto const found = known_functions().find(callee->getName());
    if (found == known_functions().end()) return;
    for (Range const& range : found->second) {
        int const arguments = static_cast<int>(i.arg_size());
        if (range.pointer >= arguments || range.size >= arguments || range.most >= arguments) return;
        if (range.size == result && !i.getType()->isIntegerTy()) return;
        if (!i.getArgOperand(static_cast<unsigned>(range.pointer))->getType()->isPointerTy()) return;
        Builder at(range.is_written ? i.getNextNode() : &i);
        llvm::Value* const pointer =
            at.CreatePointerCast(i.getArgOperand(static_cast<unsigned>(range.pointer)), runtime_.address());
        bool const is_string = range.size == string;
        llvm::Value* size = runtime_.number(UINT64_MAX, 64);
        if (int const argument = is_string ? range.most : range.size; argument >= 0)
            size = at.CreateZExtOrTrunc(i.getArgOperand(static_cast<unsigned>(argument)), runtime_.bits(64));
        else if (range.size == result)
            size = at.CreateSExtOrTrunc(&i, runtime_.bits(64));
        if (is_string && range.is_written)
            runtime_.call(at, "wrote_string", {sites_.of(i), pointer});
        else
            runtime_.call(at,
                          is_string          ? "reads_string"
                          : range.is_written ? "wrote"
                                             : "reads",
                          {sites_.of(i), pointer, size});
    }
}

} // namespace matchpoint::record
