#!/usr/bin/python3
"""A trace program as a Promela model, for Spin: threads with shared variables, and messages under infinite buffering.

  bench/promela.py FILE             writes the model to standard output; `-` is standard input

FILE is a program that `matchpoint lint` accepts. The model has a process for each thread and a step for each command. A `when` waits
until its guard holds. So does an assumption: a program has the same executions up to an assertion that fails, whether a false
assumption ends them or waits. A process that waits at an assumption that it can break is no deadlock of the program, so Spin's
invalid end states are deadlocks only if the model has no assumptions.

A message goes into a channel of its source and destination, with room for all messages. A wait for a receive completes it and those
before it at its endpoint, with messages from any channels to there: in which order messages arrive does not count before they are
waited for.

Integers have 32 bits in Promela. Larger numbers in the text are refused; values that grow larger in a run are not noticed.
Selectors, tags, modes, barriers, div and mod are refused. Exit codes: 0 done, 2 usage, or a program that cannot be translated.
"""

import argparse
import re
import sys
from dataclasses import dataclass

TOKEN = re.compile(r'[\s;]|[()\[\]]|"[^"\n]*"|[^\s()\[\];"{}]+')
INTEGER = re.compile(r"[+-]?[0-9]+")
MOST = 2**31 - 1
MANY = 255  # Spin has no more processes, and no more channels; a channel has no more room
OPERATORS = {"+": "+", "-": "-", "*": "*", "=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "and": "&&",
             "or": "||", "xor": "!="}  # operands of xor are 0 or 1


class Refused(Exception):
    """A program that cannot be translated, with the place."""

    def __init__(self, offset, message):
        super().__init__(message)
        self.offset = offset


class Atom(str):
    """A word of the text, with its offset."""

    offset = 0


class Group(list):
    """What two brackets enclose, with the offset and kind of the first one."""

    offset = 0
    bracket = ""


def parse(text):
    """The s-expressions of a file: the declaration of shared variables, the program, its traces."""
    open_groups, offset = [Group()], text.startswith("\ufeff")
    while offset < len(text):
        found = TOKEN.match(text, offset)
        if not found:
            raise Refused(offset, f"`{text[offset]}` is no part of the language")
        word = found[0]
        if word == ";":
            end = text.find("\n", offset)
            offset = len(text) if end < 0 else end
            continue
        if word in "([":
            group = Group()
            group.offset, group.bracket = offset, word
            open_groups[-1].append(group)
            open_groups.append(group)
        elif word in ")]":
            if len(open_groups) == 1:
                raise Refused(offset, f"`{word}` closes nothing")
            open_groups.pop()
        elif not word.isspace():
            atom = Atom(word)
            atom.offset = offset
            open_groups[-1].append(atom)
        offset = found.end()
    if len(open_groups) > 1:
        raise Refused(open_groups[-1].offset, "this bracket is not closed")
    return open_groups[0]


class Names:
    """Identifiers of Promela, one for each name."""

    def __init__(self):
        self.known = {}
        self.taken = set()

    def declare(self, key, prefix, name):
        """An identifier that resembles the name."""
        plain = f"{prefix}_{re.sub('[^A-Za-z0-9]', '_', name)}"
        identifier, number = plain, 1
        while identifier in self.taken:
            number += 1
            identifier = f"{plain}_{number}"
        self.taken.add(identifier)
        self.known[key] = identifier
        return identifier


@dataclass
class Model:
    """A program in Promela, and what its size is."""

    text: str
    commands: int
    state_bytes: int  # at least what a state takes
    has_assumptions: bool


