// Code that GCC has compiled with -fsanitize=thread calls these functions in place of those of ThreadSanitizer. Its
// values have no nodes: what it reads is concrete.
//
// It calls the runtime before each access, and does the access itself: so that is known to be done only at the next
// event of the thread. Until then the access is *pending*: its cells are locked, and its record is not written.
// Before GCC's code copies a structure, it says what it reads and then what it writes: these are pending together. So
// that threads with several locked cells do not wait for each other, only one thread has pending accesses, the one that
// has the baton. If it waits in a system call, its accesses are done, and a thread that wants the baton ends them.
//
// In a replay the order is that of the schedule. There is no baton then, and a read is done when the next access
// begins.
#define _GNU_SOURCE
#include "cells.h"
#include "objects.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_pending = 64, room_for_pending = 256, spins = 200, fair_rounds = 64 };

bool has_code_of_gcc;

/// The accesses of a thread that are pending.
struct pending {
    struct thread* thread;
    pid_t task;
    unsigned n;
    struct one {
        struct access access;
        uint32_t place;
        bool stores;
    } all[most_pending];
};
static struct pending of_baton;            // of the thread that has the baton
static __thread struct pending* of_replay; // of each thread of a replay

// The baton: 0 if it is free; else a number that no other pending accesses have, and these bits.
enum { is_published = 1, is_busy = 2, first_number = 4 };
static uint64_t baton, numbers;
static uint32_t waiting, rounds;
static __thread uint64_t own_baton; // the number, without bits

// ---- places ---------------------------------------------------------------------------------------------------------

enum { sites = 1 << 16 };
static struct place_of_code {
    uintptr_t address; // where the call returns to; 0 if the entry is free
    struct site* site; // null if the code is not compiled for recording
} places[sites];
static char places_lock;

static struct site* site_of_code(uintptr_t address) {
    size_t at = (address * 0x9E3779B97F4A7C15U >> 32) % sites;
    for (unsigned tried = 0; tried < 64; ++tried, at = (at + 1) % sites) {
        uintptr_t known = __atomic_load_n(&places[at].address, __ATOMIC_ACQUIRE);
        if (known == address) return places[at].site;
        if (known != 0) continue;
        while (__atomic_test_and_set(&places_lock, __ATOMIC_ACQUIRE)) sched_yield();
        bool const is_free = places[at].address == 0;
        if (is_free) {
            places[at].site = site_of_call(address);
            __atomic_store_n(&places[at].address, address, __ATOMIC_RELEASE);
        }
        __atomic_clear(&places_lock, __ATOMIC_RELEASE);
        if (is_free || places[at].address == address) return places[at].site;
    }
    return NULL;
}

/// The same of code that has called one of GCC's functions below. The thread is inside.
static struct site* site_of_gcc(void const* caller) {
    uintptr_t const address = (uintptr_t)caller;
    struct site* const known = site_of_code(address);
    if (known != NULL) return known;
    note_compiled(address);
    struct site* const made = site_of_call(address);
    for (size_t at = 0; at < sites; ++at) // what was asked for before that was known
        if (__atomic_load_n(&places[at].address, __ATOMIC_ACQUIRE) != 0 && places[at].site == NULL)
            places[at].site = site_of_call(places[at].address);
    return made;
}

void note_caller(void const* return_address) {
    struct site* const site = site_of_code((uintptr_t)return_address);
    if (site != NULL) __matchpoint_passed.site = site;
}

// ---- what is pending ------------------------------------------------------------------------------------------------

static void write_concrete_load(struct thread* t, struct one* p) {
    uint64_t const value = p->access.before;
    int64_t const number = signed_value(value, 8 * p->access.size);
    uint8_t* begin = t->at;
    uint8_t* at = put_access(begin + 1, &p->access, p->place, 0, false);
    at = put_s(at, number);
    *at = 0;
    __asm__ volatile("" ::: "memory");
    *begin = matchpoint_load;
    ++t->nodes;
    begin = at;
    at = put_s(put_u(put_u(begin + 1, p->place), t->nodes), number);
    at = put_u(at, matchpoint_of_gcc);
    *at = 0;
    __asm__ volatile("" ::: "memory");
    *begin = matchpoint_concrete;
    t->at = at;
    t->events += 2;
    end_access(&p->access, value);
}

