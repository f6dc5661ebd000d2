// What the parts of the runtime share: a thread, its file, and the fields of records. record/threads/format.h says
// what they mean.
//
// The runtime is at work in a thread while `self.inside` is not 0. What the program does then (a signal handler, an
// allocation of the runtime) is not recorded, so the runtime never waits for itself.
#pragma once

#include "../format.h"
#include "compiled.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

enum {
    max_record = 1 << 16, // longer ones do not occur
    max_text = 4096,      // longer ones are cut
    concretised_nodes = 256,
    last_addresses = 64,
};

/// A set of numbers: bits.
struct number_set {
    uint64_t* bits;
    size_t words;
};

/// The last short record whose form has a number with the same lowest six bits.
struct last_short {
    uint32_t form;    // a form that the file has; 0 if it is not known to have one
    uint64_t address; // of the last access
    uint8_t* at;      // the record; null if the window does not have it, or it is not as short as that
    // The last record of a load that was up to seven bytes, and its difference: mostly the next one is the same.
    uint64_t difference, bytes;
    uint32_t size; // 0 if there was none
};

/// Short records that are the same as earlier ones (forms.c).
struct repetition {
    uint8_t* source; // what the next one is compared with; null if there is nothing
    uint8_t* end;    // where it begins if it follows the last one that was compared
    uint8_t* again;  // the record that counts the repetitions; null as long as they are written
    uint32_t same;   // bytes that were the same so far
};

struct thread {
    uint8_t* at;    // where the next record begins
    uint8_t* limit; // of records; after it is room for last words
    uint8_t* window;
    int file; // -1 if there is none
    uint32_t number;
    uint32_t nodes;
    // The next ones are looked at together (enter_quickly).
    int volatile inside;
    bool writes;                             // this thread is recorded
    bool is_replayed;                        // from its beginning on
    bool has_ended;                          // its file is closed, and has all of it
    bool has_pending;                        // accesses of code that GCC has compiled (gcc.c)
    struct site* volatile site;              // of the access that is done
    struct number_set places, forms;         // that the file has
    uint32_t events;                         // that it has written
    uint32_t next_step, last_step;           // of a replay (replay.h)
    bool has_turn;                           // of a replay: from before an event until it is done
    uint32_t concretised[concretised_nodes]; // nodes that were made concrete last
    struct last_short lasts[last_addresses];
    struct repetition repetition;
    uint64_t* said; // turns of several threads in which this one has a part (cells.h); some of them are forgotten
};
/// The declaration says that it is near: each access would call a function of the C library without.
extern __thread struct thread self __attribute__((tls_model("initial-exec"), visibility("hidden")));

// ---- log.c ----------------------------------------------------------------------------------------------------------

/// The folder of the run. Null if nothing is recorded.
extern char const* record_folder;

/// Opens the file of this thread, which has this number.
void open_log(uint32_t number);
/// Writes what is in the window.
void close_log(void);
/// For one that was closed.
void open_log_again(void);
/// The thread, and a child process that shares its file, no longer writes.
void leave_log(void);

/// Room for a record of up to `size` bytes, which is not more than max_record. Null if the disk is full.
uint8_t* begin_record(size_t size);
/// Writes the first byte of the record that ends at `end`.
void end_record(uint8_t* begin, enum matchpoint_record kind, uint8_t* end);

static inline uint8_t* put_u(uint8_t* at, uint64_t n) {
    while (n >= 0x80) {
        *at++ = (uint8_t)(n | 0x80);
        n >>= 7;
    }
    *at++ = (uint8_t)n;
    return at;
}

static inline uint8_t* put_s(uint8_t* at, int64_t n) {
    return put_u(at, ((uint64_t)n << 1) ^ (n < 0 ? UINT64_MAX : 0));
}

/// At most max_text bytes.
uint8_t* put_text(uint8_t* at, char const* text);

