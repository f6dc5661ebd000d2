"""A naive model of threads as POSIX has them: what its text says of each call, and every order in which calls can happen.

It is there to judge the patterns of docs/shared_memory.md, so it shares nothing with them: no tickets, no counters. A condition
variable is the set of the threads that are blocked on it, a barrier the set of those that have arrived, and a signal picks one
blocked thread, each in turn. It is Python so that it can be read beside the text (The Open Group Base Specifications, Issue 7,
pthread_cond_wait, pthread_cond_signal, pthread_barrier_wait), and so that no code of the tool is in it.

A program is a list of threads, a thread a list of calls:
    ("lock", m), ("unlock", m)
    ("wait", c, m)         pthread_cond_wait
    ("spurious", c, m)     the same; it may also wake up spuriously
    ("woken", c, m)        pthread_cond_timedwait that returned 0 on the recorded path
    ("timed out", c, m)    pthread_cond_timedwait that returned ETIMEDOUT there
    ("signal", c), ("broadcast", c)
    ("barrier", b)
    ("note",)              adds the thread to the log: what a program can tell of the order of events
    ("look", k)            on the recorded path the thread saw at least k notes, and did what it did for that reason

"At least one of the threads that are blocked" is one of them; should a system unblock two, the second one wakes up spuriously.
"""

from typing import NamedTuple


class State(NamedTuple):
    places: tuple    # of each thread, the number of its next call, or of the call in which it is
    owners: tuple    # of each mutex, the thread that has locked it, or None
    blocked: tuple   # of each condition variable, the threads that are blocked on it
    woken: frozenset  # threads inside a wait that have been unblocked and have to lock the mutex again
    arrived: tuple   # of each barrier, the threads that are blocked in it
    log: tuple


def changed(items, place, item):
    return items[:place] + (item,) + items[place + 1:]


def returned(state, *threads):
    """The state in which these threads have returned from their calls."""
    return state._replace(places=tuple(p + (t in threads) for t, p in enumerate(state.places)))


class Posix:
    def __init__(self, threads, mutexes=1, conditions=1, barriers=()):
        """`barriers` are their counts."""
        self.threads = threads
        self.counts = barriers
        self.initial = State((0,) * len(threads), (None,) * mutexes, (frozenset(),) * conditions, frozenset(),
                             (frozenset(),) * len(barriers), ())

    def steps(self, state):
        """What can happen next: a list of states."""
        return [after for thread in range(len(self.threads)) if (call := self.call(state, thread))
                for after in getattr(self, call[0].replace(" ", "_"))(state, thread, *call[1:])]

    def call(self, state, thread):
        place = state.places[thread]
        return self.threads[thread][place] if place < len(self.threads[thread]) else None

    # The mutex is locked until its owner unlocks it; who finds it locked is blocked.

    def lock(self, state, thread, mutex):
        if state.owners[mutex] is None:
            yield returned(state._replace(owners=changed(state.owners, mutex, thread)), thread)

    def unlock(self, state, thread, mutex):
        assert state.owners[mutex] == thread, "to unlock another's mutex is undefined"
        yield returned(state._replace(owners=changed(state.owners, mutex, None)), thread)

    # "These functions atomically release mutex and cause the calling thread to block on the condition variable cond."
    # "Upon successful return, the mutex shall have been locked and shall be owned by the calling thread."

    def wait(self, state, thread, condition, mutex):
        if thread in state.woken:
            yield from self.lock(state._replace(woken=state.woken - {thread}), thread, mutex)
        elif thread not in state.blocked[condition]:
            assert state.owners[mutex] == thread, "to wait without the mutex is undefined"
            blocked = state.blocked[condition] | {thread}
            yield state._replace(owners=changed(state.owners, mutex, None), blocked=changed(state.blocked, condition, blocked))

    # "Spurious wakeups from the pthread_cond_timedwait() or pthread_cond_wait() functions may occur."

    def spurious(self, state, thread, condition, mutex):
        yield from self.wait(state, thread, condition, mutex)
        if thread in state.blocked[condition]:
            yield self.unblocked(state, condition, {thread})

    # A timed wait that returned 0 was unblocked as any other one. In an execution in which nobody does so the time
    # passes, and it leaves the recorded path: `leaves_the_path` knows.

    woken = wait

    # "When such timeouts occur, pthread_cond_timedwait() shall nonetheless release and re-acquire the mutex referenced
    # by mutex, and may consume a condition signal directed concurrently at the condition variable." So it is unblocked
    # by the time that has passed, or by a signal, and has returned ETIMEDOUT all the same.

    timed_out = spurious

    # "The pthread_cond_signal() function shall unblock at least one of the threads that are blocked on the specified
    # condition variable cond (if any threads are blocked on cond)." "The pthread_cond_broadcast() function shall
    # unblock all threads currently blocked on the specified condition variable cond."

    def signal(self, state, thread, condition):
        for woken in state.blocked[condition]:
            yield returned(self.unblocked(state, condition, {woken}), thread)
        if not state.blocked[condition]:
            yield returned(state, thread)

    def broadcast(self, state, thread, condition):
        yield returned(self.unblocked(state, condition, state.blocked[condition]), thread)

    def unblocked(self, state, condition, threads):
        blocked = changed(state.blocked, condition, state.blocked[condition] - threads)
        return state._replace(blocked=blocked, woken=state.woken | threads)

    # "The calling thread shall block until the required number of threads have called pthread_barrier_wait() specifying
    # the barrier. When the required number of threads have called [it] ..., the barrier shall be reset to the state it
    # had as a result of the most recent pthread_barrier_init() function that referenced it."

    def barrier(self, state, thread, barrier):
        arrived = state.arrived[barrier] | {thread}
        if thread in state.arrived[barrier]:
            return
        if len(arrived) < self.counts[barrier]:
            yield state._replace(arrived=changed(state.arrived, barrier, arrived))
        else:
            yield returned(state._replace(arrived=changed(state.arrived, barrier, frozenset())), *arrived)

    def note(self, state, thread):
        yield returned(state._replace(log=state.log + (thread,)), thread)

    def look(self, state, thread, notes):
        if len(state.log) >= notes:
            yield returned(state, thread)

    def last_states(self):
        """All states in which nothing can happen."""
        found, left = {self.initial}, [self.initial]
        while left:
            state = left.pop()
            after = list(self.steps(state))
            if not after:
                yield state
            for s in after:
                if s not in found:
                    found.add(s)
                    left.append(s)

    def outcomes(self):
        """The logs of all runs in which every thread returned from its last call, and whether some run gets stuck."""
        last = list(self.last_states())
        logs = {state.log for state in last if not self.unfinished(state)}
        return logs, any(self.stuck(state) for state in last)

    def endings(self):
        """The places of the threads at the ends of all runs that do not leave the path: who waits for ever, and who has gone on."""
        return {state.places for state in self.last_states() if self.stuck(state) or not self.unfinished(state)}

    def unfinished(self, state):
        return [thread for thread in range(len(self.threads)) if self.call(state, thread)]

    def stuck(self, state):
        """Whether some thread has not finished, and all such threads wait for ever. None of them can do anything here."""
        unfinished = self.unfinished(state)
        return bool(unfinished) and not any(self.leaves_the_path(state, thread) for thread in unfinished)

    def leaves_the_path(self, state, thread):
        """Whether it sees too few notes, or the time of its wait passes: then it does what it did not do on the recorded path."""
        call = self.call(state, thread)
        return call[0] == "look" or (call[0] == "woken" and thread in state.blocked[call[1]])
