"""Reads the files that the runtime (record/threads/runtime/) writes, as record/threads/format.h says, and checks that what they say is
consistent. Shares nothing with record/threads/.

    python3 tests/threads/records.py FOLDER     prints all records, then what is inconsistent
"""

import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

MAGIC = b"MPTHRD1\n"
OPERATORS = ("", "add", "sub", "mul", "shl", "udiv", "sdiv", "urem", "srem", "lshr", "ashr", "and", "or", "xor", "eq", "ne", "ult", "ule", "slt", "sle",
             "trunc", "zext", "sext", "select")
CASTS = ("trunc", "zext", "sext")
UPDATES = ("", "exchanged", "added", "subtracted", "anded", "ored", "xored", "nanded", "signed max", "signed min", "unsigned max", "unsigned min")
ATOMIC, WEAK_ORDER, NEW_TURN, NEW_SECOND_TURN, HAS_OLD, IS_LOCAL, HAS_ADDRESS, IS_CONCRETE = (1 << i for i in range(8))

# Kinds of records: name, fields. u, s, text as in format.h; `access`, `value` (node and s) and others are read by functions below.
RUN = {1: ("thread", "thread creator stack size place", "uuuuu"), 2: ("module", "path address size compiled", "tuuu"),
       3: ("place", "number file line column function", "utuut"), 4: ("global", "address size name type", "uutt")}
SYNCHRONISATION = ["create:thread", "join:thread", "exit:", "lock:kind depth tried", "lock_fails:timed", "lock_error:code", "unlock:depth", "unlock_error:code",
                   "read_lock:tried", "read_fails:timed", "write_lock:tried", "write_fails:timed", "rw_unlock:writes", "wait_begins:mutex mutex_order timed",
                   "wait_ends:mutex mutex_order outcome", "signal:", "broadcast:", "sem_init:value", "sem_wait:tried", "sem_fails:timed", "sem_post:",
                   "barrier_init:count", "barrier_arrives:", "barrier_leaves:serial", "once_begins:", "once_ends:", "once_passes:", "destroy:what", "awaits:what"]
FIRST_SYNCHRONISATION = 32
SIMPLE = {11: ("alloc", "order place address size", "uuuu"), 12: ("free", "order place address", "uuu"),
          96: ("end", "code", "u"), 97: ("failed", "place how text", "uut"), 98: ("gap", "place function why", "utt")}
KINDS = {**{kind: name for kind, (name, _, _) in {**RUN, **SIMPLE}.items()}, 5: "operation", 6: "concrete", 7: "branch", 8: "switch", 9: "load", 10: "store"}


@dataclass
class Record:
    kind: str
    thread: int
    index: int  # in its file
    at: dict = field(default_factory=dict)

    def __getattr__(self, name):
        try:
            return self.__dict__["at"][name]
        except KeyError:
            raise AttributeError(f"{self.kind} has no {name}") from None

    def __str__(self):
        return f"{self.thread}.{self.index} {self.kind} " + " ".join(f"{name}={value}" for name, value in self.at.items())


def names_of_format():
    """{number: name} of enum matchpoint_record, as the header has it."""
    text = (Path(__file__).resolve().parents[2] / "record/threads/format.h").read_text()
    body = text[text.index("enum matchpoint_record {"):]
    names, number = {}, 0
    for line in body[:body.index("};")].splitlines()[1:]:
        line = line.split("//")[0].strip().rstrip(",")
        if line.startswith("matchpoint_"):
            name, _, value = (part.strip() for part in line.partition("="))
            number = int(value) if value else number + 1
            names[number] = name.removeprefix("matchpoint_")
    return names


class Cut(Exception):
    """The file ends within a record."""


