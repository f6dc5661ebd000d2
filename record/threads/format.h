// What the runtime (record/threads/runtime/) writes of a thread, and record/threads/ reads. C and C++.
//
// A run has a folder with a file for each thread, `thread-00000.threads` and so on, in the order in which threads
// were created; 0 is that of main. A file begins with the eight bytes of `matchpoint_threads_magic`, and then has
// records. A record begins with its kind, a byte that is not zero and that is written last; then come its fields. A
// zero byte ends the file: after it nothing was written, or nothing in full.
//
// While a file is written it has a window, `thread-00000.window`, with the bytes that come last: its first eight bytes
// are a number, least byte first; what follows are the bytes of the file from that one on. Those that the file has
// already count less than its own. A window is mapped, so that what a killed program has written survives; it is gone
// when the thread has ended.
//
// A field is one of
//
//   u      an unsigned number, LEB128
//   s      a signed number, zigzag, LEB128
//   text   its length as u, and its bytes
//   place  u: the number of a place record, of any file; 0: not known
//   node   u: the number of a node of this thread; 0: the value is a constant
//
// A value of n bits is written as the signed number (two's complement) that these bits are, and a value of one bit
// as 0 or 1.
//
// *Nodes.* Values that depend on what was read from memory are nodes. Each thread numbers them from 1, in the order
// of the records that make one: those marked `node` below. A value without a node is a constant, whatever execution
// it is.
//
// *Short records.* What the records of one instruction have in common is its form (matchpoint_form). A short record
// begins with the byte 128 + the lowest six bits of the number of a form, and the other bits as u. Then come the fields
// that the kind of the form has here; a near node is u: how many nodes it is before the next one that the thread makes;
// 0: the value is a constant. An address is s: the difference to that of the last short record of the thread whose form
// has a number with the same lowest six bits, or to 0 if there is none since such a form was described.
//
//   load        address, and, if it is local, value s. Else the value is that of the bytes as the last accesses to
//               each of them left them, in the order of turns: all were accessed since their block was allocated, if
//               they are in one. If the form has matchpoint_is_concrete, the record is two: the load, and that its
//               value is concrete from there on.
//   store       address, near node of the value, value s
//   concrete    near node: its value is the one that it has
//   branch      2 * near node + taken, as one u; if the form has operations, taken u, and what these have: the
//               record is the operations, and the branch on the last one
//   operation   for each operand that the form leaves open: near node, and if that is 0 its value as s. The record is
//               as many operations as the form has: each makes a node. Near nodes count from the first of them.
//
// *Repetitions.* What a loop writes are often the same bytes again and again, as they say differences. A record of kind
// matchpoint_again replaces them.
//
// *Turns.* A cell is eight bytes of memory, aligned. Its accesses have an order, and so have its turns, from 1: a
// turn is as many of them in sequence as are of one thread, or only loads, of whatever threads. The first access of a
// thread in a turn says its number.
// Accesses of one cell are in the order of their turns, and in the order of their threads within one. With the order
// of synchronisation this gives executions that are what happened (sequential consistency is assumed of the real
// run: the runtime locks a cell for the time of an access).
//
// *Order.* A record about an object of synchronisation says its place in the order of all such records of the object,
// from 1. ALLOC and FREE have one order for the whole process.
//
// *Numbers of events.* Records marked `event` are numbered in each thread from 1. A replay names them so.
#pragma once

#include <stdint.h>

#define matchpoint_threads_magic "MPTHRD1\n"
/// How many bytes of a window are before those of the file.
#define matchpoint_window_head 8

/// What a field `operands` of an operation consists of: for each operand its node, and if that is 0 its value as s.
/// The operators are those of LLVM. `width` is that of the operands in bits; of casts, `width` is that of the
/// operand and `to` that of the result.
enum matchpoint_operator {
    matchpoint_add = 1, // may have flags
    matchpoint_sub,
    matchpoint_mul,
    matchpoint_shl,
    matchpoint_udiv,
    matchpoint_sdiv,
    matchpoint_urem,
    matchpoint_srem,
    matchpoint_lshr,
    matchpoint_ashr,
    matchpoint_and,
    matchpoint_or,
    matchpoint_xor,
    matchpoint_eq, // comparisons give one bit
    matchpoint_ne,
    matchpoint_ult,
    matchpoint_ule,
    matchpoint_slt,
    matchpoint_sle, // the others are these with their operands exchanged
    matchpoint_trunc,
    matchpoint_zext,
    matchpoint_sext,
    matchpoint_select, // three operands: the condition, and two of `width` bits
};

