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
    """A condition variable c: tickets c.q, c.n threads that wait, and the signals c.p1, c.p2, ... that nobody has taken yet, each the
    next ticket when it was given. There are as many as threads that ever wait.

    Styles: "tickets"; "short", which leaves out what nobody needs where one thread waits, and where all are woken at once; and
    "recorded", as recordings have it: who wakes up without a signal takes none that somebody else may take, so tickets are shared.
    """

    def __init__(self, name, condition, threads, style):
        calls = [[call for call in thread if call[1:2] == (condition,)] for thread in threads]
        self.name, self.is_recorded = name, style == "recorded"
        self.waiting = [n for n, thread in enumerate(calls) if any(call[0] in WAITS for call in thread)]
        has_signals = any(("signal", condition) in thread for thread in calls)
        self.is_counted = style == "short" and len(self.waiting) > 1 and not has_signals  # broadcasts are counted in c
        self.is_single = style == "short" and len(self.waiting) == 1  # c.n is 1 while the thread waits, c.p1 once it is signalled
        self.signals = [f"{name}.p{k + 1}" for k in range(len(self.waiting))]

    def shared(self):
        if self.is_counted:
            return [(self.name, 0)]
        tickets = [(self.ticket(thread), -1) for thread in self.waiting] if self.is_recorded else []
        return [*((x, 0) for x in (f"{self.name}.q", f"{self.name}.n", *self.signals)), *tickets]

    def ticket(self, thread):
        """In a recording it is -1 while the thread does not wait."""
        return f"{self.name}.t{thread}" if self.is_recorded else "t"

    def blocks(self, thread, mutex):
        c, t = self.name, self.ticket(thread)
        gives_back = f"({mutex} := (+ {mutex} 1))"
        if self.is_counted:
            return f"(assume true ({t} := {c}) {gives_back})"
        if self.is_single:
            return f"(assume true {gives_back} ({c}.n := 1))"
        return f"(assume true ({t} := {c}.q) {gives_back} ({c}.q := (+ {c}.q 1)) ({c}.n := (+ {c}.n 1)))"

    def leaves(self, thread, word, guard):
        """Takes the earliest signal that was given after the wait began, if there is one; those after it move up."""
        if self.is_counted:
            return f"({word} {guard})"
        if self.is_single:
            return f"({word} {guard} ({self.name}.n := 0) ({self.signals[0]} := 0))"
        return self.without(thread, word, guard, (f"(< {self.ticket(thread)} {x})" for x in self.signals))

    def without(self, thread, word, guard, moved):
        """One thread less waits, and signals move up from where it is true."""
        c, p = self.name, self.signals
        taken = (f"({x} := (ite {is_moved} {after} {x}))" for x, after, is_moved in zip(p, [*p[1:], "0"], moved))
        ticket = f" ({self.ticket(thread)} := -1)" if self.is_recorded else ""
        return f"({word} {guard} ({c}.n := (- {c}.n 1)){ticket} {' '.join(taken)})"

    def leaves_unsignalled(self, thread):
        if not self.is_recorded:
            return self.leaves(thread, "assume", "true")
        others = [self.ticket(other) for other in self.waiting if other != thread]
        surplus = []  # a signal which fewer threads may take than there are such signals up to it
        for k, x in enumerate(self.signals):
            may_take = "0"
            for t in others:
                may_take = f"(+ {may_take} (ite (and (<= 0 {t}) (< {t} {x})) 1 0))"
            surplus.append(f"(and (> {x} 0) (<= {may_take} {k}))")
        return self.without(thread, "assume", "true", (disjunction(surplus[: k + 1]) for k in range(len(surplus))))

    def goes_on(self, thread):
        if self.is_counted:
            return f"(> {self.name} {self.ticket(thread)})"
        if self.is_single:
            return f"(= {self.signals[0]} 1)"
        return disjunction(f"(< {self.ticket(thread)} {x})" for x in self.signals)

    def signal(self):
        """Lost if all who wait have one already, or nobody waits."""
        return self.given(lambda k: k > 0 and f"(!= {self.signals[k - 1]} 0)")

    def broadcast(self):
        return f"(assume true ({self.name} := (+ {self.name} 1)))" if self.is_counted else self.given(lambda k: None)

    def given(self, condition):
        """Signal k is given if nobody has given it, more than k threads wait, and the condition holds, if there is one."""
        c = self.name
        if self.is_single:
            return f"(assume true ({self.signals[0]} := {c}.n))"
        gifts = ((x, conjunction(filter(None, [condition(k), f"(= {x} 0)", f"(> {c}.n {k})"]))) for k, x in enumerate(self.signals))
        return f"(assume true {' '.join(f'({x} := (ite {is_given} {c}.q {x}))' for x, is_given in gifts)})"


