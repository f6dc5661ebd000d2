"""Decides by walking through all executions, and prints a verdict: no solver is needed.

    explorer.py infinite|zero [LIMIT] < PROGRAM

Steps of threads never get in each other's way, and nothing is lost by taking them as soon as they can be taken; so the only
choice is which message is delivered next. Says "unknown" beyond LIMIT states.
"""

import sys

import ctp

OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "mod": lambda a, b: a % abs(b),  # Euclid's: never negative
    "div": lambda a, b: (a - a % abs(b)) // b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
    "=>": lambda a, b: not a or b,
}


class Impossible(Exception):
    """No run that counts goes on from here: a divisor is zero, or an assumption does not hold."""


def evaluate(e, values):
    if isinstance(e, (bool, int)):
        return e
    if isinstance(e, str):
        return values[e]
    if e[0] == "ite":
        return evaluate(e[2 if evaluate(e[1], values) else 3], values)
    operands = [evaluate(operand, values) for operand in e[1:]]
    if e[0] == "not":
        return not operands[0]
    if e[0] in ("div", "mod") and operands[1] == 0:
        raise Impossible("division by zero")
    return OPERATORS[e[0]](*operands)


class State:
    """All of a run so far, as far as what comes may depend on it."""

    def __init__(self, program):
        self.at = [0] * len(program)  # thread -> its next command
        self.values = {}
        self.transit = {}  # (alpha, beta) -> sends, the oldest first: (action, value)
        self.delivered = {}  # beta -> messages that no receive has got yet: (action, value)
        self.posted = {}  # beta -> receives that have no message yet: (action, variable)
        self.failed = False
        self.matches = ()

    def copy(self):
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other.at, other.values = list(self.at), dict(self.values)
        for name in ("transit", "delivered", "posted"):
            setattr(other, name, dict(getattr(self, name)))
        return other

    def key(self):
        def items(mapping):
            return tuple(sorted((k, v) for k, v in mapping.items() if v != ()))

        return (tuple(self.at), items(self.values), items(self.transit), items(self.delivered), items(self.posted),
                self.failed)


class Explorer:
    def __init__(self, program, buffering):
        self.program, self.zero = program, buffering == "zero"
        self.requests = {command[1]: command for thread in program for command in thread if command[0] in ("sndi", "rcvi")}

    def is_next_possible(self, state, command):
        if command[0] != "wait":
            return True
        request = self.requests[command[1]]
        if request[0] == "sndi":
            return not self.zero or all(a != request[1] for a, _ in state.transit.get(request[2:4], ()))
        places = [a for a, _ in state.posted.get(request[2], ())]
        return request[1] not in places or places.index(request[1]) < len(state.delivered.get(request[2], ()))

    def step(self, state, command):
        match command:
            case ("assume", e):
                if not evaluate(e, state.values):
                    raise Impossible("assumption")
            case ("assert", e):
                holds = evaluate(e, state.values)  # it may be impossible, whatever failed before
                state.failed = state.failed or not holds
            case ("assign", x, e):
                state.values[x] = evaluate(e, state.values)
            case ("sndi", a, alpha, beta, e):
                state.transit[alpha, beta] = state.transit.get((alpha, beta), ()) + ((a, evaluate(e, state.values)),)
            case ("rcvi", a, beta, x):
                state.posted[beta] = state.posted.get(beta, ()) + ((a, x),)
            case ("wait", a) if self.requests[a][0] == "rcvi":
                beta = self.requests[a][2]
                while any(a == name for name, _ in state.posted.get(beta, ())):
                    (receive, x), *posted = state.posted[beta]
                    (send, value), *delivered = state.delivered[beta]
                    state.values[x] = value
                    state.matches += ((receive, send),)
                    state.posted[beta], state.delivered[beta] = tuple(posted), tuple(delivered)

    def run_threads(self, state):
        """Every thread as far as it gets without a further delivery."""
        moved = True
        while moved:
            moved = False
            for t, thread in enumerate(self.program):
                while state.at[t] < len(thread) and self.is_next_possible(state, thread[state.at[t]]):
                    self.step(state, thread[state.at[t]])
                    state.at[t] += 1
                    moved = True

    def deliveries(self, state):
        for (alpha, beta), (first, *others) in [(c, sends) for c, sends in state.transit.items() if sends]:
            delivered = state.delivered.get(beta, ())
            if self.zero and len(delivered) >= len(state.posted.get(beta, ())):
                continue
            after = state.copy()
            after.transit[alpha, beta] = tuple(others)
            after.delivered[beta] = delivered + (first,)
            yield after

    def verdict(self, limit):
        """The verdict, and the matches of a run that has it."""
        best, seen, open_states = ("vacuous", ()), set(), [State(self.program)]
        while open_states:
            state = open_states.pop()
            try:
                self.run_threads(state)
            except Impossible:
                continue
            if (key := state.key()) in seen:
                continue
            seen.add(key)
            if len(seen) > limit:
                return "unknown", ()
            if all(at == len(thread) for at, thread in zip(state.at, self.program)):
                if state.failed:
                    return "violated", state.matches
                best = ("safe", state.matches)
                continue
            open_states += self.deliveries(state)
        return best


def quoted(text):
    """As a JSON string: actions have neither quotes nor line ends, but anything else."""
    return '"' + "".join(f"\\u{ord(c):04x}" if c < " " or c == "\\" else c for c in text) + '"'


def answer(text, buffering, limit="20000"):
    verdict, matches = Explorer(ctp.parse(text), buffering).verdict(int(limit))
    pairs = ", ".join(f"[{quoted(receive)}, {quoted(send)}]" for receive, send in matches)
    return f'{{"verdict": "{verdict}", "matches": [{pairs}]}}\n'


if __name__ == "__main__":
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read(), *sys.argv[1:]).encode())