/// Flags of an operation.
enum matchpoint_overflow {
    matchpoint_nsw = 1, // a signed overflow is undefined
    matchpoint_nuw = 2, // an unsigned one is
};

enum matchpoint_record {
    // ---- the run ----------------------------------------------------------------------------------------------------

    /// The first record of each file. thread u, creator u (its number; 0 of main), stack: lowest address u, size u,
    /// place of the call that created it.
    matchpoint_thread = 1,
    /// An object file. path text, lowest address u, size u, whether the pass compiled some of it u (0 or 1).
    /// The last record of a file counts: that the pass compiled some of it is known later.
    matchpoint_module,
    /// A place of the program, before its first use in any record of the same thread. number u (not 0; of the whole
    /// run), file text, line u, column u, function text. If the function is `+0x1234`, and the line 0, the file is an
    /// object file, and this is an offset in it; its debug information has the line.
    matchpoint_place,
    /// A variable: a global one, in the file of thread 0, before its first access; or one on the stack of the thread,
    /// before it creates threads that may share it. address u, size u, name text, type text. Several can have been on
    /// the stack in the same place. The type has what its parts are called: `type` is a size in bytes (of a scalar), or
    /// `[N S type]` (N elements, S bytes from one to the next), or `{O name type; O name type; }` (members, each at its
    /// offset of O bytes; a name may be empty).
    matchpoint_global,

    // ---- values -----------------------------------------------------------------------------------------------------

    /// node. operator u, flags u, width u, to u (only casts), operands.
    matchpoint_operation,
    /// The run goes on with the value that a node has here, as what comes has no words for it. event.
    /// place, node, value s, reason u (enum matchpoint_reason).
    matchpoint_concrete,
    /// A branch on a node of one bit. event. place, node, taken u (0 or 1: the value of the node), asserts u (0:
    /// none; 1: the program has failed if the node is 0; 2: if it is 1).
    matchpoint_branch,
    /// A switch. event. place, node, value s, n u, and n values s: no values if `value` is a case; all cases if it
    /// is not one.
    matchpoint_switch,

    // ---- memory -----------------------------------------------------------------------------------------------------

    /// event, node. access, value s.
    ///
    /// *access* is: place, flags u (enum matchpoint_access), size u (bytes: 1, 2, 4, 8), address u, then if flags has
    /// matchpoint_has_address the node of the address, if it has
    /// matchpoint_new_turn the number of the turn u, and if it has matchpoint_new_second_turn that of the next
    /// cell, in which the access ends; then if flags has matchpoint_has_old the bytes that were there before as s
    /// (only of a store, and of what both reads and writes, to bytes of which some have not been accessed before,
    /// since their block was allocated if they are in one).
    /// A location that is larger than eight bytes is accessed in pieces. Floating-point numbers and pointers are
    /// their bits.
    matchpoint_load,
    /// event. access, node of the value, value s (what is stored).
    matchpoint_store,
    /// A read-modify-write that is atomic. event, node (what was read). access, operator u (enum
    /// matchpoint_update), operand: node and value s, old value s.
    matchpoint_update_record,
    /// A compare-and-exchange that is atomic. event, node (what was read). access, expected: node and value s; new:
    /// node and value s; old value s; success u. A weak one that failed though the values agree: success 2.
    matchpoint_exchange,
    /// A block that malloc and the like have returned. order u, place, address u, size u.
    matchpoint_alloc,
    /// order u, place, address u. The address has to be one of the program's blocks, or 0.
    matchpoint_free,
    /// Memory that something outside has written, as one store of what is there now. event. place, address u, size
    /// u, bytes (as many), and the turns of its cells: n u, then n pairs: how many cells from the first u, turn u.
    matchpoint_outside,
    /// What some records of this thread have in common. number u (not 0; of the whole run), kind u, and then as of
    /// the kind:
    ///
    ///     loads, stores     place, flags u, size u. The flags say nothing of turns, old bytes and addresses, and a
    ///                       short record has none of these. If they have matchpoint_is_concrete, reason u
    ///     branches          place, asserts u, and operations, or 0 for none
    ///     concrete values   place, reason u
    ///     operations        n u, from 1 to 64, and for each operator u, flags u, width u, to u (only casts), and what
    ///                       its operands are: u: 0 each record says it; 1 a constant, value s; k + 2 operation k of
    ///                       these, from 0, before this one
    matchpoint_form,
    /// The short records before this one are read again. Two numbers of four bytes, least byte first: how many bytes
    /// they have, and how many records follow here. They are taken in their order, and after the last one from the
    /// first one on.
    matchpoint_again,

    // ---- synchronisation --------------------------------------------------------------------------------------------