class Translation:
    """The translation of one program."""

    def __init__(self, program):
        self.names = Names()
        self.shared = {}  # name -> initial value
        self.temporaries = 0
        self.has_assumptions = False
        self.commands = 0
        self.variables = 0
        forms = list(program)
        if forms and forms[0] and forms[0][0] == "shared":
            self.shared = {str(v[0]): value(v[1]) for v in forms.pop(0) if isinstance(v, Group)}
        self.threads = forms[0] if forms else []
        self.receives = {}  # action -> endpoint; other actions are sends
        self.channels = {}  # (destination, source) -> how many messages it has room for
        self.find_messages()
        self.only_user = self.find_only_users()
        for x in self.shared:
            if x not in self.only_user:
                self.names.declare((None, x), "s", x)

    def find_only_users(self):
        """Shared variable -> the one thread that uses it. To Spin, that is a variable of the process: it need not look at other
        orders of what the process does with it."""
        users = {}
        for number, thread in enumerate(self.threads):
            for located in thread:
                for x in words(located[1]) if isinstance(located, list) else ():
                    if x in self.shared:
                        users.setdefault(str(x), set()).add(number)
        return {x: threads.pop() for x, threads in users.items() if len(threads) == 1}

    def find_messages(self):
        """The receives, and the channels."""
        for command in (located[1] for thread in self.threads for located in thread if isinstance(located, list)):
            if is_message(command, "rcvi"):
                self.receives[command[1]] = int(command[2])
            elif is_message(command, "sndi"):
                channel = int(command[3]), int(command[2])
                self.channels[channel] = self.channels.get(channel, 0) + 1
                if self.channels[channel] > MANY:
                    raise Refused(command.offset, f"the message after {MANY} of a channel; Spin's channels have no more room")

    def model(self):
        """The Model. Raises Refused."""
        processes = [self.process(number, thread) for number, thread in enumerate(self.threads)]
        processes = [p for p in processes if p]
        for number, what in ((len(processes), "threads"), (len(self.channels), "channels")):
            if number > MANY:
                raise Refused(self.threads.offset, f"{number} {what}; Spin has at most {MANY}")
        lines = [f"{'bool' if v in ('true', 'false') else 'int'} {self.names.known[None, x]} = {v};"
                 for x, v in self.shared.items() if x not in self.only_user]
        lines += [f"chan {channel_name(c)} = [{room}] of {{ int }};" for c, room in sorted(self.channels.items())]
        lines += [f"hidden int tmp_{i};" for i in range(self.temporaries)]
        text = "\n".join([*lines, "", *(processes or ["init { skip }\n"])])
        state_bytes = 4 * (len(self.shared) + self.variables + sum(self.channels.values()))
        state_bytes += 16 * (len(processes) + len(self.channels))
        return Model(text, self.commands, state_bytes, self.has_assumptions)

    def process(self, number, thread):
        """The process of a thread; "" if it has no commands."""
        self.thread, self.locals = number, []
        self.posted = {}  # endpoint -> the receives that no wait has completed: pairs of action and variable
        steps = [self.step(located) for located in thread if isinstance(located, list)]
        self.commands += len(steps)
        self.variables += len(self.locals)
        declarations = [f"    int {self.names.known[number, x]} = {self.shared.get(x, '0')};\n" for x in self.locals]
        body = "".join(f"    {step};\n" for step in steps)
        return f"active proctype thread_{number}() {{\n{''.join(declarations)}{body}}}\n" if steps else ""

    def step(self, located):
        """The step for [rho c] or [rho c place]."""
        command = located[1]
        head = command[0]
        if len(command) > 1 and command[1] == ":=":
            return self.assigned([(command[0], command[2])])
        if head == "assert":
            return f"assert({self.expression(command[1])})"
        if head in ("assume", "when"):
            return self.guarded(head == "when", command[1], [(x, e) for x, _, e in command[2:]])
        if head == "sndi" and not any(isinstance(part, Group) for part in command[5:]):
            return f"{channel_name((int(command[3]), int(command[2])))}!{self.expression(command[4])}"
        if head == "rcvi" and not any(isinstance(part, Group) for part in command[4:]):
            self.posted.setdefault(int(command[2]), []).append((command[1], command[3]))
            return "true"
        if head == "wait":
            return self.wait(command[1])
        raise Refused(command.offset, f"`{head}`: models have no selectors, tags, modes and barriers")

    def wait(self, action):
        """A step that waits for a send, which is buffered at once, or for a receive."""
        if action not in self.receives:
            return "true"
        endpoint = self.receives[action]
        posted = self.posted.get(endpoint, [])
        count = next((n for n, (a, _) in enumerate(posted, 1) if a == action), 0)  # 0: a later wait has completed it
        completed, self.posted[endpoint] = posted[:count], posted[count:]
        sources = [channel_name(c) for c in sorted(self.channels) if c[0] == endpoint]
        if not sources and completed:
            return "false"
        takes = [" :: ".join(f"{c}?{self.variable(x)}" for c in sources) for _, x in completed]
        takes = [f"if :: {t} fi" if len(sources) > 1 else t for t in takes]
        if count <= 1:
            return takes[0] if takes else "true"
        there = " + ".join(f"len({c})" for c in sources)
        return f"atomic {{ ({there} >= {count}); {'; '.join(takes)} }}"

    def guarded(self, blocks, guard, assigned):
        """A step that waits for its guard."""
        if guard == "true":
            return self.assigned(assigned) if assigned else "true"
        self.has_assumptions = self.has_assumptions or not blocks
        waits = self.expression(guard)
        return f"d_step {{ {waits}; {self.stores(assigned)} }}" if assigned else waits

    def assigned(self, assigned):
        """A step that assigns something."""
        stores = self.stores(assigned)
        return f"d_step {{ {stores} }}" if ";" in stores else stores

    def stores(self, assigned):
        """Assignments in one step. All right-hand sides are of the state before."""
        values = [self.expression(e) for _, e in assigned]
        targets = [self.variable(x) for x, _ in assigned]
        written, overlap = set(), False
        for (x, e) in assigned:
            overlap = overlap or not written.isdisjoint(words(e))
            written.add(x)
        if not overlap:
            return "; ".join(f"{x} = {e}" for x, e in zip(targets, values))
        self.temporaries = max(self.temporaries, len(values))
        return "; ".join([f"tmp_{i} = {e}" for i, e in enumerate(values)] + [f"{x} = tmp_{i}" for i, x in enumerate(targets)])

    def variable(self, x):
        """A variable that threads share, or one of this thread."""
        is_global = x in self.shared and str(x) not in self.only_user
        key = (None if is_global else self.thread, str(x))
        if key not in self.names.known:
            self.names.declare(key, "l", x)
            self.locals.append(str(x))
        return self.names.known[key]

    def expression(self, e):
        """Of Promela, in brackets."""
        if isinstance(e, Atom):
            return value(e) if is_value(e) else self.variable(e)
        op, *operands = e
        return operation(op, [self.expression(o) for o in operands])


