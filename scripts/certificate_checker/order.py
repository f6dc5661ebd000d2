"""What comes before what in a run, and whether that goes round in a circle."""

from collections import defaultdict


def is_cyclic(edges):
    follows, count = defaultdict(list), defaultdict(int)
    for a, b in edges:
        follows[a].append(b)
        count[b] += 1
    nodes = {n for edge in edges for n in edge}
    free = [n for n in nodes if count[n] == 0]
    done = 0
    while free:
        n = free.pop()
        done += 1
        for b in follows[n]:
            count[b] -= 1
            if count[b] == 0:
                free.append(b)
    return done < len(nodes)


def two_moments(meaning):
    """Both moments of `before command RHO instant R`, as nodes of the graph; (None, None) for other meanings."""
    if meaning[0] != "before":
        return None, None
    _, kind_a, a, kind_b, b = meaning
    node = {"command": lambda name: name, "instant": lambda name: ("instant", name)}
    return node[kind_a](a), node[kind_b](b)


def happens_before(program, matches, zero):
    """Edges from a moment to a later one. A moment is a command (its location) or, with zero buffering, the rendezvous of a
    receive."""
    for locations in program.threads:
        yield from zip(locations, locations[1:])
    if zero:
        for receives in program.receives_at.values():
            for r in receives:
                yield program.issued[r], ("instant", r)
                yield ("instant", r), program.nw[r]
            yield from ((("instant", a), ("instant", b)) for a, b in zip(receives, receives[1:]))
    for r, s in matches.items():
        if not zero:
            yield program.issued[s], program.nw[r]
            continue
        yield program.issued[s], ("instant", r)
        if s in program.wait:
            yield ("instant", r), program.wait[s]