class Reader:
    """The records of one file."""

    def __init__(self, data, thread):
        self.data, self.position, self.thread, self.nodes = data, len(MAGIC), thread, 0
        self.names = names_of_format()
        self.forms, self.addresses = {}, [0] * 64
        if not data.startswith(MAGIC):
            raise ValueError("not a recording")

    def u(self):
        value, shift = 0, 0
        while True:
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def s(self):
        value = self.u()
        return value >> 1 if value % 2 == 0 else -(value >> 1) - 1

    def t(self):
        size = self.u()
        self.position += size
        return self.data[self.position - size:self.position].decode(errors="replace")

    def node(self):
        self.nodes += 1
        return self.nodes

    def access(self):
        at = {"place": self.u(), "flags": self.u(), "size": self.u(), "address": self.u()}
        at["address_node"] = self.u() if at["flags"] & HAS_ADDRESS else 0
        at["turn"] = self.u() if at["flags"] & NEW_TURN else None
        at["second_turn"] = self.u() if at["flags"] & NEW_SECOND_TURN else None
        at["old"] = self.s() if at["flags"] & HAS_OLD else None
        return at

    def operation(self):
        operator = OPERATORS[self.u()]
        at = {"operator": operator, "flags": self.u(), "width": self.u()}
        at["to"] = self.u() if operator in CASTS else None
        n = 1 if operator in CASTS else 3 if operator == "select" else 2
        operands = []
        for _ in range(n):
            node = self.u()
            operands.append((node, None if node else self.s()))
        return {**at, "operands": operands, "node": self.node()}

    def outside(self):
        at = {"place": self.u(), "address": self.u(), "size": self.u()}
        self.position += at["size"]
        at["bytes"] = self.data[self.position - at["size"]:self.position]
        at["turns"] = []
        for _ in range(self.u()):
            cells, turn = self.u(), self.u()
            at["turns"] += [turn] * cells
        return at

    def form(self):
        number, kind = self.u(), self.names[self.u()]
        form = {"kind": kind}
        if kind == "operation":
            form["operations"] = self.operations_of_form()
        elif kind == "branch":
            form.update(place=self.u(), asserts=self.u(), operations=self.operations_of_form())
        elif kind == "concrete":
            form.update(place=self.u(), reason=self.u())
        else:
            form.update(place=self.u(), flags=self.u(), size=self.u())
            form["reason"] = self.u() if form["flags"] & IS_CONCRETE else None
        self.forms[number] = form
        self.addresses[number % 64] = 0
        return {"number": number, **form}

    def operations_of_form(self):
        operations = []
        for _ in range(self.u()):
            operator = OPERATORS[self.u()]
            operation = {"operator": operator, "flags": self.u(), "width": self.u(), "to": self.u() if operator in CASTS else None}
            operands = 1 if operator in CASTS else 3 if operator == "select" else 2
            operations.append((operation, [self.operand_of_form() for _ in range(operands)]))
        return operations

    def operand_of_form(self):
        """("open", None), ("constant", value) or ("earlier", number)."""
        what = self.u()
        return ("open", None) if what == 0 else ("constant", self.s()) if what == 1 else ("earlier", what - 2)

    def near(self, distance):
        return 0 if distance == 0 else self.nodes + 1 - distance

    def short(self, first):
        """The records of a short one: names and fields."""
        number = self.u() * 64 + first
        form = self.forms[number]
        if form["kind"] == "branch" and form["operations"]:
            taken = self.u()
            operations = [("operation", fields) for fields in self.short_operations(form["operations"])]
            branch = {"place": form["place"], "value_node": self.nodes, "taken": taken, "asserts": form["asserts"]}
            return [*operations, ("branch", branch)]
        if form["kind"] == "branch":
            distance, taken = divmod(self.u(), 2)
            return [("branch", {"place": form["place"], "value_node": self.near(distance), "taken": taken, "asserts": form["asserts"]})]
        if form["kind"] == "concrete":
            return [("concrete", {"place": form["place"], "value_node": self.near(self.u()), "value": None, "reason": form["reason"]})]
        if form["kind"] == "operation":
            return [("operation", fields) for fields in self.short_operations(form["operations"])]
        address = self.addresses[number % 64] = self.addresses[number % 64] + self.s()
        at = {"place": form["place"], "flags": form["flags"] & ~IS_CONCRETE, "size": form["size"], "address": address,
              "address_node": 0, "turn": None, "second_turn": None, "old": None}
        if form["kind"] == "store":
            return [("store", {**at, "value_node": self.near(self.u()), "value": self.s()})]
        load = ("load", {"node": self.node(), **at, "value": self.s() if form["flags"] & IS_LOCAL else None})
        if form["reason"] is None:
            return [load]
        return [load, ("concrete", {"place": form["place"], "value_node": self.nodes, "value": None, "reason": form["reason"]})]

    def short_operations(self, operations):
        known = []  # all that is open comes first
        for _, operands in operations:
            for what, _ in operands:
                if what == "open":
                    node = self.near(self.u())
                    known.append((node, None if node else self.s()))
        first, result = self.nodes + 1, []
        for operation, operands in operations:
            said = [known.pop(0) if what == "open" else (0, value) if what == "constant" else (first + value, None) for what, value in operands]
            result.append({**operation, "operands": said, "node": self.node()})
        return result

    def fields(self, name):
        for known, names, kinds in {**RUN, **SIMPLE}.values():
            if known == name:
                return {field_name: getattr(self, kind)() for field_name, kind in zip(names.split(), kinds)}
        if name == "operation":
            return self.operation()
        if name == "concrete":
            return {"place": self.u(), "value_node": self.u(), "value": self.s(), "reason": self.u()}
        if name == "branch":
            return {"place": self.u(), "value_node": self.u(), "taken": self.u(), "asserts": self.u()}
        if name == "switch":
            return {"place": self.u(), "value_node": self.u(), "value": self.s(), "cases": [self.s() for _ in range(self.u())]}
        if name == "load":
            return {"node": self.node(), **self.access(), "value": self.s()}
        if name == "store":
            return {**self.access(), "value_node": self.u(), "value": self.s()}
        if name == "update_record":
            return {"node": self.node(), **self.access(), "update": UPDATES[self.u()], "operand_node": self.u(), "operand": self.s(), "before": self.s()}
        if name == "exchange":
            return {"node": self.node(), **self.access(), "expected_node": self.u(), "expected": self.s(), "value_node": self.u(), "value": self.s(),
                    "before": self.s(), "success": self.u()}
        if name == "outside":
            return self.outside()
        if name == "form":
            return self.form()
        for line in SYNCHRONISATION:
            known, _, names = line.partition(":")
            if known == name:
                return {field_name: self.u() for field_name in ["place", "object", "order", *names.split()]}
        raise ValueError(f"{name} is not a record that this reader knows")

    def records(self):
        index = 0
        while self.position < len(self.data) and self.data[self.position] != 0:
            for name, fields in self.read_record():
                yield Record(name, self.thread, index, fields)
                index += 1

    def read_record(self):
        begin = self.position
        kind = self.data[self.position]
        self.position += 1
        if kind >= 128:
            yield from self.short(kind - 128)
        elif self.names[kind] == "again":
            size, n = (int.from_bytes(self.data[at:at + 4], "little") for at in (self.position, self.position + 4))
            after = self.position + 8
            yield "again", {"bytes": size, "n": n}
            self.position = begin
            for _ in range(n):
                self.position = begin - size if self.position == begin else self.position
                assert self.data[self.position] >= 128, "a record that is read again is not short"
                yield from self.read_record()
            self.position = after
        else:
            yield self.names[kind], self.fields(self.names[kind])


