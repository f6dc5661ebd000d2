"""Checks that no execution of a program with shared variables fails, as its assertions follow from invariants
(docs/shared_memory.md, "By invariants").

invariants.ctp is a program with some shared variables of the other one, whose assertions are the invariants. A *block* is a part of a
thread from one command that accesses these variables to another one, between which no other thread writes them, nor reads
them if the block writes them (counting.py says so); a command alone is always one. So the blocks have the effect that they would have
one after the other. If the initial values have the invariants, and each block that finds them leaves them, then each block finds them.

For each thread there is a problem: a block that finds the invariants does not leave them, or an assertion does not hold, where all
guards so far have been true. What is read of other shared variables, or received, is anything. A solver has to answer `unsat`."""

import subprocess

from . import Refused, Unreadable, shown
from .words import OPERATORS
from .program import Program, used
from .values import evaluate
from .tree import Way, is_division, ways

SOLVERS = {"z3": ["z3", "-in", "-smt2", "-t:20000"], "cvc5": ["cvc5", "--lang", "smt2", "--incremental", "--tlimit-per=20000"]}


class Invariants:
    def __init__(self, program, counting, file):
        self.program, self.counting = program, counting
        about = Program(file)  # its expressions have sorts
        self.variables = about.shared
        for x, v in about.shared.items():
            if x not in program.shared or value_key(program.shared[x]) != value_key(v):
                raise Refused(f"invariants.ctp has a shared variable that the program does not begin with: {shown(x, 40)}")
        if len(about.threads) != 1 or any(c.kind != "assert" for c in about.command.values()):
            raise Refused("invariants.ctp is not one thread of assertions")
        self.conditions = [about.command[rho].expression for rho in about.threads[0]]
        self.touches = {}  # location -> whether it writes; those that access the variables
        for rho, c in program.command.items():
            writes = any(x in self.variables for x in program.gives[rho])
            if writes or any(x in self.variables for x in used(c)):
                self.touches[rho] = writes

    def check(self):
        for e in self.conditions:
            if evaluate(e, self.variables.get)[-1] is not True:
                raise Refused("the initial values do not have an invariant")
        problems = {t: problem for t in range(len(self.program.threads)) if (problem := Problem(self, t).text())}
        left = dict(problems)
        solvers = []
        for name, command in SOLVERS.items():
            answers = asked(command, left.values()) if left else None
            if answers is None:
                continue
            solvers.append(name)
            for t, answer in zip(list(left), answers):
                if answer == "sat":
                    raise Refused(f"thread {t} breaks an invariant, or an assertion there does not follow from them, says {name}")
                if answer == "unsat":
                    del left[t]
        if left and not solvers:
            raise Unreadable("it takes z3 or cvc5 to check it, and there is neither")
        if left:
            raise Refused(f"no solver has an answer about thread {next(iter(left))}")
        return f"no assertion fails, by {len(self.conditions)} invariants; {' and '.join(solvers) or 'no solver'} found no block that breaks one"

    def blocks(self, thread):
        """(first, last, writes) for each block of a thread: places."""
        result = []
        for place, rho in enumerate(thread):
            if rho not in self.touches:
                continue
            writes = self.touches[rho]
            if result:
                first, _, before = result[-1]
                if self.is_atomic(thread[first], rho, writes or before):
                    result[-1] = first, place, writes or before
                    continue
            result.append((place, place, writes))
        return result

    def is_atomic(self, first, last, writes):
        t = self.counting.thread[first]
        return not any((writes or other_writes) and self.counting.thread[other] != t and
                       self.counting.comes_between(other, first, last) for other, other_writes in self.touches.items())


