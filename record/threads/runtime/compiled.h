// What code that the pass (record/threads/pass/) has compiled calls. The pass has the same declarations in LLVM's
// words (pass/runtime.cpp).
#pragma once

#include <stdint.h>

/// Marks what other objects see; all else is hidden.
#define EXPORT __attribute__((visibility("default")))

/// A place of the program. The pass makes them; they do not move.
struct site {
    char const* file; // null if not known
    char const* function;
    uint32_t line, column;
    uint32_t number; // of its place record; 0 before it has one
    uint32_t unused;
};

/// What all records of an instruction, or of some operations, have in common. The pass makes them; they do not move.
struct form {
    struct site* site;         // null of operations
    uint8_t const* operations; // as in a form record: how many, and these; null if it has none
    uint32_t operation_bytes;
    uint32_t nodes, operands; // of operations: which they make, and which of their operands each record has
    uint32_t kind;            // of the records
    uint32_t how;             // of an access; of a branch, what it asserts; of a concrete value, why, and its width
    uint32_t number;          // of its form record; 0 before it has one
};

enum {
    passed_arguments = 14, // further ones are made concrete
    size_bits = 8, // `how`: the size in bytes, flags (enum matchpoint_access) from bit 8, an operator from bit 16
    flag_bits = 8,
    is_wide = 1 << 24, // in `how` of a concrete value: a floating-point number; its width does not matter
};

/// What a call passes beside its arguments. Each thread has one.
struct passed {
    void const* callee; // function that is called; its first instruction takes this away
    struct site* site;  // of the last call of any function
    uint32_t any;       // whether an argument has a node
    uint32_t result;    // node of the result; 0 except between a return and the caller's next instruction
    uint32_t arguments[passed_arguments]; // nodes; set if `any` is
    uint32_t fails;                       // the next call of exit is in a branch that leads nowhere else
};
extern EXPORT __thread struct passed __matchpoint_passed __attribute__((tls_model("initial-exec")));

/// Not 0 while the run is recorded. Compiled functions look at it when they begin.
extern EXPORT uint32_t __matchpoint_active;

/// In front of each function that the pass has compiled.
#define matchpoint_mark 0x6d61746368706f69

struct argument {
    uint64_t value;
    uint32_t node;
    uint32_t width;
};

/// What is read, and its node.
struct read {
    uint64_t value;
    uint64_t node;
};

/// One of a module: it is called before main.
EXPORT void __matchpoint_begin_module(void const* address);
/// A global variable, from the same place.
EXPORT void __matchpoint_global(void const* address, uint64_t size, char const* name, char const* type);
/// The same of a variable on the stack of this thread, which creates threads.
EXPORT void __matchpoint_local(void const* address, uint64_t size, char const* name, char const* type);

/// `node` is that of the address in the first ones.
EXPORT struct read __matchpoint_load_of(struct form*, void const* address, uint32_t node);
/// The same of so many bytes, which are neither local nor atomic; `concrete`: whose form has matchpoint_is_concrete.
EXPORT struct read __matchpoint_load1_of(struct form*, void const* address, uint32_t node);
EXPORT struct read __matchpoint_load4_of(struct form*, void const* address, uint32_t node);
EXPORT struct read __matchpoint_load8_of(struct form*, void const* address, uint32_t node);
EXPORT struct read __matchpoint_load8_concrete_of(struct form*, void const* address, uint32_t node);
EXPORT void __matchpoint_store_of(struct form*, void* address, uint32_t node, uint64_t value, uint32_t value_node);
EXPORT void __matchpoint_store1_of(struct form*, void* address, uint32_t node, uint64_t value, uint32_t value_node);
EXPORT void __matchpoint_store4_of(struct form*, void* address, uint32_t node, uint64_t value, uint32_t value_node);
EXPORT void __matchpoint_store8_of(struct form*, void* address, uint32_t node, uint64_t value, uint32_t value_node);
EXPORT struct read __matchpoint_load(struct site*, void const* address, uint32_t how, uint32_t node);
EXPORT void __matchpoint_store(struct site*, void* address, uint32_t how, uint32_t node, uint64_t value,
                               uint32_t value_node);
