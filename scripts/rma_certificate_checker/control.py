"""What can happen next in the reduced program (docs/rma.md, "The reduction"), as far as program counters and counts say
it.

A program counter is the number of the statement that a process is about to execute, or END. A process that is before an
`atomic` is about to execute its first statement, too, but is not inside yet."""

from collections import defaultdict

END = "end"


class Control:
    def __init__(self, program):
        self.program = program
        self.after = {}      # the number of a statement -> the program counter after it
        self.inside = set()  # the numbers of the statements inside of an `atomic`
        for block in program.blocks:
            self.link(block, END, False)
        self.initial = tuple(first(block, END) for block in program.blocks)
        self.readers, self.writers = defaultdict(list), defaultdict(list)  # read(X) and write(X)
        for s, remote in enumerate(program.remotes):
            self.readers[remote.source].append(s)
            self.writers[remote.target].append(s)
        self.before_access = {x: self.chain(self.writers[x]) for x in program.variables}
        observed = {node.word for p in program.properties if not p.is_final
                    for node in p.expression.part() if node.is_variable}
        self.at_any_time = self.chain(s for x in observed for s in self.writers[x])

    def link(self, block, behind, inside):
        for i, s in enumerate(block):
            self.after[s.number] = block[i + 1].number if i + 1 < len(block) else behind
            if inside:
                self.inside.add(s.number)
            if s.kind == "while":
                self.link(s.body, s.number, inside)
            else:
                self.link(s.body, self.after[s.number], inside or s.kind == "atomic")
                self.link(s.otherwise, self.after[s.number], inside)

    def chain(self, remotes):
        """These, and all that write what one of them reads or writes."""
        result = set(remotes)
        todo = list(result)
        while todo:
            remote = self.program.remotes[todo.pop()]
            more = {*self.writers[remote.source], *self.writers[remote.target]} - result
            result |= more
            todo += more
        return sorted(result)

    def awaited(self, flush):
        """remote(p, pid)"""
        to = self.program.pids.index(flush.pid)
        return [s for s, remote in enumerate(self.program.remotes)
                if remote.statement.process == flush.process and remote.to == to]

    def executed(self, pc):
        """The statement that a process executes there."""
        s = self.program.statements[pc]
        return s.body[0] if s.kind == "atomic" and s.body else s

    def next(self, s):
        """The program counter after a statement; of a condition, both: if it is true, and if it is false."""
        after = self.after[s.number]
        if s.kind == "if":
            return first(s.body, after), first(s.otherwise, after)
        if s.kind == "while":
            return first(s.body, s.number), after
        if s.kind == "goto":
            return self.program.locations[s.process, s.target].number
        return after

    def is_before(self, pc, place):
        """`(at pid rho)`, for the statement at rho."""
        return pc != END and place.number in (pc, self.executed(pc).number)

    def steps(self, pcs):
        """The (process, statement) that can be executed: if a process is inside of an `atomic`, only its own."""
        holders = {p for p, pc in enumerate(pcs) if pc in self.inside}
        return [(p, self.executed(pc)) for p, pc in enumerate(pcs) if pc != END and not holders - {p}]

    def executions(self, pcs, active):
        """Which pending operations may be executed, and when."""
        result = {}
        for p, s in self.steps(pcs):
            remotes = []
            if s.kind == "load":
                remotes = self.before_access[s.source]
            elif s.kind == "store":
                remotes = self.before_access[s.variable]
            elif s.kind == "flush" and any(active[r] for r in self.awaited(s)):
                remotes = self.chain(self.awaited(s))
            for r in remotes:
                result.setdefault(r, f"process {self.program.pids[p]}, line {s.line}, before {s}")
        if all(pc == END for pc in pcs):
            result.update((r, "all processes have finished") for r in range(len(active)))
        for r in self.at_any_time:
            result.setdefault(r, "at any time, for the invariants")
        return {r: when for r, when in result.items() if active[r]}


def first(block, otherwise):
    return block[0].number if block else otherwise
