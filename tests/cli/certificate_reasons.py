#!/usr/bin/env python3
"""What the certificate checker accepts is so: clauses over random literals, for every reason, are made as short as the checker
lets them be, and then have to hold at every moment of every execution of the program, or in every complete run; for small random
programs, both bufferings and both readings of runs. (`before` literals are not tried: no execution decides them.)

MATCHPOINT_CERTIFICATES=10000 tries more programs, MATCHPOINT_SEED others."""

import itertools
import os
import random
import sys
import unittest
from collections import Counter
from pathlib import Path

from support import run

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from certificate_checker import Refused, language, machine, reasons  # noqa: E402
from certificate_checker.program import Program  # noqa: E402

PROGRAMS = 36 if int(os.environ.get("MATCHPOINT_CERTIFICATES", "0")) < 10000 else 3000
SEED = int(os.environ.get("MATCHPOINT_SEED", "1"))
# What random programs seldom have: a divisor that a match makes zero.
DIVISOR = (b"( ( [a (rcvi r 0 x)] [b (wait r)] [c (z := (div 6 (- x 1)))] [d (assert (= x 2))] )"
           b"  ( [e (sndi s 1 0 1)] ) ( [f (sndi t 2 0 2)] [g (wait t)] ) )")
TRIES = 250  # clauses for each kind of reason
SHAPES = (["3", "3", "2"], ["4", "3", "1", "--assumptions", "100"], ["3", "2", "2", "--waits-out-of-order", "100", "--orphans", "100"],
          ["3", "3", "2", "--divisions", "100", "--booleans", "60"])


class Moments:
    """All states in which no executed assumption is false, as the sets of what is true there."""

    def __init__(self, program, zero, most=4000):
        self.p, self.zero, self.most = program, zero, most
        self.sets, self.seen = set(), set()
        start = ((0,) * len(program.threads), {}, {}, {}, frozenset())
        todo = [start]
        while todo:
            state = todo.pop()
            key = (state[0], tuple(sorted(state[1].items())))
            if key in self.seen:
                continue
            self.seen.add(key)
            if len(self.seen) > most:
                return
            self.sets.add(self.atoms(state))
            todo += self.following(state)

    def is_complete(self):
        return len(self.seen) <= self.most

    def atoms(self, state):
        """A state: how many commands of each thread have run, what each endpoint was delivered, the store, what each send
        carries, and the assertions that failed."""
        next_, delivered, _, _, failed = state
        atoms = {("fails", rho) for rho in failed}
        for beta, sends in delivered.items():
            atoms |= {("match", r, s) for r, s in zip(self.p.receives_at.get(beta, ()), sends)}
        for thread, n in zip(self.p.threads, next_):
            atoms |= {("executed", rho) for rho in thread[:n]}
        if all(n == len(thread) for n, thread in zip(next_, self.p.threads)):
            atoms.add(("complete",))
        return frozenset(atoms)

    def following(self, state):
        next_, delivered, store, sent, failed = state
        for t, thread in enumerate(self.p.threads):
            if next_[t] < len(thread):
                after = self.step(self.p.command[thread[next_[t]]], state)
                if after is not None:
                    yield (next_[:t] + (next_[t] + 1,) + next_[t + 1:], delivered, *after)
        for (_, beta), sends in self.p.channel.items():
            here = delivered.get(beta, ())
            s = next((s for s in sends if s not in here), None)
            if s in sent and not (self.zero and len(here) >= self.posted(beta, next_)):
                yield next_, {**delivered, beta: (*here, s)}, store, sent, failed

    def posted(self, beta, next_):
        places = [self.p.place[self.p.issued[r]] for r in self.p.receives_at.get(beta, ())]
        return sum(i < next_[t] for t, i in places)

    def step(self, c, state):
        """The store, what is sent and what failed after a command; None if it cannot run or is a false assumption."""
        _, delivered, store, sent, failed = state
        evaluate = machine.Machine(self.p, self.zero)
        evaluate.store = store
        try:
            value = None if c.expression is None else evaluate.value(c.expression)
        except Refused:  # a zero divisor
            return None
        if c.kind == ":=":
            return {**store, c.variable: value}, sent, failed
        if c.kind == "assume":
            return (store, sent, failed) if value else None
        if c.kind == "assert":
            return store, sent, failed if value else failed | {c.location}
        if c.kind == "sndi":
            return store, {**sent, c.action: value}, failed
        return self.waited(c, delivered, store, sent, failed) if c.kind == "wait" else (store, sent, failed)

    def waited(self, c, delivered, store, sent, failed):
        if c.action in self.p.send:
            taken = c.action in delivered.get(self.p.send[c.action].destination, ())
            return (store, sent, failed) if taken or not self.zero else None
        here = delivered.get(self.p.receive[c.action].destination, ())
        if len(here) <= self.p.ordinal[c.action]:
            return None
        values = {self.p.receive[r].variable: sent[here[self.p.ordinal[r]]] for r in self.p.completes.get(c.location, ())}
        return {**store, **values}, sent, failed