def increment(variable):
    """As one step; without the guard, `check` warns that real programs do it in two."""
    return f"(assume true ({variable} := (+ {variable} 1)))"


def own(command, thread):
    """A local variable belongs to one thread."""
    return re.sub(r"\b([at])\b", rf"\g<1>{thread}", command)


class Program:
    """The text of a program of tests/threads/naive_posix.py. With `are_held`, mutex n is held by thread n at first."""

    def __init__(self, threads, mutexes=1, conditions=1, barriers=(), style="short", are_held=False):
        self.threads = threads
        self.mutexes = [f"m{m}" for m in range(mutexes)]
        self.free = 0 if are_held else 1
        self.conditions = [Condition("cd"[c], c, threads, style) for c in range(conditions)]
        self.counts = barriers

    def text(self, claim=None):
        """If something is claimed of the log, one thread more waits for all others and asserts it."""
        threads = [self.commands(number) for number in range(len(self.threads))]
        shared = [f"[{m} {self.free}]" for m in self.mutexes] + [f"atomic [{x} {v}]" for c in self.conditions for x, v in c.shared()]
        shared += [f"[b{b} 0]" for b in range(len(self.counts))] + ["[log 0]", "[done 0]"]
        if claim is not None:
            threads = [[*thread, increment("done")] for thread in threads]
            threads.append([f"(when (= done {len(threads)}))", f"(assert {claim})"])
        lines = [" ".join(f"[{'abcdefgh'[n]}{k} {own(command, n)}]" for k, command in enumerate(thread))
                 for n, thread in enumerate(threads)]
        return "(shared " + " ".join(shared) + ")\n( ( " + " bot )\n  ( ".join(lines) + " bot ) )\n"

    def value(self, log):
        """What the variable `log` is then."""
        value = 0
        for thread in log:
            value = value * (len(self.threads) + 1) + thread + 1
        return value

    def commands(self, thread):
        return [command for place in range(len(self.threads[thread])) for command in self.call(thread, place)]

    def call(self, thread, place):
        call = self.threads[thread][place]
        if call[0] == "barrier":
            return self.barrier(*call[1:], self.threads[thread][:place].count(call) + 1)
        return getattr(self, call[0].replace(" ", "_"))(thread, *call[1:])

    def lock(self, _, mutex):
        mutex = self.mutexes[mutex]
        return [f"(when (> {mutex} 0) ({mutex} := (- {mutex} 1)))"]

    def unlock(self, _, mutex):
        mutex = self.mutexes[mutex]
        return [f"({mutex} := (+ {mutex} 1))"]

    def wait(self, thread, condition, mutex, word="when"):
        c = self.conditions[condition]
        return [c.blocks(thread, self.mutexes[mutex]), c.leaves(thread, word, c.goes_on(thread)), *self.lock(thread, mutex)]

    def woken(self, thread, condition, mutex):
        """If nobody unblocks it, its time passes, and it leaves the path."""
        return self.wait(thread, condition, mutex, "assume")

    def timed_out(self, thread, condition, mutex):
        c = self.conditions[condition]
        return [c.blocks(thread, self.mutexes[mutex]), c.leaves_unsignalled(thread), *self.lock(thread, mutex)]

    spurious = timed_out

    def signal(self, _, condition):
        return [self.conditions[condition].signal()]

    def broadcast(self, _, condition):
        return [self.conditions[condition].broadcast()]

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
