"""The canonical form of a file, as docs/formats.md has it."""

from .collectives import PARTS
from .tree import SELECTORS


def printed_shared(file, x, v):
    return f"{' atomic' if x in file.atomic else ''} [{x} {v}]"


def printed(file):
    """The text of a file in canonical form, as lines. Two programs are the same if and only if their lines are."""
    lines = [] if file.shared is None else [f"(shared{''.join(printed_shared(file, x, v) for x, v in file.shared)})"]
    if file.communicators is not None:
        lines.append(f"(communicators{''.join(f' [{name}' + ''.join(f' {t}' for t in members) + ']' for name, members in file.communicators.items())})")
    lines.append("(")
    for thread in file.threads:
        lines += ["  (", *(f"    [{c.location} ({printed_command(c)}){printed_place(c)}]" for c in thread), "    bot", "  )"]
    lines.append(")")
    for trace in file.traces:
        lines += ["(", *(f"  ({location} {printed_movements(m)})" for location, m in trace), ")"]
    return lines


def printed_command(c):
    if c.choice and c.kind == "assume":
        parts = [c.choice]
    elif c.kind == "sndi":
        parts = [c.mode, c.action, c.source, c.destination, printed_expression(c.expression), c.extra,
                 c.tag and f"(tag {c.tag})"]
    elif c.kind in ("rcvi", "probe", "mprobe"):
        parts = [c.kind, c.action, c.destination, c.variable, c.extra, *printed_selectors(c.selectors)]
    elif c.kind in ("wait", "barrier", "start"):
        parts = [c.kind, c.action or c.barrier, c.variable, c.choice]
    elif c.kind == "collective":
        parts = ["collective" if c.call.blocks else "icollective", c.action, *printed_call(c.call)]
    elif c.kind == ":=":
        parts = [c.variable, ":=", printed_expression(c.expression)]
    else:
        parts = [c.kind, printed_expression(c.expression), *(f"({x} := {printed_expression(e)})" for x, e in c.assigned)]
    return " ".join(part for part in parts if part)


def printed_selectors(selectors):
    for kind, name in SELECTORS.items():
        said = getattr(selectors, name)
        if said not in (None, ""):
            yield "(" + " ".join([kind, *([said] if isinstance(said, str) else said)]) + ")"


def printed_call(call):
    yield from (call.communicator, call.kind)
    for name in PARTS:
        if said := getattr(call, name):
            yield f"({name} {said if isinstance(said, str) else ' '.join(said)})"


def printed_place(c):
    return "" if c.place is None else ' (at "{}" {})'.format(*c.place)


def printed_expression(e):
    out, rest = [], [e]
    while rest:
        node = rest.pop()
        if isinstance(node, str):
            out.append(node)
        elif node.operands:
            rest += [")", *(part for operand in reversed(node.operands) for part in (operand, " ")), f"({node.word}"]
        else:
            out.append(node.word)
    return "".join(out)


def printed_movements(movements):
    if not movements:
        return "bot"
    return "(" + "".join(f"({' '.join(part for part in movement if part)}) " for movement in movements) + "bot)"
