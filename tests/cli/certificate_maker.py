"""Makes certificates for small programs with shared variables and messages, as docs/certificates.md defines them, and without
anything of Matchpoint: all clauses about order, reads and matches at once; those about values as they are needed, until nothing
is left or a run is found that is looked for; and a proof, by a small solver. It is naive, and made to test the checker."""

import hashlib
import json
import subprocess
import tempfile
from collections import defaultdict
from itertools import combinations, permutations

from certificate_checker.program import used
from certificate_checker.shared import ReasonsOfShared
from shared_moments import Stuck, evaluate, word


class Maker:
    def __init__(self, program, zero, safe, complete):
        self.p, self.zero, self.safe, self.complete = program, zero, safe, complete
        self.reasons = ReasonsOfShared(program, zero, safe, complete)
        self.number, self.clauses = {}, {}  # meaning -> variable; literals -> reason
        self.nodes = [("command", rho) for rho in program.command] + [("instant", r) for r in program.receive if zero]
        self.place = {node: i for i, node in enumerate(self.nodes)}
        self.commands_in_order()
        self.messages()
        self.reads()
        self.goal()

    def var(self, *meaning):
        return self.number.setdefault(meaning, len(self.number) + 1)

    def before(self, a, b):
        return self.var("before", *a, *b) if self.place[a] < self.place[b] else -self.var("before", *b, *a)

    def add(self, reason, *literals):
        literals = tuple(sorted({*literals}))
        if not any(-l in literals for l in literals):
            self.clauses.setdefault(literals, reason)

    def executed(self, *commands):
        """Literals: not executed."""
        return [] if self.complete else [-self.var("executed", rho) for rho in commands]

    # ---- order, matches and reads ----

    def commands_in_order(self):
        for thread in self.p.threads:
            for a, b in zip(thread, thread[1:]):
                self.edge(("command", a), ("command", b))
                if not self.complete:
                    self.add(f"order {a} {b}", self.var("executed", a), -self.var("executed", b))
        for a, b, c in permutations(self.nodes, 3):
            if self.place[a] < min(self.place[b], self.place[c]):
                self.add("cycle", -self.before(a, b), -self.before(b, c), -self.before(c, a))

    def edge(self, a, b, *literals):
        self.add("cycle", *literals, self.before(a, b))

    def messages(self):
        p = self.p
        for beta, receives in p.receives_at.items():
            for i, r in enumerate(receives):
                matches = [self.var("match", r, s) for s in p.sends_for(r)]
                self.add(f"get {r}", *self.executed(p.nw[r]), *matches)
                for a, b in combinations(matches, 2):
                    self.add(f"one {r}", -a, -b)
                for s in p.sends_for(r):
                    self.match(r, s, receives[:i])
                if self.zero:
                    self.edge(("command", p.issued[r]), ("instant", r))
                    self.edge(("instant", r), ("command", p.nw[r]))
                    if i:
                        self.edge(("instant", receives[i - 1]), ("instant", r))
        for s in p.send:
            matches = [self.var("match", r, s) for r in p.receives_at.get(p.send[s].destination, ())]
            for a, b in combinations(matches, 2):
                self.add(f"once {s}", -a, -b)
            if self.zero and s in p.wait:
                self.add(f"taken {s}", *self.executed(p.wait[s]), *matches)

    def match(self, r, s, earlier):
        p, m = self.p, self.var("match", r, s)
        if p.ordinal[s]:
            before = p.channel[p.send[s].source, p.send[s].destination][p.ordinal[s] - 1]
            self.add(f"fifo {r} {s}", -m, *(self.var("match", other, before) for other in earlier))
        if not self.complete:
            self.add(f"sent {r} {s}", -m, self.var("executed", p.issued[s]))
            if earlier:
                self.add(f"queue {r} {s}", -m, *(self.var("match", earlier[-1], other) for other in p.sends_for(r)))
            if self.zero:
                self.add(f"posted {r} {s}", -m, self.var("executed", p.issued[r]))
        self.edge(("command", p.issued[s]), ("instant", r) if self.zero else ("command", p.nw[r]), -m)
        if self.zero and s in p.wait:
            self.edge(("instant", r), ("command", p.wait[s]), -m)

    def reads(self):
        for rho, c in self.p.command.items():
            for x in used(c):
                if x in self.p.shared:
                    self.reads_of(rho, x)

    def reads_of(self, rho, x):
        reads = sorted(self.reasons.reads_of(rho, x))
        self.add(f"reads {rho} {x}", *self.executed(rho), *(self.var(*read) for read in reads))
        for read in reads:
            written, literal = read[3:], -self.var(*read)
            if not self.complete:
                self.add(f"reader {rho} {x}", literal, self.var("executed", rho))
                for w in written:
                    self.add(f"written {rho} {x} {w}", literal, self.var("executed", w))
            for w in written:
                self.edge(("command", w), ("command", rho), literal)
            for other in self.p.definitions[x]:
                if other not in (rho, *written):
                    self.add(" ".join(("between", rho, x, *written, other)), literal, self.before(("command", rho), ("command", other)),
                             *(self.before(("command", other), ("command", w)) for w in written))

    def goal(self):
        fails = [c.location for c in self.p.commands("assert")]
        complete = not self.safe and not self.complete
        if self.safe or complete:
            self.add("some", *(self.var("fails", rho) for rho in fails), *([self.var("complete")] if complete else []))
        for rho in self.p.command if complete else ():
            self.add(f"finish {rho}", -self.var("complete"), self.var("executed", rho))
        for rho in fails if not self.complete else ():
            self.add(f"failed {rho}", -self.var("fails", rho), self.var("executed", rho))

    # ---- values, of one run after the other ----

    def is_proved(self, most=400):
        """Whether there is no run that is looked for. None after too many attempts."""
        for _ in range(most):
            run = self.some_run()
            if run is None:
                return True
            known = len(self.clauses)
            if self.contradicts_itself(run):
                assert len(self.clauses) > known, "nothing new"
            else:
                return False
        return None

    def some_run(self):
        """What is so in a run that keeps all clauses; or None."""
        with tempfile.NamedTemporaryFile("w", suffix=".cnf") as cnf, tempfile.NamedTemporaryFile("r") as model:
            cnf.write("".join(line + "\n" for line in self.cnf()))
            cnf.flush()
            subprocess.run(["minisat", "-verb=0", cnf.name, model.name], capture_output=True, timeout=600)
            said, *literals = model.read().split()
        if said != "SAT":
            assert said == "UNSAT", said
            return None
        true = {int(l) for l in literals}
        return {meaning for meaning, i in self.number.items() if i in true}

    def contradicts_itself(self, run):
        """Adds clauses with the values of a run, up to a command that is not executed with these, or an assertion that holds."""
        values = {}
        place = {node: sum(self.before(other, node) > 0 and ("before", *other, *node) in run or self.before(other, node) < 0 and
                           ("before", *node, *other) not in run for other in self.nodes if other != node) for node in self.nodes}
        for rho in sorted(self.p.command, key=lambda rho: place["command", rho]):
            if (self.complete or ("executed", rho) in run) and self.is_impossible(rho, run, values):
                return True
        return False

    def is_impossible(self, rho, run, values):
        c = self.p.command[rho]
        store = {x: self.operand(rho, x, run, values) for x in used(c)}
        try:
            results = [evaluate(e, store) for e in c.expressions()]
        except Stuck:
            results = None
        if c.kind in ("assume", "when") and (results is None or not results[0]):
            # A guard that is false has to be enough.
            false = results is not None or self.is_false(c.expression, store)
            self.add(f"guard {rho}", *self.executed(rho), *self.values_of(rho, [c.expression] if false else c.expressions(), values))
            return True
        if results is None:
            self.add(f"divisor {rho}", *self.executed(rho), *self.values_of(rho, c.expressions(), values))
            return True
        if c.kind == "assert" and results[0] and ("fails", rho) in run:
            self.add(f"holds {rho}", -self.var("fails", rho), *self.values_of(rho, c.expressions(), values))
            return True
        self.define(c, run, values, store)
        return False

    @staticmethod
    def is_false(e, store):
        try:
            return not evaluate(e, store)
        except Stuck:
            return False

    def operand(self, rho, x, run, values):
        if x not in self.p.shared:
            return values[self.reasons.origin(rho, x)]
        read = next(m for m in sorted(run) if m[:3] == ("read", rho, x))
        v = values["out", read[3], x] if read[3:] else self.p.shared[x]
        values["in", rho, x] = v
        self.add(f"input {rho} {x}", -self.var(*read), self.var("in", rho, x, word(v)), *(-self.var("out", w, x, word(v)) for w in read[3:]))
        return v

    def values_of(self, rho, expressions, values):
        """Literals: some variable in the expressions has another value."""
        origins = {self.reasons.origin(rho, node.word) for e in expressions for node in e.part() if node.is_variable}
        return [-self.var(*origin, word(values[origin])) for origin in sorted(origins)]

    def define(self, c, run, values, store):
        rho = c.location
        for x, e in c.assignments():
            values["out", rho, x] = v = evaluate(e, store)
            self.add(f"output {rho} {x}", *self.executed(rho), *self.values_of(rho, [e], values), self.var("out", rho, x, word(v)))
        if c.kind == "sndi":
            values["payload", c.action] = v = evaluate(c.expression, store)
            self.add(f"payload {c.action}", *self.executed(rho), *self.values_of(rho, [c.expression], values), self.var("payload", c.action, word(v)))
        for x, (kind, r) in self.p.gives[rho].items():
            if kind == "receive":
                s = next(m[2] for m in sorted(run) if m[:2] == ("match", r))
                values["out", rho, x] = v = values["payload", s]
                self.add(f"delivery {rho} {x} {r} {s}", *self.executed(rho), -self.var("match", r, s), -self.var("payload", s, word(v)),
                         self.var("out", rho, x, word(v)))

    # ---- files ----

    def cnf(self):
        yield f"p cnf {len(self.number)} {len(self.clauses)}"
        yield from (" ".join(map(str, [*literals, 0])) for literals in self.clauses)

    def write(self, folder, text, witness):
        """The certificate of a program that is proved; a trace if it is safe."""
        cnf = [*(f"c var {i} {' '.join(m)}" for m, i in self.number.items()), *self.cnf()]
        about = {"schema": {"name": "matchpoint.certificate", "version": 1}, "verdict": "safe" if self.safe else "vacuous",
                 "buffering": "zero" if self.zero else "infinite", "runs": "complete" if self.complete else "executions", "kind": "clauses",
                 "program_sha256": hashlib.sha256(text.encode()).hexdigest(), "clauses": len(self.clauses), "solver": "by hand"}
        proof = [" ".join(map(str, [*clause, 0])) for clause in Solver(len(self.number), self.clauses).proof()]
        files = {"program.ctp": text, "clauses.cnf": "\n".join(cnf) + "\n", "clauses.reasons": "".join(r + "\n" for r in self.clauses.values()),
                 "clauses.drat": "".join(line + "\n" for line in proof), "certificate.json": json.dumps(about)}
        if self.safe:
            files["witness.ctp"] = text + "\n" + witness
        folder.mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_text(content)


