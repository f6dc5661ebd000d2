"""The families of `matchpoint gen` that bench/tables and bench/guard measure: sizes, known verdicts, and the paper's figures."""

import random
from dataclasses import dataclass, field

LITERALS_PER_CLAUSE = 3
CLAUSES_PER_VARIABLE = 4.26  # where random formulas are hard


@dataclass(frozen=True)
class Family:
    """The programs of `matchpoint gen NAME SIZE OPTIONS`."""

    group: str
    name: str
    sizes: tuple
    options: str = ""
    limits: dict = field(default_factory=dict)  # size -> seconds of wall time for `matchpoint check`
    paper: dict = field(default_factory=dict)  # size -> seconds, as the paper prints them
    patience: float = 1  # times the time limits of the other columns

    @property
    def title(self):
        return f"{self.name} {self.options}".strip()

    def program(self, size):
        return f"{self.name} {size} {self.options}".strip()

    def arguments(self, size, folder):
        """The arguments of `matchpoint gen`. `vamp` gets a random formula, the same one for every run of a size."""
        if self.name != "vamp":
            return self.program(size).split()
        formula = folder / f"{size}.cnf"
        formula.write_text(random_formula(size))
        return ["vamp", str(formula)]


def random_formula(variables):
    """A random formula in DIMACS format; the three literals of a clause have different variables."""
    choose = random.Random(1)
    clauses = round(CLAUSES_PER_VARIABLE * variables)
    lines = [f"p cnf {variables} {clauses}"]
    for _ in range(clauses):
        chosen = choose.sample(range(1, variables + 1), LITERALS_PER_CLAUSE)
        lines.append(" ".join(str(v * choose.choice((1, -1))) for v in chosen) + " 0")
    return "\n".join(lines) + "\n"


def seconds(printed):
    """hh:mm:ss"""
    hours, minutes, rest = map(int, printed.split(":"))
    return 3600 * hours + 60 * minutes + rest


TABLE_1 = {30: seconds("00:00:36"), 40: seconds("00:03:22"), 50: seconds("00:16:11"), 60: seconds("00:47:29"),
           70: seconds("02:00:30")}

RACES = "One receiver"
PERMUTATIONS = "Each message once"
BENCHMARKS = "Table 2's programs"
OTHERS = "Other families"

FAMILIES = [
    Family(RACES, "scaling", (10, 30, 40, 50, 60, 70, 100, 300, 1000, 3000, 10000), paper=TABLE_1,
           limits={70: 0.05, 1000: 0.3, 10000: 3}),
    Family(RACES, "scaling", (10, 30, 70, 100, 300, 1000, 3000), "--safe", limits={1000: 4}),
    Family(RACES, "scaling", (10, 20, 30, 50, 70, 100, 300, 1000), "--comparisons", limits={1000: 5}),
    Family(RACES, "scaling", (5, 10, 20, 50, 100, 200), "--distinct", limits={50: 9, 200: 10}),
    Family(PERMUTATIONS, "permutation-sum", (4, 6, 8, 10, 30, 100, 1000), limits={1000: 4}),
    Family(PERMUTATIONS, "hall", (4, 6, 8, 10, 30, 100, 1000), limits={1000: 2}),
    # The default of `gen` is 5 tasks, as in the paper.
    Family(BENCHMARKS, "pktuse", (32, 128, 512), paper={512: seconds("02:06:09")}, limits={512: 0.5}),
    Family(BENCHMARKS, "pktuse", (32, 128, 512), "--safe sums", limits={512: 1}),
    Family(BENCHMARKS, "pktuse", (32, 128, 512), "--safe order", limits={512: 10}),
    Family(BENCHMARKS, "leader-election", (62, 620, 6200), paper={620: 1}, limits={620: 0.5}),
    Family(BENCHMARKS, "router", (4, 10, 20, 50), "--safe", paper={10: 2}, limits={10: 1}),
    Family(BENCHMARKS, "multi-m", (5, 10, 25, 100), paper={25: seconds("00:16:40")}, limits={25: 0.1}),
    Family(OTHERS, "ping-pong", (500, 5000, 50000), "--safe", limits={50000: 3}, patience=0.5),
    Family(OTHERS, "permutation-sum", (6, 10, 100), "--violated", patience=0.5),
    Family(OTHERS, "hall", (6, 8, 100), "--safe", patience=0.5),
    Family(OTHERS, "router", (4, 10, 20), patience=0.5),
    Family(OTHERS, "multi-m", (5, 10, 25), "--safe", patience=0.5),
    Family(OTHERS, "leader-election", (62, 620), "--safe", patience=0.5),
    Family(OTHERS, "ring-dependencies", (10, 100, 300), patience=0.5),
    Family(OTHERS, "ring-dependencies", (10, 100, 300), "--safe", patience=0.5),
    Family(OTHERS, "dense-cycles", (4, 7, 10), patience=0.5),
    Family(OTHERS, "dense-cycles", (4, 7, 10), "--safe", patience=0.5),
    Family(OTHERS, "vamp", (10, 20, 40), patience=0.5),
]


def family(name, options=""):
    return next(f for f in FAMILIES if (f.name, f.options) == (name, options))
