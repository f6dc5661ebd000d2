"""Small random programs about the ends of what integers of 40 to 65 bits hold: what is compared is what it is compared with, or
nearly."""

EXTREME = [sign * (2**n + d) for n in (40, 60, 61, 62, 63, 63, 64, 64, 65) for d in (-1, 0, 1) for sign in (1, -1)]


class Programs:
    def __init__(self, rng):
        self.rng = rng

    def number(self):
        r = self.rng.random()
        return self.rng.randrange(-2, 4) if r < 0.35 else self.rng.choice(EXTREME)

    def next(self, with_messages):
        """The text of a program."""
        rng = self.rng
        self.ints, self.bools = ["x", "y"][:rng.randrange(1, 3)], ["f"] * (rng.random() < 0.4)
        self.semaphores = ["s"] * (rng.random() < 0.3)
        self.values = {x: {self.number()} for x in self.ints}
        initial = {x: next(iter(v)) for x, v in self.values.items()}
        shared = " ".join([*(f"[{x} {v}]" for x, v in initial.items()), *(f"[{f} {rng.choice(('true', 'false'))}]" for f in self.bools),
                           *(f"[{s} {rng.randrange(3)}]" for s in self.semaphores)])
        self.count = 0
        bodies = [[] for _ in range(rng.randrange(1, 4))]
        self.locals = [{} for _ in bodies]  # name -> values that it may have
        if with_messages:
            self.messages(bodies)
        for t, body in enumerate(bodies):
            for _ in range(rng.randrange(0, 3)):
                body.append(self.write(t))
        for t, body in enumerate(bodies):
            at = rng.randrange(len(body) + 1)
            if rng.random() < 0.6 or t == 0:
                usable = self.locals[t] if at == len(body) else {}
                body.insert(at, f"(assert {self.condition(usable, 2)})")
        threads = " ".join("( " + " ".join(f"[{chr(97 + t)}{i} {c}]" for i, c in enumerate(body)) + " )" for t, body in enumerate(bodies))
        return (f"(shared {shared}) " if shared else "") + f"( {threads} )\n"

    def messages(self, bodies):
        rng = self.rng
        if len(bodies) < 2:
            bodies.append([])
            self.locals.append({})
        n = rng.randrange(1, 4)
        sent = [self.number() for _ in range(n)]
        for i, v in enumerate(sent):
            t = rng.randrange(1, len(bodies))
            bodies[t].append(f"(sndi s{i} {t} 0 {v})")
        for i in range(rng.randrange(1, n + 1)):
            bodies[0] += [f"(rcvi r{i} 0 m{i})", f"(wait r{i})"]
            self.locals[0][f"m{i}"] = set(sent)

    def write(self, t):
        rng, kind = self.rng, self.rng.randrange(8)
        if kind == 6 and self.bools:
            return f"({self.bools[0]} := {rng.choice(('true', 'false', '(not f)'))})"
        if kind == 7 and self.semaphores:
            return rng.choice(("(when (> s 0) (s := (- s 1)))", "(s := (+ s 1))", "(assume (> s 0) (s := (- s 1)))"))
        x = rng.choice(self.ints)
        if kind == 5:
            c = self.number()
            self.values[x].add(c)
            return f"({x} := {c})"
        if kind == 4:
            name = f"t{t}{self.count}"
            self.count += 1
            c = self.number() if rng.random() < 0.5 else 0
            self.locals[t][name] = {v + c for v in self.values[x]}
            return f"({name} := (+ {x} {c}))" if c else f"({name} := {x})"
        if kind == 3 and rng.random() < 0.4:
            return f"(when {self.condition({}, 1)} ({x} := (+ {x} 1)))"
        c = self.number()
        self.values[x] |= {v + c for v in self.values[x]}
        return f"({x} := (+ {x} {c}))" if rng.random() < 0.7 else f"({x} := (- {x} {-c}))"

    def condition(self, local, depth):
        rng, r = self.rng, self.rng.random()
        if depth and r < 0.5:
            op = rng.choice(("and", "or", "xor", "=>", "=", "!=", "not", "=", "or"))
            operands = [self.condition(local, depth - 1) for _ in range(1 if op == "not" else 2)]
            return f"({op} {' '.join(operands)})"
        if r < 0.55 and self.bools:
            return self.bools[0]
        return self.comparison(local)

    def comparison(self, local):
        """A comparison of a sum with what it may be, or nearly."""
        rng = self.rng
        left, values = self.sum(local)
        if rng.random() < 0.35:
            right, others = self.sum(local)
            c = rng.choice(sorted(values)) - rng.choice(sorted(others)) + rng.choice((-1, 0, 0, 1))
            right = f"(+ {right} {c})" if rng.random() < 0.5 else f"(- {right} {-c})"
        else:
            right = str(rng.choice(sorted(values)) + rng.choice((-1, 0, 0, 1)))
        if rng.random() < 0.5:
            left, right = right, left
        return f"({rng.choice(('=', '!=', '<', '<=', '>', '>='))} {left} {right})"

    def sum(self, local):
        rng = self.rng
        names = {**self.values, **local}
        x = rng.choice(sorted(names))
        e, values = x, set(names[x])
        for _ in range(rng.randrange(0, 3)):
            c, kind = self.number(), rng.randrange(6)
            if kind < 2:
                e, values = f"(+ {e} {c})", {v + c for v in values}
            elif kind == 2:
                e, values = f"(- {c} {e})", {c - v for v in values}
            elif kind == 3:
                e, values = f"(* {e} {c})", {v * c for v in values}
            elif kind == 4:
                e, values = f"(* {c} {e})", {v * c for v in values}
            else:
                y = rng.choice(sorted(names))
                e, values = f"(+ {e} {y})", {v + w for v in values for w in names[y]}
        return e, set(sorted(values)[:20])