/// The signed number that the lowest `bits` bits are; one bit is 0 or 1.
static inline int64_t signed_value(uint64_t value, unsigned bits) {
    if (bits == 1) return (int64_t)(value & 1);
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static inline bool is_known(struct number_set const* set, uint32_t number) {
    return number / 64 < set->words && (set->bits[number / 64] >> number % 64 & 1) != 0;
}

/// The number of the place, which the file has then. 0 if none is known.
uint32_t place_of(struct site* site);

/// Writes a form record. False if the disk is full.
bool describe(struct form* form);

/// Room for a short record of this form, whose fields have up to `size` bytes. They begin at *fields.
static inline uint8_t* begin_short(struct form* form, size_t size, uint8_t** fields) {
    enum { most_of_form = 8 };
    if (!is_known(&self.forms, __atomic_load_n(&form->number, __ATOMIC_RELAXED)) && !describe(form)) return NULL;
    uint8_t* const begin = self.at + size + most_of_form <= self.limit ? self.at : begin_record(size + most_of_form);
    if (begin != NULL) *fields = put_u(begin + 1, form->number >> 6);
    return begin;
}

/// Writes its first byte.
static inline void end_short(uint8_t* begin, struct form const* form, uint8_t* end, uint32_t events) {
    *end = 0;
    __asm__ volatile("" ::: "memory");
    *begin = (uint8_t)(matchpoint_short | (form->number & 63));
    self.at = end;
    self.events += events;
}

/// What the recording lacks; once for each text.
void gap(struct site* site, char const* function, char const* why);

/// The program has failed. Safe in a signal handler.
void write_failure(struct site* site, enum matchpoint_failure how, char const* text);

/// Memory that is not the program's. Without any the process ends.
void* own_memory(size_t size);

// ---- gcc.c ----------------------------------------------------------------------------------------------------------

/// Whether code that GCC has compiled is recorded.
extern bool has_code_of_gcc __attribute__((visibility("hidden")));
/// The accesses that the thread has pending are done. The thread is inside.
void end_pending(void);
/// A call returns to there: its place is that of the call that the program does, if that is code that is recorded.
void note_caller(void const* return_address);

/// Whether what follows is to be recorded. If so the thread is inside until leave(). Inlined, as it looks from where
/// its function was called.
static inline __attribute__((always_inline)) bool enter(void) {
    if (!self.writes || self.inside != 0) return false;
    self.inside = 1;
    __asm__ volatile("" ::: "memory");
    if (__builtin_expect(self.has_pending, false)) end_pending();
    if (__builtin_expect(has_code_of_gcc, false)) note_caller(__builtin_return_address(0));
    return true;
}

/// The turn of a replay is given on, if what has it is done.
void end_turn_now(void);

/// What follows in the window is not compared with what it had before.
static inline void forget_repetition(void) {
    self.repetition = (struct repetition){NULL, NULL, NULL, 0};
    for (unsigned i = 0; i < last_addresses; ++i) self.lasts[i].at = NULL;
}

static inline void leave(void) {
    if (self.has_turn) end_turn_now();
    __asm__ volatile("" ::: "memory");
    self.inside = 0;
}

// ---- cells.c --------------------------------------------------------------------------------------------------------

/// The block is new: nothing that its bytes were is of interest.
void begin_block(uintptr_t address, size_t size);
/// Whether a block begins there; no longer so afterwards.
bool end_block(uintptr_t address);

// ---- modules.c ------------------------------------------------------------------------------------------------------

/// Whether no write to the address is possible.
bool is_read_only(uintptr_t address);
void write_modules(void);
/// The code at the address is compiled for recording. The thread is inside.
void note_compiled(uintptr_t address);
/// The place of a call that returns to there. Null if the code there is not compiled for recording.
struct site* site_of_call(uintptr_t address);

// ---- threads.c, ends.c ----------------------------------------------------------------------------------------------

void begin_threads(void);
/// Threads that are created get numbers from this one.
void number_threads_from(uint32_t number);
/// How many have not ended, with main.
uint32_t threads_alive(void);
