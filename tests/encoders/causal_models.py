"""An encoder of what causal models predict from a trace: the executions of what it executed in which reads (mcm), or the order of
conflicting accesses (hb), are those of the trace.

    causal_models.py right|maximal|prose mcm|hb < PROGRAM

`prose` is Section 6 of Symbolic Predictive Analysis as one reads it: what locks and the like do stays symbolic, local
variables and all (F14); what is read becomes an assumption, and a local variable that it defined loses its definition
(F15). Happens-before keeps the pairs of Section 2, a write and a read after it (F16). `maximal` is the maximal causal
model, which knows reads and no assertions: a thread ends with one that reads something else (F13).
"""

import sys

import ctp_shared as ctp
from cssa_right import Encoding


def uses(event, shared):
    """The variables that it reads, and those that it writes; shared ones, or local ones."""
    expressions = [event.condition, *(e for _, e in event.assigned)]
    read = {v for e in expressions for v in ctp.variables(e)}
    written = {x for x, _ in event.assigned}
    return ({v for v in names if (v in shared) == wanted} for wanted in (True, False) for names in (read, written))


class Trace:
    """What the trace executed: of each command its thread and place, what it read, and what it wrote."""

    def __init__(self, program, threads):
        self.program = program
        self.synchronises = {v for thread in program.threads for event in thread if event.kind == "when"
                             for e in (event.condition, *(e for _, e in event.assigned)) for v in ctp.variables(e)}
        self.synchronises |= {x for thread in program.threads for event in thread if event.kind == "when" for x, _ in event.assigned}
        self.synchronises &= set(program.shared)
        self.reads, self.writes, self.steps = {}, {}, []
        store, at = dict(program.shared), [0] * len(program.threads)
        for t in threads:
            event, here = program.threads[t][at[t]], (t, at[t])
            read, _, _, _ = uses(event, program.shared)
            self.reads[here] = {v: store[v] for v in read}
            self.writes[here] = {x: ctp.value(e, store) for x, e in event.assigned}
            store.update(self.writes[here])
            self.steps.append(here)
            at[t] += 1
        self.cut = ctp.Program(program.shared, [thread[:n] for thread, n in zip(program.threads, at)])

    def is_free(self, here, with_locals):
        event = self.program.threads[here[0]][here[1]]
        read, written, local_read, local_written = uses(event, self.program.shared)
        if event.kind == "assert":
            return True
        free = read | written <= self.synchronises
        return free and (bool(read | written) if with_locals else not local_read | local_written)

    def pairs(self, only_reads_after_writes):
        """Commands of different threads that have to keep their order."""
        for j, other in enumerate(self.steps):
            read, written, _, _ = uses(self.program.threads[other[0]][other[1]], self.program.shared)
            for one in self.steps[:j]:
                if one[0] == other[0]:
                    continue
                read_1, written_1, _, _ = uses(self.program.threads[one[0]][one[1]], self.program.shared)
                if written_1 & read or not only_reads_after_writes and (written_1 & written or read_1 & written):
                    yield one, other


class Right(Encoding):
    def __init__(self, trace, model):
        super().__init__(trace.cut, "executions", None)
        self.trace, self.model = trace, model

    def read(self, v, event):
        name = super().read(v, event)
        if self.model == "mcm" and not self.trace.is_free(event, with_locals=False):
            self.ask(f"(=> {self.x(event)} (= {name} {ctp.term(self.trace.reads[event][v], {})}))")
        return name

    def order(self):
        super().order()
        for one, other in self.trace.pairs(only_reads_after_writes=False) if self.model == "hb" else ():
            self.ask(f"(=> {self.x(other)} (and {self.x(one)} {self.before(one, other)}))")


class Maximal(Right):
    def read(self, v, event):
        name = super().read(v, event)
        t, n = event
        if self.program.threads[t][n].kind == "assert" and n + 1 < len(self.program.threads[t]):
            self.ask(f"(=> x_{t}_{n + 1} (= {name} {ctp.term(self.trace.reads[event][v], {})}))")
        return name


class Prose(Encoding):
    def __init__(self, trace, model):
        self.trace, self.model, self.lost = trace, model, {}
        program = trace.cut
        if model == "mcm":
            program = ctp.Program(program.shared, [[self.form((t, n), event) for n, event in enumerate(thread)]
                                                   for t, thread in enumerate(program.threads)])
        super().__init__(program, "executions", None)
        for name, sort in self.lost.items():
            self.unknown[self.constant(name, sort)] = sort

    def form(self, here, event):
        """Figure 6: assume(x = 0), x := 1, what is symbolic, and what does nothing. A local variable has any value then."""
        if self.trace.is_free(here, with_locals=True):
            return event
        condition, assigned = True, []
        for v, read in self.trace.reads[here].items():
            condition = ("and", condition, ("=", v, read))
        for x, v in self.trace.writes[here].items():
            if x not in self.trace.program.shared:
                name = "any_{}_{}_{}".format(*here, x)
                self.lost[name] = ctp.sort_of(v, {})
                v = name
            assigned.append((x, v))
        return ctp.Event("assume", condition, assigned)

    def order(self):
        super().order()
        for one, other in self.trace.pairs(only_reads_after_writes=True) if self.model == "hb" else ():
            self.ask(f"(=> {self.x(other)} (and {self.x(one)} {self.before(one, other)}))")


def answer(text, kind, model):
    trace = Trace(*ctp.parse_with_trace(text))
    return {"right": Right, "maximal": Maximal, "prose": Prose}[kind](trace, model).problem()


if __name__ == "__main__":
    sys.stdout.write(answer(sys.stdin.buffer.read(), *sys.argv[1:]))
