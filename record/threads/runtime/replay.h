// A replay: the threads do the events of a schedule (record/threads/replay.hpp writes it) in its order.
//
// The schedule has events of each thread. Those with a place in the order wait for their turn; `held` ones, and what it
// does not have, until all others are done; the rest are only compared with what the thread does. Then one
// thread may go first, and does an event alone. After that, or after the first difference, everybody goes on freely.
#pragma once

#include "state.h"

/// Reads the schedule. Does nothing if there is none.
void begin_replay(void);
/// The thread has its number.
void begin_replayed_thread(void);
/// It ends.
void end_replayed_thread(void);
/// Everybody goes on freely.
void end_replay(void);
/// The program exits: in a replay, the other threads do before what they still can.
void let_others_go_on(void);

/// Not 0 as long as turns are waited for.
extern uint32_t replay_is_on __attribute__((visibility("hidden")));

void await_turn_of(enum matchpoint_replayed what, struct site* site, uintptr_t address);
void end_turn_now(void);

/// The next event of this thread is this. Nothing is locked.
static inline void await_turn(enum matchpoint_replayed what, struct site* site, uintptr_t address) {
    if (__atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) != 0 && !self.has_turn) await_turn_of(what, site, address);
}
static inline bool needs_turn(void) { return __atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) != 0 && !self.has_turn; }

/// Called after it is written that a thread waits, or has ended: if it went first, others go on.
void goes_no_longer_first(void);
/// The program is about to end: waits until all that the schedule has is done, and another thread that goes first has
/// gone on.
void await_end(void);

/// The number of the thread that the next event creates; 0 if the schedule has none.
uint32_t planned_thread(void);
/// The place in the order of this thread's event that is `after` events from the next one; UINT32_MAX if it has
/// none. `without_signal`: a wait that ends there has had no signal.
uint32_t planned_order(uint32_t after, bool* without_signal);
/// Whether the thread, whose next event is that it leaves a barrier, gets PTHREAD_BARRIER_SERIAL_THREAD.
bool planned_serial(bool otherwise);