    /// Each is an event and has: place, object u (its address), order u; and then as said.
    matchpoint_create = 32, // thread u (that was created); the object is 0, and the order, too
    matchpoint_join,        // thread u; the same
    matchpoint_exit,        // the thread has returned or called pthread_exit; the same
    matchpoint_lock,       // a mutex is taken. kind u: 0 normal, 1 recursive, 2 error-checking, 3 a spin lock; depth u,
                           // which it had before; tried u (1: by trylock or with a time limit)
    matchpoint_lock_fails, // trylock found it taken, or a timed one ran out: timed u
    matchpoint_lock_error, // code u: EDEADLK, ...
    matchpoint_unlock,     // depth u after
    matchpoint_unlock_error, // code u: EPERM
    matchpoint_read_lock,    // of a read-write lock. tried u
    matchpoint_read_fails,   // timed u
    matchpoint_write_lock,   // tried u
    matchpoint_write_fails,  // timed u
    matchpoint_rw_unlock,    // writes u: whether it was held for writing
    matchpoint_wait_begins,  // of a condition variable: mutex u (its address), order of the mutex u, timed u
    matchpoint_wait_ends,    // mutex u, order of the mutex u, outcome u: 0 signalled, 1 its time has passed
    matchpoint_signal,
    matchpoint_broadcast,
    matchpoint_sem_init,  // value u
    matchpoint_sem_wait,  // tried u
    matchpoint_sem_fails, // timed u
    matchpoint_sem_post,
    matchpoint_barrier_init,    // count u
    matchpoint_barrier_arrives, //
    matchpoint_barrier_leaves,  // is_serial u: it got PTHREAD_BARRIER_SERIAL_THREAD
    matchpoint_once_begins,     // this thread runs the function
    matchpoint_once_ends,
    matchpoint_once_passes, // it has been run
    matchpoint_destroy,     // what u (the kind of the record that takes it: matchpoint_lock, ...)
    /// The thread is about to wait in one that comes: what u (the kind of that record). Only before a call that does
    /// wait; so the last record of a thread that is stuck. No event. The object of a join is the number of the
    /// thread.
    matchpoint_awaits,

    // ---- the end ----------------------------------------------------------------------------------------------------

    /// The process ends: exit or _exit was called, or main has returned, and what comes after that is done. code u.
    matchpoint_end = 96,
    /// It has failed. place, how u (enum matchpoint_failure), text.
    matchpoint_failed,
    /// What the recording does not have. place, function text, why text.
    matchpoint_gap,
};

enum {
    matchpoint_short = 128,          // the first byte of short records has this bit
    matchpoint_most_operations = 64, // of a form
};

enum matchpoint_access {
    matchpoint_atomic = 1,     // and sequentially consistent
    matchpoint_weak_order = 2, // atomic with a weaker order
    matchpoint_new_turn = 4,
    matchpoint_new_second_turn = 8,
    matchpoint_has_old = 16,
    matchpoint_is_local = 32,     // memory of this thread alone, as the pass has proved: it has no turns
    matchpoint_has_address = 64,  // the address depends on a node
    matchpoint_is_concrete = 128, // only of the form of a load: its value is concrete at once
};

enum matchpoint_update {
    matchpoint_exchanged = 1,
    matchpoint_added,
    matchpoint_subtracted,
    matchpoint_anded,
    matchpoint_ored,
    matchpoint_xored,
    matchpoint_nanded,
    matchpoint_signed_max,
    matchpoint_signed_min,
    matchpoint_unsigned_max,
    matchpoint_unsigned_min,
};

enum matchpoint_reason {
    matchpoint_of_operation = 1, // bits, floats, shifts
    matchpoint_of_address,       // of a block that is allocated, copied, or passed on
    matchpoint_of_size,
    matchpoint_of_call,         // an argument of a function that the pass has not compiled
    matchpoint_of_pointer_call, // the function itself
    matchpoint_of_gcc,          // what code reads that GCC has compiled
};

enum matchpoint_failure {
    matchpoint_assertion = 1, // __assert_fail
    matchpoint_abort,
    matchpoint_exit_code, // exit with another code than 0 in a branch that asserts
    matchpoint_terminate, // std::terminate
    matchpoint_crash,     // a signal
};

/// What events may be in the schedule of a replay, as bits.
enum matchpoint_replayed {
    matchpoint_replayed_load = 1,
    matchpoint_replayed_store = 2,
    matchpoint_replayed_update = 4,
    matchpoint_replayed_branch = 8,
    matchpoint_replayed_create = 16,
    matchpoint_replayed_join = 32,
    matchpoint_replayed_object = 64, // of synchronisation
    matchpoint_replayed_outside = 128,
};