static void write_done_store(struct thread* t, struct one* p) {
    uint64_t const value = bytes_at(p->access.address, p->access.size);
    uint8_t* const begin = t->at;
    uint8_t* at = put_access(begin + 1, &p->access, p->place, 0, true);
    at = put_s(put_u(at, 0), signed_value(value, 8 * p->access.size));
    *at = 0;
    __asm__ volatile("" ::: "memory");
    *begin = matchpoint_store;
    t->at = at;
    ++t->events;
    end_access(&p->access, value);
}

/// By whatever thread. There is room in the window.
static void write_pending(struct pending* all) {
    for (unsigned i = 0; i < all->n; ++i)
        (all->all[i].stores ? write_done_store : write_concrete_load)(all->thread, &all->all[i]);
    all->n = 0;
}

static void give_baton(void) {
    __atomic_store_n(&baton, 0, __ATOMIC_RELEASE);
    if (__atomic_load_n(&waiting, __ATOMIC_RELAXED) == 0 || ++rounds < fair_rounds) return;
    rounds = 0;
    for (int i = 0; i < spins && __atomic_load_n(&baton, __ATOMIC_RELAXED) == 0; ++i) sched_yield();
}

void end_pending(void) {
    self.has_pending = false;
    if (own_baton == 0) {
        if (of_replay != NULL) write_pending(of_replay);
        if (self.has_turn) end_turn_now();
        return;
    }
    // Another thread may end it just now, or has done so.
    uint64_t mine = own_baton | is_published;
    while (
        !__atomic_compare_exchange_n(&baton, &mine, own_baton | is_busy, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        if ((mine & ~(uint64_t)(is_published | is_busy)) != own_baton) {
            own_baton = 0;
            return;
        }
        mine = own_baton | is_published;
        sched_yield();
    }
    own_baton = 0;
    write_pending(&of_baton);
    give_baton();
}

/// Whether the thread waits in a system call. False if that is not known.
static bool is_in_system_call(pid_t task) {
    char name[64], text[16];
    snprintf(name, sizeof name, "/proc/self/task/%d/syscall", task);
    int const file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t const n = read(file, text, sizeof text);
    close(file);
    return n > 0 && text[0] >= '0' && text[0] <= '9'; // else "running", or -1 in a page fault
}

/// If the thread that has the baton waits, ends what it has pending, and takes the baton.
static bool take_from_waiting(uint64_t number) {
    uint64_t held = __atomic_load_n(&baton, __ATOMIC_ACQUIRE);
    if (held == 0 || (held & is_published) == 0) return false;
    pid_t const task = __atomic_load_n(&of_baton.task, __ATOMIC_RELAXED);
    // If the baton is the same afterwards, the thread was there with it.
    if (!is_in_system_call(task)) return false;
    uint64_t const busy = (held & ~(uint64_t)is_published) | is_busy;
    if (!__atomic_compare_exchange_n(&baton, &held, busy, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return false;
    write_pending(&of_baton);
    __atomic_store_n(&baton, number | is_busy, __ATOMIC_RELEASE);
    return true;
}

static void take_baton(void) {
    uint64_t const number = __atomic_add_fetch(&numbers, first_number, __ATOMIC_RELAXED);
    uint64_t none = 0;
    own_baton = number;
    if (__atomic_compare_exchange_n(&baton, &none, number | is_busy, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
    __atomic_add_fetch(&waiting, 1, __ATOMIC_RELAXED);
    for (unsigned tried = 1;; ++tried) {
        none = 0;
        if (__atomic_compare_exchange_n(&baton, &none, number | is_busy, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            break;
        if (tried % spins == 0 && take_from_waiting(number)) break;
        sched_yield();
    }
    __atomic_sub_fetch(&waiting, 1, __ATOMIC_RELAXED);
}

/// Where the next access of this thread goes. It has the baton, unless this is a replay.
static struct pending* own_pending(void) {
    if (!self.is_replayed) {
        if (own_baton == 0) take_baton();
        return &of_baton;
    }
    if (of_replay == NULL) of_replay = own_memory(sizeof *of_replay);
    return of_replay;
}

/// The access comes: up to eight bytes.
static void begin_pending(struct pending* all, struct site* site, uint32_t place, uintptr_t address, unsigned size,
                          bool stores) {
    struct one* const p = &all->all[all->n];
    enum matchpoint_replayed const what = stores ? matchpoint_replayed_store : matchpoint_replayed_load;
    if (!begin_access(&p->access, what, site, address, size)) return;
    p->place = place;
    p->stores = stores;
    ++all->n;
}

/// Whether all are reads, and of other cells than these bytes: what is read there is read before it is written.
static bool has_reads_elsewhere(struct pending const* all, uintptr_t address, uint64_t size) {
    bool is = all->n < most_pending / 2;
    for (unsigned i = 0; i < all->n && is; ++i) {
        struct access const* const a = &all->all[i].access;
        uintptr_t const begin = a->address / cell_bytes, end = (a->address + a->size - 1) / cell_bytes;
        is = !all->all[i].stores && (end < address / cell_bytes || begin > (address + size - 1) / cell_bytes);
    }
    return is;
}

/// The thread is inside.
static void publish(struct pending* all) {
    self.has_pending = all->n > 0;
    all->thread = &self;
    if (own_baton == 0) return;
    if (all->n == 0) {
        own_baton = 0;
        give_baton();
        return;
    }
    static __thread pid_t task;
    if (task == 0) task = (pid_t)syscall(SYS_gettid);
    __atomic_store_n(&all->task, task, __ATOMIC_RELAXED);
    __atomic_store_n(&baton, own_baton | is_published, __ATOMIC_RELEASE);
}

/// What was read last stays pending if this is a store: GCC says both before it copies a structure.
static bool goes_on_with_read(uintptr_t address, uint64_t size, bool stores) {
    if (!stores || own_baton == 0) return false;
    uint64_t mine = own_baton | is_published;
    if (!__atomic_compare_exchange_n(&baton, &mine, own_baton | is_busy, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return false;
    if (has_reads_elsewhere(&of_baton, address, size)) return true;
    __atomic_store_n(&baton, own_baton | is_published, __ATOMIC_RELEASE);
    return false;
}

/// How many bytes come next of such an access: as much as is aligned, so that parts are in different cells.
static unsigned next_part(uintptr_t address, uint64_t left) {
    if (left <= 8 && (left & (left - 1)) == 0) return (unsigned)left;
    unsigned n = 8;
    while (n > left || address % n != 0) n /= 2;
    return n;
}

static void access_of_gcc(void const* return_address, uintptr_t address, uint64_t size, bool stores) {
    if (!self.writes || self.inside != 0) return;
    self.inside = 1;
    struct site* const site = site_of_gcc(return_address);
    if (self.has_pending && !goes_on_with_read(address, size, stores)) end_pending();
    struct pending* const all = own_pending();
    uint32_t const place = place_of(site);
    uintptr_t last = 0; // the cell of the part before, and one
    for (uint64_t done = 0; done < size && begin_record(most_pending * room_for_pending) != NULL;) {
        uintptr_t const at = address + done;
        unsigned const n = next_part(at, size - done);
        bool const is_locked = at / cell_bytes + 1 == last;
        if (is_locked || all->n == most_pending) {
            gap(site, "GCC",
                is_locked ? "an access of a size that is not recorded" : "a structure that is too large is copied");
            break;
        }
        begin_pending(all, site, place, at, n, stores);
        last = (at + n - 1) / cell_bytes + 1;
        done += n;
    }
    publish(all);
    self.inside = 0;
}

// ---- what GCC calls -------------------------------------------------------------------------------------------------

#define CALLER __builtin_return_address(0)

EXPORT void __tsan_init(void);
void __tsan_init(void) {
    __atomic_store_n(&has_code_of_gcc, true, __ATOMIC_RELAXED);
    __matchpoint_begin_module(CALLER);
}

EXPORT void __tsan_func_entry(void* caller);
void __tsan_func_entry(void* caller) {
    (void)caller;
    if (!enter()) return;
    __matchpoint_passed.site = site_of_gcc(CALLER);
    leave();
}
EXPORT void __tsan_func_exit(void);
void __tsan_func_exit(void) {
    if (self.has_pending && enter()) leave();
}

#define ACCESS(name, size, stores)                                                                                     \
    EXPORT void name(void* address);                                                                                   \
    void name(void* address) { access_of_gcc(CALLER, (uintptr_t)address, size, stores); }
#define ACCESSES(size)                                                                                                 \
    ACCESS(__tsan_read##size, size, false)                                                                             \
    ACCESS(__tsan_write##size, size, true)                                                                             \
    ACCESS(__tsan_unaligned_read##size, size, false)                                                                   \
    ACCESS(__tsan_unaligned_write##size, size, true)                                                                   \
    ACCESS(__tsan_volatile_read##size, size, false)                                                                    \
    ACCESS(__tsan_volatile_write##size, size, true)                                                                    \
    ACCESS(__tsan_unaligned_volatile_read##size, size, false)                                                          \
    ACCESS(__tsan_unaligned_volatile_write##size, size, true)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

EXPORT void __tsan_read_range(void* address, uint64_t size);
void __tsan_read_range(void* address, uint64_t size) { access_of_gcc(CALLER, (uintptr_t)address, size, false); }
EXPORT void __tsan_write_range(void* address, uint64_t size);
void __tsan_write_range(void* address, uint64_t size) { access_of_gcc(CALLER, (uintptr_t)address, size, true); }

// ---- what has no words ----------------------------------------------------------------------------------------------

/// The pass says so of code that Clang has compiled.
static void gap_of_gcc(void const* caller, char const* function, char const* why) {
    if (!has_code_of_gcc || site_of_code((uintptr_t)caller) == NULL || !enter()) return;
    gap(site_of_code((uintptr_t)caller), function, why);
    leave();
}

static char const channel[] = "what goes through it orders threads, which is not recorded";
static char const openmp[] = "synchronisation within the runtime of OpenMP is not recorded";

EXPORT int pipe(int ends[2]) {
    gap_of_gcc(CALLER, "pipe", channel);
    return REAL(pipe)(ends);
}
EXPORT int pipe2(int ends[2], int flags) {
    gap_of_gcc(CALLER, "pipe2", channel);
    return REAL(pipe2)(ends, flags);
}
EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) {
    gap_of_gcc(CALLER, "socketpair", channel);
    return REAL(socketpair)(domain, type, protocol, ends);
}
EXPORT int sigaction(int signal, struct sigaction const* wanted, struct sigaction* before) {
    if (wanted != NULL) gap_of_gcc(CALLER, "sigaction", "when a handler of signals runs is not recorded");
    return REAL(sigaction)(signal, wanted, before);
}
EXPORT sighandler_t signal(int number, sighandler_t handler) {
    if (handler != SIG_DFL && handler != SIG_IGN)
        gap_of_gcc(CALLER, "signal", "when a handler of signals runs is not recorded");
    return REAL(signal)(number, handler);
}

void GOMP_parallel(void (*region)(void*), void* data, unsigned threads, unsigned flags);
EXPORT void GOMP_parallel(void (*region)(void*), void* data, unsigned threads, unsigned flags) {
    gap_of_gcc(CALLER, "GOMP_parallel", openmp);
    REAL(GOMP_parallel)(region, data, threads, flags);
}

/// Tables of virtual functions are not recorded, as with Clang.
EXPORT void __tsan_vptr_update(void** at, void* value);
void __tsan_vptr_update(void** at, void* value) {
    (void)at;
    (void)value;
}
EXPORT void __tsan_vptr_read(void** at);
void __tsan_vptr_read(void** at) { (void)at; }

// ---- atomic accesses ------------------------------------------------------------------------------------------------

static uint32_t how_of(unsigned size, int order, uint32_t op) {
    uint32_t const flags = order == __ATOMIC_SEQ_CST ? matchpoint_atomic : matchpoint_weak_order;
    return size | flags << size_bits | op << (size_bits + flag_bits);
}

/// The place of the call. What is pending is done, and nobody else has anything pending until end_atomic().
static struct site* begin_atomic(void const* caller) {
    if (!enter()) return NULL;
    struct site* const site = site_of_gcc(caller);
    if (!self.is_replayed) take_baton();
    leave();
    return site;
}

static void end_atomic(void) {
    if (own_baton == 0) return;
    own_baton = 0;
    give_baton();
}

static uint64_t concrete(struct site* site, struct read r, unsigned size) {
    __matchpoint_concrete(site, (uint32_t)r.node, r.value, matchpoint_of_gcc | 8 * size << 8);
    end_atomic();
    return r.value;
}

#define UPDATE(bits, type, name, op)                                                                                   \
    EXPORT type __tsan_atomic##bits##_##name(type volatile* at, type value, int order);                                \
    type __tsan_atomic##bits##_##name(type volatile* at, type value, int order) {                                      \
        struct site* const site = begin_atomic(CALLER);                                                                \
        struct read const r =                                                                                          \
            __matchpoint_update(site, (void*)(uintptr_t)at, how_of(sizeof(type), order, op), 0, (uint64_t)value, 0);   \
        return (type)concrete(site, r, sizeof(type));                                                                  \
    }
#define EXCHANGE(bits, type, name)                                                                                     \
    EXPORT int __tsan_atomic##bits##_##name(type volatile* at, type* expected, type value, int order, int failing);    \
    int __tsan_atomic##bits##_##name(type volatile* at, type* expected, type value, int order, int failing) {          \
        (void)failing;                                                                                                 \
        struct site* const site = begin_atomic(CALLER);                                                                \
        struct read const r = __matchpoint_exchange(site, (void*)(uintptr_t)at, how_of(sizeof(type), order, 0), 0,     \
                                                    (uint64_t)*expected, 0, (uint64_t)value, 0);                       \
        type const old = (type)concrete(site, r, sizeof(type));                                                        \
        int const is_done = old == *expected;                                                                          \
        *expected = old;                                                                                               \
        return is_done;                                                                                                \
    }
#define ATOMIC(bits, type)                                                                                             \
    EXPORT type __tsan_atomic##bits##_load(type const volatile* at, int order);                                        \
    type __tsan_atomic##bits##_load(type const volatile* at, int order) {                                              \
        struct site* const site = begin_atomic(CALLER);                                                                \
        struct read const r = __matchpoint_load(site, (void const*)(uintptr_t)at, how_of(sizeof(type), order, 0), 0);  \
        return (type)concrete(site, r, sizeof(type));                                                                  \
    }                                                                                                                  \
    EXPORT void __tsan_atomic##bits##_store(type volatile* at, type value, int order);                                 \
    void __tsan_atomic##bits##_store(type volatile* at, type value, int order) {                                       \
        struct site* const site = begin_atomic(CALLER);                                                                \
        __matchpoint_store(site, (void*)(uintptr_t)at, how_of(sizeof(type), order, 0), 0, (uint64_t)value, 0);         \
        end_atomic();                                                                                                  \
    }                                                                                                                  \
    UPDATE(bits, type, exchange, matchpoint_exchanged)                                                                 \
    UPDATE(bits, type, fetch_add, matchpoint_added)                                                                    \
    UPDATE(bits, type, fetch_sub, matchpoint_subtracted)                                                               \
    UPDATE(bits, type, fetch_and, matchpoint_anded)                                                                    \
    UPDATE(bits, type, fetch_or, matchpoint_ored)                                                                      \
    UPDATE(bits, type, fetch_xor, matchpoint_xored)                                                                    \
    UPDATE(bits, type, fetch_nand, matchpoint_nanded)                                                                  \
    EXCHANGE(bits, type, compare_exchange_strong)                                                                      \
    EXCHANGE(bits, type, compare_exchange_weak)
ATOMIC(8, int8_t)
ATOMIC(16, int16_t)
ATOMIC(32, int32_t)
ATOMIC(64, int64_t)

EXPORT void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
EXPORT void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order) { (void)order; }