def bytes_of(file):
    """The bytes of a file, and those that only its window has."""
    data, window = file.read_bytes(), file.with_suffix(".window")
    if not window.exists():
        return data
    known = window.read_bytes()
    return data + known[8 + len(data) - int.from_bytes(known[:8], "little"):]


class Run:
    """All records of a folder."""

    def __init__(self, folder):
        self.threads = []
        for file in sorted(Path(folder).glob("thread-*.threads")):
            number = int(file.stem.removeprefix("thread-"))
            self.threads.append(list(Reader(bytes_of(file), number).records()))
        self.places = {record.number: record for record in self.all("place")}
        fill_values(self)

    def all(self, *kinds):
        return [record for thread in self.threads for record in thread if record.kind in kinds]

    def line(self, record):
        return self.places[record.place].line if record.place else None

    def globals(self):
        return {record.name: record for record in self.all("global")}


# ---- values ------------------------------------------------------------------------------------------------------------

def signed(value, width):
    value %= 1 << width
    return value if width == 1 or value < 1 << (width - 1) else value - (1 << width)


def truncated(a, b):
    """Division as the processor's."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def computed(operator, width, to, operands):
    """The exact value, as format.h writes it."""
    a = operands[0]
    unsigned = [value % (1 << width) for value in operands]
    if operator in CASTS:
        return signed(a if operator == "sext" and width > 1 else -unsigned[0] if operator == "sext" else unsigned[0], to)
    b, ub = operands[1], unsigned[1]
    ua = unsigned[0]
    sa, sb = (-x if width == 1 else x for x in (a, b))  # a bit is 0 or -1 where it is signed
    match operator:
        case "add": result = a + b
        case "sub": result = a - b
        case "mul": result = a * b
        case "shl": result = ua << ub
        case "udiv": result = ua // ub
        case "sdiv": result = truncated(sa, sb)
        case "urem": result = ua % ub
        case "srem": result = sa - sb * truncated(sa, sb)
        case "lshr": result = ua >> ub
        case "ashr": result = sa >> ub
        case "and": result = ua & ub
        case "or": result = ua | ub
        case "xor": result = ua ^ ub
        case "select": return b if a % 2 else operands[2]
        case "eq": return int(ua == ub)
        case "ne": return int(ua != ub)
        case "ult": return int(ua < ub)
        case "ule": return int(ua <= ub)
        case "slt": return int(sa < sb)
        case "sle": return int(sa <= sb)
    return signed(result, width)


def updated(update, old, x, width):
    ua, ux = old % (1 << width), x % (1 << width)
    match update:
        case "exchanged": result = x
        case "added": result = old + x
        case "subtracted": result = old - x
        case "anded": result = ua & ux
        case "ored": result = ua | ux
        case "xored": result = ua ^ ux
        case "nanded": result = ~(ua & ux)
        case "signed max": result = max(old, x)
        case "signed min": result = min(old, x)
        case "unsigned max": result = max(ua, ux)
        case "unsigned min": result = min(ua, ux)
    return signed(result, width)


def wrong_values(run):
    """Where nodes, computed with exact arithmetic, are not what the program had."""
    for thread in run.threads:
        value = {}
        for record in thread:
            at = record.at
            expected = []
            if record.kind == "operation":
                operands = [value[node] if node else constant for node, constant in record.operands]
                value[record.node] = computed(record.operator, record.width, record.to, operands)
            elif record.kind in ("load", "update_record", "exchange"):
                value[record.node] = record.value if record.kind == "load" else record.before
            if record.kind in ("concrete", "switch", "store", "exchange"):
                expected.append((at["value_node"], at["value"]))
            if record.kind == "branch":
                expected.append((record.value_node, record.taken))
            if record.kind == "update_record":
                expected.append((record.operand_node, record.operand))
            if record.kind == "exchange":
                expected.append((record.expected_node, record.expected))
                if record.success != (record.before == record.expected):
                    yield f"{record}: success is wrong"
            if at.get("address_node"):
                expected.append((record.address_node, record.address))
            for node, real in expected:
                if node and real is not None and value[node] != real and not (record.kind == "concrete" and value[node] % 2**32 == real % 2**32):
                    yield f"{record}: the node has {value[node]}"


# ---- memory ------------------------------------------------------------------------------------------------------------

def parts(record):
    """The cells of an access, with the numbers of turns that begin."""
    first, last = record.address // 8, (record.address + record.size - 1) // 8
    if record.kind == "outside":
        return list(zip(range(first, last + 1), record.turns))
    return [(first, record.turn), (last, record.second_turn)] if last != first else [(first, record.turn)]


def raw(value, size):
    return (value % (1 << 8 * size)).to_bytes(size, "little")


def accesses_of_cells(run):
    """{cell: [(turn, thread, position, record)]}. The block that a cell is in is allocated as its thread accesses the cell first."""
    cells = defaultdict(list)
    for number, thread in enumerate(run.threads):
        turns, allocated = {}, {}
        for position, record in enumerate(thread):
            if record.kind == "alloc":
                allocated.update({cell: (position, record) for cell in range(record.address // 8, (record.address + min(record.size, 1 << 16)) // 8 + 1)})
            if record.kind not in ("load", "store", "update_record", "exchange", "outside") or record.at.get("flags", 0) & IS_LOCAL:
                continue
            for cell, turn in parts(record):
                if turn is not None:
                    turns[cell] = turn
                if cell in allocated:
                    cells[cell].append((turns.get(cell), number, *allocated.pop(cell)))
                cells[cell].append((turns.get(cell), number, position, record))
    return cells


def fill_values(run):
    """What short loads read: the bytes as the last accesses left them. None stays where files are cut, and that is not known."""
    for cell, accesses in accesses_of_cells(run).items():
        memory = {}
        for _, _, _, record in sorted((a for a in accesses if a[0] is not None), key=lambda access: access[:3]):
            if record.kind == "alloc":
                for address in range(record.address, record.address + record.size):
                    memory.pop(address, None)
            elif record.kind == "load" and record.value is None:
                known = [memory.get(address) for address in range(record.address, record.address + record.size)]
                if None not in known:
                    record.at["value"] = signed(int.from_bytes(bytes(known), "little"), 8 * record.size)
            else:
                _, after = before_and_after(record)
                memory.update((record.address + i, byte) for i, byte in enumerate(after) if (record.address + i) // 8 == cell)


def wrong_memory(run, is_cut=False):
    """Where turns do not fit together, or something was read that was not there."""
    for cell, accesses in accesses_of_cells(run).items():
        if any(turn is None for turn, _, _, _ in accesses):
            yield f"cell {8 * cell:x}: an access has no turn: {[str(a[3]) for a in accesses if a[0] is None][0]}"
            continue
        accesses.sort(key=lambda access: access[:3])
        owners, stores = {}, {turn for turn, _, _, record in accesses if record.kind not in ("load", "alloc")}
        for turn, thread, _, record in accesses:
            if owners.setdefault(turn, thread) != thread and turn in stores:
                yield f"{record}: turn {turn} of cell {8 * cell:x} is that of thread {owners[turn]}"
        if not is_cut and sorted(owners) != list(range(1, len(owners) + 1)):
            yield f"cell {8 * cell:x}: turns {sorted(owners)}"
        memory = {}
        for _, _, _, record in accesses:
            if record.kind == "alloc":
                for address in range(record.address, record.address + record.size):
                    memory.pop(address, None)
            else:
                yield from wrong_access(record, memory, cell)


def before_and_after(record):
    """The bytes before and after an access; before is None if the access does not say it."""
    if record.kind == "load":
        return raw(record.value, record.size), raw(record.value, record.size)
    if record.kind == "outside":
        return None, record.bytes
    if record.kind == "store":
        return None if record.old is None else raw(record.old, record.size), raw(record.value, record.size)
    value = updated(record.update, record.before, record.operand, 8 * record.size) if record.kind == "update_record" else \
        record.value if record.success == 1 else record.before
    return raw(record.before, record.size), raw(value, record.size)


def wrong_access(record, memory, cell):
    """What is wrong with the part of an access that is in one cell. `memory` has the bytes that are known."""
    if record.kind == "load" and record.value is None:
        yield f"{record}: nobody knows what was there"
        return
    place = range(record.address, record.address + record.size)
    before, after = before_and_after(record)
    if record.kind in ("update_record", "exchange") and record.old is not None and raw(record.old, record.size) != before:
        yield f"{record}: two values before"
    for i, address in enumerate(place):
        if address // 8 != cell:
            continue
        if before is not None and memory.get(address, before[i]) != before[i]:
            yield f"{record}: byte {i} was {memory[address]:#x}"
        if before is None and record.kind == "store" and address not in memory:
            yield f"{record}: nobody knows what byte {i} was"
        memory[address] = after[i]


# ---- synchronisation ---------------------------------------------------------------------------------------------------

def events_of_objects(run):
    """{address: [(order, thread, record)]}, in their order."""
    objects = defaultdict(list)
    for number, thread in enumerate(run.threads):
        for record in thread:
            at = record.at
            if "order" in at and record.kind not in ("alloc", "free", "awaits", "create", "join", "exit"):
                objects[record.object].append((record.order, number, record))
            if record.kind in ("wait_begins", "wait_ends"):
                objects[record.mutex].append((record.mutex_order, number, record))
    for events in objects.values():
        events.sort(key=lambda event: event[:2])
    return objects


class Object:
    """What POSIX lets an object be."""

    def __init__(self, address):
        self.address, self.owner, self.depth, self.readers, self.writer, self.count = address, None, 0, Counter(), None, None
        self.waiting, self.woken, self.inside, self.arrived, self.once = [], [], 0, 0, "new"

    def step(self, thread, record):
        """What is wrong with the event; None if nothing is."""
        kind = record.kind
        if kind in ("wait_begins", "wait_ends"):
            return self.step_mutex_of_wait(thread, record) if record.mutex == self.address else self.step_wait(thread, record)
        return getattr(self, f"on_{kind}")(thread, record)

    def on_lock(self, thread, record):
        problem = self.owner not in (None, thread) or record.depth != self.depth or (self.depth > 0 and record.at["kind"] != 1)
        self.owner, self.depth = thread, self.depth + 1
        return "it was taken" if problem else None

    def on_unlock(self, thread, record):
        problem = self.owner != thread or record.depth != self.depth - 1
        self.depth -= 1
        self.owner = thread if self.depth > 0 else None
        return "it was not its own" if problem else None

    def on_lock_fails(self, thread, record):
        return "it was free" if self.owner is None else None

    def on_lock_error(self, thread, record):
        return None

    def on_unlock_error(self, thread, record):
        return "it was its own" if self.owner == thread else None

    def on_read_lock(self, thread, record):
        self.readers[thread] += 1
        return "somebody writes" if self.writer is not None else None

    def on_write_lock(self, thread, record):
        problem = self.writer is not None or self.readers.total()
        self.writer = thread
        return "somebody has it" if problem else None

    def on_read_fails(self, thread, record):
        return "nobody writes" if self.writer is None else None

    def on_write_fails(self, thread, record):
        return "it was free" if self.writer is None and not self.readers.total() else None

    def on_rw_unlock(self, thread, record):
        if record.writes:
            problem, self.writer = self.writer != thread, None
            return "it was not its own" if problem else None
        self.readers[thread] -= 1
        return "it was not its own" if self.readers[thread] < 0 else None

    def step_mutex_of_wait(self, thread, record):
        if record.kind == "wait_begins":
            problem, self.owner, self.depth = self.owner != thread, None, 0
            return "the mutex was not its own" if problem else None
        problem, self.owner, self.depth = self.owner is not None, thread, 1
        return "the mutex was taken" if problem else None

    def step_wait(self, thread, record):
        if record.kind == "wait_begins":
            self.waiting.append(thread)
        elif record.outcome == 0:
            if thread not in self.woken:
                return "nobody has woken it"
            self.woken.remove(thread)
        elif thread in self.waiting:
            self.waiting.remove(thread)
        else:
            return "it was woken before its time"
        return None

    def on_signal(self, thread, record):
        self.woken += self.waiting[:1]
        self.waiting = self.waiting[1:]

    def on_broadcast(self, thread, record):
        self.woken += self.waiting
        self.waiting = []

    def on_sem_init(self, thread, record):
        self.count = record.value

    def on_sem_post(self, thread, record):
        self.count = None if self.count is None else self.count + 1

    def on_sem_wait(self, thread, record):
        self.count = None if self.count is None else self.count - 1
        return "it was 0" if self.count is not None and self.count < 0 else None

    def on_sem_fails(self, thread, record):
        return "it was more than 0" if self.count else None

    def on_barrier_init(self, thread, record):
        self.count, self.arrived, self.inside = record.at["count"], 0, 0

    def on_barrier_arrives(self, thread, record):
        self.arrived += 1

    def on_barrier_leaves(self, thread, record):
        self.inside += 1
        return "not all were there" if self.count and self.inside > self.arrived // self.count * self.count else None

    def on_once_begins(self, thread, record):
        problem, self.once = self.once != "new", thread
        return "it has begun before" if problem else None

    def on_once_ends(self, thread, record):
        problem, self.once = self.once != thread, "done"
        return "another one ran it" if problem else None

    def on_once_passes(self, thread, record):
        return "it was not done" if self.once != "done" else None

    def on_destroy(self, thread, record):
        self.__init__(self.address)


def wrong_order(run, is_cut=False):
    """Where objects do what they cannot."""
    for address, events in events_of_objects(run).items():
        orders = [order for order, _, _ in events]
        if orders != list(range(1, len(orders) + 1)) and not is_cut:
            yield f"object {address:x}: the orders are {orders[:20]}"
        thing = Object(address)
        for _, thread, record in events:
            problem = thing.step(thread, record)
            if problem and not is_cut:
                yield f"{record}: {problem}"
    orders = sorted(record.order for record in run.all("alloc", "free"))
    if not is_cut and orders != list(range(1, len(orders) + 1)):
        yield f"allocations have the orders {orders[:20]}"


def wrong_threads(run):
    created = {record.at["thread"] for record in run.all("create")}
    for number, thread in enumerate(run.threads):
        if not thread or thread[0].kind != "thread" or thread[0].at["thread"] != number:
            yield f"thread {number} does not begin with its record"
        elif number > 0 and number not in created:
            yield f"nobody has created thread {number}"
    places = {record.number for record in run.all("place")}
    for record in run.all("load", "store", "branch", "concrete", "lock", "unlock"):
        if record.place and record.place not in places:
            yield f"{record}: no such place"


def problems(run, is_cut=False):
    return [*wrong_threads(run), *wrong_values(run), *wrong_memory(run, is_cut), *wrong_order(run, is_cut)]


if __name__ == "__main__":
    RUN_OF_FOLDER = Run(sys.argv[1])
    for THREAD in RUN_OF_FOLDER.threads:
        for RECORD in THREAD:
            print(RECORD)
    for PROBLEM in problems(RUN_OF_FOLDER):
        print("inconsistent:", PROBLEM)
