"""Threads in the trace language, by the patterns of docs/shared_memory.md."""
import re

WAITS = ("wait", "spurious", "woken", "timed out")


def conjunction(terms):
    return joined("and", terms, "true")


def disjunction(terms):
    return joined("or", terms, "false")


def joined(operator, terms, none):
    """The operators take two operands."""
    terms = list(terms)
    if not terms:
        return none
    *rest, text = terms
    for term in reversed(rest):
        text = f"({operator} {term} {text})"
    return text


class Condition:
    """A condition variable c: c counts its signals, cb its broadcasts, and ck is true once signal k is used up.

    What nobody needs is left out: the broadcasts if there are none, and who uses up which signal if only one thread waits.
    """

    def __init__(self, name, condition, threads):
        calls = [[call for call in thread if call[1:2] == (condition,)] for thread in threads]
        self.name = name
        self.broadcasts = any(("broadcast", condition) in thread for thread in calls)
        self.shares = sum(any(call[0] in WAITS for call in thread) for thread in calls) > 1
        signals = sum(thread.count(("signal", condition)) for thread in calls)
        self.signals = range(1, signals + 1) if self.shares else ()

    def shared(self):
        broadcasts = [(f"{self.name}b", "0")] if self.broadcasts else []
        return [(self.name, "0"), *broadcasts, *((self.used(k), "false") for k in self.signals)]

    def used(self, k):
        return f"{self.name}{k}"

    def blocks(self, mutex):
        """What came before is not for this wait, so it remembers how much that was: t signals, r broadcasts."""
        broadcasts = f"(r := {self.name}b) " if self.broadcasts else ""
        return f"(when true (t := {self.name}) {broadcasts}({mutex} := (+ {mutex} 1)))"

    def given(self, k):
        """Signal k was given, and after the wait began."""
        return f"(and (< t {k}) (>= {self.name} {k}))"

    def leaves(self, guard="true", *assignments):
        """Uses up the earliest signal that is for this wait, if a broadcast did not end it. Always a `when`: no data race is
        looked for where it reads and writes."""
        uses = (f"({self.used(k)} := (or {self.used(k)} {self.first(k)}))" for k in self.signals)
        return f"({' '.join(['when', guard, *assignments, *uses])})"

    def first(self, k):
        no_broadcast = [f"(= r {self.name}b)"] if self.broadcasts else []
        earlier = (f"(or (>= t {j}) {self.used(j)})" for j in self.signals if j < k)
        return conjunction([*no_broadcast, self.given(k), *earlier])

    def goes_on(self):
        broadcast = [f"(< r {self.name}b)"] if self.broadcasts else []
        if not self.shares:
            return disjunction([*broadcast, f"(< t {self.name})"])
        return disjunction([*broadcast, *(f"(and {self.given(k)} (not {self.used(k)}))" for k in self.signals)])


def increment(variable, word="assume"):
    """As one step; without the guard, `check` warns that real programs do it in two."""
    return f"({word} true ({variable} := (+ {variable} 1)))"


def own(command, thread):
    """A local variable belongs to one thread."""
    return re.sub(r"\b([artw])\b", rf"\g<1>{thread}", command)


class Program:
    """The text of a program of tests/threads/naive_posix.py. One thread more waits for all others and asserts `claim` of the log."""

    def __init__(self, threads, mutexes=1, conditions=1, barriers=()):
        self.threads = threads
        self.mutexes = [f"m{m}" for m in range(mutexes)]
        self.conditions = [Condition("cd"[c], c, threads) for c in range(conditions)]
        self.counts = barriers

    def text(self, claim="true"):
        shared = [(m, "1") for m in self.mutexes] + [variable for c in self.conditions for variable in c.shared()]
        shared += [(f"b{b}", "0") for b in range(len(self.counts))] + [("log", "0"), ("done", "0")]
        threads = [self.commands(number) + [increment("done")] for number in range(len(self.threads))]
        threads.append([f"(when (= done {len(threads)}))", f"(assert {claim})"])
        lines = [" ".join(f"[{'abcdefgh'[n]}{k} {own(command, n)}]" for k, command in enumerate(thread))
                 for n, thread in enumerate(threads)]
        return "(shared " + " ".join(f"[{x} {v}]" for x, v in shared) + ")\n( ( " + " bot )\n  ( ".join(lines) + " bot ) )\n"

    def value(self, log):
        """What the variable `log` is then."""
        value = 0
        for thread in log:
            value = value * (len(self.threads) + 1) + thread + 1
        return value

    def commands(self, thread):
        calls = self.threads[thread]
        return [command for place, call in enumerate(calls)
                for command in (self.barrier(*call[1:], calls[:place].count(call) + 1) if call[0] == "barrier" else
                                getattr(self, call[0].replace(" ", "_"))(thread, *call[1:]))]

    def lock(self, _, mutex):
        mutex = self.mutexes[mutex]
        return [f"(when (> {mutex} 0) ({mutex} := (- {mutex} 1)))"]

    def unlock(self, _, mutex):
        mutex = self.mutexes[mutex]
        return [f"({mutex} := (+ {mutex} 1))"]

    def wait(self, thread, condition, mutex):
        c = self.conditions[condition]
        return [c.blocks(self.mutexes[mutex]), c.leaves(c.goes_on()), *self.lock(thread, mutex)]

    def woken(self, thread, condition, mutex):
        """If nobody unblocks it, its time passes, and it leaves the path."""
        c = self.conditions[condition]
        return [c.blocks(self.mutexes[mutex]), c.leaves("true", f"(w := {c.goes_on()})"), "(assume w)", *self.lock(thread, mutex)]

    def timed_out(self, thread, condition, mutex):
        c = self.conditions[condition]
        return [c.blocks(self.mutexes[mutex]), c.leaves(), *self.lock(thread, mutex)]

    spurious = timed_out

    def signal(self, _, condition):
        return [increment(self.conditions[condition].name, "when")]

    def broadcast(self, _, condition):
        return [increment(f"{self.conditions[condition].name}b", "when")]

    def barrier(self, barrier, use):
        """If just as many threads as it needs use it, the round is the number of the use; else it follows from who came before."""
        b, n = f"b{barrier}", self.counts[barrier]
        if sum(("barrier", barrier) in thread for thread in self.threads) == n:
            return [increment(b), f"(when (>= {b} {use * n}))"]
        return [f"(assume true (a := {b}) ({b} := (+ {b} 1)))", f"(when (>= {b} (* {n} (+ (div a {n}) 1))))"]

    def note(self, thread):
        return [f"(assume true (log := (+ (* {len(self.threads) + 1} log) {thread + 1})))"]

    def look(self, _, notes):
        """A log of k notes is a number of k digits, none of them 0."""
        return [f"(assume (>= log {(len(self.threads) + 1) ** (notes - 1)}))"]
