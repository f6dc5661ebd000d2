"""All small programs of threads that call mutexes, condition variables and barriers, in the form of tests/threads/naive_posix.py."""

from itertools import combinations_with_replacement, product

WAITS = ("wait", "spurious", "woken", "timed out")


class Family:
    """Programs that differ in what their threads call, and what else the models have to know of them."""

    def __init__(self, name, programs, mutexes=1, conditions=1, barriers=()):
        self.name, self.programs = name, programs
        self.objects = {"mutexes": mutexes, "conditions": conditions, "barriers": barriers}


def bodies(calls, mutexes, last_held=()):
    """What a thread can do in up to so many calls: nothing that is undefined, and it gives back what it has locked. Condition
    variable c belongs to mutex c."""
    if not last_held:
        yield ()
    if not calls:
        return
    for mutex in range(mutexes):
        if mutex in last_held:
            rest = tuple(m for m in last_held if m != mutex)
            steps = [(("unlock", mutex), rest), *(((wait, mutex, mutex), last_held) for wait in WAITS)]
        else:
            steps = [(("lock", mutex), (*last_held, mutex))]
        steps += [(("signal", mutex), last_held), (("broadcast", mutex), last_held)]
        for call, held in steps:
            if len(held) < calls:
                yield from ((call, *more) for more in bodies(calls - 1, mutexes, held))


def noted(body):
    """With a note wherever the thread has got a mutex: who reads the log knows in which order that was."""
    return tuple(c for call in body for c in ((call, ("note",)) if call[0] == "lock" or call[0] in WAITS else (call,)))


def call_by_call(threads, calls, mutexes=1):
    """Threads of up to so many calls each, with nothing between them; some thread waits, and some thread signals."""
    choice = [noted(body) for body in bodies(calls, mutexes) if body]
    for program in combinations_with_replacement(choice, threads):
        names = {call[0] for thread in program for call in thread}
        if names & {*WAITS} and names & {"signal", "broadcast"}:
            yield program


def piece(name, notes=0):
    """A part of a thread that looks before it signals, as real programs do: it knows who waits already."""
    if name in WAITS:
        return [("lock", 0), ("note",), (name, 0, 0), ("unlock", 0)]
    if not notes:
        return [(name, 0)]
    return [("lock", 0), ("look", notes), (name, 0), ("unlock", 0)]


def piece_by_piece(threads, pieces, alphabet):
    """Threads that have so many pieces together, each at least one."""
    for lengths in combinations_with_replacement(range(1, pieces + 1), threads):
        if sum(lengths) == pieces:
            for program in product(*(product(alphabet, repeat=length) for length in lengths)):
                if all(a <= b for a, b, n, m in zip(program, program[1:], lengths, lengths[1:]) if n == m):
                    yield tuple(tuple(call for p in thread for call in piece(*p)) for thread in program)


def events_in_order(kinds, waits, signals):
    """All orders in which threads can begin at most so many waits of these kinds, and at most so many signals and broadcasts, with some
    of each: the kind and the thread of each event. Threads are numbered as they come."""
    for length in range(2, waits + signals + 1):
        for names in product((*kinds, "signal", "broadcast"), repeat=length):
            if 1 <= sum(name in WAITS for name in names) <= waits and 1 <= sum(name not in WAITS for name in names) <= signals:
                yield from (tuple(zip(names, threads)) for threads in numbered(length))


def numbered(length):
    """All sequences in which each number follows a smaller one."""
    sequences = [(0,)]
    for _ in range(length - 1):
        sequences = [(*s, n) for s in sequences for n in range(max(s) + 2)]
    return sequences


def rounds(uses):
    """Threads that use a barrier so often each."""
    return tuple((("barrier", 0), ("note",)) * n for n in uses)


def families():
    """With each, of how many programs one is enough for a run of the tests."""
    alphabet = [(wait,) for wait in WAITS] + [(how, notes) for how in ("signal", "broadcast") for notes in range(4)]
    few = [("wait",), ("timed out",), ("signal", 0), ("signal", 2), ("signal", 3)]
    fewer = [("wait",), ("signal", 0), ("signal", 2)]
    yield Family("two threads, call by call", call_by_call(2, 5)), 2503
    yield Family("three threads, call by call", call_by_call(3, 3)), 53
    yield Family("two threads, two condition variables", call_by_call(2, 4, 2), mutexes=2, conditions=2), 2503
    yield Family("two threads, piece by piece", pieces(2, (2, 3, 4), alphabet)), 701
    yield Family("three threads, piece by piece", pieces(3, (3, 4), alphabet)), 241
    yield Family("two threads, more pieces", pieces(2, (5, 6), few)), 1009
    yield Family("three threads, more pieces", pieces(3, (5,), few)), 71
    yield Family("four waits and three signals", filter(four_and_three, pieces(3, (6, 7), fewer))), 31
    for count in (1, 2, 3):
        uses = (u for threads in (1, 2, 3, 4) for u in combinations_with_replacement(range(4), threads) if sum(u) <= 6)
        yield Family(f"a barrier of {count}", map(rounds, uses), barriers=(count,)), 7


def pieces(threads, numbers, alphabet):
    return (program for number in numbers for program in piece_by_piece(threads, number, alphabet))


def four_and_three(program):
    return (sum(thread.count(("wait", 0, 0)) for thread in program) <= 4 and
            sum(thread.count(("signal", 0)) for thread in program) <= 3)