EXPORT struct read __matchpoint_update(struct site*, void* address, uint32_t how, uint32_t node, uint64_t operand,
                                       uint32_t operand_node);
EXPORT struct read __matchpoint_exchange(struct site*, void* address, uint32_t how, uint32_t node, uint64_t expected,
                                         uint32_t expected_node, uint64_t wanted, uint32_t wanted_node);
/// Locations of any size, in pieces that are concrete: from memory into a buffer, and from there to memory.
EXPORT void __matchpoint_read(struct site*, void const* from, void* buffer, uint64_t size, uint32_t how);
EXPORT void __matchpoint_write(struct site*, void* to, void const* buffer, uint64_t size, uint32_t how);
/// As memmove and memset, with the nodes of what is copied.
EXPORT void __matchpoint_copy(struct site*, void* to, void const* from, uint64_t size);
EXPORT void __matchpoint_fill(struct site*, void* to, uint32_t byte, uint64_t size);
/// Something that is not compiled with the pass has read or written memory.
EXPORT void __matchpoint_reads(struct site*, void const* address, uint64_t size);
EXPORT void __matchpoint_wrote(struct site*, void const* address, uint64_t size);
/// A string, or its first `most` bytes.
EXPORT void __matchpoint_reads_string(struct site*, char const* text, uint64_t most);
EXPORT void __matchpoint_wrote_string(struct site*, char const* text);

/// Operations, and a branch on the last one. `together` has both; it is used where both can be one record.
EXPORT uint32_t __matchpoint_operations_and_branch(struct form* operations, struct form* together,
                                                   struct argument const* operands, uint32_t taken);
/// Returns the node of the first operation, which those of the others follow. Some operand has a node.
EXPORT uint32_t __matchpoint_operations(struct form*, struct argument const* operands);
/// Each returns the node of the result. `code`: operator, flags from bit 8, width from bit 16, that of the result
/// from bit 24.
EXPORT uint32_t __matchpoint_binary(uint32_t code, uint64_t a, uint32_t a_node, uint64_t b, uint32_t b_node);
EXPORT uint32_t __matchpoint_cast(uint32_t code, uint32_t node);
EXPORT uint32_t __matchpoint_select(uint32_t code, uint32_t condition, uint64_t a, uint32_t a_node, uint64_t b,
                                    uint32_t b_node);
/// The node is not 0 here, and in the next ones.
EXPORT void __matchpoint_concrete(struct site*, uint32_t node, uint64_t value, uint32_t reason);
EXPORT void __matchpoint_concrete_of(struct form*, uint32_t node, uint64_t value);
EXPORT void __matchpoint_branch_of(struct form*, uint32_t node, uint32_t taken);
EXPORT void __matchpoint_branch(struct site*, uint32_t node, uint32_t taken, uint32_t asserts);
EXPORT void __matchpoint_switch(struct site*, uint32_t node, uint64_t value, uint64_t n, int64_t const* cases);

/// Some argument has a node. Passes them, or makes them concrete if nobody takes them. `fixed`: those after it are
/// of "...".
EXPORT void __matchpoint_arguments(struct site*, void const* callee, uint32_t n, uint32_t fixed,
                                   struct argument const*);
/// Returns a node to a caller that takes it (`taken`), or makes it concrete.
EXPORT void __matchpoint_result(struct site*, uint32_t taken, uint32_t node, uint64_t value);
EXPORT void __matchpoint_gap(struct site*, char const* function, char const* why);
/// In the place of pthread_barrier_wait where nobody looks at its result: no thread is the serial one.
EXPORT int __matchpoint_barrier_wait(void* b);