class Problem:
    def __init__(self, invariants, t):
        self.of, self.program = invariants, invariants.program
        self.lines, self.wrong, self.names = [], [], 0
        self.ok = "true"    # all guards so far were true, and no divisor was zero
        self.values = {}    # local variable -> its symbol
        self.now = {}       # in a block: variable -> its symbol
        thread = self.program.threads[t]
        starts = {first: (last, writes) for first, last, writes in invariants.blocks(thread)}
        end = None
        for place, rho in enumerate(thread):
            if place in starts:
                end = starts[place]
                self.now = {x: self.new(self.program.sorts.of_shared(x)) for x in invariants.variables}
                for e in invariants.conditions:
                    self.add(self.term(e, self.now.get))
            self.command(self.program.command[rho])
            if end and end[0] == place:
                if end[1]:
                    self.must([self.term(e, self.now.get) for e in invariants.conditions])
                end, self.now = None, {}

    def text(self):
        """Satisfiable exactly if something is wrong. Empty if nothing can be."""
        return "\n".join([*self.lines, f"(assert (or false {' '.join(self.wrong)}))"]) if self.wrong else ""

    def new(self, sort):
        self.names += 1
        self.lines.append(f"(declare-const s{self.names} {'Bool' if sort == 'Bool' else 'Int'})")
        return f"s{self.names}"

    def add(self, formula):
        self.lines.append(f"(assert {formula})")

    def must(self, formulas):
        self.wrong.append(f"(and {self.ok} (not (and true {' '.join(formulas)})))")

    def passed(self, formulas):
        if formulas:
            before, self.ok = self.ok, self.new("Bool")
            self.add(f"(= {self.ok} (and {before} {' '.join(formulas)}))")

    def command(self, c):
        program, read = self.program, {}

        def name(x):
            """What the command finds in a variable; of a shared one that is not in blocks, anything, but at one moment."""
            if x not in program.shared:
                return self.values[x]
            if x in self.now:
                return self.now[x]
            if x not in read:
                read[x] = self.new(program.sorts.of_shared(x))
            return read[x]

        self.passed([formula for e in c.expressions() for formula in self.divisors(e, name)])
        if c.kind in ("assume", "when"):
            self.passed([self.term(c.expression, name)])
        if c.kind == "assert":
            self.must([self.term(c.expression, name)])
        changed = {}
        terms = {x: self.term(e, name) for x, e in c.assignments()}
        for x, what in program.gives[c.location].items():
            sort = program.sorts.of_shared(x) if x in program.shared else program.sorts.find(program.sorts.given(x, *what))
            changed[x] = self.new(sort)
            if x in terms:
                self.add(f"(= {changed[x]} {terms[x]})")
        for x, symbol in changed.items():
            if x not in program.shared:
                self.values[x] = symbol
            elif x in self.of.variables:
                self.now[x] = symbol

    def divisors(self, e, name):
        """No divisor is zero where the machine gets to it."""
        divisions = [node for node in e.part() if is_division(node)]
        way = ways(e) if divisions else {}
        for node in divisions:
            formula = f"(not (= {self.term(node.operands[1], name)} 0))"
            passed = [self.term(w.condition, name) if w.chosen else f"(not {self.term(w.condition, name)})" for w in Way.of(way[node])]
            yield f"(=> (and true {' '.join(passed)}) {formula})" if passed else formula

    @staticmethod
    def term(e, name):
        stack = []
        for node in e.part():
            if not node.operands:
                stack.append(name(node.word) if node.is_variable else smtlib(node.word))
                continue
            assert node.word in OPERATORS
            operands = [stack.pop() for _ in node.operands][::-1]
            stack.append(f"(not (= {' '.join(operands)}))" if node.word == "!=" else f"({node.word} {' '.join(operands)})")
        return stack.pop()


def value_key(v):
    return isinstance(v, bool), v


def smtlib(word):
    """A value."""
    return f"(- {word[1:]})" if word[0] == "-" else word


def asked(command, problems):
    """The answers of a solver; None if it is not installed."""
    text = "(set-logic ALL)\n" + "".join(f"(push 1)\n{problem}\n(check-sat)\n(pop 1)\n" for problem in problems)
    try:
        result = subprocess.run(command, input=text, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    answers = result.stdout.split("\n")[:-1]
    is_good = all(answer in ("sat", "unsat", "unknown") for answer in answers) and len(answers) == len(problems)
    return answers if is_good else ["unknown"] * len(problems)
