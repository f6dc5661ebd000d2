// Objects of synchronisation: what the runtime knows of each, and their records. The thread that has locked an
// object may ask the library to try something, never to wait: so the order of records is the order of what happened.
#pragma once

#include "replay.h"

#include <dlfcn.h>
#include <semaphore.h>

/// One thread that waits for a condition variable or at a barrier.
struct waiter {
    sem_t wakes;
    struct waiter* next;
    uint32_t order; // in a replay: its place in the order of the schedule; UINT32_MAX if it has none
    bool is_woken;
};

struct object {
    uintptr_t address;
    struct object* next;
    uint64_t order;   // of its last record
    uint32_t owner;   // of a mutex, or the writer: number of the thread from 1; 0 if there is none
    uint32_t depth;   // of a mutex
    uint32_t readers; // of a read-write lock
    uint32_t kind;    // of a mutex, as records have it
    int64_t count;    // of a semaphore or a barrier
    bool is_known;    // `count`
    bool is_shared;   // with other processes
    int clock;        // of a condition variable
    struct waiter *first, *last;
    uint32_t waiting; // at a barrier
};

/// Locks the object, which is made if it is new.
struct object* lock_object(void const* address);
void unlock_object(struct object* o);
/// Forgets all but the order.
void reset_object(struct object* o);

void add_waiter(struct object* o, struct waiter* w);
/// Wakes the one that came first, or that a schedule has first. Null if there is none.
struct waiter* wake_one(struct object* o);
bool remove_waiter(struct object* o, struct waiter* w);

/// A record about the object, with the next number of its order, and up to four fields.
void write_event(enum matchpoint_record kind, uint32_t place, struct object* o, unsigned n, uint64_t const* fields);
/// The same with any object and order.
void write_event_of(enum matchpoint_record kind, uint32_t place, uintptr_t address, uint64_t order, unsigned n,
                    uint64_t const* fields);
#define EVENT(kind, place, object, ...)                                                                                \
    write_event(kind, place, object, sizeof((uint64_t[]){0, __VA_ARGS__}) / sizeof(uint64_t) - 1,                      \
                (uint64_t[]){0, __VA_ARGS__} + 1)
void write_awaits(uint32_t place, uintptr_t address, enum matchpoint_record what);

/// The function of this name that comes after ours. `cache` keeps it.
void* real_function(void** cache, char const* name);
#define REAL(function)                                                                                                 \
    __extension__({                                                                                                    \
        static void* cache;                                                                                            \
        (__typeof__(&function))real_function(&cache, #function);                                                       \
    })

/// Waits for the turn of a replay of what the program does with the object.
static inline void await_object(void const volatile* address) {
    await_turn(matchpoint_replayed_object, __matchpoint_passed.site, (uintptr_t)address);
}

/// The place of the call that the program does.
static inline uint32_t place_of_call(void) { return place_of(__matchpoint_passed.site); }
static inline uint32_t own_number(void) { return self.number + 1; }

/// Lets others run, for a state that is about to change.
void give_way(void);
