"""What the tests with random scripts for driver.c share: the parts of a script, and how many of them a run of a test takes."""

import argparse
import sys
import tempfile
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mpi import LIBRARIES, compiled


class Script:
    """The lines of a script. Every message has a value of its own."""

    def __init__(self, rng, ranks):
        self.rng, self.ranks = rng, ranks
        self.lines = []
        self.issued = [0] * ranks
        self.messages = 0

    def add(self, rank, *words):
        self.lines.append(" ".join(map(str, (rank, *words))))

    def chance(self, p):
        return self.rng.random() < p

    def value(self):
        self.messages += 1
        return 1000 + self.messages

    def number(self, rank):
        """The number of the request that the rank issues next."""
        self.issued[rank] += 1
        return self.issued[rank] - 1

    def text(self):
        return "\n".join(self.lines) + "\n"


class Campaign:
    """Which random programs a run of a test takes, by its command line."""

    def __init__(self, cases):
        self.cases, self.seed, self.first, self.jobs = cases, 1, 0, 1
        self.libraries = LIBRARIES

    def main(self, doc):
        """Runs the tests of the script."""
        parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--cases", type=int, default=self.cases)
        parser.add_argument("--seed", type=int, default=self.seed)
        parser.add_argument("--from", type=int, default=self.first, dest="first")
        parser.add_argument("--jobs", type=int, default=self.jobs)
        parser.add_argument("--library", choices=LIBRARIES)
        options, rest = parser.parse_known_args()
        self.cases, self.seed, self.first, self.jobs = options.cases, options.seed, options.first, options.jobs
        self.libraries = [options.library] if options.library else LIBRARIES
        unittest.main(argv=[sys.argv[0], *rest])

    def name(self, library, number):
        return f"{library}, --seed {self.seed} --from {number} --cases 1"

    def run(self, test, case_of, counts_suffice):
        """Runs `case_of(library, number, driver, folder).run()` for each program and library, and prints what its `counts` say.
        A failure is an AssertionError. `counts_suffice(counts)` looks at those of a library."""
        def one(library, number, driver):
            with tempfile.TemporaryDirectory(dir=test.folder) as folder:
                case = case_of(library, number, driver, Path(folder))
                try:
                    case.run()
                except AssertionError as e:
                    return case.counts, str(e)
                return case.counts, None

        for library in self.libraries:
            with test.subTest(library=library):
                driver = compiled(library, "tests/mpi/driver.c", test.folder)
                counts, failures = Counter(), []
                with ThreadPoolExecutor(self.jobs) as pool:
                    for more, failure in pool.map(lambda n: one(library, n, driver), range(self.first, self.first + self.cases)):
                        counts += more
                        if failure is not None:
                            failures.append(failure)
                            print(failure, file=sys.stderr, flush=True)
                print(f"{library}, seed {self.seed}, programs {self.first} to {self.first + self.cases - 1}: "
                      f"{len(failures)} failure{'' if len(failures) == 1 else 's'}")
                for what, n in sorted(counts.items()):
                    print(f"  {what:<48}{n:>8}")
                test.assertEqual(failures, [])
                counts_suffice(counts)