def is_value(atom):
    return INTEGER.fullmatch(atom) or atom in ("true", "false")


def value(atom):
    """A number or a truth value."""
    if not INTEGER.fullmatch(atom):
        return str(atom)
    if abs(int(atom)) > MOST:
        raise Refused(atom.offset, f"{atom} does not fit into the 32 bits of a Promela integer")
    return str(int(atom))


def operation(op, parts):
    """Of operands that are in Promela, in brackets."""
    if op == "not":
        return f"(!{parts[0]})"
    if op == "=>":
        return f"(!{parts[0]} || {parts[1]})"
    if op == "ite":
        return f"({parts[0]} -> {parts[1]} : {parts[2]})"
    if op not in OPERATORS:
        raise Refused(op.offset, f"`{op}`: Promela's division rounds in another way")
    return "(" + f" {OPERATORS[op]} ".join(parts) + ")"


def is_message(command, head):
    """Whether it is this command, and no assignment."""
    return command[0] == head and command[1] != ":="


def channel_name(channel):
    """For a destination and a source."""
    return f"c_{channel[1]}_to_{channel[0]}"


def words(e):
    """The atoms of an expression."""
    if isinstance(e, Atom):
        return {e}
    return set().union(*map(words, e))


def translate(text):
    """The Model of a program. Raises Refused."""
    return Translation(parse(text)).model()


def place(text, offset):
    """LINE:COLUMN, counted from 1."""
    before = text[:offset]
    return f"{before.count(chr(10)) + 1}:{offset - (before.rfind(chr(10)) + 1) + 1}"


def write_model(tool, name, translation):
    """Prints the model of a file, or says why it has none. Gives the exit code."""
    shown = "<stdin>" if name == "-" else name
    try:
        if name == "-":
            text = sys.stdin.read()
        else:
            with open(name, encoding="utf-8") as file:
                text = file.read()
    except (OSError, UnicodeDecodeError) as e:
        print(f"{tool}: {shown}: {e}", file=sys.stderr)
        return 2
    try:
        sys.stdout.write(translation(text).text)
    except Refused as e:
        print(f"{shown}:{place(text, e.offset)}: error: {e}", file=sys.stderr)
        return 2
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE")
    name = parser.parse_args().file
    sys.setrecursionlimit(100_000)  # expressions may be deep
    return write_model("promela", name, translate)


if __name__ == "__main__":
    sys.exit(main())
