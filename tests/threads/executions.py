"""A naive interpreter of the trace language, for programs of guarded assignments. It shares no code with the machine."""

import re
from functools import lru_cache

BINARY = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-", "*": "*", "div": "//", "mod": "%", "and": "and",
          "or": "or"}


def parsed(text):
    """The parts of a file: nested lists of words."""
    stack = [[]]
    for token in re.findall(r'"[^"]*"|[()\[\]]|[^\s()\[\]]+', re.sub(r"(?m)^;.*", "", text)):
        if token in "([":
            stack.append([])
        elif token in ")]":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(token)
    return stack[0]


@lru_cache(maxsize=100_000)
def function_of(text):
    """Small programs have the same commands again and again."""
    return eval(text)  # noqa: S307


class Executions:
    """All executions of a program whose divisors are positive constants. A state is a tuple: the place of each thread, then the values
    of all variables."""

    def __init__(self, text):
        declared, threads = parsed(text)[:2]
        values = {d[0]: self.number(d[1]) for d in declared[1:] if d != "atomic"}
        threads = [[command[1] for command in thread if command != "bot"] for thread in threads]
        for thread in threads:
            for command in thread:
                values |= {x: 0 for x, *_ in self.assigned(command) if x not in values}
        self.at = {x: len(threads) + i for i, x in enumerate(values)}
        self.initial = (0,) * len(threads) + tuple(values.values())
        self.threads = [[self.compiled(command) for command in thread] for thread in threads]

    @staticmethod
    def number(word):
        return {"true": True, "false": False}.get(word) if word in ("true", "false") else int(word)

    @staticmethod
    def assigned(command):
        if command[1] == ":=":
            return [command]
        return command[2:]

    def python(self, e):
        if isinstance(e, str):
            return f"s[{self.at[e]}]" if e in self.at else str(self.number(e))
        if e[0] == "ite":
            return f"({self.python(e[2])} if {self.python(e[1])} else {self.python(e[3])})"
        if e[0] == "not":
            return f"(not {self.python(e[1])})"
        return f"({self.python(e[1])} {BINARY[e[0]]} {self.python(e[2])})"

    def compiled(self, command):
        """Whether it is a `when`, its guard, and for each variable that it assigns, where it is and the value."""
        guard = "True" if command[1] == ":=" else self.python(command[1])
        values = ", ".join(self.python(e) for _, _, e in self.assigned(command))
        function = function_of(f"lambda s: ({values}{',' if values else ''}) if {guard} else None")
        return command[0] == "when", function, [self.at[x] for x, *_ in self.assigned(command)]

    def endings(self):
        """The places of the threads in all states in which nobody can go on and nobody has left the path."""
        found, left, places = {self.initial}, [self.initial], set()
        while left:
            state, is_over = left.pop(), True
            for t, thread in enumerate(self.threads):
                if state[t] == len(thread):
                    continue
                waits, function, variables = thread[state[t]]
                values = function(state)
                if values is None:
                    is_over = is_over and waits
                    continue
                is_over = False
                after = list(state)
                after[t] += 1
                for x, value in zip(variables, values):
                    after[x] = value
                after = tuple(after)
                if after not in found:
                    found.add(after)
                    left.append(after)
            if is_over:
                places.add(state[: len(self.threads)])
        return places