class Solver:
    """Learns clauses, each of which follows by unit propagation from those before it, until the empty one does."""

    def __init__(self, variables, clauses):
        self.clauses = [list(c) for c in clauses]
        self.of = defaultdict(list)  # literal -> clauses that have it
        for c in self.clauses:
            for l in c:
                self.of[l].append(c)
        self.score = [0] * (variables + 1)

    def proof(self):
        self.value, self.why, self.level, self.trail = {}, {}, {}, []
        decisions = []
        conflict = self.start()
        while True:
            if conflict is not None:
                if not decisions:
                    yield []
                    return
                clause, back = self.learn(conflict, len(decisions))
                yield clause
                self.undo(decisions, back)
                self.clauses.append(clause)
                for l in clause:
                    self.of[l].append(clause)
                conflict = self.set(clause[0], clause, len(decisions))
            else:
                free = [v for v in range(1, len(self.score)) if v not in self.value]
                assert free, "there is a run"
                decisions.append(len(self.trail))
                conflict = self.set(-max(free, key=self.score.__getitem__), None, len(decisions))

    def start(self):
        for c in list(self.clauses):
            conflict = c if not c else self.set(c[0], c, 0) if len(c) == 1 else None
            if conflict is not None:
                return conflict
        return None

    def set(self, literal, why, level):
        """Makes a literal true, and what follows. Returns a clause that is false, if there is one."""
        todo = [(literal, why)]
        while todo:
            l, why = todo.pop()
            if abs(l) in self.value:
                if self.value[abs(l)] != l:
                    return why
                continue
            self.value[abs(l)], self.why[abs(l)], self.level[abs(l)] = l, why, level
            self.trail.append(l)
            for c in self.of[-l]:
                free = [k for k in c if self.value.get(abs(k)) != -k]
                if not free:
                    return c
                if len(free) == 1 and abs(free[0]) not in self.value:
                    todo.append((free[0], c))
        return None

    def undo(self, decisions, level):
        first = decisions[level]
        for l in self.trail[first:]:
            del self.value[abs(l)], self.why[abs(l)], self.level[abs(l)]
        del self.trail[first:], decisions[level:]

    def learn(self, conflict, level):
        """The first clause with one literal of this level, and the level that it leads back to. That literal comes first."""
        open_, rest, at = set(conflict), set(), len(self.trail) - 1
        while True:
            here = {l for l in open_ if self.level[abs(l)] == level}
            rest |= {l for l in open_ - here if self.level[abs(l)] > 0}
            if len(here) == 1:
                break
            while -self.trail[at] not in here:
                at -= 1
            l = -self.trail[at]
            open_ = (here - {l}) | (set(self.why[abs(l)]) - {-l})
        (first,) = here
        clause = [first, *sorted(rest)]
        for l in clause:
            self.score[abs(l)] += 1
        return clause, max((self.level[abs(l)] for l in rest), default=0)
