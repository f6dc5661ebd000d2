#!/usr/bin/env python3
"""What bench/tables and bench/guard make of their figures; nothing is measured here but that processes are stopped."""

import importlib.machinery
import importlib.util
import math
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

from support import is_running, within

sys.path.insert(0, "bench")
import charts  # noqa: E402
import families  # noqa: E402
import measure  # noqa: E402
from measure import ANSWERED, GAVE_UP, NOT_RUN, TOO_LARGE, TOO_LONG, Outcome  # noqa: E402


def script(name):
    """A script without a suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, f"bench/{name}")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


tables, guard = script("tables"), script("guard")


def row(family, size, verdict="violated", **outcomes):
    """Columns by their key with _ for -; the others were not run."""
    of = {c.key: outcomes.get(c.key.replace("-", "_"), Outcome(NOT_RUN)) for c in tables.COLUMNS}
    return tables.Row(family, size, size, verdict, of, {e: (Outcome(NOT_RUN), 0) for e in ("section5", "exact")})


def took(seconds, answer="sat"):
    return Outcome(ANSWERED, answer, seconds, seconds, 20_000_000)


def ours(seconds, answer="violated"):
    return took(seconds, answer)


SCALING = families.family("scaling")


class Ends(unittest.TestCase):
    def test_answers(self):
        self.assertEqual(measure.ended(0, "sat\n((x 1))\n", False), (ANSWERED, "sat"))
        self.assertEqual(measure.ended(12, "a.ctp: vacuous (infinite buffering)\n", False), (ANSWERED, "vacuous"))
        self.assertEqual(measure.ended(11, "a.ctp: deadlock (infinite buffering)\n", False), (ANSWERED, "vacuous"))
        self.assertEqual(measure.ended(11, "a.ctp: no assertion on this path, but a deadlock is possible (zero buffering)\n", False), (ANSWERED, "safe"))
        self.assertEqual(measure.ended(0, "unknown\n", False), (GAVE_UP, ""))
        self.assertEqual(measure.ended(101, '(error "out of memory")\n', False), (TOO_LARGE, ""))
        self.assertEqual(measure.ended(-6, "terminate called after throwing an instance of 'std::bad_alloc'", False), (TOO_LARGE, ""))
        self.assertEqual(measure.ended(-9, "sat\n", True), (TOO_LONG, ""))

    def test_what_is_no_result(self):
        for code, text in ((1, "b.ctp: line 3: rule S1"), (0, "a.ctp: violated (infinite buffering)"),
                           (1, '(error "line 1: unknown constant x")\nsat\n'), (0, "")):
            with self.subTest(text), self.assertRaises(measure.Failed):
                measure.ended(code, text, False)

    def test_a_process_is_stopped_with_its_children(self):
        with tempfile.TemporaryDirectory() as folder:
            pid = Path(folder) / "pid"
            script = f"sleep 60 & echo $! > {pid}; wait"
            outcome = measure.run_once(["sh", "-c", script], 0.5, Path(folder) / "log")
            self.assertEqual(outcome.status, TOO_LONG)
            self.assertGreaterEqual(outcome.seconds, 0.5)
            self.assertTrue(within(10, lambda: not is_running(pid.read_text().strip())))

    def test_the_limit_of_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            code = f"try:\n  bytearray({measure.MEMORY})\n  print('sat')\nexcept MemoryError:\n  print('out of memory')"
            outcome = measure.run_once([sys.executable, "-c", code], 60, Path(folder) / "log")
            self.assertEqual(outcome.status, TOO_LARGE)


class Promises(unittest.TestCase):
    def made(self, *rows):
        return {p.what: p for p in tables.promises(rows)}

    def test_times(self):
        made = self.made(row(SCALING, 70, ours=ours(0.05)), row(SCALING, 1000, ours=ours(0.31)),
                         row(SCALING, 10000, ours=Outcome(TOO_LONG, seconds=20.01)))
        kept = [made[f"`scaling {n}`"].is_kept for n in (70, 1000, 10000)]
        self.assertEqual(kept, [True, False, False])
        self.assertEqual(made["`scaling 10000`"].measured, "> 20")

    def test_growth(self):
        for seconds, kept in ((0.1 * 10**1.49, True), (0.1 * 10**1.51, False)):
            made = self.made(row(SCALING, 1000, ours=ours(0.1)), row(SCALING, 10000, ours=ours(seconds)))
            self.assertEqual(made["growth of `scaling N` from 1,000 to 10,000"].is_kept, kept)

    def test_a_hundred_times_as_fast(self):
        name = "`scaling 300` against z3 on `section5`"
        for papers, kept in ((took(3.0), True), (took(2.9), False), (Outcome(TOO_LONG, seconds=20), True)):
            self.assertEqual(self.made(row(SCALING, 300, ours=ours(0.03), section5_z3=papers))[name].is_kept, kept)

    def test_never_slower(self):
        name = "`check` against z3 on `section5`, everywhere (20 ms for the process)"
        for mine, papers, kept in ((ours(1.51), took(1.0), True), (ours(1.53), took(1.0), False),
                                   (ours(0.024), took(0.004), True), (Outcome(TOO_LONG, seconds=20), took(5), False),
                                   (Outcome(TOO_LARGE, seconds=1), took(5), False), (Outcome(GAVE_UP, seconds=1), took(5), False)):
            self.assertEqual(self.made(row(SCALING, 30, ours=mine, section5_z3=papers))[name].is_kept, kept, (mine, papers))
        self.assertNotIn(name, self.made(row(SCALING, 30, ours=ours(1), section5_z3=Outcome(TOO_LONG, seconds=20))))

    def test_pairs(self):
        def pairs(n, megabytes, seconds):
            o = Outcome(ANSWERED, "", seconds, seconds, megabytes * 1_000_000)
            return tables.Pairs(f"scaling {n}", n * n, {"pairs": o, "encode": Outcome(TOO_LONG)}, 0)
        memory, growth = "memory of `matchpoint pairs`, `scaling 2000`, for each of 4,000,000 pairs", "growth of its time from 1,000,000 pairs P"
        for megabytes, seconds, kept in ((400, 5.2, (True, True)), (401, 5.2, (False, True)), (400, 5.4, (True, False))):
            made = {p.what: p for p in tables.promises([], [pairs(1000, 100, 1), pairs(2000, megabytes, seconds)])}
            self.assertEqual((made[memory].is_kept, made[growth].is_kept), kept)
        self.assertIn("too long", tables.pairs_table([pairs(1000, 100, 1)]))
        self.assertEqual([p for p in tables.promises([], [pairs(1000, 1, 1)]) if "encode`" in p.what], [])

    def test_wrong_answers(self):
        name = "answers of `check`, `exact`, exploration that are wrong"
        papers = row(SCALING, 30, ours=ours(0.1), section5_z3=took(0.1, "unsat"))
        self.assertTrue(self.made(papers)[name].is_kept)
        self.assertIn("(wrong: unsat)", tables.group_table([papers]))
        for mine in (row(SCALING, 30, ours=ours(0.1, "safe")), row(SCALING, 30, ours=ours(0.1), exact_z3=took(1, "unsat"))):
            self.assertEqual(self.made(mine)[name].measured, "scaling 30")
            self.assertFalse(self.made(mine)[name].is_kept)


class Pages(unittest.TestCase):
    def test_the_first_line_is_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            for text in ("old", "\nnew\n\n"):
                measure.write_result("tables", text, Path(folder))
            self.assertEqual([file.name for file in Path(folder).iterdir()], ["tables.md"])
            self.assertEqual(Path(folder, "tables.md").read_text(), "# `bench/tables`\n\nnew\n")
        for page in Path("docs/measured").glob("*.md"):
            self.assertRegex(page.read_text(), rf"\A# `[\w/]+/{page.stem}(?:\.py --update)?`\n")

    def test_the_papers_figures(self):
        shown = [tables.clock(families.TABLE_1[n]) for n in (30, 40, 50, 60, 70)]
        self.assertEqual(shown, ["0:00:36", "0:03:22", "0:16:11", "0:47:29", "2:00:30"])

    def test_tables_are_rectangular(self):
        rows = [row(f, n, ours=ours(0.5)) for f in families.FAMILIES for n in f.sizes]
        for text in (tables.group_table(rows), tables.promise_table(tables.promises(rows))):
            self.assertEqual(len({len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines()}), 1)
        self.assertEqual({len(line.split(",")) for line in tables.table_csv(rows).splitlines()}, {13})

    def test_charts(self):
        """Well-formed, and every mark inside of the picture; a decade is as long as another."""
        rows = [row(f, n, ours=ours(0.004 * n), section5_z3=Outcome(TOO_LONG, seconds=20), explore=took(5e-4))
                for f in families.FAMILIES for n in f.sizes]
        for name, text in tables.charts(rows).items():
            svg = ET.fromstring(text)
            width, height = float(svg.get("width")), float(svg.get("height"))
            for circle in svg.iter("{http://www.w3.org/2000/svg}circle"):
                self.assertTrue(0 < float(circle.get("cx")) < width and 0 < float(circle.get("cy")) < height, name)
        axis = charts.Axis(1, 1000, 0, 300)
        for value, at in ((1, 0), (10, 100), (100, 200), (1000, 300)):
            self.assertAlmostEqual(axis(value), at)
        self.assertEqual(list(charts.decades(0.002, 20)), [-3, -2, -1, 0, 1, 2])
        self.assertEqual([charts.time_label(e) for e in (-3, -1, 0, 4)], ["1 ms", "100 ms", "1 s", "10,000 s"])


class Guard(unittest.TestCase):
    def test_moved(self):
        kept = {"a": 3.0, "b": 3.0, "c": 3.0, "d": 3.0, "gone": 1.0}
        said = guard.compare({"a": 3.9, "b": 4.1, "c": 2.1, "d": 1.9, "new": 1.0}, kept)
        self.assertEqual([line.split(":")[0] for line in said], ["b", "d", "new", "gone"])
        self.assertIn("slower", said[0])
        self.assertIn("faster", said[1])

    def test_all_are_committed(self):
        ratios = guard.json.loads(guard.KEPT.read_text())["ratios"]
        self.assertEqual(list(ratios), [p.name for p in guard.PAIRS])
        self.assertTrue(all(0 < r < math.inf for r in ratios.values()))


if __name__ == "__main__":
    unittest.main()
