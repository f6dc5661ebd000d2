#!/usr/bin/env python3
"""The tickets of docs/shared_memory.md against a naive model of what POSIX says of condition variables. A program is an order in which
threads begin waits, and signal: up to four waits, and three signals or broadcasts. Its runs have to end alike: the same threads wait for
ever, in the same waits, and the same ones go on. posix_patterns.py compares larger programs, by logs of what happened when, and
runs them with `check`; here a naive interpreter runs them, and all endings are compared.

A part of the programs; with MATCHPOINT_EVERY=1 all of them.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "cli"), str(Path(__file__).resolve().parent)]
from executions import Executions  # noqa: E402
from naive_posix import Posix, returned  # noqa: E402
from patterns import WAITS, Program  # noqa: E402
from small_programs import events_in_order  # noqa: E402
from support import part  # noqa: E402

#: A waits; a signal; C and D wait; a signal. If C and D could take both, A would wait for ever. traces/shared_memory/later_waiters.ctp
LATER_WAITERS = (("wait", 0), ("signal", 1), ("wait", 2), ("wait", 3), ("signal", 1))


class Ordered:
    """Threads of these events. Each thread has a mutex of its own, and holds it from the beginning: who gets a mutex first is another
    question."""

    def __init__(self, events):
        self.threads = [[] for _ in range(1 + max(thread for _, thread in events))]
        self.orders = [[] for _ in self.threads]
        for order, (name, thread) in enumerate(events):
            self.threads[thread].append((name, 0, thread) if name in WAITS else (name, 0))
            self.orders[thread].append(order)

    def endings_of_posix(self, model):
        posix = model(self.threads, mutexes=len(self.threads))
        posix.orders = self.orders
        posix.initial = posix.initial._replace(owners=tuple(range(len(self.threads))))
        return posix.endings()

    def endings_of_tickets(self, style):
        """Each command counts as the call that it belongs to. Calls begin with an assumption, which is to hold in the order only."""
        program = Program(self.threads, mutexes=len(self.threads), style=style, are_held=True)
        call_of, commands = [[] for _ in self.threads], []
        for t, thread in enumerate(self.threads):
            for place, order in enumerate(self.orders[t]):
                first, *more = program.call(t, place)
                assert first.startswith("(assume true (")
                commands.append((t, [first.replace("true", f"(= log {order}) (log := (+ log 1))", 1), *more]))
                call_of[t] += [place] * (1 + len(more))
            call_of[t].append(len(thread))
        program.commands = lambda thread: [command for t, some in commands if t == thread for command in some]
        return {tuple(calls[at] for calls, at in zip(call_of, places)) for places in Executions(program.text()).endings()}


class PosixInOrder(Posix):
    """Calls begin in the order of `orders`; others leave the path."""

    def steps(self, state):
        for thread in range(len(self.threads)):
            call = self.call(state, thread)
            if call is None or self.is_early(state, thread):
                continue
            begins = not self.is_inside(state, thread)
            for after in getattr(self, call[0].replace(" ", "_"))(state, thread, *call[1:]):
                yield after._replace(log=(*after.log, thread)) if begins else after

    def is_inside(self, state, thread):
        return thread in state.woken or thread in state.blocked[0]

    def is_early(self, state, thread):
        return not self.is_inside(state, thread) and self.orders[thread][state.places[thread]] != len(state.log)

    def leaves_the_path(self, state, thread):
        return self.is_early(state, thread) or super().leaves_the_path(state, thread)


class SignalsKept(PosixInOrder):
    """The condition variables of the recorder: a signal goes to a thread that will wake up without one only if nobody else is blocked."""

    def signal(self, state, thread, condition):
        blocked = state.blocked[condition]
        patient = frozenset(t for t in blocked if self.call(state, t)[0] in ("wait", "woken"))
        for woken in patient or blocked:
            yield returned(self.unblocked(state, condition, {woken}), thread)
        if not blocked:
            yield returned(state, thread)


def compare(programs):
    """How many comparisons of programs are wrong, and how many endings POSIX allows of all programs together."""
    wrong = endings = 0
    for events in programs:
        ordered = Ordered(events)
        expected = ordered.endings_of_posix(PosixInOrder)
        endings += len(expected)
        kept = ordered.endings_of_posix(SignalsKept) if any(name == "timed out" for name, _ in events) else expected
        for style, of_model in (("tickets", expected), ("short", expected), ("recorded", kept)):
            found = ordered.endings_of_tickets(style)
            if found != of_model and (wrong := wrong + 1) <= 3:
                print(f"{events}, {style}: the model {sorted(of_model)}, the pattern {sorted(found)}")
    return wrong, endings


def main():
    # A goes on, and one of C and D waits for ever.
    failures = 0 if Ordered(LATER_WAITERS).endings_of_tickets("tickets") == {(1, 2, 0, 1), (1, 2, 1, 0)} else 1
    print("later waiters:", "wrong" if failures else "right")
    for name, programs, thinned in (("all waits wait", events_in_order(("wait",), 4, 3), 2003),
                                    ("waits of all kinds", events_in_order(("wait", "timed out", "woken"), 3, 2), 401)):
        chosen = part(programs, thinned)
        wrong, endings = compare([LATER_WAITERS, *chosen])
        print(f"{name}: {len(chosen)} programs, {endings} endings, {wrong} wrong", flush=True)
        failures += wrong
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