class Judged:
    """The checker's reasons for one program under one buffering and one reading, against its moments."""

    def __init__(self, program, zero, safe, complete, moments, rng):
        self.rng = rng
        self.reasons = reasons.Reasons(program, zero, safe, complete)
        self.moments = [m for m in moments.sets if not complete or ("complete",) in m]
        self.safe, self.complete, self.p = safe, complete, program
        meanings = [("match", r, s) for r in program.receive for s in program.sends_for(r)]
        meanings += [("fails", c.location) for c in program.commands("assert")]
        if not complete:
            meanings += [("executed", rho) for rho in program.command] + [("complete",)]
        self.meaning = dict(enumerate(meanings, 1))

    def named(self, kind):
        """What a reason of this kind can name."""
        receives, sends, commands = list(self.p.receive), list(self.p.send), list(self.p.command)
        if kind == "crowd":
            some = [r for r in receives if self.rng.random() < 0.6]
            return [str(len(some)), *some, *(s for s in sends if self.rng.random() < 0.4)]
        sorts = {"get": [receives], "one": [receives], "once": [sends], "taken": [sends], "fifo": [receives, sends], "cycle": [], "some": [],
                 "sent": [receives, sends], "posted": [receives, sends], "queue": [receives, sends], "order": [commands, commands]}
        names = sorts.get(kind, [commands])
        return [self.rng.choice(sort) for sort in names] if all(names) else None

    def accepts(self, literals, reason):
        return self.reasons.justify(reasons.Clause(literals, self.meaning), reason)

    def shortest(self, kind):
        """A clause that the checker accepts for a reason, and no longer with a literal less; or None."""
        names = self.named(kind)
        if names is None:
            return None
        reason = [kind, *names]
        literals = [v * self.rng.choice((1, -1)) for v in self.meaning]
        if kind in ("get", "taken", "crowd", "fifo", "queue", "some"):  # many positive ones
            literals = [abs(l) if self.meaning[abs(l)][0] != "executed" and self.rng.random() < 0.8 else l for l in literals]
        if not self.accepts(literals, reason):
            return None
        for l in self.rng.sample(literals, len(literals)):
            shorter = [other for other in literals if other != l]
            if self.accepts(shorter, reason):
                literals = shorter
        return literals, reason

    def is_so(self, literals, reason):
        for atoms in self.moments:
            if reason[0] == "some" and not any(a[0] == "fails" or (not self.safe and a[0] == "complete") for a in atoms):
                continue
            if not any((self.meaning[abs(l)] in atoms) == (l > 0) for l in literals):
                return False
        return True


class AcceptedClauses(unittest.TestCase):
    def test_they_hold(self):
        rng, accepted, moments = random.Random(SEED), Counter(), 0
        number = done = 0
        while done < PROGRAMS:
            number += 1
            text = run("gen", "random", str(number), *SHAPES[number % len(SHAPES)], "--seed", str(SEED)).out if number > 1 else DIVISOR
            program = Program(language.read(text))
            for zero in (False, True):
                all_moments = Moments(program, zero)
                if not all_moments.is_complete():
                    continue
                done += 1
                moments += len(all_moments.sets)
                for safe, complete in itertools.product((True, False), (True, False)):
                    judged = Judged(program, zero, safe, complete, all_moments, rng)
                    for kind in judged.reasons.judges:
                        accepted[kind] += self.tried(judged, kind, (text.decode(), zero, safe, complete))
        print(f"seed {SEED}: {done} of programs 1 to {number}, {moments} moments")
        for kind, count in sorted(accepted.items()):
            print(f"  {kind:<20}{count:9}")
        self.assertGreater(min(accepted.values()), 0)

    def tried(self, judged, kind, what):
        accepted = set()
        for _ in range(TRIES):
            found = judged.shortest(kind)
            if found is not None:
                accepted.add((tuple(found[0]), tuple(found[1])))
        for literals, reason in accepted:
            if not judged.is_so(literals, reason):
                self.fail(f"{[(l > 0, judged.meaning[abs(l)]) for l in literals]} {reason} {what}")
        return len(accepted)


if __name__ == "__main__":
    unittest.main()
